"""Pieces that seemed to leave and never did: an arm or a sleeve was followed in their place."""

import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import Body
from vision.tracking.fitting import Fix, fit
from vision.tracking.ground import Ground
from vision.tracking.stamp import Cover

_SHOWS = 0.9
_SAME_MM = 1.0


def shows_at_home(
    ground: Ground, picture: NDArray[np.uint8], body: Body, others: tuple[Cover, ...]
) -> Fix | None:
    """The piece where it lay, if it shows there; it is then told as one that has not moved.

    Asked only of a piece that was last seen looking little like itself. None where it left indeed,
    or where nobody can tell yet. `others` are pieces that may hide it, as for `fit`.
    """
    if not body.moved or not body.samples or body.like_itself(body.samples[-1].share):
        return None
    found = fit(body.stamp, picture, ground.backdrop, body.home, others=others)
    off = body.away_mm(found)
    if off > _SAME_MM or found.share < _SHOWS * body.best:
        return None
    body.moved, body.runs, body.still = False, 0, 0
    body.vx_mm_s = body.vy_mm_s = body.speed = body.pace = 0.0
    body.x_mm, body.y_mm = body.home
    body.samples[:] = [s for s in body.samples if body.away_mm(s) < _SAME_MM]
    return found
