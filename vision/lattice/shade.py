"""The light on a lattice board: the empty board's brightness times a smooth gain per channel.

Everything is done with logarithms of the camera's codes, where light is a sum: a lamp, a shadow or
another exposure adds the same to all that lies in it. The gain is a surface of third order in the
picture, fitted so that what stands on the board has no say.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import Box
from vision.frame import Picture

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

DARK = 8.0
"""Codes added before logarithms are taken: noise must not count where all is black."""
LOG = np.log(np.arange(256, dtype=np.float32) + DARK).astype(np.float32)
TURN = np.array([[1, 1, 1], [-1, 0, 1], [1, -2, 1]], dtype=np.float32) / np.sqrt(
    np.array([[3], [2], [6]], dtype=np.float32)
)
"""From log codes (B, G, R) to brightness, red against blue, and green against both."""
CELL_PX = 14
_ORDER = 3
_SPREADS = (0.5, 0.3, 0.2, 0.12, 0.08)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """What of a table's empty board is compared with every picture, precomputed.

    `then` (C, 3) are log codes of the empty board's cells, `trust` (C,) how far each shows the bare
    board in every position, `basis` (C, 10) the terms of the gain at them.
    """

    box: Box
    size: tuple[int, int]
    used: NDArray[np.intp]
    then: Floats
    trust: Floats
    basis: Floats

    def terms(self, points_px: Floats) -> Floats:
        """(N, 10) terms of the gain at (N, 2) picture points."""
        return _terms(self.box, points_px)

    def gain(self, picture: Picture) -> Floats:
        """(10, 3) coefficients of the log gain that takes the empty board to `picture`."""
        now = _cells(picture, self.box, self.size)[self.used]
        ratio = now - self.then
        level = np.median(ratio, axis=0)
        fit = np.broadcast_to(level, ratio.shape)
        coefficients = np.zeros((self.basis.shape[1], 3))
        steady = 1e-3 * len(self.used) * np.diag([0.0] + [1.0] * (self.basis.shape[1] - 1))
        for spread in _SPREADS:
            off = np.abs(ratio - fit).max(axis=1) / spread
            weight = self.trust / (1 + off**4)
            scaled = self.basis * weight[:, None]
            normal = scaled.T @ self.basis + steady + 1e-9 * np.eye(len(steady))
            coefficients = np.linalg.solve(normal, scaled.T @ (ratio - level))
            coefficients[0] += level
            fit = self.basis @ coefficients
        return coefficients


def ground_of(
    empty: Picture, box: Box, surface: NDArray[np.bool_], bare: NDArray[np.bool_]
) -> Ground:
    """The ground of `empty` in `box`; `surface` and `bare` (h, w) say which pixels show the
    playing surface, and which of them nothing on a lattice can hide."""
    h, w = surface.shape
    size = (max(w // CELL_PX, 4), max(h // CELL_PX, 4))
    inside = cv2.resize(surface.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    free = cv2.resize(bare.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    used = np.flatnonzero(inside.ravel() > 0.98)
    rows, columns = np.divmod(used, size[0])
    middle = np.stack(
        [box.u0 + (columns + 0.5) * w / size[0], box.v0 + (rows + 0.5) * h / size[1]], axis=1
    )
    return Ground(
        box=box,
        size=size,
        used=used,
        then=_cells(empty, box, size)[used],
        trust=0.1 + np.asarray(free.ravel()[used], dtype=np.float64) ** 2,
        basis=_terms(box, middle),
    )


def _cells(picture: Picture, box: Box, size: tuple[int, int]) -> Floats:
    """(cells, 3) log codes of a picture's cells."""
    part = cv2.resize(picture[box.rows_columns], size, interpolation=cv2.INTER_AREA)
    return np.asarray(LOG[part].reshape(-1, 3), dtype=np.float64)


def _terms(box: Box, points_px: Floats) -> Floats:
    x = 2 * (points_px[:, 0] - box.u0) / (box.u1 - box.u0) - 1
    y = 2 * (points_px[:, 1] - box.v0) / (box.v1 - box.v0) - 1
    powers = [x**i * y**j for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i)]
    return np.stack(powers, axis=1)
