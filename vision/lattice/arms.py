"""An arm over a lattice board, and which places it hides.

Whatever reaches over the surface comes from outside. So the table's edge is walked along in three
rings (beside the table, on the border, just inside the surface): an arm differs from the empty
picture in all three at the same place, by more than that side differs anywhere else. Skin may look
like wood, so the bar is set by each side itself: under steady light a few percent tell.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.geometry import Point, Seat
from vision.detection.crossings import STEP_MM
from vision.frame import Picture
from vision.lattice.medians import median
from vision.lattice.sampled import logs_of, turned
from vision.lattice.shade import TURN, Ground, Surfaces
from vision.lattice.shore import LEAST, Floats32, Shore, standing_out
from vision.lattice.shrunk import FOUR_TIMES, Part, Quarter, quarter_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Moved = Callable[[int, int], bool]
Run = tuple[int, int]
"""The first station of a stretch, and the one after its last."""

_BORDER_MM, _INSIDE_MM, _BESIDE_MM = 28.0, 16.0, 20.0
_INSIDE_SHARE, _BESIDE_SHARE = 0.35, 0.4
_NEAR, _AROUND = 6, 12
_OVER, _OVER_TIMES = 0.14, 4.0
"""By so much the surface differs beneath an arm, at least, and by so many times what it usually
does from one station of that side to the next."""
_MOST_OUT = 0.5
_EVERY = np.arange(4)
_UNEVEN, _TINTED = 0.03, 0.05
"""Where what is usual on a side is more than this, the light has an edge there; then colour is
asked, which stands out by so much."""
_OTHER_TINT, _LIGHTER, _NO_SHADOW, _OTHER_SHARE = 0.05, 0.25, 0.9, 0.25
"""What is no shadow: another colour, or darker than any, on so much of it; else it is lighter."""
_GLEAM, _WOOD, _WOOD_SHARE = 0.3, 0.1, 0.15
"""A lamp that was mirrored on the border stood out by so much, in log codes; bare wood does by no
more than this, or this share of it."""
_SHADE = 0.25
"""So much darker may be the shadow that an arm casts beside it."""
_SIDES = (Seat.S, Seat.E, Seat.N, Seat.W)
_EDGE, _EDGE_SHARE, _ONE_EDGE_SHARE = 3, 0.29, 0.5
"""An arm's edge: within so many stations it changes by this share of all it changes; by this where
the other edge lies beyond the corner."""
_CORNER = 12
"""Nearer to a corner than so many stations the wood itself may have an edge."""
_CELL = FOUR_TIMES
_SPARSE = 2
"""How much of the colour is usual is told by every so manieth row and column."""
_TINT = 0.025
_TINT_TIMES = 4.0
_EVENED = (3, 3), (5, 5)
"""Another colour tells, as it is and evened out over so many pixels, which leaves less noise: skin
may look much like wood."""
_BRIGHTER, _STEADY, _STEADY_TIMES = 0.25, 0.1, 8.0
_DARKER = 0.7
"""What is so much brighter or darker tells, in log codes; brighter by less in a steady light, which
has changed half the board by less than that divided by so much."""
_OTHERWISE, _SHADED, _WIDELY, _MOSTLY = 3.0, 0.2, (5, 5), 0.5
"""What is brighter by so many times what is usual, evened out over so many pixels, may be a hand:
fingers over wood of their colour. So may what is darker by this: their shadow, which runs along
them. In a light that is not steady, or under another tone curve, whatever differs by so many times
what is usual may be: unknown is not empty. More than this share of the surface no hand hides."""
_CLOSED_MM = 14.0
_MARGIN_MM = 12.0
"""What looks unlike the board joins into one thing over gaps so wide, and hides so much around."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Where an arm comes in: over which border, `at` on the surface's edge, how broad."""

    side: Seat
    at: Point
    width_mm: float


def arms(
    picture: Picture, shore: Shore, *, certain: bool = True, moved: Moved | None = None
) -> tuple[Arm, ...]:
    """Every arm that reaches over the surface in a picture (H, W, 3), BGR.

    Where not `certain` is asked for, whatever may be an arm; say, while one was there just now.
    `moved` says of stations, first and one after the last, whether the border moved there a moment
    ago, as it does under an arm but never under a lamp's reflection.
    """
    change = shore.border.change(picture, _EVERY)
    border, usual = standing_out(change, shore.border.inside, shore.count)
    runs = _broad(shore.by_station(border, _EVERY), shore)
    runs = [r for r in runs if not _is_gleam_gone(picture, shore, r)]
    if certain:
        runs = [r for r in runs if _solid(change, shore, slice(*r), moved)]
    if runs:
        sides = np.unique(shore.side[[end for run in runs for end in _ends(run, shore)]])
        twice = np.concatenate([sides, sides + len(_EVERY)])
        within = shore.both.change(picture, twice)
        inside, beside = _about(shore, within, sides)
        for run in runs:
            side = int(np.flatnonzero(sides == shore.side[run[0]])[0])
            if _darkens(within[side, : shore.count[sides[side]]], run, shore):
                inside[slice(*run)] = 1.0
        runs = _reaching(runs, inside, beside)
    if not runs and usual.max() > _UNEVEN:
        runs = _tinted(picture, shore)
    return _arms_at(runs, shore)


