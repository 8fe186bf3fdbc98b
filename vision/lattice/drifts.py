"""How a board has drifted in the picture as a whole, told by many places at once."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

_STIFF = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """How far a board has moved, in pixels, by its middle, `moved_px`, and at its farthest place by
    turning and growing, `turned_px`, and how much it has blurred."""

    moved_px: float = 0.0
    turned_px: float = 0.0
    blur: float = 0.0

    @property
    def most_px(self) -> float:
        """By how much the place that moved farthest may have moved."""
        return self.moved_px + self.turned_px


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drifting:
    """How places change where the board drifts: by (P, 3, 5) `ways`, how much of each one's changes
    to the left, up and by blur comes of the board's moving along x, along y, turning, growing and
    blurring; `normal` (P, 5, 5) are the products of what these do."""

    ways: Floats
    normal: Floats

    def told(self, along: Floats32, places: Ints) -> Drift:
        """The drift that some `places` (Q,) tell, of how much of each change (3, P) is in all."""
        normal = self.normal.take(places, axis=0).sum(axis=0)
        normal.ravel()[:: len(normal) + 1] *= 1 + _STIFF
        ways = self.ways.take(places, axis=0).reshape(-1, len(normal))
        wanted = along.T.take(places, axis=0).reshape(-1).astype(np.float64) @ ways
        solved = cv2.solve(normal, wanted[:, None], flags=cv2.DECOMP_CHOLESKY)[1]
        x, y, turn, growth, blur = solved.ravel()
        return Drift(
            moved_px=float(np.hypot(x, y)),
            turned_px=float(np.hypot(turn, growth)),
            blur=float(blur),
        )


def drifting_of(at_px: Floats, products: Floats) -> Drifting:
    """Of places (P, 2) in the picture, with the `products` (P, 3, 3) of their changes."""
    u, v = (at_px - at_px.mean(axis=0)).T
    far = np.hypot(u, v).max()
    ways = np.zeros((len(at_px), 3, 5))
    ways[:, 0, 0] = ways[:, 1, 1] = ways[:, 2, 4] = 1.0
    ways[:, 0, 2], ways[:, 1, 2] = -v / far, u / far
    ways[:, 0, 3], ways[:, 1, 3] = u / far, v / far
    return Drifting(ways=ways, normal=ways.swapaxes(1, 2) @ products @ ways)
