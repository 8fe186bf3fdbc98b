"""Q-Square as it is played at the simulated table: who does what next, slips and all.

The director knows the table and hears the referee: whose turn it is, what must be put where.
"""

import random
from collections.abc import Mapping
from math import hypot

from rules.geometry import Seat
from rules.rulings import Scoreboard
from sightline.simulated.acts.mishaps import Topple
from sightline.simulated.floor import CUE, Floor
from sightline.simulated.lag import LagPlay
from sightline.simulated.pieces import Lying, surface_of
from sightline.simulated.players import Plan, Skill
from sightline.simulated.playing import Host, Truly
from sightline.simulated.referee import Referee
from sightline.simulated.service import bring_home, rack, serve
from sightline.simulated.slips import Slips
from sightline.simulated.stage import Stage
from sightline.simulated.turns import brush, prepare, reach_over, shoot

SLOWING_MM_S2 = 1100.0
PATIENCE = 5
BRINK_MM = 4.0
SAID_OF_SHOT = {"miscue": "miscue", "not_tip": "not tip"}


class Director(Host):
    """Plays one match of Q-Square on a stage; `go_on` when the stage's acts have run out."""

    def __init__(
        self,
        stage: Stage,
        referee: Referee,
        *,
        colours: Mapping[str, str],
        seats: tuple[Seat, ...] = (Seat.S, Seat.N),
        pucks: int = 8,
        queen: bool = True,
        lag: bool = False,
        seed: int = 0,
        skill: Skill | None = None,
        slips: Slips | None = None,
        truly: Truly | None = None,
    ) -> None:
        """`colours` names each seat's own puck colour; `truly` answers questions from the truth."""
        super().__init__(stage, referee, truly=truly)
        self.floor = Floor(
            stage=stage,
            seats=seats,
            colours=colours,
            pucks=pucks,
            queen=queen,
            surface=surface_of(stage.board, slowing_mm_s2=SLOWING_MM_S2),
            draw=random.Random(f"match {seed}"),
            skill=Skill() if skill is None else skill,
            slips=Slips() if slips is None else slips,
            fuss=random.Random(f"adjusting {seed}"),
        )
        self._lag = LagPlay(self.floor) if lag else None
        self._to_say = ""
        self._plan: tuple[Seat, Plan, str] | None = None
        self._looked_at_brink = True
        self._same = 0
        self._last = ""

    def _seen_all(self) -> bool:
        return self.referee.settled_ms() >= self.floor.quiet_ms

    def _act(self, board: Scoreboard) -> None:
        if self._to_say:
            said, self._to_say = self._to_say, ""
            if self._declare(board, said):
                return
        phase = board.phase.lower()
        told = f"{phase} {board.turn} {[(t.words, t.at) for t in board.tasks if not t.done]}"
        self._same = self._same + 1 if told == self._last else 0
        self._last = told
        if not self._looked_at_brink:
            self._looked_at_brink = True
            if self._topple():
                return
        match phase:
            case "setup" | "opening" | "break choice":
                self._open(board, phase)
            case "racking":
                self._rack()
            case "service":
                self._plan = None
                if not (self._same >= PATIENCE and self._declare(board, "restored")):
                    serve(self.floor, board, again=self._same > 0)
            case "aiming":
                self._take_turn(board)
            case _:
                pass

    # phases

    def _open(self, board: Scoreboard, phase: str) -> None:
        """A lag, or the lot; then who breaks."""
        if self._lag is not None and phase != "break choice":
            self._lag.go_on()
            return
        offers = [a for a in board.announcements if a.what in ("lot", "break")]
        if offers:
            self._say(self.floor.draw.choice(offers))

    def _rack(self) -> None:
        """Racks; where the referee finds fault with the rack, again, until a person accepts it."""
        racked = len(self.floor.seats) * self.floor.pucks + 1
        if self._same > 1 and self._declare(self.referee.scoreboard(), "rack accepted"):
            return
        if self._same > 0 and len(self.stage.lying) >= racked and self._same % 2:
            return
        rack(self.floor)

    def _take_turn(self, board: Scoreboard) -> None:
        """One step of a turn: a slip of the hand, or the cue-puck brought home, or the stroke."""
        floor = self.floor
        seat = floor.seat_of(board.turn)
        if self.stage.piece(CUE) is None:
            bring_home(floor, seat)
            return
        if self._plan is not None:
            who, plan, slip = self._plan
            self._plan = None
            shoot(floor, who, plan, slip)
            self.shots += 1
            self._looked_at_brink = False
            self._to_say = SAID_OF_SHOT.get(slip, "")
            return
        slip = floor.slips.draw(floor.draw)
        match slip:
            case "hand_over":
                reach_over(floor, seat)
                return
            case "idle_hand":
                reach_over(floor, floor.idle(seat))
                return
            case "brush" if brush(floor, seat):
                return
            case "concede" if self._declare(board, "concede", str(seat)):
                return
            case "wrong_player":
                seat = floor.idle(seat)
            case _:
                pass
        made = prepare(floor, seat, slip)
        if made is None:
            return
        self._plan = (seat, made, slip)
        if made.pocket:
            aim = self.stage.piece(made.target)
            colour = "queen" if aim is None or aim.spec.kind == "queen" else aim.spec.colour
            self._declare(board, "call", value=f"{colour} {made.pocket}")

    def _topple(self) -> bool:
        """Now and then a puck left on the brink of a pocket falls in by itself (QS-X.14)."""
        for piece in self.stage.lying:
            at = (piece.x_mm, piece.y_mm)
            for pocket in self.stage.board.pockets:
                centre = pocket.centre
                out = hypot(at[0] - centre.x_mm, at[1] - centre.y_mm) - pocket.radius_mm
                if 0 < out < BRINK_MM and self.floor.draw.random() < 0.5:
                    self._fall(piece, pocket.id)
                    return True
        return False

    def _fall(self, piece: Lying, pocket: str) -> None:
        hole = next(p for p in self.stage.board.pockets if p.id == pocket)
        self.floor.perform(Topple(before=self.stage.lying, piece=piece.name, into=hole))
