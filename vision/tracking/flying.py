"""Pieces that leave the surface through the air: seen past the border, where none could run."""

from collections.abc import Callable
from math import hypot, pi, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.strikers import CUED
from vision.tracking.body import Body, Sample
from vision.tracking.falling import has_tint
from vision.tracking.ground import Ground

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]
_GRAVITY_MM_S2 = 9810.0
_UPWARDS = 3.0  # a hit turns a third of a speed upwards at the most
_AIM_MM, _AIM_SHARE = 12.0, 0.35  # so far from where it should be now it is looked for
_CLEAR_MM, _RING_MM = 10.0, 8.0  # past its rim, smeared and shaded, the board looks as before
_LEAST, _LEAST_TINT, _NOISES = 10.0, 14.0, 5.0
_FULL, _EMPTY = 0.6, 0.25
_LONGEST_S = 0.1
_FLUNG = 3  # frames: what is hit that hard is past the border by then
_FASTER, _ALOFT_MM = 1.7, 20.0  # than what hit it; so far off high up things seem to be
_OF_TOP, _WIDER, _SMEARED_MM = 0.3, 1.3, 60.0  # of its top show; what it ran in the exposure
_SPLIT = 0.4  # of a radius: so far apart, parts of one colour are one piece
_ERROR_MM = 8.0  # of a place in the air, by its colour alone


def look_past_border(
    ground: Ground,
    picture: Picture,
    body: Body,
    board: Board,
    at_ms: float,
    frame: int,
    *,
    reach_mm: float,
    twin_lost: bool,
    in_colour: Callable[[], Picture] | None,
) -> None:
    """Note of a piece that is lost where it is seen in the air beyond the border, if it is.

    `twin_lost`: its like is found nowhere either. Of two nobody knows which flies there. A man may
    have been hit just now; what is struck is seen on its way, or a hand carries it.
    """
    place = seen_past_border(ground, picture, body, board, at_ms, in_colour) if body.moved else None
    if place is None and not twin_lost and body.known.kind not in CUED:
        place = flung_past_border(ground, body, board, at_ms, reach_mm, in_colour)
    if place is not None and not body.moved:
        body.moved = True
        body.samples.append(Sample(at_ms, frame, *place, _ERROR_MM, body.least))
    body.flew = None if place is None else (at_ms, *place)


def clears_border(speed_mm_s: float, board: Board) -> bool:
    """Whether a piece as fast as that may jump over the border."""
    return speed_mm_s >= _UPWARDS * sqrt(2 * _GRAVITY_MM_S2 * board.border_height_mm)


def flung_past_border(
    ground: Ground,
    body: Body,
    board: Board,
    at_ms: float,
    reach_mm: float,
    in_colour: Callable[[], Picture] | None,
) -> tuple[float, float] | None:
    """Where a piece that was hit hard just now is seen past the border.

    Nobody knows its way since: it is looked for as far as it may have run. None where nothing of
    its colour and size, and alone, is over the border or beyond it, nor where what ran before
    would have been too slow on its way there.
    """
    before, last = ground.begun, body.last
    fast = clears_border(_FASTER * max(body.pace, body.push), board)
    reach_mm += _ALOFT_MM
    if not (fast and body.lost <= _FLUNG and _past(*last, board) > -reach_mm):
        return None
    if before is None or before.ndim != 3 or in_colour is None or body.tint is None:
        return None
    now, plane = in_colour(), body.stamp.plane
    spot = plane.spot(*last)
    scale = abs(spot.ux * spot.vy - spot.uy * spot.vx) ** 0.5
    whole_mm = body.known.radius_mm + _SMEARED_MM / 2 + _CLEAR_MM  # none in reach is cut off
    half = int((reach_mm + whole_mm) * scale) + 1
    top, left = max(round(spot.v) - half, 0), max(round(spot.u) - half, 0)
    box = slice(top, round(spot.v) + half + 1), slice(left, round(spot.u) + half + 1)
    gap = cv2.absdiff(now[box], before[box]).max(axis=2)
    changed = gap > max(_LEAST_TINT, _NOISES * ground.noise)
    # a hand is known over the surface; over the border it lies beside that, and bares nothing new
    unknown = ground.near_hidden(box, (board.border_width_mm + _CLEAR_MM) * scale)
    own = changed & ~unknown
    own[own] = has_tint(now[box][own].astype(np.float64), body.tint)
    own = _mended(own, _SPLIT * body.known.radius_mm * scale)
    changed |= unknown
    count, labels, stats, middles = cv2.connectedComponentsWithStats(own.astype(np.uint8))
    top_mm2, breadth_mm = pi * body.known.radius_mm**2, 2 * body.known.radius_mm
    found = []
    for k in range(1, count):
        u, v = middles[k]
        place = plane.place(left + float(u), top + float(v), last)
        area_mm2 = stats[k][cv2.CC_STAT_AREA] / scale**2
        if (
            _OF_TOP * top_mm2 < area_mm2 < top_mm2 + _WIDER * breadth_mm * _SMEARED_MM
            and _past(*place, board) > 0.5 * body.known.radius_mm
            and hypot(place[0] - last[0], place[1] - last[1]) < reach_mm
            and _fast_enough(body, place, board, at_ms)
            and _stands_alone(changed, labels == k, scale)
        ):
            found.append(place)
    return found[0] if len(found) == 1 else None


