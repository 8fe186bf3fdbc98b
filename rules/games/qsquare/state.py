"""Where a match of Q-Square stands. Immutable; `advance` makes the next from this one."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from rules.case import Pending
from rules.facts import Fact, Moved, Piece, Struck
from rules.games.qsquare.terms import Terms
from rules.geometry import Point, Seat

PENALTY_ZONE = "PZ"
CENTRAL_ZONE = "CZ"


class Phase(StrEnum):
    """The state machine of section 7."""

    SETUP = "setup"
    OPENING = "opening"
    BREAK_CHOICE = "break choice"
    RACKING = "racking"
    AIMING = "aiming"
    SHOT = "shot"
    PENDING_HUMAN = "pending human"
    SERVICE = "service"
    SET_OVER = "set over"
    PAUSED = "paused"


_SHOT = Phase.SHOT  # asked for with every fact, and dear to look up on its class (`rules.verdicts`)


class Count(Struct, frozen=True):
    """Where the pucks of one colour are: on the table, down in pockets, off the game."""

    on: int
    down: int = 0
    off: int = 0

    def __str__(self) -> str:
        return f"{self.on}/{self.down}/{self.off}"


class Tally(Struct, frozen=True, kw_only=True):
    """The score: all that two answers to a question must agree on for it not to matter.

    `counts` are by own colour of side 0 and 1; `debts` the places of the penalty pucks each side
    owes, oldest first; `to_shoot` has the turn; `skips` are seats that lose their next turn.
    """

    counts: tuple[Count, Count]
    debts: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    to_shoot: Seat = Seat.S
    breaker: Seat = Seat.S
    games: tuple[int, int] = (0, 0)
    game: int = 1
    shots: int = 0
    skips: frozenset[Seat] = frozenset()
    winner: int | None = None
    unlocked: tuple[bool, bool] = (False, False)

    def counted(self, side: int, count: Count) -> "Tally":
        """Return the tally with the pucks of `side`'s colour counted anew."""
        counts = (count, self.counts[1]) if side == 0 else (self.counts[0], count)
        return replace(self, counts=counts)

    def owing(self, side: int, places: tuple[str, ...]) -> "Tally":
        debts = (places, self.debts[1]) if side == 0 else (self.debts[0], places)
        return replace(self, debts=debts)


class Errand(Struct, frozen=True, kw_only=True):
    """What must be put right by hand: a piece of a kind and colour at a spot.

    `around` and `reach_mm` name the other spots that are equally good: all at that distance; or
    `twin` does, the one other that is.
    `piece` is given where it must be that very piece; without `at` any place on the surface (for a
    cue-puck) will do; `away` asks for it to be taken off.
    """

    kind: str
    colour: str
    at: Point | None = None
    around: Point | None = None
    reach_mm: float = 0.0
    twin: Point | None = None
    piece: str | None = None
    away: bool = False
    why: str = ""


class Hand(Struct, frozen=True, kw_only=True):
    """A hand over the surface: since which phase, in whose turn, and whether it was ruled on."""

    side: Seat | None
    began: Phase
    due: Seat
    ruled: bool = False


class Shot(Struct, frozen=True, kw_only=True):
    """A shot on its way: the strike and all that has been seen and said of it since."""

    strike: Struck
    facts: tuple[Fact, ...] = ()
    called: str | None = None
    calls: tuple[str, ...] = ()
    hands: tuple[tuple[Seat | None, float], ...] = ()
    blind_ms: float | None = None


class Ruled(Struct, frozen=True, kw_only=True):
    """The last shot as it was ruled, kept until the next stroke so that it can be ruled anew."""

    before: "State"
    settled: Fact
    known: Mapping[str, str]
    waived: frozenset[str]
    at_ms: float


class Lag(Struct, frozen=True, kw_only=True):
    """A lag on its way: the two object pucks as they lay, and what was seen since."""

    start: tuple[Piece, ...] = ()
    facts: tuple[Fact, ...] = ()


class State(Struct, frozen=True, kw_only=True):
    """One moment of a match; `pieces` is the surface as last seen at rest, kept up with hands.

    `excused` is by how many pucks of each side's colour the surface may differ from the count,
    because the referee said that it is right; `said` the last refusal, so as not to repeat it;
    `hand_left_ms` when the last hand did. `handled` are the pieces that were moved or laid by hand
    since the table was last looked at in service, `brought` those that came onto it since the
    service began.
    `nudge` is a small move of the cue-puck since the table was last at rest that may have been a
    stroke.
    """

    terms: Terms
    phase: Phase
    tally: Tally
    pieces: tuple[Piece, ...] = ()
    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    shot: Shot | None = None
    last: Ruled | None = None
    pending: "Pending[State] | None" = None
    errands: tuple[Errand, ...] = ()
    hand: Hand | None = None
    hand_left_ms: float = 0.0
    lag: Lag = field(default_factory=Lag)
    drag: tuple[str, ...] | None = None
    nudge: Moved | None = None
    called: str | None = None
    resume: Phase | None = None
    chooser: int | None = None
    said: str = ""
    handled: frozenset[str] = frozenset()
    brought: frozenset[str] = frozenset()
    table_seen: bool = False
    excused: tuple[int, int] = (0, 0)

    @property
    def runs(self) -> bool:
        """Whether a stroke is running."""
        return self.phase is _SHOT

    @property
    def shooter(self) -> Seat:
        return self.tally.to_shoot

    @property
    def side(self) -> int:
        return self.terms.side_at(self.tally.to_shoot)

    def piece(self, name: str) -> Piece | None:
        return next((piece for piece in self.pieces if piece.name == name), None)

    def kind_of(self, name: str) -> tuple[str, str]:
        """Return a piece's kind and colour; of one never seen, what its name says."""
        known = self.kinds.get(name)
        if known is not None:
            return known
        if name.startswith("cue"):
            return ("cue-puck", "")
        if name.startswith("queen"):
            return ("queen", "")
        return ("puck", name.rsplit("-", 1)[0])


def lay(state: State, pieces: tuple[Piece, ...]) -> State:
    """Return the state with the surface as now seen; names once seen keep their kind and colour."""
    new = {p.name: (p.kind, p.colour) for p in pieces if p.name not in state.kinds}
    kinds = {**state.kinds, **new} if new else state.kinds
    return replace(state, pieces=pieces, kinds=kinds)


def fresh_tally(terms: Terms, breaker: Seat) -> Tally:
    """Return the tally at the start of a match, nobody having shot."""
    return Tally(
        counts=(Count(terms.pucks[0]), Count(terms.pucks[1])), to_shoot=breaker, breaker=breaker
    )


def gist(state: State) -> tuple[object, ...]:
    """Return what answers must agree on: counts, debts, placements, turn, result, phase."""
    spots = tuple(
        (e.kind, e.colour, e.piece, e.away, None if e.at is None else _rounded(e.at))
        for e in state.errands
    )
    return (state.tally, spots, state.phase, state.chooser, state.table_seen)


def _rounded(at: Point) -> tuple[float, float]:
    return (round(at.x_mm, 3), round(at.y_mm, 3))


def pend(before: State, pending: Pending[State]) -> State:
    """Return the state that waits for the referee's answer; the surface is as last seen."""
    return replace(
        before,
        phase=Phase.PENDING_HUMAN,
        pending=pending,
        shot=None,
        last=None,
        pieces=getattr(pending.fact, "pieces", before.pieces),
    )
