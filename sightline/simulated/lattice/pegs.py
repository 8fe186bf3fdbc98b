"""King Square at the simulated table: who puts a peg where, slips and all."""

from dataclasses import dataclass
from typing import Any

from rules.board import Board, Lattice
from rules.game import Player, Setup
from rules.geometry import Seat
from rules.rulings import Scoreboard
from sightline.simulated.lattice.company import NAMES, Company
from sightline.simulated.lattice.slips import PegSlips
from sightline.simulated.lattice.visit import Deed
from sightline.simulated.pieces import Lying
from sightline.simulated.playing import Truly
from sightline.simulated.referee import Referee
from sightline.simulated.stage import Stage

Hole = tuple[int, int]
OVERLOOKED = 0.2
HANDFUL = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class PegAgreement:
    """What the players of King Square agree on: two or four of them, and how many squares win."""

    seats: tuple[Seat, ...] = (Seat.S, Seat.N)
    target: int = 5
    options: tuple[tuple[str, str], ...] = ()
    game: str = "king_square"

    def setup(self, board: Board) -> Setup:
        colours = [spec.colour for spec in board.pieces if spec.kind == "peg"]
        return Setup(
            game=self.game,
            board=board,
            players=tuple(
                Player(seat=seat, name=NAMES[seat], colour=colours[k % 2])
                for k, seat in enumerate(self.seats)
            ),
            options={"target": str(self.target), **dict(self.options)},
        )

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> "PegPlayers":
        """Those who play it; `habits` are their `slips`."""
        return PegPlayers(stage, referee, seats=self.seats, seed=seed, truly=truly, **habits)