def _tinted(picture: Picture, shore: Shore) -> list[Run]:
    """Where arms come in that a shade with a sharp edge hides: only by their colour they tell.

    Skin may have the colour of the wood inside; where the shade runs there as well, what comes over
    the border from beside the table is held to reach in.
    """
    tint = shore.border.tint(picture, _EVERY)
    border, _ = standing_out(tint, shore.border.inside, shore.count, _TINTED)
    runs = _broad(shore.by_station(border, _EVERY), shore)
    runs = [r for r in runs if _has_edge(tint, shore, r)]
    if not runs:
        return []
    twice = np.arange(2 * len(_EVERY))
    inside, beside = _about(shore, shore.both.tint(picture, twice), _EVERY, _TINTED)
    within = shore.both.change(picture, _EVERY)
    usual = standing_out(within, shore.both.inside[_EVERY], shore.count)[1]
    inside[usual[shore.side] > _UNEVEN] = 1.0
    return _reaching(runs, inside, beside)


def _broad(out: Floats, shore: Shore) -> list[Run]:
    """The stretches along the sides where most samples stand `out` (N,) over an arm's breadth."""
    runs = _runs(out > _MOST_OUT, shore.side)
    return [(a, b) for a, b in runs if (b - a) * STEP_MM >= _BORDER_MM]


def _ends(run: Run, shore: Shore) -> tuple[int, int]:
    """The first and the last station that may tell of what comes in there."""
    return max(run[0] - _AROUND, 0), min(run[1] + _AROUND, len(shore.side)) - 1


def _darkens(inside: Floats32, run: Run, shore: Shore) -> bool:
    """Whether the surface along an arm's stretch of the border looks otherwise than on the rest of
    that side, by its change (n, 3K) inside.

    On a small board an arm and its shadow fill so much of a side that they are what is usual there.
    """
    first = int(shore.station[shore.side[run[0]], 0])
    looks = inside.reshape(len(inside), -1, 3).mean(axis=1)
    start, stop = run[0] - first, run[1] - first
    rest = np.concatenate([looks[: max(start - _AROUND, 0)], looks[stop + _AROUND :]])
    if len(rest) < _AROUND:
        return False
    step = np.median(looks[start:stop], axis=0) - np.median(rest, axis=0)
    uneven = np.median(np.abs(np.diff(rest, axis=0)), axis=0)
    return float(np.linalg.norm(step)) > max(_OVER, _OVER_TIMES * float(np.linalg.norm(uneven)))


def _about(
    shore: Shore, change: Floats32, sides: NDArray[np.intp], least: float = LEAST
) -> tuple[Floats, Floats]:
    """(N,) each, the shares that stand out of the samples inside the surface and beside the table,
    by their `change` (2S, n, 3K) there, on `sides` (S,)."""
    twice = np.concatenate([sides, sides + len(_EVERY)])
    count = np.concatenate([shore.count[sides]] * 2)
    out, _ = standing_out(change, shore.both.inside[twice], count, least)
    inside, beside = out[: len(sides)], out[len(sides) :]
    return shore.by_station(inside, sides), shore.by_station(beside, sides)


def _reaching(runs: list[Run], inside: Floats, beside: Floats) -> list[Run]:
    """Those `runs` by which something stands out `inside` the surface and `beside` the table."""
    return [
        r
        for r in runs
        if _many(inside > _INSIDE_SHARE, r, _NEAR) * STEP_MM >= _INSIDE_MM
        and _many(beside > _BESIDE_SHARE, r, _AROUND) * STEP_MM >= _BESIDE_MM
    ]


def _arms_at(runs: list[Run], shore: Shore) -> tuple[Arm, ...]:
    found = []
    for first, after in runs:
        middle = (first + after) // 2
        x, y = shore.at[middle]
        found.append(
            Arm(
                side=_SIDES[shore.side[middle]],
                at=Point(float(x), float(y)),
                width_mm=float((after - first) * STEP_MM),
            )
        )
    return tuple(found)


