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


class Seat(StrEnum):
    """Where a player sits; also the name of the border in front of that player."""

    S = "S"
    E = "E"
    N = "N"
    W = "W"
