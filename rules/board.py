"""A board as its `board.toml` describes it: pure values, no file access (docs/table-folder.md)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.geometry import Point, Seat


class Shape(StrEnum):
    DISC = "disc"
    RING = "ring"
    PEG = "peg"
    STICK = "stick"
    SQUARE = "square"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A drawn line by its centre line: a polyline, or a circle where `radius_mm` is given."""

    id: str
    colour: str
    width_mm: float
    points: tuple[Point, ...] = ()
    centre: Point | None = None
    radius_mm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A named part of the surface: a polygon, or a disc, or (with `corner`) a quarter disc."""

    id: str
    kind: str
    seat: Seat | None = None
    polygon: tuple[Point, ...] = ()
    centre: Point | None = None
    radius_mm: float | None = None
    corner: str | None = None
    bounded_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocket:
    id: str
    centre: Point
    radius_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """A grid of places; `origin` is the place (0, 0) at the S-W corner."""

    id: str
    cols: int
    rows: int
    pitch_x_mm: float
    pitch_y_mm: float
    origin: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceSpec:
    """A kind and colour of piece. `thickness_mm` is its top above the surface."""

    kind: str
    colour: str
    shape: Shape
    diameter_mm: float
    thickness_mm: float
    hole_mm: float = 0.0
    length_mm: float = 0.0
    rgb: tuple[int, int, int] = (128, 128, 128)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fiducial:
    dictionary: str
    id: int
    centre: Point
    z_mm: float
    size_mm: float
    yaw_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One physical board: the surface between the cushions and all that is drawn on it."""

    game: str
    name: str
    width_mm: float
    height_mm: float
    border_width_mm: float
    border_height_mm: float
    lines: tuple[Line, ...] = ()
    zones: tuple[Zone, ...] = ()
    pockets: tuple[Pocket, ...] = ()
    lattices: tuple[Lattice, ...] = ()
    pieces: tuple[PieceSpec, ...] = ()
    fiducials: tuple[Fiducial, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)

    def piece(self, kind: str, colour: str) -> PieceSpec:
        """The spec of a kind and colour of piece; KeyError where the board has none such."""
        for spec in self.pieces:
            if (spec.kind, spec.colour) == (kind, colour):
                return spec
        raise KeyError(f"{self.name or self.game} has no {colour} {kind}")

    def line(self, id: str) -> Line:
        """The drawn line `id`; KeyError where the board has none such."""
        for line in self.lines:
            if line.id == id:
                return line
        raise KeyError(f"{self.name or self.game} has no line {id!r}")

    def at(self, place: str) -> Point | None:
        """Where a place of a lattice is: "holes:3,4", "cells:0,2"; None where there is none such.

        "edges:h:3,4" is midway from dot (3, 4) to (4, 4), "edges:v:3,4" midway to (3, 5).
        """
        kind, _, rest = place.partition(":")
        way, _, pair = rest.rpartition(":")
        col, _, row = pair.partition(",")
        if not (col.isascii() and col.isdigit() and row.isascii() and row.isdigit()):
            return None
        along, up = {"h": (0.5, 0.0), "v": (0.0, 0.5), "": (0.0, 0.0)}.get(way, (0.0, 0.0))
        wanted = "dots" if kind == "edges" else kind
        x, y = int(col) + along, int(row) + up
        for lattice in self.lattices:
            if lattice.id == wanted and x <= lattice.cols - 1 and y <= lattice.rows - 1:
                return Point(
                    lattice.origin.x_mm + x * lattice.pitch_x_mm,
                    lattice.origin.y_mm + y * lattice.pitch_y_mm,
                )
        return None
