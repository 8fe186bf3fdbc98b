"""Position strings and turn strings (sections 1.1 and 1.2 of the rulebook)."""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.facts import Fact, Filled
from rules.games.squarin_off.grid import (
    FENCE,
    SIZE,
    flat,
    groove_named,
    square_name,
    square_named,
    upright,
)
from rules.games.squarin_off.places import place_of_groove, place_of_square, real_colour, seats_of
from rules.games.squarin_off.state import State, Terms, start_of, with_three


def write_position(state: State) -> str:
    """The position on one line; scores follow from it, standing fouls are not part of it."""
    squares = "/".join(_write_row(state, row) for row in range(SIZE - 1, -1, -1))
    along = "/".join(_hex(state, [flat(c, y) for c in range(SIZE)]) for y in range(SIZE, -1, -1))
    across = "/".join(
        _hex(state, [upright(x, r) for x in range(SIZE + 1)]) for r in range(SIZE - 1, -1, -1)
    )
    turn = "-" if state.over else str(state.turn)
    if state.owes is not None:
        turn += "#" + square_name(state.owes)
    left = ".".join(map(str, state.left))
    seats = state.terms.seats + (":t" if state.terms.teams else "")
    return f"{squares} {along} {across} {turn} {left} {seats}"


def _write_row(state: State, row: int) -> str:
    text, empty = "", 0
    for col in range(SIZE):
        square = row * SIZE + col
        owner = state.owner(square)
        if state.blocked >> square & 1:
            letter = "#"
        elif owner is not None:
            letter = owner if state.marked >> square & 1 else owner.lower()
        else:
            empty += 1
            continue
        text += (str(empty) if empty else "") + letter
        empty = 0
    return text + (str(empty) if empty else "")


def _hex(state: State, grooves: list[int]) -> str:
    bits = 0
    for groove in grooves:
        bits = bits << 1 | (state.sticks >> groove & 1)
    return f"{bits:03x}"


def read_position(text: str, terms: Terms) -> State:
    """The state of a position string under the other agreements of `terms`; ValueError if none.

    Squares without a chip count as left over from an earlier turn; completed ones in nobody's hands
    are nobody's.
    """
    parts = text.split(" ")
    if len(parts) != 6:
        raise ValueError(f"expected a position of six fields, got {text!r}")
    squares, along, across, turn, left, seats = parts
    letters, _, teams = seats.partition(":")
    if teams not in ("", "t") or len(letters) not in (2, 3, 4) or not set(letters) <= set("KWBY"):
        raise ValueError(f"expected the seats' colours, got {seats!r}")
    state = start_of(replace(terms, seats=letters, teams=teams == "t"))
    state = _with_sticks(state, along.split("/"), across.split("/"))
    state = with_three(_with_squares(state, squares.split("/")))
    blockers = tuple(_number(n) for n in left.split("."))
    if len(blockers) != len(letters):
        raise ValueError(f"expected the blockers left for {len(letters)} seats, got {left!r}")
    state = replace(state, left=blockers, begun=bool(state.sticks or state.blocked))
    if turn == "-":
        return replace(state, over=True)
    number, _, owes = turn.partition("#")
    seat = _number(number)
    if not 1 <= seat <= len(letters):
        raise ValueError(f"expected a seat from 1 to {len(letters)}, got {turn!r}")
    return replace(state, turn=seat, owes=square_named(owes) if owes else None)


def _with_sticks(state: State, along: list[str], across: list[str]) -> State:
    if len(along) != SIZE + 1 or len(across) != SIZE:
        raise ValueError("expected 11 rows of grooves along and 10 across")
    sticks = 0
    for y, number in zip(range(SIZE, -1, -1), along, strict=True):
        bits = _bits(number, SIZE)
        sticks |= sum((bits >> (SIZE - 1 - c) & 1) << flat(c, y) for c in range(SIZE))
    for row, number in zip(range(SIZE - 1, -1, -1), across, strict=True):
        bits = _bits(number, SIZE + 1)
        sticks |= sum((bits >> (SIZE - x) & 1) << upright(x, row) for x in range(SIZE + 1))
    return replace(state, sticks=sticks)


def _with_squares(state: State, rows: list[str]) -> State:
    if len(rows) != SIZE:
        raise ValueError(f"expected ten rows of squares, got {len(rows)}")
    owned = dict.fromkeys(state.terms.colours, 0)
    marked = blocked = late = 0
    for row, text in zip(range(SIZE - 1, -1, -1), rows, strict=True):
        for col, letter in _places(text):
            bit = 1 << (row * SIZE + col)
            if letter == "#":
                blocked |= bit
                continue
            if letter.upper() not in owned:
                raise ValueError(f"expected the colours in play, got {letter!r} in {text!r}")
            owned[letter.upper()] |= bit
            if letter.isupper():
                marked |= bit
            else:
                late |= bit
    taken = blocked | sum(owned.values())
    full = sum(1 << q for q, fence in enumerate(FENCE) if state.sticks & fence == fence)
    return replace(
        state,
        owned=tuple(owned.values()),
        marked=marked,
        blocked=blocked,
        late=late,
        nobody=full & ~taken,
    )


def _places(text: str) -> Iterator[tuple[int, str]]:
    col, number = 0, ""
    for letter in text + " ":
        if letter.isascii() and letter.isdigit():
            number += letter
            continue
        col += _number(number) if number else 0
        number = ""
        if letter != " ":
            yield col, letter
            col += 1
    if col != SIZE:
        raise ValueError(f"expected a row of {SIZE} squares, got {text!r}")


def _bits(text: str, count: int) -> int:
    if len(text) != 3 or any(d not in "0123456789abcdef" for d in text):
        raise ValueError(f"expected three hexadecimal digits, got {text!r}")
    bits = int(text, 16)
    if bits >> count:
        raise ValueError(f"expected a number of {count} bits, got {text!r}")
    return bits


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a whole number, got {text!r}")
    return int(text)


def read_turn(text: str, terms: Terms) -> list[Fact]:
    """The facts of a turn string; ValueError where it is none. Chips marked `!` are left out."""
    seat_text, _, tokens = text.partition(": ")
    seats = seats_of(terms)
    seat = _number(seat_text)
    if not 1 <= seat <= len(seats) or not tokens:
        raise ValueError(f"expected a turn such as `1: e5n`, got {text!r}")
    by = seats[seat - 1]
    chip = real_colour(terms, terms.seats[seat - 1])
    facts: list[Fact] = []
    for token in tokens.split(" "):
        if token.startswith("#"):
            place = place_of_square(square_named(token[1:]))
            facts.append(Filled(at_ms=0.0, place=place, kind="blocker", colour="", by=by))
            continue
        groove, _, squares = token.partition("=")
        place = place_of_groove(groove_named(groove))
        facts.append(Filled(at_ms=0.0, place=place, kind="stick", colour="", by=by))
        for name in squares.split("+") if squares else ():
            if not name.endswith("!"):
                place = place_of_square(square_named(name))
                facts.append(Filled(at_ms=0.0, place=place, kind="chip", colour=chip, by=by))
    return facts
