"""Pieces that a finger may flick: a hand lies by them, and may hide them and how they set off."""

from collections.abc import Callable, Sequence
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import Body
from vision.tracking.ground import Ground
from vision.tracking.hands import HandWatch
from vision.tracking.lying import lies_still

SHIFTED_MM = 10.0
"""One sd of where a finger may have shifted what it hid for long, before it flicked it."""

_HAND_BY = 0.05  # of the place where a piece lies, and as much around
_UNSEEN_MM = 150.0  # farther off, a piece that is struck comes in sight
_EDGE_MS = 1.0  # times nearer to each other are of one frame
_NOT_SEEN = 2  # frames in which not even half of it showed where it lay
_MOSTLY_GONE = 0.25  # less shows of it: a finger that leads it off may pass for a sliver of it
_JUST_MS = 500.0  # by then the hand has gone, or what ran out from beneath it


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
    bare = shows < _MOSTLY_GONE and body.laid.is_bare(in_colour())
    if bare or not lies_still(shows, showed):
        if body.bare_ms is None and (bare or body.laid.is_bare(in_colour())):
            body.bare_ms = at_ms
        return False
    body.bare_ms = None
    body.lies(at_ms)
    return True


def by_unseen(body: Body, awake: Sequence[Body]) -> bool:
    """Whether a piece lay near that a hand hides, and which may have been struck under it."""
    return any(_is_hidden(other) and _near(body, other) for other in awake)


def may_be_sent_unseen(body: Body, awake: Sequence[Body], at_ms: float) -> bool:
    """Whether a piece that was not seen to leave lay near one that may be struck beneath a hand.

    That is hidden still, or has come in sight by now; what it has hit may be on its way as well.
    """
    if body.moved or body.lost < _NOT_SEEN:
        return False
    return any(
        (_is_hidden(other) or _came_from_hand(other, at_ms)) and _near(body, other)
        for other in awake
    )


def _is_hidden(other: Body) -> bool:
    """Whether a piece that may be struck has not been seen since a hand lies by it."""
    return other.cued and other.held and other.lost > 0


def _came_from_hand(other: Body, at_ms: float) -> bool:
    """Whether a piece has just come in sight that was not seen to leave the place where it lay."""
    if not (other.cued and other.moved and other.lay_ms is not None):
        return False
    seen = [
        s.at_ms
        for s in other.samples
        if s.at_ms > other.lay_ms + _EDGE_MS and other.away_mm(s) > other.known.radius_mm
    ]
    return bool(seen) and at_ms - seen[0] < _JUST_MS


def _near(body: Body, other: Body) -> bool:
    """Whether another lay so near that a hand may hide its way to a piece."""
    return (
        other is not body
        and hypot(other.home[0] - body.home[0], other.home[1] - body.home[1]) < _UNSEEN_MM
    )
