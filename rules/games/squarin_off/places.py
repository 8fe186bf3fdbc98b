"""Between the table's words (places of the lattice, real colours, seats) and the game's own."""

from functools import lru_cache

from rules.facts import Emptied, Fact, Filled
from rules.games.squarin_off.grid import FLAT, SIZE, flat, upright
from rules.games.squarin_off.state import Terms
from rules.geometry import Seat

CLOCKWISE = (Seat.S, Seat.W, Seat.N, Seat.E)
OPPOSITE = (Seat.S, Seat.N)
REAL = {"K": "black", "W": "white", "B": "blue", "Y": "yellow"}


def seats_of(terms: Terms) -> tuple[Seat, ...]:
    """Where the seats 1, 2, … sit: opposite each other, or clockwise from S."""
    count = len(terms.seats)
    return OPPOSITE if count == 2 else CLOCKWISE[:count]


def seat_number(terms: Terms, seat: Seat | None) -> int | None:
    """The number of a seat at the table; None where nobody of this game sits there."""
    places = seats_of(terms)
    return places.index(seat) + 1 if seat in places else None


def real_colour(terms: Terms, letter: str) -> str:
    """The chips' colour on this table for a letter."""
    for known, real in terms.real:
        if known == letter:
            return real
    return REAL.get(letter, letter)


def letter_of(terms: Terms, colour: str) -> str | None:
    """The letter of a chip's colour; None for a colour that is not in play."""
    if colour in terms.colours:
        return colour
    known = {real: letter for letter, real in terms.real}
    letter = known.get(colour) or next((k for k, v in REAL.items() if v == colour), None)
    return letter if letter in terms.colours else None


@lru_cache(maxsize=1024)
def groove_at(place: str) -> int | None:
    """The groove of a place `edges:h:3,4`; None where it is none of this board."""
    kind, _, rest = place.partition(":")
    way, _, at = rest.partition(":")
    col, row = _pair(at)
    if kind != "edges" or col is None or row is None:
        return None
    if way == "h" and col < SIZE and row <= SIZE:
        return flat(col, row)
    if way == "v" and col <= SIZE and row < SIZE:
        return upright(col, row)
    return None


@lru_cache(maxsize=1024)
def square_at(place: str) -> int | None:
    """The square of a place `cells:3,4`; None where it is none of this board."""
    kind, _, at = place.partition(":")
    col, row = _pair(at)
    if kind != "cells" or col is None or row is None or col >= SIZE or row >= SIZE:
        return None
    return row * SIZE + col


def place_of_groove(groove: int) -> str:
    if groove < FLAT:
        y, col = divmod(groove, SIZE)
        return f"edges:h:{col},{y}"
    row, x = divmod(groove - FLAT, SIZE + 1)
    return f"edges:v:{x},{row}"


def place_of_square(square: int) -> str:
    row, col = divmod(square, SIZE)
    return f"cells:{col},{row}"


def thing_of(fact: Fact) -> tuple[str, int] | None:
    """What came or went: ("stick", groove), ("chip", square) or ("blocker", square)."""
    if not isinstance(fact, Filled | Emptied):
        return None
    at = groove_at(fact.place) if fact.kind == "stick" else square_at(fact.place)
    return None if at is None or fact.kind not in ("stick", "chip", "blocker") else (fact.kind, at)


def _pair(text: str) -> tuple[int | None, int | None]:
    col, _, row = text.partition(",")
    if not (col.isascii() and col.isdigit() and row.isascii() and row.isdigit()):
        return None, None
    return int(col), int(row)
