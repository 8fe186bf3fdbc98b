"""Whether one piece sent another off though nobody saw it: by how, when and where that set off."""

from collections.abc import Iterator
from itertools import product
from math import cos, hypot, radians

from rules.board import Board
from vision.strikers import CUED
from vision.tracking.drags import STROKE_MM_S
from vision.trajectories.timeline import Timeline

BESIDE_MM = 150.0  # so far a hand can hide all of a piece's way
_TOUCHES_MM = 1.5
_CLOSE_BY = 0.5  # of its radius: so near a cushion a man is sent into it before it gets away
_CUSHION = 0.75  # about what a cushion leaves of a speed
_AMISS = radians(15.0)  # so far a way into a cushion may differ from what its way back tells
BY_NO_HAND_MM_S = 500.0  # that a hand pushes aside is slower
_JUST_S = 0.5  # sooner no hand that has struck is out of the way
_MOSTLY = 0.5  # of the time in which one set off
_AHEAD = 0.3  # of 1: how nearly the way there has the direction in which another was sent


def has_sent(line: Timeline, other: Timeline, lay_s: float, seen_s: float, board: Board) -> bool:
    """Whether the piece of `line` sent another off between two times, for all that is known."""
    between = lay_s, seen_s
    return _may_have_sent(line, other, *between, board) or _must_have_sent(line, other, *between)


def least_mm_s(line: Timeline, other: Timeline) -> float:
    """How fast one must come at the least, straight and losing nothing, to send another off."""
    run = other.phases[1]
    sent_mm_s = hypot(*run.speed_at(run.first_s))
    mine, theirs = line.track.mass, other.track.mass
    return sent_mm_s * (mine + theirs) / (2 * mine)


def gap_mm(line: Timeline, other: Timeline) -> float:
    """How far the rims of two pieces are apart where they lay."""
    (x, y), (u, v) = line.track.home, other.track.home
    return hypot(u - x, v - y) - line.track.radius_mm - other.track.radius_mm


def lie_touching(line: Timeline, other: Timeline) -> bool:
    """Whether two pieces touched where they lay, so that a blow goes through the first of them."""
    return gap_mm(line, other) < _TOUCHES_MM


def rim_towards(line: Timeline, other: Timeline) -> tuple[float, float]:
    """The place, mm, on the rim of a piece where it lay that is next to where another lay."""
    (u, v), (x, y) = line.track.home, other.track.home
    part = line.track.radius_mm / max(hypot(x - u, y - v), 1.0)
    return u + (x - u) * part, v + (y - v) * part


def _may_have_sent(
    line: Timeline, other: Timeline, lay_s: float, seen_s: float, board: Board
) -> bool:
    """Whether another set off between two times as it does when the piece of `line` comes to it.

    One that lay close by a cushion may have been sent into it first, and so may one that comes
    from where a cushion would have turned it.
    """
    if not other.moved or other.track.kind in CUED:
        return False
    run = other.phases[1]
    vx, vy = run.speed_at(run.first_s)
    if not _set_off_between(other, lay_s, seen_s) or hypot(vx, vy) < STROKE_MM_S:
        return False
    radius = other.track.radius_mm
    u, v = other.track.home
    by_side = abs(u) > board.width_mm / 2 - radius - _CLOSE_BY * radius
    by_end = abs(v) > board.height_mm / 2 - radius - _CLOSE_BY * radius
    ways = product((vx, -vx) if by_side else (vx,), (vy, -vy) if by_end else (vy,))
    return any(_comes_along(line, other, way) for way in (*ways, *_by_cushion(other, board)))


def _must_have_sent(line: Timeline, other: Timeline, lay_s: float, seen_s: float) -> bool:
    """Whether another set off between two times beside the piece of `line`, too fast for a hand; or
    just before that, where it came to rest: a hand may have moved it there from where it lay first.

    The other's way need not be that on which it was sent first: beneath the hand it may have come
    back from a cushion, and have been touched twice.
    """
    if not other.moved or other.track.kind in CUED or not _set_off_between(other, lay_s, seen_s):
        return False
    run = other.phases[1]
    beside = gap_mm(line, other) < BESIDE_MM or _took_the_place_of(line, other, seen_s)
    return beside and hypot(*run.speed_at(run.first_s)) > BY_NO_HAND_MM_S


def _took_the_place_of(line: Timeline, other: Timeline, seen_s: float) -> bool:
    """Whether the piece of `line` came to rest where another had lain just before."""
    (x, y), (u, v) = line.track.rests_at(), other.track.home
    over = hypot(x - u, y - v) < line.track.radius_mm + other.track.radius_mm
    return over and seen_s - other.phases[0].last_s < _JUST_S


def _set_off_between(line: Timeline, from_s: float, until_s: float) -> bool:
    """Whether a piece that moved set off between two times, as far as is known."""
    lay, run = line.phases[:2]
    known_s = run.first_s - lay.last_s
    return run.first_s - from_s >= _MOSTLY * known_s and run.first_s <= until_s


def _by_cushion(line: Timeline, board: Board) -> Iterator[tuple[float, float]]:
    """The ways to a cushion, from where a piece lay, from which it would turn to where it ran."""
    run, radius = line.phases[1], line.track.radius_mm
    (u, v), (x, y), (vx, vy) = line.track.home, run.at(run.first_s), run.speed_at(run.first_s)
    room = board.width_mm / 2 - radius, board.height_mm / 2 - radius
    for along, across in ((0, 1), (1, 0)):
        speed, place = (vx, vy)[across], (x, y)[across]
        if abs(speed) < 1.0:
            continue
        wall = -room[across] if speed > 0 else room[across]  # it runs away from there
        since_s = (place - wall) / speed
        met = x - since_s * vx, y - since_s * vy
        came = [0.0, 0.0]
        came[along], came[across] = (vx, vy)[along], -speed / _CUSHION
        way = met[0] - u, met[1] - v
        ahead = way[0] * came[0] + way[1] * came[1]
        if ahead > cos(_AMISS) * hypot(*way) * hypot(*came):
            yield came[0], came[1]


def _comes_along(line: Timeline, other: Timeline, way: tuple[float, float]) -> bool:
    """Whether the piece of `line`, on its way to send another off along `way`, goes forwards."""
    vx, vy = way
    speed = hypot(vx, vy)
    reach = line.track.radius_mm + other.track.radius_mm
    (x, y), (u, v) = line.track.home, other.track.home
    dx, dy = u - reach * vx / speed - x, v - reach * vy / speed - y
    far = hypot(dx, dy)
    return far < BESIDE_MM and dx * vx + dy * vy > _AHEAD * far * speed
