"""The empty board as it would look in this picture's light.

Lamps go on and off, the sun moves, the exposure changes: the picture is compared with the empty
board times a smooth gain per colour channel, found from the picture itself. Pieces, hands and
hard shadows cover a part of the board only, so cells that disagree with a smooth surface are left
out and bridged.
"""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from rules.board import Board

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
F = TypeVar("F", np.float32, np.float64)

CELL_PX = 16
_ORDER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A part of a picture: columns u0 <= u < u1, rows v0 <= v < v1."""

    u0: int
    v0: int
    u1: int
    v1: int

    @property
    def rows_columns(self) -> tuple[slice, slice]:
        return slice(self.v0, self.v1), slice(self.u0, self.u1)


def surface_box(board: Board, rays: RayMap, around_px: int = 24) -> tuple[Box, NDArray[np.bool_]]:
    """The box of pixels that holds the playing surface, and which of them show it (h, w)."""
    x, y = rays.planes[0], rays.planes[1]
    inside = (np.abs(x) < board.width_mm / 2) & (np.abs(y) < board.height_mm / 2)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not len(rows):
        raise ValueError("expected the playing surface in the picture, but none of it is there")
    width, height = rays.size
    box = Box(
        u0=max(int(columns[0]) - around_px, 0),
        v0=max(int(rows[0]) - around_px, 0),
        u1=min(int(columns[-1]) + 1 + around_px, width),
        v1=min(int(rows[-1]) + 1 + around_px, height),
    )
    return box, np.ascontiguousarray(inside[box.rows_columns])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relit:
    """A picture beside the empty board in the same light; all arrays cover `box` only.

    `picture`, `board`: (h, w, 3) float32 BGR in 8-bit steps as the camera codes them; `gain`
    (h, w, 3): by what the empty board was multiplied, in the same coding.
    """

    box: Box
    picture: Floats32
    board: Floats32
    gain: Floats32


def relight(picture: Picture, empty: Picture, box: Box, surface: NDArray[np.bool_]) -> Relit:
    """Match the light of `empty` to `picture` within `box`.

    `surface` (h, w): which pixels of the box show the playing surface; the rest has no say.
    """
    now = np.ascontiguousarray(picture[box.rows_columns]).astype(np.float32)
    then = np.ascontiguousarray(empty[box.rows_columns]).astype(np.float32)
    h, w = surface.shape
    size = (max(w // CELL_PX, 4), max(h // CELL_PX, 4))
    share = cv2.resize(surface.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    a = cv2.resize(now, size, interpolation=cv2.INTER_AREA)
    b = cv2.resize(then, size, interpolation=cv2.INTER_AREA)
    ratio = np.log(np.maximum(a, 1.0) / np.maximum(b, 1.0)).astype(np.float64)
    valid = (share > 0.98) & (b.max(axis=2) > 12)
    smooth = _bridge(ratio, valid)
    gain = cv2.resize(np.exp(smooth).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    return Relit(box=box, picture=now, board=then * gain, gain=np.asarray(gain, dtype=np.float32))


LINEAR = np.where(
    np.arange(256) <= 0.04045 * 255,
    np.arange(256) / (255 * 12.92),
    ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4,
).astype(np.float32)
"""(256,) from the camera's 8-bit code to light (IEC 61966-2-1), 0..1."""


def to_light(coded: NDArray[np.floating]) -> Floats:
    """8-bit codes (any shape, fractions allowed) as light, 0..1 (IEC 61966-2-1)."""
    return light_as_precise(np.asarray(coded, dtype=np.float64))


def to_code(light: NDArray[np.floating]) -> Floats:
    """Light 0..1 (any shape) as 8-bit codes: the inverse of `to_light`."""
    return code_as_precise(np.asarray(light, dtype=np.float64))


def light_as_precise(coded: NDArray[F]) -> NDArray[F]:
    """`to_light`, as precise as the codes: single precision takes a tenth of the time."""
    v = coded / 255
    return np.asarray(
        np.where(v <= 0.04045, v / 12.92, ((np.maximum(v, 0) + 0.055) / 1.055) ** 2.4)
    )


def code_as_precise(light: NDArray[F]) -> NDArray[F]:
    """`to_code`, as precise as the light."""
    v = np.maximum(light, 0)
    coded = 255 * np.where(v <= 0.0031308, 12.92 * v, 1.055 * v ** (1 / 2.4) - 0.055)
    return np.asarray(coded)


def _bridge(ratio: Floats, valid: NDArray[np.bool_]) -> Floats:
    """A smooth surface through the (rows, columns, 3) log ratios, ignoring cells that stick out."""
    rows, columns = valid.shape
    y, x = np.mgrid[0:rows, 0:columns]
    x = 2 * x / max(columns - 1, 1) - 1
    y = 2 * y / max(rows - 1, 1) - 1
    terms = [(x**i * y**j).ravel() for i in range(_ORDER + 1) for j in range(_ORDER + 1 - i)]
    basis = np.stack(terms, axis=1)
    flat = ratio.reshape(-1, 3)
    use = valid.ravel()
    if use.sum() < 2 * basis.shape[1]:
        return np.zeros_like(ratio)
    # One weight per cell for all channels: a cell is either board or it is not.
    weight = use.astype(np.float64)
    fit = np.median(flat[use], axis=0)[None, :].repeat(len(flat), axis=0)
    for spread in (0.5, 0.35, 0.25, 0.18, 0.15, 0.12):
        off = np.max(np.abs(flat - fit), axis=1)
        weight = use / (1 + (off / spread) ** 4)
        scaled = basis * weight[:, None]
        normal = scaled.T @ basis + 1e-3 * np.eye(basis.shape[1])
        fit = basis @ np.linalg.solve(normal, scaled.T @ flat)
    rest = (flat - fit).reshape(ratio.shape)
    near = (weight.reshape(valid.shape) * (np.max(np.abs(rest), axis=2) < 0.2)).astype(np.float64)
    weighed = cv2.GaussianBlur(rest * near[:, :, None], (0, 0), 2.0)
    total = cv2.GaussianBlur(near, (0, 0), 2.0)[:, :, None]
    return np.asarray(fit.reshape(ratio.shape) + weighed / (total + 0.1), dtype=np.float64)
