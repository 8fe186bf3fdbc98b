"""Hands over the surface while things move: told from cues by their width.

Works on the quarter-size map of what differs from the backdrop. A cue is thin and straight; a hand,
an arm or a sleeve is wide somewhere over the surface. What was there from the beginning is part of
the backdrop: it shows when it moves, and leaves a ghost, which is still.
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.geometry import Seat

Gray = NDArray[np.uint8]
_KEEP = 400


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What lay over the surface in one frame that is no piece. Lengths in millimetres.

    `width_mm` is that of the widest place, `moving` how many square millimetres changed since the
    frame before.
    """

    at_ms: float
    area_mm2: float
    width_mm: float
    moving_mm2: float
    mask: Gray


class HandWatch:
    """Keeps the last glimpses and says when a hand was over the surface."""

    def __init__(self, surface: Gray, cell_mm: float) -> None:
        self.surface = surface > 0
        self.cell_mm = cell_mm
        self._last: Gray | None = None
        self.glimpses: deque[Glimpse] = deque(maxlen=_KEEP)

    def glimpses_since(self, span_s: float) -> list[Glimpse]:
        """The glimpses of the last `span_s` seconds."""
        if not self.glimpses:
            return []
        start = self.glimpses[-1].at_ms - 1000 * span_s
        return [glimpse for glimpse in self.glimpses if glimpse.at_ms >= start]

    def look(self, at_ms: float, change: Gray, pieces: Gray) -> Glimpse:
        """`change`: how far cells differ from the backdrop; `pieces`: 255 where pieces are."""
        bare = np.where(pieces > 0, 0, change).astype(np.uint8)
        strange = ((bare > 5) & self.surface).astype(np.uint8)
        area = width = moving = 0.0
        mask = np.zeros_like(strange)
        if strange.any():
            closed = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            strange = np.asarray(closed, dtype=np.uint8)
            count, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
            stats = stats.reshape(-1, 5)
            for k in range(1, count):
                size = int(stats[k, cv2.CC_STAT_AREA])
                if size < 6:
                    continue
                left, top = int(stats[k, cv2.CC_STAT_LEFT]), int(stats[k, cv2.CC_STAT_TOP])
                right = left + int(stats[k, cv2.CC_STAT_WIDTH])
                low = top + int(stats[k, cv2.CC_STAT_HEIGHT])
                part = (labels[top:low, left:right] == k).astype(np.uint8)
                deep = cv2.distanceTransform(np.pad(part, 1), cv2.DIST_L2, 3)
                across = (2 * float(deep.max()) - 1) * self.cell_mm
                if across > width:
                    width = across
                area += size * self.cell_mm**2
                if across > 20:
                    mask[top:low, left:right] |= part
            if self._last is not None:
                jump = cv2.absdiff(bare, self._last)
                moving = float(((jump > 5) & (strange > 0)).sum()) * self.cell_mm**2
        self._last = bare
        glimpse = Glimpse(at_ms, area, width, moving, mask * 255)
        self.glimpses.append(glimpse)
        return glimpse


def seat_of(mask: Gray, surface: Gray) -> Seat | None:
    """The border that the blob lies against most."""
    rows, cols = np.nonzero(mask)
    if not len(rows):
        return None
    inside = np.argwhere(surface > 0)
    (top, left), (low, right) = inside.min(0), inside.max(0)
    gaps = {
        Seat.N: rows.min() - top,
        Seat.S: low - rows.max(),
        Seat.W: cols.min() - left,
        Seat.E: right - cols.max(),
    }
    return min(gaps, key=lambda seat: gaps[seat])
