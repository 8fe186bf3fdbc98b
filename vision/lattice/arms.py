"""An arm over a lattice board, and which places it hides.

Whatever reaches over the surface comes from outside. So the table's edge is walked along in three
rings (beside the table, on the border, just inside the surface): an arm differs from the empty
picture in all three at the same place, by more than that side differs anywhere else. Skin may look
like wood, so the bar is set by each side itself: under steady light a few percent tell.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.geometry import Point, Seat
from vision.crossings import STEP_MM
from vision.frame import Picture
from vision.lattice.medians import median
from vision.lattice.shade import LOG, TURN, Ground
from vision.lattice.shore import Floats32, Shore, standing_out
from vision.lattice.shrunk import FOUR_TIMES, Part, Shrunk, shrunk

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Moved = Callable[[int, int], bool]

_BORDER_MM, _INSIDE_MM, _BESIDE_MM = 28.0, 16.0, 20.0
_NEAR, _AROUND = 6, 12
_OTHER_TINT, _LIGHTER, _NO_SHADOW, _OTHER_SHARE = 0.05, 0.25, 0.9, 0.25
"""What is no shadow: another colour, or darker than any, on so much of it; else it is lighter."""
_SIDES = (Seat.S, Seat.E, Seat.N, Seat.W)
_EDGE, _EDGE_SHARE = 3, 0.29
"""An arm's edge: within so many stations it changes by this share of all it changes."""
_CELL = FOUR_TIMES
_TINT = 0.04
_TINT_TIMES = 4.0
_BRIGHTER = 0.25
_DARKER = 0.7
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
    picture: Shrunk, shore: Shore, *, certain: bool = True, moved: Moved | None = None
) -> tuple[Arm, ...]:
    """Every arm that reaches over the surface in a picture.

    Where not `certain` is asked for, whatever may be an arm; say, while one was there just now.
    `moved` says of stations, first and one after the last, whether the border moved there a moment
    ago, as it does under an arm but never under a lamp's reflection.
    """
    every = np.arange(4)
    change = shore.border.change(picture.half, every)
    border = standing_out(change, shore, shore.border, every)
    runs = [r for r in _runs(border > 0.5, shore.side) if (r[1] - r[0]) * STEP_MM >= _BORDER_MM]
    if certain:
        runs = [r for r in runs if _solid(change, shore, slice(*r), moved)]
    if not runs:
        return ()
    ends = [n for a, b in runs for n in (max(a - _AROUND, 0), min(b + _AROUND, len(border)) - 1)]
    sides = np.unique(shore.side[ends])
    for ring, apart, share, least_mm in (
        (shore.inside, _NEAR, 0.35, _INSIDE_MM),
        (shore.beside, _AROUND, 0.4, _BESIDE_MM),
    ):
        out = standing_out(ring.change(picture.half, sides), shore, ring, sides) > share
        runs = [r for r in runs if _many(out, r, apart) * STEP_MM >= least_mm]
        if not runs:
            return ()
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


def _many(out: Bools, run: tuple[int, int], apart: int) -> int:
    """How many stations are set from so many before a run to so many after it."""
    return int(out[max(run[0] - apart, 0) : run[1] + apart].sum())


def _solid(border: Floats32, shore: Shore, run: slice, moved: Moved | None) -> bool:
    """Whether what stands out on a stretch of the `border` (4, n, 3K) is more than light or shade.

    Light and shade change all channels alike, and not without end; a lamp's reflection fades away
    to both sides, where an arm has an edge.
    """
    side = int(shore.side[run.start])
    first, count = int(shore.station[side, 0]), int(shore.count[side])
    change = border[side, :count].reshape(count, -1, 3)
    rest = (change - median(np.ascontiguousarray(change.reshape(-1, 3).T))) @ TURN.T
    within = slice(run.start - first, run.stop - first)
    steps = np.linalg.norm(rest[_EDGE:] - rest[:-_EDGE], axis=2)
    height = np.linalg.norm(rest[within], axis=2).max(axis=0)
    ends = [slice(max(e - _EDGE - 3, 0), max(e + 3, 1)) for e in (within.start, within.stop)]
    edges = [steps[end].max(axis=0, initial=0.0) / np.maximum(height, 1e-6) for end in ends]
    sharp = [float(median(edge)) > _EDGE_SHARE for edge in edges]
    level = rest[within, :, 0] / np.sqrt(3)
    tint = np.hypot(rest[within, :, 1], rest[within, :, 2])
    other = (tint > _OTHER_TINT) | (level < -_NO_SHADOW)
    if other.mean() > _OTHER_SHARE:
        return any(sharp) or (moved is not None and moved(run.start, run.stop))
    return all(sharp) and bool((level > _LIGHTER).mean() > 0.5)


