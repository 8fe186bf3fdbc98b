"""What everybody at the simulated Q-Square table has in common: seats, hands, and small moves."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from rules.board import Board
from rules.facts import Settled
from rules.geometry import Seat
from sightline.simulated.acts.act import Act, Pieces
from sightline.simulated.acts.at_once import AtOnce
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.acts.cue import Haul, Stroke
from sightline.simulated.discs import Surface
from sightline.simulated.hands import Spot
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, free_place
from sightline.simulated.players import Skill, home_box
from sightline.simulated.slips import Slips
from sightline.simulated.stage import Stage
from sightline.simulated.ways import way_around

CUE = "cue-puck"
AIM_S = 1.25
SETTLING_MS = 400.0
_AT_ONCE_S = (0.05, 0.9)  # after all lies still
_ADJUSTS_MM, _MOST_STOPS = (3.0, 40.0), 3


@dataclass(slots=True, kw_only=True)
class Floor:
    """The table with the people around it. `quiet_ms` is when the last act will have settled."""

    stage: Stage
    seats: tuple[Seat, ...]
    colours: Mapping[str, str]
    pucks: int
    queen: bool
    surface: Surface
    draw: random.Random
    skill: Skill
    slips: Slips
    fuss: random.Random
    quiet_ms: float = -1.0

    @property
    def board(self) -> Board:
        return self.stage.board

    def perform(self, act: Act) -> None:
        """Lets an act follow on the others, and notes when a witness can have seen it settle."""
        self.stage.add(act)
        settled = [fact.at_ms for fact in self.stage.truth[-3:] if isinstance(fact, Settled)]
        if settled:
            self.quiet_ms = settled[-1] - SETTLING_MS

    def carry(
        self,
        pieces: tuple[Lying, ...],
        seat: Seat,
        *,
        brings: bool,
        moves_from: Spot | None = None,
        more_follow: bool = False,
    ) -> None:
        """A hand brings, moves or takes away pieces."""
        act = Carry(
            before=self.stage.lying,
            pieces=pieces,
            by=seat,
            board=self.board,
            brings=brings,
            moves_from=moves_from,
        )
        self.perform(act.hurried() if more_follow else act)

    def haul(self, seat: Seat, cue: Lying, spot: Spot) -> bool:
        """The cue brings the cue-puck to a spot, round the other pieces; False where it cannot."""
        if hypot(cue.x_mm - spot[0], cue.y_mm - spot[1]) < 1.0:
            return True
        others = [p for p in self.stage.lying if p.name != CUE]
        start = (cue.x_mm, cue.y_mm)
        for gap_mm in (4.0, 0.3):
            way = way_around(self.board, start, spot, cue.radius_mm, others, self.draw, gap_mm)
            if way is not None:
                self.perform(Haul(before=self.stage.lying, piece=CUE, way=way, by=seat))
                return True
        return False

    def settle_at(self, seat: Seat, spot: Spot) -> None:
        """The cue brings the cue-puck to a spot, now and then by way of places close to it."""
        stops = [spot]
        while self.fuss.random() < self.slips.adjusts and len(stops) <= _MOST_STOPS:
            far, turn = self.fuss.uniform(*_ADJUSTS_MM), self.fuss.uniform(0, 2 * pi)
            stops.insert(0, (spot[0] + far * cos(turn), spot[1] + far * sin(turn)))
        for stop in stops:
            cue = self.stage.piece(CUE)
            others = [p for p in self.stage.lying if p.name != CUE]
            if cue is not None and (
                stop is spot or free_place(self.board, cue.spec, *stop, others, 2.0)
            ):
                self.haul(seat, cue, stop)

    def strike(
        self,
        seat: Seat,
        velocity: tuple[float, float],
        *,
        hops: Callable[[float], bool] = lambda speed: False,
    ) -> None:
        """The cue strikes the cue-puck where it lies, and all runs to its end.

        Now and then it brings the cue-puck home as soon as all lies still.
        """
        run = play(
            self.surface,
            [p.disc() for p in self.stage.lying],
            {CUE: velocity},
            start_s=AIM_S,
            hops=hops,
        )
        stroke = Stroke(before=self.stage.lying, run=run, struck=CUE, by=seat)
        hastens = self.fuss.random() < self.slips.hastens
        home = self._brought_home(stroke.after, seat) if hastens else None
        if home is None:
            self.perform(stroke)
            return
        then_s = run.rest_s + self.fuss.uniform(*_AT_ONCE_S)
        self.perform(AtOnce(first=stroke, then=home, then_s=then_s))

    def _brought_home(self, lying: Pieces, seat: Seat) -> Haul | None:
        """The cue brings the cue-puck home from where it came to lie; None where it cannot."""
        cue = next((p for p in lying if p.name == CUE), None)
        if cue is None:
            return None
        others = [p for p in lying if p.name != CUE]
        start, spot = (cue.x_mm, cue.y_mm), self.home_spot(cue, seat)
        way = way_around(self.board, start, spot, cue.radius_mm, others, self.fuss, 4.0)
        return None if way is None else Haul(before=lying, piece=CUE, way=way, by=seat)

    def home_spot(self, cue: Lying, seat: Seat) -> Spot:
        """A free place in a seat's Home Zone."""
        box = home_box(self.board, seat, cue.spec.hole_mm, cue.radius_mm, 6.0)
        others = [p for p in self.stage.lying if p.name != cue.name]
        for _ in range(200):
            x, y = box.at(self.draw.uniform(0.1, 0.9), self.draw.uniform(0.1, 0.9))
            if free_place(self.board, cue.spec, x, y, others, 2.0):
                break
        return x, y

    def seat_of(self, turn: str | None) -> Seat:
        """The seat that the referee names as due, the first where it names none."""
        return next((seat for seat in self.seats if str(seat) == turn), self.seats[0])

    def idle(self, seat: Seat) -> Seat:
        """Somebody else at the table."""
        return self.draw.choice([other for other in self.seats if other is not seat])
