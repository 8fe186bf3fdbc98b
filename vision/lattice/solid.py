"""Whether what stands out on a table's border is an arm, or light.

Light and shade change all channels alike, and not without end; a lamp's reflection fades away to
both sides, where an arm has an edge. And where a reflection is gone, it is the empty picture that
stands out.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.lattice.medians import median
from vision.lattice.shade import TURN
from vision.lattice.shore import AROUND, Floats32, Run, Shore

Moved = Callable[[int, int], bool]

_OTHER_TINT, _LIGHTER, _NO_SHADOW, _OTHER_SHARE = 0.05, 0.25, 0.9, 0.25
"""What is no shadow: another colour, or darker than any, on so much of it; else it is lighter."""
_GLEAM, _WOOD, _WOOD_SHARE = 0.3, 0.1, 0.15
"""A lamp that was mirrored on the border stood out by so much, in log codes; bare wood does by no
more than this, or this share of it."""
_SHADE = 0.25
"""So much darker may be the shadow that an arm casts beside it."""
_EDGE, _EDGE_SHARE, _ONE_EDGE_SHARE = 3, 0.29, 0.5
"""An arm's edge: within so many stations it changes by this share of all it changes; by this where
the other edge lies beyond the corner."""
_CORNER = 12
"""Nearer to a corner than so many stations the wood itself may have an edge."""


def has_edge(tint: Floats32, shore: Shore, run: Run) -> bool:
    """Whether the colour (4, n, 3K) of the border changes somewhere on a stretch as it does at an
    arm's edge, while a lamp's reflection fades."""
    side, first, count = shore.side_of(run)
    look = tint[side, :count].reshape(count, -1, 3)
    look = look - median(np.ascontiguousarray(look.T)).T
    ends = run[0] - first, run[1] - first
    edge = _edges(np.asarray(look, dtype=np.float32), slice(*ends))
    inner = _clear(range(ends[0], ends[1] + 1), count)
    return any(edge(station) > _EDGE_SHARE for station in inner)


def is_gleam_gone(logs: Floats32, shore: Shore, run: Run) -> bool:
    """Whether it is the empty picture that stands out on a stretch of the border, whose log codes
    are `logs` (4, n, 3K) now: a lamp was mirrored there, and is no more, so that the wood looks as
    it does along the rest of that side."""
    side, first, count = shore.side_of(run)
    start, stop = run[0] - first, run[1] - first
    rest = np.ones(count, dtype=np.bool_)
    rest[max(start - AROUND, 0) : stop + AROUND] = False
    if rest.sum() < AROUND:
        return False
    then, now = (
        look[start:stop] - median(np.ascontiguousarray(look[:count][rest].T)).T
        for look in (
            each.reshape(len(each), -1, 3) for each in (shore.border.then_on(side), logs[side])
        )
    )
    gleamed, differs = (float(np.median(_length(look))) for look in (then, now))
    return then.mean() > 0 and gleamed > _GLEAM and differs < max(_WOOD, _WOOD_SHARE * gleamed)


def is_solid(border: Floats32, shore: Shore, run: Run, moved: Moved | None) -> bool:
    """Whether what stands out on a stretch of the `border` (4, n, 3K) is more than light or shade.

    Light and shade change all channels alike, and not without end; a lamp's reflection fades away
    to both sides, where an arm has an edge, be it one to its own soft shadow.
    """
    side, first, count = shore.side_of(run)
    change = border[side, :count].reshape(count, -1, 3)
    usual = median(np.ascontiguousarray(change.reshape(-1, 3).T))
    start, stop = run[0] - first, run[1] - first
    before = max(start - _EDGE - 3, 0)
    rest = np.asarray((change[before : stop + 3 + _EDGE] - usual) @ TURN.T, dtype=np.float32)
    within = rest[start - before : stop - before]
    edge = _edges(rest, slice(start - before, stop - before), first=before)
    level = within[..., 0] * np.float32(3**-0.5)
    tint = cv2.magnitude(within[..., 1], within[..., 2])
    other = (tint > _OTHER_TINT) | (level < -_NO_SHADOW)
    if np.count_nonzero(other) > _OTHER_SHARE * other.size:
        inner = _clear(range(start, stop + 1), count)
        sharp = any(edge(station) > _EDGE_SHARE for station in inner)
        return sharp or (moved is not None and moved(*run))
    light = np.count_nonzero(level > _LIGHTER, axis=1) > 0.5 * level.shape[1]
    shade = np.count_nonzero(level < -_SHADE, axis=1) > 0.5 * level.shape[1]
    lit = np.flatnonzero(light)
    if 2 * len(lit) <= np.count_nonzero(~shade):
        return False
    begins, ends = start + int(lit[0]), start + int(lit[-1]) + 1
    first_corner, last_corner = (
        begins < _EDGE and start == 0,
        count - ends < _EDGE and stop == count,
    )
    if first_corner and last_corner:
        return False
    if first_corner or last_corner:  # it comes in over the corner, or goes on there
        stirs = moved is not None and moved(*run)
        one = max(edge(ends), edge(stop)) if first_corner else max(edge(begins), edge(start))
        return one > (_EDGE_SHARE if stirs else _ONE_EDGE_SHARE)
    return min(edge(begins), edge(ends)) > _EDGE_SHARE


def _edges(looks: Floats32, run: slice, *, first: int = 0) -> Callable[[int], float]:
    """How much of all that differs on a `run` of `looks` (n, K, 3) does so about a station, at an
    edge; their `first` station has that number."""
    steps = _length(looks[_EDGE:] - looks[:-_EDGE])
    height = np.maximum(_length(looks[run]).max(axis=0), 1e-6)

    def edge(station: int) -> float:
        near = slice(max(station - first - _EDGE - 3, 0), max(station - first + 3, 1))
        return float(median(steps[near].max(axis=0, initial=0.0) / height))

    return edge


def _clear(stations: Sequence[int], count: int) -> list[int]:
    """Those of a side's `stations`, of which it has so many, that lie clear of its corners: there
    wood meets wood that runs otherwise, and a marker lies."""
    return [station for station in stations if _CORNER <= station <= count - _CORNER]


def _length(looks: Floats32) -> Floats32:
    """(...) how long (..., 3) are."""
    return np.asarray(np.sqrt(np.einsum("...c,...c->...", looks, looks)), dtype=np.float32)
