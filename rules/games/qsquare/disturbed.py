"""Pieces that are moved, or struck, while no shot is running."""

import dataclasses

from msgspec.structs import replace

from rules.case import Case
from rules.doubts import Doubt
from rules.facts import Moved, Struck
from rules.games.qsquare.reading import CUE, STILL_MM
from rules.games.qsquare.state import Errand, Phase, State, lay
from rules.games.qsquare.turns import lose_turn
from rules.geometry import Point, Seat
from rules.rulings import RulingKind
from rules.said import say


def struck_other(case: Case, state: State, fact: Struck) -> State:
    """Rule on a stroke at another piece than the cue-puck: it is a disturbance (QS-1.5)."""
    if state.phase is not Phase.AIMING:
        return state
    piece = state.piece(fact.piece)
    errand = put_back(state, fact.piece, piece.at if piece else fact.at)
    case.rule(
        "QS-1.5",
        say("{piece} was struck directly: only the cue-puck may be struck.", piece=fact.piece),
    )
    return disturbance(case, state, fact.by, (errand,), fact.piece)


def put_back(state: State, name: str, at: Point) -> Errand:
    """Return the errand of putting a piece back where it lay."""
    kind, colour = state.kind_of(name)
    return Errand(kind=kind, colour=colour, at=at, piece=name, why="put back")


def piece_moved(case: Case, state: State, fact: Moved) -> State:
    """Take in where a piece lies now; moved by more than its limit, it is to be put back."""
    name = fact.piece
    kind, _ = state.kind_of(name)
    moved = lay(
        state,
        tuple(
            dataclasses.replace(p, at=fact.after, error_mm=fact.error_mm) if p.name == name else p
            for p in state.pieces
        ),
    )
    if state.phase is Phase.SERVICE:
        moved = replace(moved, handled=moved.handled | {name})
    if kind == CUE:
        return moved
    continuing = state.hand is not None and state.hand.ruled
    if state.phase is Phase.SERVICE and not continuing:
        return moved
    if not was_moved(case, name, fact.before, fact.after, fact.error_mm):
        return moved
    errand = put_back(state, name, fact.before)
    if continuing:
        if any(e.piece == name for e in state.errands):
            return moved
        return replace(moved, phase=Phase.SERVICE, errands=(*state.errands, errand))
    by = fact.by
    if by is None and state.drag is not None:
        by = state.shooter
    if by is None and state.hand is not None:
        by = state.hand.side
    return disturbance(case, moved, by, (errand,), name)


def was_moved(case: Case, name: str, before: Point, after: Point, error_mm: float) -> bool:
    """Return whether a piece was displaced by more than 2 mm (section 3, `idle_moved`)."""
    return case.holds(
        before.distance_mm(after) - STILL_MM,
        error_mm,
        f"moved-{name}",
        lambda: say("Was {name} moved by more than {still_mm:g} mm?", name=name, still_mm=STILL_MM),
        piece=name,
        at=before,
    )


def disturbance(
    case: Case, state: State, by: Seat | None, errands: tuple[Errand, ...], name: str
) -> State:
    """Rule on a puck disturbed while no shot was running (QS-X.21, QS-X.13)."""
    terms = state.terms
    errands = (*state.errands, *errands)
    if by not in terms.seats:
        answer = case.oracle.pick(
            Doubt(
                key=f"disturbed-{name}",
                words=say("Who moved {name}?", name=name),
                answers=(
                    *((str(seat), terms.who(seat)) for seat in terms.seats),
                    ("nobody", say("No player")),
                ),
                piece=name,
            )
        )
        if answer == "nobody":
            return replace(state, phase=Phase.SERVICE, errands=errands)
        by = Seat(answer)
    assert by is not None
    side = terms.sides[terms.side_at(by)]
    if by is not state.shooter:
        costs = terms.options.idle_hand == "lose_next_turn"
        stands = case.rule(
            "QS-X.13",
            say(
                "{who} moved {name} while {shooter} was to shoot: it is put back, and the "
                "next turn is lost."
                if costs
                else "{who} moved {name} while {shooter} was to shoot: it is put back.",
                who=terms.who(by),
                name=name,
                shooter=terms.who(state.shooter),
            ),
            RulingKind.FOUL if costs else RulingKind.NOTE,
            side=side,
            pieces=(name,),
        )
        skips = state.tally.skips | ({by} if costs and stands else set())
        return replace(
            state,
            phase=Phase.SERVICE,
            errands=errands,
            tally=replace(state.tally, skips=frozenset(skips)),
        )
    fault = terms.options.aim_disturb == "foul"
    stands = case.rule(
        "QS-X.21",
        say(
            "{who} moved {name} while aiming: it is put back, and the turn is lost."
            if fault
            else "{who} moved {name} while aiming: it is put back.",
            who=terms.who(by),
            name=name,
        ),
        RulingKind.FOUL if fault else RulingKind.PLACE,
        side=side,
        pieces=(name,),
    )
    if fault and stands:
        case.rule("QS-8f", say("Foul without a penalty puck."), RulingKind.FOUL, side=side)
        after = lose_turn(
            case, state, "QS-2.4", say("Foul: {who} loses the turn.", who=terms.who(by)), errands
        )
        hand = state.hand
        return replace(after, hand=None if hand is None else replace(hand, ruled=True))
    return replace(state, phase=Phase.SERVICE, errands=errands)
