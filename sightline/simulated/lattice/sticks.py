"""Squarin' Off at the simulated table: who lays which stick, chips and blockers, slips and all."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from rules.board import Board, PieceSpec
from rules.game import Player, Setup
from rules.geometry import Seat
from rules.rulings import Scoreboard
from sightline.simulated.lattice.company import NAMES, Company
from sightline.simulated.lattice.slips import StickSlips
from sightline.simulated.lattice.visit import Deed
from sightline.simulated.pieces import Lying
from sightline.simulated.playing import Truly
from sightline.simulated.referee import Referee
from sightline.simulated.stage import Stage

Cell = tuple[int, int]
COLOURS = ("black", "white", "blue", "yellow")
OVERLOOKED = 0.12
BLOCKS = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class StickAgreement:
    """What the players of Squarin' Off agree on: two to four of them."""

    seats: tuple[Seat, ...] = (Seat.S, Seat.N)
    options: tuple[tuple[str, str], ...] = ()
    game: str = "squarin_off"

    def setup(self, board: Board) -> Setup:
        have = [spec.colour for spec in board.pieces if spec.kind == "chip"]
        colours = [c for c in COLOURS if c in have] + [c for c in have if c not in COLOURS]
        return Setup(
            game=self.game,
            board=board,
            players=tuple(
                Player(seat=seat, name=NAMES[seat], colour=colour)
                for seat, colour in zip(self.seats, colours, strict=False)
            ),
            options=dict(self.options),
        )

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> "StickPlayers":
        """Those who play it; `habits` are their `slips`."""
        return StickPlayers(stage, referee, seats=self.seats, seed=seed, truly=truly, **habits)


