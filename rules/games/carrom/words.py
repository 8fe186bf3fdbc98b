"""Short exact phrases for carrom players."""

from rules.games.carrom.state import Phase, State
from rules.games.carrom.terms import Terms
from rules.phrases import counted


def men(count: int, colour: str) -> str:
    """Return "two white pieces"."""
    return counted(count, f"{colour} piece")


def come(count: int) -> str:
    return "comes" if count == 1 else "come"


def shown(ms: float) -> str:
    """Return what a clock shows: "34:59"."""
    seconds = int(ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def score(terms: Terms, pair: tuple[int, int]) -> str:
    """Return "Ann and Cem 26, Bo and Dia 11"."""
    return f"{terms.team(0)} {pair[0]}, {terms.team(1)} {pair[1]}"


def outlook(before: State, after: State) -> str:
    """Return in words what a way comes to: counts, dues, queen, turn, result."""
    terms, old, new = after.terms, before.tally, after.tally
    if new.winner is not None and old.winner is None:
        return f"{terms.team(new.winner)} {terms.verb('win')} the match."
    if new.games != old.games:
        winner = 0 if new.games[0] != old.games[0] else 1
        return f"{terms.team(winner)} {terms.verb('win')} the game."
    if new.points != old.points:
        return f"The board is over: {score(terms, new.points)}."
    if new.board != old.board:
        return "The board is over."
    parts = []
    for team in (0, 1):
        if new.on[team] != old.on[team]:
            parts.append(f"{men(new.on[team], after.colour(team))} on the board")
        if new.due[team] != old.due[team]:
            parts.append(f"{terms.team(team)} owing {new.due[team]}")
    if new.queen != old.queen:
        where = "covered" if new.queen.covered else "to be covered"
        parts.append("queen on the board" if new.queen.on_board else f"queen {where}")
    said = "; ".join(parts) if parts else "counts unchanged"
    if after.phase is Phase.RACKING and before.phase is Phase.RACKING:
        return "The rack is set again."
    if after.phase is Phase.PLACING and before.phase is Phase.PLACING and not parts:
        return "The piece is placed again."
    if after.phase in (Phase.STRIKE_DUE, Phase.PLACING):
        said += f"; {terms.who(new.to_strike)} to strike"
    return said[:1].upper() + said[1:] + "."
