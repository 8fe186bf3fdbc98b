"""What nobody meant: a cue brushes a piece, a piece topples, a hand comes over the surface."""

from dataclasses import dataclass, replace
from math import hypot

from rules.board import Board, Pocket
from rules.facts import Fact, HandEntered, HandLeft, Moved, Pocketed
from rules.geometry import Point, Seat
from sightline.simulated.acts.act import AFTER_S, Pieces, hand_times, named, settled, with_one_at
from sightline.simulated.cueing import stick_at
from sightline.simulated.hands import OUTWARDS, Spot, eased, limb_at, resting_hand
from sightline.simulated.motion import GRAVITY_MM_S2
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Limb, Scene
from sightline.simulated.truth import SUNK_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class Brush:
    """The cue, on its way, brushes a piece aside."""

    before: Pieces
    piece: str
    to: Spot
    by: Seat
    at_s: float = 0.6
    takes_s: float = 0.12

    @property
    def lasts_s(self) -> float:
        return self.at_s + self.takes_s + AFTER_S

    @property
    def after(self) -> Pieces:
        return with_one_at(self.before, self.piece, self.to)

    def scene(self, at_s: float) -> Scene:
        piece = named(self.before, self.piece)
        share = min(1.0, max(0.0, (at_s - self.at_s) / self.takes_s))
        share = share * (2 - share)
        x = piece.x_mm + (self.to[0] - piece.x_mm) * share
        y = piece.y_mm + (self.to[1] - piece.y_mm) * share
        bodies = tuple(p.body() for p in with_one_at(self.before, self.piece, (x, y)))
        far = hypot(self.to[0] - piece.x_mm, self.to[1] - piece.y_mm)
        ux, uy = (self.to[0] - piece.x_mm) / far, (self.to[1] - piece.y_mm) / far
        come = max(0.0, (self.at_s - at_s) / self.at_s)
        go = max(0.0, (at_s - self.at_s - self.takes_s - 0.1) / 0.4)
        if go >= 1:
            return Scene(bodies=bodies)
        off = 700 * max(come, go)
        ox, oy = OUTWARDS[self.by]
        tip = (x - ux * (piece.radius_mm + 5) + ox * off, y - uy * (piece.radius_mm + 5) + oy * off)
        return Scene(bodies=bodies, sticks=(stick_at(tip, (-ox, -oy)),))

    def facts(self) -> tuple[Fact, ...]:
        piece = named(self.before, self.piece)
        rest_ms = 1000 * (self.at_s + self.takes_s)
        return (
            Moved(
                at_ms=rest_ms,
                piece=self.piece,
                before=Point(piece.x_mm, piece.y_mm),
                after=Point(*self.to),
                by=self.by,
            ),
            settled(self.after, rest_ms),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Topple:
    """A piece on the brink of a pocket falls in by itself."""

    before: Pieces
    piece: str
    into: Pocket
    at_s: float = 0.3
    takes_s: float = 0.3

    @property
    def lasts_s(self) -> float:
        return self.at_s + self.takes_s + 0.2 + AFTER_S

    @property
    def after(self) -> Pieces:
        return tuple(p for p in self.before if p.name != self.piece)

    def _ways(self) -> tuple[Lying, float, float]:
        """The piece, how far it is from the pocket's centre, and how far that is past the rim."""
        piece = named(self.before, self.piece)
        centre = self.into.centre
        far = hypot(piece.x_mm - centre.x_mm, piece.y_mm - centre.y_mm)
        return piece, far, far - self.into.radius_mm

    def scene(self, at_s: float) -> Scene:
        piece, far, out = self._ways()
        share = max(0.0, (at_s - self.at_s) / self.takes_s)
        gone = out * min(share, 2.2) ** 2
        sunk = max(0.0, at_s - self.at_s - self.takes_s)
        lift = -0.5 * GRAVITY_MM_S2 * sunk * sunk
        bodies = [p.body() for p in self.before if p.name != self.piece]
        if lift > -SUNK_MM:
            keep = (far - gone) / far
            centre = self.into.centre
            bodies.append(
                replace(
                    piece.body(),
                    x_mm=centre.x_mm + (piece.x_mm - centre.x_mm) * keep,
                    y_mm=centre.y_mm + (piece.y_mm - centre.y_mm) * keep,
                    lift_mm=lift,
                )
            )
        return Scene(bodies=tuple(bodies))

    def facts(self) -> tuple[Fact, ...]:
        fell_ms = 1000 * (self.at_s + self.takes_s)
        return (
            Pocketed(at_ms=fell_ms, piece=self.piece, pocket=self.into.id),
            settled(self.after, fell_ms + 120),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Intrude:
    """A hand comes over the surface where it has no business, and goes."""

    before: Pieces
    by: Seat
    to: Spot
    board: Board
    reach_s: float = 0.4
    stay_s: float = 0.35

    @property
    def lasts_s(self) -> float:
        return 2 * self.reach_s + self.stay_s + AFTER_S

    @property
    def after(self) -> Pieces:
        return self.before

    def _limb(self, at_s: float) -> Limb:
        out = resting_hand(self.board, self.by, self.to)
        share = min(
            1.0,
            at_s / self.reach_s,
            max(0.0, (2 * self.reach_s + self.stay_s - at_s)) / self.reach_s,
        )
        return limb_at(self.board, self.by, eased(out, self.to, max(0.0, share)), 45.0)

    def scene(self, at_s: float) -> Scene:
        bodies = tuple(p.body() for p in self.before)
        if at_s >= 2 * self.reach_s + self.stay_s:
            return Scene(bodies=bodies)
        return Scene(bodies=bodies, limbs=(self._limb(at_s),))

    def facts(self) -> tuple[Fact, ...]:
        entered, left, depth = hand_times(self.board, self._limb, 2 * self.reach_s + self.stay_s)
        return (
            HandEntered(at_ms=1000 * entered, side=self.by, depth_mm=depth),
            HandLeft(at_ms=1000 * left, side=self.by, depth_mm=depth),
            settled(self.before, 1000 * left),
        )
