"""The calibration sheet, and finding its corners in a picture."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.damage import TableDamaged
from calibration.landmarks import NotFound

LEAST_CORNERS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class CharucoSheet:
    """A ChArUco sheet as printed: squares across and down, their side, and the markers' in mm."""

    dictionary: str
    squares_x: int
    squares_y: int
    square_mm: float
    marker_mm: float
    legacy_pattern: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chessboard:
    """A plain chessboard: inner corners across and down, and a square's side in mm."""

    corners_x: int
    corners_y: int
    square_mm: float


Sheet = CharucoSheet | Chessboard


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """One picture of the sheet: (N, 3) corners on the sheet in mm and their (N, 2) pixels."""

    name: str
    width: int
    height: int
    places_mm: Floats
    pixels: Floats


def read_sheet(path: Path | str) -> CharucoSheet:
    """The sheet a `charuco.json` describes; `TableDamaged` says what is wrong with one."""
    file = Path(path)
    remedy = "describe the printed sheet: dictionary, squares_x, squares_y, square_mm, marker_mm"
    try:
        got = json.loads(file.read_text(encoding="utf-8"))
        sheet = CharucoSheet(
            dictionary=str(got["dictionary"]),
            squares_x=int(got["squares_x"]),
            squares_y=int(got["squares_y"]),
            square_mm=float(got["square_mm"]),
            marker_mm=float(got["marker_mm"]),
            legacy_pattern=bool(got.get("legacy_pattern", False)),
        )
    except FileNotFoundError:
        raise TableDamaged(file, "is missing", remedy) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as err:
        raise TableDamaged(file, f"is not JSON: {err}", remedy) from None
    except (KeyError, TypeError, ValueError, AttributeError) as err:
        raise TableDamaged(file, f"cannot be used ({err!r})", remedy) from None
    if not isinstance(getattr(cv2.aruco, sheet.dictionary, None), int):
        raise TableDamaged(file, f"there is no dictionary {sheet.dictionary!r}", remedy)
    if min(sheet.squares_x, sheet.squares_y) < 3 or not 0 < sheet.marker_mm < sheet.square_mm:
        raise TableDamaged(file, "is no sheet of at least 3 by 3 squares with markers", remedy)
    return sheet


def find_sheet(picture: NDArray[np.uint8], sheet: Sheet, name: str = "") -> View | NotFound:
    """Find the sheet's corners in `picture` ((H, W) or (H, W, 3) uint8)."""
    gray = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    match sheet:
        case CharucoSheet():
            found = _charuco(np.asarray(gray, dtype=np.uint8), sheet)
        case Chessboard():
            found = _chessboard(np.asarray(gray, dtype=np.uint8), sheet)
    if found is None:
        return NotFound("the sheet was not found")
    places, pixels = found
    if len(pixels) < LEAST_CORNERS:
        return NotFound(f"only {len(pixels)} corners of the sheet were found")
    if np.linalg.matrix_rank(places[:, :2] - places[:, :2].mean(axis=0), tol=1e-6) < 2:
        return NotFound("the corners found lie on one line")
    height, width = gray.shape[:2]
    return View(name=name, width=width, height=height, places_mm=places, pixels=pixels)


def _charuco(gray: NDArray[np.uint8], sheet: CharucoSheet) -> tuple[Floats, Floats] | None:
    number = getattr(cv2.aruco, sheet.dictionary)
    board = cv2.aruco.CharucoBoard(
        (sheet.squares_x, sheet.squares_y),
        sheet.square_mm,
        sheet.marker_mm,
        cv2.aruco.getPredefinedDictionary(number),
    )
    board.setLegacyPattern(sheet.legacy_pattern)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(gray)
    if corners is None or ids is None or len(corners) == 0:
        return None
    every = np.asarray(board.getChessboardCorners(), dtype=np.float64).reshape(-1, 3)
    return every[np.asarray(ids).ravel()], np.asarray(corners, dtype=np.float64).reshape(-1, 2)


def _chessboard(gray: NDArray[np.uint8], sheet: Chessboard) -> tuple[Floats, Floats] | None:
    size = (sheet.corners_x, sheet.corners_y)
    found, corners = cv2.findChessboardCornersSB(gray, size, flags=cv2.CALIB_CB_ACCURACY)
    if not found:
        return None
    grid = np.mgrid[0 : size[0], 0 : size[1]].T.reshape(-1, 2) * sheet.square_mm
    places = np.column_stack([grid, np.zeros(len(grid))]).astype(np.float64)
    return places, np.asarray(corners, dtype=np.float64).reshape(-1, 2)
