"""Step 5 for a legal shot: what stays down, who keeps the turn, who has won."""

from collections.abc import Sequence

from rules.case import YES_NO
from rules.departures import Gone
from rules.doubts import Doubt
from rules.facts import Piece
from rules.games.qsquare.books import Books
from rules.games.qsquare.departures import early_queen
from rules.games.qsquare.reading import PUCK, QUEEN, STILL_MM
from rules.games.qsquare.state import State
from rules.games.qsquare.words import pucks
from rules.phrases import possessive
from rules.rulings import RulingKind
from rules.said import plural, say
from rules.verdicts import Verdict, order


def legal(books: Books, fallen: list[Gone]) -> State:
    """Return the state after a legal shot in which pucks have `fallen`."""
    case, state, terms = books.case, books.state, books.state.terms
    me, target = state.side, 1 - state.side
    targets = [g for g in fallen if books.side_of(g) == target]
    owns = [g for g in fallen if books.side_of(g) == me]
    queens = [g for g in books.reading.gone if g.kind == QUEEN]
    early = bool(queens) and early_queen(books.reading, queens[0])
    for gone in fallen:
        books.goes_down(gone)
    for gone in targets:
        case.rule(
            "QS-6.1",
            say(
                "{name} is pocketed." if gone.pocket == "?" else "{name} is pocketed in {pocket}.",
                name=gone.name,
                pocket=gone.pocket,
            ),
            RulingKind.POCKET,
            side=terms.sides[me],
            pieces=(gone.name,),
        )
    if owns:
        case.rule(
            "QS-X.4",
            plural(
                len(owns),
                one="{Pucks} of {whose} own stays down and counts for {team}.",
                many="{Pucks} of {whose} own stay down and count for {team}.",
                pucks=pucks(len(owns), terms.colours[me]),
                whose=possessive(terms.team(me)),
                team=terms.team(target),
            ),
            RulingKind.POCKET,
            side=terms.sides[target],
            pieces=tuple(g.name for g in owns),
        )
    if any(g.kind == QUEEN for g in books.reading.gone if g.pocket) and not early:
        won = _queen_wins(books, queens[0])
        if won is not None:
            return won
    if terms.options.queen == "off" and books.on[target] == 0:
        if not _may_win(books):
            return books.lose()
        won = _cleared(books, targets, owns)
        if won is not None:
            return won
    kept = bool(targets) and not owns
    if kept and terms.options.call_shots == "on" and not _as_called(books, targets):
        kept = False
        case.rule(
            "QS-4.9",
            say("The puck did not fall as called: it stays down, the turn is lost."),
            RulingKind.TURN,
            side=terms.sides[me],
        )
        return books.lose()
    if kept:
        if case.rule(
            "QS-2.2",
            say(
                "{who} pocketed {pucks} and plays on.",
                who=terms.who(state.shooter),
                pucks=pucks(len(targets), terms.colours[target]),
            ),
            RulingKind.TURN,
            side=terms.sides[me],
            pieces=tuple(g.name for g in targets),
        ):
            return books.keep()
        return books.lose()
    if targets and owns:
        lost = case.rule(
            "QS-2.5",
            say(
                "Pucks of both colours fell: they stay down, {who} loses the turn.",
                who=terms.who(state.shooter),
            ),
            RulingKind.TURN,
            side=terms.sides[me],
        )
    else:
        lost = case.rule(
            "QS-2.3",
            say(
                "No {colour} puck fell: {who} loses the turn.",
                colour=terms.colours[target],
                who=terms.who(state.shooter),
            ),
            RulingKind.TURN,
            side=terms.sides[me],
        )
    if any(_moved(books, p) for p in state.pieces if p.kind == QUEEN) and not queens:
        case.rule("QS-X.17", say("The Queen was moved by a legal shot: it stays where it stopped."))
    return books.lose() if lost else books.keep()


def _moved(books: Books, piece: Piece) -> bool:
    rest = books.reading.rest.get(piece.name)
    return rest is not None and rest.at.distance_mm(piece.at) > STILL_MM


