"""What stands in each cell: which kind and colour, where in it, and what lies on top of it.

Pieces in cells stand anywhere in them and differ by size, shape and colour. Every cell is sampled
on a small grid in the plane of the tops and compared with the empty board. Light changes a cell
smoothly; a piece changes it by a step along an outline of known form. So each outline is tried at
every place, and the one that explains most of what has changed is taken, if that is enough. No
colour is needed for it, so a chip of the square's colour is found as well as any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Shape
from vision.frame import Picture
from vision.lattice.drifts import Drift, Drifting, drifting_of
from vision.lattice.grid import CHROMA, SIDE, CellGrid
from vision.lattice.medians import quantile
from vision.lattice.places import Layer
from vision.lattice.shade import DARK, LOG, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]

_REACH = 0.30
_WEIGHED = TURN * np.array([[1], [CHROMA], [CHROMA]], dtype=np.float32)
_MOST_ARE_BARE, _SURELY_BARE = 0.4, 0.6
_TRIFLE, _STIFF = 0.02, 1e-3
_ENOUGH = 8
"""So many cells tell how the camera has moved."""
_APART_MM = 1.5
_LEAN_MM = 2.5
_ASIDE_MM = _APART_MM + _LEAN_MM
"""Of the lower of two forms so much shows beyond the upper one, which may lean over by this; of one
of the same form up to so much."""
_MODES = (
    ((0.0, 0.0, 0.0), (-0.5, 0.0, 0.5), (0.0, 0.0, 0.0)),
    ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.5, 0.0)),
    ((0.125, 0.125, 0.125), (0.125, -1.0, 0.125), (0.125, 0.125, 0.125)),
)
"""How a picture changes by a shift of a pixel to the side or down, and by blur."""
_VAGUE = 24
_STEP = np.log(_VAGUE + DARK), 1 / (_VAGUE + DARK)
_LOGS = np.where(
    np.arange(256) < _VAGUE, _STEP[0] + (np.arange(256) - _VAGUE) * _STEP[1], LOG
).astype(np.float32)
"""Log codes, but below this code what is no darker in codes counts no more: there noise and the
coder make large steps of a logarithm, and colours that end at black would outshout all others."""
_TURNS, AROUND, SIDES = 8, 11, slice(1, 5)
_PLACES = (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)
PLACE = np.array([[_PLACES.index((a, b)) for b in (-1, 0, 1)] for a in (-1, 0, 1)])
"""Squares are tried at so many angles; an outline has so many neighbours: itself, those to its
sides and at its corners, and by turn; which are which by their places, from -1 to 1 each, plus 1.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """All outlines that are tried in a cell.

    `points` (N, 2) are where a cell's samples lie from its middle, mm; `plane` (N, 6) the smooth
    changes, orthonormal, `level` that turned. `forms` are (shape, diameter in mm), `reach` how far
    each goes from its middle, mm; outline k has the form `form` (K,), its middle at `at` (K, 2) mm,
    `step_mm` apart, and is turned by `turn` (K,) radians. `vectors` (K, 2, N) are its disc and its
    rim, orthonormal and free of smooth changes. `coarse` (C,) are those tried first,
    form by form in `blocks`: all round ones, and of the squares every second one each way; `tried`
    are their vectors, those of round forms and those of squares, (N, 2c) each, all discs before all
    rims, and `shared` (K, 2, 2c) how much of them is in every outline's; `glanced` (N, 2g) are
    those of every second round one each way, `squares` (N, 2s) of all squares, which are the last
    outlines. `around` (K, 11) are each one's neighbours: itself, by place, and by turn; `square`
    (K,) are the squares.
    `beneath` (F, F) is how far, mm, what has the second form shows beyond what has the first one
    and lies upon it, `barely` (F, F) where neither shows more than another one of the same form
    does. `coarse_at` (2, C) is where those tried first have their middles, `nests` (F, C) the
    square of how far from that of an outline of each form such may be that lie beneath or upon it,
    mm, `clear` (F, C) of how far they must be.
    """

    points: Floats32
    plane: Floats32
    level: Floats32
    forms: tuple[tuple[Shape, float], ...]
    reach: Floats
    form: Ints
    at: Floats
    turn: Floats
    step_mm: float
    vectors: Floats32
    coarse: Ints
    blocks: tuple[slice, ...]
    glanced: Floats32
    squares: Floats32
    tried: tuple[Floats32, ...]
    shared: tuple[Floats32, ...]
    around: Ints
    square: Bools
    beneath: Floats
    barely: Bools
    coarse_at: Floats
    nests: Floats
    clear: Floats