class PegPlayers(Company):
    """They complete a square where they see one, hinder the other side, else build."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        seats: tuple[Seat, ...],
        seed: int = 0,
        truly: Truly | None = None,
        slips: PegSlips | None = None,
    ) -> None:
        super().__init__(stage, referee, seats=seats, seed=f"pegs {seed}", truly=truly)
        self.slips = PegSlips() if slips is None else slips
        lattice = next(lattice for lattice in stage.board.lattices if lattice.id == "holes")
        self._holes = [(c, r) for c in range(lattice.cols) for r in range(lattice.rows)]
        self._squares = _squares(lattice)
        self._begun = False

    def _move(self, board: Scoreboard) -> None:
        match board.phase:
            case "king" | "void":
                self._clear(board)
            case "choose":
                self._declare(board, "begin")
            case "board":
                if not self._begun:
                    self._begun = True
                    offers = [a for a in board.announcements if a.what == "begin"]
                    if offers:
                        self._say(self.draw.choice(offers))
                        return
                self._turn(board)
            case _:
                pass

    def _turn(self, board: Scoreboard) -> None:
        seat = self.seat_on_turn(board)
        self.shots += 1
        match self.slips.draw(self.draw) if self._free > 1 else "":
            case "wrong_player":
                self._play(board, self.idle(seat))
            case "wrong_colour":
                other = self.side_at(board, self.after(seat)).colour
                self.put(seat, self._choice(other), "peg", other)
            case "two_pegs":
                self._play(board, seat, times=2)
            case "both_sides":
                self._play(board, seat, times=1, also=self.after(seat))
            case "moved" if self._pegs:
                self._shift(seat)
            case "taken_out" if self._pegs:
                self.visit(seat, [Deed(piece=self.draw.choice(self._pegs), brings=False)])
            case "touched" if self._pegs:
                peg = self.draw.choice(self._pegs)
                back = self.new(peg.place, peg.spec)
                deeds = [Deed(piece=peg, brings=False), Deed(piece=back, brings=True)]
                self.visit(seat, deeds)
            case "reached_over":
                self._reach(seat)
            case "swept" if len(self._pegs) > 6:
                deeds = [Deed(piece=peg, brings=False) for peg in self._along(self._pegs)]
                self.visit(seat, deeds, hurried=True)
            case _:
                self._play(board, seat)

    def _play(
        self, board: Scoreboard, seat: Seat, *, times: int = 1, also: Seat | None = None
    ) -> None:
        """A hand plays for its own side, maybe more than once, maybe for another seat as well."""
        if not self._free:
            return
        deeds: list[Deed] = []
        taken: set[Hole] = set()
        for who in [seat] * times + ([also] if also else []):
            colour = self.side_at(board, who).colour
            place = self._choice(colour, taken)
            taken.add(_hole(place))
            piece = self.new(place, self.stage.board.piece("peg", colour))
            deeds.append(Deed(piece=piece, brings=True))
        self.visit(seat, deeds)

    def _while_wrong(self, board: Scoreboard) -> bool:
        if self._same or self.draw.random() >= self.slips.plays_on:
            return False
        self._play(board, self.draw.choice(self.seats))
        return True

    def _shift(self, seat: Seat) -> None:
        peg = self.draw.choice(self._pegs)
        to = self.new(self._choice(peg.spec.colour), peg.spec)
        self.visit(seat, [Deed(piece=peg, brings=False), Deed(piece=to, brings=True)])

    def _reach(self, seat: Seat) -> None:
        """A peg is held over a hole and put into another one after all."""
        colour = self.draw.choice([p.spec for p in self._pegs] or list(self.stage.board.pieces))
        first = self.new(self._choice(colour.colour), colour)
        self.visit(
            seat, [Deed(piece=first, brings=True), Deed(piece=first, brings=False)], hurried=True
        )

    def _clear(self, board: Scoreboard) -> None:
        """The field is cleared, some handfuls after each other, or all at once."""
        if not self._same and self.draw.random() < self.slips.plays_on:
            self._play(board, self.draw.choice(self.seats))
            return
        seat = self.draw.choice(self.seats)
        deeds: list[Deed] = []
        all_at_once = self.draw.random() < 0.4
        pegs = self._along(self._pegs)
        for peg in pegs if all_at_once else pegs[:HANDFUL]:
            deeds.append(Deed(piece=peg, brings=False))
        if deeds:
            self.visit(seat, deeds, hurried=True)

    @property
    def _free(self) -> int:
        """How many holes are free."""
        return len(self._holes) - len(self._pegs)

    @property
    def _pegs(self) -> list[Lying]:
        return [p for p in self.stage.lying if p.place]

    def _along(self, pegs: list[Lying]) -> list[Lying]:
        """The pegs in the order in which a hand passes over them, to and fro."""
        rows: dict[int, list[Lying]] = {}
        for peg in pegs:
            rows.setdefault(_hole(peg.place)[1], []).append(peg)
        way = []
        for turn, row in enumerate(sorted(rows)):
            way += sorted(rows[row], key=lambda p: p.x_mm, reverse=turn % 2 == 1)
        return way

    def _choice(self, colour: str, taken: set[Hole] | None = None) -> str:
        """The place of the best free hole for a side, as far as its player sees."""
        owner = {_hole(p.place): p.spec.colour for p in self._pegs}
        gone = owner.keys() | (taken or set())
        worth = {hole: self.draw.random() for hole in self._holes if hole not in gone}
        if not worth:
            raise LookupError("no hole is free")
        for square in self._squares:
            colours = [owner[hole] for hole in square if hole in owner]
            if not colours or len(set(colours)) > 1 or self.draw.random() < OVERLOOKED:
                continue
            mine, count = colours[0] == colour, len(colours)
            gain = {1: 0.2, 2: 1.6 if mine else 0.8, 3: 90.0 if mine else 30.0}[min(count, 3)]
            for hole in square:
                if hole in worth:
                    worth[hole] += gain
        col, row = max(worth, key=worth.__getitem__)
        return f"holes:{col},{row}"


def _hole(place: str) -> Hole:
    col, _, row = place.removeprefix("holes:").partition(",")
    return int(col), int(row)


def _squares(lattice: Lattice) -> list[tuple[Hole, Hole, Hole, Hole]]:
    return [
        ((c, r), (c + side, r), (c + side, r + side), (c, r + side))
        for side in range(1, min(lattice.cols, lattice.rows))
        for c in range(lattice.cols - side)
        for r in range(lattice.rows - side)
    ]
