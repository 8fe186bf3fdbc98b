"""Where a match of carrom stands. Immutable; `advance` makes the next from this one."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from rules.case import Pending
from rules.facts import Fact, Piece, Settled, Struck
from rules.games.carrom.ground import MAN, QUEEN, STRIKER
from rules.games.carrom.terms import PIECES, Terms
from rules.geometry import Point, Seat

COLOURS = ("white", "black")


class Phase(StrEnum):
    """The state machine of section 7; what is resolved at once has no phase of its own."""

    SETUP = "setup"
    TOSS = "toss"
    CHOICE = "choice of the break"
    RACKING = "racking"
    STRIKE_DUE = "strike due"
    IN_MOTION = "in motion"
    PENDING_HUMAN = "pending human"
    PLACING = "placing"
    MATCH_OVER = "match over"
    PAUSED = "paused"


class Queen(Struct, frozen=True):
    """Where the queen is: on the board (no team), pocketed and pending, or covered by a team."""

    team: int | None = None
    covered: bool = False

    @property
    def on_board(self) -> bool:
        return self.team is None

    @property
    def pending(self) -> bool:
        return self.team is not None and not self.covered

    def __str__(self) -> str:
        return "board" if self.team is None else f"{'cov' if self.covered else 'pend'} {self.team}"


Two = tuple[int, int]


class Tally(Struct, frozen=True, kw_only=True):
    """The score: all that two answers to a question must agree on for it not to matter.

    By team: `on` pieces on the board, `due` outstanding, `netted` in this board, `entitled` by a
    due paid (CR-22.3), `points` in this game, `games` won. `breaker` broke this board, `white` is
    its team. `strikes` counts those made in this board, `turns` how often the strike has passed,
    `tries` the breaks that touched nothing.
    """

    on: Two = (PIECES, PIECES)
    due: Two = (0, 0)
    netted: tuple[bool, bool] = (False, False)
    entitled: tuple[bool, bool] = (False, False)
    queen: Queen = field(default_factory=Queen)
    to_strike: Seat = Seat.S
    breaker: Seat = Seat.S
    white: int = 0
    strikes: int = 0
    turns: int = 0
    tries: int = 0
    turn_netted: bool = False
    board: int = 1
    points: Two = (0, 0)
    game: int = 1
    games: Two = (0, 0)
    queen_phase: bool = False
    winner: int | None = None

    def down(self, team: int) -> int:
        """Return how many of a team's pieces lie in the nets."""
        return PIECES - self.on[team]


def put(pair: tuple[int, int], team: int, value: int) -> Two:
    """Return a pair with one team's number changed."""
    return (value, pair[1]) if team == 0 else (pair[0], value)


class Where(StrEnum):
    """Where a piece is to be put by hand."""

    CENTRE = "centre"  # the centre circle, or as near as is free
    CIRCLE = "circle"  # anywhere inside the outer circle
    SPOT = "spot"  # where it lay
    AWAY = "away"  # off the board


class Errand(Struct, frozen=True, kw_only=True):
    """What must be put right by hand. `by` places it (None: the referee).

    `piece` is given where it must be that very piece, `at` where it lay or is best put, `since`
    where it lies until somebody puts it right.
    """

    kind: str
    colour: str
    where: Where
    at: Point | None = None
    piece: str | None = None
    since: Point | None = None
    by: Seat | None = None


class Stroke(Struct, frozen=True, kw_only=True):
    """A strike on its way: its start and all that has been seen and said of it since.

    `calls` are what a person said of how it was struck, `breaches` (seat, clause, words, disc or
    "") what a person said that somebody did meanwhile.
    """

    strike: Struck
    facts: tuple[Fact, ...] = ()
    calls: tuple[str, ...] = ()
    breaches: tuple[tuple[Seat, str, str, str], ...] = ()


class Ruled(Struct, frozen=True, kw_only=True):
    """The last strike as it was ruled, kept until the next so that it can be ruled anew."""

    before: "State"
    settled: Settled
    known: Mapping[str, str]
    waived: frozenset[str]