def outlines_of(grid: CellGrid, layer: Layer) -> Outlines:
    """The outlines of everything that `layer` can hold"""
    points = grid.offset.astype(np.float64)
    x, y = points.T / layer.pitch_mm
    smooth = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    plane = np.linalg.qr(smooth)[0]
    forms = tuple(
        sorted(
            {(s.shape, s.diameter_mm) for s in layer.specs},
            key=lambda f: (f[0] is Shape.SQUARE, *f),
        )
    )
    most = int(_REACH * layer.pitch_mm / grid.step_mm)
    steps = range(-most, most + 1)
    form: list[int] = []
    at: list[Floats] = []
    turn: list[float] = []
    vectors: list[Floats] = []
    number: dict[tuple[int, int, int, int], int] = {}
    for f, (shape, diameter) in enumerate(forms):
        turns = _TURNS if shape is Shape.SQUARE else 1
        for r in range(turns):
            angle = r * np.pi / (2 * turns)
            for i, j in product(steps, steps):
                number[f, r, i, j] = len(form)
                middle = np.array([i, j]) * grid.step_mm
                form.append(f)
                at.append(middle)
                turn.append(angle)
                away = _away(points - middle, shape, angle)
                vectors.append(_vectors(away - diameter / 2, grid.step_mm, plane))
    around = np.zeros((len(form), AROUND), dtype=np.intp)
    square = np.array([forms[f][0] is Shape.SQUARE for f in form])
    coarse: list[int] = []
    glanced: list[int] = []
    for (f, r, i, j), k in number.items():
        beside = [(r, i + a, j + b) for a, b in _PLACES]
        beside += [((r + a) % _TURNS, i, j) for a in (-1, 1)]
        around[k] = [number.get((f, *place), k) for place in beside]
        second = i % 2 == 0 and j % 2 == 0 and r % 2 == 0
        if second or not square[k]:
            coarse.append(k)
        if second and not square[k]:
            glanced.append(k)
    lasting = np.array(vectors, dtype=np.float32)
    first_square = square[coarse]
    kinds = [m for m in (~first_square, first_square) if m.any()]
    tried = tuple(_side_by_side(lasting[coarse][m]) for m in kinds)
    radius = np.array([diameter / 2 for _, diameter in forms])
    beneath = _shows_beneath(forms)
    shows = np.maximum(beneath, beneath.T)
    gap = np.abs(radius - radius[:, None])
    same = np.eye(len(forms), dtype=np.bool_)
    nests = np.where(shows < _APART_MM, -1.0, np.square(gap + _LEAN_MM))
    nests[same] = _ASIDE_MM**2
    clear = np.where(same, _APART_MM**2, 0.0)
    return Outlines(
        points=grid.offset,
        plane=plane.astype(np.float32),
        level=np.ascontiguousarray(plane.T, dtype=np.float32),
        forms=forms,
        reach=np.array([d / 2 * (2**0.5 if s is Shape.SQUARE else 1.0) for s, d in forms]),
        form=np.array(form, dtype=np.intp),
        at=np.array(at),
        turn=np.array(turn),
        step_mm=grid.step_mm,
        vectors=lasting,
        coarse=np.array(coarse, dtype=np.intp),
        blocks=_blocks(np.array(form)[coarse], len(forms)),
        glanced=_side_by_side(lasting[glanced]),
        squares=_side_by_side(lasting[square]),
        tried=tried,
        shared=tuple(np.tensordot(lasting, vectors, axes=1) for vectors in tried),
        around=around,
        square=square,
        beneath=beneath,
        barely=shows < _ASIDE_MM,
        coarse_at=np.ascontiguousarray(np.array(at)[coarse].T),
        nests=nests[:, np.array(form)[coarse]],
        clear=clear[:, np.array(form)[coarse]],
    )


def _shows_beneath(forms: Sequence[tuple[Shape, float]]) -> Floats:
    """(F, F) how far one form shows beyond each that lies upon it, mm: a square beneath a disc does
    so at its corners."""
    half = np.array([diameter / 2 for _, diameter in forms])
    square = np.array([shape is Shape.SQUARE for shape, _ in forms])
    corners = np.where(square & ~square[:, None], 2**0.5, 1.0)
    shows = half * corners - half[:, None]
    np.fill_diagonal(shows, 0.0)
    return np.asarray(shows)


