"""What a game of Squarin' Off stands at, and the effects by which rulings change it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from rules.calls import Moves
from rules.facts import Fact
from rules.games.squarin_off.grid import (
    ALL_GROOVES,
    ALL_SQUARES,
    BESIDE,
    DEFAULT_LAYOUT,
    FENCE,
    groove_name,
    square_name,
    values_of,
)

LETTERS = "KWBY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Foul:
    """A foul that stands. `extra` (kind, place) must go, `missing` (kind, colour, place) come back.

    `instead` is a stick of the same frame that may go in place of the extra one (SO-6.3).
    """

    reason: str
    seat: int
    extra: tuple[str, int] | None = None
    missing: tuple[str, str, int] | None = None
    instead: "Earlier | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A stick that came first in a frame, and the state before it."""

    seat: int
    groove: int
    state: "State"
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment of a game. `owned` holds the squares of each colour of `terms.colours`."""

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
    before: "State | None" = field(default=None, compare=False)  # takeback
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


@dataclass(frozen=True, slots=True)
class Lay:
    """A legal stick by a seat; `blocker` says that it is the one owed after a blocker."""

    seat: int
    groove: int
    blocker: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """A square completed for a colour, or for nobody."""

    square: int
    colour: str | None


@dataclass(frozen=True, slots=True)
class Short:
    """A colour has used up its chips."""

    colour: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn goes to a seat."""

    to: int


@dataclass(frozen=True, slots=True)
class Stay:
    """The same seat plays on."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A chip on a completed square."""

    square: int


@dataclass(frozen=True, slots=True)
class Block:
    """A blocker on a square by a seat."""

    seat: int
    square: int


@dataclass(frozen=True, slots=True)
class Over:
    """The game is over."""


@dataclass(frozen=True, slots=True)
class Begin:
    """A seat begins; `seats` where the draw sets the colours too."""

    seat: int
    seats: str | None = None


@dataclass(frozen=True, slots=True)
class Agree:
    """A set-up was accepted."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class Stop:
    """A foul stands."""

    foul: Foul


@dataclass(frozen=True, slots=True)
class Keep:
    """Facts kept back while a foul stands."""

    kept: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """The foul is undone; `instead` is the state that stands where another stick went."""

    instead: State | None = None


@dataclass(frozen=True, slots=True)
class Minus:
    """Points off a colour's total (house rule)."""

    colour: str
    points: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The last placement is taken back (house rule)."""


def apply(state: State, effect: object) -> State:
    """The state after one effect; anything else than an effect of this game changes nothing."""
    match effect:
        case Lay(seat=seat, groove=groove, blocker=blocker):
            return _with_stick(state, seat, groove, blocker)
        case Close(square=square, colour=colour):
            return _with_square(state, square, colour)
        case Short(colour=colour):
            return replace(state, short=(*state.short, colour))
        case EndTurn(to=to):
            return _with_turn_ended(state, to)
        case Stay():
            return replace(state, owes=None, blocker_stick=False)
        case Mark(square=square):
            bit = 1 << square
            return replace(
                state,
                marked=state.marked | bit,
                late=state.late & ~bit,
                due=state.due & ~bit,
                before=_remembered(state),
            )
        case Block(seat=seat, square=square):
            return _with_blocker(state, seat, square)
        case Over():
            return replace(state, over=True, owes=None)
        case Begin(seat=seat, seats=seats):
            terms = state.terms if seats is None else replace(state.terms, seats=seats)
            return replace(state, terms=terms, turn=seat)
        case Agree(terms=terms):
            return start_of(terms)
        case Stop(foul=foul):
            return replace(state, foul=foul)
        case Keep(kept=kept):
            return replace(state, kept=kept)
        case Fix(instead=instead):
            return replace(state if instead is None else instead, foul=None, kept=())
        case Minus(colour=colour, points=points):
            at = state.terms.colours.index(colour)
            minus = tuple(m + points * (n == at) for n, m in enumerate(state.minus))
            return replace(state, minus=minus)
        case TakeBack():
            return state if state.before is None else state.before
        case _:
            return state


def start_of(terms: Terms) -> State:
    """The empty board."""
    colours = len(terms.colours)
    return State(terms=terms, owned=(0,) * colours, minus=(0,) * colours, left=terms.allotment)


def _remembered(state: State) -> State | None:
    """What a taking back of the placement that now comes leads to: one step, no further."""
    return replace(state, before=None) if state.terms.takeback else None


def _as_played(state: State) -> dict[str, Any]:
    """What changes once a seat plays a legal stick or blocker: what was left unmarked is late."""
    overdue = state.due & ~state.marked
    if not overdue:
        return {"due": 0, "last": None, "begun": True}
    if not state.terms.unmarked_open:
        return {"late": state.late | overdue, "due": 0, "last": None, "begun": True}
    return {
        "owned": tuple(mine & ~overdue for mine in state.owned),
        "nobody": state.nobody | overdue,
        "due": 0,
        "last": None,
        "begun": True,
    }


def with_three(state: State) -> State:
    """The state with its squares of three sides counted from its sticks."""
    three = sum(1 << q for q, fence in enumerate(FENCE) if (fence & ~state.sticks).bit_count() == 1)
    return replace(state, three=three)


def _with_stick(state: State, seat: int, groove: int, blocker: bool) -> State:
    sticks = state.sticks | 1 << groove
    three = state.three
    for square in BESIDE[groove]:
        gaps = (FENCE[square] & ~sticks).bit_count()
        three = three | 1 << square if gaps == 1 else three & ~(1 << square)
    return replace(
        state,
        **_as_played(state),
        sticks=sticks,
        three=three,
        blocker_stick=blocker,
        owes=None,
        before=_remembered(state),
        tokens=(*state.tokens, (groove_name(groove), ())),
    )


def _with_square(state: State, square: int, colour: str | None) -> State:
    bit = 1 << square
    tokens = state.tokens
    if tokens:  # else the stick itself was waived
        name, made = tokens[-1]
        tokens = (*tokens[:-1], (name, (*made, square)))
    if colour is None:
        return replace(state, nobody=state.nobody | bit, tokens=tokens)
    at = state.terms.colours.index(colour)
    owned = tuple(mine | bit if n == at else mine for n, mine in enumerate(state.owned))
    return replace(state, owned=owned, fresh=(*state.fresh, square), tokens=tokens)


def without_closings(state: State) -> State:
    """A square whose closing was waived is nobody's: it is full, and the game can end."""
    full = sum(1 << q for q, fence in enumerate(FENCE) if fence & ~state.sticks == 0)
    return replace(state, nobody=state.nobody | full & state.open)


def _with_turn_ended(state: State, to: int) -> State:
    due = sum(1 << square for square in state.fresh) & ~state.marked
    return replace(
        state,
        turn=to,
        last=state.turn,
        owes=None,
        blocker_stick=False,
        fresh=(),
        due=due,
        tokens=(),
        turns=Moves(write_turn(state, state.turn), state.turns),
    )


def _with_blocker(state: State, seat: int, square: int) -> State:
    left = tuple(n - (at == seat - 1) for at, n in enumerate(state.left))
    return replace(
        state,
        **_as_played(state),
        blocked=state.blocked | 1 << square,
        left=left,
        owes=square,
        before=_remembered(state),
        tokens=(*state.tokens, ("#" + square_name(square), ())),
    )


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
