"""Points on the board.

The board frame: origin at the centre of the playing surface, x to the right and y away from
seat S, z up out of the surface; millimetres.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import hypot


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the playing surface, in board millimetres."""

    x_mm: float
    y_mm: float

    def distance_mm(self, other: "Point") -> float:
        return hypot(self.x_mm - other.x_mm, self.y_mm - other.y_mm)


def off_segment_mm(
    point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]
) -> float:
    """Return how far a point is from the segment from `a` to `b`; all are (x, y) in mm."""
    return segment_gap_mm(*point, *a, *b)


def segment_gap_mm(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Return how far (x, y) is from the segment from (ax, ay) to (bx, by), in mm."""
    dx, dy = bx - ax, by - ay
    px, py = x - ax, y - ay
    length = dx * dx + dy * dy
    along = (px * dx + py * dy) / length if length > 0 else 0.0
    along = 0.0 if along < 0.0 else 1.0 if along > 1.0 else along
    return hypot(px - along * dx, py - along * dy)


class Seat(StrEnum):
    """Where a player sits; also the name of the border in front of that player."""

    S = "S"
    E = "E"
    N = "N"
    W = "W"


PARTNER = {Seat.S: Seat.N, Seat.N: Seat.S, Seat.E: Seat.W, Seat.W: Seat.E}


def toward(seat: Seat, point: Point) -> float:
    """Return how far `point` lies on the side of `seat` from the middle of the board."""
    match seat:
        case Seat.S:
            return -point.y_mm
        case Seat.E:
            return point.x_mm
        case Seat.N:
            return point.y_mm
        case Seat.W:
            return -point.x_mm


def outward(seat: Seat) -> tuple[float, float]:
    """Return the unit vector from the middle of the board towards `seat`."""
    return {Seat.S: (0.0, -1.0), Seat.E: (1.0, 0.0), Seat.N: (0.0, 1.0), Seat.W: (-1.0, 0.0)}[seat]


def left_of(seat: Seat) -> tuple[float, float]:
    """Return the unit vector to the left, as a player sitting at `seat` sees it."""
    x, y = outward(seat)
    return (y, -x)


def turned(point: Point, seat: Seat) -> Point:
    """Return where a point that is given for seat S lies for `seat`."""
    x, y = point.x_mm, point.y_mm
    match seat:
        case Seat.S:
            return point
        case Seat.E:
            return Point(-y, x)
        case Seat.N:
            return Point(-x, -y)
        case Seat.W:
            return Point(y, -x)
