"""What has changed in each cell: what differs from the empty board and is no smooth change.

Pieces in cells stand anywhere in them and differ by size, shape and colour. Every cell is sampled
on a small grid in the plane of the tops and compared with the empty board. Light changes a cell
smoothly; a piece changes it by a step along an outline of known form (`vision.lattice.outlines`).
So each outline is tried at every place, and the one that explains most of what has changed is
taken, if that is enough. No colour is needed for it, so a chip of the square's colour is found as
well as any other.
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR, to_code
from vision.frame import Picture
from vision.lattice.cell_gleams import BareCells, bare_cells_of, reflected_over
from vision.lattice.drifts import Drift, Drifting, drifting_of
from vision.lattice.grid import CHROMA, SIDE, CellGrid
from vision.lattice.medians import quantile
from vision.lattice.outlines import Outlines
from vision.lattice.shade import DARK, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]

_WEIGHED = TURN * np.array([[1], [CHROMA], [CHROMA]], dtype=np.float32)
_MOST_ARE_BARE, _SURELY_BARE = 0.4, 0.6
_TRIFLE, _STIFF = 0.02, 1e-3
_ENOUGH = 8
"""So many cells tell how the camera has moved."""
_MODES = (
    ((0.0, 0.0, 0.0), (-0.5, 0.0, 0.5), (0.0, 0.0, 0.0)),
    ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.5, 0.0)),
    ((0.125, 0.125, 0.125), (0.125, -1.0, 0.125), (0.125, 0.125, 0.125)),
)
"""How a picture changes by a shift of a pixel to the side or down, and by blur."""
_VAGUE = 24
_STEP = np.log(_VAGUE + DARK), 1 / (_VAGUE + DARK)


def _log(codes: NDArray[np.floating[Any]]) -> Floats32:
    """Log codes, but below a code what is no darker in codes counts no more: there noise and the
    coder make large steps of a logarithm, and colours that end at black would outshout all
    others."""
    vague = _STEP[0] + (codes - _VAGUE) * _STEP[1]
    logs = np.where(codes < _VAGUE, vague, np.log(codes + DARK))
    return np.asarray(logs, dtype=np.float32)


_LOGS = _log(np.arange(256, dtype=np.float64))
_LINEAR = LINEAR.reshape(1, -1)
_FINE, _BLACK = 65535, 0.002
_LOGS_OF_LIGHT = _log(to_code(np.maximum(np.arange(_FINE + 1) / _FINE, _BLACK)))
"""The same of so many steps of light, of which none is less than this, white being 1."""
_ASKED = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)[::2, ::2].ravel()
"""Every second sample each way tells whether other light is mirrored over a cell."""
_LESS, _LEFT = 0.8, 1.6
"""Where a cell is bare, less than this share of what has changed is left with the same reflections
over both pictures, and at most so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Empty:
    """The empty board's `look` (P, 3, N), colour with its weight, and how that changes (M, P, 3*N)
    where the camera moves by a pixel to the side or down, or blurs; `normal` (P, M, M) are these
    changes' products, `drifting` what they tell of the board."""

    look: Floats32
    modes: Floats32
    normal: Floats
    drifting: Drifting
    bare: BareCells


def differences(
    codes: Codes, grid: CellGrid, lines: Outlines, empty: Empty, exposure: Floats
) -> Floats32:
    """(P, 3, N) how brightness, red against blue, and green of each cell's samples differ from the
    empty board's, by weight; where a cell is bare but for other reflections, as if the same light
    were mirrored over both.

    `codes` (P, N, 3) are those of all samples, `exposure` (3,) is how much more of blue, green and
    red light they are of than the empty board's.
    """
    change = _seen(codes, grid)
    np.subtract(change, empty.look, out=change)
    exposed = exposure.astype(np.float32)[:, None]
    other = reflected_over(_light_of(codes.take(empty.bare.asked, axis=1)) / exposed, empty.bare)
    if len(other.cells):
        added = other.added[:, None]
        now = _light_of(codes.take(other.cells, axis=0)) / exposed + np.maximum(-added, 0)
        then = empty.bare.light.take(other.cells, axis=0) * other.lit[:, None, None] + np.maximum(
            added, 0
        )
        evened = _seen_of(now * exposed, grid) - _seen_of(then, grid)
        before, after = (
            _form_of(each, lines) for each in (change.take(other.cells, axis=0), evened)
        )
        bare = after < np.minimum(_LESS * before, _LEFT)
        change[other.cells[bare]] = evened[bare]
    return change


