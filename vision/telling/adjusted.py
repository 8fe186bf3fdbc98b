"""What is struck with a cue, moved by so little that nobody can say whether it was struck."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import hypot, inf, sqrt
from types import MappingProxyType

import numpy as np

from rules.board import Board
from rules.facts import Cushioned, Fact, Moved, Struck, Travelled
from rules.geometry import Point
from vision.tracking.drags import STROKE_MM_S
from vision.trajectories.timeline import Timeline

_HARDLY_MM = 25.0  # no stroke is so soft, however fast it seems beneath the cue
_LITTLE_MM, _SOFT_MM_S = 50.0, 1.25 * STROKE_MM_S
_THERE_MM = 2.0
_STILL_MM = 0.7  # so near to where it came to rest it may lie by then
_ALIKE = np.linspace(0.65, 1.4, 31)  # by such parts friction may differ from what it mostly is
_STEP_S = 0.002  # between the times at which it may have begun
_LEAST_ERROR_MM = 0.2  # of a place, one sd
_TURNED, _UNLIKE = 5.0, 5.5  # sd: beside a straight way, one place; off a free run, all together
_CLEAR_MM = 6.0
_SIGMAS = 3.0
_HIDDEN = 3  # frames in a row in which the cue lay over it


def perhaps_adjusted(
    facts: Sequence[Fact],
    cued: Collection[str],
    ran: Mapping[str, tuple[float, float]],
    brought: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> tuple[Fact, ...]:
    """`facts` of a spell of motion, one that may be a soft stroke or a push told as `Moved`.

    `cued` are the pieces that are struck with a cue, `ran` where those that moved came to rest, mm.
    Players put the cue-puck right with the cue before they strike: over a few centimetres, hitting
    nothing, either looks like the other. Whether it matters the rules say. `brought` are those that
    a cue surely brought along, from when to when (seconds). Where a cue led it to where it lay
    before that, and it lies there still as far as that is known, nothing more happened.
    """
    strokes = [
        fact
        for fact in facts
        if isinstance(fact, Struck) and fact.piece in cued and not fact.dragged
    ]
    if len(strokes) != 1 or len(ran) != 1:
        return tuple(facts)
    (stroke,) = strokes
    alone = all(
        isinstance(f, Struck | Travelled | Cushioned) and f.piece == stroke.piece for f in facts
    )
    if stroke.piece not in ran or not alone:
        return tuple(facts)
    led = [fact for fact in facts if isinstance(fact, Struck) and fact.dragged]
    x, y = ran[stroke.piece]
    turned = any(isinstance(fact, Cushioned) for fact in facts)  # otherwise it ran straight
    way = [at for f in facts if isinstance(f, Travelled) and turned for at in f.path]
    far = max(stroke.at.distance_mm(at) for at in (Point(x, y), *way))
    if far > (_LITTLE_MM if stroke.speed_mm_s < _SOFT_MM_S else _HARDLY_MM):
        return tuple(facts)
    if led and far < _SIGMAS * stroke.error_mm:
        return tuple(led)
    if stroke.piece in brought:
        since_s, until_s = brought[stroke.piece]
        when, error = 500 * (since_s + until_s), 500 * (until_s - since_s)
        once_more = replace(stroke, at_ms=when, error_ms=error, speed_mm_s=0.0, dragged=True)
        return (*led, once_more)
    moved = Moved(
        at_ms=stroke.at_ms,
        piece=stroke.piece,
        before=stroke.at,
        after=Point(x, y),
        error_mm=stroke.error_mm,
        by=stroke.by,
    )
    return (*led, moved)


def brought_s(
    line: Timeline,
    lines: Sequence[Timeline],
    board: Board,
    *,
    frame_s: float,
    slowing_mm_s2: float | None,
) -> tuple[float, float] | None:
    """From when to when a cue surely brought what moved; None where it may have run free.

    `lines` are those of all pieces, `slowing_mm_s2` what friction took in strokes before.
    """
    beneath = beneath_the_cue_s(line, frame_s)
    if beneath is not None or slowing_mm_s2 is None or _may_have_been_stopped(line, lines, board):
        return beneath
    return ran_unlike_free_s(line, slowing_mm_s2)


def beneath_the_cue_s(line: Timeline, frame_s: float) -> tuple[float, float] | None:
    """From when to when what moved was seen nowhere, where it lay still before and after.

    What is struck runs out from under the cue. None where it was seen on its way, or out of sight
    for a few frames only.
    """
    track = line.track
    out = np.flatnonzero(track.away_mm() > _THERE_MM)
    if not line.moved or not len(out):
        return None
    came, (x, y) = int(out[0]), line.final_place()
    since_s, until_s = _lay_until_s(line), float(track.t[came])
    there = np.hypot(track.x[came:] - x, track.y[came:] - y) < _THERE_MM
    hidden = until_s - since_s > (_HIDDEN + 0.5) * frame_s
    return (since_s, until_s) if hidden and there.all() else None


def ran_unlike_free_s(line: Timeline, slowing_mm_s2: float) -> tuple[float, float] | None:
    """From when to when what moved did so, where that was no free run from its home to its rest.

    On a free run to rest there lie a s²/2 still ahead s seconds before its end, if friction takes a
    mm/s each second. No such run, whenever it began since the piece was last seen to lie at home,
    comes near all the places at which it was seen.
    """
    track, (x, y), since_s = line.track, line.final_place(), _lay_until_s(line)
    seen, far = track.part(np.flatnonzero(track.t >= since_s)), track.way_mm((x, y))
    left = seen.t[seen.is_off()]
    if not line.moved or not len(left) or far < _STILL_MM:
        return None
    way_x, way_y = (x - track.home[0]) / far, (y - track.home[1]) / far
    away_x, away_y = seen.x - track.home[0], seen.y - track.home[1]
    along, aside = away_x * way_x + away_y * way_y, away_x * way_y - away_y * way_x
    sigma = np.maximum(seen.sigma, _LEAST_ERROR_MM)
    if (np.hypot(aside, np.maximum(along - far, 0.0)) > _TURNED * sigma).any():
        return None
    beside = np.flatnonzero(np.hypot(seen.x - x, seen.y - y) > _STILL_MM)
    run = slice(int(beside[-1]) + 2 if len(beside) else 1)  # until it came to lie there
    slows = (slowing_mm_s2 * _ALIKE)[:, None]
    takes_s = np.sqrt(2 * far / slows)
    earliest_s = max(since_s, float(left[0] - takes_s.max()))
    begins_s = np.arange(earliest_s, left[0] + _STEP_S, _STEP_S)[:, None, None]
    still_s = np.maximum(takes_s - np.maximum(seen.t[run] - begins_s, 0.0), 0.0)
    misses = (far - slows / 2 * still_s**2 - along[run]) / sigma[run]
    unlike = sqrt(float((misses**2).sum(axis=2).min()))
    return (since_s, float(seen.t[run][-1])) if unlike > _UNLIKE else None


def _lay_until_s(line: Timeline) -> float:
    """When it was last seen to lie where it lay, before it was seen elsewhere."""
    track = line.track
    left_s = min(track.t[track.is_off()], default=inf)
    if track.lay_s is None or track.lay_s >= left_s:
        return line.lay_until_s
    return max(line.lay_until_s, track.lay_s)


def _may_have_been_stopped(line: Timeline, lines: Sequence[Timeline], board: Board) -> bool:
    """Whether a cushion or a piece is so near to where it came to rest that it may have hit it."""
    radius, (x, y) = line.track.radius_mm, line.final_place()
    room = min(board.width_mm / 2 - abs(x), board.height_mm / 2 - abs(y)) - radius
    gaps = [
        hypot(other.track.home[0] - x, other.track.home[1] - y) - radius - other.track.radius_mm
        for other in lines
        if other is not line
    ]
    return min(room, *gaps, inf) < _CLEAR_MM
