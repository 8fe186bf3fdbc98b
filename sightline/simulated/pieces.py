"""The simulated pieces: a board's specs as discs with mass, and the names they keep for a match."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import pi

from rules.board import Board, PieceSpec
from rules.facts import Piece
from rules.geometry import Point
from sightline.simulated.discs import Disc, Hole, Surface
from sightline.simulated.scene import Body

DENSITY_G_MM3 = 0.00072


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """A piece that lies on the surface, or `lift_mm` above it on another piece.

    `place` is the place of a lattice that it stands on, `turn_deg` how far it is turned.
    """

    name: str
    spec: PieceSpec
    x_mm: float
    y_mm: float
    place: str = ""
    turn_deg: float = 0.0
    lift_mm: float = 0.0

    def body(self) -> Body:
        """It, for the camera."""
        return Body(
            name=self.name,
            spec=self.spec,
            x_mm=self.x_mm,
            y_mm=self.y_mm,
            lift_mm=self.lift_mm,
            turn_deg=self.turn_deg,
        )

    def piece(self) -> Piece:
        """It, as a fact tells of it."""
        return Piece(
            name=self.name,
            kind=self.spec.kind,
            colour=self.spec.colour,
            at=Point(self.x_mm, self.y_mm),
        )

    def disc(self) -> Disc:
        """It, for the physics: a wooden disc less its hole."""
        radius, hole = self.spec.diameter_mm / 2, self.spec.hole_mm / 2
        volume = pi * (radius**2 - hole**2) * self.spec.thickness_mm
        return Disc(
            name=self.name,
            x_mm=self.x_mm,
            y_mm=self.y_mm,
            radius_mm=radius,
            mass_g=volume * DENSITY_G_MM3,
            thickness_mm=self.spec.thickness_mm,
        )

    @property
    def radius_mm(self) -> float:
        return self.spec.diameter_mm / 2


def name_of(spec: PieceSpec, number: int) -> str:
    """The name of the `number`th piece (from 1) of its colour: "red-3"; "queen" comes alone."""
    if spec.kind in ("cue-puck", "queen", "striker"):
        return spec.kind
    return f"{spec.colour}-{number}"


def surface_of(board: Board, *, slowing_mm_s2: float = 1500.0) -> Surface:
    """The board, for the physics."""
    return Surface(
        half_x_mm=board.width_mm / 2,
        half_y_mm=board.height_mm / 2,
        border_height_mm=board.border_height_mm,
        holes=tuple(
            Hole(id=p.id, x_mm=p.centre.x_mm, y_mm=p.centre.y_mm, radius_mm=p.radius_mm)
            for p in board.pockets
        ),
        slowing_mm_s2=slowing_mm_s2,
    )


def free_place(
    board: Board, spec: PieceSpec, x_mm: float, y_mm: float, others: Iterable[Lying], gap_mm: float
) -> bool:
    """Whether a piece could lie there: on the surface, off pockets, `gap_mm` from all others."""
    radius = spec.diameter_mm / 2
    half_x, half_y = board.width_mm / 2 - radius, board.height_mm / 2 - radius
    if abs(x_mm) > half_x or abs(y_mm) > half_y:
        return False
    at = Point(x_mm, y_mm)
    if any(at.distance_mm(p.centre) < p.radius_mm + 1 for p in board.pockets):
        return False
    return all(
        at.distance_mm(Point(o.x_mm, o.y_mm)) >= radius + o.radius_mm + gap_mm for o in others
    )
