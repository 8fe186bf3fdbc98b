"""How far an arm reaches over the surface, from the cells of the coarse picture that it covers."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board
from rules.geometry import Seat

Gray = NDArray[np.uint8]
_ARM_MM = 30.0  # about the height of fingers over the surface
_COARSE = 8


class Reach:
    """The board place of each coarse cell; `shape` (rows, columns), cells of `cell_px` pixels.

    `corner_px` is the picture's pixel (row, column) at which the first cell begins.
    """

    def __init__(
        self,
        camera: Camera,
        board: Board,
        shape: tuple[int, int],
        cell_px: int,
        corner_px: tuple[int, int],
    ) -> None:
        self._half = {
            Seat.E: (0, 1.0, board.width_mm / 2),
            Seat.W: (0, -1.0, board.width_mm / 2),
            Seat.N: (1, 1.0, board.height_mm / 2),
            Seat.S: (1, -1.0, board.height_mm / 2),
        }
        rows = np.arange(-1, shape[0] // _COARSE + 3) * _COARSE
        columns = np.arange(-1, shape[1] // _COARSE + 3) * _COARSE
        grid_u, grid_v = np.meshgrid(columns, rows)
        px = np.stack(
            [
                corner_px[1] + (grid_u.ravel() + 0.5) * cell_px - 0.5,
                corner_px[0] + (grid_v.ravel() + 0.5) * cell_px - 0.5,
            ],
            axis=1,
        )
        places = camera.to_plane(px, _ARM_MM).reshape(*grid_u.shape, 2).astype(np.float32)
        v, u = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        self._places = cv2.remap(
            places,
            u / _COARSE + 1,
            v / _COARSE + 1,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )

    def depth_mm(self, mask: Gray, side: Seat) -> float:
        """How far what `mask` (255) covers reaches over the surface from one side's border."""
        covered = self._places[mask > 0]
        if len(covered) < 4:
            return 0.0
        axis, sign, half = self._half[side]
        inwards = half - sign * covered[:, axis]
        return float(min(max(np.percentile(inwards, 99.0), 0.0), 2 * half))

    def nearest_side(self, mask: Gray) -> Seat | None:
        """The border that what `mask` covers lies against most; None where it covers nothing."""
        covered = self._places[mask > 0]
        if not len(covered):
            return None
        gaps = {
            side: half - float((sign * covered[:, axis]).max())
            for side, (axis, sign, half) in self._half.items()
        }
        return min(gaps, key=lambda side: gaps[side])
