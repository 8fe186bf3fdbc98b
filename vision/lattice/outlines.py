"""The outlines that are tried in every cell: of each form, at every place and turn.

What is seen of a thing by its outline are its disc, a step, and its rim, a line; both without what
changes smoothly over the cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from rules.board import Shape
from vision.lattice.grid import CellGrid
from vision.lattice.mirrored import IMAGES, Mirrored, mirrored
from vision.lattice.places import Layer

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

_REACH = 0.30
_APART_MM = 1.5
_LEAN_MM = 2.5
_ASIDE_MM = _APART_MM + _LEAN_MM
"""Of the lower of two forms so much shows beyond the upper one, which may lean over by this; of one
of the same form up to so much."""
_TURNS = 8
"""Squares are tried at so many angles."""
_BESIDE = (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)
"""An outline and those beside it, by their places."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outlines:
    """All outlines that are tried in a cell.

    `points` (N, 2) are where a cell's samples lie from its middle, mm; `plane` (N, 6) the smooth
    changes, orthonormal, `level` that turned. `forms` are (shape, diameter in mm), `reach` how far
    each goes from its middle, mm; outline k has the form `form` (K,), its middle at `at` (K, 2) mm,
    `step_mm` apart, and is turned by `turn` (K,) radians; those of a form lie side by side, in
    `blocks`. `vectors` (K, 2, N) are its disc and its rim, orthonormal and free of smooth changes;
    `imaged` has the same of those whose mirror images are all outlines, all discs before all rims,
    and `image` (K,) is which image of which one each is, counted image by image; `shared`
    (4, C, 2, 2C) is how much of every image's is in the disc and rim of these. `glanced` (N, 2g)
    are those of every second round one each way, all discs before all rims. `around` (K, 5) is each
    one and those beside it, by `_BESIDE`; `square` (K,) are the squares.
    `beneath` (F, F) is how far, mm, what has the second form shows beyond what has the first one
    and lies upon it, `barely` (F, F) where neither shows more than another one of the same form
    does. `nests` (F, F) is the square of how far from the middle of an outline of the first form
    one of the second may be that lies beneath or upon it, mm, `clear` (F, F) of how far it must be.
    `middles` (M, 2) are where outlines of every form have their middles, mm, and `middle` (K,)
    is each one's number, counted form by form.
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
    blocks: tuple[slice, ...]
    glanced: Floats32
    imaged: Mirrored
    image: Ints
    shared: Floats32
    around: Ints
    square: Bools
    beneath: Floats
    barely: Bools
    nests: Floats
    clear: Floats
    middles: Floats
    middle: Ints


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
    square = np.array([forms[f][0] is Shape.SQUARE for f in form])
    around = [
        [number.get((f, r, i + a, j + b), k) for a, b in _BESIDE]
        for (f, r, i, j), k in number.items()
    ]
    images = [
        [number[f, r * x * y % _TURNS, i * x, j * y] for x, y in IMAGES]
        for f, r, i, j in number
        if i >= 0 and j >= 0 and (r <= _TURNS / 2 or i * j > 0)
    ]
    imaged = np.array(images, dtype=np.intp).T
    image = np.zeros(len(form), dtype=np.intp)
    image[imaged.ravel()] = np.arange(imaged.size)
    glanced = [
        k for (_, _, i, j), k in number.items() if i % 2 == 0 and j % 2 == 0 and not square[k]
    ]
    lasting = np.array(vectors, dtype=np.float32)
    of_images = mirrored(_side_by_side(lasting[imaged[0]]))
    shared = of_images.products(lasting[imaged[0]].reshape(-1, lasting.shape[2]))
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
        blocks=_blocks(np.array(form), len(forms)),
        glanced=np.ascontiguousarray(_side_by_side(lasting[glanced]).T),
        imaged=of_images,
        image=image,
        shared=shared.reshape(len(IMAGES), imaged.shape[1], 2, -1),
        around=np.array(around, dtype=np.intp),
        square=square,
        beneath=beneath,
        barely=shows < _ASIDE_MM,
        nests=nests,
        clear=clear,
        middles=np.array(list(product(steps, steps))) * grid.step_mm,
        middle=np.array(
            [(f * len(steps) + i + most) * len(steps) + j + most for f, _, i, j in number]
        ),
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
    """(2C, N) vectors (C, 2, N): all discs, then all rims."""
    return vectors.swapaxes(0, 1).reshape(-1, vectors.shape[2])


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