def _mended(own: Mask, within_px: float) -> Mask:
    """The same with its parts joined that lie so near each other: what shows through a hole, or
    shines, divides a piece in two."""
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(within_px) + 1,) * 2)
    return cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_CLOSE, disc) > 0


def _fast_enough(body: Body, place: tuple[float, float], board: Board, at_ms: float) -> bool:
    """Whether it was fast enough to jump; of one that lay nobody knows when it set off."""
    if not body.moved:
        return True
    took_s = (at_ms - body.samples[-1].at_ms) / 1000
    far = hypot(place[0] - body.last[0], place[1] - body.last[1])
    return clears_border(far / took_s, board)


def _stands_alone(changed: Mask, own: Mask, scale: float) -> bool:
    """Whether hardly anything has changed round what is `own`, and nothing hangs on.

    A cue or a finger comes from outside: what hangs together with its ferrule or its tip goes on to
    the edge of what is looked at.
    """
    near, far = (
        cv2.dilate(own.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (n, n))) > 0
        for n in (2 * round(mm * scale) + 1 for mm in (_CLEAR_MM, _CLEAR_MM + _RING_MM))
    )
    if changed[far & ~near].mean() >= _EMPTY:
        return False
    _, labels = cv2.connectedComponents(changed.astype(np.uint8))
    on = np.isin(labels, labels[own & changed])
    return not (on[0].any() or on[-1].any() or on[:, 0].any() or on[:, -1].any())


def seen_past_border(
    ground: Ground,
    picture: Picture,
    body: Body,
    board: Board,
    at_ms: float,
    in_colour: Callable[[], Picture] | None = None,
) -> tuple[float, float] | None:
    """Where a piece that was just lost on its way to the border is seen beyond it, in mm.

    On the surface it would have turned at the cushion. Like all places of pieces it is that of
    one at rest: higher up, a piece seems to lie farther from the camera's foot. None where nothing
    of its size, and alone, differs there from the picture of the empty border: in gray, or else in
    colour, for a red piece over a brown border is as bright as that.
    """
    if body.runs < 2 or len(body.samples) < 2:
        return None
    a, b = body.samples[-2:]
    took_s, since_s = (b.at_ms - a.at_ms) / 1000, (at_ms - b.at_ms) / 1000
    if took_s <= 0 or since_s > _LONGEST_S:
        return None
    vx, vy = (b.x_mm - a.x_mm) / took_s, (b.y_mm - a.y_mm) / took_s
    x, y = b.x_mm + vx * since_s, b.y_mm + vy * since_s
    radius = body.known.radius_mm
    if _past(x, y, board) < radius or not clears_border(hypot(vx, vy), board):
        return None
    aim_mm = _AIM_MM + _AIM_SHARE * hypot(vx, vy) * since_s
    place = _disc_near(ground.backdrop, picture, body, (x, y), aim_mm, _LEAST, ground.noise)
    if place is None and in_colour is not None and ground.begun is not None:
        before, now = ground.begun, in_colour()
        if before.shape == now.shape:
            place = _disc_near(before, now, body, (x, y), aim_mm, _LEAST_TINT, ground.noise)
    return place if place is not None and _past(*place, board) > 0.5 * radius else None


def _disc_near(
    before: Picture,
    now: Picture,
    body: Body,
    at: tuple[float, float],
    aim_mm: float,
    least: float,
    noise: float,
) -> tuple[float, float] | None:
    """Where within `aim_mm` of a place a disc of the piece's size has changed, and not round it.

    The pictures are both gray or both in colour: then the channel that changed most counts.
    """
    plane, radius = body.stamp.plane, body.known.radius_mm
    spot = plane.spot(*at)
    scale = abs(spot.ux * spot.vy - spot.uy * spot.vx) ** 0.5  # pixels to a millimetre
    aim = aim_mm * scale
    outer = (radius + _CLEAR_MM + _RING_MM) * scale
    half = int(aim + outer) + 1
    top, left = round(spot.v) - half, round(spot.u) - half
    size = 2 * half + 1
    rows = slice(max(top, 0), min(top + size, now.shape[0]))
    columns = slice(max(left, 0), min(left + size, now.shape[1]))
    if rows.stop <= rows.start or columns.stop <= columns.start:
        return None
    gap = cv2.absdiff(now[rows, columns], before[rows, columns])
    most = gap if gap.ndim == 2 else gap.max(axis=2)
    changed = np.zeros((size, size), dtype=np.float32)
    part = changed[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    part[most > max(least, _NOISES * noise)] = 1.0
    run = np.arange(-int(outer), int(outer) + 1)
    far = np.hypot(run[None, :], run[:, None])
    disc = (far <= radius * scale).astype(np.float32)
    ring = ((far > (radius + _CLEAR_MM) * scale) & (far <= outer)).astype(np.float32)
    full, about = (cv2.filter2D(changed, -1, mask / mask.sum()) for mask in (disc, ring))
    full[about > _EMPTY] = 0.0
    offs = np.arange(size) - half
    full[np.hypot(offs[None, :], offs[:, None]) > aim] = 0.0
    v, u = np.unravel_index(int(np.argmax(full)), full.shape)
    return plane.place(left + float(u), top + float(v), at) if full[v, u] >= _FULL else None


def _past(x_mm: float, y_mm: float, board: Board) -> float:
    """How far a place lies past the border's inner edge; below 0 on the surface."""
    return max(abs(x_mm) - board.width_mm / 2, abs(y_mm) - board.height_mm / 2)
