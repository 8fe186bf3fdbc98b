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
from vision.lattice.medians import median
from vision.lattice.shrunk import SIXTEEN_TIMES, Part, Quarter, halved, quarter_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

DARK = 8.0
"""Codes added before logarithms are taken: noise must not count where all is black."""
LOG = np.log(np.arange(256, dtype=np.float32) + DARK).astype(np.float32)
TURN = np.array([[1, 1, 1], [-1, 0, 1], [1, -2, 1]], dtype=np.float32) / np.sqrt(
    np.array([[3], [2], [6]], dtype=np.float32)
)
"""From log codes (B, G, R) to brightness, red against blue, and green against both."""
_ORDER = 3
_POWERS = tuple((i, j) for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i))
_SPREADS = (0.5, 0.25, 0.12, 0.08)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surfaces:
    """The powers of the columns, `across` (4, W), and of the rows, `down` (H, 4), of a picture."""

    across: Floats32
    down: Floats32

    def of(self, gain: Floats32) -> Floats32:
        """(N, H, W) the values of so many gains (10, N)."""
        whole = np.zeros((gain.shape[1], _ORDER + 1, _ORDER + 1), dtype=np.float32)
        for values, (i, j) in zip(gain, _POWERS, strict=True):
            whole[:, j, i] = values
        return np.asarray(np.matmul(self.down @ whole, self.across), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """What of a table's empty board is compared with every picture, precomputed.

    `part` of the picture shows the surface; `used` (C,) are indices into it, flattened at a
    sixteenth of its size, `then` (C, 3) log codes of the empty board there, `trust` (C,) how far
    each shows the bare board in every position, `terms_of_used` (10, C) the terms of the
    gain there; `steady` (10, 10) keeps the gain from swinging where little is seen.
    """

    box: Box
    part: Part
    used: NDArray[np.intp]
    then: Floats32
    trust: Floats32
    terms_of_used: Floats32
    steady: Floats

    def terms(self, points_px: Floats) -> Floats:
        """(N, 10) terms of the gain at (N, 2) picture points."""
        return _terms(self.box, points_px)

    def surfaces(self, columns_px: Floats, rows_px: Floats) -> "Surfaces":
        """What gives the gain at each of some columns (W,) and rows (H,) of the picture."""
        x, y = _scaled(self.box, columns_px, rows_px)
        return Surfaces(
            across=np.array([x**i for i in range(_ORDER + 1)], dtype=np.float32),
            down=np.array([y**j for j in range(_ORDER + 1)], dtype=np.float32).T.copy(),
        )

    def gain(self, picture: Quarter) -> Floats:
        """(10, 3) coefficients of the log gain that takes the empty board to `picture`."""
        ratio = np.ascontiguousarray((_codes(picture, self.part, self.used) - self.then).T)
        level = median(ratio)
        ratio -= level[:, None]
        sides = np.concatenate([self.terms_of_used, ratio]).T
        terms = len(self.terms_of_used)
        off = np.abs(ratio)
        for spread in _SPREADS:
            most = np.maximum(np.maximum(off[0], off[1], out=off[0]), off[2], out=off[0])
            most *= np.float32(1 / spread)
            weight = self.trust / (np.square(np.square(most, out=most), out=most) + 1)
            both = ((self.terms_of_used * weight) @ sides).astype(np.float64)
            normal = both[:, :terms] + self.steady
            solved = cv2.solve(normal, both[:, terms:], flags=cv2.DECOMP_CHOLESKY)[1]
            np.matmul(solved.T.astype(np.float32), self.terms_of_used, out=off)
            np.abs(np.subtract(ratio, off, out=off), out=off)
        solved[0] += level
        return np.asarray(solved, dtype=np.float64)


def ground_of(
    empty: Picture, box: Box, surface: NDArray[np.bool_], bare: NDArray[np.bool_]
) -> Ground:
    """The ground of `empty`; `surface` and `bare` (h, w) say which pixels of `box` show the playing
    surface, and which of them nothing on a lattice can hide."""
    high, wide = empty.shape[:2]
    rows, columns = (np.flatnonzero(surface.any(axis=axis)).tolist() for axis in (1, 0))
    part = Part.about(
        (box.v0 + rows[0], box.v0 + rows[-1] + 1),
        (box.u0 + columns[0], box.u0 + columns[-1] + 1),
        (wide, high),
    )
    inside, free = (_shares(mask, box, part, (high, wide)) for mask in (surface, bare))
    used = np.flatnonzero(inside.ravel() > 0.98)
    down, across = np.divmod(used, part.size(SIXTEEN_TIMES)[0])
    middle = (np.stack([across, down], axis=1) + 0.5) * SIXTEEN_TIMES - 0.5 + part.origin
    basis = _terms(box, middle)
    many, terms = basis.shape
    return Ground(
        box=box,
        part=part,
        used=used,
        then=_codes(quarter_of(empty, part), part, used),
        trust=(0.1 + free.ravel()[used] ** 2).astype(np.float32),
        terms_of_used=np.ascontiguousarray(basis.T, dtype=np.float32),
        steady=1e-3 * many * np.diag([0.0] + [1.0] * (terms - 1)) + 1e-9 * np.eye(terms),
    )


def _shares(mask: NDArray[np.bool_], box: Box, part: Part, whole: tuple[int, int]) -> Floats:
    """(h, w) how much of each cell of a part's sixteenth is set in a `mask` of a `box`."""
    full = np.zeros(whole, dtype=np.float64)
    full[box.rows_columns] = mask
    w, h = part.size(SIXTEEN_TIMES)
    shaped = full[part.rows, part.columns].reshape(h, SIXTEEN_TIMES, w, SIXTEEN_TIMES)
    return np.asarray(shaped.mean(axis=(1, 3)), dtype=np.float64)


def _codes(picture: Quarter, part: Part, used: NDArray[np.intp]) -> Floats32:
    """(C, 3) log codes of some pixels of the sixteenth of a `part` of a picture."""
    sixteenth = halved(halved(picture.of(part)))
    logs = np.asarray(cv2.LUT(sixteenth, LOG.reshape(1, -1)), dtype=np.float32)
    return logs.reshape(-1, 3).take(used, axis=0)


def _terms(box: Box, points_px: Floats) -> Floats:
    x, y = _scaled(box, points_px[:, 0], points_px[:, 1])
    return np.stack([x**i * y**j for i, j in _POWERS], axis=1)


def _scaled(box: Box, columns_px: Floats, rows_px: Floats) -> tuple[Floats, Floats]:
    x = 2 * (columns_px - box.u0) / (box.u1 - box.u0) - 1
    y = 2 * (rows_px - box.v0) / (box.v1 - box.v0) - 1
    return x, y
