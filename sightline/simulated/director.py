"""Q-Square as it is played at the simulated table: who does what next, slips and all.

The director knows the table and hears the referee: whose turn it is, what must be put where, what
is asked. What the referee makes of a shot it does not know before the referee says it; only where
the referee asks a person does the truth answer, as the human referee who was watching.
"""

import random
from collections.abc import Callable, Sequence
from math import atan2, cos, hypot, pi, sin

from rules.board import Board, PieceSpec
from rules.facts import Declared
from rules.geometry import Point, Seat
from rules.rulings import Announcement, Scoreboard, Task
from sightline.simulated.acts import Brush, Carry, Haul, Intrude, Stroke
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.physics import Surface, play
from sightline.simulated.pieces import Lying, free_place, name_of, surface_of
from sightline.simulated.players import (
    Box,
    Plan,
    Sight,
    Skill,
    home_box,
    is_dead,
    missed,
    plan_shot,
    wild,
)
from sightline.simulated.referee import Asked, Referee
from sightline.simulated.slips import Slips
from sightline.simulated.stage import Stage
from sightline.simulated.ways import way_around

SLOWING_MM_S2 = 1100.0
PATIENCE_S = 4.0
PATIENCE = 5
FULFILS_MM = 12.0
TOUCH_UP_MM = 4.5
CUE = "cue-puck"
HOP_MM_S = 2300.0
AIM_S = 1.25


