"""Whether the pieces are set as section 2 wants it; a refusal names each disc and what is wrong."""

import dataclasses
from collections.abc import Iterator, Sequence
from math import atan2, cos, degrees, hypot, inf, radians, sin, sqrt

from msgspec.structs import replace

from rules.case import Case
from rules.facts import Piece
from rules.games.carrom.ground import IN_PLACE_MM, MAN, MIDDLE, QUEEN, Ground
from rules.games.carrom.state import COLOURS, Phase, State
from rules.games.carrom.terms import PIECES
from rules.games.carrom.words import men
from rules.geometry import Point, Seat
from rules.racks import Check, doubted, failed, refuse
from rules.rulings import RulingKind
from rules.said import joined, listed, say
from rules.verdicts import SIGMAS

RING_MM = 3.0
GAP_MM = 2.0
NEIGHBOURS = 1.4  # diameters: so far off lie those that touch, not those behind them
OUTER_RING = (48.0 / 31.0, 66.0 / 31.0)  # in disc diameters
GATHERED = 17
Y_DEG = (90.0, 210.0, 330.0)
Y_WITHIN_DEG = 8.0
TURNS = {Seat.S: 0.0, Seat.E: 90.0, Seat.N: 180.0, Seat.W: 270.0}


def set_rack(case: Case, state: State, *, quiet: bool = False) -> State:
    """Judge the rack that lies on the table; `quiet` says nothing of one that is not there yet."""
    ground = state.terms.ground
    discs = [p for p in state.pieces if p.kind in (MAN, QUEEN)]
    near = sum(MIDDLE.distance_mm(p.at) < ground.outer_mm + ground.radius_mm for p in discs)
    miscounted = _miscounted(discs)
    if near < GATHERED and (miscounted or near == 0):
        return state  # the discs are still being gathered
    checks = [miscounted] if miscounted else list(_checks(ground, discs))
    wrong = failed(checks)
    if wrong:
        return state if quiet else _refused(case, state, wrong)
    close = doubted(case, checks)
    if close:
        return _refused(case, state, close)
    return accept_rack(case, state)


def _refused(case: Case, state: State, checks: Sequence[Check]) -> State:
    return replace(state, said=refuse(case, checks, state.said))


def accept_rack(case: Case, state: State) -> State:
    """Accept the rack: the breaker may strike."""
    terms, tally = state.terms, state.tally
    case.rule("CR-7.1", say("The pieces are set at the centre, the queen in the middle."))
    case.rule(
        "CR-7.2", say("{White}, {black}.", white=men(PIECES, "white"), black=men(PIECES, "black"))
    )
    case.rule("CR-8.1", say("White and black alternate round the queen."))
    if not _shows_y(state):
        case.rule("CR-8.1", say("Remark: no white “Y” points at the breaker."), pieces=("Y",))
    case.rule("CR-8.2", say("Nothing lies beyond the outer circle."))
    case.rule(
        "CR-9.1",
        say("{who} breaks, with white.", who=terms.who(tally.breaker)),
        RulingKind.TURN,
        side=terms.sides[tally.white],
    )
    return replace(state, phase=Phase.STRIKE_DUE, said="", errands=(), last=None, excused=(0, 0))


def _miscounted(discs: Sequence[Piece]) -> Check | None:
    wrong = []
    for colour in COLOURS:
        there = sum(p.kind == MAN and p.colour == colour for p in discs)
        if there != PIECES:
            wrong.append(say("{men}, expected {count}", men=men(there, colour), count=PIECES))
    strangers = [p.name for p in discs if p.kind == MAN and p.colour not in COLOURS]
    if strangers:
        wrong.append(say("{names} of neither colour", names=listed(strangers)))
    queens = sum(p.kind == QUEEN for p in discs)
    if queens != 1:
        wrong.append(say("no queen" if queens == 0 else "{queens} queens", queens=queens))
    return Check(code="CR-7.2", words=joined(wrong, "; "), margin_mm=-1.0) if wrong else None


