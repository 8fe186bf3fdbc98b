"""One frame in which pieces are looked for: what is known of it, and who was found where by now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.tracking.body import Body
from vision.tracking.falling import Disc
from vision.tracking.fitting import Fix
from vision.tracking.foresight import Runner, foresee
from vision.tracking.ground import Ground
from vision.tracking.hands import HandWatch
from vision.tracking.stamp import Cover
from vision.tracking.twins import alike

Gray = NDArray[np.uint8]


@dataclass(slots=True, kw_only=True)
class Instant:
    """A frame, and all pieces that move in it, or may be about to: the `awake` ones.

    `bodies` are all pieces. `runners` say where each of the awake is thought to be, `fixes` where
    it was found, by its number among them, `half_seen` at which places it was looked for.
    Since `still_since_ms` nothing that is not small or slow has changed in the picture.
    The frame before it was taken `frame_s` earlier, and every `period_s` the camera takes one.
    `in_colour` gives the same picture in colour.
    """

    ground: Ground
    board: Board
    hands: HandWatch
    picture: Gray
    at_ms: float
    frame: int
    frame_s: float
    period_s: float
    exposure_s: float
    still_since_ms: float
    in_colour: Callable[[], Gray] | None
    bodies: Sequence[Body]
    awake: list[Body] = field(init=False)
    runners: list[Runner] = field(init=False)
    fixes: dict[int, Fix] = field(default_factory=dict)
    half_seen: dict[int, list[Fix]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.awake = [b for b in self.bodies if b.awake and not b.gone]
        self.runners = [
            Runner(b.x_mm, b.y_mm, b.vx_mm_s, b.vy_mm_s, b.known.radius_mm, b.mass)
            for b in self.awake
        ]
        if any(b.vx_mm_s or b.vy_mm_s for b in self.awake):
            foresee(self.runners, self.frame_s, self.board.width_mm / 2, self.board.height_mm / 2)

    def found(self) -> list[tuple[Body, Fix]]:
        """Each piece that was found by now, and where."""
        return [(self.awake[k], found) for k, found in self.fixes.items()]

    def place(self, k: int) -> tuple[float, float]:
        """Where a piece was found by now, or is thought to be."""
        found = self.fixes.get(k)
        return self.awake[k].last if found is None else (found.x_mm, found.y_mm)

    def cover(self, k: int) -> Cover:
        """What a piece hides: where it was found by now, or is thought to be."""
        runner = self.runners[k]
        blur = (runner.vx_mm_s * self.exposure_s, runner.vy_mm_s * self.exposure_s)
        return self.awake[k].cover(self.fixes.get(k), (runner.x_mm, runner.y_mm), blur)

    def blur(self, body: Body, runner: Runner | Body, found: Fix) -> tuple[float, float]:
        """What a piece ran during the exposure: by its speed, or from rest by where it is."""
        if body.moved:
            return runner.vx_mm_s * self.exposure_s, runner.vy_mm_s * self.exposure_s
        part = self.exposure_s / (self.frame_s * min(body.lost + 1, 4))
        return (found.x_mm - body.home[0]) * part, (found.y_mm - body.home[1]) * part

    def twin_is_lost(self, k: int) -> bool:
        """Whether its like is found nowhere either."""
        lost = (other for i, other in enumerate(self.awake) if i != k and i not in self.fixes)
        return any(alike(other, self.awake[k]) for other in lost)

    def discs(self, k: int) -> list[Disc]:
        """Where all pieces lay and are now, but for where piece `k` is."""
        return [
            (x, y, other.known.radius_mm)
            for i, other in enumerate(self.awake)
            for x, y in (other.home, self.place(i))
            if i != k or (x, y) == other.home
        ]
