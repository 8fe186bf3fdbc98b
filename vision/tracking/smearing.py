"""A drawn piece smeared by its run, and made ready for the fit: compiled, as it is often done."""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled
from vision.tracking.plane import Patch

Points = NDArray[np.float32]
Rows = tuple[Patch, Points, Patch, Patch, Patch, Points]
_SHOWS = 0.3  # of a pixel, or more, hidden: so much of it is the piece


@compiled("(float64, float64)")
def streak(bx: float, by: float) -> Patch:
    """A line kernel over (bx, by) pixels, its mass even along the way and centred."""
    far = max(abs(bx), abs(by))
    reach = ceil(far / 2)
    many = int(4 * far) + 8
    side = 2 * reach + 3
    kernel = np.zeros((side, side), dtype=np.float64)
    for k in range(many):
        part = (k + 0.5) / many - 0.5
        x, y = reach + 1 + bx * part, reach + 1 + by * part
        column, row = int(np.floor(x)), int(np.floor(y))
        fx, fy = x - column, y - row
        kernel[row, column] += (1 - fx) * (1 - fy)
        kernel[row, column + 1] += fx * (1 - fy)
        kernel[row + 1, column] += (1 - fx) * fy
        kernel[row + 1, column + 1] += fx * fy
    smear: Patch = (kernel / kernel.sum()).astype(np.float32)
    return smear


@compiled("(float32[:,:,::1],)")
def shows(drawn: Patch) -> NDArray[np.uint8]:
    """1 where a piece of which `drawn` (n, n, 2) is what it hides and its layer is to be seen."""
    high, wide = drawn.shape[:2]
    mask = np.empty((high, wide), dtype=np.uint8)
    for row in range(high):
        for column in range(wide):
            mask[row, column] = drawn[row, column, 0] > np.float32(_SHOWS)
    return mask


@compiled(
    "(float32[:,:,::1], uint8[:,::1], float32[:,::1], float32[:,::1], float32[:,::1], float64,"
    " float64, float64)"
)
def rows_of(
    drawn: Patch,
    near: NDArray[np.uint8],
    grid_x: Patch,
    grid_y: Patch,
    rho: Patch,
    hole_mm: float,
    radius_mm: float,
    step_mm: float,
) -> Rows:
    """The pixels that are `near` and beyond the hole as rows of numbers, those of `Layers`.

    What shows in the hole shifts against the rim as the piece runs. The outermost pixels are left
    out: a pixel's neighbours tell how it falls off there.
    """
    side = len(near)
    many = 0
    places = np.empty((side * side, 2), dtype=np.int64)
    for row in range(1, side - 1):
        for column in range(1, side - 1):
            if near[row, column] and not rho[row, column] < np.float32(hole_mm):
                places[many, 0], places[many, 1] = row, column
                many += 1
    at_mm, lights = np.empty((2, many), np.float32), np.empty((4, many), np.float32)
    through, around = np.empty(many, np.float32), np.empty(many, np.float32)
    through_falls, layer_falls = np.empty((2, many), np.float32), np.empty((2, many), np.float32)
    slope, tilt = np.float32(0.5 / step_mm), np.float32(1 / radius_mm)
    for i in range(many):
        row, column = places[i]
        cover, layer = drawn[row, column]
        x_mm, y_mm = grid_x[row, column], grid_y[row, column]
        at_mm[0, i], at_mm[1, i] = x_mm, y_mm
        through[i] = np.float32(1.0) - cover
        around[i] = min(max(cover, np.float32(0.5)), np.float32(1.0))
        lights[0, i], lights[1, i] = layer, cover
        lights[2, i], lights[3, i] = tilt * cover * x_mm, tilt * cover * y_mm
        right, left = drawn[row, column + 1], drawn[row, column - 1]
        below, above = drawn[row + 1, column], drawn[row - 1, column]
        through_falls[0, i], layer_falls[0, i] = (
            slope * (right[0] - left[0]),
            slope * (left[1] - right[1]),
        )
        through_falls[1, i], layer_falls[1, i] = (
            slope * (below[0] - above[0]),
            slope * (above[1] - below[1]),
        )
    return at_mm, through, lights, through_falls, layer_falls, around
