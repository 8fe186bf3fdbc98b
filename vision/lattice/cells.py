"""What stands in each cell: which kind and colour, where in it, and what lies on top of it.

Pieces in cells stand anywhere in them and differ by size, shape and colour. Every cell is sampled
on a small grid in the plane of the tops and compared with the empty board. Light changes a cell
smoothly; a piece changes it by a step along an outline of known form. So each outline is tried at
every place, and the one that explains most of what has changed is taken, if that is enough. No
colour is needed for it, so a chip of the square's colour is found as well as any other.
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from calibration.table import Table
from rules.board import Shape
from vision.frame import Picture
from vision.lattice.places import Layer
from vision.lattice.shade import LOG, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

SIDE = 25
"""Samples along a cell's side, margin included."""
_MARGIN = 1.12
_BETWEEN_GROOVES = 0.40
_OPEN = 0.43
"""How far from a cell's middle the samples count, in pitches: with sticks around, or without."""
_REACH = 0.30
_CHROMA = 3.0
"""Colour counts for more than brightness, which light changes."""
_MOST_ARE_BARE = 0.4
_COARSELY = 0.7
"""An outline between two that were tried explains up to so much more than they."""
_TRIFLE = 0.02
_MODES = (
    ((0.0, 0.0, 0.0), (-0.5, 0.0, 0.5), (0.0, 0.0, 0.0)),
    ((0.0, -0.5, 0.0), (0.0, 0.0, 0.0), (0.0, 0.5, 0.0)),
    ((0.125, 0.125, 0.125), (0.125, -1.0, 0.125), (0.125, 0.125, 0.125)),
)
"""How a picture changes by a shift of a pixel to the side or down, and by blur."""
_TURNS, _AROUND, _CLIMBS = 8, 11, 4
"""Squares are tried at so many angles; a find has so many neighbours, to which it climbs on."""
_RIVAL = 0.65
"""An outline is looked at more closely if it explains this share of what the best one does."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellGrid:
    """The samples of a layer of cells.

    `pixels` (P, S*S) are indices into the flattened picture; `offset` (S*S, 2) is where each sample
    lies from the cell's middle, mm, in the plane `z_mm`; `drift` (P, 2) is how far the rays of a
    cell move sideways for 1 mm of height; `step_mm` is from one sample to the next.
    """

    pixels: Ints
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
    return CellGrid(
        pixels=(v * width + u).reshape(len(layer.at), -1),
        offset=offset.astype(np.float32),
        z_mm=z,
        drift=np.asarray(drift, dtype=np.float64),
        step_mm=float(steps[1] - steps[0]),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """All outlines that are tried in a cell.

    `inner` (N,) are the samples that count, `beside` (M, 2) pairs of neighbours among them;
    `plane` (N, 6) the smooth changes, orthonormal.
    `forms` are (shape, diameter in mm); outline k has the form `form` (K,), its middle at `at`
    (K, 2) mm and is turned by `turn` (K,) radians. `vectors` (K, 2, N) are its disc and its rim,
    orthonormal and free of smooth changes. `coarse` are those tried first, `tried` (2C, N)
    their vectors, `around` (K, 11) each one's neighbours: by place, itself amidst, and by turn.
    """

    inner: Ints
    beside: Ints
    plane: Floats32
    forms: tuple[tuple[Shape, float], ...]
    form: Ints
    at: Floats
    turn: Floats
    vectors: Floats32
    coarse: Ints
    tried: Floats32
    around: Ints


def outlines_of(grid: CellGrid, layer: Layer, grooves: bool) -> Outlines:
    """The outlines of everything that `layer` can hold; `grooves` says that sticks lie between."""
    part = _BETWEEN_GROOVES if grooves else _OPEN
    inner = np.flatnonzero(np.abs(grid.offset).max(axis=1) < part * layer.pitch_mm)
    where = {int(k): n for n, k in enumerate(inner)}
    points = grid.offset[inner].astype(np.float64)
    x, y = points.T / layer.pitch_mm
    smooth = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    plane = np.linalg.qr(smooth)[0]
    forms = tuple(sorted({(s.shape, s.diameter_mm) for s in layer.specs}))
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
    around = np.zeros((len(form), _AROUND), dtype=np.intp)
    coarse = []
    for (f, r, i, j), k in number.items():
        beside = [(r, i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        beside += [((r + a) % _TURNS, i, j) for a in (-1, 1)]
        around[k] = [number.get((f, *place), k) for place in beside]
        if i % 2 == 0 and j % 2 == 0 and r % 2 == 0:
            coarse.append(k)
    return Outlines(
        inner=inner,
        beside=np.array([(number, where[k + 1]) for k, number in where.items() if k + 1 in where]),
        plane=plane.astype(np.float32),
        forms=forms,
        form=np.array(form, dtype=np.intp),
        at=np.array(at),
        turn=np.array(turn),
        vectors=np.array(vectors, dtype=np.float32),
        coarse=np.array(coarse, dtype=np.intp),
        tried=np.array(vectors, dtype=np.float32)[coarse].reshape(2 * len(coarse), -1),
        around=around,
    )


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """An outline found in a cell: its form's number, its middle in the plane of the grid, mm, and
    how much it explains of what has changed, in squares (`explained`) and of all (`share`).
    `number` is the nearest one that was tried."""

    number: int
    form: int
    x_mm: float
    y_mm: float
    turn_rad: float
    explained: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Empty:
    """The empty board's `look` (P, N, 3), and how that changes (M, P, N, 3) where the camera moves
    by a pixel to the side or down, or blurs."""

    look: Floats32
    modes: Floats32


def changes(picture: Picture, grid: CellGrid, lines: Outlines, empty: Empty) -> Floats32:
    """(P, N, 3) how each cell's samples differ from the empty board's, but for smooth changes.

    What a camera that has moved or blurred by a trifle does to the whole board is left out.
    """
    rest = _smooth_left_out(seen(picture, grid, lines) - empty.look, lines)
    total = np.einsum("pnc,pnc->p", rest, rest)
    calm = np.argsort(total)[: max(len(total) // 2, 1)]
    modes = empty.modes[:, calm].reshape(len(empty.modes), -1)
    normal = modes @ modes.T
    normal += np.diag(1e-3 * np.diag(normal) + 1e-9)
    amounts = np.linalg.solve(normal, modes @ rest[calm].reshape(-1))
    for mode, amount in zip(empty.modes, amounts, strict=True):
        if abs(amount) > _TRIFLE:
            rest -= np.float32(amount) * mode
    return rest


def _smooth_left_out(rest: Floats32, lines: Outlines) -> Floats32:
    """Take smooth changes out of (P, N, 3) differences, and give colour its weight."""
    rest -= np.matmul(lines.plane, np.matmul(lines.plane.T, rest))
    rest[:, :, 1:] *= _CHROMA
    return rest


def empty_of(picture: Picture, grid: CellGrid, lines: Outlines) -> Empty:
    """What the empty board looks like in the cells."""
    look = seen(picture, grid, lines)
    modes = []
    for kernel in _MODES:
        moved = cv2.filter2D(
            LOG[picture],
            cv2.CV_32F,
            np.array(kernel, dtype=np.float32),
            borderType=cv2.BORDER_REPLICATE,
        )
        part = np.take(moved.reshape(-1, 3), grid.pixels[:, lines.inner], axis=0) @ TURN.T
        modes.append(_smooth_left_out(np.asarray(part, dtype=np.float32), lines))
    return Empty(look=look, modes=np.array(modes, dtype=np.float32))


def seen(picture: Picture, grid: CellGrid, lines: Outlines) -> Floats32:
    """(P, N, 3) brightness and colour of the samples that count."""
    codes = np.take(picture.reshape(-1, 3), grid.pixels[:, lines.inner], axis=0)
    return np.asarray(LOG[codes] @ TURN.T, dtype=np.float32)


def find_outlines(rest: Floats32, lines: Outlines, least: float) -> dict[int, tuple[Outline, ...]]:
    """The outlines that explain each changed cell best, one of each form that comes near the best.

    They are called by the cell's number, best first. Cells of which no outline can explain `least`
    are left out.
    """
    total = np.einsum("pnc,pnc->p", rest, rest)
    moved = np.flatnonzero(total > least)
    if not len(moved):
        return {}
    columns = np.ascontiguousarray(np.moveaxis(rest[moved], 2, 1)).reshape(-1, rest.shape[1])
    part = columns @ lines.tried.T
    part *= part
    worth = part.reshape(len(moved), 3, len(lines.coarse), 2).sum(axis=1).sum(axis=-1)
    found = {}
    for n in np.flatnonzero(worth.max(axis=1) > _COARSELY * least):
        cell = int(moved[n])
        found[cell] = _best_of_each(rest[cell], float(total[cell]), worth[n], lines)
    return found


def calm(rest: Floats32, lines: Outlines, hidden: frozenset[int] = frozenset()) -> float:
    """How much cells have changed that hold nothing new (most do not), but for the noise."""
    total = np.einsum("pnc,pnc->p", rest, rest)
    step = rest[:, lines.beside[:, 0]] - rest[:, lines.beside[:, 1]]
    noise = np.einsum("pnc,pnc->p", step, step) * (0.5 * rest.shape[1] / len(lines.beside))
    shown = np.delete(total - noise, list(hidden))
    return max(float(np.quantile(shown, _MOST_ARE_BARE)), 0.0) if len(shown) else 0.0


def beneath_or_above(
    rest: Floats32, first: Outline, lines: Outlines, least: float
) -> tuple[Outline, float] | None:
    """Another outline within or around `first` in the same cell, and what both explain together.

    `rest` (N, 3) is the cell's change. None where no other form nests with the first
    and explains `least` more.
    """
    known = lines.vectors[first.number]
    left = rest - known.T @ (known @ rest)
    if float(np.vdot(left, left)) < least:
        return None
    part = (lines.tried @ left) ** 2
    worth = part.reshape(len(lines.coarse), 6).sum(axis=1)
    radius = np.array([diameter / 2 for _, diameter in lines.forms])
    forms = lines.form[lines.coarse]
    off = np.hypot(*(lines.at[lines.coarse] - (first.x_mm, first.y_mm)).T)
    gap = np.abs(radius[forms] - radius[first.form])
    worth[(gap < _STEP_MM) | (off > gap + _LEAN_MM)] = 0.0
    best = int(worth.argmax())
    if worth[best] < _COARSELY**2 * least:
        return None
    other = _finer(left, float((left**2).sum()), int(lines.coarse[best]), lines)
    both = np.linalg.qr(np.concatenate([known, lines.vectors[other.number]]).T)[0]
    return other, float(((both.T @ rest) ** 2).sum())


_STEP_MM = 1.5
_LEAN_MM = 2.5
"""Two forms one upon the other differ by so much in radius; the upper may lean over by this."""


def _best_of_each(
    rest: Floats32, total: float, worth: Floats32, lines: Outlines
) -> tuple[Outline, ...]:
    found = []
    least = _RIVAL * float(worth.max())
    forms = lines.form[lines.coarse]
    for form in range(len(lines.forms)):
        mine = np.flatnonzero(forms == form)
        best = mine[int(worth[mine].argmax())]
        if worth[best] >= least:
            found.append(_finer(rest, total, int(lines.coarse[best]), lines))
    return tuple(sorted(found, key=lambda o: -o.explained))


def _finer(rest: Floats32, total: float, start: int, lines: Outlines) -> Outline:
    """Climb from outline `start` to the best neighbour, then between the samples."""
    at = start
    worth = np.zeros(_AROUND)
    for _ in range(_CLIMBS):
        part = lines.vectors[lines.around[at]].reshape(2 * _AROUND, -1) @ rest
        worth = np.square(part).reshape(_AROUND, 6).sum(axis=1)
        best = int(worth.argmax())
        if best == 4 or worth[best] <= worth[4]:
            break
        at = int(lines.around[at, best])
    step = abs(lines.at[lines.around[at, 1], 1] - lines.at[at, 1]) or abs(
        lines.at[lines.around[at, 7], 0] - lines.at[at, 0]
    )
    x, y = lines.at[at]
    return Outline(
        number=at,
        form=int(lines.form[at]),
        x_mm=float(x + step * _peak(worth[1], worth[4], worth[7])),
        y_mm=float(y + step * _peak(worth[3], worth[4], worth[5])),
        turn_rad=float(lines.turn[at]),
        explained=float(worth[4]),
        share=float(worth[4] / max(total, 1e-9)),
    )


def _peak(before: float, here: float, after: float) -> float:
    """Where a parabola through three equidistant values has its top, in steps from the middle."""
    bend = before - 2 * here + after
    return min(max(0.5 * float(before - after) / float(bend), -0.5), 0.5) if bend < 0 else 0.0
