"""A piece drawn, smeared by its run and made ready for the fit: compiled, as it is often done."""

from math import ceil

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled, inlined
from vision.tracking.plane import Patch

Points = NDArray[np.float32]
Rows = tuple[Patch, Points, Patch, Patch, Patch, Points]
_BENEATH_MM = 0.02  # nearer, the foot is seen right beneath the top
_SHOWS = 0.3  # of a pixel, or more, hidden: so much of it is the piece


@inlined
def _edge(inside_mm: np.float32, per_mm: np.float32) -> np.float32:
    """0 outside, 1 inside, and between them a blurred edge (smoothstep)."""
    part = min(max(inside_mm * per_mm + np.float32(0.5), np.float32(0.0)), np.float32(1.0))
    return part * part * (3 - 2 * part)


@compiled(
    "(float32[:,::1], float32[:,::1], float32[:,::1], float64, float64, float64, float64, float64)"
)
def shapes(
    grid_x: Patch,
    grid_y: Patch,
    rho: Patch,
    radius_mm: float,
    lean: float,
    foot_x_mm: float,
    foot_y_mm: float,
    soft_mm: float,
) -> tuple[Patch, Patch]:
    """Soft masks of the top and of the whole silhouette (hull of top and foot circles).

    The foot is seen so far from the top; `lean` is how much smaller it is seen, being farther away.
    `soft_mm`: one sd of how edges are blurred.
    """
    top = np.empty_like(rho)
    per_mm, radius = np.float32(1 / (4.47 * soft_mm)), np.float32(radius_mm)
    high, wide = rho.shape
    for row in range(high):
        for column in range(wide):
            top[row, column] = _edge(radius - rho[row, column], per_mm)
    hull = top.copy()
    far = np.hypot(foot_x_mm, foot_y_mm)
    if far >= _BENEATH_MM:
        ux, uy = np.float32(foot_x_mm / far), np.float32(foot_y_mm / far)
        length, shrinks = np.float32(far), np.float32(radius_mm * lean / far)
        for row in range(high):
            for column in range(wide):
                x, y = grid_x[row, column], grid_y[row, column]
                along = min(max(x * ux + y * uy, np.float32(0.0)), length)
                off = np.hypot(x - along * ux, y - along * uy)
                wall = _edge(radius - along * shrinks - off, per_mm)
                hull[row, column] = max(wall, hull[row, column])
    return top, hull


@inlined
def _lit(
    even: float, tilt_x: float, tilt_y: float, x: np.float32, y: np.float32, rho: np.float32
) -> np.float32:
    tilt = np.float32(tilt_x) * x + np.float32(tilt_y) * y
    lit = np.float32(even) + tilt / max(rho, np.float32(1.0))
    return np.float32(min(max(lit, np.float32(0.0)), np.float32(255.0)))


@compiled("(float32[:,::1], float32[:,::1], float32[:,::1], float64, float64, float64)")
def wall(
    grid_x: Patch, grid_y: Patch, rho: Patch, even: float, tilt_x: float, tilt_y: float
) -> Patch:
    """How bright the wall is in each direction: on the side of a low lamp more than behind.

    `even`: all round, in codes; `tilt_x`, `tilt_y`: how much brighter along x and y.
    """
    bright = np.empty_like(rho)
    for row in range(len(rho)):
        for column in range(len(rho)):
            x, y, far = grid_x[row, column], grid_y[row, column], rho[row, column]
            bright[row, column] = _lit(even, tilt_x, tilt_y, x, y, far)
    return bright


@compiled(
    "(float32[:,::1], float32[:,::1], float32[:,::1], float32[:,::1], float64, float32[:,::1],"
    " float32[:,::1], float32[:,::1], float64, float64, float64)"
)
def standing(
    top: Patch,
    hull: Patch,
    shade: Patch,
    looks: Patch,
    edge: float,
    grid_x: Patch,
    grid_y: Patch,
    rho: Patch,
    even: float,
    tilt_x: float,
    tilt_y: float,
) -> Patch:
    """(n, n, 2) how much of the board a piece hides or shades, and its layer: top and wall.

    `looks` (m, m) is what its top shows, about the same centre; farther out it is as bright as its
    `edge`. `shade`: how much of its light the board keeps. The wall as in `wall`.
    """
    side = len(rho)
    drawn = np.empty((side, side, 2), dtype=np.float32)
    shift = (len(looks) - side) // 2
    for row in range(side):
        for column in range(side):
            covers, whole = top[row, column], hull[row, column]
            shows = np.float32(edge)
            i, j = row + shift, column + shift
            if 0 <= i < len(looks) and 0 <= j < len(looks):
                shows = looks[i, j]
            x, y, far = grid_x[row, column], grid_y[row, column], rho[row, column]
            lit = _lit(even, tilt_x, tilt_y, x, y, far)
            drawn[row, column, 0] = 1 - (1 - whole) * shade[row, column]
            drawn[row, column, 1] = shows * covers + lit * (whole - covers)
    return drawn


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
