"""Points of known place in the picture: the corners of markers, or the four corners clicked.

They give the first pose, which the painted lines then refine (calibration/pose.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from rules.board import Board, Fiducial

CLICK_PX = 2.0
"""How far a clicked corner may be off (tables/FORMAT.md: within 2 px)."""

MARKER_PX = 0.5
"""How far OpenCV's marker corners may be off: good to start from, not to measure with."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Landmarks:
    """(N, 3) places on the board, their (N, 2) pixels, and one standard deviation of a pixel.

    `markers` are the numbers, in the board's list, of the markers they are corners of.
    """

    places_mm: Floats
    pixels: Floats
    error_px: float
    markers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why the board's place in the picture could not be found. False in an `if`."""

    reason: str

    def __bool__(self) -> bool:
        return False


def marker_corners(mark: Fiducial) -> Floats:
    """(4, 3) corners of a marker's black square on the board, in the order OpenCV finds them."""
    half = mark.size_mm / 2
    yaw = np.deg2rad(mark.yaw_deg)
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]]) @ turn.T
    flat = square + np.array([mark.centre.x_mm, mark.centre.y_mm])
    return np.column_stack([flat, np.full(4, mark.z_mm)])


def find_markers(picture: NDArray[np.uint8], board: Board) -> Landmarks | NotFound:
    """Find the board's markers in `picture` ((H, W) or (H, W, 3) uint8).

    All four corners of at least three markers are needed: two leave the pose too loose.
    """
    gray = np.asarray(
        picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8
    )
    places: list[Floats] = []
    pixels: list[Floats] = []
    found: list[int] = []
    for name in sorted({mark.dictionary for mark in board.fiducials}):
        number = getattr(cv2.aruco, name, None)
        if not isinstance(number, int):
            return NotFound(f"there is no marker dictionary {name!r}")
        seen = _detect(gray, number)
        for number, mark in enumerate(board.fiducials):
            if mark.dictionary == name and mark.id in seen:
                places.append(marker_corners(mark))
                pixels.append(seen[mark.id])
                found.append(number)
    asked = len(board.fiducials)
    if len(found) < min(3, asked) or not found:
        ids = sorted(board.fiducials[number].id for number in found)
        return NotFound(f"saw {len(found)} of {asked} corner markers: {ids}")
    return Landmarks(
        places_mm=np.concatenate(places),
        pixels=np.concatenate(pixels),
        error_px=MARKER_PX,
        markers=tuple(found),
    )


def clicked_corners(board: Board, corners: Mapping[str, Sequence[float]]) -> Landmarks | NotFound:
    """The surface's four inner corners as a person clicked them (`corners.json`)."""
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    at = {"SW": (-1, -1), "SE": (1, -1), "NE": (1, 1), "NW": (-1, 1)}
    missing = [name for name in at if name not in corners]
    if missing:
        return NotFound(f"corners not clicked: {', '.join(missing)}")
    places = np.array([(sx * half_x, sy * half_y, 0.0) for sx, sy in at.values()])
    pixels = np.array([corners[name] for name in at], dtype=np.float64).reshape(4, 2)
    return Landmarks(places_mm=places, pixels=pixels, error_px=CLICK_PX / 2)


def _detect(gray: NDArray[np.uint8], dictionary: int) -> dict[int, Floats]:
    options = cv2.aruco.DetectorParameters()
    options.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    options.cornerRefinementWinSize = 4
    options.perspectiveRemoveIgnoredMarginPerCell = 0.3
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary), options)
    corners, ids, _ = detector.detectMarkers(gray)
    if ids is None:
        return {}
    flat = np.asarray(ids).ravel()
    return {
        int(id): np.asarray(four, dtype=np.float64).reshape(4, 2)
        for id, four in zip(flat, corners, strict=True)
    }
