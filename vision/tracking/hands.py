"""Hands over the surface while things move: told from cues by their width.

Works on the quarter-size map of what differs from the backdrop. A cue is thin and straight; a hand,
an arm or a sleeve is wide somewhere over the surface. What was there from the beginning is part of
the backdrop: it shows when it moves, and leaves a ghost, which is still.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
_KEEP = 400
_LEAST_CELLS = 6
_DIFFERS = 5  # how far a cell differs where something lies over it
_WIDE_MM = 20.0
_HAND_MM2 = 1500.0  # what is smaller is no hand
_CLOSE_MM, _TINTED = 100.0, 8.0  # codes, in as much light
_TINTS = 300  # so many pixels of a hand are enough


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What lay over the surface in one frame that is no piece. Lengths in millimetres.

    `width_mm` is that of the widest place, `moving` how many square millimetres changed since the
    frame before. `mask` holds what is wide (255), None where nothing is.
    """

    at_ms: float
    area_mm2: float
    width_mm: float
    moving_mm2: float
    mask: Gray | None


class HandWatch:
    """Keeps the last glimpses and says when a hand was over the surface.

    `surface` (255 on it) has cells of `cell_mm`, `cell_px` pixels each, from the picture's pixel
    `corner_px` (row, column) on.
    """

    def __init__(
        self, surface: Gray, cell_mm: float, cell_px: int, corner_px: tuple[int, int]
    ) -> None:
        self.surface = surface
        self.cell_mm = cell_mm
        self._cell_px = cell_px
        self._corner_px = corner_px
        self._last: Gray | None = None
        self._tints: tuple[Glimpse, NDArray[np.float64]] | None = None
        self.glimpses: deque[Glimpse] = deque(maxlen=_KEEP)

    def glimpses_since(self, span_s: float) -> list[Glimpse]:
        """The glimpses of the last `span_s` seconds."""
        if not self.glimpses:
            return []
        start = self.glimpses[-1].at_ms - 1000 * span_s
        return [glimpse for glimpse in self.glimpses if glimpse.at_ms >= start]

    def was_over(self, span_s: float) -> bool:
        """Whether something as large as a hand was over the surface in the last seconds."""
        return any(glimpse.area_mm2 > _HAND_MM2 for glimpse in self.glimpses_since(span_s))

    def cells(self, view: tuple[slice, slice]) -> tuple[slice, slice]:
        """The cells that a box of the picture lies in."""
        rows, columns = (
            slice(
                max((part.start - corner) // self._cell_px, 0),
                max(-(-(part.stop - corner) // self._cell_px), 0),
            )
            for part, corner in zip(view, self._corner_px, strict=True)
        )
        return rows, columns

    def pixels(self, mask: Gray) -> tuple[tuple[slice, slice], Gray]:
        """A box of the picture around what a `mask` of cells holds, and 255 in it where that is."""
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        part = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        top, left = (
            corner + self._cell_px * int(first)
            for corner, first in zip(self._corner_px, (rows[0], columns[0]), strict=True)
        )
        high, wide = (self._cell_px * side for side in part.shape)
        whole = cv2.resize(part, (wide, high), interpolation=cv2.INTER_NEAREST)
        return (slice(top, top + high), slice(left, left + wide)), np.asarray(whole, dtype=np.uint8)

    def any_wide(self, span_s: float) -> bool:
        """Whether anything as wide as a hand was over the surface in the last seconds."""
        return any(glimpse.mask is not None for glimpse in self.glimpses_since(span_s))

    def share_over(self, view: tuple[slice, slice]) -> float:
        """How much of a box of the picture something wide hid in the frame before."""
        if not self.glimpses or self.glimpses[-1].mask is None:
            return 0.0
        part = self.glimpses[-1].mask[self.cells(view)]
        return float((part > 0).mean()) if part.size else 0.0

    def hides_any(self, v: NDArray[np.intp], u: NDArray[np.intp]) -> bool:
        """Whether something wide hid any of the pixels at rows `v`, columns `u`."""
        mask = self.glimpses[-1].mask if self.glimpses else None
        if mask is None:
            return False
        rows = (v - self._corner_px[0]) // self._cell_px
        columns = (u - self._corner_px[1]) // self._cell_px
        inside = (rows >= 0) & (columns >= 0) & (rows < mask.shape[0]) & (columns < mask.shape[1])
        return bool((mask[rows[inside], columns[inside]] > 0).any())

    def strangest(self) -> Gray | None:
        """255 on all that differed in the frame before, however thin; None where nothing did."""
        if self._last is None or not (self._last > _DIFFERS).any():
            return None
        return np.where(self._last > _DIFFERS, 255, 0).astype(np.uint8)

    def largest(self) -> Gray | None:
        """255 on the largest blob of the frame before, wide or not; None where there is none."""
        if self._last is None:
            return None
        _, strange = cv2.threshold(self._last, _DIFFERS, 1, cv2.THRESH_BINARY)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
        if count < 2:
            return None
        sizes = np.array(stats).reshape(-1, 5)[1:, cv2.CC_STAT_AREA]
        return np.where(labels == 1 + int(sizes.argmax()), 255, 0).astype(np.uint8)

    def tints(
        self, picture: NDArray[np.uint8], begun: NDArray[np.uint8] | None
    ) -> NDArray[np.float64]:
        """(N, 3) colours of `picture` where something wide was in the frame before.

        In gray, skin may be as bright as the board: of what lies close by, that counts as well
        whose colour has changed since the still picture `begun`, darker or not.
        """
        glimpse = self.glimpses[-1] if self.glimpses else None
        if glimpse is None or glimpse.mask is None or picture.ndim != 3:
            return np.zeros((0, 3))
        if self._tints is None or self._tints[0] is not glimpse:
            found = _some(self._colours(picture, glimpse.mask))
            if begun is not None:
                close = self._close_to(glimpse.mask)
                seen = self._colours(picture, close)
                changed = _differs(seen, self._colours(begun, close))
                found = np.concatenate([found, _some(seen[changed])])
            self._tints = glimpse, found
        return self._tints[1]

    def strange(
        self,
        cells: tuple[slice, slice],
        picture: NDArray[np.uint8],
        known: Sequence[NDArray[np.uint8]],
    ) -> NDArray[np.bool_]:
        """(rows, columns) of a box of cells: which have, but for light, the colour of no `known`.

        Pictures and `known` are (H, W, 3). Skin may be as bright as the board: in gray it shows
        nowhere then.
        """
        box = self.surface[cells]
        rows, columns = (axis.ravel() for axis in np.indices(box.shape))
        within = self._middles(rows + (cells[0].start), columns + (cells[1].start))
        seen = picture[within].astype(np.float64)
        strange = np.logical_and.reduce(
            [_differs(seen, k[within].astype(np.float64)) for k in known]
        )
        return np.asarray(strange.reshape(box.shape), dtype=np.bool_)

    def and_about(self, mask: Gray, reach_mm: float) -> Gray:
        """255 on the surface within what a `mask` of cells holds, or so near to it."""
        wide = 2 * round(reach_mm / self.cell_mm) + 1
        about = cv2.dilate(mask, np.ones((wide, wide), np.uint8))
        return np.asarray(cv2.bitwise_and(about, self.surface), dtype=np.uint8)

    def _close_to(self, mask: Gray) -> Gray:
        """255 on the surface around what is wide, 0 on it."""
        return np.where(mask == 0, self.and_about(mask, _CLOSE_MM), 0).astype(np.uint8)

    def _colours(self, picture: NDArray[np.uint8], mask: Gray) -> NDArray[np.float64]:
        """(N, 3) colours of a picture in the middle of each cell of a mask."""
        return picture[self._middles(*np.nonzero(mask))].astype(np.float64)

    def _middles(
        self, rows: NDArray[np.intp], columns: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """(N,) rows and (N,) columns of the picture in the middle of cells."""
        middle = self._cell_px // 2
        return (
            self._corner_px[0] + self._cell_px * rows + middle,
            self._corner_px[1] + self._cell_px * columns + middle,
        )

    def hidden(
        self, view: tuple[slice, slice], shape: tuple[int, int], *, over: bool = True
    ) -> Gray | None:
        """Where something wide hid a box of the picture in the frame before: (rows, columns) of
        `shape`, 255 there and beside the surface; `over` False: only beside it. None where nothing
        wide was."""
        mask = self.glimpses[-1].mask if self.glimpses else None
        if mask is None:
            return None
        away = cv2.bitwise_not(self.surface)
        if over:
            away = cv2.bitwise_or(mask, away)
        away = cv2.dilate(away, np.ones((3, 3), np.uint8))
        v0, u0 = self._corner_px
        rows = np.linspace(view[0].start, view[0].stop - 1, shape[0]).astype(np.intp)
        columns = np.linspace(view[1].start, view[1].stop - 1, shape[1]).astype(np.intp)
        rows = np.clip((rows - v0) // self._cell_px, 0, away.shape[0] - 1)
        columns = np.clip((columns - u0) // self._cell_px, 0, away.shape[1] - 1)
        return np.asarray(away[np.ix_(rows, columns)], dtype=np.uint8)

    def look(self, at_ms: float, change: Gray, pieces: Gray) -> Glimpse:
        """`change`: how far cells differ from the backdrop; `pieces`: 255 where pieces are."""
        bare = np.asarray(cv2.bitwise_and(change, self.surface), dtype=np.uint8)
        bare[pieces > 0] = 0
        _, strange = cv2.threshold(bare, _DIFFERS, 1, cv2.THRESH_BINARY)
        area = width = moving = 0.0
        mask: Gray | None = None
        if cv2.countNonZero(strange) >= _LEAST_CELLS:
            left, top, across, down = cv2.boundingRect(strange)
            box = (
                slice(max(top - 1, 0), top + down + 1),
                slice(max(left - 1, 0), left + across + 1),
            )
            whole = cv2.morphologyEx(strange[box], cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            area, width, part = self._shapes(np.asarray(whole, dtype=np.uint8))
            if part is not None:
                mask = np.zeros_like(bare)
                mask[box] = part
            if self._last is not None:
                jump = cv2.absdiff(bare[box], self._last[box])
                moving = float(((jump > _DIFFERS) & (whole > 0)).sum()) * self.cell_mm**2
        self._last = bare
        glimpse = Glimpse(at_ms, area, width, moving, mask)
        self.glimpses.append(glimpse)
        return glimpse

    def _shapes(self, strange: Gray) -> tuple[float, float, Gray | None]:
        """The area of all blobs, the width of the widest, and 255 on those that are wide."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
        sizes = np.array(stats).reshape(-1, 5)[:, cv2.CC_STAT_AREA]
        large = sizes >= _LEAST_CELLS
        large[0] = False
        area = float(sizes[large].sum()) * self.cell_mm**2
        if count < 2 or not large.any():
            return area, 0.0, None
        framed = cv2.copyMakeBorder(strange, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
        deep = cv2.distanceTransform(framed, cv2.DIST_L2, 3)[1:-1, 1:-1]
        width = (2 * float(deep.max()) - 1) * self.cell_mm
        if width <= _WIDE_MM:
            return area, width, None
        wide = np.zeros(count, dtype=np.uint8)
        wide[labels[deep > 0.5 * (_WIDE_MM / self.cell_mm + 1)]] = 255
        return area, width, wide[labels]


def _differs(seen: NDArray[np.float64], lay: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) which of the colours (N, 3) `seen` are not those that `lay` there, darker or not."""
    light = seen.sum(axis=1) / np.maximum(lay.sum(axis=1), 1.0)
    return np.asarray(np.abs(seen - light[:, None] * lay).max(axis=1) > _TINTED)


def _some(colours: NDArray[np.float64]) -> NDArray[np.float64]:
    """Not many more than `_TINTS` of them, in even steps."""
    return colours[:: len(colours) // _TINTS + 1]
