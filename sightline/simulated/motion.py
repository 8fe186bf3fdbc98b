"""How one disc moves between two events: sliding straight, in flight, or falling."""

from dataclasses import dataclass
from enum import StrEnum
from math import hypot, sqrt

GRAVITY_MM_S2 = 9806.65


class Phase(StrEnum):
    SLIDING = "sliding"
    OVER_POCKET = "over pocket"
    CAUGHT = "caught"
    FLYING = "flying"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A disc's motion from `start_s` on: along its velocity, slowed until it stops.

    `lift_mm` and `lift_mm_s` are its foot's height and climb at the start of the stretch; a disc
    that slides has neither. The last stretch of a disc has no end.
    """

    start_s: float
    x_mm: float
    y_mm: float
    vx_mm_s: float = 0.0
    vy_mm_s: float = 0.0
    slowing_mm_s2: float = 0.0
    phase: Phase = Phase.SLIDING
    lift_mm: float = 0.0
    lift_mm_s: float = 0.0

    @property
    def speed_mm_s(self) -> float:
        return hypot(self.vx_mm_s, self.vy_mm_s)

    @property
    def lasts_s(self) -> float:
        """How long it takes to stop; infinite where nothing slows it, 0 at rest."""
        speed = self.speed_mm_s
        if speed == 0.0:
            return 0.0
        return speed / self.slowing_mm_s2 if self.slowing_mm_s2 > 0 else float("inf")

    def way_mm(self, after_s: float) -> float:
        """How far it has come `after_s` from the start of the stretch."""
        run = min(after_s, self.lasts_s)
        return self.speed_mm_s * run - 0.5 * self.slowing_mm_s2 * run * run

    def place(self, at_s: float) -> tuple[float, float]:
        """(x, y) of its centre, mm."""
        speed = self.speed_mm_s
        if speed == 0.0:
            return self.x_mm, self.y_mm
        share = self.way_mm(max(0.0, at_s - self.start_s)) / speed
        return self.x_mm + self.vx_mm_s * share, self.y_mm + self.vy_mm_s * share

    def velocity(self, at_s: float) -> tuple[float, float]:
        """(vx, vy), mm/s."""
        speed = self.speed_mm_s
        if speed == 0.0:
            return 0.0, 0.0
        run = max(0.0, at_s - self.start_s)
        share = max(0.0, speed - self.slowing_mm_s2 * run) / speed
        return self.vx_mm_s * share, self.vy_mm_s * share

    def height_mm(self, at_s: float) -> float:
        """The height of its foot above the surface (below it in a pocket)."""
        if self.phase is Phase.SLIDING:
            return 0.0
        run = max(0.0, at_s - self.start_s)
        return self.lift_mm + self.lift_mm_s * run - 0.5 * GRAVITY_MM_S2 * run * run

    def climb_mm_s(self, at_s: float) -> float:
        if self.phase is Phase.SLIDING:
            return 0.0
        return self.lift_mm_s - GRAVITY_MM_S2 * max(0.0, at_s - self.start_s)

    def when_after(self, way_mm: float) -> float | None:
        """Seconds after the start at which it has come `way_mm`; None where it stops before."""
        speed = self.speed_mm_s
        rest = speed * speed - 2.0 * self.slowing_mm_s2 * way_mm
        if way_mm < 0.0 or speed == 0.0 or rest < 0.0:
            return None
        return 2.0 * way_mm / (speed + sqrt(rest))
