"""The table at rest between shots: drags, putting back, and whether all pucks are there."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rules.case import Case
from rules.facts import Piece, Settled
from rules.games.qsquare.disturbed import disturbance, put_back, was_moved
from rules.games.qsquare.reading import CUE, PUCK, QUEEN
from rules.games.qsquare.spots import misplaced, services
from rules.games.qsquare.state import Errand, Phase, State, lay
from rules.games.qsquare.words import pucks
from rules.restored import SPOT_MM, lies_right
from rules.rulings import RulingKind
from rules.said import joined, listed, say
from rules.verdicts import Verdict


def settled(case: Case, state: State, fact: Settled) -> State:
    """Look at the table at rest: what a drag has shifted, what is put right, what is missing."""
    if state.drag:
        disturbed = _dragged_into(case, state, fact)
        if disturbed is not None:
            name, errand = disturbed
            after = disturbance(case, lay(state, fact.pieces), state.shooter, (errand,), name)
            return replace(after, drag=None, hand=None)
    dragged = state.drag is not None
    seen = lay(state, fact.pieces)
    if dragged or state.hand is not None:
        seen = replace(seen, drag=None, hand=None)
    if dragged and state.phase is Phase.AIMING and _came_home(state, fact):
        case.rule("QS-X.1", say("The cue-puck was dragged, not struck: no shot."))
        case.rule("QS-4.2", say("The cue-puck is back in the Home Zone."))
    if state.phase is Phase.SERVICE:
        return _service(case, state.pieces, seen)
    wrong = _miscounted(seen)
    if wrong and fact.pieces:
        case.rule("QS-1.3", say("On the table: {wrong}.", wrong=wrong), RulingKind.REFUSED)
        return replace(seen, phase=Phase.SERVICE, said=wrong)
    return seen


def _came_home(state: State, fact: Settled) -> bool:
    cues = [p.at for p in fact.pieces if p.kind == CUE]
    return any(state.terms.ground.is_home(state.shooter, at) for at in cues)


def _dragged_into(case: Case, state: State, fact: Settled) -> tuple[str, Errand] | None:
    """Return the puck that a dragged cue-puck has shifted by more than 2 mm, if any."""
    now = {p.name: p for p in fact.pieces}
    for name in state.drag or ():
        piece = state.piece(name)
        if piece is None or name not in now:
            continue
        if was_moved(case, name, piece.at, now[name].at, now[name].error_mm):
            return name, put_back(state, name, piece.at)
    return None


def _service(case: Case, before: Iterable[Piece], seen: State) -> State:
    """Check that every restored piece lies on its spot and that the counts are right (QS-X.9).

    `before` is what was known to lie on the surface until then.
    """
    found = services(seen.errands, seen.pieces)
    wrong = _miscounted(seen)
    if all(service.sure is not Verdict.NO for service in found) and not wrong:
        lying = [(s, s.piece) for s in found if s.piece is not None]
        off = [
            (service.errand, piece)
            for service, piece in lying
            if not lies_right(case, piece, service.errand.at, service.margin_mm)
        ]
        if not off:
            return _put_right(case, seen)
        return _put_wrongly(case, seen, off)
    # pucks are put back one by one: what nobody has touched so far waits for its turn
    fresh = {p.name for p in seen.pieces} - {p.name for p in before}
    seen = replace(seen, brought=seen.brought | fresh)
    put = fresh | seen.handled
    astray = misplaced(seen, seen.pieces, found)
    return _put_wrongly(case, seen, [(e, p) for e, p in astray if p.name in put])


def _put_right(case: Case, seen: State) -> State:
    if any(errand.at is not None for errand in seen.errands):
        case.rule(
            "QS-X.9",
            say("Put back where it belongs, within {spot_mm:g} mm: play on.", spot_mm=SPOT_MM),
            RulingKind.PLACE,
        )
    return replace(
        seen, phase=Phase.AIMING, errands=(), said="", handled=frozenset(), brought=frozenset()
    )


def _put_wrongly(case: Case, seen: State, off: Sequence[tuple[Errand, Piece]]) -> State:
    """Refuse, once, what lies off its spot."""
    said = joined(
        (
            say(
                "{puck} lies {distance_mm:.1f} mm from its spot",
                puck=p.name,
                distance_mm=p.at.distance_mm(e.at),
            )
            for e, p in off
            if e.at
        ),
        "; ",
    )
    if said and said != seen.said:
        case.rule(
            "QS-X.9",
            say("{said}.", said=said),
            RulingKind.REFUSED,
            pieces=tuple(p.name for _, p in off),
        )
    return replace(seen, said=said or seen.said, handled=frozenset())


def _miscounted(state: State) -> str:
    """Return in words where the pucks on the surface are not those that are counted (section 6)."""
    terms, tally = state.terms, state.tally
    wrong = []
    for side, more in enumerate(differences(state)):
        if more != state.excused[side]:
            there, colour = tally.counts[side].on + more, terms.colours[side]
            wrong.append(
                say(
                    "{pucks}, but {on} in play",
                    pucks=pucks(there, colour),
                    on=tally.counts[side].on,
                )
            )
    queens = [p.kind for p in state.pieces].count(QUEEN)
    if terms.options.queen == "on" and queens != 1:
        wrong.append(say("no Queen" if queens == 0 else "{queens} Queens", queens=queens))
    return listed(wrong)


def differences(state: State) -> tuple[int, int]:
    """Return by how many pucks of each side's colour the surface shows more than are counted."""
    shown = [p.colour for p in state.pieces if p.kind == PUCK]
    mine, other = state.terms.colours
    counts = state.tally.counts
    return shown.count(mine) - counts[0].on, shown.count(other) - counts[1].on
