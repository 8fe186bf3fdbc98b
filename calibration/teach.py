"""The teach-in: pieces laid out by hand, their places, and the picture of them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from calibration.damage import TableDamaged
from calibration.picture_file import Picture, read_picture
from rules.board import Board
from rules.geometry import Point

_REMEDY = "lay the pieces out and teach them again: sightline calibrate pieces"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A piece laid out by hand, with its place."""

    kind: str
    colour: str
    at: Point
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Teach:
    """One or more of each kind and colour laid out, with their places.

    `picture` is (H, W, 3) BGR uint8; `lattice` says what stands where in lattice games.
    """

    picture: Picture
    pieces: tuple[Placed, ...]
    lattice: Mapping[str, Mapping[str, object]]


def read_teach(folder: Path, board: Board, width: int, height: int) -> Teach | None:
    """The teach-in of a table folder, None where there is none; `TableDamaged` if only half."""
    picture, told = folder / "teach.jpg", folder / "teach.json"
    if not picture.exists() and not told.exists():
        return None
    try:
        got = json.loads(told.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "is missing, but there is a teach.jpg"
        raise TableDamaged(told, what, _REMEDY) from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as err:
        raise TableDamaged(told, f"is not JSON: {err}", _REMEDY) from None
    if not isinstance(got, dict):
        raise TableDamaged(told, 'expected an object with "pieces"', _REMEDY)
    listed, lattice = got.get("pieces", []), got.get("lattice", {})
    if not isinstance(listed, list):
        raise TableDamaged(told, f"pieces: expected a list, got {listed!r}", _REMEDY)
    if not isinstance(lattice, dict) or not all(isinstance(v, dict) for v in lattice.values()):
        raise TableDamaged(told, "lattice: expected an object of objects", _REMEDY)
    return Teach(
        picture=read_picture(picture, width, height),
        pieces=tuple(_placed(told, n, item, board) for n, item in enumerate(listed)),
        lattice=lattice,
    )


def _placed(file: Path, number: int, item: object, board: Board) -> Placed:
    key = f"pieces[{number}]"
    if not isinstance(item, dict):
        raise TableDamaged(file, f"{key}: expected an object, got {item!r}", _REMEDY)
    piece = cast("dict[str, object]", item)
    kind, colour = piece.get("kind"), piece.get("colour")
    if not isinstance(kind, str) or not isinstance(colour, str):
        raise TableDamaged(file, f"{key}: expected kind and colour as texts", _REMEDY)
    try:
        board.piece(kind, colour)
    except KeyError:
        what = f"{key}: board.toml has no {colour} {kind}"
        raise TableDamaged(file, what, "name the pieces as board.toml does") from None
    numbers = []
    for name, default in (("x", None), ("y", None), ("z", 0.0)):
        value = piece.get(name, default)
        good = isinstance(value, int | float) and not isinstance(value, bool)
        if not good or not math.isfinite(cast(float, value)):
            raise TableDamaged(file, f"{key}.{name}: expected mm, got {value!r}", _REMEDY)
        numbers.append(float(cast(float, value)))
    x, y, z = numbers
    return Placed(kind=kind, colour=colour, at=Point(x, y), z_mm=z)
