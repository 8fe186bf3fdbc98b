"""One turn at the simulated Q-Square table: bring the cue-puck home, aim, shoot; or slip."""

from math import atan2, cos, hypot, pi, sin

from rules.geometry import Seat
from sightline.simulated.acts.mishaps import Brush, Intrude
from sightline.simulated.floor import CUE, Floor
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.pieces import Lying, free_place
from sightline.simulated.players import (
    Box,
    Plan,
    Sight,
    home_box,
    is_dead,
    missed,
    plan_shot,
    wild,
)

HOP_MM_S = 2300.0
HOP_CHANCE = 0.12
HARD_MM_S = 4300.0
WEAK_MM_S = 350.0
"""Softer, and nobody could say whether a cue-puck was struck or put right with the cue."""


def reach_over(floor: Floor, seat: Seat) -> None:
    """A hand over the surface, where it has no business."""
    ox, oy = OUTWARDS[seat]
    half = (floor.board.width_mm if ox else floor.board.height_mm) / 2
    deep, across = floor.draw.uniform(25, 140), floor.draw.uniform(-280, 280)
    to = (ox * (half - deep) + abs(oy) * across, oy * (half - deep) + abs(ox) * across)
    floor.perform(Intrude(before=floor.stage.lying, by=seat, to=to, board=floor.board))


def brush(floor: Floor, seat: Seat) -> bool:
    """The cue brushes a puck aside; False where none can be."""
    pucks = [p for p in floor.stage.lying if p.spec.kind == "puck"]
    floor.draw.shuffle(pucks)
    for puck in pucks:
        angle, far = floor.draw.uniform(-pi, pi), floor.draw.uniform(8, 25)
        to = (puck.x_mm + far * cos(angle), puck.y_mm + far * sin(angle))
        others = [p for p in floor.stage.lying if p.name != puck.name]
        if free_place(floor.board, puck.spec, *to, others, 4.0):
            floor.perform(Brush(before=floor.stage.lying, piece=puck.name, to=to, by=seat))
            return True
    return False


def prepare(floor: Floor, seat: Seat, slip: str) -> Plan | None:
    """Chooses a shot and brings the cue-puck to where it is to be struck; None: no cue-puck."""
    cue = floor.stage.piece(CUE)
    if cue is None:
        return None
    plan = _plan(floor, seat, cue, slip)
    if slip != "not_brought_home":
        floor.settle_at(seat, _spot(floor, seat, cue, plan, slip))
    return plan


def shoot(floor: Floor, seat: Seat, plan: Plan, slip: str) -> None:
    """Strikes the cue-puck, as well as the player's hand can."""
    vx, vy = missed(plan, floor.skill, floor.draw)
    if slip == "weak":
        share = max(0.05, WEAK_MM_S / hypot(vx, vy))
        vx, vy = vx * share, vy * share
    elif slip in ("miscue", "not_tip"):
        off = floor.draw.uniform(-0.15, 0.15)
        vx, vy = 0.5 * (vx * cos(off) - vy * sin(off)), 0.5 * (vx * sin(off) + vy * cos(off))
    elif slip == "hard":
        share = HARD_MM_S / hypot(vx, vy)
        vx, vy = vx * share, vy * share
    draw = floor.draw
    floor.strike(seat, (vx, vy), hops=lambda speed: speed > HOP_MM_S and draw.random() < HOP_CHANCE)


def _plan(floor: Floor, seat: Seat, cue: Lying, slip: str) -> Plan:
    lying = [p for p in floor.stage.lying if p.name != CUE]
    own = floor.colours[str(seat)]
    targets = [p for p in lying if p.spec.kind == "puck" and p.spec.colour != own]
    queens = [p for p in lying if p.spec.kind == "queen"]
    aims = targets or queens
    match slip:
        case "own_puck":
            aims = [p for p in lying if p.spec.kind == "puck" and p.spec.colour == own] or aims
        case "queen":
            aims = queens or aims
        case "dead_puck":
            aims = [p for p in targets if is_dead(floor.board, seat, p)] or aims
        case _:
            pass
    sight = Sight(
        board=floor.board,
        surface=floor.surface,
        seat=seat,
        cue=cue,
        others=lying,
        targets=aims,
        cue_mass=cue.disc().mass_g,
        target_mass=(aims[0] if aims else cue).disc().mass_g,
    )
    plan = plan_shot(sight, floor.draw)
    aim = next((p for p in aims if p.name == plan.target), None)
    if slip == "wild":
        speed = floor.draw.uniform(1200, 3600)
        return Plan(cue_at=plan.cue_at, angle=wild(floor.draw, seat), speed_mm_s=speed, target="")
    if slip == "not_brought_home" and aim is not None:
        return _straight((cue.x_mm, cue.y_mm), aim, 2000.0)
    if slip in ("own_puck", "queen", "dead_puck") and aim is not None:
        return _straight(plan.cue_at, aim, 2200.0)
    return plan


def _straight(spot: Spot, aim: Lying, speed_mm_s: float) -> Plan:
    angle = atan2(aim.y_mm - spot[1], aim.x_mm - spot[0])
    return Plan(cue_at=spot, angle=angle, speed_mm_s=speed_mm_s, target=aim.name)


def _spot(floor: Floor, seat: Seat, cue: Lying, plan: Plan, slip: str) -> Spot:
    """Where the cue-puck is set: as planned, over the line, or so near it that none can say."""
    if slip not in ("over_line", "on_the_line"):
        return plan.cue_at
    sets = home_box(floor.board, seat, cue.spec.hole_mm, cue.radius_mm, 0.0)
    over = floor.draw.uniform(2.0, 7.0) if slip == "over_line" else floor.draw.gauss(0, 0.06)
    ox, oy = OUTWARDS[seat]
    x, y = plan.cue_at
    others = [p for p in floor.stage.lying if p.name != CUE]
    for _ in range(40):
        if ox:
            x = (sets.low_x if ox > 0 else sets.high_x) - ox * over
        else:
            y = (sets.low_y if oy > 0 else sets.high_y) - oy * over
        if free_place(floor.board, cue.spec, x, y, others, 2.0):
            return x, y
        x, y = _slid(sets, bool(ox), floor.draw.random(), (x, y))
    return plan.cue_at


def _slid(box: Box, upright: bool, share: float, spot: Spot) -> Spot:
    x, y = box.at(share, share)
    return (spot[0], y) if upright else (x, spot[1])
