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
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]

SIDE = 25
"""Samples along a cell's side, margin included."""
_MARGIN = 1.12
_BETWEEN_GROOVES = 0.40
_OPEN = 0.43
"""How far from a cell's middle the samples count, in pitches: with sticks around, or without."""
_REACH = 0.30
CHROMA = 3.0
"""Colour counts for more than brightness, which light changes."""
_WEIGHED = TURN * np.array([[1], [CHROMA], [CHROMA]], dtype=np.float32)
_MOST_ARE_BARE = 0.4
_TRIFLE = 0.02
_MODES = (
    ((0.0, 0.0, 0.0), (-0.5, 0.0, 0.5), (0.0, 0.0, 0.0)),
    ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.5, 0.0)),
    ((0.125, 0.125, 0.125), (0.125, -1.0, 0.125), (0.125, 0.125, 0.125)),
)
"""How a picture changes by a shift of a pixel to the side or down, and by blur."""
_TURNS, AROUND = 8, 11
"""Squares are tried at so many angles; an outline has so many neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellGrid:
    """The samples of a layer of cells.

    `pixels` (P, S*S) are indices into the flattened picture, `samples` draw them; `offset` (S*S, 2)
    is where each sample lies from the cell's middle, mm, in the plane `z_mm`; `drift` (P, 2) is how
    far the rays of a cell move sideways for 1 mm of height; `step_mm` is from one sample to the
    next.
    """

    pixels: Ints
    samples: Samples
    offset: Floats32
    z_mm: float
    drift: Floats
    step_mm: float


def cell_grid(table: Table, rays: RayMap, layer: Layer) -> CellGrid:
    """The grid of every cell; ValueError where a cell lies outside the picture."""
    z = float(np.median([s.thickness_mm for s in layer.specs]))
    half = 0.5 * _MARGIN * layer.pitch_mm
    steps = np.linspace(-half, half, SIDE)
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
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """All outlines that are tried in a cell.

    `inner` (N,) are the samples that count, a square of `side` by `side`, `points` (N, 2) where
    they are, mm; `plane` (N, 6) the smooth changes, orthonormal, `level` that turned.
    `forms` are (shape, diameter in mm), `reach` how far each goes from its middle, mm; outline k
    has the form `form` (K,), its middle at `at` (K, 2) mm, `step_mm` apart, and is turned by `turn`
    (K,) radians. `vectors` (K, 2, N) are its
    disc and its rim, orthonormal and free of smooth changes. `coarse` (C,) are those tried first,
    form by form in `blocks`; `tried` are their vectors, those of round forms and those of squares,
    (N, 2c) each, all discs before all rims, and `shared` (K, 2, 2c) how much of them is in every
    outline's; `around` (K, 11) are each one's neighbours: by place, itself amidst, and by turn.
    """

    inner: Ints
    side: int
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


def outlines_of(grid: CellGrid, layer: Layer, grooves: bool) -> Outlines:
    """The outlines of everything that `layer` can hold; `grooves` says that sticks lie between."""
    part = _BETWEEN_GROOVES if grooves else _OPEN
    inner = np.flatnonzero(np.abs(grid.offset).max(axis=1) < part * layer.pitch_mm)
    points = grid.offset[inner].astype(np.float64)
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
    coarse = []
    for (f, r, i, j), k in number.items():
        beside = [(r, i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        beside += [((r + a) % _TURNS, i, j) for a in (-1, 1)]
        around[k] = [number.get((f, *place), k) for place in beside]
        if i % 2 == 0 and j % 2 == 0 and r % 2 == 0:
            coarse.append(k)
    lasting = np.array(vectors, dtype=np.float32)
    square = np.array([forms[form[k]][0] is Shape.SQUARE for k in coarse])
    tried = tuple(_side_by_side(lasting[coarse][m]) for m in (~square, square) if m.any())
    return Outlines(
        inner=inner,
        side=round(len(inner) ** 0.5),
        points=grid.offset[inner],
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


def differences(codes: Codes, lines: Outlines, empty: Empty) -> Floats32:
    """(P, 3, N) how brightness, red against blue, and green of each cell's samples differ from the
    empty board's, colour with its weight. `codes` (P, S*S, 3) are those of all samples."""
    seen = _seen(codes, lines)
    return np.subtract(seen, empty.look, out=seen)


