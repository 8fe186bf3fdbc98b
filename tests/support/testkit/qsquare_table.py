"""A Q-Square table to play on in tests: makes the facts a camera would give, in their order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import asin, cos, sin

from rules.board import Board
from rules.engine import apply
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
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
from rules.games.qsquare.board import default_board
from rules.games.qsquare.game import QSquare
from rules.games.qsquare.state import Phase, State
from rules.geometry import Point, Seat
from rules.rulings import Ruling, RulingKind, Standing

GAME = QSquare()
HOME = {
    Seat.S: Point(0.0, -450.0),
    Seat.N: Point(0.0, 450.0),
    Seat.E: Point(450.0, 0.0),
    Seat.W: Point(-450.0, 0.0),
}
SPREAD = [(float(x), float(y)) for y in (200, 260, -200, -260) for x in range(-350, 351, 100)]
Spot = tuple[float, float]


def two(a: str = "red", b: str = "blue") -> tuple[Player, ...]:
    return (Player(seat=Seat.S, colour=a), Player(seat=Seat.N, colour=b))


def four() -> tuple[Player, ...]:
    """Team SN plays red, team EW plays blue."""
    return tuple(
        Player(seat=seat, colour="red" if seat in (Seat.S, Seat.N) else "blue") for seat in Seat
    )


def rack(rows: Mapping[str, tuple[str, int]], queen: bool = True) -> dict[str, Piece]:
    """Return racked pieces: for each seat's side of the band, a colour and how many."""
    pieces: dict[str, Piece] = {}
    counted: dict[str, int] = {}
    for seat, (colour, count) in rows.items():
        for n in range(count):
            along = -(count - 1) * 12.5 + 25.0 * n
            at = {
                "S": Point(along, -120.0),
                "N": Point(along, 120.0),
                "E": Point(120.0, along),
                "W": Point(-120.0, along),
            }[seat]
            counted[colour] = counted.get(colour, 0) + 1
            name = f"{colour}-{counted[colour]}"
            pieces[name] = Piece(name=name, kind="puck", colour=colour, at=at)
    if queen:
        pieces["queen"] = Piece(name="queen", kind="queen", colour="white", at=Point(0.0, 0.0))
    return pieces