def _runs(on: Bools, side: NDArray[np.intp]) -> list[tuple[int, int]]:
    """First and one after the last of every run along one side; a gap of one is bridged."""
    found: list[tuple[int, int]] = []
    if not on.any():
        return found
    for first, after in pairwise(np.searchsorted(side, np.arange(5)).tolist()):
        bridged = on[first:after].copy()
        if not bridged.any():
            continue
        bridged[1:-1] |= bridged[:-2] & bridged[2:]
        steps = np.diff(np.concatenate([[0], bridged.astype(np.int8), [0]]))
        starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        found += [(int(first + a), int(first + b)) for a, b in zip(starts, stops, strict=True)]
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bare:
    """The empty board's part of the picture in a quarter of its size, ready to be compared: `logs`
    (h, w, 3) its log codes, `terms` (10, h * w) of the gain, `inner` (rows, columns) where the
    surface is. `scale_px` is how many of its pixels a millimetre spans.
    """

    part: Part
    size: tuple[int, int]
    logs: Floats32
    terms: Floats32
    inner: tuple[slice, slice]
    scale_px: float

    def change(self, now: Picture, gain: Floats) -> Floats32:
        """(3, h, w) how brightness, red against blue, and green differ, but for the light."""
        smooth = gain.T.astype(np.float32) @ self.terms
        logs = cv2.LUT(now, LOG.reshape(1, -1)) - self.logs
        change = logs.reshape(-1, 3).T - smooth
        return np.asarray((TURN @ change).reshape(3, *self.size), dtype=np.float32)


def bare_of(table: Table, ground: Ground) -> Bare:
    """The empty board of `table`."""
    part = ground.part
    quarter = shrunk(table.empty, part).quarter
    height, width = quarter.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width]
    points = np.column_stack([columns.ravel(), rows.ravel()]) * float(_CELL) + (_CELL - 1) / 2
    points += part.origin
    box = ground.box
    points = np.clip(points, (box.u0, box.v0), (box.u1, box.v1))
    u0, v0 = part.origin
    return Bare(
        part=part,
        size=(height, width),
        logs=LOG[quarter],
        terms=np.ascontiguousarray(ground.terms(points).T, dtype=np.float32),
        inner=(
            slice((box.v0 - v0) // _CELL, (box.v1 - v0) // _CELL),
            slice((box.u0 - u0) // _CELL, (box.u1 - u0) // _CELL),
        ),
        scale_px=_scale(table) / _CELL,
    )


def hidden(
    picture: Shrunk, table: Table, bare: Bare, gain: Floats, found: tuple[Arm, ...]
) -> Bools:
    """(h, w), a quarter of the size of the picture's part: what the arms hide, or may hide.

    What looks unlike the board (another colour, brighter, far darker) is joined over small gaps and
    filled; of that, whatever hangs together with a place where an arm comes in.
    """
    change = bare.change(picture.quarter, gain)
    tint = cv2.magnitude(change[1], change[2])
    bar = max(_TINT, _TINT_TIMES * float(median(tint[bare.inner].reshape(-1))))
    level = change[0] * np.float32(3**-0.5)
    unlike = (tint > bar) | (level > _BRIGHTER) | (level < -_DARKER)
    scale = bare.scale_px
    joined = cv2.morphologyEx(
        unlike.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale / 2)
    )
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _disc(4.0 * scale))
    ways = np.zeros(bare.size, dtype=np.uint8)
    for arm in found:
        px = table.camera.project(np.array([[arm.at.x_mm, arm.at.y_mm, 0.0]]))[0]
        at = (px - bare.part.origin) / _CELL
        reach = max(arm.width_mm / 2 + 6.0, 20.0) * scale
        cv2.circle(ways, (int(at[0]), int(at[1])), int(reach), 1, -1)
    whole = np.maximum(np.asarray(opened, dtype=np.uint8), ways)
    _, labels = cv2.connectedComponents(whole, connectivity=8)
    let_in = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
    let_in[labels[ways > 0]] = True
    kept = let_in[labels] & (whole > 0)
    solid = cv2.morphologyEx(kept.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale))
    full = _filled(np.asarray(solid, dtype=np.uint8))
    return np.asarray(cv2.dilate(full, _disc(_MARGIN_MM * scale)) > 0)


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
