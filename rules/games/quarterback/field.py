"""The squares of the field, how they are written, and what lies next to what.

Square (column c from 0, lattice row r from 0 at the attacker's end) is number `r * cols + c`. Row 0
of the rulebook is lattice row `behind`; the unnumbered rows lie before it. Directions run clockwise
from N, the attacker's way: N NE E SE S SW W NW (QB-6.3, QB-10.3).
"""

from functools import cache

from msgspec import Struct

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBERED = 13
"""Rows 0 to 12."""

TOP = 12
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
EMPTY = "."


class Step(Struct, frozen=True):
    """One step from a square: where to, and for a diagonal one its two corner squares."""

    to: int
    way: int
    corners: tuple[int, ...] = ()


class Field(Struct, frozen=True, eq=False):
    """A field of `cols` columns with `behind` unnumbered rows behind row 0."""

    cols: int
    behind: int
    size: int
    steps: tuple[tuple[Step, ...], ...]  # from each square, in the order of directions
    around: tuple[tuple[int, ...], ...]  # the up to eight squares next to each
    beside: tuple[tuple[int, ...], ...]  # the up to four orthogonally next to each

    @property
    def rows(self) -> int:
        return NUMBERED + self.behind

    def row(self, square: int) -> int:
        """The row as the rulebook counts it: 0 to 12, unnumbered rows below 0."""
        return square // self.cols - self.behind

    def column(self, square: int) -> int:
        """The column from 1."""
        return square % self.cols + 1

    def square(self, col: int, row: int) -> int | None:
        """The square in column `col` (from 0) and row `row`; None where there is none."""
        lattice_row = row + self.behind
        if 0 <= col < self.cols and 0 <= lattice_row < self.rows:
            return lattice_row * self.cols + col
        return None

    def name(self, square: int) -> str:
        row = self.row(square)
        letter = LETTERS[square % self.cols]
        return f"{letter}{row}" if row >= 0 else f"{letter}u{-row}"

    def named(self, name: str) -> int:
        """The square called `d8` or `fu1`; ValueError where this field has none such."""
        col, row = place_named(name)
        square = self.square(col, row)
        if square is None:
            raise ValueError(f"expected a square of this field, got {name!r}")
        return square

    def distance(self, a: int, b: int) -> int:
        """How many king steps apart two squares are."""
        cols = self.cols
        return max(abs(a % cols - b % cols), abs(a // cols - b // cols))

    def next_along(self, square: int, way: int) -> int | None:
        """The square one step in direction `way`; None beyond the edge."""
        x, y = DIRECTIONS[way]
        return self.square(square % self.cols + x, self.row(square) + y)

    def between(self, a: int, b: int) -> tuple[int, ...] | None:
        """The squares strictly between two on one row, column or diagonal; None where off a line.

        A square is on no line with itself (QB-8.5).
        """
        dx, dy = b % self.cols - a % self.cols, b // self.cols - a // self.cols
        if a == b or not (dx == 0 or dy == 0 or abs(dx) == abs(dy)):
            return None
        stride = ((dy > 0) - (dy < 0)) * self.cols + (dx > 0) - (dx < 0)
        return tuple(range(a + stride, b, stride))


def place_named(name: str) -> tuple[int, int]:
    """Column (from 0) and row of a square's name, on the field or not; ValueError for no name."""
    letter, rest = name[:1], name[1:]
    behind = rest.startswith("u")
    digits = rest[1:] if behind else rest
    plain = digits.isascii() and digits.isdigit() and digits == str(int(digits))
    if not plain or letter not in LETTERS or not letter or (behind and digits == "0"):
        raise ValueError(f"expected a square such as d8, f0 or fu1, got {name!r}")
    return LETTERS.index(letter), -int(digits) if behind else int(digits)


@cache
def field_of(cols: int, behind: int) -> Field:
    """The field of that size; ValueError names the limits."""
    if not 3 <= cols <= len(LETTERS):
        raise ValueError(f"expected 3 to {len(LETTERS)} columns, got {cols}")
    if not 1 <= behind <= 9:
        raise ValueError(f"expected 1 to 9 rows behind row 0, got {behind}")
    rows = NUMBERED + behind
    steps = []
    for square in range(cols * rows):
        col, row = square % cols, square // cols
        here = []
        for way, (x, y) in enumerate(DIRECTIONS):
            if 0 <= col + x < cols and 0 <= row + y < rows:
                corners = (square + x, square + y * cols) if x and y else ()
                here.append(Step(square + y * cols + x, way, corners))
        steps.append(tuple(here))
    return Field(
        cols,
        behind,
        cols * rows,
        tuple(steps),
        tuple(tuple(step.to for step in here) for here in steps),
        tuple(tuple(step.to for step in here if not step.corners) for here in steps),
    )
