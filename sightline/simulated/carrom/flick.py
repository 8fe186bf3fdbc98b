"""A finger flicks the striker, pushed along the base line before perhaps, and all run."""

from dataclasses import dataclass, replace
from math import hypot

from rules.board import Board
from rules.facts import Fact, HandEntered, HandLeft, Moved
from rules.geometry import Point, Seat
from sightline.simulated.acts.act import AFTER_S, Pieces, hand_times, named
from sightline.simulated.hands import FINGER_MM, OUTWARDS, Spot, eased, limb_at, resting_hand
from sightline.simulated.physics import Run
from sightline.simulated.scene import Limb, Scene
from sightline.simulated.truth import bodies_at, lying_after, shot_facts

COME_S = 0.5
PUSH_S = (0.6, 1.1)
PUSHED_S = PUSH_S[1] + 0.25  # by then the finger is behind it
_ON_TOP_MM = 6.0  # towards the player, from the middle of what the fingertip lies on
STAY_S = 0.12
GO_S = 0.4
BACK_MM = 14.0
FOLLOW_MM = 10.0
HEIGHT_MM = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Flick:
    """The hand of the player at `by` comes in behind the striker, flicks it, and goes.

    `run` starts at the strike; it must leave the hand the time to come (`COME_S` and a little), and
    where it first pushes the striker along, from `pushed_from`, the time for that (`PUSHED_S`).
    """

    before: Pieces
    run: Run
    struck: str
    by: Seat
    board: Board
    pushed_from: Spot | None = None

    @property
    def lasts_s(self) -> float:
        return max(self.run.rest_s, self.gone_s) + AFTER_S

    @property
    def after(self) -> Pieces:
        return lying_after(self.run, self.before)

    @property
    def gone_s(self) -> float:
        """When the hand has left again."""
        return self.run.start_s + STAY_S + GO_S

    def _behind(self, offset_mm: float) -> Spot:
        """The fingertip so far behind the striker's rim, against the way it will go."""
        first = self.run.paths[self.struck][1]
        striker = named(self.before, self.struck)
        far = hypot(first.vx_mm_s, first.vy_mm_s)
        back = (striker.radius_mm + FINGER_MM + offset_mm) / far
        return striker.x_mm - first.vx_mm_s * back, striker.y_mm - first.vy_mm_s * back

    def _striker_at(self, at_s: float) -> Spot:
        """Where the striker lies, or is pushed along, before it is struck."""
        to = named(self.before, self.struck)
        if self.pushed_from is None:
            return to.x_mm, to.y_mm
        share = min(1.0, max(0.0, (at_s - PUSH_S[0]) / (PUSH_S[1] - PUSH_S[0])))
        return eased(self.pushed_from, (to.x_mm, to.y_mm), share)

    def _pushing(self, at_s: float) -> Spot:
        """The fingertip, that comes onto the striker, pushes it, and goes behind it."""
        x, y = self._striker_at(at_s)
        ox, oy = OUTWARDS[self.by]
        on_top = x + _ON_TOP_MM * ox, y + _ON_TOP_MM * oy
        if at_s < PUSH_S[0]:
            away = resting_hand(self.board, self.by, on_top)
            return eased(away, on_top, min(1.0, max(0.0, at_s / COME_S)))
        share = min(1.0, max(0.0, (at_s - PUSH_S[1]) / (PUSHED_S - PUSH_S[1])))
        return eased(on_top, self._behind(BACK_MM), share)

    def _limb(self, at_s: float) -> Limb:
        start_s = self.run.start_s
        if self.pushed_from is not None and at_s < PUSHED_S:
            return limb_at(self.board, self.by, self._pushing(at_s), HEIGHT_MM)
        drawn = self._behind(BACK_MM)
        away = resting_hand(self.board, self.by, drawn)
        if at_s < start_s - 0.04:
            at = eased(away, drawn, min(1.0, max(0.0, at_s / COME_S)))
        elif at_s < start_s:
            at = self._behind(BACK_MM * (start_s - at_s) / 0.04)
        elif at_s < start_s + STAY_S:
            at = self._behind(-FOLLOW_MM * min(1.0, (at_s - start_s) / 0.03))
        else:
            share = min(1.0, (at_s - start_s - STAY_S) / GO_S)
            at = eased(self._behind(-FOLLOW_MM), away, share)
        return limb_at(self.board, self.by, at, HEIGHT_MM)

    def scene(self, at_s: float) -> Scene:
        bodies = bodies_at(self.run, self.before, at_s)
        if self.pushed_from is not None and at_s < self.run.start_s:
            x, y = self._striker_at(at_s)
            bodies = tuple(
                replace(body, x_mm=x, y_mm=y) if body.name == self.struck else body
                for body in bodies
            )
        if at_s >= self.gone_s:
            return Scene(bodies=bodies)
        return Scene(bodies=bodies, limbs=(self._limb(at_s),))

    def facts(self) -> tuple[Fact, ...]:
        entered, left, depth = hand_times(self.board, self._limb, self.gone_s)
        return (
            HandEntered(at_ms=1000 * entered, side=self.by),
            HandLeft(at_ms=1000 * left, side=self.by, depth_mm=depth),
            *self._pushed(),
            *shot_facts(self.run, self.before, self.struck, by=self.by),
        )

    def _pushed(self) -> tuple[Fact, ...]:
        if self.pushed_from is None:
            return ()
        to = named(self.before, self.struck)
        moved = Moved(
            at_ms=1000 * PUSH_S[1],
            piece=self.struck,
            before=Point(*self.pushed_from),
            after=Point(to.x_mm, to.y_mm),
            by=self.by,
        )
        return (moved,)
