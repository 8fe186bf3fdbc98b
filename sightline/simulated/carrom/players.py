"""Carrom as it is played at the simulated table: who strikes, places and slips."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, radians, sin
from typing import Any

from rules.board import Board
from rules.facts import Settled
from rules.game import Player, Setup
from rules.geometry import Seat
from rules.rulings import Scoreboard, Task
from sightline.simulated.acts.act import Act, with_one_at
from sightline.simulated.acts.at_once import AtOnce
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.acts.mishaps import Intrude
from sightline.simulated.carrom.flick import PUSHED_S, Flick
from sightline.simulated.carrom.slips import FingerSlips
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.physics import play
from sightline.simulated.pieces import Lying, free_place, name_of, surface_of
from sightline.simulated.players import Plan, Sight, Skill, missed, plan_shot, wild
from sightline.simulated.playing import Host, Truly
from sightline.simulated.referee import Referee
from sightline.simulated.stage import Stage

ANTICLOCKWISE = (Seat.S, Seat.E, Seat.N, Seat.W)
NAMES = {Seat.S: "Ada", Seat.E: "Bruno", Seat.N: "Chika", Seat.W: "Dmitri"}
SLOWING_MM_S2 = 900.0
AIM_S = 1.0
SETTLING_MS = 400.0
SPREAD = 1.008  # a rack is laid a trifle looser than it would pack
BESIDE_CIRCLE_MM = 42.0
SAID_OF_STRIKE = {"pushed": "push", "jerked": "jerk"}
PATIENCE = 4
_PUSHED_MM, _AIMS_S = (8.0, 160.0), (0.25, 1.0)
_AT_ONCE_S = (0.05, 0.9)  # after all lies still, and the hand that flicked has gone
FITS_MM = 1.5  # no further may a neighbour reach into a place where a hand still fits a piece


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerAgreement:
    """What the players of carrom agree on: two teams of two, or two players."""

    seats: tuple[Seat, ...] = ANTICLOCKWISE
    options: tuple[tuple[str, str], ...] = ()
    game: str = "carrom"

    def setup(self, board: Board) -> Setup:
        options = {"players": str(len(self.seats)), **dict(self.options)}
        return Setup(
            game=self.game,
            board=board,
            players=tuple(Player(seat=seat, name=NAMES[seat]) for seat in self.seats),
            options=options,
        )

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> "FingerPlayers":
        """Those who play it; `habits` are their `skill` and `slips`."""
        return FingerPlayers(stage, referee, seats=self.seats, seed=seed, truly=truly, **habits)


class FingerPlayers(Host):
    """They go for the pot that a steady finger makes best, and lose their steadiness at times."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        seats: tuple[Seat, ...],
        seed: int = 0,
        truly: Truly | None = None,
        skill: Skill | None = None,
        slips: FingerSlips | None = None,
    ) -> None:
        super().__init__(stage, referee, truly=truly)
        self.seats = seats
        self.draw = random.Random(f"carrom {seed}")
        self.fuss = random.Random(f"pushing {seed}")
        self._pushes_to: Spot | None = None
        self.skill = Skill() if skill is None else skill
        self.slips = FingerSlips() if slips is None else slips
        self.surface = surface_of(stage.board, slowing_mm_s2=SLOWING_MM_S2)
        self._quiet_ms = -1.0
        self._planned: tuple[Seat, Plan, str] | None = None
        self._to_say = ""
        self._same = 0
        self._last: object = None

    def tally(self) -> str:
        return f"{self.shots} strikes"

    def _seen_all(self) -> bool:
        return self.referee.settled_ms() >= self._quiet_ms

    def _perform(self, act: Act) -> None:
        self.stage.add(act)
        settled = [f.at_ms for f in self.stage.truth[-3:] if isinstance(f, Settled)]
        if settled:
            self._quiet_ms = settled[-1] - SETTLING_MS

    def _act(self, board: Scoreboard) -> None:
        told = (board.phase, board.turn, tuple(replace(task, lies=None) for task in board.tasks))
        self._same = self._same + 1 if told == self._last else 0
        self._last = told
        if self._to_say:
            said, self._to_say = self._to_say, ""
            if self._declare(board, said):
                return
        match board.phase:
            case "setup" | "toss" | "choice of the break":
                offers = [a for a in board.announcements if a.what in ("toss", "break")]
                if offers:
                    self._say(self.draw.choice(offers))
            case "racking":
                self._planned = None
                if not (self._same > 1 and self._declare(board, "rack accepted")):
                    self._rack()
            case "placing":
                self._planned = None
                if not (self._same >= PATIENCE and self._declare(board, "restored")):
                    self._place(board)
            case "strike due" | "queen phase":
                self._turn(board)
            case _:
                pass

    # between strikes

    def _rack(self) -> None:
        """Clears what lies there and lays all pieces, held together, round the queen."""
        if self.stage.lying:
            self._carry(self.stage.lying, self.seats[0], brings=False, more_follow=True)
        board = self.stage.board
        queen = next(s for s in board.pieces if s.kind == "queen")
        laid = [Lying(name="queen", spec=queen, x_mm=0.0, y_mm=0.0)]
        count = {"white": 0, "black": 0}
        size = queen.diameter_mm * SPREAD
        for colour, far, first, step in (
            ("white", 1.0, 90, 120),
            ("black", 1.0, 30, 120),
            ("white", 2.0, 30, 60),
            ("black", 3**0.5, 0, 60),
        ):
            spec = board.piece("carromman", colour)
            for angle in range(first, 360 + (first if step == 120 else 0), step):
                count[colour] += 1
                if count[colour] > 9:
                    break
                x, y = size * far * cos(radians(angle)), size * far * sin(radians(angle))
                name = name_of(spec, count[colour])
                laid.append(Lying(name=name, spec=spec, x_mm=x, y_mm=y))
        dx, dy = self.draw.gauss(0, 0.5), self.draw.gauss(0, 0.5)
        shifted = tuple(replace(p, x_mm=p.x_mm + dx, y_mm=p.y_mm + dy) for p in laid)
        self._carry(shifted, self.seats[0], brings=True)

    def _place(self, board: Scoreboard) -> None:
        """Puts one thing right: as the referee asks, now and then carelessly."""
        waiting = [task for task in board.tasks if not task.done]
        for task in sorted(waiting, key=self._is_blocked):
            if task.away:
                there = self._near(task)
                if there is not None:
                    self._carry((there,), self.draw.choice(self.seats), brings=False)
                    return
                continue
            self._put_back(task)
            return
        self.stage.rest(0.6)

    def _is_blocked(self, task: Task) -> bool:
        """Whether another piece lies yet where one is to go back: that one is seen to first."""
        at, named = task.at, self._named_in(task.words)
        if at is None or named is None:
            return False
        others = [p for p in self.stage.lying if p.name != named.name]
        return not free_place(self.stage.board, named.spec, at.x_mm, at.y_mm, others, -FITS_MM)

    def _near(self, task: Task) -> Lying | None:
        same = [p for p in self.stage.lying if p.spec.kind == task.kind]
        at = task.at
        if at is None or not same:
            return same[0] if same else None
        return min(same, key=lambda p: hypot(p.x_mm - at.x_mm, p.y_mm - at.y_mm))

    def _put_back(self, task: Task) -> None:
        """A piece comes back from the net, or is moved back to where it lay."""
        seat = task.by or self.draw.choice(self.seats)
        goal = (0.0, 0.0) if task.at is None else (task.at.x_mm, task.at.y_mm)
        named = self._named_in(task.words)
        spare = self.stage.spare(task.kind, task.colour)
        piece = named or spare
        if piece is None:
            return
        careless = 25.0 if self.draw.random() < self.slips.careless else 0.0
        others = [p for p in self.stage.lying if p.name != piece.name]
        spot = self._free_near(piece, goal, others, careless)
        moved = replace(piece, x_mm=spot[0], y_mm=spot[1])
        from_here = (named.x_mm, named.y_mm) if named is not None else None
        self._carry((moved,), seat, brings=True, moves_from=from_here)

    def _named_in(self, words: str) -> Lying | None:
        """The piece that the referee names, found where the referee's page shows it.

        Names are the referee's own; of pieces that look alike only the place tells which is meant.
        """
        meant = next((p for p in self.referee.lying() if p.name in words.split()), None)
        if meant is None:
            return None
        alike = [
            p
            for p in self.stage.lying
            if (p.spec.kind, p.spec.colour) == (meant.kind, meant.colour)
        ]
        at = meant.at
        return min(alike, key=lambda p: hypot(p.x_mm - at.x_mm, p.y_mm - at.y_mm), default=None)

    def _free_near(self, piece: Lying, goal: Spot, others: list[Lying], careless_mm: float) -> Spot:
        """The free place nearest to a goal; as far off as the hand is careless."""
        x, y = goal[0] + careless_mm, goal[1]
        for far in range(60):
            angle = self.draw.uniform(-pi, pi)
            away = 0.25 * abs(self.draw.gauss(0, 1)) + 2.2 * far
            at = (x + away * cos(angle), y + away * sin(angle))
            if free_place(self.stage.board, piece.spec, *at, others, 0.3):
                return at
        return x, y

    def _carry(
        self,
        pieces: tuple[Lying, ...],
        seat: Seat,
        *,
        brings: bool,
        moves_from: Spot | None = None,
        more_follow: bool = False,
    ) -> None:
        act = Carry(
            before=self.stage.lying,
            pieces=pieces,
            by=seat,
            board=self.stage.board,
            brings=brings,
            moves_from=moves_from,
        )
        self._perform(act.hurried() if more_follow else act)

    # a turn

    def _turn(self, board: Scoreboard) -> None:
        """One step of a turn: a slip of the hand, or the striker placed, or the strike."""
        if self._planned is not None:
            seat, plan, slip = self._planned
            self._planned = None
            self._strike(seat, plan, slip)
            return
        seat = board.seat or self.seats[0]
        slip = self.slips.draw(self.draw)
        match slip:
            case "touched" if self._touch(seat):
                return
            case "reached_over":
                self._reach(seat)
                return
            case "wrong_player":
                others = [other for other in self.seats if other is not seat]
                seat = self.draw.choice(others)
            case _:
                pass
        self._planned = (seat, self._placed(board, seat, slip), slip)

    def _placed(self, board: Scoreboard, seat: Seat, slip: str) -> Plan:
        """Chooses a shot, and places the striker for it."""
        spec = next(s for s in self.stage.board.pieces if s.kind == "striker")
        there = self.stage.piece("striker")
        striker = there or Lying(name="striker", spec=spec, x_mm=0.0, y_mm=0.0)
        plan = self._plan(board, seat, striker)
        x, y = plan.cue_at
        if slip == "off_line":
            ox, oy = OUTWARDS[seat]
            off = self.draw.choice((-1, 1)) * self.draw.uniform(11.0, 15.0)
            x, y = x + ox * off, y + oy * off
        placed = replace(striker, x_mm=x, y_mm=y)
        from_here = None if there is None else (there.x_mm, there.y_mm)
        self._pushes_to = None
        if self.fuss.random() < self.slips.adjusts:
            placed = self._beside(placed, seat)
        self._carry((placed,), seat, brings=True, moves_from=from_here)
        return plan

    def _beside(self, placed: Lying, seat: Seat) -> Lying:
        """Where it is laid down first, to be pushed along the base line to where it is struck."""
        ox, oy = OUTWARDS[seat]
        others = [p for p in self.stage.lying if p.name != "striker"]
        far = self.fuss.choice((-1, 1)) * self.fuss.uniform(*_PUSHED_MM)
        x, y = placed.x_mm + abs(oy) * far, placed.y_mm + abs(ox) * far
        on_way = [
            (placed.x_mm + part * (x - placed.x_mm), placed.y_mm + part * (y - placed.y_mm))
            for part in (0.25, 0.5, 0.75, 1.0)
        ]
        if not all(free_place(self.stage.board, placed.spec, *at, others, 3.0) for at in on_way):
            return placed
        self._pushes_to = (placed.x_mm, placed.y_mm)
        return replace(placed, x_mm=x, y_mm=y)

    def _plan(self, board: Scoreboard, seat: Seat, striker: Lying) -> Plan:
        others = [p for p in self.stage.lying if p.name != "striker"]
        side = next((s for s in board.sides if seat in s.seats), board.sides[0])
        own = [p for p in others if p.spec.colour == side.colour and p.spec.kind == "carromman"]
        queen = [p for p in others if p.spec.kind == "queen"]
        free = dict(side.items).get("queen") == "open"
        targets = own + (queen if free or not own else [])
        spots = self._spots(seat, striker, others)
        if len(others) == 19 and len({round(hypot(p.x_mm, p.y_mm)) for p in others}) < 9:
            return self._break(seat, spots)
        sight = Sight(
            board=self.stage.board,
            surface=self.surface,
            seat=seat,
            cue=striker,
            others=others,
            targets=targets or others,
            cue_mass=striker.disc().mass_g,
            target_mass=(others[0] if others else striker).disc().mass_g,
        )
        return plan_shot(sight, self.draw, spots)

    def _break(self, seat: Seat, spots: list[Spot]) -> Plan:
        x, y = self.draw.choice(spots)
        angle = atan2(self.draw.gauss(0, 6) - y, self.draw.gauss(0, 6) - x)
        return Plan(cue_at=(x, y), angle=angle, speed_mm_s=3400.0, target="")

    def _spots(self, seat: Seat, striker: Lying, others: list[Lying]) -> list[Spot]:
        """Free places on the seat's base lines, clear of the circles at their ends."""
        zone = next(z for z in self.stage.board.zones if z.kind == "base-line" and z.seat is seat)
        xs, ys = [p.x_mm for p in zone.polygon], [p.y_mm for p in zone.polygon]
        middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        along_x = max(xs) - min(xs) > max(ys) - min(ys)
        half = max(max(xs) - min(xs), max(ys) - min(ys)) / 2 - BESIDE_CIRCLE_MM
        found = []
        for k in range(15):
            way = half * (k - 7) / 7 * 0.98 + self.draw.uniform(-4, 4)
            off = self.draw.gauss(0, self.skill.place_mm)
            at = (
                (middle[0] + way, middle[1] + off)
                if along_x
                else (middle[0] + off, middle[1] + way)
            )
            if free_place(self.stage.board, striker.spec, *at, others, 1.0):
                found.append(at)
        return found or [middle]

    def _strike(self, seat: Seat, plan: Plan, slip: str) -> None:
        vx, vy = missed(plan, self.skill, self.draw)
        match slip:
            case "weak":
                vx, vy = vx * 0.05, vy * 0.05
            case "wild":
                angle, speed = wild(self.draw, seat), self.draw.uniform(1500, 4200)
                vx, vy = speed * cos(angle), speed * sin(angle)
            case "hard":
                share = 4600.0 / hypot(vx, vy)
                vx, vy = vx * share, vy * share
            case _:
                self._to_say = SAID_OF_STRIKE.get(slip, "")
        lying, pushed_from = self.stage.lying, None
        striker = self.stage.piece("striker")
        if self._pushes_to is not None and striker is not None:
            pushed_from = striker.x_mm, striker.y_mm
            x, y = self._pushes_to
            lying = with_one_at(lying, "striker", (x, y))
        aim_s = AIM_S if pushed_from is None else PUSHED_S + self.fuss.uniform(*_AIMS_S)
        run = play(
            self.surface,
            [p.disc() for p in lying],
            {"striker": (vx, vy)},
            start_s=aim_s,
            hops=self._hops(),
        )
        self.shots += 1
        flick = Flick(
            before=lying,
            run=run,
            struck="striker",
            by=seat,
            board=self.stage.board,
            pushed_from=pushed_from,
        )
        hastens = self.fuss.random() < self.slips.hastens
        self._perform(self._fetched_at_once(flick) if hastens else flick)

    def _fetched_at_once(self, flick: Flick) -> Act:
        """The stroke, after which somebody takes the striker to a base line without waiting."""
        there = next((p for p in flick.after if p.name == "striker"), None)
        if there is None:
            return flick
        seat = self.fuss.choice(self.seats)
        others = [p for p in flick.after if p.name != "striker"]
        x, y = self.fuss.choice(self._spots(seat, there, others))
        placed = replace(there, x_mm=x, y_mm=y)
        if not free_place(self.stage.board, placed.spec, x, y, others, 1.0):
            return flick
        fetched = Carry(
            before=flick.after,
            pieces=(placed,),
            by=seat,
            board=self.stage.board,
            moves_from=(there.x_mm, there.y_mm),
        )
        rests_s = max(flick.run.rest_s, flick.gone_s)
        return AtOnce(first=flick, then=fetched, then_s=rests_s + self.fuss.uniform(*_AT_ONCE_S))

    def _hops(self) -> Callable[[float], bool]:
        return lambda speed: speed > 3000.0 and self.draw.random() < 0.04

    def _touch(self, seat: Seat) -> bool:
        """A sleeve moves a piece; False where none can be."""
        men = [p for p in self.stage.lying if p.spec.kind != "striker"]
        self.draw.shuffle(men)
        for piece in men:
            angle, far = self.draw.uniform(-pi, pi), self.draw.uniform(9, 25)
            to = replace(
                piece, x_mm=piece.x_mm + far * cos(angle), y_mm=piece.y_mm + far * sin(angle)
            )
            others = [p for p in self.stage.lying if p.name != piece.name]
            if free_place(self.stage.board, piece.spec, to.x_mm, to.y_mm, others, 3.0):
                self._carry((to,), seat, brings=True, moves_from=(piece.x_mm, piece.y_mm))
                return True
        return False

    def _reach(self, seat: Seat) -> None:
        ox, oy = OUTWARDS[seat]
        half = self.stage.board.width_mm / 2
        deep, across = self.draw.uniform(25, 140), self.draw.uniform(-200, 200)
        to = (ox * (half - deep) + abs(oy) * across, oy * (half - deep) + abs(ox) * across)
        self._perform(Intrude(before=self.stage.lying, by=seat, to=to, board=self.stage.board))
