"""A carrom table to play on in tests: makes the facts a camera would give, in their order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import cos, radians, sin

from msgspec.structs import replace

from rules.board import Board
from rules.engine import apply
from rules.facts import (
    Contacted,
    Declared,
    Fact,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Settled,
    Struck,
    Travelled,
)
from rules.game import Player, Setup
from rules.games.carrom.game import Carrom
from rules.games.carrom.placing import runs
from rules.games.carrom.state import Clock, Errand, Phase, Queen, State, Where
from rules.geometry import Point, Seat, turned
from rules.rulings import Ruling, RulingKind, Standing
from sightline.games import built_in_board

GAME = Carrom()
Spot = tuple[float, float]
KINDS = {"W": ("carromman", "white"), "K": ("carromman", "black"), "Q": ("queen", "red")}
BREAK = Point(0.0, -250.0)


@cache
def board() -> Board:
    return built_in_board("carrom")


def canonical_rack(turn_deg: float = 0.0, queen: Spot = (0.0, 0.0)) -> dict[str, Piece]:
    """Return the rack of the rulebook's section 2, turned by an angle."""
    rings = [
        (31.0, "white", (90, 210, 330)),
        (31.0, "black", (30, 150, 270)),
        (62.0, "white", (30, 90, 150, 210, 270, 330)),
        (53.69, "black", (0, 60, 120, 180, 240, 300)),
    ]
    pieces = {"queen": man("queen", *queen)}
    for reach, colour, angles in rings:
        for angle in angles:
            at = radians(angle + turn_deg)
            name = f"{colour}-{1 + sum(p.colour == colour for p in pieces.values())}"
            pieces[name] = man(name, reach * cos(at), reach * sin(at))
    return pieces


def man(name: str, x: float, y: float, error_mm: float = 0.0) -> Piece:
    kind = {"que": "queen", "str": "striker"}.get(name[:3], "carromman")
    colour = {"queen": "red", "striker": "ivory"}.get(kind, name.rsplit("-", 1)[0])
    at = Point(round(x, 4) + 0.0, round(y, 4) + 0.0)
    return Piece(name=name, kind=kind, colour=colour, at=at, error_mm=error_mm)


