"""A hand or an arm over the surface: a large change that no piece, shadow or cue stick explains."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import Relit
from vision.appearance.view import View
from vision.detection.crossings import Crossing
from vision.detection.detect import Guess
from vision.detection.edges import Edges
from vision.detection.rims import circle_px

_SHRINK = 4
_CLEAR = 0.45  # so much of an arm's outline is sharp; over gloss and its own shadow not all is


def hands(
    view: View,
    relit: Relit,
    edges: Edges,
    guesses: Sequence[Guess],
    crossing: Sequence[Crossing],
) -> NDArray[np.bool_]:
    """(h, w) what the arms that cross the border hide, in what differs from the relit empty board.

    `edges` and `guesses` of discs tell what of that is a hand, and what is a shadow or a piece.
    """
    h, w = view.surface.shape
    if not crossing:
        return np.zeros((h, w), dtype=np.bool_)
    size = (w // _SHRINK, h // _SHRINK)
    now = cv2.resize(relit.picture, size, interpolation=cv2.INTER_AREA) + 6.0
    then = cv2.resize(relit.board, size, interpolation=cv2.INTER_AREA) + 6.0
    ratio = np.log(now / then)
    # A shadow or a lamp changes all channels alike; a hand changes colour, texture or both.
    level = ratio.mean(axis=2)
    tint = np.abs(ratio - level[:, :, None]).max(axis=2)
    changed = (tint > 0.13) | (np.abs(level) > 0.45)
    surface = cv2.resize(view.surface.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    covered = np.zeros((size[1], size[0]), dtype=np.uint8)
    for guess in guesses:
        if guess.rim > 0.8 and guess.colour < 3.5:
            body = view.pieces[guess.look].body
            place = np.array([[guess.x_mm, guess.y_mm]])
            for z in (0.0, body.thickness_mm):
                ring = circle_px(view, place, body.radius_mm + 2.5, z, 24)[0]
                points = np.round((ring - (relit.box.u0, relit.box.v0)) / _SHRINK).astype(np.int32)
                cv2.fillConvexPoly(covered, points.reshape(-1, 1, 2), 1)
    for pocket in view.table.board.pockets:
        # A pocket's inside changes with every change of light, and pieces lie in it.
        place = np.array([[pocket.centre.x_mm, pocket.centre.y_mm]])
        for z in (0.0, -8.0):
            ring = circle_px(view, place, pocket.radius_mm + 4.0, z, 36)[0]
            points = np.round((ring - (relit.box.u0, relit.box.v0)) / _SHRINK).astype(np.int32)
            cv2.fillConvexPoly(covered, points.reshape(-1, 1, 2), 1)
    rest = (changed & (surface > 0) & (covered == 0)).astype(np.uint8)
    opened = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    rest = _without_strips(view, np.asarray(opened, dtype=np.uint8))
    sharp = cv2.resize(
        (edges.strength > 7 * edges.noise).astype(np.float32), size, interpolation=cv2.INTER_AREA
    )
    sharp = cv2.dilate((sharp > 0.12).astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
    mm_per_cell = _SHRINK / view.scale
    mask = np.zeros((size[1], size[0]), dtype=np.uint8)
    ways = _ways_in(view, relit, crossing, size)
    rim = cv2.morphologyEx(surface, cv2.MORPH_GRADIENT, np.ones((9, 9), np.uint8))
    for n in range(1, count):
        area = float(stats[n, cv2.CC_STAT_AREA]) * mm_per_cell**2
        if area < 900:
            continue
        blob = (labels == n).astype(np.uint8)
        outline = (blob > 0) & (cv2.erode(blob, np.ones((3, 3), np.uint8)) == 0) & (rim == 0)
        clear = float((sharp[outline] > 0).mean()) if outline.any() else 1.0
        inner = float(cv2.distanceTransform(blob, cv2.DIST_L2, 3).max()) * mm_per_cell
        if inner > 9.0 and clear > _CLEAR and (blob & ways).any():
            mask |= blob
    wide = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_NEAREST) > 0)


def _ways_in(
    view: View, relit: Relit, crossing: Sequence[Crossing], size: tuple[int, int]
) -> NDArray[np.uint8]:
    """The cells (h, w) on the surface's edge where arms come in."""
    cells = np.zeros((size[1], size[0]), dtype=np.uint8)
    for way in crossing:
        reach = way.width_mm / 2 + 15.0
        at = np.array([[way.at.x_mm, way.at.y_mm]])
        ring = circle_px(view, at, reach, 0.0, 24)[0]
        points = np.round((ring - (relit.box.u0, relit.box.v0)) / _SHRINK).astype(np.int32)
        cv2.fillConvexPoly(cells, points.reshape(-1, 1, 2), 1)
    return cells


def _without_strips(view: View, changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Without the strips along the cushions that the border shades when the light has changed.

    Such a strip runs along a whole side; how deep it is there is the median depth along the side.
    """
    rows, columns = changed.shape
    board = view.table.board
    box = view.box
    half = np.array([board.width_mm / 2, board.height_mm / 2])
    step_mm = _SHRINK / view.scale
    left = changed.copy()
    planes = view.rays.planes[
        :2,
        box.v0 + _SHRINK // 2 : box.v0 + rows * _SHRINK : _SHRINK,
        box.u0 + _SHRINK // 2 : box.u0 + columns * _SHRINK : _SHRINK,
    ]
    for axis in (0, 1):
        for side in (-1.0, 1.0):
            inward = half[axis] - side * planes[axis]
            along = ((planes[1 - axis] + half[1 - axis]) / step_mm).astype(np.intp)
            length = int(2 * half[1 - axis] / step_mm) + 1
            near = (changed > 0) & (inward > 0) & (inward < 70) & (along >= 0) & (along < length)
            deep = np.bincount(along[near], minlength=length)[:length] * step_mm
            depth = float(np.median(deep))
            if depth > 2 * step_mm:
                left[(inward < depth + 3 * step_mm) & (inward > -20)] = 0
    return left
