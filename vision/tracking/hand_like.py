"""Whether what looks somewhat like a piece is a hand, a sleeve or an arm instead.

In gray a hand may look much like a light piece. Its colour tells: what is found must have the
colour that the piece has against the board, in the light of the place, or that of the piece smeared
over the board as it ran. What has a colour that the hand shows elsewhere, too, is the hand.
"""

from collections.abc import Callable
from math import hypot

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.tracking.body import Body
from vision.tracking.fitting import Fix
from vision.tracking.ground import Ground
from vision.tracking.hands import HandWatch
from vision.tracking.tint import Tint, off_tint, tint_of

Gray = NDArray[np.uint8]
_STRANGE_MM2, _SINCE_S = 300.0, 0.4  # over the border a hand shows little of itself
_HAND_SHARE = 0.4
_SURELY_ITSELF, _SURELY = 0.95, 0.94
_BESIDE_MM = 50.0  # so far a hand may have come on since the frame before
_UNLIKE, _UNLIKE_SHARE = 18.0, 0.05  # codes off, and of how bright it is
_OFF, _NEARER, _OF_HAND = 8.0, 0.5, 0.04  # so near must so much of the hand come
_MOUTHS = 1.5  # radii of a pocket: there a piece may be half sunk


def is_hand(
    body: Body,
    found: Fix,
    blur_mm: float,
    *,
    ground: Ground,
    hands: HandWatch,
    board: Board,
    in_colour: Callable[[], Gray] | None,
) -> bool:
    """Whether it is a hand that looks somewhat like the piece there.

    `blur_mm` is what the piece ran while the shutter was open, were it there.
    """
    past = _past_border(found, body, board)
    if past and not body.like_itself(found.share):
        return True
    mask = hands.glimpses[-1].mask if hands.glimpses else None
    if mask is not None and not body.like_itself(found.share):
        view = ground.box_of(found.x_mm, found.y_mm, body.known, 1.0)
        if hands.share_over(view) > _HAND_SHARE:
            return True
        set_off = not (body.moved or body.may_lie_at(found))
        beside = ground.box_of(found.x_mm, found.y_mm, body.known, _BESIDE_MM)
        if set_off and hands.share_over(beside) > 0.0:
            return True
    # where its neighbours leave a piece unlike itself at home, a hand looks as much like it
    if found.share > max(_SURELY_ITSELF * body.best, _SURELY):
        return False
    strange = any(g.area_mm2 > _STRANGE_MM2 for g in hands.glimpses_since(_SINCE_S))
    if not (past or strange):
        return False
    if in_colour is None:
        return False
    sinks = at_mouth(found, board)
    return _is_other(body, found, blur_mm, ground, hands, in_colour(), sinks=sinks)


def _past_border(found: Fix, body: Body, board: Board) -> bool:
    """Whether a place is one where no piece can lie: an arm may, and nobody watches it there."""
    over = max(abs(found.x_mm) - board.width_mm / 2, abs(found.y_mm) - board.height_mm / 2)
    return over > -0.5 * body.known.radius_mm and not at_mouth(found, board)


def at_mouth(found: Fix, board: Board) -> bool:
    """Whether a place is so near a pocket that a piece may be half sunk there."""
    return any(
        hypot(found.x_mm - p.centre.x_mm, found.y_mm - p.centre.y_mm) < _MOUTHS * p.radius_mm
        for p in board.pockets
    )


def _is_other(
    body: Body,
    found: Fix,
    blur_mm: float,
    ground: Ground,
    hands: HandWatch,
    picture: Gray,
    *,
    sinks: bool,
) -> bool:
    """`sinks`: at a pocket's mouth, whose dark does not tell how much light falls on a piece."""
    if body.tint is None:
        return False
    plane, radius = body.stamp.plane, body.known.radius_mm
    seen = tint_of(plane, picture, found.x_mm, found.y_mm, radius)
    there = ground.tint_of_board(plane, (found.x_mm, found.y_mm), radius)
    if seen is None or there is None:
        return False
    own = body.tint if sinks else own_at(body, there, ground)
    off = off_tint(seen, own, there, blur_mm / (2 * radius))
    if off > max(_UNLIKE, _UNLIKE_SHARE * float(np.linalg.norm(seen))):
        return True
    if off < _OFF:
        return False
    skin = hands.tints(picture, ground.begun)
    near = np.linalg.norm(skin - seen, axis=1) < _NEARER * off if len(skin) else skin[:0]
    return bool(len(skin)) and float(near.mean()) > _OF_HAND


def own_at(body: Body, there: Tint, ground: Ground) -> Tint:
    """A piece's colour where the board has the tint `there`: the light may be another there."""
    assert body.tint is not None
    home = ground.tint_of_board(body.stamp.plane, body.home, body.known.radius_mm)
    return body.tint if home is None else body.tint * there / np.maximum(home, 1.0)
