"""One step of a move: what it rests on, what it may be refused for, what it does."""

from collections.abc import Container

from msgspec import Struct

from rules.games.quarterback.state import State
from rules.games.quarterback.terms import Terms


class Position(Struct, frozen=True):
    """All that a step's legality rests on: the pieces, the ball and whether the defence is free."""

    grid: str
    ball: int
    loose: bool
    released: bool


class Refused(Struct, frozen=True):
    """Why a step is not legal; `square` and `letter` are what stands in its way."""

    reason: str
    code: str
    start: int = -1
    to: int = -1
    square: int = -1
    letter: str = ""
    steps: int = 0


class Event(Struct, frozen=True):
    """One effect of a step, as it is ruled: PUSH, NO-PUSH, RELEASE, PICKUP, TACKLE, ..."""

    verb: str
    code: str
    letter: str = ""
    start: int = -1
    square: int = -1

    @property
    def steps_on(self) -> bool:
        """Whether this is a tackle by stepping on to the carrier's square."""
        return self.verb == "TACKLE" and self.start >= 0


class Made(Struct, frozen=True):
    """What a legal step led to. `ended`: the half is over, nothing after it is judged."""

    position: Position
    events: tuple[Event, ...] = ()
    ended: bool = False


class Manner(Struct, frozen=True):
    """How a step is looked at.

    `last`: it is the last of its move; `seen`: its square was seen, not inferred; `displaced`: the
    first squares of the pieces that were displaced, for house rules that ask; `quarry`: a Single's
    square that a Triple is on its way to tackle (house rule).
    """

    last: bool = True
    seen: bool = True
    displaced: Container[int] = ()
    quarry: int = -1


def position_of(state: State) -> Position:
    return Position(state.grid, state.ball, state.loose, state.released)


def allowance(terms: Terms, letter: str, start: int) -> int:
    """How many steps a piece has whose move begins on a square (QB-3.1 to QB-3.4)."""
    match letter.upper():
        case "S":
            return 1
        case "D":
            return 2
        case "T":
            return 3
        case _:
            row = terms.field.row(start)
            return 4 if row >= 1 or (row == 0 and terms.four_from_row0) else 3
