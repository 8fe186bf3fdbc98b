"""The cushions that turned a running piece, and when."""

from collections.abc import Sequence
from math import hypot, inf, sqrt

import numpy as np

from rules.board import Board
from rules.geometry import Seat
from vision.trajectories.breaks import Break, Cause, Knock, join, turns
from vision.trajectories.timeline import Timeline

_WALLS = (
    (Seat.E, 0, 1.0),
    (Seat.W, 0, -1.0),
    (Seat.N, 1, 1.0),
    (Seat.S, 1, -1.0),
)


_FAST_MM_S = 50.0  # more slowly, a piece may stop short of a cushion
_CLEAR_MM, _SIGMAS = 1.0, 3.0  # so far beside a mouth it surely met the cushion
_STEPS = 9
_INSTANT = 0.3  # of a frame: a touch that is known so well tells which way it pushed
_ASIDE = 0.25  # of 1: so much of a push is into the cushion, and of the run away from it
_BESIDE_MM = 12.0


def by_mouths(
    lines: Sequence[Timeline], board: Board, frame_s: float, known: Sequence[Knock]
) -> list[Knock]:
    """The cushions that pieces met beside a mouth just before they fell.

    Such a piece is seen no more between the cushion and the mouth: its way there tells, where it
    comes to the cushion well beside the mouth.
    """
    found = []
    for who, line in enumerate(lines):
        if line.moved and line.ending.kind == "pocketed" and not line.ending.inferred:
            knock = _by_mouth(who, line, board, frame_s)
            if knock and not _is_told(knock, known, line.phases[-1].first_s, inf):
                found.append(knock)
    return found


def _is_told(new: Knock, known: Sequence[Knock], since_s: float, until_s: float) -> bool:
    """Whether a knock of the same piece with the same cushion is known from that time."""
    return any(
        k.kind == new.kind and k.a == new.a and k.wall is new.wall and since_s <= k.t_s < until_s
        for k in known
    )


def _by_mouth(who: int, line: Timeline, board: Board, frame_s: float) -> Knock | None:
    pocket = next(p for p in board.pockets if p.id == line.ending.pocket)
    way, radius = line.phases[-1], line.track.radius_mm
    seen_s, (x, y) = way.last_s, way.at(way.last_s)
    vx, vy = way.speed_at(seen_s)
    found: list[Knock] = []
    for seat, axis, sign in _WALLS:
        room = (board.width_mm / 2, board.height_mm / 2)[axis] - radius - sign * (x, y)[axis]
        out = sign * (vx, vy)[axis]
        if out < _FAST_MM_S or not 0 < room < out * (line.ending.t_s + frame_s - seen_s):
            continue
        after_s = room / out
        sigma = hypot(way.error_at(seen_s + after_s), 0.3)
        parts = np.linspace(0.0, after_s, _STEPS)
        away = np.hypot(x + vx * parts - pocket.centre.x_mm, y + vy * parts - pocket.centre.y_mm)
        if away.min() < pocket.radius_mm + _CLEAR_MM + _SIGMAS * sigma:
            continue
        place = (x + vx * after_s, y + vy * after_s)
        found.append(Knock("cushion", seen_s + after_s, sigma / out, who, -1, seat, *place, out))
    return min(found, key=lambda knock: knock.t_s, default=None)


def by_pushes(
    lines: Sequence[Timeline], board: Board, frame_s: float, known: Sequence[Knock]
) -> list[Knock]:
    """The cushions that pieces beside them were pushed into, and had left when they were seen next.

    A piece that was touched from one side and runs to that side was sent back by what is behind it.
    """
    found = []
    for touch in known:
        if touch.kind != "contact" or touch.error_s > _INSTANT * frame_s:
            continue
        for who in (touch.a, touch.b):
            line = lines[who]
            lay = all(k.t_s >= touch.t_s for k in known if k.concerns(who))
            if lay and line.moved and line.phases[0].last_s < touch.t_s < line.phases[1].first_s:
                knock = _pushed_into(who, line, touch, board)
                if knock and not _is_told(knock, known, touch.t_s, line.phases[1].last_s):
                    found.append(knock)
    return found


def _pushed_into(who: int, line: Timeline, touch: Knock, board: Board) -> Knock | None:
    run, (x, y) = line.phases[1], line.phases[0].at(touch.t_s)
    vx, vy = run.speed_at(run.first_s)
    speed, size = hypot(vx, vy), hypot(x - touch.x_mm, y - touch.y_mm)
    if speed < _FAST_MM_S or size == 0:
        return None
    for seat, axis, sign in _WALLS:
        pushed = sign * (x - touch.x_mm, y - touch.y_mm)[axis] / size
        back = -sign * (vx, vy)[axis] / speed
        half = (board.width_mm / 2, board.height_mm / 2)[axis]
        room = half - line.track.radius_mm - sign * (x, y)[axis]
        if min(pushed, back) < _ASIDE or room > _BESIDE_MM:
            continue
        away = half - line.track.radius_mm - sign * run.at(run.first_s)[axis]
        back_s = run.first_s - max(away, 0.0) / (back * speed)
        met_s = min(max(back_s, touch.t_s), run.first_s)
        error_s = (run.first_s - touch.t_s) / sqrt(12.0)
        wall = sign * (half - line.track.radius_mm)
        place = (wall, y) if axis == 0 else (x, wall)
        return Knock("cushion", met_s, error_s, who, -1, seat, *place, back * speed)
    return None


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