def _side_by_side(vectors: Floats32) -> Floats32:
    """(N, 2C) vectors (C, 2, N): all discs, then all rims."""
    return np.ascontiguousarray(vectors.transpose(2, 1, 0).reshape(vectors.shape[2], -1))


def _blocks(form: Ints, forms: int) -> tuple[slice, ...]:
    """Where each of so many forms begins and ends among the forms (C,), ascending, of outlines."""
    bounds = np.searchsorted(form, np.arange(forms + 1)).tolist()
    return tuple(slice(a, b) for a, b in pairwise(bounds))


def _away(points: Floats, shape: Shape, angle: float) -> Floats:
    """How far (N, 2) points are from the middle of a thing, as its form measures it."""
    if shape is Shape.SQUARE:
        c, s = np.cos(angle), np.sin(angle)
        return np.asarray(np.abs(points @ np.array([[c, -s], [s, c]])).max(axis=1))
    return np.asarray(np.hypot(points[:, 0], points[:, 1]))


def _vectors(outside: Floats, step_mm: float, plane: Floats) -> Floats:
    """(2, N) disc and rim, free of smooth changes and of each other, of length one or nothing."""
    disc = np.clip(0.5 - outside / step_mm, 0, 1)
    rim = np.clip(1 - np.abs(outside) / step_mm, 0, 1)
    found: list[Floats] = []
    for raw in (disc, rim):
        v = raw - plane @ (plane.T @ raw)
        for u in found:
            v = v - u * (u @ v)
        length = np.linalg.norm(v)
        found.append(v / length if length > 1e-6 else v * 0)
    return np.array(found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Empty:
    """The empty board's `look` (P, 3, N), colour with its weight, and how that changes (M, P, 3*N)
    where the camera moves by a pixel to the side or down, or blurs; `normal` (P, M, M) are these
    changes' products, `drifting` what they tell of the board."""

    look: Floats32
    modes: Floats32
    normal: Floats
    drifting: Drifting


def differences(codes: Codes, grid: CellGrid, empty: Empty) -> Floats32:
    """(P, 3, N) how brightness, red against blue, and green of each cell's samples differ from the
    empty board's, by weight. `codes` (P, N, 3) are those of all samples."""
    seen = _seen(codes, grid)
    return np.subtract(seen, empty.look, out=seen)


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
    noise = _noise(rest, squares)
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


def empty_of(picture: Picture, grid: CellGrid, lines: Outlines) -> Empty:
    """What the empty board looks like in the cells."""
    look = _seen(grid.samples.codes(picture), grid)
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
    return Empty(look=look, modes=flat, normal=normal, drifting=drifting_of(at_px, normal))


def _seen(codes: Codes, grid: CellGrid) -> Floats32:
    """(P, 3, N) brightness and colour of samples, by weight, of (P, N, 3) codes."""
    logs = cv2.LUT(codes, _LOGS.reshape(1, -1))
    return _by_channel(np.asarray(cv2.transform(logs, grid.weight * _WEIGHED), dtype=np.float32))


def _by_channel(looks: Floats32) -> Floats32:
    return np.ascontiguousarray(looks.swapaxes(1, 2), dtype=np.float32)


def squares_of(rest: Floats32) -> Floats32:
    """(P,) sums of the squares of (P, ...) differences."""
    flat = rest.reshape(len(rest), prod(rest.shape[1:]))
    return np.asarray(np.vecdot(flat, flat), dtype=np.float32)


def _noise(rest: Floats32, squares: Floats32) -> Floats32:
    """(P,) how much of the `squares` (P,) of what has changed in cells, `rest` (P, 3*N), is noise:
    half the squares of the steps from one sample to the next."""
    steps = 2 * (squares - np.vecdot(rest[:, 1:], rest[:, :-1]))
    ends = rest[:, SIDE::SIDE] - rest[:, SIDE - 1 : -1 : SIDE]  # of one row, the next one's begin
    steps -= np.vecdot(ends, ends) + rest[:, 0] ** 2 + rest[:, -1] ** 2
    return np.asarray(steps * np.float32(0.5 * SIDE / (SIDE - 1)), dtype=np.float32)
