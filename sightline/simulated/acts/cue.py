"""What players do with a cue, as they mean to: they strike a piece, or bring one along."""

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from rules.facts import Fact, Struck
from rules.geometry import Point, Seat
from sightline.simulated.acts.act import AFTER_S, Pieces, named, settled, with_one_at
from sightline.simulated.cueing import TIP_MM, stick_at, stroke_stick
from sightline.simulated.hands import OUTWARDS, Spot
from sightline.simulated.physics import Run
from sightline.simulated.scene import Scene
from sightline.simulated.truth import bodies_at, lying_after, shot_facts


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
        piece = named(self.before, self.struck)
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
    def led_s(self) -> float:
        """When the piece is where it is led to."""
        return self.come_s + self._haul_s

    @property
    def lasts_s(self) -> float:
        return self.led_s + max(AFTER_S, 0.4)

    @property
    def after(self) -> Pieces:
        return with_one_at(self.before, self.piece, self.way[-1])

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
        bodies = tuple(p.body() for p in with_one_at(self.before, self.piece, (x, y)))
        if gone >= 1.0:
            return Scene(bodies=bodies)
        lean = (0.25 * ox - 0.08 * oy, 0.25 * oy + 0.08 * ox)
        inwards = (-ox + lean[0] * 0.2, -oy + lean[1] * 0.2)
        far = hypot(*inwards)
        direction = (inwards[0] / far, inwards[1] / far)
        tip = (x - direction[0] * 800 * off, y - direction[1] * 800 * off)
        return Scene(bodies=bodies, sticks=(stick_at(tip, direction, TIP_MM + 5 + 40 * off),))

    def facts(self) -> tuple[Fact, ...]:
        start_ms, rest_ms = 1000 * self.come_s, 1000 * self.led_s
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
