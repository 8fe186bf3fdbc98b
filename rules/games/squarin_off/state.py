"""What a game of Squarin' Off stands at, and what it comes to in points."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rules.calls import Moves
from rules.compared import PartlyCompared
from rules.facts import Fact
from rules.games.squarin_off.grid import (
    ALL_GROOVES,
    ALL_SQUARES,
    DEFAULT_LAYOUT,
    FENCE,
    square_name,
    values_of,
)

LETTERS = "KWBY"


class Terms(Struct, frozen=True, kw_only=True):
    """What was agreed and stays for the whole game. Colours are the letters K W B Y, by seat."""

    seats: str
    teams: bool = False
    layout: str = DEFAULT_LAYOUT
    allotment: tuple[int, ...] = (6, 6)
    real: tuple[tuple[str, str], ...] = ()  # letter, and the chips' real colour
    names: tuple[str, ...] = ()
    chips_each: int | None = None
    one_extra_set: bool = False  # blue and yellow chips are 40 together
    draw_sets_colour: bool = False
    side_by_side: bool = False
    mandatory_close: bool = False
    unmarked_open: bool = False
    all_sticks: bool = False
    blockers_fixed: int | None = None
    blockers_min: int = 0
    gap: str = "king"
    stick_anywhere: bool = False
    blocker_continues: bool = False
    blocker_first: bool = False
    chips_stop: bool = False
    more_squares: bool = False
    one_player: bool = False
    penalty: str = "none"
    takeback: bool = False

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours in play, in seat order."""
        return _colours(self.seats)

    def issue_of(self, colour: str) -> int:
        """Chips issued for a colour: one that partners share has both partners' chips."""
        each = self.chips_each or (80 if len(self.seats) == 2 else 40)
        if self.one_extra_set and self.chips_each is None and colour in "BY":
            each = 20
        return each * self.seats.count(colour)

    def partner(self, seat: int) -> int:
        return _partner(seat, self.side_by_side)

    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The sides in seat order, each with its colours."""
        return _sides(self.seats, self.teams, self.side_by_side)

    def side_of(self, colour: str) -> str | None:
        """The name of the side that plays a colour."""
        return _side_names(self.seats, self.teams, self.side_by_side).get(colour)

    def after(self, seat: int) -> int:
        return seat % len(self.seats) + 1


@cache
def _colours(seats: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(seats))


def _partner(seat: int, side_by_side: bool) -> int:
    if side_by_side:
        return seat + 1 if seat % 2 else seat - 1
    return (seat + 1) % 4 + 1


@cache
def _sides(seats: str, teams: bool, side_by_side: bool) -> tuple[tuple[str, ...], ...]:
    if not teams:
        return tuple((colour,) for colour in _colours(seats))
    pairs: list[tuple[str, ...]] = []
    for seat in range(1, len(seats) + 1):
        letters = {seats[seat - 1], seats[_partner(seat, side_by_side) - 1]}
        pair = tuple(sorted(letters))
        if pair not in pairs:
            pairs.append(pair)
    return tuple(pairs)


@cache
def _side_names(seats: str, teams: bool, side_by_side: bool) -> Mapping[str, str]:
    sides = _sides(seats, teams, side_by_side)
    return {colour: "+".join(side) for side in sides for colour in side}


class Foul(Struct, frozen=True, kw_only=True):
    """A foul that stands. `extra` (kind, place) must go, `missing` (kind, colour, place) come back.

    `instead` is a stick of the same frame that may go in place of the extra one (SO-6.3).
    """

    reason: str
    seat: int
    extra: tuple[str, int] | None = None
    missing: tuple[str, str, int] | None = None
    instead: "Earlier | None" = None


class Earlier(Struct, frozen=True, kw_only=True):
    """A stick that came first in a frame, and the state before it."""

    seat: int
    groove: int
    state: "State"
    said: tuple[str, ...] = ()


class State(PartlyCompared, frozen=True, kw_only=True):
    """One moment of a game. `owned` holds the squares of each colour of `terms.colours`."""

    aside: ClassVar[frozenset[str]] = frozenset({"before", "newest"})

    terms: Terms
    sticks: int = 0
    three: int = 0  # squares with exactly three sides filled
    owned: tuple[int, ...] = (0, 0)
    nobody: int = 0  # completed, but nobody's (house rules)
    marked: int = 0
    blocked: int = 0
    late: int = 0  # a chip put there now is late
    due: int = 0  # completed in the turn just ended, and not marked
    left: tuple[int, ...] = (6, 6)
    turn: int = 1
    last: int | None = None  # the seat whose turn has just ended, until the next one plays
    owes: int | None = None  # the square blocked in this turn, while its stick is owed
    blocker_stick: bool = False
    fresh: tuple[int, ...] = ()  # completed in this turn, in order
    begun: bool = False
    over: bool = False
    short: tuple[str, ...] = ()
    minus: tuple[int, ...] = ()
    foul: Foul | None = None
    kept: tuple[Fact, ...] = ()
    before: "State | None" = None  # takeback
    newest: tuple[int, int] | None = None  # (groove, seat), shown
    tokens: tuple[tuple[str, tuple[int, ...]], ...] = ()
    turns: Moves | None = None

    @property
    def completed(self) -> int:
        squares = self.nobody
        for mine in self.owned:
            squares |= mine
        return squares

    @property
    def open(self) -> int:
        """Squares neither completed nor blocked."""
        return ALL_SQUARES & ~(self.completed | self.blocked)

    @property
    def finished(self) -> bool:
        """Whether the game ends after a stick that left this."""
        if self.terms.all_sticks:
            return self.sticks == ALL_GROOVES
        return self.open == 0

    def owner(self, square: int) -> str | None:
        bit = 1 << square
        colours = self.terms.colours
        return next((c for c, mine in zip(colours, self.owned, strict=True) if mine & bit), None)

    @property
    def colour_on_turn(self) -> str:
        return self.terms.seats[self.turn - 1]


def start_of(terms: Terms) -> State:
    """The empty board."""
    colours = len(terms.colours)
    return State(terms=terms, owned=(0,) * colours, minus=(0,) * colours, left=terms.allotment)


def with_three(state: State) -> State:
    """The state with its squares of three sides counted from its sticks."""
    three = sum(1 << q for q, fence in enumerate(FENCE) if (fence & ~state.sticks).bit_count() == 1)
    return replace(state, three=three)


def write_turn(state: State, seat: int) -> str:
    """The turn string of what a seat has played so far (section 1.2)."""
    parts = []
    for name, made in state.tokens:
        squares = [
            square_name(q) + ("" if state.marked >> q & 1 or not _is_owned(state, q) else "!")
            for q in made
        ]
        parts.append(name + ("=" + "+".join(squares) if squares else ""))
    return f"{seat}: " + " ".join(parts)


def _is_owned(state: State, square: int) -> bool:
    return state.owner(square) is not None


def record_of(state: State) -> list[str]:
    """All turns as strings; an unfinished turn is left out, the game's last one is not."""
    turns = [] if state.turns is None else state.turns.in_order()
    return [*turns, write_turn(state, state.turn)] if state.over and state.tokens else turns


def points_of(state: State) -> tuple[int, ...]:
    """The points of each colour, in the order of `terms.colours`."""
    values = values_of(state.terms.layout)
    return tuple(
        _worth(values, mine) - minus
        for mine, minus in zip(state.owned, state.minus or (0,) * len(state.owned), strict=True)
    )


def _worth(values: tuple[int, ...], squares: int) -> int:
    total = 0
    while squares:
        low = squares & -squares
        total += values[low.bit_length() - 1]
        squares ^= low
    return total


def side_totals(state: State) -> list[tuple[str, int, int]]:
    """Each side's name, points and number of squares, in seat order."""
    points = dict(zip(state.terms.colours, points_of(state), strict=True))
    count = {
        colour: mine.bit_count()
        for colour, mine in zip(state.terms.colours, state.owned, strict=True)
    }
    return [
        ("+".join(side), sum(points[c] for c in side), sum(count[c] for c in side))
        for side in state.terms.sides()
    ]
