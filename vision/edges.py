"""Edges that a picture has and the empty board in its light has not.

What is painted on the board shows in the difference of the two wherever a lamp's reflection
washes the paint out, or the light is not the empty board's. Such an edge runs as the paint runs
and is by the same share stronger or weaker all around; so the share that explains most is taken
off, place by place. The rim of a piece keeps to no paint and stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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


Plane = NDArray[np.float32]


def edges_of(relit: Relit, surface: NDArray[np.bool_]) -> Edges:
    """Gradients of picture minus relit board; `noise` is the median strength on the surface."""
    du, dv = _gradient(relit.picture - relit.board)
    _take_off_paint(du, dv, relit.board)
    planes = np.empty((*surface.shape, 3), dtype=np.float32)
    gu, gv, best = du[0], dv[0], du[0] * du[0] + dv[0] * dv[0]
    for one_u, one_v in zip(du[1:], dv[1:], strict=True):
        square = one_u * one_u + one_v * one_v
        more = square > best
        gu, gv = np.where(more, one_u, gu), np.where(more, one_v, gv)
        best = np.maximum(best, square)
    cv2.merge([gu, gv, np.sqrt(best)], planes)
    noise = float(np.median(planes[:, :, 2][surface][::7]))
    return Edges(
        gu=planes[:, :, 0],
        gv=planes[:, :, 1],
        strength=planes[:, :, 2],
        planes=planes,
        noise=max(noise, 0.3),
    )


def _gradient(codes: Plane) -> tuple[list[Plane], list[Plane]]:
    """Steps per pixel along u and v of (h, w, 3) codes, a plane (h, w) for each channel."""
    soft = cv2.GaussianBlur(codes, (0, 0), _SOFT_PX)
    du = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    dv = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return _planes(du), _planes(dv)


def _planes(codes: NDArray[Any]) -> list[Plane]:
    return [np.asarray(plane, dtype=np.float32) for plane in cv2.split(codes)]


def _take_off_paint(du: Sequence[Plane], dv: Sequence[Plane], board: Plane) -> None:
    """Take from the gradients (planes) what paint on `board` (h, w, 3) explains, in place."""
    bu, bv = _gradient(board)
    size = (_AROUND_PX, _AROUND_PX)
    along = cv2.boxFilter(_dot(du, bu, dv, bv), -1, size)
    paint = cv2.boxFilter(_dot(bu, bu, bv, bv), -1, size)
    share = np.asarray(np.clip(along / (paint + _FAINT), _WASHED, _DEEPENED), dtype=np.float32)
    for plane in (*bu, *bv):
        plane *= share
    # |d - b|^2 < |d|^2 wherever b.b < 2 d.b
    less = (_dot(bu, bu, bv, bv) < 2 * _dot(du, bu, dv, bv)).astype(np.float32)
    for mine, painted in zip((*du, *dv), (*bu, *bv), strict=True):
        painted *= less
        mine -= painted


def _dot(
    au: Sequence[Plane], bu: Sequence[Plane], av: Sequence[Plane], bv: Sequence[Plane]
) -> Plane:
    """(h, w) the sum over the channels of au bu + av bv."""
    total = np.zeros_like(au[0])
    for one, other, third, fourth in zip(au, bu, av, bv, strict=True):
        total += one * other + third * fourth
    return total
