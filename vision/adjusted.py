"""What is struck with a cue, moved by so little that nobody can say whether it was struck."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import inf
from types import MappingProxyType

import numpy as np

from rules.facts import Cushioned, Fact, Moved, Struck, Travelled
from rules.geometry import Point
from vision.motion.drags import STROKE_MM_S
from vision.motion.timeline import Timeline

_HARDLY_MM = 25.0  # no stroke is so soft, however fast it seems beneath the cue
_LITTLE_MM, _SOFT_MM_S = 50.0, 1.25 * STROKE_MM_S
_THERE_MM = 2.0
_HIDDEN = 3  # frames in a row in which the cue lay over it


def perhaps_adjusted(
    facts: Sequence[Fact],
    cued: Collection[str],
    ran: Mapping[str, tuple[float, float]],
    beneath: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> tuple[Fact, ...]:
    """`facts` of a spell of motion, one that may be a soft stroke or a push told as `Moved`.

    `cued` are the pieces that are struck with a cue, `ran` where those that moved came to rest, mm.
    Players put the cue-puck right with the cue before they strike: over a few centimetres, hitting
    nothing, either looks like the other. Whether it matters the rules say. What was `beneath` the
    cue all the way, from when to when (seconds), was surely brought: what is struck runs out from
    under it.
    """
    strokes = [fact for fact in facts if isinstance(fact, Struck) and fact.piece in cued]
    if len(strokes) != 1 or len(ran) != 1:
        return tuple(facts)
    (stroke,) = strokes
    alone = all(
        isinstance(f, Struck | Travelled | Cushioned) and f.piece == stroke.piece for f in facts
    )
    if stroke.dragged or stroke.piece not in ran or not alone:
        return tuple(facts)
    x, y = ran[stroke.piece]
    turned = any(isinstance(fact, Cushioned) for fact in facts)  # otherwise it ran straight
    way = [at for f in facts if isinstance(f, Travelled) and turned for at in f.path]
    far = max(stroke.at.distance_mm(at) for at in (Point(x, y), *way))
    if far > (_LITTLE_MM if stroke.speed_mm_s < _SOFT_MM_S else _HARDLY_MM):
        return tuple(facts)
    if stroke.piece in beneath:
        since_s, until_s = beneath[stroke.piece]
        when, error = 500 * (since_s + until_s), 500 * (until_s - since_s)
        return (replace(stroke, at_ms=when, error_ms=error, speed_mm_s=0.0, dragged=True),)
    moved = Moved(
        at_ms=stroke.at_ms,
        piece=stroke.piece,
        before=stroke.at,
        after=Point(x, y),
        error_mm=stroke.error_mm,
        by=stroke.by,
    )
    return (moved,)


def beneath_the_cue_s(line: Timeline, frame_s: float) -> tuple[float, float] | None:
    """From when to when what moved was seen nowhere, where it lay still before and after.

    None where it was seen on its way, or out of sight for a few frames only.
    """
    track = line.track
    out = np.flatnonzero(track.away_mm() > _THERE_MM)
    if not line.moved or not len(out):
        return None
    came, (x, y) = int(out[0]), line.final_place()
    since_s = max(line.lay_until_s, -inf if track.lay_s is None else track.lay_s)
    until_s = float(track.t[came])
    there = np.hypot(track.x[came:] - x, track.y[came:] - y) < _THERE_MM
    hidden = until_s - since_s > (_HIDDEN + 0.5) * frame_s
    return (since_s, until_s) if hidden and there.all() else None