def _form_of(differences: Floats32, lines: Outlines) -> Floats32:
    """(P,) the sums of squares of (P, 3, N) differences that are neither smooth nor noise."""
    rest = _smooth_left_out(differences, lines)
    squares = squares_of(rest)
    return np.asarray(squares - noise_of(rest, squares), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changed:
    """What has changed in cells and is neither a smooth change nor the camera's motion, `rest`
    (P, 3, N), the sums of its `squares` (P,) and how much of these is `noise` (P,), nothing in
    cells that are hidden; how much else is `usual` in cells that hold nothing new; the smooth
    changes' `mean` (P, 3). `drift` is how far the board lies from where it lay, as the quiet cells
    tell.
    """

    rest: Floats32
    squares: Floats32
    noise: Floats32
    usual: float
    mean: Floats32
    drift: Drift


def changed(differences: Floats32, lines: Outlines, empty: Empty, hidden: Bools) -> Changed:
    """What of the `differences` (P, 3, N) is no smooth change, but in `hidden` (P,) cells.

    What a camera that has moved or blurred by a trifle does to the whole board is told by the cells
    that have changed least.
    """
    cells, channels, samples = differences.shape
    flat = differences.reshape(-1, samples)
    smooth = flat @ lines.plane
    rest = _without(flat, smooth, lines).reshape(cells, -1)
    squares = squares_of(rest)
    squares[hidden] = np.inf
    seen = cells - int(np.count_nonzero(hidden))
    order = np.argsort(squares)
    quiet = order[: max(min(cells // 2, seen), 1)]
    along = np.vecdot(empty.modes, rest)
    normal = empty.normal.take(quiet, axis=0).sum(axis=0)
    normal.ravel()[:: len(normal) + 1] *= 1 + _STIFF
    wanted = along.take(quiet, axis=1).sum(axis=1).astype(np.float64)
    amounts = cv2.solve(normal, wanted[:, None], flags=cv2.DECOMP_CHOLESKY)[1].ravel()
    for amount, mode in zip(amounts.tolist(), empty.modes, strict=True):
        if abs(amount) > _TRIFLE:
            cv2.scaleAdd(mode, -amount, rest, dst=rest)
    squares = squares_of(rest)
    noise = noise_of(rest, squares)
    bare = order[: int(_SURELY_BARE * seen) + 1]
    calm = quantile(squares[bare] - noise[bare], _MOST_ARE_BARE / _SURELY_BARE) if seen else 0.0
    squares[hidden] = 0.0
    return Changed(
        rest=rest.reshape(differences.shape),
        squares=squares,
        noise=noise,
        usual=max(calm, 0.0),
        mean=smooth.reshape(cells, channels, -1)[:, :, 0] * lines.plane[0, 0],
        drift=empty.drifting.told(along, quiet) if len(quiet) >= _ENOUGH else Drift(),
    )


def _smooth_left_out(differences: Floats32, lines: Outlines) -> Floats32:
    """(P, 3, N) differences without smooth changes."""
    flat = differences.reshape(-1, differences.shape[2])
    return _without(flat, flat @ lines.plane, lines).reshape(differences.shape)


def _without(flat: Floats32, smooth: Floats32, lines: Outlines) -> Floats32:
    """(R, N) differences without the `smooth` (R, 6) changes in them."""
    rest = smooth @ lines.level
    np.subtract(flat, rest, out=rest)
    return np.asarray(rest, dtype=np.float32)


def empty_of(picture: Picture, grid: CellGrid, lines: Outlines, neighbours: Bools) -> Empty:
    """What the empty board looks like in the cells, `neighbours` (P, P) of which lie near."""
    codes = grid.samples.codes(picture)
    modes = []
    for kernel in _MODES:
        moved = cv2.filter2D(
            _LOGS[picture],
            cv2.CV_32F,
            np.array(kernel, dtype=np.float32),
            borderType=cv2.BORDER_REPLICATE,
        )
        part = np.take(moved.reshape(-1, 3), grid.pixels, axis=0) @ (grid.weight * _WEIGHED.T)
        modes.append(_smooth_left_out(_by_channel(part.astype(np.float32)), lines))
    flat = np.stack([mode.reshape(len(mode), -1) for mode in modes])
    normal = np.einsum("mpn,kpn->pmk", flat, flat).astype(np.float64)
    at_px = grid.samples.at.mean(axis=1, dtype=np.float64)
    return Empty(
        look=_seen(codes, grid),
        modes=flat,
        normal=normal,
        drifting=drifting_of(at_px, normal),
        bare=bare_cells_of(_light_of(codes), lines.plane, _ASKED, neighbours),
    )


def _seen(codes: Codes, grid: CellGrid) -> Floats32:
    """(P, 3, N) brightness and colour of samples, by weight, of (P, N, 3) codes."""
    logs = cv2.LUT(codes, _LOGS.reshape(1, -1))
    return _by_channel(np.asarray(cv2.transform(logs, grid.weight * _WEIGHED), dtype=np.float32))


def _light_of(codes: Codes) -> Floats32:
    """(P, 3, N) the light of (P, N, 3) codes, white being 1."""
    return _by_channel(np.asarray(cv2.LUT(codes, _LINEAR), dtype=np.float32))


def _seen_of(light: Floats32, grid: CellGrid) -> Floats32:
    """The same of light (P, 3, N), white being 1."""
    logs = _LOGS_OF_LIGHT.take((_FINE * np.minimum(light, 1.0) + 0.5).astype(np.intp))
    return np.asarray(np.matmul(np.float32(grid.weight) * _WEIGHED, logs), dtype=np.float32)


def _by_channel(looks: Floats32) -> Floats32:
    return np.ascontiguousarray(looks.swapaxes(1, 2), dtype=np.float32)


def _by_cell(rest: Floats32) -> Floats32:
    """(P, M) all that there is of each cell, be there no cells."""
    return rest.reshape(len(rest), prod(rest.shape[1:]))


def squares_of(rest: Floats32) -> Floats32:
    """(P,) sums of the squares of (P, ...) differences."""
    flat = _by_cell(rest)
    return np.asarray(np.vecdot(flat, flat), dtype=np.float32)


def noise_of(rest: Floats32, squares: Floats32) -> Floats32:
    """(P,) how much of the `squares` (P,) of what has changed in cells, `rest` (P, 3, N) or
    (P, 3*N), is noise: half the squares of the steps from one sample to the next."""
    flat = _by_cell(rest)
    steps = 2 * (squares - np.vecdot(flat[:, 1:], flat[:, :-1]))
    ends = flat[:, SIDE::SIDE] - flat[:, SIDE - 1 : -1 : SIDE]  # of one row, the next one's begin
    steps -= np.vecdot(ends, ends) + flat[:, 0] ** 2 + flat[:, -1] ** 2
    return np.asarray(steps * np.float32(0.5 * SIDE / (SIDE - 1)), dtype=np.float32)
