"""The full camera: lens and pose together, so that a point at any height has its right pixel."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """OpenCV's pinhole with Brown distortion: `dist` is (k1, k2, p1, p2, k3)."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float]

    @property
    def matrix(self) -> Floats:
        """(3, 3) camera matrix."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]], dtype=np.float64)

    def distort(self, normal: Floats) -> Floats:
        """(N, 2) ideal normalised points -> (N, 2) pixels (Brown 1971, as in OpenCV)."""
        k1, k2, p1, p2, k3 = self.dist
        x, y = normal[:, 0], normal[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        u = self.fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + self.cx
        v = self.fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + self.cy
        return np.stack([u, v], axis=1)

    def undistort(self, points_px: Floats) -> Floats:
        """(N, 2) pixels -> (N, 2) ideal normalised points, iterated until it has converged.

        `cv2.undistortPoints` stops after five iterations, 0.08 px short at k1 = -0.2.
        """
        k1, k2, p1, p2, k3 = self.dist
        px = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        xd = (px[:, 0] - self.cx) / self.fx
        yd = (px[:, 1] - self.cy) / self.fy
        x, y = xd.copy(), yd.copy()
        for _ in range(60):
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            nx = (xd - 2 * p1 * x * y - p2 * (r2 + 2 * x * x)) / radial
            ny = (yd - p1 * (r2 + 2 * y * y) - 2 * p2 * x * y) / radial
            step = max(np.max(np.abs(nx - x), initial=0.0), np.max(np.abs(ny - y), initial=0.0))
            x, y = nx, ny
            if step < 1e-12:
                break
        return np.stack([x, y], axis=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Lens and pose together.

    `rotation` (Rodrigues vector) and `translation_mm` take board to camera.
    """

    lens: Lens
    rotation: tuple[float, float, float]
    translation_mm: tuple[float, float, float]

    @property
    def rotation_matrix(self) -> Floats:
        """(3, 3) board -> camera; not to be written to."""
        return _matrix_of(self.rotation)

    @property
    def centre_mm(self) -> Floats:
        """(3,) where the camera is, in the board frame."""
        return np.asarray(-self.rotation_matrix.T @ np.array(self.translation_mm), dtype=np.float64)

    def project(self, points_mm: Floats) -> Floats:
        """(N, 3) board millimetres -> (N, 2) pixels."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
        seen = points @ self.rotation_matrix.T + np.array(self.translation_mm)
        return self.lens.distort(seen[:, :2] / seen[:, 2:3])

    def to_plane(self, points_px: Floats, z_mm: float) -> Floats:
        """(N, 2) pixels -> (N, 2) board millimetres on the plane at height `z_mm`."""
        return self.rays_to_plane(self.lens.undistort(points_px), z_mm)

    def rays_to_plane(self, normal: Floats, z_mm: float) -> Floats:
        """(N, 2) ideal normalised points -> (N, 2) board millimetres on the plane `z_mm`."""
        rays = np.hstack([normal, np.ones((len(normal), 1))]) @ self.rotation_matrix
        centre = self.centre_mm
        reach = (z_mm - centre[2]) / rays[:, 2:3]
        return np.asarray(centre[:2] + rays[:, :2] * reach, dtype=np.float64)


@lru_cache(maxsize=256)
def _matrix_of(rotation: tuple[float, float, float]) -> Floats:
    """The matrix of a Rodrigues vector: that of a table's camera is asked for again and again."""
    matrix = np.array(cv2.Rodrigues(np.array(rotation, dtype=np.float64))[0], dtype=np.float64)
    matrix.flags.writeable = False
    return matrix