def _many(out: Bools, run: Run, apart: int) -> int:
    """How many stations are set from so many before a run to so many after it."""
    return int(out[max(run[0] - apart, 0) : run[1] + apart].sum())


def _has_edge(tint: Floats32, shore: Shore, run: Run) -> bool:
    """Whether the colour (4, n, 3K) of the border changes somewhere on a stretch as it does at an
    arm's edge, while a lamp's reflection fades."""
    side = int(shore.side[run[0]])
    first, count = int(shore.station[side, 0]), int(shore.count[side])
    look = tint[side, :count].reshape(count, -1, 3)
    look = look - median(np.ascontiguousarray(look.T)).T
    ends = run[0] - first, run[1] - first
    edge = _edges(np.asarray(look, dtype=np.float32), slice(*ends))
    inner = _clear(range(ends[0], ends[1] + 1), count)
    return any(edge(station) > _EDGE_SHARE for station in inner)


def _is_gleam_gone(picture: Picture, shore: Shore, run: Run) -> bool:
    """Whether it is the empty picture that stands out on a stretch of the border: a lamp was
    mirrored there, and is no more, so that the wood looks as it does along the rest of that side.
    """
    side = int(shore.side[run[0]])
    first, count = int(shore.station[side, 0]), int(shore.count[side])
    start, stop = run[0] - first, run[1] - first
    rest = np.ones(count, dtype=np.bool_)
    rest[max(start - _AROUND, 0) : stop + _AROUND] = False
    if rest.sum() < _AROUND:
        return False
    then, now = (
        look[start:stop] - median(np.ascontiguousarray(look[:count][rest].T)).T
        for look in shore.border.looks(picture, side)
    )
    gleamed, differs = (float(np.median(_length(look))) for look in (then, now))
    return then.mean() > 0 and gleamed > _GLEAM and differs < max(_WOOD, _WOOD_SHARE * gleamed)


def _solid(border: Floats32, shore: Shore, run: slice, moved: Moved | None) -> bool:
    """Whether what stands out on a stretch of the `border` (4, n, 3K) is more than light or shade.

    Light and shade change all channels alike, and not without end; a lamp's reflection fades away
    to both sides, where an arm has an edge, be it one to its own soft shadow.
    """
    side = int(shore.side[run.start])
    first, count = int(shore.station[side, 0]), int(shore.count[side])
    change = border[side, :count].reshape(count, -1, 3)
    usual = median(np.ascontiguousarray(change.reshape(-1, 3).T))
    start, stop = run.start - first, run.stop - first
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
        return sharp or (moved is not None and moved(run.start, run.stop))
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
        stirs = moved is not None and moved(run.start, run.stop)
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


def _runs(on: Bools, side: NDArray[np.intp]) -> list[Run]:
    """First and one after the last of every run along one side; a gap of one is bridged."""
    found: list[Run] = []
    before, of = -3, -1
    at = np.flatnonzero(on)
    for n, mine in zip(at.tolist(), side[at].tolist(), strict=True):
        if mine == of and n - before <= 2:
            found[-1] = found[-1][0], n + 1
        else:
            found.append((n, n + 1))
        before, of = n, mine
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bare:
    """The empty board in a quarter of the picture's size, ready to be compared: `looks` (3, h, w)
    its log codes, turned, in the `part` of the picture that shows the surface and a little more,
    which itself is `inner` (rows, columns) of it; `light` what gives the gain there. `scale_px` is
    how many of its pixels a millimetre spans.
    """

    part: Part
    looks: Floats32
    light: Surfaces
    inner: tuple[slice, slice]
    scale_px: float

    def change(self, now: Quarter, gain: Floats) -> Floats32:
        """(3, h, w) how brightness, red against blue, and green differ in a quarter, but for the
        light."""
        change = self.light.of((gain @ TURN.T).astype(np.float32))
        change += self.looks
        return np.subtract(
            turned(logs_of(now.of(self.part))).transpose(2, 0, 1), change, out=change
        )

    def usual(self, values: Floats32) -> float:
        """The median size of (h, w) values on the surface."""
        some = values[self.inner][::_SPARSE, ::_SPARSE].reshape(-1)
        return float(median(np.abs(some)))


