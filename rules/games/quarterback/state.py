"""What a match of Quarterback stands at."""

from typing import ClassVar

from msgspec import Struct

from rules.calls import Moves
from rules.compared import PartlyCompared
from rules.facts import Fact
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.pieces import ATTACK, DEFENCE
from rules.games.quarterback.terms import Terms

HALVES = 4
"""A full match: two games of two halves (QB-9.1)."""


class Change(Struct, frozen=True):
    """A piece (or the ball, `*`) that `came` to a square where the record has none, or is gone."""

    square: int
    letter: str
    came: bool


class Displaced(Struct, frozen=True):
    """A piece that went from one square to another."""

    letter: str
    start: int
    end: int


class Correction(Struct, frozen=True, kw_only=True):
    """A foul that stands, or (`due`) pushes still to be carried out on the board.

    `off` is how the board differs from the record; `idle` says that the refused fact displaced
    nothing; `side` is at fault. After `due` is done the turn may go on to the other side.
    """

    reason: str
    side: str | None = None
    off: tuple[Change, ...] = ()
    due: tuple[Displaced, ...] = ()
    idle: bool = False


class State(PartlyCompared, frozen=True, kw_only=True):
    """One moment of a match. Capitals attack, small letters defend; squares are field numbers."""

    aside: ClassVar[frozenset[str]] = frozenset({"before", "cut", "frame"})

    terms: Terms
    grid: str
    turn: str = ATTACK  # who is to act; empty when the half is over
    moves: int = 0
    passes: int = 0
    going: tuple[int, int] | None = None  # the piece whose sequence is open, and its steps left
    done: tuple[tuple[int, int], ...] = ()  # other pieces moved in this turn, steps left unused
    ball: int = 0
    loose: bool = False
    released: bool = False
    points: tuple[int, ...] = ()  # of the halves that have ended
    first: int | None = None  # who attacked first, 0 or 1; None: nobody has said
    playing: bool = False  # the set-up of this half was accepted
    begun: bool = False  # this half has seen an action
    table: str = ""  # what is seen on the board, letters as in `grid`
    under: tuple[tuple[int, str], ...] = ()  # pieces believed to lie beneath others there
    disc: int | None = None  # where the ball disc is believed to lie
    route: tuple[int, ...] = ()  # squares tapped for the move that comes
    forwards: int = 0
    still: int = 0  # for how many of the attacker's turns the carrier has stood where it is
    stood: tuple[str, int] | None = None
    told: tuple[int, int] | None = None  # the pass just inferred from the disc
    correction: Correction | None = None
    kept: tuple[Fact, ...] = ()
    cut: "State | None" = None  # before the other side cut in
    before: "State | None" = None  # takeback
    frame: "State | None" = None  # before the last thing seen
    tokens: tuple[str, ...] = ()
    turns: Moves | None = None

    @property
    def half_number(self) -> int:
        """Which half it is, from 0; the one just ended while the next is not set out."""
        return len(self.points) - (not self.turn)

    @property
    def game(self) -> int:
        return self.half_number // 2 + 1

    @property
    def half(self) -> int:
        return self.half_number % 2 + 1

    @property
    def attacker(self) -> int:
        """The player (0 or 1) whose pieces are the capitals."""
        return attacker_of(self.first, self.half_number)

    @property
    def over(self) -> bool:
        """Whether the match is decided."""
        return len(self.points) >= HALVES and not self.turn

    @property
    def acted(self) -> bool:
        """Whether the side to act has done anything in its turn."""
        return self.moves + self.passes > 0

    @property
    def carrier(self) -> str:
        """The letter of the piece that has the ball; empty when it is loose or the half over."""
        return "" if self.loose or not self.turn else self.grid[self.ball]

    @property
    def last_moved(self) -> tuple[int, int] | None:
        """The piece that moved last in this turn and the steps it has left."""
        return self.going or (self.done[-1] if self.done else None)


def attacker_of(first: int | None, half_number: int) -> int:
    """Who attacks in a half: X, Y; Y, X (QB-9.2)."""
    starter = first or 0
    return starter if half_number % 4 in (0, 3) else 1 - starter


def player_of(state: State, side: str) -> int:
    """The player (0 or 1) of a side in this half."""
    return state.attacker if side == ATTACK else 1 - state.attacker


def start_of(terms: Terms) -> State:
    """Before the first set-up: the standard places on record, nothing seen on the board."""
    quarterback = terms.set_up.index("Q")
    return State(
        terms=terms,
        grid=terms.set_up,
        ball=quarterback,
        table=EMPTY * len(terms.set_up),
        disc=quarterback if terms.disc_always else None,
    )


def put(grid: str, square: int, letter: str) -> str:
    """The grid with `letter` on a square."""
    return grid[:square] + letter + grid[square + 1 :]


def write_turn(state: State) -> str:
    """The turn string of what the side to act has done so far (section 1.2)."""
    return f"{state.turn or ATTACK}: {' '.join(state.tokens) or '-'}"


def record_of(state: State) -> list[str]:
    """All turns of the match as strings, the unfinished one last."""
    turns = [] if state.turns is None else state.turns.in_order()
    return [*turns, write_turn(state)] if state.tokens else turns


def match_points(state: State) -> tuple[int, int]:
    """The match points of R and B for the games that are decided (QB-9.4)."""
    totals = [0, 0]
    for game in range(len(state.points) // 2):
        ours, theirs = game_points(state, game)
        totals[0] += 2 if ours > theirs else ours == theirs
        totals[1] += 2 if theirs > ours else ours == theirs
    return totals[0], totals[1]


def game_points(state: State, game: int) -> tuple[int, int]:
    """The points of R and B in a game (from 0), as far as it is played."""
    totals = [0, 0]
    for half in range(2 * game, min(2 * game + 2, len(state.points))):
        totals[attacker_of(state.first, half)] += state.points[half]
    return totals[0], totals[1]


def sides_left(state: State) -> bool:
    """Whether the side to act still has an action that only `end` may cut (house rule)."""
    if state.turn == DEFENCE:
        return state.moves < state.terms.defender_moves
    return state.moves + state.passes < 2