class StickPlayers(Company):
    """They close a square where they see one, and lay no third stick while they can help it."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        seats: tuple[Seat, ...],
        seed: int = 0,
        truly: Truly | None = None,
        slips: StickSlips | None = None,
    ) -> None:
        super().__init__(stage, referee, seats=seats, seed=f"sticks {seed}", truly=truly)
        self.slips = StickSlips() if slips is None else slips
        cells = next(lattice for lattice in stage.board.lattices if lattice.id == "cells")
        self._cells = [(c, r) for c in range(cells.cols) for r in range(cells.rows)]
        self._beside: dict[str, list[Cell]] = {}
        for cell in self._cells:
            for edge in edges_of(cell):
                self._beside.setdefault(edge, []).append(cell)
        self._drew = False

    def _move(self, board: Scoreboard) -> None:
        if not self._drew:
            self._drew = True
            offers = [a for a in board.announcements if a.what == "draw"]
            if offers:
                self._say(self.draw.choice(offers))
                return
        if board.tasks and self.draw.random() >= self.slips.late_chip:
            self._chip(board)
            return
        seat = self.seat_on_turn(board)
        self.shots += 1
        match self.slips.draw(self.draw) if self._free else "":
            case "wrong_player":
                self._lay(board, self.idle(seat))
            case "two_sticks":
                self._lay(board, seat, times=2)
            case "moved" if self._sticks:
                stick = self.draw.choice(self._sticks)
                to = self.new(self._choice(), stick.spec)
                self.visit(seat, [Deed(piece=stick, brings=False), Deed(piece=to, brings=True)])
            case "taken_out" if self.stage.lying:
                piece = self.draw.choice(self.stage.lying)
                self.visit(seat, [Deed(piece=piece, brings=False)])
            case "touched" if self._sticks:
                stick = self.draw.choice(self._sticks)
                back = self.new(stick.place, stick.spec)
                self.visit(seat, [Deed(piece=stick, brings=False), Deed(piece=back, brings=True)])
            case "reached_over":
                stick = self.new(self._choice(), self._stick)
                deeds = [Deed(piece=stick, brings=True), Deed(piece=stick, brings=False)]
                self.visit(seat, deeds, hurried=True)
            case "bad_blocker":
                self._block(seat, well=False)
            case _:
                blocks = board.phase == "play" and self.draw.random() < BLOCKS
                if not (blocks and self._blockers_left(board, seat) and self._block(seat)):
                    self._lay(board, seat)

    def _chip(self, board: Scoreboard) -> None:
        """Lays the chips that are due; now and then one of the wrong colour."""
        deeds: list[Deed] = []
        for task in board.tasks:
            if self.on(task.place) is not None:
                continue
            spec = self.spec(task)
            if self.draw.random() < self.slips.wrong_chip:
                chips = [s for s in self.stage.board.pieces if s.kind == "chip"]
                spec = self.draw.choice(chips)
            deeds.append(Deed(piece=self.new(task.place, spec), brings=True))
        if deeds:
            self.visit(self._owner(board, board.tasks[0].colour), deeds)

    def _owner(self, board: Scoreboard, colour: str) -> Seat:
        found = [side.seats[0] for side in board.sides if side.colour == colour and side.seats]
        return found[0] if found else self.seat_on_turn(board)

    def _while_wrong(self, board: Scoreboard) -> bool:
        if self._same or self.draw.random() >= self.slips.plays_on:
            return False
        self._lay(board, self.draw.choice(self.seats))
        return True

    def _lay(self, board: Scoreboard, seat: Seat, *, times: int = 1) -> None:
        """A hand lays a stick, maybe a second one, maybe the chips that the first one earns."""
        if not self._free:
            return
        deeds: list[Deed] = []
        laid: set[str] = set()
        owed = {mark.places[0] for mark in board.marks if mark.kind == "owed"}
        for _ in range(min(times, self._free)):
            place = self._choice(laid, owed)
            laid.add(place)
            deeds.append(Deed(piece=self.new(place, self._stick), brings=True))
        if times == 1 and self.draw.random() < self.slips.stick_and_chip:
            colour = self.side_at(board, seat).colour
            chip = self.stage.board.piece("chip", colour)
            deeds += [
                Deed(piece=self.new(_cell_place(cell), chip), brings=True)
                for cell in self._beside[place]
                if self._gaps(cell, laid) == 0 and not self.on(_cell_place(cell))
            ]
        self.visit(seat, deeds)

    def _blockers_left(self, board: Scoreboard, seat: Seat) -> int:
        side = self.side_at(board, seat)
        left = dict(side.items)["blockers left"].split("+")
        return int(left[side.seats.index(seat) % len(left)])

    def _block(self, seat: Seat, *, well: bool = True) -> bool:
        """Sets a blocker, where that is allowed or where it is not; False: there is no place."""
        blocked = [_cell(p.place) for p in self.stage.lying if p.spec.kind == "blocker"]
        fit = []
        for cell in self._cells:
            near = any(abs(cell[0] - c) <= 1 and abs(cell[1] - r) <= 1 for c, r in blocked)
            free = self.on(_cell_place(cell)) is None
            if free and well == (not near and self._gaps(cell) > 0):
                fit.append(cell)
        if not fit:
            return False
        spec = next(s for s in self.stage.board.pieces if s.kind == "blocker")
        piece = self.new(_cell_place(self.draw.choice(fit)), spec)
        self.visit(seat, [Deed(piece=piece, brings=True)])
        return True

    @property
    def _stick(self) -> PieceSpec:
        return next(s for s in self.stage.board.pieces if s.kind == "stick")

    @property
    def _sticks(self) -> list[Lying]:
        return [p for p in self.stage.lying if p.spec.kind == "stick"]

    @property
    def _free(self) -> int:
        """How many grooves are free."""
        return len(self._beside) - len({p.place for p in self._sticks})

    def _gaps(self, cell: Cell, laid: set[str] | None = None) -> int:
        """How many sides of a square are free."""
        there = {p.place for p in self._sticks} | (laid or set())
        return sum(edge not in there for edge in edges_of(cell))

    def _choice(self, laid: Set[str] = frozenset(), owed: Set[str] = frozenset()) -> str:
        """The place of the best free groove, as far as its player sees; one of those owed first."""
        there = {p.place for p in self._sticks} | laid
        free = [edge for edge in self._beside if edge not in there]
        free = [edge for edge in free if edge in owed] or free
        if not free:
            raise LookupError("no groove is free")
        gaps = {cell: sum(e not in there for e in edges_of(cell)) for cell in self._cells}

        def worth(edge: str) -> float:
            value = self.draw.random()
            if self.draw.random() >= OVERLOOKED:
                value += sum({1: 10.0, 2: -4.0}.get(gaps[c], 0.0) for c in self._beside[edge])
            return value

        return max(free, key=worth)


def edges_of(cell: Cell) -> Iterator[str]:
    """The grooves around a square: south, north, west, east."""
    c, r = cell
    yield f"edges:h:{c},{r}"
    yield f"edges:h:{c},{r + 1}"
    yield f"edges:v:{c},{r}"
    yield f"edges:v:{c + 1},{r}"


def _cell_place(cell: Cell) -> str:
    return f"cells:{cell[0]},{cell[1]}"


def _cell(place: str) -> Cell:
    col, _, row = place.removeprefix("cells:").partition(",")
    return int(col), int(row)