def bare_of(table: Table, ground: Ground) -> Bare:
    """The empty board of `table`."""
    scale, box = _scale(table) / _CELL, ground.box
    around = _CELL * (int((_CLOSED_MM + _MARGIN_MM) * scale) + 1)
    height, width = table.empty.shape[:2]
    part = Part.about(
        (box.v0 - around, box.v1 + around), (box.u0 - around, box.u1 + around), (width, height)
    )
    (u0, v0), (wide, high) = part.origin, part.size(_CELL)
    middle = (_CELL - 1) / 2
    x = np.arange(wide) * float(_CELL) + middle + u0
    y = np.arange(high) * float(_CELL) + middle + v0
    looks = turned(logs_of(quarter_of(table.empty, part).codes))
    return Bare(
        part=part,
        looks=np.ascontiguousarray(looks.transpose(2, 0, 1)),
        light=ground.surfaces(np.clip(x, box.u0, box.u1), np.clip(y, box.v0, box.v1)),
        inner=(
            slice((box.v0 - v0) // _CELL, (box.v1 - v0) // _CELL),
            slice((box.u0 - u0) // _CELL, (box.u1 - u0) // _CELL),
        ),
        scale_px=scale,
    )


def _within(first: int, after: int, size: int) -> slice:
    return slice(max(first, 0), min(after, size))


def hidden(
    picture: Quarter, table: Table, bare: Bare, gain: Floats, found: tuple[Arm, ...]
) -> Bools:
    """(h, w), a quarter of the size of the part that is `bare`'s: what the arms hide, or may hide.

    What looks unlike the board (another colour, brighter, far darker) hides it where it hangs
    together with an arm.
    """
    level, red, green = bare.change(picture, gain)
    brighter = _STEADY_TIMES * bare.usual(level)
    even = cv2.blur(level, _WIDELY)
    otherwise = _OTHERWISE * bare.usual(even)
    steady = brighter <= _STEADY * 3**0.5
    brighter = min(max(brighter, _STEADY * 3**0.5), _BRIGHTER * 3**0.5)
    unlike = (level > brighter) | (level < -_DARKER * 3**0.5)
    for seen in ((red, green), *((cv2.blur(red, over), cv2.blur(green, over)) for over in _EVENED)):
        tint = np.asarray(cv2.magnitude(*seen), dtype=np.float32)
        unlike |= tint > max(_TINT, _TINT_TIMES * bare.usual(tint))
    if steady:
        unlike |= (even > otherwise) | (even < -_SHADED * 3**0.5)
    else:
        wider = _joined(unlike | (np.abs(even) > otherwise), table, bare, found)
        if wider[bare.inner].mean() < _MOSTLY:
            return wider
    return _joined(unlike, table, bare, found)


def _joined(unlike: Bools, table: Table, bare: Bare, found: tuple[Arm, ...]) -> Bools:
    """(h, w) what hangs together of what is `unlike` the board (h, w), joined over small gaps and
    filled, with a place where an arm comes in."""
    scale = bare.scale_px
    joined = cv2.morphologyEx(unlike.view(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale / 2))
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _disc(4.0 * scale))
    ways = np.zeros(unlike.shape, dtype=np.uint8)
    at = table.camera.project(np.array([[arm.at.x_mm, arm.at.y_mm, 0.0] for arm in found]))
    at = (at - bare.part.origin) / _CELL
    for (u, v), arm in zip(at.tolist(), found, strict=True):
        reach = max(arm.width_mm / 2 + 6.0, 20.0) * scale
        cv2.circle(ways, (int(u), int(v)), int(reach), 1, -1)
    whole = np.maximum(np.asarray(opened, dtype=np.uint8), ways)
    labels = cv2.connectedComponents(whole, connectivity=8)[1]
    kept: NDArray[np.uint8] = np.zeros(unlike.shape, dtype=np.uint8)
    for label in np.unique(labels[ways > 0]).tolist():
        cv2.bitwise_or(kept, cv2.inRange(labels, label, label), dst=kept)
    u, v, wide, high = cv2.boundingRect(kept)
    around = int((_CLOSED_MM + _MARGIN_MM) * scale) + 2
    rows = _within(v - around, v + high + around, kept.shape[0])
    columns = _within(u - around, u + wide + around, kept.shape[1])
    solid = cv2.morphologyEx(kept[rows, columns], cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale))
    full = cv2.dilate(_filled(np.asarray(solid, dtype=np.uint8)), _disc(_MARGIN_MM * scale))
    mask = np.zeros(unlike.shape, dtype=np.bool_)
    mask[rows, columns] = full > 0
    return mask


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    full = np.zeros_like(mask)
    cv2.drawContours(full, outlines, -1, 1, -1)
    return full


def _disc(radius_px: float) -> NDArray[np.uint8]:
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)))


def _scale(table: Table) -> float:
    """Pixels per millimetre at the surface's middle."""
    at = table.camera.project(np.array([[-50.0, 0, 0], [50, 0, 0], [0, -50, 0], [0, 50, 0]]))
    return float((np.hypot(*(at[1] - at[0])) + np.hypot(*(at[3] - at[2]))) / 200)
