"""Two strokes, the second by somebody who does not wait until the table is left alone."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from math import hypot, pi, sin

from calibration.table import Table
from rules.facts import Fact
from rules.geometry import Seat
from sightline.simulated.acts.act import Pieces, act_facts, named, with_one_at
from sightline.simulated.acts.cue import Haul, Stroke
from sightline.simulated.carrom.flick import PUSH_S, Flick
from sightline.simulated.carrom.players import SLOWING_MM_S2
from sightline.simulated.cueing import TIP_MM, stick_at, stroke_offset_mm
from sightline.simulated.director import SLOWING_MM_S2 as CUED_SLOWING_MM_S2
from sightline.simulated.hands import Spot, eased
from sightline.simulated.physics import play
from sightline.simulated.pieces import surface_of
from sightline.simulated.scene import Scene, Stick

SWINGS_S = 0.76  # before it strikes, a cue that swings lies behind what it will strike
_GOES_BEHIND_S, _LIFTED_MM = 0.35, 60.0
_FEATHERS_MM, _FEATHERED_S = (40.0, 25.0), 0.8


class Twice(ABC):
    """`one` is done, then something else from `from_s` on; both strokes can be told of it."""

    def __init__(self, one: Flick | Stroke, two: Flick | Stroke | Haul, from_s: float) -> None:
        self.one, self.two, self.from_s = one, two, from_s

    @property
    def before(self) -> Pieces:
        return self.one.before

    @property
    def after(self) -> Pieces:
        return self.two.after

    @property
    def second_from_s(self) -> float:
        """When the act of the second stroke begins."""
        return self.from_s

    @property
    def lasts_s(self) -> float:
        return self.second_from_s + self.two.lasts_s

    @abstractmethod
    def scene(self, at_s: float) -> Scene:
        """What stands before the camera at an instant."""

    def strokes(self) -> tuple[Sequence[Fact], Sequence[Fact]]:
        """The truth of each stroke, in the act's own time."""
        return act_facts(self.one, 0.0), act_facts(self.two, 1000 * self.second_from_s)

    def facts(self) -> tuple[Fact, ...]:
        one, two = self.strokes()
        return (*one, *two)


class Then(Twice):
    """The second only once all has lain still for a while."""

    def scene(self, at_s: float) -> Scene:
        return self.one.scene(at_s) if at_s < self.from_s else self.two.scene(at_s - self.from_s)


class FlickedAgain(Twice):
    """A hand fetches the striker, from wherever it came to lie, and flicks it in the same visit."""

    def scene(self, at_s: float) -> Scene:
        one = self.one.scene(at_s)
        if at_s < self.from_s:
            return one
        two = self.two.scene(at_s - self.from_s)
        if at_s < self.from_s + PUSH_S[0]:  # till then it fetches nothing, and men may run yet
            return replace(two, bodies=one.bodies, limbs=(*one.limbs, *two.limbs))
        return two


def flicked_again(
    table: Table,
    one: Flick,
    at: Spot,
    aim: Spot,
    speed_mm_s: float,
    *,
    from_s: float,
    struck_s: float,
) -> FlickedAgain:
    """The striker flicked once more, from `at` towards `aim`; it must lie on the board after `one`.

    The hand comes at `from_s`, and flicks it `struck_s` later.
    """
    lay = named(one.after, "striker")
    laid = with_one_at(one.after, "striker", at)
    surface = surface_of(table.board, slowing_mm_s2=SLOWING_MM_S2)
    sent = push(at, aim, speed_mm_s)
    run = play(surface, [p.disc() for p in laid], {"striker": sent}, start_s=struck_s)
    two = Flick(
        before=laid,
        run=run,
        struck="striker",
        by=Seat.S,
        board=table.board,
        pushed_from=(lay.x_mm, lay.y_mm),
    )
    return FlickedAgain(one, two, from_s)


