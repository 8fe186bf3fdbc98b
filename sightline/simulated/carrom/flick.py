"""A finger flicks the striker, and all run until they rest."""

from dataclasses import dataclass
from math import hypot

from rules.board import Board
from rules.facts import Fact, HandEntered, HandLeft
from rules.geometry import Seat
from sightline.simulated.acts.act import AFTER_S, Pieces, hand_times, named
from sightline.simulated.hands import FINGER_MM, Spot, limb_at, resting_hand
from sightline.simulated.physics import Run
from sightline.simulated.scene import Limb, Scene
from sightline.simulated.truth import bodies_at, lying_after, shot_facts

COME_S = 0.5
STAY_S = 0.12
GO_S = 0.4
BACK_MM = 14.0
FOLLOW_MM = 10.0
HEIGHT_MM = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Flick:
    """The hand of the player at `by` comes in behind the striker, flicks it, and goes.

    `run` starts at the strike; it must leave the hand the time to come (`COME_S` and a little).
    """

    before: Pieces
    run: Run
    struck: str
    by: Seat
    board: Board

    @property
    def lasts_s(self) -> float:
        return max(self.run.rest_s, self._gone_s) + AFTER_S

    @property
    def after(self) -> Pieces:
        return lying_after(self.run, self.before)

    @property
    def _gone_s(self) -> float:
        return self.run.start_s + STAY_S + GO_S

    def _behind(self, offset_mm: float) -> Spot:
        """The fingertip so far behind the striker's rim, against the way it will go."""
        first = self.run.paths[self.struck][1]
        striker = named(self.before, self.struck)
        far = hypot(first.vx_mm_s, first.vy_mm_s)
        back = (striker.radius_mm + FINGER_MM + offset_mm) / far
        return striker.x_mm - first.vx_mm_s * back, striker.y_mm - first.vy_mm_s * back

    def _limb(self, at_s: float) -> Limb:
        start_s = self.run.start_s
        drawn = self._behind(BACK_MM)
        away = resting_hand(self.board, self.by, drawn)
        if at_s < start_s - 0.04:
            share = min(1.0, max(0.0, at_s / COME_S))
            share = share * share * (3 - 2 * share)
            at = (away[0] + (drawn[0] - away[0]) * share, away[1] + (drawn[1] - away[1]) * share)
        elif at_s < start_s:
            at = self._behind(BACK_MM * (start_s - at_s) / 0.04)
        elif at_s < start_s + STAY_S:
            at = self._behind(-FOLLOW_MM * min(1.0, (at_s - start_s) / 0.03))
        else:
            share = min(1.0, (at_s - start_s - STAY_S) / GO_S)
            share = share * share * (3 - 2 * share)
            last = self._behind(-FOLLOW_MM)
            at = (last[0] + (away[0] - last[0]) * share, last[1] + (away[1] - last[1]) * share)
        return limb_at(self.board, self.by, at, HEIGHT_MM)

    def scene(self, at_s: float) -> Scene:
        bodies = bodies_at(self.run, self.before, at_s)
        if at_s >= self._gone_s:
            return Scene(bodies=bodies)
        return Scene(bodies=bodies, limbs=(self._limb(at_s),))

    def facts(self) -> tuple[Fact, ...]:
        entered, left, depth = hand_times(self.board, self._limb, self._gone_s)
        return (
            HandEntered(at_ms=1000 * entered, side=self.by),
            HandLeft(at_ms=1000 * left, side=self.by, depth_mm=depth),
            *shot_facts(self.run, self.before, self.struck, by=self.by),
        )