@dataclass
class Table:
    """A match in play. Facts go through the engine; `told` gathers the rulings since `hush`."""

    options: Mapping[str, str] = field(default_factory=dict)
    players: tuple[Player, ...] = field(default_factory=two)
    board: Board = field(default_factory=default_board)
    pieces: dict[str, Piece] = field(default_factory=dict)
    told: list[Ruling] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    now_ms: float = 0.0
    seq: int = 0

    def __post_init__(self) -> None:
        setup = Setup(
            game="qsquare", board=self.board, players=self.players, options=dict(self.options)
        )
        self.state: State = GAME.start(setup)

    # -- telling facts -------------------------------------------------------------------------

    def tell(self, *facts: Fact) -> tuple[Ruling, ...]:
        given: list[Ruling] = []
        for fact in facts:
            self.seq += 1
            step = apply(GAME, self.state, self.seq, fact)
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

    def settle(self, wait_ms: float = 1000.0) -> tuple[Ruling, ...]:
        return self.tell(Settled(at_ms=self.tick(wait_ms), pieces=tuple(self.pieces.values())))

    def answer(self, answer: str) -> tuple[Ruling, ...]:
        """Answer the question that is open."""
        pending = self.state.pending
        assert pending is not None
        rulings = GAME.answer(self.state, pending.question.key, answer)
        self.told = [r for r in self.told if r.standing is not Standing.OPEN] + list(rulings)
        self.state = GAME.advance(self.state, self.facts[-1], rulings)
        return rulings

    # -- the table -----------------------------------------------------------------------------

    def put(self, name: str, x: float, y: float, error_mm: float = 0.0) -> None:
        """Have a piece lie somewhere, by nobody's doing that is told."""
        if name in self.pieces:
            self.pieces[name] = replace(self.pieces[name], at=Point(x, y), error_mm=error_mm)
            return
        kind = {"cue": "cue-puck", "que": "queen"}.get(name[:3], "puck")
        colour = {"cue-puck": "natural", "queen": "white"}.get(kind, name.rsplit("-", 1)[0])
        self.pieces[name] = Piece(
            name=name, kind=kind, colour=colour, at=Point(x, y), error_mm=error_mm
        )

    def lying(self, colour: str) -> list[str]:
        return sorted(
            (n for n, p in self.pieces.items() if p.kind == "puck" and p.colour == colour),
            key=lambda name: int(name.rsplit("-", 1)[1]),
        )

    def open(self, breaker: str = "S") -> "Table":
        """Lot, break choice and a good rack; the breaker is aiming."""
        self.say("lot", breaker)
        self.say("break", breaker)
        return self.rack()

    def rack(self) -> "Table":
        n = self.state.terms.rows
        red, blue = ("red", n[0]), ("blue", n[1])
        rows = (
            {"S": blue, "N": blue, "E": red, "W": red}
            if self.state.terms.four
            else {"S": red, "N": blue}
        )
        self.pieces = rack(rows, self.state.terms.options.queen == "on")
        if self.state.terms.options.central_shape == "circle":
            self._bend()
        self.settle()
        assert self.state.phase is Phase.AIMING, [r.words for r in self.told]
        return self

    def _bend(self) -> None:
        """Bend two straight rows of touching pucks to arcs of radius 120 about the centre."""
        for name, piece in self.pieces.items():
            if piece.kind == "puck":
                turn = 2 * asin(12.5 / 120.0) * piece.at.x_mm / 25.0
                y = 120.0 * cos(turn) * (1 if piece.at.y_mm > 0 else -1)
                self.put(name, 120.0 * sin(turn), y)

    def home(self, x: float | None = None, y: float | None = None) -> None:
        """Drag the cue-puck into the Home Zone of whoever shoots."""
        at = HOME[self.state.shooter]
        self.put("cue-puck", at.x_mm if x is None else x, at.y_mm if y is None else y)

    # -- shots -----------------------------------------------------------------------------------

    def shot(
        self,
        hit: str | None = None,
        *,
        drops: Sequence[str | Sequence[str]] = (),
        off: Sequence[str] = (),
        cue: str = "stays",
        borders: str = "",
        at: Spot | None = None,
        error_mm: float = 0.0,
        path: Sequence[Spot] | None = None,
        moves: Mapping[str, Spot] | None = None,
        more: Iterable[Fact] = (),
        by: Seat | None = None,
        speed_mm_s: float = 2000.0,
        gone: Sequence[str] = (),
    ) -> tuple[Ruling, ...]:
        """Play one shot and let it settle.

        `drops` fall in order (those in one inner list at the same time), then `off` leave in order
        (a name before "/" in `gone` order: use `gone` for one order of both, "-" before those that
        leave over the border). `cue` is "stays", "falls" or "off".
        """
        shooter = self.state.shooter
        start = Point(*at) if at else HOME[shooter]
        self.put("cue-puck", start.x_mm, start.y_mm)
        self.tell(
            Struck(
                at_ms=self.tick(),
                piece="cue-puck",
                at=start,
                error_mm=error_mm,
                by=by,
                speed_mm_s=speed_mm_s,
            )
        )
        for border in borders:
            self.tell(Cushioned(at_ms=self.tick(), piece="cue-puck", border=Seat(border)))
        if hit:
            self.tell(Contacted(at_ms=self.tick(), a="cue-puck", b=hit, at=self.pieces[hit].at))
        way = path if path is not None else ((start.x_mm * 0.5, 0.0), (30.0, 300.0))
        points = (start, *(Point(*p) for p in way))
        self.tell(Travelled(at_ms=self.tick(), piece="cue-puck", path=points, error_mm=error_mm))
        self.tell(*more)
        for name, (x, y) in (moves or {}).items():
            self.put(name, x, y)
        for group in drops:
            at_ms = self.tick()
            for name in [group] if isinstance(group, str) else group:
                self._drop(name, at_ms)
        for name in off:
            self._leave(name, self.tick())
        for name in gone:
            if name.startswith("-"):
                self._leave(name[1:], self.tick())
            else:
                self._drop(name, self.tick())
        if cue == "falls":
            self._drop("cue-puck", self.tick())
        elif cue == "off":
            self._leave("cue-puck", self.tick())
        else:
            self.put("cue-puck", points[-1].x_mm, points[-1].y_mm)
        return self.settle()

    def _drop(self, name: str, at_ms: float) -> None:
        name, _, pocket = name.partition("@")
        self.tell(Pocketed(at_ms=at_ms, piece=name, pocket=pocket or "NE"))
        self.pieces.pop(name, None)

    def _leave(self, name: str, at_ms: float) -> None:
        self.tell(LeftBoard(at_ms=at_ms, piece=name))
        self.pieces.pop(name, None)

    def hand(self, side: Seat | None, depth_mm: float = 40.0) -> tuple[Ruling, ...]:
        entered = self.tell(HandEntered(at_ms=self.tick(), side=side, depth_mm=depth_mm))
        return entered + self.tell(HandLeft(at_ms=self.tick(), side=side, depth_mm=depth_mm))

    def moved(self, name: str, x: float, y: float, by: Seat | None = None) -> tuple[Ruling, ...]:
        before = self.pieces[name].at
        self.put(name, x, y)
        return self.tell(
            Moved(at_ms=self.tick(), piece=name, before=before, after=Point(x, y), by=by)
        )

    def serve(self) -> tuple[Ruling, ...]:
        """Put back by hand what the referee's tasks ask for, and let the table settle."""
        for errand in self.state.errands:
            if errand.kind == "cue-puck":
                self.home()
                continue
            assert errand.at is not None
            name = errand.piece or self._spare(errand.kind, errand.colour)
            self.pieces.pop(name, None)
            self.put(name, errand.at.x_mm, errand.at.y_mm)
            self.tell(Placed(at_ms=self.tick(), piece=self.pieces[name]))
        return self.settle()

    def _spare(self, kind: str, colour: str) -> str:
        if kind == "queen":
            return "queen"
        number = 1
        while f"{colour}-{number}" in self.pieces:
            number += 1
        return f"{colour}-{number}"

    # -- positions -------------------------------------------------------------------------------

    def reach(self, blue: int, red: int, *, spread: bool = True) -> "Table":
        """Play legal shots until so many blue and red pucks are down, S to shoot, all live."""
        if spread:
            for name, (x, y) in zip(self.lying("blue") + self.lying("red"), SPREAD, strict=False):
                self.put(name, x, y)
        first_blue = self.lying("blue")[0]
        if blue or red:
            self._pocket("blue", blue, first_blue)
        if red:
            if self.state.shooter is Seat.S:
                self._pass()
            self._pocket("red", red, self.lying("red")[0])
        while self.state.shooter is not Seat.S:
            self._pass()
        self.hush()
        return self

    def _pocket(self, colour: str, count: int, hit: str) -> None:
        names = self.lying(colour)[-count:] if count else []
        if names:
            self.shot(hit, drops=names)
            assert self.state.phase is Phase.AIMING

    def _pass(self) -> None:
        """A legal shot of whoever is due that pockets nothing."""
        side = self.state.side
        target = self.state.terms.colours[1 - side]
        names = self.lying(target)
        self.shot(names[0] if names else "queen")

    # -- reading the state -----------------------------------------------------------------------

    def count(self, colour: str) -> str:
        return str(self.state.tally.counts[self.state.terms.colours.index(colour)])

    def debt(self, side: str = "S") -> list[str]:
        return list(self.state.tally.debts[self.state.terms.sides.index(side)])

    def codes(self) -> set[str]:
        return {r.code for r in self.told}

    def faults(self) -> set[str]:
        """Return the codes of what was done wrong, without what merely follows from it."""
        return {
            r.code
            for r in self.told
            if r.kind in (RulingKind.FOUL, RulingKind.PENALTY)
            and r.code not in {"QS-8a.5", "QS-8a.6", "QS-8.2", "QS-8.3", "QS-9.7"}
        }

    def spots(self) -> list[tuple[str, float, float]]:
        """Return what must be put where, in order: colour (or kind), x, y to a tenth."""
        return [
            (e.colour if e.kind == "puck" else e.kind, round(e.at.x_mm, 1), round(e.at.y_mm, 1))
            for e in self.state.errands
            if e.at is not None
        ]