@dataclass
class Table:
    """A match in play. Facts go through the engine; `told` gathers the rulings since `hush`."""

    options: Mapping[str, str] = field(default_factory=dict)
    players: tuple[Player, ...] = ()
    pieces: dict[str, Piece] = field(default_factory=dict)
    told: list[Ruling] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    now_ms: float = 0.0

    def __post_init__(self) -> None:
        self.state: State = GAME.start(
            Setup(game="carrom", board=board(), players=self.players, options=dict(self.options))
        )

    # -- telling facts -------------------------------------------------------------------------

    def tell(self, *facts: Fact) -> tuple[Ruling, ...]:
        given: list[Ruling] = []
        for fact in facts:
            step = apply(GAME, self.state, len(self.facts) + 1, fact)
            assert not step.fault, step.fault
            self.state = step.state
            self.facts.append(fact)
            given += step.rulings
        self.told += given
        return tuple(given)

    def hush(self) -> None:
        self.told.clear()

    def tick(self, ms: float = 100.0) -> float:
        self.now_ms += ms
        return self.now_ms

    def say(self, what: str, side: str | None = None, value: str = "") -> tuple[Ruling, ...]:
        return self.tell(Declared(at_ms=self.tick(), what=what, side=side, value=value))

    def settle(self) -> tuple[Ruling, ...]:
        return self.tell(Settled(at_ms=self.tick(1000.0), pieces=tuple(self.pieces.values())))

    def answer(self, answer: str) -> tuple[Ruling, ...]:
        """Answer the question that is open."""
        pending = self.state.pending
        assert pending is not None
        rulings = GAME.answer(self.state, pending.question.key, answer)
        self.told = [r for r in self.told if r.standing is not Standing.OPEN] + list(rulings)
        self.state = GAME.advance(self.state, self.facts[-1], rulings)
        return rulings

    # -- the table -----------------------------------------------------------------------------

    def put(self, name: str, x: float, y: float, error_mm: float = 0.0) -> Piece:
        self.pieces[name] = man(name, x, y, error_mm)
        return self.pieces[name]

    def open(self, breaker: str = "S") -> "Table":
        """Toss, choice and a good rack; the breaker's strike is due."""
        self.say("toss", breaker)
        self.say("break", breaker)
        self.pieces = canonical_rack()
        self.settle()
        assert self.state.phase is Phase.STRIKE_DUE, [r.words for r in self.told]
        self.hush()
        return self

    def position(
        self,
        white: int = 6,
        black: int = 7,
        *,
        seat: Seat = Seat.S,
        queen: Queen | None = None,
        due: tuple[int, int] = (0, 0),
        netted: tuple[bool, bool] = (True, True),
        points: tuple[int, int] = (0, 0),
        number: int = 1,
        fresh: bool = False,
    ) -> "Table":
        """Have so many pieces on the board, S's team white, and a strike of `seat` due."""
        self.open()
        self.pieces = {}
        for count, colour, y in ((white, "white", 150.0), (black, "black", -150.0)):
            for n in range(count):
                self.put(f"{colour}-{n + 1}", -240.0 + 60.0 * n, y)
        queen = queen or Queen()
        if queen.on_board:
            self.put("queen", 0.0, 0.0)
        self.state = replace(
            self.state,
            tally=replace(
                self.state.tally,
                on=(white, black),
                due=due,
                netted=netted,
                queen=queen,
                to_strike=seat,
                points=points,
                board=number,
                strikes=0 if fresh else 9,
                turns=0 if fresh else 5,
            ),
            clock=Clock() if fresh else Clock(started=True),
            pieces=tuple(self.pieces.values()),
            last=None,
        )
        self.hush()
        return self

    def in_queen_phase(self) -> "Table":
        """Have the queen phase running."""
        self.state = replace(self.state, tally=replace(self.state.tally, queen_phase=True))
        return self

    def named(self, token: str) -> str:
        """Return the disc that is meant: "W" the last white one, "Q" the queen, or a name."""
        if token == "Q":
            return "queen"
        if token == "S":
            return "striker"
        if token not in KINDS:
            return token
        colour = KINDS[token][1]
        return max(
            (n for n, p in self.pieces.items() if p.kind == "carromman" and p.colour == colour),
            key=lambda n: int(n.rsplit("-", 1)[1]),
        )

    # -- strikes -------------------------------------------------------------------------------

    def strike(
        self,
        drops: Sequence[str | Sequence[str]] = (),
        *,
        off: Sequence[str] = (),
        back: Sequence[str] = (),
        unseen: Sequence[str] = (),
        hit: str | None = "any",
        at: Spot | None = None,
        error_mm: float = 0.0,
        by: Seat | None = None,
        calls: Sequence[str] = (),
        more: Iterable[Fact] = (),
        path: Sequence[Spot] | None = None,
        ends: Spot | None = (100.0, 60.0),
        error_ms: float = 0.0,
        hidden: bool = False,
    ) -> tuple[Ruling, ...]:
        """Play one strike and let the board settle.

        `drops` fall in order, those of one inner list together ("S" is the striker); `off` leave
        the board, `back` do so and return, `unseen` are just gone. `calls` are said meanwhile.
        """
        seat = by or self.state.seat
        start = Point(*at) if at else turned(BREAK, seat)
        self.put("striker", start.x_mm, start.y_mm, error_mm)
        start = self.pieces["striker"].at
        self.tell(
            Struck(
                at_ms=self.tick(),
                piece="striker",
                at=start,
                error_mm=error_mm,
                by=by,
                speed_mm_s=2000.0,
                hidden=hidden,
            )
        )
        if hit is not None and len(self.pieces) > 1:
            first = next(iter(self.pieces)) if hit == "any" else self.named(hit)
            where = self.pieces[first].at
            self.tell(Contacted(at_ms=self.tick(), a="striker", b=first, at=where))
        way = path if path is not None else ((0.0, 0.0), ends or (0.0, 0.0))
        points = (start, *(Point(*p) for p in way))
        self.tell(Travelled(at_ms=self.tick(), piece="striker", path=points))
        for call in calls:
            self.say(*call.split(" by "))
        self.tell(*more)
        for group in drops:
            at_ms = self.tick()
            for token in [group] if isinstance(group, str) else group:
                name = self.named(token)
                del self.pieces[name]
                self.tell(Pocketed(at_ms=at_ms, piece=name, pocket="NE", error_ms=error_ms))
        for token in off:
            name = self.named(token)
            del self.pieces[name]
            self.tell(LeftBoard(at_ms=self.tick(), piece=name))
        for token in back:
            name = self.named(token)
            self.tell(LeftBoard(at_ms=self.tick(), piece=name))
            self.put(name, 200.0, 60.0)
        for token in unseen:
            del self.pieces[self.named(token)]
        if "striker" in self.pieces and ends is not None:
            last = points[-1]
            self.put("striker", last.x_mm, last.y_mm)
        rulings = self.settle()
        self.pieces.pop("striker", None)
        return rulings

    def moved(self, token: str, by: Seat | None, mm: float = 20.0) -> tuple[Ruling, ...]:
        """A hand shifts a disc."""
        return self.tell(self.shift(token, by, mm))

    def shift(self, token: str, by: Seat | None, mm: float = 20.0) -> Moved:
        name = self.named(token)
        before = self.pieces[name].at
        after = self.put(name, before.x_mm + mm, before.y_mm).at
        return Moved(at_ms=self.tick(), piece=name, before=before, after=after, by=by)

    def sleeve(self, token: str, by: Seat) -> list[Fact]:
        """Return facts of a sleeve that shifts a disc during a strike, and of who saw it."""
        moved = self.shift(token, by)
        said = Declared(at_ms=self.tick(), what="touch", side=str(by), value=moved.piece)
        return [moved, said]

    def place(
        self, token: str, x: float, y: float, by: Seat | None = None, error_mm: float = 0.0
    ) -> str:
        """A hand puts a disc from the nets down."""
        name = "queen" if token == "Q" else self._spare(KINDS[token][1])
        piece = self.put(name, x, y, error_mm)
        self.tell(Placed(at_ms=self.tick(), piece=piece, by=by))
        return name

    def _spare(self, colour: str) -> str:
        number = 1
        while f"{colour}-{number}" in self.pieces:
            number += 1
        return f"{colour}-{number}"

    def serve(self) -> tuple[Ruling, ...]:
        """Put back by hand all that the referee's tasks ask for, and let the board settle."""
        slots = iter([(60.0, 0.0), (-60.0, 0.0), (0.0, 60.0), (0.0, -60.0), (42.0, 42.0)])
        for run in runs(self.state, tuple(self.pieces.values())):
            self._run(run.errand, slots)
        return self.settle()

    def _run(self, errand: Errand, slots: Iterable[Spot]) -> None:
        token = {"queen": "Q"}.get(errand.kind) or ("W" if errand.colour == "white" else "K")
        if errand.where is Where.AWAY:
            assert errand.piece is not None
            self.pieces.pop(errand.piece, None)
        elif errand.where is Where.CIRCLE:
            x, y = next(s for s in slots if self._free(s))
            self.place(token, x, y, errand.by)
        else:
            assert errand.at is not None
            if errand.piece in self.pieces:
                assert errand.piece is not None
                self.put(errand.piece, errand.at.x_mm, errand.at.y_mm)
            else:
                self.place(token, errand.at.x_mm, errand.at.y_mm)

    def _free(self, spot: Spot) -> bool:
        return all(p.at.distance_mm(Point(*spot)) > 32.0 for p in self.pieces.values())

    # -- reading the state ---------------------------------------------------------------------

    def codes(self) -> set[str]:
        return {r.code for r in self.told}

    def fouls(self) -> set[str]:
        """Return the codes of what was done wrong and of what it costs."""
        return {r.code for r in self.told if r.kind in (RulingKind.FOUL, RulingKind.PENALTY)}

    @property
    def counts(self) -> str:
        """White on the board and pocketed, then black: "W 6/3, K 7/2"."""
        tally = self.state.tally
        return ", ".join(
            f"{letter} {tally.on[team]}/{tally.down(team)}"
            for letter, team in (("W", tally.white), ("K", 1 - tally.white))
        )

    @property
    def queen(self) -> str:
        return str(self.state.tally.queen).replace(" 0", " A").replace(" 1", " B")


class From:
    """The game beginning from a position that was set up: so that a log can be folded on it."""

    name = GAME.name
    title = GAME.title
    judge = staticmethod(GAME.judge)
    advance = staticmethod(GAME.advance)
    answer = staticmethod(GAME.answer)
    score = staticmethod(GAME.score)
    outcome = staticmethod(GAME.outcome)
    scoreboard = staticmethod(GAME.scoreboard)
    clauses = staticmethod(GAME.clauses)

    def __init__(self, state: State) -> None:
        self.state = state

    def start(self, setup: Setup) -> State:
        return self.state
