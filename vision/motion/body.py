"""A piece that is being followed: what is known of it, and its measured places."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.motion.fitting import Fix
from vision.motion.stamp import Cover, Stamp
from vision.motion.tint import Tint

View = tuple[slice, slice]
_GOOD, _FAIR = 0.7, 0.4
CUED = ("cue-puck", "striker", "cue-ball")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A piece as it lies when tracking begins."""

    name: str
    kind: str
    colour: str
    x_mm: float
    y_mm: float
    error_mm: float
    radius_mm: float
    thickness_mm: float
    hole_mm: float = 0.0


@dataclass(slots=True)
class Sample:
    """One measured place; `at_ms` is the start of the frame's exposure.

    `in_hand`: a hand lay all about, and what was seen there was little like the piece.
    """

    at_ms: float
    frame: int
    x_mm: float
    y_mm: float
    error_mm: float
    share: float
    in_hand: bool = False


@dataclass(frozen=True, slots=True)
class Seal:
    """What a piece at rest looked like when it was last measured: equal pixels, equal place."""

    view: View
    pixels: NDArray[np.uint8]
    fix: Fix


@dataclass(slots=True)
class Bared:
    """A place that a piece has left: what it looked like last, and for how many frames so."""

    place: tuple[float, float]
    pixels: NDArray[np.uint8] | None = None
    still: int = 0


@dataclass(slots=True)
class Body:
    known: Known
    stamp: Stamp
    home: tuple[float, float]  # where it lies, or last lay, at rest
    x_mm: float
    y_mm: float
    vx_mm_s: float = 0.0
    vy_mm_s: float = 0.0
    awake: bool = False
    moved: bool = False
    lost: int = 0
    gone: bool = False
    flew: tuple[float, float, float] | None = None  # ms, mm: seen in the air past the border
    still: int = 0
    samples: list[Sample] = field(default_factory=list)
    covered: list[tuple[Sample, ...]] = field(default_factory=list)  # places to be borne out
    under: list[Bared] = field(default_factory=list)  # places to mend
    best: float = 0.8  # how well its stamp explains it where it lay
    speed: float = 0.0  # when last seen
    pace: float = 0.0  # how fast it lately was: a cushion slows it only for a frame
    push: float = 0.0  # how fast what may have hit it ran, until it has run by itself
    inside: int = 0  # frames in a pocket's mouth
    runs: int = 0  # samples since it began to run
    seal: Seal | None = None
    tint: Tint | None = None

    @property
    def enough(self) -> float:
        """How much of it must be explained to take a fit without looking elsewhere."""
        return max(_GOOD, 0.82 * self.best) if self.moved else max(0.96 * self.best, 0.82)

    @property
    def least(self) -> float:
        """How much of it must be explained to be taken for it at all."""
        return max(_FAIR, 0.5 * self.best)

    @property
    def mass(self) -> float:
        return self.known.radius_mm**2 * self.known.thickness_mm

    @property
    def cued(self) -> bool:
        """Whether a cue or a finger may strike it."""
        return self.known.kind in CUED

    @property
    def last(self) -> tuple[float, float]:
        """Where it was last seen."""
        return (self.samples[-1].x_mm, self.samples[-1].y_mm) if self.samples else self.home

    def cover(
        self, fix: Fix | None, place: tuple[float, float], blur: tuple[float, float]
    ) -> Cover:
        """The piece as something that hides others: as fitted, else at a guessed `place`."""
        if fix is None:
            return Cover(self.stamp, *place, blur)
        return Cover(self.stamp, fix.x_mm, fix.y_mm, blur, fix.gain)
