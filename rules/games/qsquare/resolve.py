"""A finished shot resolved: the decision table of section 6 from its first step to its last."""

from msgspec.structs import replace

from rules.case import Case
from rules.facts import Fact, Settled
from rules.games.qsquare.books import Books
from rules.games.qsquare.contact import contact_fault, missed, queen_touched
from rules.games.qsquare.departures import outcome
from rules.games.qsquare.faults import Faults, ordered_faults
from rules.games.qsquare.foul import foul
from rules.games.qsquare.legal import legal
from rules.games.qsquare.reading import CUE, PUCK, QUEEN, STILL_MM, Reading
from rules.games.qsquare.state import (
    Errand,
    Phase,
    Ruled,
    State,
    lay,
)
from rules.games.qsquare.strike import execution, hands_over, wrong_player
from rules.games.qsquare.turns import lose_turn
from rules.games.qsquare.witnessed import read
from rules.restored import displaced
from rules.rulings import RulingKind
from rules.said import say


def play_shot(case: Case, state: State, fact: Fact) -> State:
    """Resolve the running shot at its `Settled`; the state after it."""
    assert isinstance(fact, Settled)
    assert state.shot is not None
    shot = state.shot
    reading = read(case, state, shot, fact)
    after = _resolved(case, state, reading, fact)
    known = {**case.oracle.known, **case.oracle.given}
    return replace(
        after,
        shot=None,
        called=None,
        drag=None,
        last=Ruled(before=state, settled=fact, known=known, waived=case.waived, at_ms=fact.at_ms),
    )


def _resolved(case: Case, state: State, reading: Reading, fact: Settled) -> State:
    seen = lay(state, fact.pieces)
    if wrong_player(reading):
        case.rule(
            "QS-X.23",
            say(
                "It was {who}’s turn: the shot is void, the table is put back, no penalty.",
                who=state.terms.who(state.shooter),
            ),
            RulingKind.TURN,
            side=state.terms.sides[state.side],
        )
        return _restored(seen, state)
    if "replay" in reading.shot.calls:
        case.rule(
            "QS-X.13",
            say("The shot was spoiled: it is played again."),
            RulingKind.TURN,
            side=state.terms.sides[state.side],
        )
        return _restored(seen, state)
    if state.terms.options.cue_pucks == "per_side" and _cue_pucks(state) > 1:
        case.rule(
            "QS-1.3",
            say("The other side’s cue-puck was on the table: the shot does not count."),
            RulingKind.REFUSED,
        )
        return _restored(seen, state)
    first = reading.first()
    cue_gone = any(gone.kind == CUE and gone.name == reading.cue for gone in reading.gone)
    crossed = not first and reading.crossed()
    if not first and not cue_gone and not crossed and not reading.gone:
        return _no_shot(case, state, reading, seen)
    _opening_notes(case, state)
    faults = Faults()
    ordered_faults(case.ordered, faults)
    miscue = execution(reading, faults)
    if first:
        contact_fault(reading, first, miscue, faults)
    elif crossed:
        missed(reading, miscue, faults)
    queen_touched(reading, faults)
    outcome(reading, faults)
    if faults.penalties and any(r.code.startswith("QS-8n") for r in case.rulings):
        case.rule("QS-8n.3", say("Only the miss is excused; every other penalty stands."))
    return _ended(case, state, reading, faults, seen)


def _cue_pucks(state: State) -> int:
    return sum(piece.kind == CUE for piece in state.pieces)


def _opening_notes(case: Case, state: State) -> None:
    if state.tally.shots:
        return
    terms = state.terms
    case.rule("QS-5.6", say("The opening break is judged like any other shot."))
    case.rule("QS-1.5", say("Pucks are attacked with the cue-puck alone, driven by the cue."))
    case.rule(
        "QS-2.1",
        say(
            "{team} pocket {colour}, {other} pocket {own}."
            if terms.four
            else "{team} pockets {colour}, {other} pockets {own}.",
            team=terms.team(0),
            colour=terms.colours[1],
            other=terms.team(1),
            own=terms.colours[0],
        ),
    )


def _no_shot(case: Case, state: State, reading: Reading, seen: State) -> State:
    case.rule(
        "QS-X.1",
        say("The cue-puck crossed no line and touched nothing: not a shot."),
        RulingKind.TURN,
        side=state.terms.sides[state.side],
    )
    if state.terms.options.weak_stroke == "turn_lost":
        return lose_turn(case, seen, "QS-2.3", say("No shot was made: the turn is lost."))
    faults = Faults()
    if hands_over(reading, faults):
        case.rule("QS-4.7", say("The turn is lost, without a penalty puck."))
        case.rule("QS-8f", say("Foul without a penalty puck."), RulingKind.FOUL)
        who = state.terms.who(state.shooter)
        return lose_turn(case, seen, "QS-2.4", say("Foul: {who} loses the turn.", who=who))
    case.rule("QS-4.3", say("The cue-puck may be placed again."))
    skips = state.tally.skips | faults.skips
    return replace(seen, phase=Phase.AIMING, tally=replace(seen.tally, skips=skips))


def _restored(seen: State, before: State) -> State:
    """Return the state in which all must lie again as in `before`, whichever of those alike where.

    As few as possible must be moved.
    """
    errands = tuple(
        Errand(
            kind=was.kind,
            colour=was.colour,
            at=was.at,
            piece=None if now is None else now.name,
            why="put back",
        )
        for was, now in displaced(
            [p for p in before.pieces if p.kind != CUE], seen.pieces, STILL_MM
        )
    )
    there = {p.name for p in seen.pieces}
    lost = [p for p in before.pieces if p.kind == CUE and p.name not in there]
    errands += tuple(Errand(kind=CUE, colour=p.colour, why="cue-puck") for p in lost)
    return replace(seen, phase=Phase.SERVICE if errands else Phase.AIMING, errands=errands)


def _ended(case: Case, state: State, reading: Reading, faults: Faults, seen: State) -> State:
    """Step 5: legal or foul, and all that follows."""
    counts = state.tally.counts
    books = Books(
        case=case,
        state=state,
        reading=reading,
        faults=faults,
        seen=seen,
        on=[count.on for count in counts],
        down=[count.down for count in counts],
        off=[count.off for count in counts],
        queen_back=any(gone.kind == QUEEN for gone in reading.gone),
    )
    fallen = [g for g in reading.gone if g.kind == PUCK and g.pocket is not None]
    forced = [g for g in reading.gone if g.kind == PUCK and g.pocket is None]
    if faults.lost_by is not None:
        return books.won(1 - faults.lost_by, fallen, forced)
    if faults.foul:
        return foul(books, fallen, forced)
    for gone in forced:  # its 8b was waived: it is off the game all the same
        books.leaves(gone)
    return legal(books, fallen)
