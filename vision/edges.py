"""Edges that a picture has and the empty board in its light has not.

What is painted on the board shows in the difference of the two wherever a lamp's reflection
washes the paint out, or the light is not the empty board's. Such an edge runs as the paint runs
and is by the same share stronger or weaker all around; so the share that explains most is taken
off, place by place. The rim of a piece keeps to no paint and stays.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import Relit

_SOFT_PX = 0.8
_AROUND_PX = 11  # over which paint is washed out by one share
_FAINT = 30.0  # squared steps per pixel: fainter paint explains nothing
_WASHED, _DEEPENED = -0.65, 0.5  # by what share of itself paint may be weaker, or stronger


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edges:
    """The gradient (in 8-bit steps per pixel, strongest channel) of the difference to the board."""

    gu: NDArray[np.float32]
    gv: NDArray[np.float32]
    strength: NDArray[np.float32]
    planes: NDArray[np.float32]  # (h, w, 3), the same three, for sampling
    noise: float


def edges_of(relit: Relit, surface: NDArray[np.bool_]) -> Edges:
    """Gradients of picture minus relit board; `noise` is the median strength on the surface."""
    du, dv = _gradient(relit.picture - relit.board)
    _take_off_paint(du, dv, relit.board)
    square = du * du + dv * dv
    best = np.argmax(square, axis=2)[:, :, None]
    planes = np.empty((*surface.shape, 3), dtype=np.float32)
    planes[:, :, 0] = np.take_along_axis(du, best, axis=2)[:, :, 0]
    planes[:, :, 1] = np.take_along_axis(dv, best, axis=2)[:, :, 0]
    planes[:, :, 2] = np.sqrt(np.take_along_axis(square, best, axis=2)[:, :, 0])
    noise = float(np.median(planes[:, :, 2][surface][::7]))
    return Edges(
        gu=planes[:, :, 0],
        gv=planes[:, :, 1],
        strength=planes[:, :, 2],
        planes=planes,
        noise=max(noise, 0.3),
    )


def _gradient(codes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    soft = cv2.GaussianBlur(codes, (0, 0), _SOFT_PX)
    du = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    dv = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(du, dtype=np.float32), np.asarray(dv, dtype=np.float32)


def _take_off_paint(
    du: NDArray[np.float32], dv: NDArray[np.float32], board: NDArray[np.float32]
) -> None:
    """Take from the gradients (h, w, 3) what paint on `board` (h, w, 3) explains, in place."""
    bu, bv = _gradient(board)
    size = (_AROUND_PX, _AROUND_PX)
    along = cv2.boxFilter((du * bu + dv * bv).sum(axis=2), -1, size)
    paint = cv2.boxFilter((bu * bu + bv * bv).sum(axis=2), -1, size)
    share = np.clip(along / (paint + _FAINT), _WASHED, _DEEPENED)[:, :, None]
    bu *= share
    bv *= share
    # |d - b|^2 < |d|^2 wherever b.b < 2 d.b
    less = (bu * bu + bv * bv).sum(axis=2) < 2 * (du * bu + dv * bv).sum(axis=2)
    du -= bu * less[:, :, None]
    dv -= bv * less[:, :, None]