def _checks(ground: Ground, discs: Sequence[Piece]) -> Iterator[Check]:
    queen = next(p for p in discs if p.kind == QUEEN)
    off = MIDDLE.distance_mm(queen.at)
    yield Check(
        code="CR-7.1",
        words=say("the queen is {off_mm:.1f} mm off the centre", off_mm=off),
        margin_mm=IN_PLACE_MM - off,
        error_mm=queen.error_mm,
        pieces=(queen.name,),
    )
    pieces = sorted((p for p in discs if p.kind == MAN), key=lambda p: MIDDLE.distance_mm(p.at))
    for piece in pieces:
        over = -ground.inside_mm(piece.kind, piece.at)
        yield Check(
            code="CR-8.2",
            words=say(
                "{piece} reaches {over_mm:.1f} mm over the outer circle",
                piece=piece.name,
                over_mm=over,
            ),
            margin_mm=-over,
            error_mm=piece.error_mm,
            pieces=(piece.name,),
        )
    size = 2 * ground.radius_mm
    for piece in pieces[:6]:
        reach = MIDDLE.distance_mm(piece.at)
        yield Check(
            code="CR-8.1",
            words=say(
                "{piece} is {reach_mm:.1f} mm from the centre, expected {size_mm:g}",
                piece=piece.name,
                reach_mm=reach,
                size_mm=size,
            ),
            margin_mm=RING_MM - abs(reach - size),
            error_mm=piece.error_mm,
            pieces=(piece.name,),
        )
    for piece in pieces[6:]:
        reach = MIDDLE.distance_mm(piece.at)
        low, high = (share * size for share in OUTER_RING)
        yield Check(
            code="CR-8.1",
            words=say(
                "{piece} is {reach_mm:.1f} mm from the centre, expected {low_mm:.0f} to "
                "{high_mm:.0f}",
                piece=piece.name,
                reach_mm=reach,
                low_mm=low,
                high_mm=high,
            ),
            margin_mm=min(reach - low, high - reach),
            error_mm=piece.error_mm,
            pieces=(piece.name,),
        )
    held = [dataclasses.replace(p, error_mm=_held_error_mm(p, discs, size)) for p in pieces]
    for ring in (held[:6], held[6:]):
        yield from _ringed(ground, sorted(ring, key=lambda p: atan2(p.at.y_mm, p.at.x_mm)))


def _held_error_mm(piece: Piece, discs: Sequence[Piece], size_mm: float) -> float:
    """Return how well a disc's place is known: no farther off than those around it leave room.

    Discs do not overlap, so one that is ringed by others lies within the gaps between them.
    """
    near = [
        p for p in discs if p is not piece and p.at.distance_mm(piece.at) < NEIGHBOURS * size_mm
    ]
    others_mm = max((p.error_mm for p in near), default=0.0)
    if piece.error_mm <= others_mm:
        return piece.error_mm  # no room is so narrow that it told more
    room_mm = max(
        min((_way_mm(piece.at, p.at, angle, size_mm) for p in near), default=inf)
        for angle in range(0, 360, 15)
    )
    return min(piece.error_mm, hypot(room_mm / SIGMAS, others_mm))


def _way_mm(here: Point, there: Point, angle_deg: float, size_mm: float) -> float:
    """Return how far a disc can go at an angle until it touches another of its size."""
    dx, dy = there.x_mm - here.x_mm, there.y_mm - here.y_mm
    along = dx * cos(radians(angle_deg)) + dy * sin(radians(angle_deg))
    reach = along * along - (dx * dx + dy * dy - size_mm * size_mm)
    if along <= 0 or reach < 0:
        return inf
    return max(0.0, along - sqrt(reach))


def _ringed(ground: Ground, ring: Sequence[Piece]) -> Iterator[Check]:
    """Check that the discs of a ring alternate in colour and touch."""
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        if a.colour == b.colour:
            yield Check(
                code="CR-8.1",
                words=say("{pieces} are neighbours of one colour", pieces=listed((a.name, b.name))),
                margin_mm=-1.0,
                pieces=(a.name, b.name),
            )
        gap = a.at.distance_mm(b.at) - 2 * ground.radius_mm
        yield Check(
            code="CR-8.1",
            words=say(
                "{pieces} are {gap_mm:.1f} mm apart", pieces=listed((a.name, b.name)), gap_mm=gap
            ),
            margin_mm=GAP_MM - gap,
            error_mm=hypot(a.error_mm, b.error_mm),
            pieces=(a.name, b.name),
        )


def _shows_y(state: State) -> bool:
    """Return whether white discs make a "Y" that stands upright to the breaker."""
    ground = state.terms.ground
    turn = TURNS[state.tally.breaker]
    arms = 0
    for angle in Y_DEG:
        for near, far in ((0.8, 1.2), (1.8, 2.2)):
            arms += any(
                p.kind == MAN
                and p.colour == COLOURS[0]
                and near * 2 <= MIDDLE.distance_mm(p.at) / ground.radius_mm <= far * 2
                and _apart(degrees(atan2(p.at.y_mm, p.at.x_mm)), angle + turn) <= Y_WITHIN_DEG
                for p in state.pieces
            )
    return arms == 2 * len(Y_DEG)


def _apart(a_deg: float, b_deg: float) -> float:
    return abs((a_deg - b_deg + 180.0) % 360.0 - 180.0)
