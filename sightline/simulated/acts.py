"""What people do at the simulated table, one thing after another, each with its truth.

An act knows how long it lasts, what it looks like at each instant, the facts a perfect witness
would tell of it, and how the pieces lie afterwards. Times within an act count from its start.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import Protocol

from rules.board import Board, Pocket
from rules.facts import (
    Batch,
    Fact,
    HandEntered,
    HandLeft,
    Moved,
    Placed,
    Pocketed,
    Removed,
    Settled,
    Struck,
)
from rules.geometry import Point, Seat
from sightline.simulated.cueing import TIP_MM, stick_at, stroke_stick
from sightline.simulated.hands import (
    OUTWARDS,
    Spot,
    depth_over,
    fingertips_over,
    limb_at,
    resting_hand,
)
from sightline.simulated.motion import GRAVITY_MM_S2
from sightline.simulated.physics import Run
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Body, Limb, Scene
from sightline.simulated.truth import REST_MS, SUNK_MM, bodies_at, lying_after, shot_facts

AFTER_S = 1.2
STEP_S = 0.002
Pieces = tuple[Lying, ...]


class Act(Protocol):
    """Something done at the table. `before` is how the pieces lie when it starts."""

    @property
    def before(self) -> Pieces: ...

    @property
    def lasts_s(self) -> float: ...

    @property
    def after(self) -> Pieces: ...

    def scene(self, at_s: float) -> Scene: ...

    def facts(self) -> tuple[Fact, ...]: ...


def settled(pieces: Pieces, rest_ms: float) -> Settled:
    """The Settled that follows once nothing has moved since `rest_ms`."""
    return Settled(at_ms=rest_ms + REST_MS, pieces=tuple(p.piece() for p in pieces))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Nobody does anything."""

    before: Pieces
    lasts_s: float = 0.5

    @property
    def after(self) -> Pieces:
        return self.before

    def scene(self, at_s: float) -> Scene:
        return Scene(bodies=tuple(p.body() for p in self.before))

    def facts(self) -> tuple[Fact, ...]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stroke:
    """A cue strikes a piece, and all run until they rest. `run` starts at the strike."""

    before: Pieces
    run: Run
    struck: str
    by: Seat | None

    @property
    def lasts_s(self) -> float:
        return self.run.rest_s + AFTER_S

    @property
    def after(self) -> Pieces:
        return lying_after(self.run, self.before)

    def scene(self, at_s: float) -> Scene:
        first = self.run.paths[self.struck][1]
        piece = next(p for p in self.before if p.name == self.struck)
        stick = stroke_stick(
            (piece.x_mm, piece.y_mm),
            piece.radius_mm,
            (first.vx_mm_s, first.vy_mm_s),
            self.run.start_s - at_s,
        )
        return Scene(
            bodies=bodies_at(self.run, self.before, at_s),
            sticks=() if stick is None else (stick,),
        )

    def facts(self) -> tuple[Fact, ...]:
        return shot_facts(self.run, self.before, self.struck, by=self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Haul:
    """The cue brings a piece along a polyline, tip on it all the way, and lifts off."""

    before: Pieces
    piece: str
    way: tuple[Spot, ...]
    by: Seat
    speed_mm_s: float = 220.0
    come_s: float = 0.45

    @property
    def _long_mm(self) -> float:
        return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(self.way))

    @property
    def _haul_s(self) -> float:
        return 1.5 * self._long_mm / self.speed_mm_s

    @property
    def lasts_s(self) -> float:
        return self.come_s + self._haul_s + max(AFTER_S, 0.4)

    @property
    def after(self) -> Pieces:
        x, y = self.way[-1]
        return tuple(replace(p, x_mm=x, y_mm=y) if p.name == self.piece else p for p in self.before)

    def _place(self, at_s: float) -> Spot:
        share = min(1.0, max(0.0, (at_s - self.come_s) / self._haul_s)) if self._haul_s else 1.0
        left = self._long_mm * share * share * (3 - 2 * share)
        for a, b in pairwise(self.way):
            long = hypot(b[0] - a[0], b[1] - a[1])
            if left <= long and long > 0:
                return (a[0] + (b[0] - a[0]) * left / long, a[1] + (b[1] - a[1]) * left / long)
            left -= long
        return self.way[-1]

    def scene(self, at_s: float) -> Scene:
        x, y = self._place(at_s)
        ox, oy = OUTWARDS[self.by]
        # the cue comes in low over the border, sets its tip down on the piece, and goes again
        away = max(0.0, (self.come_s - at_s) / self.come_s)
        gone = max(0.0, at_s - self.come_s - self._haul_s) / 0.4
        off = max(away, gone)
        bodies = tuple(
            replace(p.body(), x_mm=x, y_mm=y) if p.name == self.piece else p.body()
            for p in self.before
        )
        if gone >= 1.0:
            return Scene(bodies=bodies)
        lean = (0.25 * ox - 0.08 * oy, 0.25 * oy + 0.08 * ox)
        inwards = (-ox + lean[0] * 0.2, -oy + lean[1] * 0.2)
        far = hypot(*inwards)
        direction = (inwards[0] / far, inwards[1] / far)
        tip = (x - direction[0] * 800 * off, y - direction[1] * 800 * off)
        return Scene(bodies=bodies, sticks=(stick_at(tip, direction, TIP_MM + 5 + 40 * off),))

    def facts(self) -> tuple[Fact, ...]:
        start_ms, rest_ms = 1000 * self.come_s, 1000 * (self.come_s + self._haul_s)
        x, y = self.way[0]
        return (
            Struck(
                at_ms=start_ms,
                piece=self.piece,
                at=Point(x, y),
                speed_mm_s=self.speed_mm_s,
                by=self.by,
                dragged=True,
            ),
            settled(self.after, rest_ms),
        )


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
        return tuple(
            replace(p, x_mm=self.to[0], y_mm=self.to[1]) if p.name == self.piece else p
            for p in self.before
        )

    def scene(self, at_s: float) -> Scene:
        piece = next(p for p in self.before if p.name == self.piece)
        share = min(1.0, max(0.0, (at_s - self.at_s) / self.takes_s))
        share = share * (2 - share)
        x = piece.x_mm + (self.to[0] - piece.x_mm) * share
        y = piece.y_mm + (self.to[1] - piece.y_mm) * share
        bodies = tuple(
            replace(p.body(), x_mm=x, y_mm=y) if p.name == self.piece else p.body()
            for p in self.before
        )
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
        piece = next(p for p in self.before if p.name == self.piece)
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
        piece = next(p for p in self.before if p.name == self.piece)
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
                share = share * share * (3 - 2 * share)
                return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
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
        share = max(0.0, share)
        share = share * share * (3 - 2 * share)
        at = (out[0] + (self.to[0] - out[0]) * share, out[1] + (self.to[1] - out[1]) * share)
        return limb_at(self.board, self.by, at, 45.0)

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


def hand_times(board: Board, limb_at_s: "LimbAt", until_s: float) -> tuple[float, float, float]:
    """When a limb came over the surface, when it left, and how far it projected over it."""
    instants = [k * STEP_S for k in range(int(until_s / STEP_S) + 1)]
    depths = [depth_over(board, limb_at_s(t)) for t in instants]
    over = [t for t, depth in zip(instants, depths, strict=True) if depth > 0]
    if not over:
        raise ValueError("the limb never came over the surface")
    return over[0], over[-1], max(depths)


class LimbAt(Protocol):
    def __call__(self, at_s: float, /) -> Limb: ...


def act_facts(act: Act, start_ms: float) -> Sequence[Fact]:
    """The truth of an act that started at `start_ms`, in match time and in order of time."""
    return sorted((_later(fact, start_ms) for fact in act.facts()), key=lambda fact: fact.at_ms)


def _later(fact: Fact, by_ms: float) -> Fact:
    if isinstance(fact, Batch):
        parts = tuple(_later(part, by_ms) for part in fact.facts)
        return replace(fact, at_ms=fact.at_ms + by_ms, facts=parts)
    return replace(fact, at_ms=fact.at_ms + by_ms)