def changes(differences: Floats32, lines: Outlines, empty: Empty) -> Floats32:
    """(P, 3, N) what of the `differences` (P, 3, N) is no smooth change.

    What a camera that has moved or blurred by a trifle does to the whole board is left out.
    """
    rest = _smooth_left_out(differences, lines)
    flat = rest.reshape(len(rest), -1)
    quiet = np.argsort(squares_of(rest))[: max(len(rest) // 2, 1)]
    along = np.einsum("pmn,pn->m", empty.modes[quiet], flat[quiet])
    normal = empty.normal[quiet].sum(axis=0)
    normal += np.diag(1e-3 * np.diag(normal) + 1e-9)
    amounts = np.linalg.solve(normal, along)
    amounts[np.abs(amounts) <= _TRIFLE] = 0.0
    if amounts.any():
        flat -= np.matmul(amounts.astype(np.float32)[None, None], empty.modes)[:, 0]
    return rest


def _smooth_left_out(differences: Floats32, lines: Outlines) -> Floats32:
    """(P, 3, N) differences without smooth changes."""
    flat = differences.reshape(-1, differences.shape[2])
    smooth = (flat @ lines.plane) @ lines.level
    np.subtract(flat, smooth, out=smooth)
    return np.asarray(smooth.reshape(differences.shape), dtype=np.float32)


def empty_of(picture: Picture, grid: CellGrid, lines: Outlines) -> Empty:
    """What the empty board looks like in the cells."""
    look = _seen(grid.samples.codes(picture), lines)
    modes = []
    for kernel in _MODES:
        moved = cv2.filter2D(
            LOG[picture],
            cv2.CV_32F,
            np.array(kernel, dtype=np.float32),
            borderType=cv2.BORDER_REPLICATE,
        )
        part = np.take(moved.reshape(-1, 3), grid.pixels[:, lines.inner], axis=0) @ _WEIGHED.T
        modes.append(_smooth_left_out(_by_channel(part.astype(np.float32)), lines))
    flat = np.stack([mode.reshape(len(mode), -1) for mode in modes], axis=1)
    normal = np.matmul(flat, flat.swapaxes(1, 2)).astype(np.float64)
    return Empty(look=look, modes=flat, normal=normal)


def _seen(codes: Codes, lines: Outlines) -> Floats32:
    """(P, 3, N) brightness and weighed colour of the samples that count, of (P, S*S, 3) codes."""
    first = (SIDE - lines.side) // 2
    part = slice(first, first + lines.side)
    square = codes.reshape(len(codes), SIDE, SIDE, 3)[:, part, part]
    logs = logs_of(square.reshape(len(codes), -1, 3))
    return _by_channel(np.asarray(cv2.transform(logs, _WEIGHED), dtype=np.float32))


def _by_channel(looks: Floats32) -> Floats32:
    return np.ascontiguousarray(looks.swapaxes(1, 2), dtype=np.float32)


def squares_of(rest: Floats32) -> Floats32:
    """(P,) sums of the squares of (P, ...) differences."""
    flat = rest.reshape(len(rest), prod(rest.shape[1:]))
    return np.asarray(np.einsum("pn,pn->p", flat, flat), dtype=np.float32)


def calm(
    rest: Floats32, squares: Floats32, lines: Outlines, hidden: frozenset[int] = frozenset()
) -> float:
    """How much cells have changed that hold nothing new (most do not), but for the noise.

    `rest` (P, 3, N) is what has changed, `squares` (P,) the sums of its squares.
    """
    flat = rest.reshape(len(rest), -1)
    step = flat[:, 1:] - flat[:, :-1]
    step[:, lines.side - 1 :: lines.side] = (
        0.0  # from the end of one row to the next one's beginning
    )
    noise = squares_of(step) * (0.5 * lines.side / (lines.side - 1))
    shown = squares - noise
    if hidden:
        shown = np.delete(shown, list(hidden))
    return max(quantile(shown, _MOST_ARE_BARE), 0.0) if len(shown) else 0.0
