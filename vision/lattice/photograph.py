"""Reading a lattice off a single photograph: no table folder, no empty board.

Given are the lattice's corners and one example of each thing that lies on it, the bare board among
them. Judged like the places of a table (`vision.lattice.judge`), with the board at each place's own
corners, which round pieces leave free, telling the light there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.lattice.fixed import Give
from vision.lattice.judge import Prior, judge
from vision.lattice.shade import LOG, TURN

Floats = NDArray[np.float64]
Place = tuple[int, int]

BARE = ""
"""What an example of the bare board is called."""
_RINGS = ((0.0, 0.16), (0.2, 0.34))
_CORNERS = (0.44, 0.47, 0.5)
_GIVE = Give(level=0.35, parts=(0.15, 0.15), tint=0.12, part_tint=(0.06, 0.06))
_BLUR = 0.03
"""Parts of a place and how much of it is blurred away, in pitches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotographedGrid:
    """Where a lattice lies in a photograph.

    `corners_px` are its four corners: of the outermost squares where `cells`, else the outermost
    crossings; in order of places (0, 0), (cols - 1, 0), (cols - 1, rows - 1), (0, rows - 1).
    """

    corners_px: tuple[tuple[float, float], ...]
    cols: int
    rows: int
    cells: bool

    def places(self) -> tuple[Place, ...]:
        return tuple((col, row) for row in range(self.rows) for col in range(self.cols))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRead:
    """What lies at a place, BARE for nothing, and by how much that is ahead of anything else (the
    natural logarithm of the likelihood ratio)."""

    place: Place
    name: str
    ahead: float


def read_photograph(
    picture: Picture, grid: PhotographedGrid, examples: Mapping[Place, str]
) -> tuple[PlaceRead, ...]:
    """Read every place of a picture (H, W, 3), BGR; `examples` says what lies at some places.

    Where the bare board differs, as on a chequered one, each kind of square needs its example.
    ValueError where no example is given, or one lies outside the grid.
    """
    places = grid.places()
    if not examples or not set(examples) <= set(places):
        raise ValueError(f"expected examples at places of the grid, got {sorted(examples)}")
    look, around = _looks(picture, grid, places)
    away = []
    for place, name in examples.items():
        n = places.index(place)
        change = look - look[n]
        away.append(change - (around - around[n])[:, None] if name == BARE else change)
    flat = np.stack(away).reshape(len(examples), len(places), -1).swapaxes(1, 2)
    prior = Prior.of(_GIVE.covariance(np.zeros(len(_RINGS))))
    judged = judge(
        flat,
        [prior] * len(examples),
        np.zeros(len(places), dtype=np.intp),
        np.zeros(len(places), dtype=np.bool_),
    )
    names = tuple(examples.values())
    return tuple(
        PlaceRead(place=place, name=names[int(best)], ahead=float(ahead))
        for place, best, ahead in zip(places, judged.best, judged.ahead, strict=True)
    )


def _looks(
    picture: Picture, grid: PhotographedGrid, places: Sequence[Place]
) -> tuple[Floats, Floats]:
    """(P, K, 3) looks of each place's rings, and (P, 3) of the board at its corners."""
    wide, high = (grid.cols, grid.rows) if grid.cells else (grid.cols - 1, grid.rows - 1)
    square = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float32)
    to_picture = cv2.getPerspectiveTransform(square, np.array(grid.corners_px, dtype=np.float32))
    middles = np.array(places, dtype=np.float64) + (0.5 if grid.cells else 0.0)
    centre = np.array([[[wide / 2, high / 2]], [[wide / 2 + 1, high / 2]]])
    ends = cv2.perspectiveTransform(centre, to_picture).reshape(-1, 2)
    pitch_px = float(np.linalg.norm(ends[1] - ends[0]))
    soft = cv2.GaussianBlur(picture, (0, 0), max(_BLUR * pitch_px, 0.5))
    rings = [_sampled(soft, middles, _ring(*ring), to_picture) for ring in _RINGS]
    corners = [(i * a, j * a) for i in (-1, 1) for j in (-1, 1) for a in _CORNERS]
    around = _sampled(soft, middles, np.array(corners), to_picture)
    return np.stack(rings, axis=1), around


def _ring(inner: float, outer: float) -> Floats:
    angles = np.arange(24) * np.pi / 12
    radii = np.sqrt(np.linspace(inner**2 + 1e-4, outer**2, 5))
    points = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(points.reshape(-1, 2), dtype=np.float64)


def _sampled(picture: NDArray[np.generic], middles: Floats, offsets: Floats, to: object) -> Floats:
    """(P, 3) median brightness and colour of points around every place."""
    points = (middles[:, None] + offsets[None]).reshape(-1, 1, 2)
    px = cv2.perspectiveTransform(points, np.asarray(to)).reshape(len(middles), -1, 2)
    height, width = picture.shape[:2]
    u = np.clip(np.round(px[..., 0]).astype(np.intp), 0, width - 1)
    v = np.clip(np.round(px[..., 1]).astype(np.intp), 0, height - 1)
    codes = LOG[np.asarray(picture, dtype=np.uint8)[v, u]] @ TURN.T
    return np.asarray(np.median(codes, axis=1), dtype=np.float64)
