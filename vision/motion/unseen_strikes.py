"""Strikes that a hand hid: what the struck piece set running bounds when it can have set off."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import cos, hypot, inf, radians, sqrt

import numpy as np

from rules.board import Board
from vision.motion.body import CUED
from vision.motion.breaks import Knock, comes_from_home
from vision.motion.drags import STROKE_MM_S
from vision.motion.gone import Ending
from vision.motion.paths import resting
from vision.motion.timeline import Timeline

_KEEPS = 0.6  # at the least a piece comes at so much of the speed at which it sends others off
_FEWEST = 4  # places seen where it came to rest
_BESIDE_MM = 150.0  # so far a hand can hide all of a piece's way
_CLOSE_BY = 0.5  # of its radius: so near a cushion a man is sent into it before it gets away
_CUSHION = 0.75  # about what a cushion leaves of a speed
_AMISS = radians(15.0)  # so far a way into a cushion may differ from what its way back tells
_BY_NO_HAND_MM_S = 500.0  # that a hand pushes aside is slower
_MOSTLY = 0.5  # of the time in which one set off
_AHEAD = 0.3  # of 1: how nearly the way there has the direction in which another was sent


def with_unseen_strikes(lines: Sequence[Timeline], board: Board, frame_s: float) -> list[Timeline]:
    """`lines`, in which what a cue or a finger strikes lay no longer than it can have.

    A piece that came in sight only after it had set others running was on its way to them before:
    slower than they ran at first, about, it cannot have come. One that came in sight only when it
    lay still again had run, if meanwhile others set off as they do when it comes from where it lay.
    """
    lines = [_with_unseen_run(line, lines, board) for line in lines]
    return [_since_it_can_have_left(line, lines, board, frame_s) for line in lines]


def struck_before_touching(knocks: Sequence[Knock], lines: Sequence[Timeline]) -> list[Knock]:
    """`knocks`, in which no piece that lay at rest touches another before it is struck.

    Such a strike was between when the piece lay still and when it touched. One of a piece that
    was seen only where it lies still again was as fast as it must be for what it sent off.
    """
    return sorted((_before_touching(k, knocks, lines) for k in knocks), key=lambda k: k.t_s)


def sent_beneath_a_hand(
    knocks: Sequence[Knock], lines: Sequence[Timeline], within_s: float
) -> list[Knock]:
    """`knocks`, and the touches of men who lie elsewhere and set off at nobody knows when.

    What a hand hid beside them set off meanwhile: the struck piece has sent them there. Where it is
    known within `within_s` when a man set off, what hit him is seen.
    """
    cued = [who for who, line in enumerate(lines) if line.moved and line.track.kind in CUED]
    loose = [k for k in knocks if k.kind == "strike" and k.error_s >= within_s and k.a not in cued]
    pushed = {who for k in knocks if k not in loose and k.kind != "cushion" for who in (k.a, k.b)}
    found = [k for k in knocks if k not in loose]
    for other, man in enumerate(lines):
        if not man.moved or other in pushed or other in cued:
            continue
        touches = (_hit_unseen(who, lines[who], other, man) for who in cued)
        known = [touch for touch in touches if touch is not None]
        found += known[:1] or [k for k in loose if k.a == other]
    return sorted(found, key=lambda knock: knock.t_s)


def _hit_unseen(who: int, line: Timeline, other: int, man: Timeline) -> Knock | None:
    """How the piece of `line` hit a man, both out of sight; None: it cannot have, or need not."""
    (x, y), (u, v) = line.track.home, man.track.home
    if hypot(u - x, v - y) - line.track.radius_mm - man.track.radius_mm > _BESIDE_MM:
        return None
    if not man.ending.off_surface and man.track.way_mm(man.track.rests_at()) < man.track.radius_mm:
        return None
    low = max(line.phases[0].last_s, man.phases[0].last_s)
    high = min(line.left_by_s, man.left_by_s)
    if high <= low:
        return None
    touch = Knock("contact", (low + high) / 2, (high - low) / sqrt(12.0), who, other)
    part = man.track.radius_mm / max(hypot(x - u, y - v), 1.0)
    return replace(touch, x_mm=u + (x - u) * part, y_mm=v + (y - v) * part)


def _before_touching(knock: Knock, knocks: Sequence[Knock], lines: Sequence[Timeline]) -> Knock:
    if knock.kind != "strike" or lines[knock.a].track.kind not in CUED:
        return knock
    touches = [k for k in knocks if k.kind == "contact" and k.concerns(knock.a)]
    first = min(touches, key=lambda k: k.t_s, default=None)
    if first is None:
        return knock
    line, other = lines[knock.a], lines[first.other(knock.a)]
    if knock.speed_mm_s == 0.0 and other.moved:
        knock = replace(knock, speed_mm_s=least_mm_s(line, other))
    first_s, lay_s = first.t_s, line.phases[0].last_s
    if not lay_s < first_s <= knock.t_s:
        return knock
    error_s = hypot((first_s - lay_s) / sqrt(12.0), first.error_s)
    return replace(knock, t_s=(lay_s + first_s) / 2, error_s=error_s)


def least_mm_s(line: Timeline, other: Timeline) -> float:
    """How fast one must come at the least, straight and losing nothing, to send another off."""
    run = other.phases[1]
    sent_mm_s = hypot(*run.speed_at(run.first_s))
    mine, theirs = line.track.mass, other.track.mass
    return sent_mm_s * (mine + theirs) / (2 * mine)


def _with_unseen_run(line: Timeline, lines: Sequence[Timeline], board: Board) -> Timeline:
    """`line` of a piece that lay still where it was seen next, with the run that it had made."""
    track = line.track
    if line.moved or track.kind not in CUED:
        return line
    off = np.flatnonzero(track.is_off())
    if len(off) < _FEWEST or off[-1] != len(track.t) - 1:
        return line  # it is at home again, or hardly seen elsewhere
    first = int(off[0])
    lain = [float(t) for t in track.t[first - 1 : first]]
    lain += [] if track.lay_s is None else [track.lay_s]
    lay_s, seen_s = max(lain, default=inf), float(track.t[first])
    if not any(_has_sent(line, o, lay_s, seen_s, board) for o in lines):
        return line
    x, y = track.rests_at()
    home = resting(*track.home, track.home_error_mm, -1e9, lay_s)
    there = resting(x, y, float(track.sigma[first]), seen_s, float(track.t[-1]))
    ending = Ending("rest", seen_s, (seen_s - lay_s) / sqrt(12.0))
    return replace(line, phases=(home, there), ending=ending)


def _has_sent(line: Timeline, other: Timeline, lay_s: float, seen_s: float, board: Board) -> bool:
    """Whether the piece of `line` sent another off between two times, for all that is known."""
    between = lay_s, seen_s
    return _may_have_sent(line, other, *between, board) or _must_have_sent(line, other, *between)


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


def _set_off_between(line: Timeline, from_s: float, until_s: float) -> bool:
    """Whether a piece that moved set off between two times, as far as is known."""
    lay, run = line.phases[:2]
    known_s = run.first_s - lay.last_s
    return run.first_s - from_s >= _MOSTLY * known_s and run.first_s <= until_s


def _must_have_sent(line: Timeline, other: Timeline, lay_s: float, seen_s: float) -> bool:
    """Whether another set off between two times beside the piece of `line`, too fast for a hand.

    Its way need not be that on which it was sent first: beneath the hand it may have come back from
    a cushion, and have been touched twice.
    """
    if not other.moved or other.track.kind in CUED or not _set_off_between(other, lay_s, seen_s):
        return False
    (x, y), (u, v), run = line.track.home, other.track.home, other.phases[1]
    beside = hypot(u - x, v - y) - line.track.radius_mm - other.track.radius_mm < _BESIDE_MM
    return beside and hypot(*run.speed_at(run.first_s)) > _BY_NO_HAND_MM_S


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
    return far < _BESIDE_MM and dx * vx + dy * vy > _AHEAD * far * speed


def _since_it_can_have_left(
    line: Timeline, lines: Sequence[Timeline], board: Board, frame_s: float
) -> Timeline:
    if not line.moved or line.track.kind not in CUED or line.track.lay_s is None:
        return line
    lay, run = line.phases[0], line.phases[1]
    earlier = _sent_while_it_seemed_to_lie(line, lines, board, frame_s)
    others = earlier or [
        o for o in lines if o.moved and o.track.kind not in CUED and o.phases[0].last_s > lay.last_s
    ]
    first = min(others, key=lambda o: o.phases[0].last_s, default=None)
    if first is None or (not earlier and run.first_s - lay.last_s < 1.5 * frame_s):
        return line
    lain, begun = first.phases[0], first.phases[1]
    if lain.last_s > run.first_s:
        return line
    home, there = line.track.home, first.track.home
    gap = hypot(there[0] - home[0], there[1] - home[1])
    gap = max(gap - line.track.radius_mm - first.track.radius_mm, 0.0)
    pace = max(_KEEPS * hypot(*begun.speed_at(begun.first_s)), 1.0)
    until = lain.last_s - gap / pace
    if not earlier:
        until = max(lay.last_s, until)
    return replace(line, phases=(replace(lay, last_s=until), *line.phases[1:]))


def _sent_while_it_seemed_to_lie(
    line: Timeline, lines: Sequence[Timeline], board: Board, frame_s: float
) -> list[Timeline]:
    """Those that ran as sent by the piece of `line` while a hand looked as if it still lay there.

    The way it came in sight by tells: it does not lead from where it lay. One that was seen only
    where it lies still again was seen on no such way. A cushion may lead it back over its home;
    then it tells that nothing had moved before that set off, and that it was not measured at home
    since.
    """
    seemed_s = line.phases[0].last_s
    sent = [o for o in lines if o is not line and _has_sent(line, o, -inf, seemed_s, board)]
    if not comes_from_home(line, frame_s) or _was_seen_only_at_rest(line):
        return sent
    lain = line.track.t[~line.track.is_off()]
    since_s = max((float(t) for t in lain if t < seemed_s + 1e-9), default=-inf)
    first_s = min((o.phases[0].last_s for o in lines if o.moved and o is not line), default=inf)
    return [o for o in sent if since_s <= o.phases[0].last_s <= first_s]


def _was_seen_only_at_rest(line: Timeline) -> bool:
    """Whether a piece that left home was next seen where it came to rest."""
    run, last = line.phases[1], line.phases[-1]
    return len(line.phases) == 3 and line.ending.kind == "rest" and run.first_s >= last.first_s
