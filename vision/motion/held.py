"""Pieces that a finger may flick: a hand lies by them, and may hide them and how they set off."""

from collections.abc import Callable, Sequence
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.motion.body import Body
from vision.motion.ground import Ground
from vision.motion.hands import HandWatch
from vision.motion.lying import lies_still

_HAND_BY = 0.05  # of the place where a piece lies, and as much around
_UNSEEN_MM = 150.0  # farther off, a piece that is struck comes in sight


def lies_by_hand(
    body: Body,
    ground: Ground,
    hands: HandWatch,
    in_colour: Callable[[], NDArray[np.uint8]] | None,
    at_ms: float,
) -> bool:
    """Whether a piece that a hand may flick still lies where it lay, half hidden by it.

    Says of the body that it is `held`, and how long it lay. `in_colour` gives the picture.
    """
    if not body.cued or body.moved:
        return False
    view = ground.box_of(*body.home, body.known, body.known.radius_mm)
    if not body.held and hands.share_over(view) < _HAND_BY:
        return False
    body.held = True
    if body.laid is None or in_colour is None:
        return False
    shows, showed = body.laid.shows(in_colour()), body.shown
    body.shown = shows
    if not lies_still(shows, showed):
        return False
    body.lies(at_ms)
    return True


def by_unseen(body: Body, awake: Sequence[Body]) -> bool:
    """Whether a piece lay near that a hand hides, and which may have been struck under it."""
    return any(
        other is not body
        and other.held
        and other.lost > 0
        and hypot(other.home[0] - body.home[0], other.home[1] - body.home[1]) < _UNSEEN_MM
        for other in awake
    )
