"""Reads `board.toml` into a `Board`, and says exactly what is wrong with one that cannot be read.

The format is in docs/table-folder.md. Keys this version does not know are kept in `Board.extra`,
so that a newer board file still opens; a wrong type or a missing key is refused with its place.
"""

import math
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar, cast

from calibration.damage import TableDamaged
from rules.board import Board, Fiducial, Lattice, Line, PieceSpec, Pocket, Shape, Zone
from rules.geometry import Point, Seat

T = TypeVar("T")
FORMAT = 1
"""The newest form of board file this version reads; a file without `format` is of the first."""

_PARTS = frozenset(
    {"game", "name", "units", "format", "surface", "border"}
    | {"line", "zone", "pocket", "lattice", "piece", "fiducial"}
)
_CORNERS = ("SW", "SE", "NE", "NW")


class BoardError(ValueError):
    """A board description that cannot be used: the key, and what was expected there."""

    def __init__(self, key: str, what: str) -> None:
        self.key = key
        super().__init__(f"{key}: {what}")


def read_board(path: Path | str) -> Board:
    """Return the board described by the TOML file at `path`.

    Raises `TableDamaged` naming the file, the line or key, what was expected and the remedy.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        remedy = "write one (docs/table-folder.md), or start from a built-in board"
        raise TableDamaged(file, "there is no board file", remedy) from None
    except IsADirectoryError:
        raise TableDamaged(file, "is a folder, not a file", "put the board file there") from None
    except UnicodeDecodeError as err:
        raise TableDamaged(file, f"is not UTF-8 text ({err})", "save it as UTF-8") from None
    except OSError as err:
        remedy = "check the file's permissions"
        raise TableDamaged(file, f"cannot be read ({err.strerror})", remedy) from err
    try:
        return board_from(tomllib.loads(text))
    except tomllib.TOMLDecodeError as err:
        raise TableDamaged(file, f"is not TOML: {err}", "mend that line") from None
    except BoardError as err:
        raise TableDamaged(file, str(err), "mend that key (docs/table-folder.md)") from None


def board_from(mapping: Mapping[str, object]) -> Board:
    """Return the board a parsed `board.toml` describes; `BoardError` names the key at fault."""
    top = _Part("", mapping)
    if top.has("format") and top.whole("format", least=1) > FORMAT:
        newer = top.whole("format")
        raise BoardError("format", f"written by a newer Sightline ({newer}; this reads {FORMAT})")
    units = top.text("units", "mm")
    if units != "mm":
        raise BoardError("units", f'expected "mm", got {units!r}')
    surface, border = top.part("surface"), top.part("border")
    lines = top.each("line", _line)
    _unique("line", [line.id for line in lines])
    known = {line.id for line in lines}
    board = Board(
        game=top.text("game"),
        name=top.text("name", ""),
        width_mm=surface.length("width"),
        height_mm=surface.length("height"),
        border_width_mm=border.length("width", least=0.0),
        border_height_mm=border.length("height", least=0.0),
        lines=lines,
        zones=top.each("zone", lambda part: _zone(part, known)),
        pockets=top.each("pocket", _pocket),
        lattices=top.each("lattice", _lattice),
        pieces=top.each("piece", _piece),
        fiducials=top.each("fiducial", _fiducial),
        extra={key: value for key, value in mapping.items() if key not in _PARTS},
    )
    _unique("zone", [zone.id for zone in board.zones])
    _unique("pocket", [pocket.id for pocket in board.pockets])
    _unique("lattice", [lattice.id for lattice in board.lattices])
    _unique("piece", [f"{piece.colour} {piece.kind}" for piece in board.pieces])
    _unique("fiducial", [f"{mark.dictionary} {mark.id}" for mark in board.fiducials])
    return board


class _Part:
    """One table of the file, with the place it stands at, for errors that say where."""

    def __init__(self, place: str, value: Mapping[str, object]) -> None:
        self.place = place
        self.value = value

    def key(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name

    def _get(self, name: str, default: object, expected: str) -> object:
        if name in self.value:
            return self.value[name]
        if default is None:
            raise BoardError(self.key(name), f"missing, expected {expected}")
        return default

    def has(self, name: str) -> bool:
        return name in self.value

    def text(self, name: str, default: str | None = None) -> str:
        got = self._get(name, default, "a text")
        if not isinstance(got, str) or (default is None and not got):
            raise BoardError(self.key(name), f"expected a text, got {got!r}")
        return got

    def number(self, name: str, default: float | None = None) -> float:
        return _number(self._get(name, default, "a number"), self.key(name))

    def length(self, name: str, default: float | None = None, least: float = 1e-6) -> float:
        got = self.number(name, default)
        if got < least:
            more = "a length of at least 0 mm" if least == 0 else "a length above 0 mm"
            raise BoardError(self.key(name), f"expected {more}, got {got!r}")
        return got

    def whole(self, name: str, least: int = 0) -> int:
        got = self._get(name, None, "a whole number")
        if isinstance(got, bool) or not isinstance(got, int) or got < least:
            expected = f"a whole number of at least {least}"
            raise BoardError(self.key(name), f"expected {expected}, got {got!r}")
        return got

    def point(self, name: str) -> Point:
        return _point(self._get(name, None, "[x, y] in mm"), self.key(name))

    def points(self, name: str, least: int) -> tuple[Point, ...]:
        got = self._get(name, None, "a list of [x, y] in mm")
        if not isinstance(got, list) or len(got) < least:
            expected = f"a list of at least {least} points [x, y] in mm"
            raise BoardError(self.key(name), f"expected {expected}, got {got!r}")
        return tuple(_point(item, f"{self.key(name)}[{n}]") for n, item in enumerate(got))

    def texts(self, name: str) -> tuple[str, ...]:
        got = self.value.get(name, [])
        if not isinstance(got, list) or not all(isinstance(item, str) for item in got):
            raise BoardError(self.key(name), f"expected a list of texts, got {got!r}")
        return tuple(got)

    def part(self, name: str) -> "_Part":
        got = self._get(name, None, f"a table [{name}]")
        if not isinstance(got, dict):
            raise BoardError(self.key(name), f"expected a table [{name}], got {got!r}")
        return _Part(self.key(name), got)

    def each(self, name: str, read: "Callable[[_Part], T]") -> tuple[T, ...]:
        got = self.value.get(name, [])
        if not isinstance(got, list) or not all(isinstance(item, dict) for item in got):
            raise BoardError(self.key(name), f"expected tables [[{name}]], got {got!r}")
        found = []
        for n, item in enumerate(cast("list[dict[str, object]]", got)):
            label = item.get("id", item.get("kind"))
            told = f" ({label})" if isinstance(label, str | int) else ""
            found.append(read(_Part(f"{name}[{n}]{told}", item)))
        return tuple(found)


def _number(got: object, key: str) -> float:
    if isinstance(got, bool) or not isinstance(got, int | float) or not math.isfinite(got):
        raise BoardError(key, f"expected a number, got {got!r}")
    return float(got)


def _point(got: object, key: str) -> Point:
    if not isinstance(got, list) or len(got) != 2:
        raise BoardError(key, f"expected [x, y] in mm, got {got!r}")
    return Point(_number(got[0], f"{key}[0]"), _number(got[1], f"{key}[1]"))


def _line(part: _Part) -> Line:
    id, colour, width = part.text("id"), part.text("colour", "black"), part.length("width")
    if part.has("radius") or part.has("centre"):
        if part.has("points"):
            raise BoardError(
                part.key("points"), "a line has points, or centre and radius: not both"
            )
        centre, radius = part.point("centre"), part.length("radius")
        return Line(id=id, colour=colour, width_mm=width, centre=centre, radius_mm=radius)
    return Line(id=id, colour=colour, width_mm=width, points=part.points("points", 2))


def _zone(part: _Part, lines: set[str]) -> Zone:
    seat = part.text("seat", "")
    if seat and seat not in tuple(Seat):
        raise BoardError(part.key("seat"), f"expected one of S, E, N, W, got {seat!r}")
    corner = part.text("corner", "")
    if corner and corner not in _CORNERS:
        raise BoardError(part.key("corner"), f"expected one of SW, SE, NE, NW, got {corner!r}")
    bounded_by = part.texts("bounded_by")
    for name in bounded_by:
        if name not in lines:
            raise BoardError(part.key("bounded_by"), f"there is no line {name!r}")
    disc = part.has("centre") or part.has("radius")
    if disc and part.has("polygon"):
        raise BoardError(
            part.key("polygon"), "a zone has a polygon, or centre and radius: not both"
        )
    return Zone(
        id=part.text("id"),
        kind=part.text("kind"),
        seat=Seat(seat) if seat else None,
        polygon=() if disc else part.points("polygon", 3),
        centre=part.point("centre") if disc else None,
        radius_mm=part.length("radius") if disc else None,
        corner=corner or None,
        bounded_by=bounded_by,
    )


def _pocket(part: _Part) -> Pocket:
    return Pocket(id=part.text("id"), centre=part.point("centre"), radius_mm=part.length("radius"))


def _lattice(part: _Part) -> Lattice:
    pitch = part.point("pitch")
    if pitch.x_mm <= 0 or pitch.y_mm <= 0:
        raise BoardError(part.key("pitch"), "expected two lengths above 0 mm")
    return Lattice(
        id=part.text("id"),
        cols=part.whole("cols", least=1),
        rows=part.whole("rows", least=1),
        pitch_x_mm=pitch.x_mm,
        pitch_y_mm=pitch.y_mm,
        origin=part.point("origin"),
    )


def _piece(part: _Part) -> PieceSpec:
    shape = part.text("shape")
    if shape not in tuple(Shape):
        expected = ", ".join(Shape)
        raise BoardError(part.key("shape"), f"expected one of {expected}, got {shape!r}")
    diameter, hole = part.length("diameter"), part.length("hole", 0.0, least=0.0)
    if hole >= diameter:
        raise BoardError(part.key("hole"), f"the hole ({hole}) is as wide as the piece")
    if shape == Shape.RING and hole == 0:
        raise BoardError(part.key("hole"), "missing: a ring has a hole")
    length = part.length("length", 0.0, least=0.0)
    if shape == Shape.STICK and length == 0:
        raise BoardError(part.key("length"), "missing: a stick has a length")
    rgb = part.value.get("rgb", [128, 128, 128])
    good = isinstance(rgb, list) and len(rgb) == 3
    if not good or not all(type(v) is int and 0 <= v <= 255 for v in cast("list[object]", rgb)):
        raise BoardError(part.key("rgb"), f"expected three whole numbers 0 to 255, got {rgb!r}")
    red, green, blue = cast("list[int]", rgb)
    return PieceSpec(
        kind=part.text("kind"),
        colour=part.text("colour"),
        shape=Shape(shape),
        diameter_mm=diameter,
        thickness_mm=part.length("thickness"),
        hole_mm=hole,
        length_mm=length,
        rgb=(red, green, blue),
    )


def _fiducial(part: _Part) -> Fiducial:
    return Fiducial(
        dictionary=part.text("dictionary"),
        id=part.whole("id"),
        centre=part.point("centre"),
        z_mm=part.number("z", 0.0),
        size_mm=part.length("size"),
        yaw_deg=part.number("yaw", 0.0),
    )


def _unique(name: str, ids: list[str]) -> None:
    for n, id in enumerate(ids):
        if id in ids[:n]:
            raise BoardError(f"{name}[{n}]", f"there are two {name}s {id!r}")
