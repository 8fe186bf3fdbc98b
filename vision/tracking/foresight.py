"""Where pieces will be one frame on: straight ways, with the knocks among them played through.

Only a guess to look from; what is reported is always measured.
"""

from dataclasses import dataclass
from math import hypot, sqrt

_BOUNCE = 0.85
_CUSHION_BOUNCE = 0.7


@dataclass(slots=True)
class Runner:
    x_mm: float
    y_mm: float
    vx_mm_s: float
    vy_mm_s: float
    radius_mm: float
    mass: float


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A knock `at_s` after the start: of `a` and `b`, or of `a` and a wall (-1: x, -2: y)."""

    at_s: float
    a: int
    b: int
    speed_mm_s: float


def foresee(
    runners: list[Runner],
    span_s: float,
    half_x_mm: float,
    half_y_mm: float,
    *,
    bounce: float = _BOUNCE,
    cushion: float = _CUSHION_BOUNCE,
) -> list[Foreseen]:
    """Move `runners` on by `span_s` in place; at most twelve knocks are played, and told."""
    left = span_s
    told: list[Foreseen] = []
    for _ in range(12):
        when, what = _next_knock(runners, left, half_x_mm, half_y_mm)
        for runner in runners:
            runner.x_mm += runner.vx_mm_s * when
            runner.y_mm += runner.vy_mm_s * when
        left -= when
        if what is None or left <= 0:
            break
        speed = _knock(runners, what, bounce, cushion)
        told.append(Foreseen(span_s - left, what[0], what[1], speed))
    else:
        for runner in runners:
            runner.x_mm += runner.vx_mm_s * left
            runner.y_mm += runner.vy_mm_s * left
    return told


def _next_knock(
    runners: list[Runner], span_s: float, half_x_mm: float, half_y_mm: float
) -> tuple[float, tuple[int, int] | None]:
    best, what = span_s, None
    for i, a in enumerate(runners):
        moving = a.vx_mm_s != 0 or a.vy_mm_s != 0
        if moving:
            walls = (
                (a.x_mm, a.vx_mm_s, half_x_mm, -1),
                (a.y_mm, a.vy_mm_s, half_y_mm, -2),
            )
            for place, speed, half, code in walls:
                room = half - a.radius_mm
                if speed > 0 and place <= room + 1:
                    when = (room - place) / speed
                elif speed < 0 and place >= -room - 1:
                    when = (-room - place) / speed
                else:
                    continue
                if max(when, 0.0) < best:
                    best, what = max(when, 0.0), (i, code)
        for j in range(i + 1, len(runners)):
            b = runners[j]
            ux, uy = b.vx_mm_s - a.vx_mm_s, b.vy_mm_s - a.vy_mm_s
            if ux == 0 and uy == 0:
                continue
            dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
            closing = dx * ux + dy * uy
            if closing >= 0:
                continue
            reach = a.radius_mm + b.radius_mm
            gap = dx * dx + dy * dy - reach * reach
            if gap <= 0:
                when = 0.0
            else:
                square = ux * ux + uy * uy
                root = closing * closing - square * gap
                if root <= 0:
                    continue
                when = (-closing - sqrt(root)) / square
            if when < best:
                best, what = when, (i, j)
    return best, what


def _knock(runners: list[Runner], what: tuple[int, int], bounce: float, cushion: float) -> float:
    """Let two pieces, or a piece and a wall, bounce; the speed at which they met."""
    a = runners[what[0]]
    if what[1] == -1:
        speed = abs(a.vx_mm_s)
        a.vx_mm_s *= -cushion
        return speed
    if what[1] == -2:
        speed = abs(a.vy_mm_s)
        a.vy_mm_s *= -cushion
        return speed
    b = runners[what[1]]
    dx, dy = b.x_mm - a.x_mm, b.y_mm - a.y_mm
    away = hypot(dx, dy) or 1.0
    nx, ny = dx / away, dy / away
    closing = (a.vx_mm_s - b.vx_mm_s) * nx + (a.vy_mm_s - b.vy_mm_s) * ny
    push = (1 + bounce) * closing * a.mass * b.mass / (a.mass + b.mass)
    a.vx_mm_s -= push / a.mass * nx
    a.vy_mm_s -= push / a.mass * ny
    b.vx_mm_s += push / b.mass * nx
    b.vy_mm_s += push / b.mass * ny
    return closing
