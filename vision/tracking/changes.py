"""What changes in the picture: from frame to frame, and from the still start, cell by cell."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board
from vision.tracking.backdrop import surface_mask
from vision.tracking.body import View
from vision.tracking.ground import Ground

Gray = NDArray[np.uint8]
CELL_PX = 4
_CHANGED, _NOISES, _CHANGED_CELLS = 5.0, 2.0, 2  # codes of a cell's mean, and so many cells
_DIFFERS, _ABOUT = 1.5, 2  # codes on the mean of the cells so near to a place


class ChangeWatch:
    """The board's part of each frame, in cells of 4 x 4 px, against what is known of it.

    `crop` is that part of the picture, `surface` (cells) 255 where the surface fills a cell.
    `cells` is how far each differed from the backdrop in the last frame, in codes, noise taken off.
    Nothing that is not small or slow has changed since `still_since_ms`.
    """

    def __init__(self, camera: Camera, board: Board, ground: Ground) -> None:
        shape = (ground.empty.shape[0], ground.empty.shape[1])
        self.crop = _crop(camera, board, shape)
        surface = surface_mask(camera, board, shape, -2.0)[self.crop]
        size = (surface.shape[1] // CELL_PX, surface.shape[0] // CELL_PX)
        self.surface = np.where(cv2.resize(surface, size) > 250, 255, 0).astype(np.uint8)
        self.cells: Gray = np.zeros((1, 1), dtype=np.uint8)
        self.still_since_ms = 0.0
        self._ground = ground
        self._halved: tuple[int, Gray] = (-1, self.cells)
        self._still: Gray | None = None  # as it has been since then
        self._begun: Gray | None = None

    def begin(self, picture: Gray) -> None:
        """Take `picture` as the still start."""
        self._begun = _halved(_halved(picture[self.crop]))
        self.still_since_ms, self._still = 0.0, None

    def look(self, picture: Gray, at_ms: float) -> None:
        """Compare one more frame."""
        ground = self._ground
        if self._halved[0] != ground.changes:
            self._halved = (ground.changes, _halved(ground.backdrop[self.crop]))
        half = _halved(picture[self.crop])
        self._compare(_halved(half), at_ms)
        gap = cv2.absdiff(half, self._halved[1])
        least = max(2.5, 2.2 * ground.noise)
        cv2.threshold(gap, least, 255, cv2.THRESH_TOZERO, dst=gap)
        self.cells = _halved(np.asarray(gap, dtype=np.uint8))

    def at(self, x_mm: float, y_mm: float) -> bool:
        """Whether the last frame differs from the backdrop at a place on the surface."""
        spot = self._ground.plane(5.0).spot(x_mm, y_mm)
        v = int((spot.v - self.crop[0].start) // CELL_PX)
        u = int((spot.u - self.crop[1].start) // CELL_PX)
        part = self.cells[max(v - _ABOUT, 0) : v + _ABOUT + 1, max(u - _ABOUT, 0) : u + _ABOUT + 1]
        return bool(part.size) and float(part.mean()) > _DIFFERS

    def since_start(self) -> int:
        """How many cells of the surface look otherwise than at the start, pieces and all.

        What is thin, as along the rim of a piece that has hardly shifted, is left out.
        """
        if self._begun is None or self._still is None:
            return 0
        thick = cv2.erode(self._unlike(self._still, self._begun), np.ones((2, 2), np.uint8))
        return cv2.countNonZero(thick)

    def _compare(self, coarse: Gray, at_ms: float) -> None:
        """Notice whether the picture shows what it showed for a while.

        It is compared with one picture for long, so that what creeps is noticed as well.
        """
        before = self._still
        if before is None or cv2.countNonZero(self._unlike(coarse, before)) >= _CHANGED_CELLS:
            self.still_since_ms, self._still = at_ms, coarse

    def _unlike(self, coarse: Gray, other: Gray) -> Gray:
        """1 in the cells of the surface in which two coarse pictures differ."""
        gap = cv2.bitwise_and(cv2.absdiff(coarse, other), self.surface)
        return (gap > max(_CHANGED, _NOISES * self._ground.noise)).astype(np.uint8)


def _halved(picture: Gray) -> Gray:
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _crop(camera: Camera, board: Board, shape: tuple[int, int]) -> View:
    """The part of the picture that the board and a little around it fill, whole cells."""
    half_x = board.width_mm / 2 + board.border_width_mm + 40
    half_y = board.height_mm / 2 + board.border_width_mm + 40
    run = np.linspace(-1, 1, 9)
    edge = [(a * half_x, b * half_y, 0.0) for a in run for b in run]
    px = camera.project(np.array(edge))
    u0, v0 = np.maximum(np.floor(px.min(0) / CELL_PX) * CELL_PX, 0).astype(int)
    u1 = min(int(px[:, 0].max()) + CELL_PX, shape[1])
    v1 = min(int(px[:, 1].max()) + CELL_PX, shape[0])
    u1, v1 = u0 + (u1 - u0) // CELL_PX * CELL_PX, v0 + (v1 - v0) // CELL_PX * CELL_PX
    return slice(int(v0), int(v1)), slice(int(u0), int(u1))
