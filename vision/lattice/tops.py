"""What the top of a piece looks like, as taught."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.board import PieceSpec

GREY, PALE, WHITE = 0.06, 0.15, 0.5
"""A weaker tint than that is none, nor one of so small a share of a top's brightness; white sends
back this of all light."""
TOP_TINT = (0.35, 2.5)
"""A top's tint is seen from so much to so much of the taught."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Top:
    """The light (B, G, R) a piece's top sends back in the empty picture's light, as taught: its
    `tint`, how strong that is, and how `bright` it is."""

    spec: PieceSpec
    light: tuple[float, float, float]
    tint: NDArray[np.float64]
    strength: float
    bright: float

    @property
    def grey(self) -> bool:
        """Whether it has no colour to speak of: black, grey or white, a warm white, too."""
        return is_grey(self.strength, self.bright)


def is_grey(strength: float, bright: float) -> bool:
    """Whether a tint so strong, on a top so bright, is no colour to speak of."""
    return strength < max(GREY, PALE * bright)
