"""What of the picture has the colours of a hand that is seen to hide the surface.

Roughly, a hand is told by how much it changes the surface (`vision.detection.hand`). Its fingers
are then left out where they are narrow, or lie beside pieces; but skin, and a sleeve, have few
colours, which shade leaves alone as ratios of channels. So those are learned from what is surely
the hand, and all that has them, and hangs together with it, is the hand as well.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.camera import Floats
from calibration.relight import Relit
from calibration.silhouette import Floats32
from vision.appearance.tints import softened, tint
from vision.appearance.view import View
from vision.detection.detect import RUNS_ROUND, Guess
from vision.detection.rims import Mask, circle_px

_LEAST_PX = 400
_COLOURS, _ROUNDS, _SHARE = 3, 8, 0.12
_APART = 0.12  # natural logarithm of a ratio of two channels, from the board's
_NEARER = 0.55  # of the way to the board's colour
_REACH_MM = 120.0
_WIDER_PX = 3
_RIM_MM, _OWN, _UNLIKE = 1.0, 0.7, 0.3


def hand_by_colour(
    view: View, relit: Relit, soft: Floats32, hand: Mask, guesses: Sequence[Guess]
) -> Mask:
    """(h, w) what has the colours of the `hand`, near it, and hangs together with it.

    `soft` is the picture, softened.

    Of the pieces that are guessed only what is of another colour than the hand's can tell what of
    them a finger hides.
    """
    board = softened(relit.board)
    near = cv2.distanceTransform((~hand).astype(np.uint8), cv2.DIST_L2, 3)
    where = (near < _REACH_MM * view.scale) & view.surface
    seen, bare = tint(soft[where]), tint(board[where])
    off = np.hypot(*(seen - bare).T)
    colours = _colours(seen[hand[where] & (off > _APART)])
    mask = np.zeros(hand.shape, dtype=np.uint8)
    if colours is None:
        return mask > 0
    found = np.zeros(len(seen), dtype=np.bool_)
    for colour in colours:
        away = np.hypot(*(seen - colour).T)
        apart = np.hypot(*(bare - colour).T)
        found |= (apart > _APART) & (away < _NEARER * apart) & (away < off)
    mask[where] = found
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    _, labels = cv2.connectedComponents(whole | hand.astype(np.uint8), connectivity=8)
    joined = np.isin(labels, np.unique(labels[hand])) & (whole > 0)
    wider = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_WIDER_PX, _WIDER_PX))
    wide = cv2.dilate(joined.astype(np.uint8), wider) > 0
    return np.asarray(wide & ~_own(view, relit, soft, guesses, colours))


def _own(
    view: View, relit: Relit, soft: Floats32, guesses: Sequence[Guess], colours: Floats
) -> Mask:
    """(h, w) what is the guessed pieces' own, whatever of a hand's colours it has.

    The whole tops of those that have a colour much like one of a hand's; of others what is nearer
    to the rest of the top.
    """
    own = np.zeros(soft.shape[:2], dtype=np.uint8)
    for guess in guesses:
        if guess.round < RUNS_ROUND:
            continue
        body = view.pieces[guess.look].body
        place = np.array([[guess.x_mm, guess.y_mm]])
        ring = circle_px(view, place, body.radius_mm + _RIM_MM, body.thickness_mm, 32)[0]
        points = np.round(ring - (relit.box.u0, relit.box.v0)).astype(np.int32)
        top = np.zeros_like(own)
        cv2.fillConvexPoly(top, points.reshape(-1, 1, 2), 1)
        tints = tint(soft[top > 0])
        away = np.hypot(*(tints[:, None] - colours[None]).transpose(2, 0, 1)).min(axis=1)
        if np.quantile(away, _OWN) < _UNLIKE:
            own[top > 0] = 1
        else:
            own[top > 0] |= np.hypot(*(tints - np.median(tints, axis=0)).T) < away
    return own > 0


def _colours(tints: Floats32) -> Floats | None:
    """(K, 2) the few tints of a hand and a sleeve, of (N, 2) seen; None where there are too few."""
    if len(tints) < _LEAST_PX:
        return None
    some = tints[:: max(1, len(tints) // 20000)]
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, _ROUNDS, 1e-3)
    cv2.setRNGSeed(1)
    _, labels, centres = cv2.kmeans(
        some, _COLOURS, np.empty(0, np.int32), criteria, 1, cv2.KMEANS_PP_CENTERS
    )
    share = np.bincount(labels.ravel(), minlength=_COLOURS) / len(some)
    return np.asarray(centres[share > _SHARE], dtype=np.float64)