class Clock(Struct, frozen=True, kw_only=True):
    """The game's clock: it showed `shown_ms` at `since_ms` and, unless `stopped`, has run since.

    `started` says that the game's first strike was made; `warned` how many warnings were given.
    """

    shown_ms: float = 0.0
    since_ms: float = 0.0
    started: bool = False
    stopped: bool = False
    warned: int = 0

    def at(self, at_ms: float) -> float:
        """Return what the clock shows at a time."""
        if not self.started or self.stopped:
            return self.shown_ms
        return self.shown_ms + max(0.0, at_ms - self.since_ms)


class State(Struct, frozen=True, kw_only=True):
    """One moment of a match; `pieces` is the surface as last seen at rest, kept up with hands.

    `lay` names what lay there when putting right began; `amiss` are pieces put down by the wrong
    hand, which count only when put down anew. `excused` is by how many pieces of white and black
    the surface may differ from the count, because the referee said that it is right; `said` the
    last refusal, so as not to repeat it; `hand_left_ms` when the last hand did; `touched` who has
    been ruled on since the table was last at rest; `toss` who won the last toss; `clock_held` that
    a pause stopped the clock.
    """

    terms: Terms
    phase: Phase
    tally: Tally
    pieces: tuple[Piece, ...] = ()
    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    clock: Clock = field(default_factory=Clock)
    stroke: Stroke | None = None
    last: Ruled | None = None
    pending: "Pending[State] | None" = None
    errands: tuple[Errand, ...] = ()
    lay: frozenset[str] = frozenset()
    amiss: frozenset[str] = frozenset()
    hand: Seat | None = None
    hand_left_ms: float = 0.0
    resume: Phase | None = None
    clock_held: bool = False
    toss: int | None = None
    said: str = ""
    touched: frozenset[Seat] = frozenset()
    excused: Two = (0, 0)

    @property
    def runs(self) -> bool:
        """Whether a stroke is running."""
        return self.phase is Phase.IN_MOTION

    @property
    def seat(self) -> Seat:
        """Whose strike is due."""
        return self.tally.to_strike

    @property
    def team(self) -> int:
        """The team whose strike is due."""
        return self.terms.team_at(self.tally.to_strike)

    def colour(self, team: int) -> str:
        """Return what a team plays in this board."""
        return COLOURS[team != self.tally.white]

    def team_of(self, colour: str) -> int | None:
        """Return the team that plays a colour in this board."""
        if colour not in COLOURS:
            return None
        return self.tally.white if colour == COLOURS[0] else 1 - self.tally.white

    def piece(self, name: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.name == name), None)

    def kind_of(self, name: str) -> tuple[str, str]:
        """Return a piece's kind and colour; of one never seen, what its name says."""
        known = self.kinds.get(name)
        if known is not None:
            return known
        if name.startswith(STRIKER):
            return (STRIKER, self.terms.ground.striker_colour)
        if name.startswith(QUEEN):
            return (QUEEN, self.terms.ground.queen_colour)
        return (MAN, name.rsplit("-", 1)[0])


def laid(state: State, pieces: tuple[Piece, ...]) -> State:
    """Return the state with the surface as now seen; names once seen keep their kind and colour."""
    new = {p.name: (p.kind, p.colour) for p in pieces if p.name not in state.kinds}
    kinds = {**state.kinds, **new} if new else state.kinds
    return replace(state, pieces=pieces, kinds=kinds)


def gist(state: State) -> tuple[object, ...]:
    """Return what answers must agree on: counts, dues, queen, placements, turn, result, phase."""
    return (state.tally, state.errands, state.phase, state.toss)


def pend(before: State, pending: Pending[State]) -> State:
    """Return the state that waits for the referee's answer; the surface is as last seen."""
    return replace(
        before,
        phase=Phase.PENDING_HUMAN,
        pending=pending,
        stroke=None,
        last=None,
        pieces=getattr(pending.fact, "pieces", before.pieces),
    )
