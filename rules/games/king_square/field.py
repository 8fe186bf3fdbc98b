"""The field of holes, its squares, and how both are written.

A hole is a number, `row * cols + col`, and a set of holes an int with one bit for each; so the test
whether a peg completes a square is one `and`. Squares are listed once for each field size.
"""

from functools import cache

from msgspec import Struct

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Square(Struct, frozen=True):
    """An upright square of holes: its lower left corner, its side in hole spacings, its corners."""

    col: int
    row: int
    side: int
    mask: int

    @property
    def name(self) -> str:
        return f"{LETTERS[self.col]}{self.row + 1}:{self.side}"


class Field(Struct, frozen=True):
    """A rectangle of holes and every square on it; `through[hole]` are those with a corner there.

    Largest first, then by lower left corner (by column, then by row): the order of `MULTI`.
    """

    cols: int
    rows: int
    squares: tuple[Square, ...]
    through: tuple[tuple[Square, ...], ...]

    @property
    def full(self) -> int:
        return (1 << (self.cols * self.rows)) - 1

    def name(self, hole: int) -> str:
        row, col = divmod(hole, self.cols)
        return f"{LETTERS[col]}{row + 1}"

    def hole(self, name: str) -> int | None:
        """The hole of that name; None where the field has none such, ValueError for no name."""
        col, row = place_of(name)
        return row * self.cols + col if col < self.cols and 0 <= row < self.rows else None

    def by_name(self, hole: int) -> tuple[int, int]:
        """The order of holes by name: by column, then by row."""
        row, col = divmod(hole, self.cols)
        return col, row


def place_of(name: str) -> tuple[int, int]:
    """Column and row, from 0, of a hole's name such as `d4`; ValueError where it is none."""
    col = LETTERS.find(name[:1])
    if not name or col < 0 or not (name[1:].isascii() and name[1:].isdigit()):
        raise ValueError(f"expected a hole such as d4, got {name!r}")
    return col, int(name[1:]) - 1


@cache
def field_of(cols: int, rows: int, min_side: int = 1) -> Field:
    """The field of that size, with squares of side `min_side` or more; ValueError beyond 2..26."""
    if not (2 <= cols <= 26 and 2 <= rows <= 26):
        raise ValueError(f"expected 2 to 26 columns and rows of holes, got {cols}x{rows}")
    squares = tuple(
        Square(col, row, side, _corners(cols, col, row, side))
        for side in range(min(cols, rows) - 1, min_side - 1, -1)
        for col in range(cols - side)
        for row in range(rows - side)
    )
    through: list[list[Square]] = [[] for _ in range(cols * rows)]
    for square in squares:
        for hole in holes_in(square.mask):
            through[hole].append(square)
    return Field(cols, rows, squares, tuple(map(tuple, through)))


def _corners(cols: int, col: int, row: int, side: int) -> int:
    low = row * cols + col
    high = low + side * cols
    return 1 << low | 1 << (low + side) | 1 << high | 1 << (high + side)


def holes_in(mask: int) -> list[int]:
    """The holes of a set, in rising order."""
    holes = []
    while mask:
        low = mask & -mask
        holes.append(low.bit_length() - 1)
        mask ^= low
    return holes


def completed(field: Field, pegs: int, hole: int) -> tuple[Square, ...]:
    """The squares whose four corners all hold `pegs`, one of them at `hole`."""
    return tuple(s for s in field.through[hole] if pegs & s.mask == s.mask)


def write_rows(field: Field, sides: tuple[int, ...]) -> str:
    """The pegs of each side, drawn from the far row to row 1: `3A6/10/...`."""
    return "/".join(_write_row(field, sides, row) for row in range(field.rows - 1, -1, -1))


def _write_row(field: Field, sides: tuple[int, ...], row: int) -> str:
    text, empty = "", 0
    for col in range(field.cols):
        bit = 1 << (row * field.cols + col)
        letter = next((side for side, pegs in zip("ABC", sides, strict=False) if pegs & bit), "")
        if letter and empty:
            text, empty = text + str(empty), 0
        text += letter
        empty += not letter
    return text + (str(empty) if empty else "")


def read_rows(text: str, side_count: int = 2) -> tuple[int, int, tuple[int, ...]]:
    """Columns, rows and each side's pegs of a drawing by `write_rows`, or with `.` for empty holes.

    ValueError where rows differ in length or a letter belongs to no side.
    """
    rows = [_read_row(row, side_count) for row in text.split("/")]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"expected rows of one length, got {text!r}")
    cols = len(rows[0])
    sides = [0] * side_count
    for row, places in enumerate(reversed(rows)):
        for col, side in enumerate(places):
            if side is not None:
                sides[side] |= 1 << (row * cols + col)
    return cols, len(rows), tuple(sides)


def _read_row(text: str, side_count: int) -> list[int | None]:
    places: list[int | None] = []
    number = ""
    for letter in text + "/":
        if letter.isascii() and letter.isdigit():
            number += letter
            continue
        if number:
            places += [None] * min(int(number), 27)
            number = ""
        if letter == ".":
            places.append(None)
        elif letter != "/":
            side = "ABC".find(letter)
            if not 0 <= side < side_count:
                raise ValueError(f"expected empty counts and sides' letters in a row, got {text!r}")
            places.append(side)
    return places
