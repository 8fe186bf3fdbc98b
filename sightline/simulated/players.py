"""How the simulated players choose and aim a shot, and how far off they are.

They see the table as it is and know the rules well enough to mean a legal shot; what goes wrong is
their hands. Distances are board millimetres, angles radians, speeds mm/s.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import acos, atan2, cos, hypot, pi, sin, sqrt

from rules.board import Board, Zone
from rules.geometry import Seat
from sightline.simulated.discs import Surface
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.pieces import Lying, free_place
from sightline.simulated.ways import gap_along

NEIGHBOURS = {
    Seat.S: ("SW", "SE"),
    Seat.E: ("SE", "NE"),
    Seat.N: ("NE", "NW"),
    Seat.W: ("NW", "SW"),
}
STEEPEST = 1.1
FASTEST_MM_S = 4000.0
SLOWEST_MM_S = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """How steady a hand is: one sd of the aim, of the speed as a share, of setting a puck down."""

    aim_rad: float = 0.007
    speed_share: float = 0.06
    place_mm: float = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A shot as meant: whence, whither, how hard, at which piece."""

    cue_at: Spot
    angle: float
    speed_mm_s: float
    target: str
    over_border: bool = False
    worth: float = 0.0
    pocket: str = ""


def missed(plan: Plan, skill: Skill, draw: random.Random) -> tuple[float, float]:
    """The velocity that the player's hand makes of a plan."""
    angle = plan.angle + draw.gauss(0, skill.aim_rad)
    speed = plan.speed_mm_s * max(0.4, 1 + draw.gauss(0, skill.speed_share))
    return speed * cos(angle), speed * sin(angle)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The table as a player sees it: pieces on it, own seat, what to shoot at."""

    board: Board
    surface: Surface
    seat: Seat
    cue: Lying
    others: Sequence[Lying]
    targets: Sequence[Lying]
    cue_mass: float
    target_mass: float


def home_box(board: Board, seat: Seat, hole_mm: float, radius_mm: float, spare_mm: float) -> "Box":
    """Where the cue-puck's centre may lie in a seat's Home Zone, `spare_mm` inside the line test.

    Towards a drawn line the hole must clear it; towards the border the body must fit.
    """
    zone = home_zone(board, seat)
    xs, ys = [p.x_mm for p in zone.polygon], [p.y_mm for p in zone.polygon]
    width = max((board.line(id).width_mm for id in zone.bounded_by), default=3.0)
    clear = hole_mm / 2 + width / 2 + spare_mm
    low_x, high_x = min(xs), max(xs)
    low_y, high_y = min(ys), max(ys)

    def inset(edge: float, half: float) -> float:
        return radius_mm + 0.5 if abs(abs(edge) - half) < 1.0 else clear

    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    return Box(
        low_x + inset(low_x, half_x),
        high_x - inset(high_x, half_x),
        low_y + inset(low_y, half_y),
        high_y - inset(high_y, half_y),
    )


def home_zone(board: Board, seat: Seat) -> Zone:
    """The Home Zone of a seat; LookupError where the board has none."""
    for zone in board.zones:
        if zone.kind == "home" and zone.seat is seat:
            return zone
    raise LookupError(f"{board.name} has no Home Zone for seat {seat}")


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle of the surface."""

    low_x: float
    high_x: float
    low_y: float
    high_y: float

    def at(self, across: float, along: float) -> Spot:
        """The place at shares `across` and `along` of its sides."""
        return (
            self.low_x + (self.high_x - self.low_x) * across,
            self.low_y + (self.high_y - self.low_y) * along,
        )

    def clamp(self, spot: Spot) -> Spot:
        return (
            min(max(spot[0], self.low_x), self.high_x),
            min(max(spot[1], self.low_y), self.high_y),
        )


