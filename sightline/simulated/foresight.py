"""What comes next for discs on their stretches: contacts, cushions, rims, stops."""

from enum import IntEnum
from math import hypot, sqrt

from rules.geometry import Seat
from sightline.simulated.discs import Disc, Hole, Surface
from sightline.simulated.motion import GRAVITY_MM_S2, Phase, Stretch
from sightline.simulated.quartic import first_descent

TOUCH_MM = 1e-9


class Kind(IntEnum):
    """What can come next for a disc by itself."""

    STOP = 0
    CUSHION = 1
    RIM_IN = 2
    RIM_OUT = 3
    CAUGHT = 4
    EDGE = 5


Coming = tuple[float, Kind, str]
"""When (s), which `Kind`, and at which cushion or pocket."""


def next_alone(surface: Surface, disc: Disc, s: Stretch, over: tuple[Hole, float] | None) -> Coming:
    """What comes next for one disc if no other meets it; `over`: a pocket, entered when."""
    never = (float("inf"), Kind.STOP, "")
    if s.speed_mm_s == 0.0 or s.phase is Phase.CAUGHT:
        return never
    if s.phase is Phase.FLYING:
        way, side = way_to_edge(surface, s, 0.0)
        when = s.when_after(way)
        return never if when is None else (s.start_s + when, Kind.EDGE, side)
    options: list[Coming] = []
    if s.slowing_mm_s2 > 0:
        options.append((s.start_s + s.lasts_s, Kind.STOP, ""))
    way, side = way_to_edge(surface, s, disc.radius_mm)
    when = s.when_after(way)
    if when is not None:
        options.append((s.start_s + when, Kind.CUSHION, side))
    if over is not None:
        hole, entered = over
        sunk = entered + sqrt(2 * surface.lip_mm / GRAVITY_MM_S2)
        options.append((max(sunk, s.start_s), Kind.CAUGHT, hole.id))
        leaves = _way_to_circle(s, hole, leaving=True)
        when = None if leaves is None else s.when_after(leaves)
        if when is not None:
            options.append((s.start_s + when, Kind.RIM_OUT, hole.id))
    else:
        for hole in surface.holes:
            enters = _way_to_circle(s, hole, leaving=False)
            when = None if enters is None else s.when_after(enters)
            if when is not None:
                options.append((s.start_s + when, Kind.RIM_IN, hole.id))
    return min(options, default=never)


def next_contact(a: Stretch, b: Stretch, reach_mm: float) -> float | None:
    """When the centres of two discs come within `reach_mm`, in s; None: not on these stretches."""
    if a.speed_mm_s == 0.0 and b.speed_mm_s == 0.0:
        return None
    start = max(a.start_s, b.start_s)
    until = min(_ends(a), _ends(b), start + 60.0) - start
    if until <= 0.0:
        return None
    ax, ay = a.place(start)
    bx, by = b.place(start)
    dx, dy = bx - ax, by - ay
    far_a = a.way_mm(start - a.start_s + until) - a.way_mm(start - a.start_s)
    far_b = b.way_mm(start - b.start_s + until) - b.way_mm(start - b.start_s)
    if hypot(dx, dy) > reach_mm + far_a + far_b + 1e-6:
        return None
    avx, avy = a.velocity(start)
    bvx, bvy = b.velocity(start)
    aax, aay = _slowing(a)
    bax, bay = _slowing(b)
    vx, vy = bvx - avx, bvy - avy
    hx, hy = 0.5 * (bax - aax), 0.5 * (bay - aay)
    gap = dx * dx + dy * dy - reach_mm * reach_mm
    if abs(gap) < 2.0 * reach_mm * TOUCH_MM:
        gap = 0.0
    poly = (
        gap,
        2 * (dx * vx + dy * vy),
        vx * vx + vy * vy + 2 * (dx * hx + dy * hy),
        2 * (vx * hx + vy * hy),
        hx * hx + hy * hy,
    )
    when = first_descent(poly, until)
    return None if when is None else start + when


def way_to_edge(surface: Surface, s: Stretch, radius_mm: float) -> tuple[float, str]:
    """How far along its line a disc goes to a cushion (in the air, radius 0: off), and to which."""
    ux, uy = s.vx_mm_s / s.speed_mm_s, s.vy_mm_s / s.speed_mm_s
    ways: list[tuple[float, str]] = []
    for place, unit, half, low, high in (
        (s.x_mm, ux, surface.half_x_mm, Seat.W, Seat.E),
        (s.y_mm, uy, surface.half_y_mm, Seat.S, Seat.N),
    ):
        if unit > 0:
            ways.append((max(0.0, (half - radius_mm - place) / unit), high))
        elif unit < 0:
            ways.append((max(0.0, (-half + radius_mm - place) / unit), low))
    return min(ways)


def _ends(s: Stretch) -> float:
    return s.start_s + s.lasts_s if s.speed_mm_s > 0 else float("inf")


def _slowing(s: Stretch) -> tuple[float, float]:
    if s.speed_mm_s == 0.0:
        return 0.0, 0.0
    share = -s.slowing_mm_s2 / s.speed_mm_s
    return s.vx_mm_s * share, s.vy_mm_s * share


def _way_to_circle(s: Stretch, hole: Hole, *, leaving: bool) -> float | None:
    """How far along its line the disc's centre passes the rim, inwards or outwards; None: never."""
    ux, uy = s.vx_mm_s / s.speed_mm_s, s.vy_mm_s / s.speed_mm_s
    dx, dy = hole.x_mm - s.x_mm, hole.y_mm - s.y_mm
    along = dx * ux + dy * uy
    aside = dx * uy - dy * ux
    if abs(aside) >= hole.radius_mm:
        return None
    half = sqrt(hole.radius_mm**2 - aside * aside)
    if leaving:
        return max(0.0, along + half)
    way = along - half
    return way if way > -1e-9 and along > 0 else None
