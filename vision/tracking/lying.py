"""Whether a piece half under a hand still lies there: the rest of it looks as it did.

A fit needs most of a piece. To know that it has not left yet, a sliver is enough whose colours are
those that it had at the same place: a hand is of another colour, and so is the board that would
show if it had left.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tracking.plane import Plane

_LEAST = 0.04  # of the piece, less is chance
_SAME, _NOISES = 9.0, 4.0  # codes, in the channel that differs most
_LEFT = 0.75  # what shows of it must not have shrunk so far since the frame before
_HALF = 0.6
_BARE = 0.3  # of its place
_STEPS = 15  # places looked at, from the middle to the rim
_PLAIN = 2.0  # so many times what counts as the same a piece must differ from the board
_FEWEST = 0.3  # of the piece: where less stands out, nothing is said
_BESIDE = (1.15, 1.5)  # radii: the board around it


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """The colours (N, 3) at pixels (`v`, `u`) of a piece at rest, where no board looks so.

    `bare` are those of the board without it there, in the same light, where they are known.
    """

    u: NDArray[np.intp]
    v: NDArray[np.intp]
    colours: NDArray[np.int16]
    same: float
    bare: NDArray[np.float64] | None = None

    def shows(self, picture: NDArray[np.uint8]) -> float:
        """How much of the piece looks in `picture` (H, W, 3) as it did at rest, 0 to 1."""
        off = np.abs(picture[self.v, self.u].astype(np.int16) - self.colours).max(axis=1)
        return float((off <= self.same).mean())

    def is_bare(self, picture: NDArray[np.uint8]) -> bool:
        """Whether so much of the board shows in `picture` that the piece lies there no more."""
        if self.bare is None:
            return False
        off = np.abs(picture[self.v, self.u] - self.bare).max(axis=1)
        return float((off <= self.same).mean()) > _BARE


def laid_at(
    plane: Plane,
    picture: NDArray[np.uint8],
    x_mm: float,
    y_mm: float,
    radius_mm: float,
    *,
    noise: float,
    empty: NDArray[np.uint8] | None = None,
) -> Laid | None:
    """How a piece of that radius looks at a place.

    None in a gray picture or outside of it, and where it looks much like the board around.

    `noise` is one sd of a code of the gray picture, `empty` a picture (H, W, 3) without the piece.
    """
    if picture.ndim != 3:
        return None
    run = np.linspace(-_BESIDE[1], _BESIDE[1], 3 * _STEPS + 1)
    x, y = (part.ravel() for part in np.meshgrid(run, run))
    spot = plane.spot(x_mm, y_mm)
    u = np.rint(spot.u + radius_mm * (spot.ux * x + spot.uy * y)).astype(np.intp)
    v = np.rint(spot.v + radius_mm * (spot.vx * x + spot.vy * y)).astype(np.intp)
    if min(u.min(), v.min()) < 0 or u.max() >= picture.shape[1] or v.max() >= picture.shape[0]:
        return None
    colours, far = picture[v, u].astype(np.int16), np.hypot(x, y)
    around = (far > _BESIDE[0]) & (far < _BESIDE[1])
    board = np.median(colours[around], axis=0)
    inside, same = far < 0.95, max(_SAME, _NOISES * noise)
    plain = inside & (np.abs(colours - board).max(axis=1) > _PLAIN * same)
    if plain.sum() < _FEWEST * inside.sum():
        return None
    bare = None
    if empty is not None and empty.ndim == 3:
        lit = board / np.maximum(np.median(empty[v, u][around], axis=0), 1.0)
        bare = lit * empty[v, u][plain]
    return Laid(u[plain], v[plain], colours[plain], same, bare)


def lies_still(shows: float, showed: float) -> bool:
    """Whether a piece surely lies where it lay, by how much of it shows now and before."""
    return shows >= max(_LEAST, _LEFT * showed)


def half_seen(share: float, best: float, shows: float) -> bool:
    """Whether what explains in gray so much of a resting piece, at `best` the whole, is the piece.

    A finger may pass for half of it: something must also show of its colours (`Laid.shows`).
    """
    return share > _HALF * best and shows >= _LEAST
