"""Small upright patches of the board, cut out of pictures in the plane where a piece's top is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera

Floats = NDArray[np.float64]
Patch = NDArray[np.float32]  # rows run with +y, columns with +x
_PROBE = np.array([[0.0, 0.0], [8.0, 0.0], [-8.0, 0.0], [0.0, 8.0], [0.0, -8.0]])


@dataclass(frozen=True, slots=True)
class Spot:
    """The picture around one board place: its pixel, and (2, 2) pixels per millimetre."""

    u: float
    v: float
    jacobian: Floats


class Plane:
    """The plane at height `z_mm`, cut into patches of `step_mm` to a pixel."""

    def __init__(self, camera: Camera, z_mm: float, step_mm: float) -> None:
        self.camera = camera
        self.z_mm = z_mm
        self.step_mm = step_mm

    def spot(self, x_mm: float, y_mm: float) -> Spot:
        points = np.empty((5, 3))
        points[:, :2] = _PROBE
        points[:, 0] += x_mm
        points[:, 1] += y_mm
        points[:, 2] = self.z_mm
        px = self.camera.project(points)
        jacobian = np.stack([(px[1] - px[2]) / 16.0, (px[3] - px[4]) / 16.0], axis=1)
        return Spot(float(px[0, 0]), float(px[0, 1]), jacobian)

    def cut(
        self, picture: NDArray[np.uint8], spot: Spot, half: int, offset_mm: tuple[float, float]
    ) -> Patch:
        """(2 half + 1)² patch whose centre lies `offset_mm` from `spot`; float32."""
        j = spot.jacobian
        step = self.step_mm
        du = j[0, 0] * offset_mm[0] + j[0, 1] * offset_mm[1]
        dv = j[1, 0] * offset_mm[0] + j[1, 1] * offset_mm[1]
        a, b = j[0, 0] * step, j[0, 1] * step
        c, d = j[1, 0] * step, j[1, 1] * step
        matrix = np.array(
            [
                [a, b, spot.u + du - half * (a + b)],
                [c, d, spot.v + dv - half * (c + d)],
            ]
        )
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
        j, step = spot.jacobian, self.step_mm
        a, b = j[0, 0] * step, j[0, 1] * step
        c, d = j[1, 0] * step, j[1, 1] * step
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
