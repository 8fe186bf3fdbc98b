"""Where each pixel looks, and how much of a pixel a shape covers.

Shapes are drawn by their signed distance: how far each pixel's centre lies from the edge, measured
on the plane where the edge is and turned into pixels by the local scale. A straight edge blurred by
the lens and a pixel's own area is then exact, so what is drawn lies where it should to a hundredth
of a pixel without any supersampling.
"""

from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RectBivariateSpline

from calibration.camera import Camera

Floats = NDArray[np.float32]
GRID_PX = 8
T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the picture: columns `left` to `right`, rows `top` to `bottom`, ends excluded."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def within(self, other: "Box") -> "Box":
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def seen_from(self, other: "Box") -> "Box":
        """This box, its rows and columns counted from those of another one."""
        return Box(
            self.left - other.left,
            self.top - other.top,
            self.right - other.left,
            self.bottom - other.top,
        )

    @property
    def area(self) -> int:
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def of(self, picture: NDArray[T]) -> NDArray[T]:
        """The part of an (H, W, …) array that this box covers, as a view."""
        return picture[self.top : self.bottom, self.left : self.right]


class Rays:
    """The rays of every pixel of a camera. `blur_px` is the lens's point spread, one sd."""

    def __init__(self, camera: Camera, blur_px: float) -> None:
        lens = camera.lens
        self.camera = camera
        self.width, self.height = lens.width, lens.height
        self.whole = Box(0, 0, lens.width, lens.height)
        self.blur_px = sqrt(blur_px**2 + 1 / 12)
        self.eye = camera.centre_mm
        self._slope_x, self._slope_y = _slopes(camera)
        self._pose = [
            (*(float(r) for r in row), t)
            for row, t in zip(camera.rotation_matrix, camera.translation_mm, strict=True)
        ]

    def plane(self, z_mm: float, box: Box) -> tuple[Floats, Floats]:
        """The x and y that the pixels of `box` look at on the plane at `z_mm`, each (h, w)."""
        fall = z_mm - self.eye[2]
        rows, columns = slice(box.top, box.bottom), slice(box.left, box.right)
        x = self.eye[0] + fall * self._slope_x[rows, columns]
        y = self.eye[1] + fall * self._slope_y[rows, columns]
        return x.astype(np.float32), y.astype(np.float32)

    def near(self, z_mm: float, box: Box, x_mm: float, y_mm: float) -> tuple[Floats, Floats]:
        """As `plane`, but from (x, y) on, so that single precision keeps its digits."""
        fall = z_mm - self.eye[2]
        rows, columns = slice(box.top, box.bottom), slice(box.left, box.right)
        x = (self.eye[0] - x_mm) + fall * self._slope_x[rows, columns]
        y = (self.eye[1] - y_mm) + fall * self._slope_y[rows, columns]
        return x.astype(np.float32), y.astype(np.float32)

    def pixel(self, x_mm: float, y_mm: float, z_mm: float) -> tuple[float, float]:
        """Where a point of the board's frame is seen, px."""
        (ax, ay, az, at), (bx, by, bz, bt), (cx, cy, cz, ct) = self._pose
        depth = cx * x_mm + cy * y_mm + cz * z_mm + ct
        x = (ax * x_mm + ay * y_mm + az * z_mm + at) / depth
        y = (bx * x_mm + by * y_mm + bz * z_mm + bt) / depth
        lens = self.camera.lens
        k1, k2, p1, p2, k3 = lens.dist
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        u = lens.fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + lens.cx
        v = lens.fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + lens.cy
        return u, v

    def steps(self, u: float, v: float) -> tuple[float, float, float, float]:
        """How the slopes change per pixel at (u, v): d(x)/du, d(x)/dv, d(y)/du, d(y)/dv."""
        column = min(max(round(u), 1), self.width - 2)
        row = min(max(round(v), 1), self.height - 2)
        sx, sy = self._slope_x, self._slope_y
        return (
            float(sx[row, column + 1] - sx[row, column - 1]) / 2,
            float(sx[row + 1, column] - sx[row - 1, column]) / 2,
            float(sy[row, column + 1] - sy[row, column - 1]) / 2,
            float(sy[row + 1, column] - sy[row - 1, column]) / 2,
        )

    def box_around(self, points_px: list[tuple[float, float]], margin_px: float) -> Box:
        """The pixels within `margin_px` of the points' bounding box, kept inside the picture."""
        us = [p[0] for p in points_px]
        vs = [p[1] for p in points_px]
        box = Box(
            floor(min(us) - margin_px),
            floor(min(vs) - margin_px),
            ceil(max(us) + margin_px) + 1,
            ceil(max(vs) + margin_px) + 1,
        )
        return box.within(self.whole)


def _slopes(camera: Camera) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each pixel's ray as dx/dz and dy/dz in the board's frame, each (H, W).

    Worked out exactly at every eighth pixel and between them by cubic splines, which are true to
    1e-9 there: a lens bends smoothly.
    """
    lens = camera.lens
    us = np.arange(-GRID_PX, lens.width + 2 * GRID_PX, GRID_PX, dtype=np.float64)
    vs = np.arange(-GRID_PX, lens.height + 2 * GRID_PX, GRID_PX, dtype=np.float64)
    grid = np.stack(np.meshgrid(us, vs), axis=-1).reshape(-1, 2)
    normal = lens.undistort(grid)
    rays = np.hstack([normal, np.ones((len(normal), 1))]) @ camera.rotation_matrix
    slopes = (rays[:, :2] / rays[:, 2:3]).reshape(len(vs), len(us), 2)
    rows, columns = np.arange(lens.height), np.arange(lens.width)
    x, y = (
        np.ascontiguousarray(RectBivariateSpline(vs, us, slopes[..., k])(rows, columns))
        for k in (0, 1)
    )
    return x, y


def coverage(outside_px: Floats, blur_px: float) -> Floats:
    """The share of each pixel that a shape covers, from the signed distance to its edge in pixels.

    Positive is outside. The normal distribution's integral by Page's formula (1977), good to 2e-4.
    """
    t = outside_px * np.float32(-1.0 / blur_px)
    inner = t * (np.float32(0.7988) + np.float32(0.04417 * 0.7988) * t * t)
    share: Floats = np.float32(0.5) * (np.float32(1.0) + np.tanh(inner))
    return share


def slope_px(distance: Floats) -> Floats:
    """How fast a distance field (h, w) changes from pixel to pixel, at least 1e-6 a pixel."""
    down, across = np.gradient(distance)
    return np.asarray(np.maximum(np.hypot(down, across), 1e-6), dtype=np.float32)