def is_dead(board: Board, seat: Seat, piece: Lying) -> bool:
    """Whether a target there may not be hit directly (as a player judges it, by eye)."""
    for zone in board.zones:
        mine = zone.kind == "home" and zone.seat is seat
        near = zone.kind == "pocket-zone" and zone.id.rsplit("-", 1)[-1] in NEIGHBOURS[seat]
        if (zone.kind == "dead-centre" or mine or near) and _within(zone, piece):
            return True
    return False


def _within(zone: Zone, piece: Lying) -> bool:
    if zone.centre is not None and zone.radius_mm is not None:
        away_mm = hypot(piece.x_mm - zone.centre.x_mm, piece.y_mm - zone.centre.y_mm)
        return away_mm <= zone.radius_mm + 2
    xs, ys = [p.x_mm for p in zone.polygon], [p.y_mm for p in zone.polygon]
    return min(xs) - 2 <= piece.x_mm <= max(xs) + 2 and min(ys) - 2 <= piece.y_mm <= max(ys) + 2


def plan_shot(sight: Sight, draw: random.Random, spots: Sequence[Spot] | None = None) -> Plan:
    """The most promising shot, of many tried from `spots`: all over the Home Zone where None."""
    spots = _cue_spots(sight, draw) if spots is None else list(spots)
    plans: list[Plan] = []
    for target in sight.targets:
        dead = is_dead(sight.board, sight.seat, target)
        for spot in spots:
            plans += _bank_plans(sight, spot, target) if dead else _pot_plans(sight, spot, target)
    if plans:
        return max(plans, key=lambda plan: plan.worth)
    return _any_plan(sight, spots, draw)


def _cue_spots(sight: Sight, draw: random.Random) -> list[Spot]:
    spec = sight.cue.spec
    box = home_box(sight.board, sight.seat, spec.hole_mm, spec.diameter_mm / 2, 3.0)
    inwards = (-OUTWARDS[sight.seat][0], -OUTWARDS[sight.seat][1])
    spots = []
    for k in range(9):
        across = (k + 0.5) / 9 + draw.uniform(-0.03, 0.03)
        deep = draw.uniform(0.55, 0.98)
        if inwards[0]:
            spot = box.at(deep if inwards[0] > 0 else 1 - deep, across)
        else:
            spot = box.at(across, deep if inwards[1] > 0 else 1 - deep)
        if free_place(sight.board, spec, *spot, sight.others, 3.0):
            spots.append(spot)
    return spots or [box.at(0.5, 0.5)]


def _pot_plans(sight: Sight, spot: Spot, target: Lying) -> list[Plan]:
    cue_r, reach = sight.cue.radius_mm, sight.cue.radius_mm + target.radius_mm
    rest = [o for o in sight.others if o.name != target.name]
    plans = []
    for pocket in sight.board.pockets:
        px, py = pocket.centre.x_mm, pocket.centre.y_mm
        far = hypot(px - target.x_mm, py - target.y_mm)
        ox, oy = (px - target.x_mm) / far, (py - target.y_mm) / far
        ghost = (target.x_mm - ox * reach, target.y_mm - oy * reach)
        way = hypot(ghost[0] - spot[0], ghost[1] - spot[1])
        dx, dy = (ghost[0] - spot[0]) / way, (ghost[1] - spot[1]) / way
        along = dx * ox + dy * oy
        if along <= cos(STEEPEST) or not _fits(sight.board, ghost, cue_r):
            continue
        if gap_along(spot, ghost, cue_r, rest) < 1.5:
            continue
        if gap_along((target.x_mm, target.y_mm), (px, py), target.radius_mm, rest) < 1.5:
            continue
        speed = _needed(sight, way, far, along)
        if speed > FASTEST_MM_S:
            continue
        # what an error of the aim does to the target's way, against the pocket's mouth
        spread = (way / reach) * far / along / pocket.radius_mm
        plans.append(
            Plan(
                cue_at=spot,
                angle=atan2(dy, dx),
                speed_mm_s=max(SLOWEST_MM_S, speed),
                target=target.name,
                worth=1000.0 / (8.0 + spread) - 12.0 * acos(min(1.0, along)),
                pocket=pocket.id,
            )
        )
    return plans


