"""The hole-and-line test: does a drawn line show in a piece's hole, looking straight down?

Decided by geometry: the piece's measured place, the hole's radius, and the line as it is really
painted, with the errors of all three combined.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import hypot

from calibration.paint import LineDistance, PaintedLine
from calibration.table import Table
from rules.board import Line, PieceSpec
from rules.geometry import Point
from vision.frame import LineTest, SeenPiece

NEAR_MM = 30.0
SURE = 1.96
"""How many standard deviations make a call firm."""

HOLE_ERROR_MM = 0.07
"""How well a hole's edge is known, and a guard: a few places err by more than their errors say."""


def line_tests(table: Table, pieces: Sequence[SeenPiece]) -> tuple[LineTest, ...]:
    """The test of every piece with a hole and each line within 30 mm of it."""
    tests = []
    for number, piece in enumerate(pieces):
        spec = table.board.piece(piece.kind, piece.colour)
        if spec.hole_mm <= 0:
            continue
        for line in table.board.lines:
            test = line_test(table, number, piece, spec, line)
            if test is not None:
                tests.append(test)
    return tuple(tests)


def line_test(
    table: Table, number: int, piece: SeenPiece, spec: PieceSpec, line: Line
) -> LineTest | None:
    """One piece and one line; None where they are farther than 30 mm apart."""
    painted = table.painted[line.id]
    found = _distance(painted, piece.at.x_mm, piece.at.y_mm)
    margin = found.distance_mm - spec.hole_mm / 2 - found.half_width_mm
    if margin > NEAR_MM:
        return None
    error = hypot(piece.error_mm, found.error_mm, HOLE_ERROR_MM)
    close = abs(margin) < SURE * error
    return LineTest(
        piece=number,
        line=line.id,
        seen=None if close else margin < 0,
        margin_mm=margin,
        error_mm=error,
    )


@lru_cache(maxsize=1024)
def _distance(line: PaintedLine, x_mm: float, y_mm: float) -> LineDistance:
    """`PaintedLine.distance`: of what stays it is asked for in each look."""
    return line.distance(x_mm, y_mm)


def on_surface(table: Table, at: Point) -> bool:
    """Is the point on the playing surface?"""
    return abs(at.x_mm) <= table.board.width_mm / 2 and abs(at.y_mm) <= table.board.height_mm / 2
