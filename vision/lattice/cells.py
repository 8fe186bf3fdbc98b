"""What stands in each cell: which kind and colour, where in it, and what lies on top of it.

Pieces in cells stand anywhere in them and differ by size, shape and colour. Every cell is sampled
on a small grid in the plane of the tops and compared with the empty board. Light changes a cell
smoothly; a piece changes it by a step along an outline of known form. So each outline is tried at
every place, and the one that explains most of what has changed is taken, if that is enough. No
colour is needed for it, so a chip of the square's colour is found as well as any other.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from calibration.table import Table
from rules.board import Shape
from vision.frame import Picture
from vision.lattice.medians import quantile
from vision.lattice.places import Layer
from vision.lattice.sampled import Samples, logs_of, samples_of
from vision.lattice.shade import LOG, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]

SIDE, FINE = 17, 25
"""Samples along the side of a cell's middle, and of all of it, margin included."""
_MARGIN = 1.12
_FINELY = 0.0467
"""Squares are summed up as if samples lay so far apart, in pitches."""
_BETWEEN_GROOVES = 0.3735
_OPEN = 0.41
"""How far from a cell's middle the samples count, in pitches: with sticks around, or without."""
_REACH = 0.30
_CHROMA = 3.0
"""Colour counts for more than brightness, which light changes."""
_WEIGHED = TURN * np.array([[1], [_CHROMA], [_CHROMA]], dtype=np.float32)
_MOST_ARE_BARE, _SURELY_BARE = 0.4, 0.6
_TRIFLE = 0.02
_MODES = (
    ((0.0, 0.0, 0.0), (-0.5, 0.0, 0.5), (0.0, 0.0, 0.0)),
    ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.5, 0.0)),
    ((0.125, 0.125, 0.125), (0.125, -1.0, 0.125), (0.125, 0.125, 0.125)),
)
"""How a picture changes by a shift of a pixel to the side or down, and by blur."""
_TURNS, AROUND, ITSELF = 8, 11, 4
_BESIDE = (-2, 0), (2, 0), (0, -2), (0, 2)
"""Squares are tried at so many angles; an outline has so many neighbours, itself among them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellGrid:
    """The samples of a layer of cells.

    `pixels` (P, N) are indices into the flattened picture, `samples` draw them; `offset` (N, 2)
    is where each sample lies from the cell's middle, mm, in the plane `z_mm`; `drift` (P, 2) is how
    far the rays of a cell move sideways for 1 mm of height; `step_mm` is from one sample to the
    next, `weight` what each counts for.
    """

    pixels: Ints
    samples: Samples
    offset: Floats32
    z_mm: float
    drift: Floats
    step_mm: float
    weight: float

    @property
    def chroma(self) -> float:
        """What a sample's colour counts for."""
        return self.weight * _CHROMA


def cell_grid(table: Table, rays: RayMap, layer: Layer, grooves: bool) -> CellGrid:
    """The grid of every cell's middle; ValueError where a cell lies outside the picture.

    `grooves` says that sticks lie between the cells.
    """
    half = (_BETWEEN_GROOVES if grooves else _OPEN) * layer.pitch_mm
    return _grid(table, rays, layer, half, SIDE)


def fine_grid(table: Table, rays: RayMap, layer: Layer) -> CellGrid:
    """The grid of all of each cell, to tell colours; ValueError where one is not in the picture."""
    return _grid(table, rays, layer, 0.5 * _MARGIN * layer.pitch_mm, FINE)


