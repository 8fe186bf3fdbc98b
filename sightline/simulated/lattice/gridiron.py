"""Quarterback at the simulated table: who moves what where, passes, pushes, tackles, slips."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.board import Board
from rules.game import Player, Setup
from rules.geometry import Seat
from rules.rulings import Scoreboard, SideScore
from sightline.simulated.lattice.company import NAMES, Company
from sightline.simulated.lattice.slips import FieldSlips
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.pieces import Lying
from sightline.simulated.playing import Truly
from sightline.simulated.referee import Referee
from sightline.simulated.stage import Stage

Square = tuple[int, int]  # column and row of the lattice, from 0
SEATS = (Seat.S, Seat.N)
KINDS = {"q": "quarterback", "s": "single", "d": "double", "t": "triple"}
REACH = {"single": 1, "double": 2, "triple": 3, "quarterback": 3}
SET_OUT = (
    "...........", "...........", "...........", "...........", ".....t.....", "...........",
    "...........", ".....t.....", "..t.....t..", "...........", "...........", ".d.dsssd.d.",
    "T..DSSSD..T", "..T..Q..T..", ".....D.....", "...........",
)  # fmt: skip
"""How both sides set out, from row 12 down; capitals attack."""
TRIES = 60
PASSES = 0.3
ENDS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldAgreement:
    """What two players of Quarterback agree on."""

    seats: tuple[Seat, ...] = SEATS
    options: tuple[tuple[str, str], ...] = ()
    game: str = "quarterback"

    def setup(self, board: Board) -> Setup:
        colours = list(dict.fromkeys(s.colour for s in board.pieces if s.kind == "single"))
        return Setup(
            game=self.game,
            board=board,
            players=tuple(
                Player(seat=seat, name=NAMES[seat], colour=colour)
                for seat, colour in zip(SEATS, colours, strict=False)
            ),
            options=dict(self.options),
        )

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> "FieldPlayers":
        """Those who play it; `habits` are their `slips`."""
        return FieldPlayers(stage, referee, seed=seed, truly=truly, **habits)


class FieldPlayers(Company):
    """The attacker carries and passes the ball up the field, the defender goes for the carrier."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        seed: int = 0,
        truly: Truly | None = None,
        slips: FieldSlips | None = None,
    ) -> None:
        super().__init__(stage, referee, seats=SEATS, seed=f"field {seed}", truly=truly)
        self.slips = FieldSlips() if slips is None else slips
        cells = next(lattice for lattice in stage.board.lattices if lattice.id == "cells")
        self._cols, self._rows = cells.cols, cells.rows
        self._tossed = False

    def _move(self, board: Scoreboard) -> None:
        match board.phase:
            case "set-up":
                self._prepare(board)
            case "push":
                self.obey(board.tasks)
            case "play":
                self._turn(board)
            case _:
                pass

    # between halves

    def _prepare(self, board: Scoreboard) -> None:
        """The toss; then what lies there is gathered, and both sides set out."""
        coin = [a for a in board.announcements if a.what == "coin"]
        if coin and not self._tossed:
            self._tossed = True
            self._say(self.draw.choice(coin))
            return
        if self.stage.lying and not self._set_out_of(board):
            deeds = [Deed(piece=p, brings=False) for p in self._along(self.stage.lying)]
            self.visit(self.draw.choice(SEATS), deeds, hurried=True)
            return
        self._set_out(board)

    def _set_out_of(self, board: Scoreboard) -> bool:
        """Whether what lies there is a part of the set-up that is due."""
        due = self._due(board)
        return all(due.get(_square(p.place)) == (p.spec.kind, p.spec.colour) for p in self._pieces)

    def _set_out(self, board: Scoreboard) -> None:
        """One side sets out its pieces, the attacker first."""
        attacker = self._attacker(board)
        defender = next(side for side in board.sides if side is not attacker)
        for side in (attacker, defender):
            seat = side.seats[0] if side.seats else self.seats[0]
            deeds = []
            for square, (kind, own) in self._due(board).items():
                if own == side.colour and self.on(_place(square)) is None:
                    spec = self.stage.board.piece(kind, own)
                    deeds.append(Deed(piece=self.new(_place(square), spec), brings=True))
            if deeds:
                self.visit(seat, deeds, hurried=True)
                return

    def _attacker(self, board: Scoreboard) -> SideScore:
        """The side that attacks next, as the referee says."""
        return next(
            (s for s in board.sides if f"{s.name} attacks" in board.headline), board.sides[0]
        )

    def _due(self, board: Scoreboard) -> dict[Square, tuple[str, str]]:
        """What stands where at the start of the half that comes."""
        attacker = self._attacker(board)
        defender = next(side for side in board.sides if side is not attacker)
        due = {}
        for up, row in enumerate(reversed(SET_OUT)):
            for col, letter in enumerate(row):
                if letter != ".":
                    side = attacker if letter.isupper() else defender
                    due[(col, up)] = (KINDS[letter.lower()], side.colour)
        return due

    # a turn

    def _turn(self, board: Scoreboard) -> None:
        seat = self.seat_on_turn(board)
        attacks = self._attacks(board, seat)
        offers = {a.what for a in board.announcements}
        if "stall" in offers:
            self._declare(board, "stall")
            return
        if "end" in offers and self.draw.random() < ENDS:
            self._declare(board, "end")
            return
        slip = self.slips.draw(self.draw)
        self.shots += 1
        match slip:
            case "wrong_player":
                self._slip(board, self.idle(seat))
            case "too_far":
                self._slip(board, seat)
            case "taken_off" if self._pieces:
                self.visit(seat, [Deed(piece=self.draw.choice(self._pieces), brings=False)])
            case "touched" if self._pieces:
                piece = self.draw.choice(self._pieces)
                back = self.new(piece.place, piece.spec)
                self.visit(seat, [Deed(piece=piece, brings=False), Deed(piece=back, brings=True)])
            case _:
                passes = attacks and "pass" in offers and self.draw.random() < PASSES
                if passes and self._pass(board):
                    return
                if not self._advance(board, seat) and not self._declare(board, "end"):
                    self._declare(board, "concede")

    def _pass(self, board: Scoreboard) -> bool:
        """The carrier passes to a team-mate, the farther up the field the rather."""
        offers = [a for a in board.announcements if a.what == "pass"]
        if not offers:
            return False
        self.draw.shuffle(offers)
        self._say(max(offers, key=lambda a: _row_said(a.value) + 4 * self.draw.random()))
        return True

    def _advance(self, board: Scoreboard, seat: Seat) -> bool:
        """Makes the most promising legal move of some that come to mind; False: none does."""
        for _, piece, to in self._ideas(board, seat)[:TRIES]:
            deeds = self._deeds(piece, to)
            if self._is_legal(deeds, seat):
                self.visit(seat, deeds)
                return True
        return False

    def _slip(self, board: Scoreboard, seat: Seat) -> None:
        """A move that the rules may well not allow."""
        own = self._of(board, seat)
        if not own:
            return
        piece = self.draw.choice(own)
        free = [s for s in self._around(piece, 5) if self.on(_place(s)) is None]
        if free:
            self.visit(seat, self._deeds(piece, self.draw.choice(free)))

    def _ideas(self, board: Scoreboard, seat: Seat) -> list[tuple[float, Lying, Square]]:
        """Moves worth a thought, the best first."""
        ball = next((_square(m.places[0]) for m in board.marks if m.kind == "ball"), None)
        attacks = self._attacks(board, seat)
        ideas = []
        for piece in self._of(board, seat):
            here = _square(piece.place)
            for to in self._around(piece, REACH.get(piece.spec.kind, 1)):
                worth = 2.0 * self.draw.random()
                if attacks and here == ball:
                    worth += 1.5 * (to[1] - here[1]) - 2.5 * self._threats(board, seat, to)
                elif attacks:
                    worth += 0.6 * (to[1] - here[1])
                elif ball is not None:
                    worth += _far(here, ball) - _far(to, ball) + (20.0 if to == ball else 0.0)
                ideas.append((worth, piece, to))
        return sorted(ideas, key=lambda idea: -idea[0])

    def _attacks(self, board: Scoreboard, seat: Seat) -> bool:
        return dict(self.side_at(board, seat).items).get("role") == "attacker"

    def _threats(self, board: Scoreboard, seat: Seat, square: Square) -> int:
        """How many opponents can come to a square in one move, as far as a look tells."""
        return sum(
            _far(square, _square(p.place)) <= REACH.get(p.spec.kind, 1)
            for p in self._of(board, self.idle(seat))
        )

    def _around(self, piece: Lying, reach: int) -> list[Square]:
        c, r = _square(piece.place)
        return [
            (x, y)
            for x in range(max(0, c - reach), min(self._cols, c + reach + 1))
            for y in range(max(0, r - reach), min(self._rows, r + reach + 1))
            if (x, y) != (c, r)
        ]

    def _deeds(self, piece: Lying, to: Square) -> Sequence[Deed]:
        below = self.on(_place(to))
        moved = self.new(_place(to), piece.spec, below)
        return [Deed(piece=piece, brings=False), Deed(piece=moved, brings=True)]

    def _is_legal(self, deeds: Sequence[Deed], seat: Seat) -> bool:
        """Whether the referee would let this pass: the players know their rules."""
        act = Visit(before=self.stage.lying, deeds=deeds, by=seat, board=self.stage.board)
        said = [ruling for fact in act.told() for ruling in self.referee.would(fact)]
        calls = [ruling.call.partition(" ")[0] for ruling in said]
        return "OK" in calls and not {"FOUL", "HOLD", "REFUSED"} & set(calls)

    def _of(self, board: Scoreboard, seat: Seat) -> list[Lying]:
        """The pieces of the side that plays from a seat."""
        colour = self.side_at(board, seat).colour
        return [p for p in self._pieces if p.spec.colour == colour]

    @property
    def _pieces(self) -> list[Lying]:
        return [p for p in self.stage.lying if p.place and p.spec.kind != "ball"]

    def _along(self, pieces: Sequence[Lying]) -> list[Lying]:
        return sorted(pieces, key=lambda p: (p.y_mm // 80, p.x_mm))


def _far(a: Square, b: Square) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _place(square: Square) -> str:
    return f"cells:{square[0]},{square[1]}"


def _square(place: str) -> Square:
    col, _, row = place.removeprefix("cells:").partition(",")
    return int(col), int(row)


def _row_said(value: str) -> int:
    """The row of a pass as it is announced, "fu1>d4"; 0 behind the line."""
    to = value.partition(">")[2]
    return int(to[1:]) if to[1:].isdigit() else 0
