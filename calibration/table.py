"""The table folder: everything about one physical table and its camera (docs/table-folder.md)."""

import json
import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration import derived
from calibration.as_painted import board_as_painted
from calibration.board_file import read_board
from calibration.board_text import board_text
from calibration.camera import Camera, Lens
from calibration.camera_file import read_lens, write_lens
from calibration.damage import TableDamaged
from calibration.derived import Derived
from calibration.landmarks import Landmarks, NotFound, clicked_corners, find_markers
from calibration.paint import PaintedLine, measured_lines
from calibration.picture_file import Picture, read_picture
from calibration.pose import PoseError, PoseFit, first_pose, refine_pose
from calibration.teach import Placed, Teach, read_teach
from calibration.widths import measure_widths
from rules.board import Board

__all__ = ["Picture", "Placed", "Table", "TableDamaged", "Teach", "load_table", "save_table"]

_CORNERS = ("SW", "SE", "NE", "NW")
_RECENT: "OrderedDict[str, Derived]" = OrderedDict()
_KEPT = 8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """One physical table under one fixed camera, ready to be looked at.

    `empty` is (H, W, 3) BGR uint8. `painted` has every drawn line of the board by its id, as it
    really lies. `residual_px` is how far the painted lines lie from where pose and drawing put
    them (robust rms over `stretches` places), `off_mm` the same for each line in millimetres.
    `memo` holds what other parts derive from the table and want to keep with it.
    """

    folder: Path
    board: Board
    camera: Camera
    pose_error: PoseError
    painted: Mapping[str, PaintedLine]
    empty: Picture
    teach: Teach | None
    residual_px: float = 0.0
    stretches: int = 0
    off_mm: Mapping[str, float] = field(default_factory=dict)
    memo: dict[str, Any] = field(default_factory=dict, repr=False)

    def measured_board(self) -> Board:
        """The board with its lines, and the zones they bound, where they are really painted."""
        return board_as_painted(self.board, self.painted)


def load_table(folder: Path | str) -> Table:
    """Load the table in `folder`; `TableDamaged` names the file, what is wrong and the remedy.

    What had to be derived (pose, painted lines) is kept beside it where the folder can be written
    to, and in memory anyway.
    """
    place = Path(folder)
    if not place.exists():
        raise TableDamaged(place, "there is no such folder", "give the folder of board.toml")
    if not place.is_dir():
        raise TableDamaged(place, "is no folder", "give the folder of board.toml")
    board = read_board(place / "board.toml")
    lens = read_lens(place / "camera.json")
    empty = read_picture(place / "empty.jpg", lens.width, lens.height)
    teach = read_teach(place, board, lens.width, lens.height)
    key = derived.digest(place)
    found = _RECENT.get(key) or derived.kept(place, board, lens, key)
    if found is None:
        found = derive(place, board, lens, empty)
        derived.keep(place, found, key)
    _RECENT[key] = found
    _RECENT.move_to_end(key)
    while len(_RECENT) > _KEPT:
        _RECENT.popitem(last=False)
    return Table(
        folder=place,
        board=board,
        camera=found.camera,
        pose_error=PoseError(camera=found.camera, covariance=found.covariance),
        painted=found.painted,
        empty=empty,
        teach=teach,
        residual_px=found.residual_px,
        stretches=found.stretches,
        off_mm=found.off_mm,
    )


def save_table(
    folder: Path | str,
    board: Board,
    lens: Lens,
    empty_jpeg: bytes,
    corners: Mapping[str, tuple[float, float]] | None = None,
) -> Table:
    """Write a table folder, derive what belongs beside it, and return the table.

    `empty_jpeg` is the picture of the empty board as the camera sent it; `corners` the clicked
    corners in pixels where the board has no markers. Nothing is left half written: a folder whose
    pose cannot be found raises `TableDamaged`, with its files there to look at.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    (place / "board.toml").write_text(board_text(board), encoding="utf-8")
    write_lens(lens, place / "camera.json")
    (place / "empty.jpg").write_bytes(empty_jpeg)
    if corners is not None:
        told = {name: [float(u), float(v)] for name, (u, v) in corners.items()}
        (place / "corners.json").write_text(json.dumps(told) + "\n", encoding="utf-8")
    return load_table(place)


def derive(folder: Path, board: Board, lens: Lens, empty: Picture) -> Derived:
    """Find pose and painted lines from the empty picture; `TableDamaged` says why it cannot be."""
    file = folder / "empty.jpg"
    marks = _landmarks(folder, board, empty)
    first = first_pose(lens, marks)
    if isinstance(first, NotFound):
        remedy = "check that camera.json is of this camera, and the corners in order SW SE NE NW"
        raise TableDamaged(file, first.reason, remedy)
    fit = refine_pose(empty, first, board, marks)
    if not isinstance(fit, PoseFit):
        remedy = "check that board.toml, camera.json and empty.jpg are of this table"
        raise TableDamaged(file, fit.reason, remedy)
    widths = measure_widths(empty, fit.camera, board, fit.cut, fit.good)
    return Derived(
        camera=fit.camera,
        covariance=fit.error.covariance,
        painted=measured_lines(board, fit, widths),
        residual_px=fit.residual_px,
        stretches=fit.stretches,
        off_mm=fit.off_mm,
    )


def _landmarks(folder: Path, board: Board, empty: Picture) -> Landmarks:
    file = folder / "corners.json"
    if board.fiducials:
        found = find_markers(empty, board)
        if isinstance(found, Landmarks):
            return found
        if not file.exists():
            remedy = "take the empty picture again with all markers in sight, or click the corners"
            raise TableDamaged(folder / "empty.jpg", found.reason, remedy)
    clicked = clicked_corners(board, _read_corners(file))
    if isinstance(clicked, NotFound):
        raise TableDamaged(file, clicked.reason, "click all four corners")
    return clicked


def _read_corners(file: Path) -> dict[str, tuple[float, float]]:
    remedy = "click the four inner corners: sightline calibrate board"
    try:
        got = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "is missing, and board.toml has no markers"
        raise TableDamaged(file, what, remedy) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as err:
        raise TableDamaged(file, f"is not JSON: {err}", remedy) from None
    if not isinstance(got, dict):
        raise TableDamaged(file, "expected an object with SW, SE, NE, NW", remedy)
    corners = {}
    for name in _CORNERS:
        at = got.get(name)
        pair: list[Any] = at if isinstance(at, list) and len(at) == 2 else [None, None]
        if not all(type(v) in (int, float) and math.isfinite(v) for v in pair):
            raise TableDamaged(file, f"{name}: expected [u, v] in pixels, got {at!r}", remedy)
        corners[name] = (float(pair[0]), float(pair[1]))
    return corners
