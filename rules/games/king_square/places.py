"""Between the table's words (places of the lattice, colours, seats) and the game's own."""

from rules.facts import Filled
from rules.games.king_square.field import LETTERS
from rules.games.king_square.field import place_of as hole_at
from rules.games.king_square.state import SIDES, Terms
from rules.geometry import Seat

CLOCKWISE = (Seat.S, Seat.W, Seat.N, Seat.E)
OPPOSITE = (Seat.S, Seat.N)


def hole_name(place: str) -> str | None:
    """`d4` for the place `holes:3,3` of the lattice; None for a place that is no hole."""
    kind, _, at = place.partition(":")
    col, _, row = at.partition(",")
    if kind != "holes" or not (col.isascii() and col.isdigit() and row.isascii() and row.isdigit()):
        return None
    return f"{LETTERS[int(col)]}{int(row) + 1}" if int(col) < len(LETTERS) else None


def place_named(name: str) -> str:
    """`holes:3,3` for `d4`; ValueError where that is no hole."""
    return place_of(*hole_at(name))


def place_of(col: int, row: int) -> str:
    """The place of the hole in that column and row, from 0."""
    return f"holes:{col},{row}"


def side_named(terms: Terms, colour: str) -> int | None:
    """The side that plays that colour (or is called by that letter); None for no side's colour."""
    if colour in terms.colours:
        return terms.colours.index(colour)
    return SIDES.index(colour) if colour in SIDES[: terms.sides] and colour else None


def seats_of(terms: Terms) -> tuple[Seat, ...]:
    """Where the seats 1, 2, … sit: opposite each other, or clockwise from S."""
    return OPPOSITE if terms.seats == 2 else CLOCKWISE[: terms.seats]


def seat_number(terms: Terms, seat: Seat | None) -> int | None:
    """The number of a seat at the table; None where nobody of this match sits there."""
    places = seats_of(terms)
    return places.index(seat) + 1 if seat in places else None


def peg(terms: Terms, side: int, name: str, at_ms: float = 0.0) -> Filled:
    """The fact that a peg of a side came into a hole."""
    return Filled(at_ms=at_ms, place=place_named(name), kind="peg", colour=terms.colours[side])