def _bank_plans(sight: Sight, spot: Spot, target: Lying) -> list[Plan]:
    """Over the opposite border onto a dead target, straight at it."""
    ox, oy = OUTWARDS[sight.seat]
    cue_r = sight.cue.radius_mm
    keep = sight.surface.bounce_cushion
    half = (sight.board.width_mm if ox else sight.board.height_mm) / 2 - cue_r
    # u runs away from the player, w to the side
    cu, cw = (-ox * spot[0] - oy * spot[1]), (spot[1] if ox else spot[0])
    tu = -ox * target.x_mm - oy * target.y_mm
    tw = target.y_mm if ox else target.x_mm
    slope = (tw - cw) / ((half - cu) + (half - tu) / keep)
    bounce_w = cw + slope * (half - cu)
    rest = [o for o in sight.others if o.name != target.name]

    def board_spot(u: float, w: float) -> Spot:
        return (-ox * u, w) if ox else (w, -oy * u)

    wall = board_spot(half, bounce_w)
    if abs(bounce_w) > half or gap_along(spot, wall, cue_r, [*rest, target]) < 1.5:
        return []
    if gap_along(wall, (target.x_mm, target.y_mm), cue_r, rest) < 1.5:
        return []
    dx, dy = wall[0] - spot[0], wall[1] - spot[1]
    way = hypot(dx, dy) / keep + hypot(target.x_mm - wall[0], target.y_mm - wall[1])
    speed = sqrt(2 * sight.surface.slowing_mm_s2 * way * 1.5) + 300
    return [
        Plan(
            cue_at=spot,
            angle=atan2(dy, dx),
            speed_mm_s=min(FASTEST_MM_S, speed),
            target=target.name,
            over_border=True,
            worth=18.0 - way / 400.0,
        )
    ]


def _any_plan(sight: Sight, spots: Sequence[Spot], draw: random.Random) -> Plan:
    """Nothing promises much: straight at the target with the freest way."""
    best: Plan | None = None
    for target in sight.targets:
        for spot in spots:
            gap = gap_along(
                spot,
                (target.x_mm, target.y_mm),
                sight.cue.radius_mm,
                [o for o in sight.others if o.name != target.name],
            )
            dx, dy = target.x_mm - spot[0], target.y_mm - spot[1]
            dead = is_dead(sight.board, sight.seat, target)
            worth = min(gap, 20.0) - (30.0 if dead else 0.0) - hypot(dx, dy) / 300
            if best is None or worth > best.worth:
                best = Plan(
                    cue_at=spot,
                    angle=atan2(dy, dx),
                    speed_mm_s=draw.uniform(1500, 3000),
                    target=target.name,
                    worth=worth,
                )
    if best is not None:
        return best
    ox, oy = OUTWARDS[sight.seat]
    return Plan(cue_at=spots[0], angle=atan2(-oy, -ox), speed_mm_s=1500.0, target="")


def _needed(sight: Sight, way: float, far: float, along: float) -> float:
    """The speed at the strike that takes the target well past the pocket's rim."""
    slowing = sight.surface.slowing_mm_s2
    at_target = sqrt(2 * slowing * far) * 1.1 + 200
    share = (1 + sight.surface.bounce_discs) * sight.cue_mass / (sight.cue_mass + sight.target_mass)
    at_hit = at_target / (share * along)
    return sqrt(at_hit**2 + 2 * slowing * way)


def _fits(board: Board, spot: Spot, radius_mm: float) -> bool:
    return (
        abs(spot[0]) <= board.width_mm / 2 - radius_mm
        and abs(spot[1]) <= board.height_mm / 2 - radius_mm
    )


def wild(draw: random.Random, seat: Seat) -> float:
    """A direction of no good, but away from the player's own border."""
    ox, oy = OUTWARDS[seat]
    return atan2(-oy, -ox) + draw.uniform(-0.45 * pi, 0.45 * pi)