def _queen_wins(books: Books, queen: Gone) -> State | None:
    case, terms = books.case, books.state.terms
    me = books.state.side
    if terms.options.call_shots == "on" and not _as_called(books, [queen]):
        case.rule(
            "QS-4.9",
            say("The Queen did not fall as called: it goes back, the turn is lost."),
            RulingKind.TURN,
            side=terms.sides[me],
        )
        return books.lose()
    if not _may_win(books):
        return books.lose()
    if any(books.side_of(g) == me for g in books.reading.gone if g.kind == PUCK):
        case.rule("QS-2.6", say("A win outranks the own puck that fell in the same shot."))
    case.rule(
        "QS-7.2", say("No {colour} puck is left: the Queen is open.", colour=terms.colours[1 - me])
    )
    case.rule("QS-7.3", say("The Queen decides the game."))
    if case.rule(
        "QS-2.6",
        say(
            "{team} pocket the Queen and win the game."
            if terms.four
            else "{team} pockets the Queen and wins the game.",
            team=terms.team(me),
        ),
        RulingKind.WIN,
        side=terms.sides[me],
        pieces=(queen.name, "Queen wins"),
    ):
        books.queen_back = False
        return books.over(me)
    return None


def _may_win(books: Books) -> bool:
    """Return whether no debt stands in the way of a win (`debt_blocks_win`)."""
    me = books.state.side
    blocked = (
        books.state.terms.options.debt_blocks_win == "on"
        and bool(books.state.tally.debts[me])
        and books.down[1 - me] > 0
    )
    if blocked:
        books.case.rule(
            "QS-8.3",
            say(
                "{team} must pay what is owed before winning, as agreed.",
                team=books.state.terms.team(me),
            ),
            RulingKind.PENALTY,
            side=books.state.terms.sides[me],
            pieces=("before winning",),
        )
    return not blocked


def _cleared(books: Books, targets: list[Gone], owns: list[Gone]) -> State | None:
    """With `queen = off`: the target colour is cleared by a legal shot (QS-2.8, QS-X.12)."""
    case, terms = books.case, books.state.terms
    me, winner = books.state.side, books.state.side
    if books.on[me] == 0:
        how = terms.options.double_finish
        if how == "opponent" or (how == "drop_order" and _own_cleared_first(books, targets, owns)):
            winner = 1 - me
        case.rule(
            "QS-X.12",
            say(
                "One shot cleared both colours: {team} win."
                if terms.four
                else "One shot cleared both colours: {team} wins.",
                team=terms.team(winner),
            ),
            RulingKind.NOTE,
            side=terms.sides[winner],
        )
    case.rule("QS-2.7", say("The game is played without the Queen."))
    if case.rule(
        "QS-2.8",
        say(
            "{team} win the game: every {colour} puck is gone."
            if terms.four
            else "{team} wins the game: every {colour} puck is gone.",
            team=terms.team(winner),
            colour=terms.colours[1 - winner],
        ),
        RulingKind.WIN,
        side=terms.sides[winner],
    ):
        return books.over(winner)
    return None


def _own_cleared_first(books: Books, targets: list[Gone], owns: list[Gone]) -> bool:
    """Return whether the opponents had cleared first: the colour cleared last loses."""
    if not targets or not owns:
        return not owns
    last_target = max(targets, key=lambda g: g.at_ms)
    last_own = max(owns, key=lambda g: g.at_ms)
    match order(last_own.at_ms, last_own.error_ms, last_target.at_ms, last_target.error_ms):
        case Verdict.YES:
            return True
        case Verdict.NO:
            return False
    return books.case.oracle.yes(
        Doubt(
            key="cleared-first",
            words=say(
                "Did {own} fall before {target}?",
                own=last_own.name,
                target=last_target.name,
            ),
            answers=YES_NO,
        )
    )


def _as_called(books: Books, gone: Sequence[Gone]) -> bool:
    """Return whether one of `gone` is the puck that was called, in the pocket that was called."""
    called = (books.reading.shot.called or "").split()
    if not called:
        return False
    what, pocket = called[0], called[-1] if len(called) > 1 else ""
    named = [g for g in gone if what in (g.name, g.colour, g.kind)]
    if any(pocket in ("", g.pocket) for g in named):
        return True
    return any(g.pocket == "?" and _fell_into(books, g, pocket) for g in named)


def _fell_into(books: Books, gone: Gone, pocket: str) -> bool:
    """Ask whether a puck that nobody saw fall went into the pocket that was called."""
    return books.case.oracle.yes(
        Doubt(
            key=f"called-{gone.name}",
            words=say(
                "Did {name} fall into pocket {pocket}, as called?", name=gone.name, pocket=pocket
            ),
            answers=YES_NO,
            piece=gone.name,
        )
    )
