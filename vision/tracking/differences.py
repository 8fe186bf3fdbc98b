"""Where a picture differs from the backdrop about a place, coarsely: where to look for a piece."""

from dataclasses import dataclass
from math import hypot, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import Body
from vision.tracking.instant import Instant
from vision.tracking.plane import Patch, Plane, Spot
from vision.tracking.stamp import Cover

Gray = NDArray[np.uint8]
_PALE = 15.0  # codes
_SHOWS, _OVER_NOISE = 2.0, 2.5  # codes off, on average over nine cells
_SMALLEST, _MOST = 0.4, 3
_MARGIN = 1.4


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """`gap` (rows, columns): by how many codes the picture is lighter than the backdrop `under`.

    A cell is `factor` pixels wide, the first begins at pixel (`left`, `top`), and `spot` is where
    the middle of the search is seen. What hands and other pieces hide differs by nothing.
    """

    gap: Patch
    under: Patch
    factor: int
    left: int
    top: int
    spot: Spot
    plane: Plane
    origin: tuple[float, float]

    @property
    def scale(self) -> float:
        """Pixels to a millimetre."""
        return sqrt(abs(self.spot.ux * self.spot.vy - self.spot.uy * self.spot.vx))

    @property
    def per_cell(self) -> float:
        """Pixels of a stamp's patch, times this, are cells."""
        return self.scale * self.plane.step_mm / self.factor

    def place(self, column: float, row: float) -> tuple[float, float]:
        """The place on the board, mm, that is seen at a point counted in cells."""
        u = self.left + column * self.factor - 0.5
        v = self.top + row * self.factor - 0.5
        return self.plane.place(u, v, self.origin)


def is_pale(body: Body) -> bool:
    """Whether a piece is as pale as the board: by its hole and its rim alone it shows."""
    return abs(body.stamp.edge - body.stamp.level) < _PALE


def differing(
    now: Instant,
    body: Body,
    reach_mm: float,
    others: tuple[Cover, ...],
    *,
    in_sight: bool = False,
) -> Difference | None:
    """How the picture differs from the backdrop within reach of where a piece was last seen.

    `in_sight`: also where a hand seems to be. None where nearly nothing of that is in the picture.
    """
    stamp, origin = body.stamp, body.last
    plane = stamp.plane
    spot = plane.spot(*origin)
    scale = abs(spot.ux * spot.vy - spot.uy * spot.vx) ** 0.5
    factor = 4 if body.known.radius_mm * scale > 11 and not is_pale(body) else 2
    half = int((reach_mm + body.known.radius_mm + 8) * scale)
    height, width = now.picture.shape
    left, top = max(int(spot.u) - half, 0), max(int(spot.v) - half, 0)
    right, low = min(int(spot.u) + half, width), min(int(spot.v) + half, height)
    columns, rows = (right - left) // factor, (low - top) // factor
    if columns < 4 or rows < 4:
        return None
    view = (slice(top, top + rows * factor), slice(left, left + columns * factor))
    under = _coarse(now.ground.backdrop[view], factor)
    gap = _coarse(now.picture[view], factor) - under
    hidden = now.hands.hidden(view, (rows, columns), over=not in_sight)
    if hidden is not None:
        gap[hidden > 0] = 0.0
    for cover in others:
        seen = plane.spot(cover.x_mm, cover.y_mm)
        at = (round((seen.u - left) / factor), round((seen.v - top) / factor))
        away = (cover.stamp.radius_mm + 2 + 0.5 * hypot(*cover.blur_mm)) * scale / factor
        cv2.circle(gap, at, max(1, round(away)), 0.0, -1)
    return Difference(gap, under, factor, left, top, spot, plane, origin)


def blots(
    seen: Difference, sign: Patch, radius_mm: float, smear: float
) -> list[tuple[float, float]]:
    """Places of what is as large as a piece smeared by its run, and as light or dark in all.

    `sign` is how the piece differs from the board when it lies still: smeared, however far, it
    differs by as much in all. `smear`: the share of its way that it runs while the shutter is open.
    """
    off = cv2.blur(np.abs(seen.gap), (3, 3))
    shown = (off > max(_SHOWS, _OVER_NOISE * float(np.median(off)))).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(shown, connectivity=8)
    across = 2 * radius_mm * seen.scale / seen.factor
    middle = ((seen.spot.u - seen.left) / seen.factor, (seen.spot.v - seen.top) / seen.factor)
    whole, most = float(sign.sum()), float(np.abs(sign).sum())
    found = []
    for k in range(1, count):
        left, top, wide, high, area = (int(n) for n in stats[k])
        column, row = left + wide / 2, top + high / 2
        long = across + smear * hypot(column - middle[0], row - middle[1])
        least = _SMALLEST * np.pi * across**2 / 4
        if area < least or max(wide, high) > _MARGIN * long + 2:
            continue
        amount = float(seen.gap[labels == k].sum())
        found.append((abs(amount - whole) / most, seen.place(column, row)))
    return [place for off, place in sorted(found) if off < 1.0][:_MOST]


def _coarse(part: Gray, factor: int) -> Patch:
    for _ in range(factor // 2):
        size = (part.shape[1] // 2, part.shape[0] // 2)
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return part.astype(np.float32)