def _grid(table: Table, rays: RayMap, layer: Layer, half: float, side: int) -> CellGrid:
    z = float(np.median([s.thickness_mm for s in layer.specs]))
    steps = np.linspace(-half, half, side)
    x, y = np.meshgrid(steps, steps)
    offset = np.stack([x.ravel(), y.ravel()], axis=1)
    points = (layer.at[:, None, :] + offset[None]).reshape(-1, 2)
    px = table.camera.project(np.column_stack([points, np.full(len(points), z)]))
    width, height = rays.size
    u, v = np.round(px[:, 0]).astype(np.intp), np.round(px[:, 1]).astype(np.intp)
    inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    if inside.mean() < 0.98:
        raise ValueError("expected every cell of the lattice in the picture")
    u, v = np.clip(u, 0, width - 1), np.clip(v, 0, height - 1)
    middle = table.camera.project(np.column_stack([layer.at, np.full(len(layer.at), z)]))
    m = np.round(middle).astype(np.intp)
    drift = rays.planes[2:, np.clip(m[:, 1], 0, height - 1), np.clip(m[:, 0], 0, width - 1)].T
    pixels = (v * width + u).reshape(len(layer.at), -1)
    return CellGrid(
        pixels=pixels,
        samples=samples_of(pixels, width),
        offset=offset.astype(np.float32),
        z_mm=z,
        drift=np.asarray(drift, dtype=np.float64),
        step_mm=float(steps[1] - steps[0]),
        weight=float(steps[1] - steps[0]) / (_FINELY * layer.pitch_mm),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """All outlines that are tried in a cell.

    `points` (N, 2) are where a cell's samples lie from its middle, mm; `plane` (N, 6) the smooth
    changes, orthonormal, `level` that turned. `forms` are (shape, diameter in mm), `reach` how far
    each goes from its middle, mm; outline k has the form `form` (K,), its middle at `at` (K, 2) mm,
    `step_mm` apart, and is turned by `turn` (K,) radians. `vectors` (K, 2, N) are its disc and its
    rim, orthonormal and free of smooth changes. `coarse` (C,) are those tried first,
    form by form in `blocks`; `tried` are their vectors, those of round forms and those of squares,
    (N, 2c) each, all discs before all rims, and `shared` (K, 2, 2c) how much of them is in every
    outline's; `around` (K, 11) are each one's neighbours: by place, itself amidst, and by turn.
    `beside` (C, 4) are the neighbours to the sides of those tried first, among these; itself where
    there is none.
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
    tried: tuple[Floats32, ...]
    shared: tuple[Floats32, ...]
    around: Ints
    beside: Ints


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
    coarse: list[int] = []
    first: dict[tuple[int, int, int, int], int] = {}
    for (f, r, i, j), k in number.items():
        beside = [(r, i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        beside += [((r + a) % _TURNS, i, j) for a in (-1, 1)]
        around[k] = [number.get((f, *place), k) for place in beside]
        if i % 2 == 0 and j % 2 == 0 and r % 2 == 0:
            first[f, r, i, j] = len(coarse)
            coarse.append(k)
    lasting = np.array(vectors, dtype=np.float32)
    square = np.array([forms[form[k]][0] is Shape.SQUARE for k in coarse])
    tried = tuple(_side_by_side(lasting[coarse][m]) for m in (~square, square) if m.any())
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
        tried=tried,
        shared=tuple(lasting @ vectors for vectors in tried),
        around=around,
        beside=np.array(
            [
                [first.get((f, r, i + a, j + b), n) for a, b in _BESIDE]
                for (f, r, i, j), n in first.items()
            ],
            dtype=np.intp,
        ),
    )


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
    """The empty board's `look` (P, 3, N), colour with its weight, and how that changes (P, M, 3*N)
    where the camera moves by a pixel to the side or down, or blurs; `normal` (P, M, M) are these
    changes' products."""

    look: Floats32
    modes: Floats32
    normal: Floats


def differences(codes: Codes, grid: CellGrid, empty: Empty) -> Floats32:
    """(P, 3, N) how brightness, red against blue, and green of each cell's samples differ from the
    empty board's, by weight. `codes` (P, N, 3) are those of all samples."""
    seen = _seen(codes, grid)
    return np.subtract(seen, empty.look, out=seen)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changed:
    """What has changed in cells and is no smooth change, `rest` (P, 3, N), and the sums of its
    `squares` (P,), none in cells that are hidden; how much of them is `usual` in cells that hold
    nothing new; the smooth changes' `mean` (P, 3); by how much the camera has `moved` (M,) or
    blurred, of which `rest` and `squares` are not free yet.
    """

    rest: Floats32
    squares: Floats32
    usual: float
    mean: Floats32
    moved: Floats32
    empty: Empty

    def within(self, cells: Ints) -> Floats32:
        """(Q, 3, N) what has changed in some cells, the camera's motion left out."""
        return _steadied(self.rest, self.empty, self.moved, cells)


def changed(differences: Floats32, lines: Outlines, empty: Empty, hidden: Bools) -> Changed:
    """What of the `differences` (P, 3, N) is no smooth change, but in `hidden` (P,) cells.

    What a camera that has moved or blurred by a trifle does to the whole board is told by the cells
    that have changed least.
    """
    flat = differences.reshape(-1, differences.shape[2])
    smooth = flat @ lines.plane
    rest = _without(flat, smooth, lines).reshape(differences.shape)
    squares = squares_of(rest)
    squares[hidden] = np.inf
    seen = len(rest) - int(hidden.sum())
    order = np.argsort(squares)
    quiet = order[: max(min(len(rest) // 2, seen), 1)]
    modes = empty.modes[quiet]
    along = np.einsum("pmn,pn->m", modes, rest[quiet].reshape(len(quiet), -1))
    normal = empty.normal[quiet].sum(axis=0)
    normal += np.diag(1e-3 * np.diag(normal) + 1e-9)
    amounts = np.linalg.solve(normal, along)
    amounts[np.abs(amounts) <= _TRIFLE] = 0.0
    moved = amounts.astype(np.float32)
    bare = order[: int(_SURELY_BARE * seen) + 1]
    usual = _calm(_steadied(rest, empty, moved, bare)) if seen else 0.0
    squares[hidden] = 0.0
    return Changed(
        rest=rest,
        squares=squares,
        usual=usual,
        mean=smooth.reshape(len(rest), 3, -1)[:, :, 0] * lines.plane[0, 0],
        moved=moved,
        empty=empty,
    )


def _steadied(rest: Floats32, empty: Empty, moved: Floats32, cells: Ints) -> Floats32:
    """(Q, 3, N) the `rest` (P, 3, N) of some cells, but for what the camera's motion did."""
    mine = rest[cells]
    for amount, mode in zip(moved.tolist(), empty.modes.swapaxes(0, 1), strict=True):
        if amount:
            mine -= np.float32(amount) * mode[cells].reshape(mine.shape)
    return mine


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
            LOG[picture],
            cv2.CV_32F,
            np.array(kernel, dtype=np.float32),
            borderType=cv2.BORDER_REPLICATE,
        )
        part = np.take(moved.reshape(-1, 3), grid.pixels, axis=0) @ (grid.weight * _WEIGHED.T)
        modes.append(_smooth_left_out(_by_channel(part.astype(np.float32)), lines))
    flat = np.stack([mode.reshape(len(mode), -1) for mode in modes], axis=1)
    normal = np.matmul(flat, flat.swapaxes(1, 2)).astype(np.float64)
    return Empty(look=look, modes=flat, normal=normal)


def _seen(codes: Codes, grid: CellGrid) -> Floats32:
    """(P, 3, N) brightness and colour of samples, by weight, of (P, N, 3) codes."""
    logs = logs_of(codes)
    return _by_channel(np.asarray(cv2.transform(logs, grid.weight * _WEIGHED), dtype=np.float32))


def _by_channel(looks: Floats32) -> Floats32:
    return np.ascontiguousarray(looks.swapaxes(1, 2), dtype=np.float32)


def squares_of(rest: Floats32) -> Floats32:
    """(P,) sums of the squares of (P, ...) differences."""
    flat = rest.reshape(len(rest), prod(rest.shape[1:]))
    return np.asarray(np.einsum("pn,pn->p", flat, flat), dtype=np.float32)


def _calm(rest: Floats32) -> float:
    """How much cells have changed that hold nothing new (most do not), but for the noise.

    `rest` (Q, 3, N) is what has changed in the cells that have changed least.
    """
    flat = rest.reshape(len(rest), -1)
    step = flat[:, 1:] - flat[:, :-1]
    step[:, SIDE - 1 :: SIDE] = 0.0  # from the end of one row to the next one's beginning
    noise = squares_of(step) * (0.5 * SIDE / (SIDE - 1))
    return max(quantile(squares_of(rest) - noise, _MOST_ARE_BARE / _SURELY_BARE), 0.0)
