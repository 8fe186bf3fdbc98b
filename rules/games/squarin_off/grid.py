"""The board's squares and grooves as numbers and bits, and how they are written.

Square (c, r), from 0, is number `r * 10 + c`. Groove H(c, y) is number `y * 10 + c`, V(x, r) is
number `110 + r * 11 + x`. A set of either is an int with one bit for each.
"""

from functools import cache

SIZE = 10
SQUARES = SIZE * SIZE
FLAT = SIZE * (SIZE + 1)  # grooves that lie along x
GROOVES = 2 * FLAT
ALL_SQUARES = (1 << SQUARES) - 1
ALL_GROOVES = (1 << GROOVES) - 1
LETTERS = "abcdefghij"
SIDE_LETTERS = "nesw"

DEFAULT_LAYOUT = (
    "3112112113/1211221121/1132112311/2121111212/1211331121/"
    "1211331121/2121111212/1132112311/1211221121/3112112113"
)


def flat(col: int, y: int) -> int:
    """Groove H(col, y), both from 0."""
    return y * SIZE + col


def upright(x: int, row: int) -> int:
    """Groove V(x, row), both from 0."""
    return FLAT + row * (SIZE + 1) + x


def _sides(square: int) -> tuple[int, int, int, int]:
    row, col = divmod(square, SIZE)
    return flat(col, row + 1), upright(col + 1, row), flat(col, row), upright(col, row)


SIDES: tuple[tuple[int, int, int, int], ...] = tuple(map(_sides, range(SQUARES)))
"""Each square's grooves: north, east, south, west."""

FENCE: tuple[int, ...] = tuple(sum(1 << groove for groove in sides) for sides in SIDES)
"""Each square's four grooves as a set."""


def _square_order(square: int) -> tuple[int, int]:
    row, col = divmod(square, SIZE)
    return col, row


BESIDE: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted((q for q in range(SQUARES) if FENCE[q] >> groove & 1), key=_square_order))
    for groove in range(GROOVES)
)
"""The one or two squares on the sides of each groove, by name."""


@cache
def near(square: int, gap: str) -> int:
    """The squares that must be free of blockers around one, by the `blocker_gap` agreed."""
    row, col = divmod(square, SIZE)
    found = 0
    for other in range(SQUARES):
        r, c = divmod(other, SIZE)
        across, along = abs(r - row), abs(c - col)
        if gap == "orthogonal":
            close = across + along == 1
        else:
            close = 0 < max(across, along) <= (2 if gap == "wide" else 1)
        found |= close << other
    return found


def members(bits: int) -> list[int]:
    """The numbers in a set, rising."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


@cache
def square_name(square: int) -> str:
    row, col = divmod(square, SIZE)
    return f"{LETTERS[col]}{row + 1}"


def square_named(name: str) -> int:
    """The square of a name such as `e5`; ValueError where the board has none such."""
    col = LETTERS.find(name[:1])
    digits = name[1:]
    if not name or col < 0 or not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"expected a square such as e5, got {name!r}")
    row = int(digits) - 1
    if not 0 <= row < SIZE:
        raise ValueError(f"expected a square from a1 to j10, got {name!r}")
    return row * SIZE + col


@cache
def groove_name(groove: int) -> str:
    """The canonical name (section 1 of the rulebook)."""
    if groove < FLAT:
        y, col = divmod(groove, SIZE)
        return f"{LETTERS[col]}1s" if y == 0 else f"{LETTERS[col]}{y}n"
    row, x = divmod(groove - FLAT, SIZE + 1)
    return f"a{row + 1}w" if x == 0 else f"{LETTERS[x - 1]}{row + 1}e"


def groove_named(name: str) -> int:
    """The groove of either of its names, `e5n` or `e6s`; ValueError where there is none."""
    side = SIDE_LETTERS.find(name[-1:])
    if not name or side < 0:
        raise ValueError(f"expected a groove such as e5n, got {name!r}")
    return SIDES[square_named(name[:-1])][side]


@cache
def groove_order(groove: int) -> tuple[int, int, str]:
    """The order of grooves by canonical name: column letter, row number, side letter."""
    name = groove_name(groove)
    return LETTERS.index(name[0]), int(name[1:-1]), name[-1]


square_order = _square_order


@cache
def values_of(layout: str) -> tuple[int, ...]:
    """What each square counts, from ten rows of ten digits, row 10 first.

    ValueError for a layout of other than 60 ones, 28 twos and 12 threes.
    """
    rows = layout.split("/")
    digits = "".join(reversed(rows))
    if len(rows) != SIZE or any(len(row) != SIZE for row in rows):
        raise ValueError(f"expected a layout of ten rows of ten digits, got {layout!r}")
    if [digits.count(d) for d in "123"] != [60, 28, 12]:
        raise ValueError("expected a layout of 60 ones, 28 twos and 12 threes")
    return tuple(map(int, digits))
