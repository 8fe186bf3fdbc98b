"""People at a lattice board: what all such games have in common.

They play by what the referee says: whose turn it is, and what is to be put right. What they know
for themselves is the table before them.
"""

import random
from abc import abstractmethod
from collections.abc import Iterable, Sequence

from rules.board import PieceSpec, Shape
from rules.facts import Batch, Cleared, Emptied, Filled
from rules.geometry import Seat
from rules.rulings import Scoreboard, SideScore, Task
from sightline.simulated.lattice.visit import Deed, Visit
from sightline.simulated.pieces import Lying
from sightline.simulated.playing import Host, Truly
from sightline.simulated.referee import Referee
from sightline.simulated.stage import Stage

NAMES = {Seat.S: "Ada", Seat.W: "Bruno", Seat.N: "Chika", Seat.E: "Dmitri"}
CHANGES = (Filled, Emptied, Cleared, Batch)
SEEN_EARLY_MS = 500.0
HANDFUL = 12
PATIENCE = 6
SPREAD_MM = {Shape.PEG: 0.12, Shape.STICK: 0.5}
LOOSE_MM = 1.2


class Company(Host):
    """The players of a lattice game; a game chooses their moves in `_move`."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        seats: Sequence[Seat],
        seed: str,
        truly: Truly | None = None,
    ) -> None:
        super().__init__(stage, referee, truly=truly)
        self.seats = tuple(seats)
        self.draw = random.Random(seed)
        self._named = 0
        self._due_ms = -1.0
        self._last: object = None
        self._same = 0

    def tally(self) -> str:
        return f"{self.shots} moves"

    # what a game adds

    @abstractmethod
    def _move(self, board: Scoreboard) -> None:
        """Makes a move where nothing is to be put right."""

    def _while_wrong(self, board: Scoreboard) -> bool:
        """Does something else although something is to be put right; False: nothing."""
        return False

    # going on

    def _seen_all(self) -> bool:
        return self.referee.changed_ms() >= self._due_ms

    def _act(self, board: Scoreboard) -> None:
        told = (board.phase, board.turn, board.seat, board.tasks, len(self.stage.lying))
        self._same = self._same + 1 if told == self._last else 0
        self._last = told
        if board.phase == "foul":
            # a referee that sees the table otherwise than it is cannot be obeyed for ever
            if self._same < PATIENCE and not self._while_wrong(board):
                self.obey(board.tasks)
            return
        self._move(board)

    def obey(self, tasks: Iterable[Task]) -> None:
        """Does what the referee asks for, a handful at a time."""
        deeds = []
        for task in list(tasks)[:HANDFUL]:
            if task.away:
                there = self.on(task.place, task.kind, task.colour)
                deeds += [Deed(piece=there, brings=False)] if there else []
            elif task.place and task.kind and not self.on(task.place, task.kind, task.colour):
                deeds.append(Deed(piece=self.new(task.place, self.spec(task)), brings=True))
        if deeds:
            self.visit(self.draw.choice(self.seats), deeds, hurried=len(deeds) > 3)

    def spec(self, task: Task) -> PieceSpec:
        """The kind of piece that a task asks for; KeyError where the board has none."""
        if task.colour:
            return self.stage.board.piece(task.kind, task.colour)
        return next(s for s in self.stage.board.pieces if s.kind == task.kind)

    # hands

    def visit(self, seat: Seat, deeds: Sequence[Deed], *, hurried: bool = False) -> None:
        """A hand from `seat` does all that; what came of it the referee has yet to see."""
        act = Visit(
            before=self.stage.lying,
            deeds=deeds,
            by=seat,
            board=self.stage.board,
            hurried=hurried,
        )
        self.stage.add(act)
        changed = [fact.at_ms for fact in self.stage.truth[-3:] if isinstance(fact, CHANGES)]
        if act.changes() and changed:
            self._due_ms = changed[-1] - SEEN_EARLY_MS

    def put(self, seat: Seat, place: str, kind: str, colour: str) -> None:
        """A hand puts a new piece on a place."""
        piece = self.new(place, self.stage.board.piece(kind, colour))
        self.visit(seat, [Deed(piece=piece, brings=True)])

    def on(self, place: str, kind: str = "", colour: str = "") -> Lying | None:
        """What stands on a place, the topmost; None where nothing (of that kind) does."""
        for piece in reversed(self.stage.lying):
            fits = kind in ("", piece.spec.kind) and colour in ("", piece.spec.colour)
            if piece.place == place and fits:
                return piece
        return None

    def new(self, place: str, spec: PieceSpec, below: Lying | None = None) -> Lying:
        """A further piece, as exactly on a place as hands set it; ValueError: no such place."""
        at = self.stage.board.at(place)
        if at is None:
            raise ValueError(f"expected a place of {self.stage.board.name}, got {place!r}")
        self._named += 1
        upright = place.startswith("edges:v:")
        spread = SPREAD_MM.get(spec.shape, LOOSE_MM)
        along, aside = self.draw.gauss(0, spread), self.draw.gauss(0, spread)
        turn = 90.0 if upright else 0.0
        if spec.shape is Shape.STICK:
            aside *= 0.2  # the groove holds it
        elif spec.shape is Shape.SQUARE:
            turn = self.draw.gauss(0, 5.0)
        return Lying(
            name=f"{spec.kind}-{self._named}",
            spec=spec,
            x_mm=at.x_mm + (aside if upright else along),
            y_mm=at.y_mm + (along if upright else aside),
            place=place,
            turn_deg=turn,
            lift_mm=0.0 if below is None else below.lift_mm + below.spec.thickness_mm,
        )

    # who is who

    def seat_on_turn(self, board: Scoreboard) -> Seat:
        """Where the player sits whose turn the referee says it is."""
        return self.seats[0] if board.seat is None else board.seat

    def side_at(self, board: Scoreboard, seat: Seat) -> SideScore:
        """The side that plays from a seat; LookupError where none does."""
        for side in board.sides:
            if seat in side.seats:
                return side
        raise LookupError(f"nobody plays from seat {seat}")

    def after(self, seat: Seat) -> Seat:
        """The seat that follows in turn."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def idle(self, seat: Seat) -> Seat:
        """Somebody else at the table."""
        return self.draw.choice([other for other in self.seats if other is not seat])
