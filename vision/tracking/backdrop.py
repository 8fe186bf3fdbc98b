"""The board as it would look in this light without its pieces."""

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board

Gray = NDArray[np.uint8]
Mask = NDArray[np.uint8]
_COARSE = 8
_ALIKE_PX = 15


def mean_square(now: Gray, before: Gray) -> float:
    """The mean square, codes², by which two pictures of one size, which is not 0, differ."""
    return float(cv2.norm(now, before, cv2.NORM_L2SQR)) / now.size


def footprint(
    camera: Camera, x_mm: float, y_mm: float, radius_mm: float, z_mm: float
) -> NDArray[np.int32]:
    """(N, 2) pixel polygon, in 1/16 px, around a piece standing at (x, y), wall included."""
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([x_mm + radius_mm * np.cos(turn), y_mm + radius_mm * np.sin(turn)], axis=1)
    points = np.vstack(
        [np.hstack([ring, np.zeros((20, 1))]), np.hstack([ring, np.full((20, 1), z_mm)])]
    )
    px = camera.project(points)
    hull = cv2.convexHull(px.astype(np.float32)).reshape(-1, 2)
    return np.round(hull * 16).astype(np.int32)


def paint(mask: Mask, polygon: NDArray[np.int32], value: int = 255) -> None:
    cv2.fillConvexPoly(mask, polygon.reshape(-1, 1, 2), value, lineType=cv2.LINE_8, shift=4)


def relight(picture: Gray, empty: Gray, strange: Mask) -> Gray:
    """`empty` in the light of `picture`, judged by all that is not `strange` (255 there).

    The light is taken as a smooth factor; sharp glare beneath a piece is beyond it.
    """
    height, width = picture.shape
    size = (max(1, width // _COARSE), max(1, height // _COARSE))
    free = (strange == 0).astype(np.float32)
    share = cv2.resize(free, size, interpolation=cv2.INTER_AREA)
    now = cv2.resize(picture.astype(np.float32) * free, size, interpolation=cv2.INTER_AREA)
    was = cv2.resize(empty.astype(np.float32) * free, size, interpolation=cv2.INTER_AREA)
    # Sums before ratios: a dark pocket beside the gap then says little about the wood in it.
    lit = was / np.maximum(share, 0.05)
    bright = lit > 0.45 * float(np.median(lit[share > 0.3])) if (share > 0.3).any() else lit > 0
    good = ((share > 0.3) & bright).astype(np.float32)
    now, was = (now * good).astype(np.float32), (was * good).astype(np.float32)
    filled = np.zeros_like(now)
    left = np.ones_like(now, dtype=bool)
    for sigma in (0.8, 2.0, 5.0, 14.0, 60.0):
        if not left.any():
            break
        mass = cv2.GaussianBlur(good, (0, 0), sigma)
        above = cv2.GaussianBlur(now, (0, 0), sigma)
        below = cv2.GaussianBlur(was, (0, 0), sigma)
        ready = left & (mass > (0.15 if sigma < 60 else 1e-6)) & (below > 0.05)
        filled[ready] = above[ready] / below[ready]
        left &= ~ready
    filled[left] = 1.0
    # Relaxed inwards from the rim (Laplace), so that the light's slope runs on across each gap.
    known = good > 0
    exact = np.where(known, now / np.maximum(was, 0.05), filled).astype(np.float32)
    smooth = cv2.GaussianBlur(exact, (0, 0), 0.7)
    factor8 = np.where(known, smooth, np.clip(filled, 0.1, 8)).astype(np.float32)
    for _ in range(60):
        factor8 = np.where(known, factor8, cv2.blur(factor8, (3, 3)))
    factor = cv2.resize(
        np.clip(factor8, 0.1, 8).astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(np.clip(empty * factor + 0.5, 0, 255), dtype=np.uint8)


def noise_of(first: Gray, second: Gray) -> float:
    """One sd of a pixel's noise, from two pictures of the same still scene.

    What differs over many pixels alike is no noise, but a lamp that flickers.
    """
    gap = np.subtract(first, second, dtype=np.float32)
    gap -= cv2.blur(gap, (_ALIKE_PX, _ALIKE_PX))
    return float(np.clip(1.4826 * np.median(np.abs(gap[::3, ::3])) / np.sqrt(2), 0.6, 8.0))


def surface_mask(camera: Camera, board: Board, shape: tuple[int, int], outset_mm: float) -> Mask:
    """255 over the playing surface (at its own height), grown by `outset_mm`."""
    half_x, half_y = board.width_mm / 2 + outset_mm, board.height_mm / 2 + outset_mm
    run = np.linspace(-1, 1, 33)
    edge: Iterable[tuple[float, float]] = [
        *((k * half_x, -half_y) for k in run),
        *((half_x, k * half_y) for k in run),
        *((-k * half_x, half_y) for k in run),
        *((-half_x, -k * half_y) for k in run),
    ]
    points = np.array([(x, y, 0.0) for x, y in edge])
    mask = np.zeros(shape, dtype=np.uint8)
    polygon = np.round(camera.project(points) * 16).astype(np.int32)
    cv2.fillPoly(mask, [polygon.reshape(-1, 1, 2)], 255, lineType=cv2.LINE_8, shift=4)
    return mask
