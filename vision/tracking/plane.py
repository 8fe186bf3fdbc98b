"""Small upright patches of the board, cut out of pictures in the plane where a piece's top is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera

Floats = NDArray[np.float64]
Patch = NDArray[np.float32]  # rows run with +y, columns with +x


@dataclass(frozen=True, slots=True)
class Spot:
    """The picture around one board place: its pixel, and the pixels a millimetre spans there.

    `ux`, `uy` are the pixels to the right for a millimetre along x and along y, `vx`, `vy` those
    down.
    """

    u: float
    v: float
    ux: float
    uy: float
    vx: float
    vy: float


class Plane:
    """The plane at height `z_mm`, cut into patches of `step_mm` to a pixel."""

    def __init__(self, camera: Camera, z_mm: float, step_mm: float) -> None:
        self.z_mm = z_mm
        self.step_mm = step_mm
        centre = camera.centre_mm
        self.eye = (float(centre[0]), float(centre[1]), float(centre[2]))
        turn = camera.rotation_matrix
        fixed = turn @ np.array([0.0, 0.0, z_mm]) + np.array(camera.translation_mm)
        self._rows = tuple(
            (float(turn[k, 0]), float(turn[k, 1]), float(fixed[k])) for k in range(3)
        )
        self._lens = camera.lens
        self._grids: dict[int, tuple[Patch, Patch, Patch]] = {}

    def grid(self, half: int) -> tuple[Patch, Patch, Patch]:
        """(x, y, distance) in mm of each point of a (2 half + 1)² patch about its centre."""
        found = self._grids.get(half)
        if found is None:
            run = (np.arange(-half, half + 1) * self.step_mm).astype(np.float32)
            x, y = np.meshgrid(run, run)
            found = self._grids[half] = (x, y, np.hypot(x, y))
        return found

    def spot(self, x_mm: float, y_mm: float) -> Spot:
        """The picture around a place in this plane (the camera's projection and its derivative)."""
        (a, b, c), (d, e, f), (g, h, i) = self._rows
        x_mm, y_mm = float(x_mm), float(y_mm)
        z = g * x_mm + h * y_mm + i
        x, y = (a * x_mm + b * y_mm + c) / z, (d * x_mm + e * y_mm + f) / z
        xx, xy = (a - x * g) / z, (b - x * h) / z
        yx, yy = (d - y * g) / z, (e - y * h) / z
        lens = self._lens
        k1, k2, p1, p2, k3 = lens.dist
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
        u = lens.fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + lens.cx
        v = lens.fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + lens.cy
        # (u, v) by the ideal (x, y), then (x, y) by the board's millimetres
        cross = slope * x * y + 2 * p1 * x + 2 * p2 * y
        du_dx = lens.fx * (radial + slope * x * x + 2 * p1 * y + 6 * p2 * x)
        dv_dy = lens.fy * (radial + slope * y * y + 6 * p1 * y + 2 * p2 * x)
        du_dy, dv_dx = lens.fx * cross, lens.fy * cross
        return Spot(
            u,
            v,
            du_dx * xx + du_dy * yx,
            du_dx * xy + du_dy * yy,
            dv_dx * xx + dv_dy * yx,
            dv_dx * xy + dv_dy * yy,
        )

    def place(self, u: float, v: float, near: tuple[float, float]) -> tuple[float, float]:
        """The place in this plane that is seen at a pixel, found by Newton's way from `near`."""
        x, y = near
        for _ in range(4):
            s = self.spot(x, y)
            du, dv = u - s.u, v - s.v
            det = s.ux * s.vy - s.uy * s.vx
            x += (s.vy * du - s.uy * dv) / det
            y += (s.ux * dv - s.vx * du) / det
            if abs(du) + abs(dv) < 0.01:
                break
        return x, y

    def cut(self, picture: NDArray[np.uint8], spot: Spot, half: int) -> Patch:
        """(2 half + 1)² patch centred at `spot`; float32."""
        step = self.step_mm
        a, b, c, d = spot.ux * step, spot.uy * step, spot.vx * step, spot.vy * step
        matrix = np.array([[a, b, spot.u - half * (a + b)], [c, d, spot.v - half * (c + d)]])
        side = 2 * half + 1
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(
            picture, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(cut, dtype=np.float32)

    def paste(
        self, patch: Patch, spot: Spot, half: int, view: tuple[slice, slice], fill: float
    ) -> Patch:
        """`patch`, centred at `spot`, as it lies in the pixels of `view`; `fill` beyond it."""
        step = self.step_mm
        a, b, c, d = spot.ux * step, spot.uy * step, spot.vx * step, spot.vy * step
        u0, v0 = view[1].start, view[0].start
        matrix = np.array(
            [[a, b, spot.u - u0 - half * (a + b)], [c, d, spot.v - v0 - half * (c + d)]]
        )
        size = (view[1].stop - u0, view[0].stop - v0)
        pasted = cv2.warpAffine(patch, matrix, size, flags=cv2.INTER_LINEAR, borderValue=fill)
        return np.asarray(pasted, dtype=np.float32)


def pitch_mm(camera: Camera) -> float:
    """How many millimetres one pixel covers at the centre of the surface."""
    here = camera.project(np.array([[-20.0, 0, 0], [20.0, 0, 0], [0, -20.0, 0], [0, 20.0, 0]]))
    across = np.hypot(*(here[1] - here[0])), np.hypot(*(here[3] - here[2]))
    return 40.0 / (0.5 * float(across[0] + across[1]))
