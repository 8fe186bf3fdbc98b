"""Short exact phrases for carrom players."""

from rules.games.carrom.state import COLOURS, Phase, Queen, State
from rules.games.carrom.terms import Terms
from rules.said import joined, plural, say, word

WHITE = COLOURS[0]


def men(count: int, colour: str) -> str:
    """Return "two white pieces"."""
    if colour == WHITE:
        return plural(
            count, none="no white pieces", one="one white piece", many="{count} white pieces"
        )
    return plural(count, none="no black pieces", one="one black piece", many="{count} black pieces")


def a_man(colour: str) -> str:
    """Return "a white piece"."""
    if colour not in COLOURS:
        return say("a {colour} piece", colour=word(colour))
    return say("a white piece" if colour == WHITE else "a black piece")


def shown(ms: float) -> str:
    """Return what a clock shows: "34:59"."""
    seconds = int(ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def score(terms: Terms, pair: tuple[int, int]) -> str:
    """Return "Ann and Cem 26, Bo and Dia 11"."""
    return say(
        "{team} {points}, {others} {theirs}",
        team=terms.team(0),
        points=pair[0],
        others=terms.team(1),
        theirs=pair[1],
    )


def won_match(terms: Terms, team: int) -> str:
    """Return "Ann and Cem win the match"."""
    return say(
        "{team} win the match" if terms.pairs else "{team} wins the match", team=terms.team(team)
    )


def won_game(terms: Terms, team: int) -> str:
    """Return "Ann and Cem win the game"."""
    return say(
        "{team} win the game" if terms.pairs else "{team} wins the game", team=terms.team(team)
    )


def conceded(terms: Terms, team: int, what: str) -> str:
    """Return "Ann and Cem concede the board", or the "game" or the "match"."""
    name = terms.team(team)
    if what == "board":
        return say(
            "{team} concede the board" if terms.pairs else "{team} concedes the board", team=name
        )
    if what == "game":
        return say(
            "{team} concede the game" if terms.pairs else "{team} concedes the game", team=name
        )
    return say(
        "{team} concede the match" if terms.pairs else "{team} concedes the match", team=name
    )


def outlook(before: State, after: State) -> str:
    """Return in words what a way comes to: counts, dues, queen, turn, result."""
    terms, old, new = after.terms, before.tally, after.tally
    if new.winner is not None and old.winner is None:
        return say("{won}.", won=won_match(terms, new.winner))
    if new.games != old.games:
        winner = 0 if new.games[0] != old.games[0] else 1
        return say("{won}.", won=won_game(terms, winner))
    if new.points != old.points:
        return say("The board is over: {score}.", score=score(terms, new.points))
    if new.board != old.board:
        return say("The board is over.")
    parts: list[str] = []
    for team in (0, 1):
        if new.on[team] != old.on[team]:
            parts.append(say("{men} on the board", men=men(new.on[team], after.colour(team))))
        if new.due[team] != old.due[team]:
            parts.append(say("{team} owing {due}", team=terms.team(team), due=new.due[team]))
    if new.queen != old.queen:
        parts.append(_queen(new.queen))
    counts = joined(parts, "; ") if parts else say("counts unchanged")
    if after.phase is Phase.RACKING and before.phase is Phase.RACKING:
        return say("The rack is set again.")
    if after.phase is Phase.PLACING and before.phase is Phase.PLACING and not parts:
        return say("The piece is placed again.")
    if after.phase in (Phase.STRIKE_DUE, Phase.PLACING):
        counts = say("{counts}; {who} to strike", counts=counts, who=terms.who(new.to_strike))
    return say("{Counts}.", counts=counts)


def _queen(queen: Queen) -> str:
    if queen.on_board:
        return say("queen on the board")
    return say("queen covered" if queen.covered else "queen to be covered")
