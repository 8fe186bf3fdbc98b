"""The measured places of one piece through a spell of motion."""

from dataclasses import dataclass, replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_LAST = 4
_OFF_MM = 1.0
SMEARED = 0.03  # of its smear: so far along its way a piece may be placed amiss


@dataclass(frozen=True, slots=True)
class Track:
    """All measured places of one piece: (n,) seconds at mid-exposure, mm, one sd per axis in mm."""

    name: str
    kind: str
    radius_mm: float
    mass: float
    home: tuple[float, float]
    home_error_mm: float
    t: Floats
    x: Floats
    y: Floats
    sigma: Floats
    lost: bool = False  # it was moving and was not seen again
    laid: tuple[float, float] | None = None  # where a still picture saw it lie, if one did
    flew: tuple[float, float, float] | None = None  # seconds, mm: where it was seen in the air
    sank: bool = False  # seen in a mouth in a way in which nothing flies over it
    lay_s: float | None = None  # until when it surely lay at home, though it was not measured
    seen_s: float | None = None  # when it was last measured at home
    taken: bool = False  # from home by a hand, unseen, and then it ran from nobody knows where
    brought: tuple[float, float, float] | None = None  # seconds, mm: by a hand, when, from where

    def part(self, which: slice | NDArray[np.intp]) -> "Track":
        """The same piece, with some of its places."""
        return replace(
            self, t=self.t[which], x=self.x[which], y=self.y[which], sigma=self.sigma[which]
        )

    def smeared(self, exposure_s: float) -> "Track":
        """The same piece, each place known worse the farther it ran while the shutter was open.

        Its speed there is the lower of those before and after: between two of its places a knock
        may have slowed it.
        """
        if len(self.t) < 2:
            return self
        speed = np.hypot(np.diff(self.x), np.diff(self.y)) / np.maximum(np.diff(self.t), 1e-6)
        came, goes = np.concatenate([speed[:1], speed]), np.concatenate([speed, speed[-1:]])
        off = np.flatnonzero(self.is_off())[:1]
        came[off] = goes[off]  # nobody knows when it set off
        slower = np.minimum(came, goes)
        return replace(self, sigma=np.hypot(self.sigma, SMEARED * exposure_s * slower))

    def away_mm(self) -> Floats:
        """(n,) how far each place is from home."""
        return np.hypot(self.x - self.home[0], self.y - self.home[1])

    def at_home(self) -> NDArray[np.bool_]:
        """(n,) which places may be home, as far as they are known."""
        return self.away_mm() < 3.0 * self.sigma

    def is_off(self) -> NDArray[np.bool_]:
        """(n,) which places are surely not home."""
        return self.away_mm() >= _OFF_MM + 4 * self.sigma

    def way_mm(self, place: tuple[float, float]) -> float:
        """How far `place` is from home."""
        return hypot(place[0] - self.home[0], place[1] - self.home[1])

    def rests_at(self) -> tuple[float, float]:
        """The median of the last places."""
        return float(np.median(self.x[-_LAST:])), float(np.median(self.y[-_LAST:]))
