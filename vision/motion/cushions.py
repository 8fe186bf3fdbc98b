"""The cushions that turned a running piece, and when."""

from math import hypot

import numpy as np

from rules.board import Board
from rules.geometry import Seat
from vision.motion.breaks import Break, Cause, Knock, join, turns
from vision.motion.timeline import Timeline

_WALLS = (
    (Seat.E, 0, 1.0),
    (Seat.W, 0, -1.0),
    (Seat.N, 1, 1.0),
    (Seat.S, 1, -1.0),
)


def cushions_at(line: Timeline, brk: Break, board: Board, frame_s: float) -> list[Cause]:
    """The cushions that a running piece may have met where its path broke off."""
    before, after = line.phases[brk.k], line.phases[brk.k + 1]
    radius = line.track.radius_mm
    half = (board.width_mm / 2, board.height_mm / 2)
    causes = []
    for seat, axis, sign in _WALLS:
        out = sign * before.speed_at(brk.lo)[axis]
        back = sign * after.speed_at(after.first_s)[axis]
        if out < 5 or back > 0.25 * out + 5:
            continue
        room = half[axis] - radius
        times = np.linspace(brk.lo - 0.6 * frame_s, brk.hi + 0.6 * frame_s, 49)
        gaps = np.array([room - sign * before.at(float(t))[axis] for t in times])
        under = np.nonzero(gaps <= 0)[0]
        k = int(under[0]) if len(under) else int(np.argmin(gaps))
        t, gap = float(times[k]), float(gaps[k])
        sigma = hypot(before.error_at(t), 0.3)
        if gap > 2.0 + 3 * sigma:
            continue
        first = abs(float(gaps[0])) if gaps[0] < 0 else 0.0
        if first > 4 + 3 * sigma:
            continue
        cross, error = turns(line, brk, frame_s)
        if abs(out) > 30:
            when, error = join([(t, sigma / out), (cross, error)])
        else:
            when = cross
        jump = hypot(
            after.speed_at(after.first_s)[0] - before.speed_at(brk.lo)[0],
            after.speed_at(after.first_s)[1] - before.speed_at(brk.lo)[1],
        )
        normal = (out - back) / max(jump, 1e-6)
        cost = (max(gap, 0) / (1 + sigma)) ** 2 + 3 * (1 - normal) + (first / 3) ** 2
        knock = Knock("cushion", when, error, brk.who, -1, seat, *before.at(when), out)
        causes.append(Cause(cost, knock))
    return causes


def turned_from(line: Timeline, brk: Break, wall: Knock) -> bool:
    """Whether the ways before and after, by themselves, show a piece sent back by a cushion."""
    after = line.phases[brk.k + 1]
    before = line.phases[brk.k]
    _, axis, sign = next(w for w in _WALLS if w[0] is wall.wall)
    out_before = sign * before.speed_at(before.last_s)[axis]
    out_after = sign * after.speed_at(after.first_s)[axis]
    return out_before > 50 and out_after < -0.25 * out_before