class Director:
    """Plays one match of Q-Square on a stage; `go_on` when the stage's acts have run out."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        colours: dict[str, str],
        seats: tuple[Seat, ...] = (Seat.S, Seat.N),
        pucks: int = 8,
        queen: bool = True,
        seed: int = 0,
        skill: Skill | None = None,
        slips: Slips | None = None,
        truly: Callable[[Asked], str] | None = None,
    ) -> None:
        """`colours` names each seat's own puck colour; `truly` answers questions from the truth."""
        self.stage = stage
        self.referee = referee
        self.colours = colours
        self.seats = seats
        self.pucks = pucks
        self.queen = queen
        self.draw = random.Random(f"match {seed}")
        self.skill = Skill() if skill is None else skill
        self.slips = Slips() if slips is None else slips
        self.truly = truly
        self.surface: Surface = surface_of(stage.board, slowing_mm_s2=SLOWING_MM_S2)
        self.shots = 0
        self._waited_s = 0.0
        self._now_ms = 0.0
        self._quiet_ms = -1.0
        self._after_shot = ""
        self._slip = ""
        self._slipped_in_turn = False
        self._stuck = 0
        self._last = ""

    @property
    def board(self) -> Board:
        return self.stage.board

    def go_on(self, at_s: float) -> bool:
        """Adds what happens next to the stage; False when the match is over.

        `at_s` is the time now. While the referee has not yet seen the last act to its end, nothing
        happens but waiting, for `PATIENCE_S` at most.
        """
        stage = self.stage
        self._now_ms = 1000 * at_s
        if stage.end_s < at_s:
            stage.rest(at_s - stage.end_s)
        if self.referee.settled_ms() < self._quiet_ms and self._waited_s < PATIENCE_S:
            stage.rest(0.1)
            self._waited_s += 0.1
            return True
        self._waited_s = 0.0
        questions = self.referee.questions()
        if questions:
            for asked in questions:
                self.referee.answer(asked, self._answer(asked))
            stage.rest(0.3)
            return True
        if self.referee.outcome() is not None:
            return False
        board = self.referee.scoreboard()
        before = stage.end_s
        self._act(board)
        if stage.end_s == before:
            stage.rest(0.3)
        return True

    # phases

    def _act(self, board: Scoreboard) -> None:
        if self._after_shot:
            said, self._after_shot = self._after_shot, ""
            if self._declare(board, said):
                return
        phase = board.phase.lower()
        told = f"{phase} {board.turn} {[t.words for t in board.tasks if not t.done]}"
        self._stuck = self._stuck + 1 if told == self._last else 0
        self._last = told
        if phase.startswith(("setup", "opening", "break")):
            self._open(board)
        elif phase.startswith("rack"):
            self._rack()
        elif phase.startswith("serv"):
            self._serve(board)
        elif phase.startswith("aim"):
            self._take_turn(board)
        else:
            self.stage.rest(0.3)

    def _open(self, board: Scoreboard) -> None:
        """The lot, or who breaks: any of what the referee offers to hear."""
        offers = [a for a in board.announcements if a.what in ("lot", "break")]
        if offers:
            chosen = self.draw.choice(offers)
            self._say(chosen)
        self.stage.rest(0.5)

    def _rack(self) -> None:
        """Clears what lies there, sets both rows with a holder, the Queen, and the cue-puck."""
        stage = self.stage
        if stage.lying and self._stuck == 0 and self._racked():
            stage.rest(0.4)
            return
        if stage.lying:
            self._carry(stage.lying, self.seats[0], brings=False, quiet_s=0.05)
        rows = self._rows()
        groups = [*rows]
        if self.queen:
            spec = next(s for s in self.board.pieces if s.kind == "queen")
            groups.append([Lying(name="queen", spec=spec, x_mm=0.3, y_mm=-0.2)])
        for k, group in enumerate(groups):
            jog_x, jog_y = self.draw.gauss(0, 0.25), self.draw.gauss(0, 0.25)
            laid = tuple(
                Lying(name=p.name, spec=p.spec, x_mm=p.x_mm + jog_x, y_mm=p.y_mm + jog_y)
                for p in group
            )
            self._carry(laid, self.seats[k % len(self.seats)], brings=True, quiet_s=0.05)
        spec = next(s for s in self.board.pieces if s.kind == CUE)
        seat = self.seats[0]
        box = home_box(self.board, seat, spec.hole_mm, spec.diameter_mm / 2, 4.0)
        x, y = box.at(0.5, 0.5)
        self._carry((Lying(name=CUE, spec=spec, x_mm=x, y_mm=y),), seat, brings=True)

    def _racked(self) -> bool:
        return len(self.stage.lying) >= len(self.seats) * self.pucks + 1

    def _rows(self) -> list[list[Lying]]:
        """The rows of the rack, in the band between the black line and the red."""
        zones = {z.kind: z for z in self.board.zones}
        outer = max(p.x_mm for p in zones["central"].polygon)
        inner = max(p.x_mm for p in zones["dead-centre"].polygon)
        middle = (outer + inner) / 2
        rows = []
        numbers: dict[str, int] = {}
        for seat in self.seats:
            # two players: one's own row on one's own side; four: the opponents' before each
            colour = self.colours[str(seat)]
            if len(self.seats) == 4:
                colour = next(c for c in self.colours.values() if c != colour)
            spec = self.board.piece("puck", colour)
            ox, oy = OUTWARDS[seat]
            row = []
            pitch = spec.diameter_mm + 0.08
            for k in range(self.pucks):
                numbers[colour] = numbers.get(colour, 0) + 1
                along = (k - (self.pucks - 1) / 2) * pitch
                x = ox * middle + abs(oy) * along
                y = oy * middle + abs(ox) * along
                name = name_of(spec, numbers[colour])
                row.append(Lying(name=name, spec=spec, x_mm=x, y_mm=y))
            rows.append(row)
        return rows

    def _serve(self, board: Scoreboard) -> None:
        """Does the first thing that the referee asks for and that is not yet done."""
        if self._stuck >= PATIENCE and self._declare(board, "restored"):
            return
        for task in board.tasks:
            if not task.done and self._do(task, board):
                return
        for spec in self.board.pieces:
            here = [p for p in self.stage.lying if p.spec == spec]
            if spec.kind == "puck" and len(here) > self._wanted(spec, board):
                self._carry((here[-1],), self._seat(board.turn), brings=False)
                return
        self.stage.rest(0.4)

    def _do(self, task: Task, board: Scoreboard) -> bool:
        seat = self._seat(board.turn)
        spec = next(
            (s for s in self.board.pieces if s.kind == task.kind and task.colour in ("", s.colour)),
            None,
        )
        if spec is None:
            return False
        if task.at is None:
            return self._do_anywhere(spec, seat)
        x, y = self._near(task, spec.kind)
        spare = self.stage.spare(spec.kind, spec.colour)
        here = sum(p.spec == spec for p in self.stage.lying)
        if spare is not None and here < self._wanted(spec, board):
            piece = Lying(name=spare.name, spec=spare.spec, x_mm=x, y_mm=y)
            self._carry((piece,), seat, brings=True)
            return True
        spots = [t.at for t in board.tasks if t.kind == spec.kind and t.at is not None]
        there = [
            p
            for p in self.stage.lying
            if p.spec == spec
            and all(at.distance_mm(Point(p.x_mm, p.y_mm)) > FULFILS_MM for at in spots)
        ] or [p for p in self.stage.lying if p.spec == spec and not _lies_at(p, spots)]
        if not there:
            return False
        nearest = min(there, key=lambda p: hypot(p.x_mm - x, p.y_mm - y))
        moved = Lying(name=nearest.name, spec=nearest.spec, x_mm=x, y_mm=y)
        self._carry((moved,), seat, brings=True, moves_from=(nearest.x_mm, nearest.y_mm))
        return True

    def _wanted(self, spec: PieceSpec, board: Scoreboard) -> int:
        """How many pieces of a kind and colour belong on the surface, as the scoreboard says."""
        if spec.kind != "puck":
            return 1
        for side in board.sides:
            if side.colour != spec.colour:
                return int(dict(side.items).get("to pocket", "0"))
        return 0

    def _do_anywhere(self, spec: PieceSpec, seat: Seat) -> bool:
        """A cue-puck is wanted at home; any other piece named without a place is to go."""
        there = [p for p in self.stage.lying if p.spec == spec]
        spare = self.stage.spare(spec.kind, spec.colour)
        if spec.kind == CUE and there:
            self._haul(seat, there[0], self._home_spot(there[0], seat))
        elif spec.kind == CUE and spare is not None:
            self._bring_cue_puck(spare, seat)
        elif spec.kind != CUE and there:
            self._carry((there[0],), seat, brings=False)
        else:
            return False
        return True

    def _near(self, task: Task, kind: str) -> Spot:
        """Where a piece is really put: near its spot, now and then carelessly."""
        assert task.at is not None
        sd = self.skill.place_mm
        if self._stuck == 0 and self.draw.random() < self.slips.put_back:
            sd = 9.0
        spec = next(s for s in self.board.pieces if s.kind == kind)
        half_x = self.board.width_mm / 2 - spec.diameter_mm / 2
        half_y = self.board.height_mm / 2 - spec.diameter_mm / 2
        for _ in range(60):
            x = min(max(task.at.x_mm + self.draw.gauss(0, sd), -half_x), half_x)
            y = min(max(task.at.y_mm + self.draw.gauss(0, sd), -half_y), half_y)
            others = [p for p in self.stage.lying if p.spec.kind != kind or p.spec.hole_mm < 0]
            if free_place(self.board, spec, x, y, others, 0.02):
                break
        return x, y

    def _bring_cue_puck(self, spare: Lying, seat: Seat) -> None:
        x, y = self._home_spot(spare, seat)
        self._carry((Lying(name=CUE, spec=spare.spec, x_mm=x, y_mm=y),), seat, brings=True)

    def _home_spot(self, cue: Lying, seat: Seat) -> Spot:
        box = home_box(self.board, seat, cue.spec.hole_mm, cue.radius_mm, 6.0)
        others = [p for p in self.stage.lying if p.name != cue.name]
        for _ in range(200):
            x, y = box.at(self.draw.uniform(0.1, 0.9), self.draw.uniform(0.1, 0.9))
            if free_place(self.board, cue.spec, x, y, others, 2.0):
                break
        return x, y

    # a turn

    def _take_turn(self, board: Scoreboard) -> None:
        seat = self._seat(board.turn)
        cue = self.stage.piece(CUE)
        if cue is None:
            spare = self.stage.spare(CUE, "")
            if spare is not None:
                self._bring_cue_puck(spare, seat)
            return
        slip = self.slips.draw(self.draw) if self._stuck == 0 else ""
        match slip:
            case "hand_over" | "idle_hand":
                self._reach_over(seat if slip == "hand_over" else self._idle(seat))
                return
            case "brush" if self._brush(seat):
                return
            case "wrong_player":
                seat = self._idle(seat)
        self._shoot(seat, cue, slip)

    def _reach_over(self, seat: Seat) -> None:
        ox, oy = OUTWARDS[seat]
        half = (self.board.width_mm if ox else self.board.height_mm) / 2
        deep, across = self.draw.uniform(25, 140), self.draw.uniform(-280, 280)
        to = (ox * (half - deep) + abs(oy) * across, oy * (half - deep) + abs(ox) * across)
        self._perform(Intrude(before=self.stage.lying, by=seat, to=to, board=self.board))

    def _brush(self, seat: Seat) -> bool:
        pucks = [p for p in self.stage.lying if p.spec.kind == "puck"]
        self.draw.shuffle(pucks)
        for puck in pucks:
            angle, far = self.draw.uniform(-pi, pi), self.draw.uniform(8, 25)
            to = (puck.x_mm + far * cos(angle), puck.y_mm + far * sin(angle))
            others = [p for p in self.stage.lying if p.name != puck.name]
            if free_place(self.board, puck.spec, *to, others, 4.0):
                self._perform(Brush(before=self.stage.lying, piece=puck.name, to=to, by=seat))
                return True
        return False

    def _shoot(self, seat: Seat, cue: Lying, slip: str) -> None:
        plan = self._plan(seat, cue, slip)
        spot = self._spot(seat, cue, plan, slip)
        if slip != "not_brought_home":
            self._haul(seat, cue, spot)
        vx, vy = missed(plan, self.skill, self.draw)
        if slip == "weak":
            vx, vy = vx * 0.05, vy * 0.05
        elif slip in ("miscue", "not_the_tip"):
            off = self.draw.uniform(-0.15, 0.15)
            vx, vy = 0.5 * (vx * cos(off) - vy * sin(off)), 0.5 * (vx * sin(off) + vy * cos(off))
        elif slip == "hard":
            share = 4300.0 / hypot(vx, vy)
            vx, vy = vx * share, vy * share
        draw = self.draw
        run = play(
            self.surface,
            [p.disc() for p in self.stage.lying],
            {CUE: (vx, vy)},
            start_s=AIM_S,
            hops=lambda speed: speed > HOP_MM_S and draw.random() < 0.15,
        )
        self._perform(Stroke(before=self.stage.lying, run=run, struck=CUE, by=seat))
        self.shots += 1
        if slip in ("miscue", "not_the_tip"):
            self._after_shot = slip

    def _plan(self, seat: Seat, cue: Lying, slip: str) -> Plan:
        lying = [p for p in self.stage.lying if p.name != CUE]
        own = self.colours[str(seat)]
        targets = [p for p in lying if p.spec.kind == "puck" and p.spec.colour != own]
        queens = [p for p in lying if p.spec.kind == "queen"]
        aims = targets or queens
        match slip:
            case "own_puck":
                aims = [p for p in lying if p.spec.kind == "puck" and p.spec.colour == own] or aims
            case "queen":
                aims = queens or aims
            case "dead_puck":
                aims = [p for p in targets if is_dead(self.board, seat, p)] or aims
            case _:
                pass
        masses = cue.disc().mass_g, (aims[0].disc().mass_g if aims else cue.disc().mass_g)
        sight = Sight(
            board=self.board,
            surface=self.surface,
            seat=seat,
            cue=cue,
            others=lying,
            targets=aims,
            cue_mass=masses[0],
            target_mass=masses[1],
        )
        plan = plan_shot(sight, self.draw)
        aim = next((p for p in aims if p.name == plan.target), None)
        if slip in ("own_puck", "queen", "dead_puck") and aim is not None:
            angle = atan2(aim.y_mm - plan.cue_at[1], aim.x_mm - plan.cue_at[0])
            return Plan(cue_at=plan.cue_at, angle=angle, speed_mm_s=2200.0, target=plan.target)
        if slip == "wild":
            speed = self.draw.uniform(1200, 3600)
            return Plan(
                cue_at=plan.cue_at, angle=wild(self.draw, seat), speed_mm_s=speed, target=""
            )
        if slip == "not_brought_home" and aim is not None:
            angle = atan2(aim.y_mm - cue.y_mm, aim.x_mm - cue.x_mm)
            return Plan(
                cue_at=(cue.x_mm, cue.y_mm), angle=angle, speed_mm_s=2000.0, target=plan.target
            )
        return plan

    def _spot(self, seat: Seat, cue: Lying, plan: Plan, slip: str) -> Spot:
        """Where the cue-puck is set: as planned, over the line, or so near it that none can say."""
        if slip not in ("over_line", "on_the_line"):
            return plan.cue_at
        sets = home_box(self.board, seat, cue.spec.hole_mm, cue.radius_mm, 0.0)
        over = self.draw.uniform(2.0, 7.0) if slip == "over_line" else self.draw.gauss(0, 0.06)
        ox, oy = OUTWARDS[seat]
        x, y = plan.cue_at
        for _ in range(40):
            if ox:
                x = (sets.low_x if ox > 0 else sets.high_x) - ox * over
            else:
                y = (sets.low_y if oy > 0 else sets.high_y) - oy * over
            others = [p for p in self.stage.lying if p.name != CUE]
            if free_place(self.board, cue.spec, x, y, others, 2.0):
                return x, y
            share = self.draw.random()
            x, y = _slide(sets, bool(ox), share, (x, y))
        return plan.cue_at

    def _haul(self, seat: Seat, cue: Lying, spot: Spot) -> None:
        if hypot(cue.x_mm - spot[0], cue.y_mm - spot[1]) < 1.0:
            return
        others = [p for p in self.stage.lying if p.name != CUE]
        start = (cue.x_mm, cue.y_mm)
        way = way_around(self.board, start, spot, cue.radius_mm, others, self.draw)
        if way is None:
            way = way_around(self.board, start, spot, cue.radius_mm, others, self.draw, 0.3)
        if way is None:
            return
        self._perform(Haul(before=self.stage.lying, piece=CUE, way=way, by=seat))

    # saying

    def _declare(self, board: Scoreboard, what: str) -> bool:
        """Says what only people know, if the referee can hear it now."""
        for offer in board.announcements:
            if offer.what.replace("-", " ").replace("_", " ") == what.replace("_", " "):
                self._say(offer)
                self.stage.rest(0.3)
                return True
        return False

    def _say(self, offer: Announcement) -> None:
        fact = Declared(at_ms=self._now_ms, what=offer.what, side=offer.side, value=offer.value)
        self.stage.say(fact)
        self.referee.declare(fact)

    def _answer(self, asked: Asked) -> str:
        if self.truly is not None:
            return self.truly(asked)
        return asked.question.answers[0].key

    # odds and ends

    def _perform(self, act: Stroke | Haul | Brush | Carry | Intrude) -> None:
        self.stage.add(act)
        settled = [f for f in self.stage.truth[-3:] if type(f).__name__ == "Settled"]
        if settled:
            self._quiet_ms = settled[-1].at_ms - 400.0

    def _carry(
        self,
        pieces: tuple[Lying, ...],
        seat: Seat,
        *,
        brings: bool,
        moves_from: Spot | None = None,
        quiet_s: float | None = None,
    ) -> None:
        act = Carry(
            before=self.stage.lying,
            pieces=pieces,
            by=seat,
            board=self.board,
            brings=brings,
            moves_from=moves_from,
            **({} if quiet_s is None else {"quiet_s": quiet_s}),
        )
        self._perform(act)

    def _seat(self, turn: str | None) -> Seat:
        for seat in self.seats:
            if turn == str(seat):
                return seat
        for seat in self.seats:
            if turn and str(seat) in turn:
                return seat
        return self.seats[0]

    def _idle(self, seat: Seat) -> Seat:
        others = [s for s in self.seats if s is not seat]
        return self.draw.choice(others)


def _lies_at(piece: Lying, spots: Sequence[Point]) -> bool:
    return any(at.distance_mm(Point(piece.x_mm, piece.y_mm)) < TOUCH_UP_MM for at in spots)


def _slide(box: Box, upright: bool, share: float, spot: Spot) -> Spot:
    x, y = box.at(share, share)
    return (spot[0], y) if upright else (x, spot[1])
