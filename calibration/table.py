"""The table folder: everything about one physical table and its camera (docs/table-folder.md)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_file import read_board
from calibration.camera import Camera, Lens
from calibration.camera_file import read_lens
from calibration.damage import TableDamaged
from calibration.landmarks import Landmarks, clicked_corners, find_markers
from calibration.paint import PaintedLine, measured_lines
from calibration.pose import PoseError, PoseFit, first_pose, refine_pose
from calibration.widths import measure_widths
from rules.board import Board
from rules.geometry import Point

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A piece laid out by hand, with its place."""

    kind: str
    colour: str
    at: Point
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Teach:
    """The teach-in: one or more of each kind and colour laid out, with their places."""

    picture: Picture
    pieces: tuple[Placed, ...]
    lattice: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """One physical table under one fixed camera, ready to be looked at.

    `empty` is (H, W, 3) BGR uint8. `painted` has every drawn line of the board by its id, as it
    really lies. `memo` holds what other parts derive from the table and want to keep with it.
    """

    folder: Path
    board: Board
    camera: Camera
    pose_error: PoseError
    painted: Mapping[str, PaintedLine]
    empty: Picture
    teach: Teach | None
    memo: dict[str, Any] = field(default_factory=dict, repr=False)


def load_table(folder: Path | str) -> Table:
    """Load the table in `folder`; `TableDamaged` names the file, what is wrong and the remedy."""
    place = Path(folder)
    if not place.is_dir():
        raise TableDamaged(place, "is no table folder", "give the folder that holds board.toml")
    board = read_board(place / "board.toml")
    lens = read_lens(place / "camera.json")
    empty = _read_picture(place / "empty.jpg", lens)
    marks = _landmarks(place, board, empty)
    first = first_pose(lens, marks)
    if not isinstance(first, Camera):
        raise TableDamaged(place / "empty.jpg", first.reason, "take the empty picture again")
    fit = refine_pose(empty, first, board, marks)
    if not isinstance(fit, PoseFit):
        remedy = "check that board.toml, camera.json and empty.jpg are of this table"
        raise TableDamaged(place / "empty.jpg", fit.reason, remedy)
    return Table(
        folder=place,
        board=board,
        camera=fit.camera,
        pose_error=fit.error,
        painted=measured_lines(
            board, fit, measure_widths(empty, fit.camera, board, fit.cut, fit.good)
        ),
        empty=empty,
        teach=_read_teach(place, lens),
    )


def _landmarks(folder: Path, board: Board, empty: Picture) -> Landmarks:
    remedy = "take the empty picture again with all markers in sight, or click the four corners"
    if board.fiducials:
        found = find_markers(empty, board)
        if not found:
            assert not isinstance(found, Landmarks)
            raise TableDamaged(folder / "empty.jpg", found.reason, remedy)
    else:
        file = folder / "corners.json"
        try:
            corners = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            what = "there are neither markers in board.toml nor clicked corners"
            raise TableDamaged(file, what, "click the four corners") from None
        found = clicked_corners(board, corners)
    assert isinstance(found, Landmarks)
    return found


def _read_picture(file: Path, lens: Lens) -> Picture:
    remedy = "take the picture again from the same camera"
    try:
        coded = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except FileNotFoundError:
        raise TableDamaged(file, "is missing", remedy) from None
    picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if len(coded) else None
    if picture is None:
        raise TableDamaged(file, "is not a whole picture", remedy)
    height, width = picture.shape[:2]
    if (width, height) != (lens.width, lens.height):
        what = f"is {width} x {height}, but camera.json says {lens.width} x {lens.height}"
        raise TableDamaged(file, what, remedy)
    return np.asarray(picture, dtype=np.uint8)


def _read_teach(folder: Path, lens: Lens) -> Teach | None:
    if not (folder / "teach.jpg").exists() and not (folder / "teach.json").exists():
        return None
    got = json.loads((folder / "teach.json").read_text(encoding="utf-8"))
    pieces = tuple(
        Placed(
            kind=piece["kind"],
            colour=piece["colour"],
            at=Point(float(piece["x"]), float(piece["y"])),
            z_mm=float(piece.get("z", 0.0)),
        )
        for piece in got["pieces"]
    )
    return Teach(
        picture=_read_picture(folder / "teach.jpg", lens),
        pieces=pieces,
        lattice=got.get("lattice", {}),
    )
