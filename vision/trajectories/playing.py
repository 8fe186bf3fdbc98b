"""Pieces that slide, are struck and knock into each other, played forward for a few frames.

Between knocks each piece runs straight and is slowed evenly; a knock passes an impulse along the
line of centres (smooth discs, one restitution), the cushion turns one component. Knocks among
pieces that touch each other are played one after the other in the order in which rims close, which
is how an impulse runs through a cluster of hard pieces.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt

_MOST = 48
_LEAST_MM_S = 1.0


@dataclass(slots=True)
class Runner:
    """A piece where the play begins; from rest, a cue may give it `blow` = (when, vx, vy)."""

    x_mm: float
    y_mm: float
    vx_mm_s: float
    vy_mm_s: float
    radius_mm: float
    mass: float
    blow: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Knocked:
    """A knock at `at_s`: of `a` and `b`, or of `a` and a wall (`b` -1: across x, -2: across y)."""

    at_s: float
    a: int
    b: int
    x_mm: float
    y_mm: float
    speed_mm_s: float


@dataclass(frozen=True, slots=True)
class Field:
    """The surface: half its sides, friction in mm/s², and how much of a speed knocks leave."""

    half_x_mm: float
    half_y_mm: float
    slowing_mm_s2: float
    bounce: float
    cushion: float


State = tuple[float, float, float, float]


def play(
    runners: Sequence[Runner], field: Field, start_s: float, times_s: Sequence[float]
) -> tuple[list[list[State]], list[Knocked]]:
    """(states of all pieces at each of `times_s`, all knocks) from `start_s` on.

    `times_s` rise; a state is (x, y, vx, vy). At most 48 knocks are played.
    """
    x = [r.x_mm for r in runners]
    y = [r.y_mm for r in runners]
    vx = [r.vx_mm_s for r in runners]
    vy = [r.vy_mm_s for r in runners]
    blows = sorted((r.blow[0], i, r.blow[1], r.blow[2]) for i, r in enumerate(runners) if r.blow)
    marks = sorted({*times_s, *(b[0] for b in blows)})
    marks = marks[bisect_right(marks, start_s) :]
    states: dict[float, list[State]] = {}
    told: list[Knocked] = []
    table = _Table(runners, field, x, y, vx, vy, told)
    for t in (t for t in times_s if t <= start_s):
        states[t] = list(zip(x, y, vx, vy, strict=True))
    now = start_s
    for mark in marks:
        table.run(now, mark - now)
        now = mark
        for when, i, bx, by in blows:
            if when == mark:
                vx[i], vy[i] = bx, by
        states[mark] = list(zip(x, y, vx, vy, strict=True))
    return [states[t] for t in times_s], told


class _Table:
    """Moves all pieces on, in place."""

    def __init__(
        self,
        runners: Sequence[Runner],
        field: Field,
        x: list[float],
        y: list[float],
        vx: list[float],
        vy: list[float],
        told: list[Knocked],
    ) -> None:
        self.runners, self.field = runners, field
        self.x, self.y, self.vx, self.vy = x, y, vx, vy
        self.told = told

    def run(self, now_s: float, span_s: float) -> None:
        """One step, short enough that speeds are as good as even within it."""
        self._slow(0.5 * span_s)
        left = span_s
        while left > 0 and len(self.told) < _MOST:
            when, a, b = self._next(left)
            self._move(when)
            left -= when
            if a < 0:
                break
            self._knock(now_s + span_s - left, a, b)
        else:
            self._move(left)
        self._slow(0.5 * span_s)

    def _move(self, span_s: float) -> None:
        if span_s <= 0:
            return
        x, y, vx, vy = self.x, self.y, self.vx, self.vy
        for i in range(len(x)):
            x[i] += vx[i] * span_s
            y[i] += vy[i] * span_s

    def _slow(self, span_s: float) -> None:
        loss = self.field.slowing_mm_s2 * span_s
        for i, (u, v) in enumerate(zip(self.vx, self.vy, strict=True)):
            speed = hypot(u, v)
            if speed > 0:
                keep = max(0.0, 1 - loss / speed)
                self.vx[i], self.vy[i] = u * keep, v * keep

    def _next(self, span_s: float) -> tuple[float, int, int]:
        best, a, b = span_s, -1, -1
        x, y, vx, vy, runners = self.x, self.y, self.vx, self.vy, self.runners
        halves = (self.field.half_x_mm, self.field.half_y_mm)
        count = len(runners)
        for i in range(count):
            xi, yi, ui, vi, radius = x[i], y[i], vx[i], vy[i], runners[i].radius_mm
            if ui or vi:
                for place, speed, half, wall in ((xi, ui, halves[0], -1), (yi, vi, halves[1], -2)):
                    room = half - radius
                    if speed > _LEAST_MM_S:
                        when = (room - place) / speed
                    elif speed < -_LEAST_MM_S:
                        when = (-room - place) / speed
                    else:
                        continue
                    if when < best:
                        best, a, b = max(when, 0.0), i, wall
            for j in range(i + 1, count):
                ux, uy = vx[j] - ui, vy[j] - vi
                if ux == 0 and uy == 0:
                    continue
                when = _meet(x[j] - xi, y[j] - yi, ux, uy, radius + runners[j].radius_mm)
                if when < best:
                    best, a, b = when, i, j
        return best, a, b

    def _knock(self, at_s: float, i: int, j: int) -> None:
        x, y, vx, vy = self.x, self.y, self.vx, self.vy
        if j < 0:
            across = vx if j == -1 else vy
            self.told.append(Knocked(at_s, i, j, x[i], y[i], abs(across[i])))
            across[i] *= -self.field.cushion
            return
        dx, dy = x[j] - x[i], y[j] - y[i]
        away = hypot(dx, dy) or 1.0
        nx, ny = dx / away, dy / away
        closing = (vx[i] - vx[j]) * nx + (vy[i] - vy[j]) * ny
        m, n = self.runners[i].mass, self.runners[j].mass
        push = (1 + self.field.bounce) * closing * m * n / (m + n)
        r = self.runners[i].radius_mm
        self.told.append(Knocked(at_s, i, j, x[i] + nx * r, y[i] + ny * r, closing))
        vx[i] -= push / m * nx
        vy[i] -= push / m * ny
        vx[j] += push / n * nx
        vy[j] += push / n * ny


def _meet(dx: float, dy: float, ux: float, uy: float, reach: float) -> float:
    """In how many seconds two rims meet, infinity where they do not."""
    closing = dx * ux + dy * uy
    if closing >= -_LEAST_MM_S * reach:
        return inf
    gap = dx * dx + dy * dy - reach * reach
    if gap <= 0:
        return 0.0
    square = ux * ux + uy * uy
    root = closing * closing - square * gap
    return (-closing - sqrt(root)) / square if root > 0 else inf
