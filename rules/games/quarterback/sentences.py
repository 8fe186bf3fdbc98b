"""Moves, passes and shifts as people and transcripts write them (section 3 of the rulebook)."""

import re

from msgspec import Struct

from rules.games.quarterback.field import Field, place_named
from rules.games.quarterback.state import Displaced

_LETTERS = "QSDTqsdt"
_MOVE = re.compile(r"(?P<letter>[QSDTqsdt])(?P<way>[a-z0-9~-]+)(?P<ball>\*?)\Z")


class NotASentence(ValueError):
    """What was said cannot be read; the words say what was expected."""


class SaidMove(Struct, frozen=True, kw_only=True):
    """A move: `squares` are all its squares (`seen`) or only start and end; -1 is off the field.

    `displaced` are the pieces moved along with it, `picked` says that the loose ball went.
    """

    letter: str
    squares: tuple[int, ...]
    seen: bool = True
    displaced: tuple[Displaced, ...] = ()
    picked: bool = False


def read_move(text: str, field: Field) -> SaidMove:
    """`Dd4-d5 + td5>d6`, `Tb3~e2*`; NotASentence where it is no move."""
    way, _, pushed = text.partition("+")
    found = _MOVE.match(way.strip())
    if found is None or ("-" in found["way"]) == ("~" in found["way"]):
        raise NotASentence(f"expected a move such as Dd4-d5 or Dd4~d6, got {text!r}")
    seen = "-" in found["way"]
    names = found["way"].split("-" if seen else "~")
    squares = tuple(_square(field, name) for name in names)
    if squares[0] < 0 or (not seen and (len(squares) != 2 or squares[1] < 0)):
        raise NotASentence(f"expected a move from a square of this field, got {text!r}")
    return SaidMove(
        letter=found["letter"],
        squares=squares,
        seen=seen,
        displaced=tuple(read_shift(part, field) for part in pushed.split()),
        picked=bool(found["ball"]),
    )


def write_move(said: SaidMove, field: Field) -> str:
    """The text that `read_move` reads; squares off the field cannot be written."""
    way = ("-" if said.seen else "~").join(map(field.name, said.squares))
    text = f"{said.letter}{way}" + ("*" if said.picked else "")
    pushed = " ".join(write_shift(each, field) for each in said.displaced)
    return f"{text} + {pushed}" if pushed else text


def read_shift(text: str, field: Field) -> Displaced:
    """`te5>f6`; NotASentence where it is none."""
    start, arrow, end = text[1:].strip().partition(">")
    squares = _square(field, start), _square(field, end)
    if text[:1] not in _LETTERS or not text or not arrow or min(squares) < 0:
        raise NotASentence(f"expected a piece and two squares such as te5>f6, got {text!r}")
    return Displaced(text[0], *squares)


def write_shift(piece: Displaced, field: Field) -> str:
    return f"{piece.letter}{field.name(piece.start)}>{field.name(piece.end)}"


def read_pass(text: str, field: Field) -> tuple[int, int]:
    """`f0>d0`, -1 for a target off the field; NotASentence where it is none."""
    start, arrow, end = text.strip().partition(">")
    squares = _square(field, start), _square(field, end)
    if not arrow or squares[0] < 0:
        raise NotASentence(f"expected two squares such as f0>d0, got {text!r}")
    return squares


def _square(field: Field, name: str) -> int:
    try:
        col, row = place_named(name.strip())
    except ValueError as err:
        raise NotASentence(str(err)) from None
    square = field.square(col, row)
    return -1 if square is None else square
