"""A hand carries pieces."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot

from rules.board import Board
from rules.facts import Fact, HandEntered, HandLeft, Moved, Placed, Removed
from rules.geometry import Point, Seat
from sightline.simulated.acts.act import AFTER_S, Pieces, hand_times, settled
from sightline.simulated.hands import Spot, eased, fingertips_over, limb_at, resting_hand
from sightline.simulated.scene import Body, Limb, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """A hand carries pieces, as one group: onto the surface, over it, or away.

    `pieces` lie as they will lie in the end; of those that are taken away, as they lay. Where
    `moves_from` is given, the middle of the group lies there before, else it comes from aside.
    """

    before: Pieces
    pieces: Pieces
    by: Seat
    board: Board
    brings: bool = True
    moves_from: Spot | None = None
    reach_s: float = 0.45
    dwell_s: float = 0.15
    quiet_s: float = AFTER_S

    def hurried(self) -> "Carry":
        """The same with hardly a pause after it, because another follows."""
        return replace(self, quiet_s=0.05)

    @property
    def _grip(self) -> Spot:
        """The place in the group that the hand holds, at its end."""
        count = len(self.pieces)
        return (
            sum(p.x_mm for p in self.pieces) / count,
            sum(p.y_mm for p in self.pieces) / count,
        )

    @property
    def _names(self) -> frozenset[str]:
        return frozenset(p.name for p in self.pieces)

    @property
    def _legs(self) -> tuple[tuple[float, Spot], ...]:
        """(time, place of the grip): in, at the piece, at its new place, out."""
        grip = self._grip
        out = resting_hand(self.board, self.by, grip)
        if self.moves_from is not None:
            carry_s = 0.4 + 0.0008 * hypot(
                grip[0] - self.moves_from[0], grip[1] - self.moves_from[1]
            )
            start = resting_hand(self.board, self.by, self.moves_from)
            steps = [
                (0.0, start),
                (self.reach_s, self.moves_from),
                (self.dwell_s, self.moves_from),
                (carry_s, grip),
                (self.dwell_s, grip),
                (self.reach_s, out),
            ]
        else:
            steps = [(0.0, out), (self.reach_s, grip), (self.dwell_s, grip), (self.reach_s, out)]
        legs, at_s = [], 0.0
        for takes_s, place in steps:
            at_s += takes_s
            legs.append((at_s, place))
        return tuple(legs)

    @property
    def _over_s(self) -> float:
        return self._legs[-1][0]

    @property
    def lasts_s(self) -> float:
        return self._over_s + self.quiet_s

    @property
    def after(self) -> Pieces:
        kept = tuple(p for p in self.before if p.name not in self._names)
        return (*kept, *self.pieces) if self.brings else kept

    def _grip_at(self, at_s: float) -> Spot:
        legs = self._legs
        for (t0, a), (t1, b) in pairwise(legs):
            if at_s <= t1:
                share = 0.0 if t1 == t0 else max(0.0, (at_s - t0) / (t1 - t0))
                return eased(a, b, share)
        return legs[-1][1]

    def _holds(self, at_s: float) -> bool:
        legs = self._legs
        if self.moves_from is not None:
            return legs[2][0] <= at_s < legs[3][0]
        return at_s < legs[1][0] if self.brings else at_s >= legs[2][0]

    def scene(self, at_s: float) -> Scene:
        if at_s >= self._over_s:
            return Scene(bodies=tuple(p.body() for p in self.after))
        grip = self._grip_at(at_s)
        others = [p.body() for p in self.before if p.name not in self._names]
        end = self._grip
        bodies: list[Body] = []
        for p in self.pieces:
            if self._holds(at_s):
                bodies.append(
                    replace(
                        p.body(),
                        x_mm=p.x_mm + grip[0] - end[0],
                        y_mm=p.y_mm + grip[1] - end[1],
                        lift_mm=14.0,
                    )
                )
            elif self.moves_from is not None and at_s < self._legs[2][0]:
                dx, dy = self.moves_from[0] - end[0], self.moves_from[1] - end[1]
                bodies.append(replace(p.body(), x_mm=p.x_mm + dx, y_mm=p.y_mm + dy))
            else:
                bodies.append(p.body())
        return Scene(bodies=(*others, *bodies), limbs=(self._limb(grip),))

    def _limb(self, grip: Spot) -> Limb:
        return limb_at(self.board, self.by, fingertips_over(self.board, self.by, grip), 34.0)

    def facts(self) -> tuple[Fact, ...]:
        entered, left, depth = hand_times(
            self.board, lambda t: self._limb(self._grip_at(t)), self._over_s
        )
        told: list[Fact] = [HandEntered(at_ms=1000 * entered, side=self.by)]
        told.append(HandLeft(at_ms=1000 * left, side=self.by, depth_mm=depth))
        end_ms = 1000 * left
        lay = {p.name: p for p in self.before}
        for p in self.pieces:
            if not self.brings:
                told.append(Removed(at_ms=end_ms, piece=p.name, by=self.by))
            elif p.name in lay:
                was = lay[p.name]
                told.append(
                    Moved(
                        at_ms=end_ms,
                        piece=p.name,
                        before=Point(was.x_mm, was.y_mm),
                        after=Point(p.x_mm, p.y_mm),
                        by=self.by,
                    )
                )
            else:
                told.append(Placed(at_ms=end_ms, piece=p.piece(), by=self.by))
        if self.quiet_s >= AFTER_S:
            told.append(settled(self.after, end_ms))
        return tuple(told)
