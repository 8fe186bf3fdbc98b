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
_BAND_PX = 128  # so many rows at a time stay in the processor's cache
_BESIDE_PX = 12  # rows beside a band by which what is found in it is swayed, and some more


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
    planes = np.empty((*surface.shape, 3), dtype=np.float32)
    for top in range(0, len(planes), _BAND_PX):
        first = max(top - _BESIDE_PX, 0)
        rows = slice(first, top + _BAND_PX + _BESIDE_PX)
        found = _strongest(relit.picture[rows], relit.board[rows])
        planes[top : top + _BAND_PX] = found[top - first :][:_BAND_PX]
    sparse = np.flatnonzero(surface)[::7]
    noise = float(np.median(planes.reshape(-1, 3)[sparse, 2]))
    return Edges(
        gu=planes[:, :, 0],
        gv=planes[:, :, 1],
        strength=planes[:, :, 2],
        planes=planes,
        noise=max(noise, 0.3),
    )


def _strongest(picture: Plane, board: Plane) -> Plane:
    """(h, w, 3) the steepest channel's steps along u and v, and their strength."""
    du, dv = _gradient(picture - board)
    _take_off_paint(du, dv, board)
    gu, gv = du[0], dv[0]
    best = gu * gu + gv * gv
    for one_u, one_v in zip(du[1:], dv[1:], strict=True):
        square = one_u * one_u + one_v * one_v
        more = (square > best).view(np.uint8)
        for one, steepest in ((one_u, gu), (one_v, gv), (square, best)):
            cv2.copyTo(one, more, steepest)
    return np.asarray(cv2.merge([gu, gv, np.sqrt(best)]), dtype=np.float32)


def _gradient(codes: Plane) -> tuple[list[Plane], list[Plane]]:
    """Steps per pixel along u and v of (h, w, 3) codes, a plane (h, w) for each channel."""
    soft = [cv2.GaussianBlur(plane, (0, 0), _SOFT_PX) for plane in cv2.split(codes)]
    return _steps(soft, 1, 0), _steps(soft, 0, 1)


def _steps(soft: Sequence[NDArray[Any]], along_u: int, along_v: int) -> list[Plane]:
    return [
        np.asarray(cv2.Sobel(plane, cv2.CV_32F, along_u, along_v, scale=1 / 8), dtype=np.float32)
        for plane in soft
    ]


def _take_off_paint(du: Sequence[Plane], dv: Sequence[Plane], board: Plane) -> None:
    """Take from the gradients (planes) what paint on `board` (h, w, 3) explains, in place."""
    bu, bv = _gradient(board)
    size = (_AROUND_PX, _AROUND_PX)
    along, paint = _dot(du, bu, dv, bv), _dot(bu, bu, bv, bv)
    share = cv2.boxFilter(along, -1, size) / (cv2.boxFilter(paint, -1, size) + _FAINT)
    share = np.asarray(np.clip(share, _WASHED, _DEEPENED), dtype=np.float32)
    # |d - s b|^2 < |d|^2 wherever s b.s b < 2 d.s b
    share *= paint * share * share < 2 * along * share
    for mine, painted in zip((*du, *dv), (*bu, *bv), strict=True):
        painted *= share
        mine -= painted


def _dot(
    au: Sequence[Plane], bu: Sequence[Plane], av: Sequence[Plane], bv: Sequence[Plane]
) -> Plane:
    """(h, w) the sum over the channels of au bu + av bv."""
    total = np.zeros_like(au[0])
    for one, other, third, fourth in zip(au, bu, av, bv, strict=True):
        total += one * other
        total += third * fourth
    return total