class LedAndStruck(Twice):
    """A cue leads the cue-puck home, swings behind it and strikes, and never goes in between."""

    def __init__(
        self, one: Stroke, haul: Haul, two: Stroke, from_s: float, feathers_s: float
    ) -> None:
        super().__init__(one, two, from_s)
        self.haul, self.feathers_s = haul, feathers_s

    @property
    def led_s(self) -> float:
        """When the cue-puck is at home."""
        return self.from_s + self.haul.led_s

    @property
    def _behind_s(self) -> float:
        return self.led_s + _GOES_BEHIND_S

    @property
    def second_from_s(self) -> float:
        return self._behind_s + self.feathers_s - self.two.run.start_s

    def scene(self, at_s: float) -> Scene:
        if at_s < self.from_s:
            return self.one.scene(at_s)
        if at_s < self.led_s:
            led = self.haul.scene(at_s - self.from_s)
            return replace(led, sticks=(*led.sticks, *self.one.scene(at_s).sticks))
        before_s = self._behind_s + self.feathers_s - at_s
        if at_s >= self._behind_s and before_s <= SWINGS_S:
            return self.two.scene(at_s - self.second_from_s)
        stick = self._goes_behind(at_s) if at_s < self._behind_s else self._feathers(at_s)
        return Scene(bodies=tuple(p.body() for p in self.two.before), sticks=(stick,))

    @property
    def _way(self) -> Spot:
        first = self.two.run.paths[self.two.struck][1]
        far = hypot(first.vx_mm_s, first.vy_mm_s)
        return first.vx_mm_s / far, first.vy_mm_s / far

    def _tip(self, offset_mm: float) -> Spot:
        """So far ahead of the rim of what it will strike, along the stroke."""
        cue, (ux, uy) = named(self.two.before, self.two.struck), self._way
        reach = offset_mm - cue.radius_mm
        return cue.x_mm + ux * reach, cue.y_mm + uy * reach

    def _feathers(self, at_s: float) -> Stick:
        middle, swing = _FEATHERS_MM
        turn = 2 * pi * (at_s - self._behind_s) / _FEATHERED_S
        return stick_at(self._tip(swing * sin(turn) - middle), self._way, TIP_MM)

    def _goes_behind(self, at_s: float) -> Stick:
        share = (at_s - self.led_s) / _GOES_BEHIND_S
        on_top = self.haul.scene(self.haul.led_s).sticks[0]
        swings = self.feathers_s <= SWINGS_S
        behind = self._tip(stroke_offset_mm(self.feathers_s) if swings else -_FEATHERS_MM[0])
        tip = eased((on_top.tip_mm[0], on_top.tip_mm[1]), behind, share)
        led = (on_top.tip_mm[0] - on_top.butt_mm[0], on_top.tip_mm[1] - on_top.butt_mm[1])
        far = hypot(*led)
        x, y = eased((led[0] / far, led[1] / far), self._way, share)
        long = hypot(x, y) or 1.0
        return stick_at(tip, (x / long, y / long), TIP_MM + _LIFTED_MM * sin(pi * share))


def led_and_struck(
    table: Table,
    one: Stroke,
    way: tuple[Spot, ...],
    aim: Spot,
    speed_mm_s: float,
    *,
    from_s: float,
    feathers_s: float,
) -> LedAndStruck:
    """The cue-puck led along `way`, and struck from its end towards `aim`.

    The cue comes at `from_s`, and swings behind the cue-puck for `feathers_s` (`SWINGS_S` or more).
    """
    laid = with_one_at(one.after, "cue-puck", way[-1])
    surface = surface_of(table.board, slowing_mm_s2=CUED_SLOWING_MM_S2)
    sent = push(way[-1], aim, speed_mm_s)
    run = play(surface, [p.disc() for p in laid], {"cue-puck": sent}, start_s=SWINGS_S)
    two = Stroke(before=laid, run=run, struck="cue-puck", by=Seat.S)
    haul = Haul(before=one.after, piece="cue-puck", way=way, by=Seat.S)
    return LedAndStruck(one, haul, two, from_s, feathers_s)


def push(at: Spot, aim: Spot, speed_mm_s: float) -> Spot:
    """A speed in mm/s along x and y, from one place towards another."""
    dx, dy = aim[0] - at[0], aim[1] - at[1]
    part = speed_mm_s / hypot(dx, dy)
    return dx * part, dy * part
