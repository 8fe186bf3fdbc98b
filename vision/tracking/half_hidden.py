"""What may be struck, half hidden by the hand that pushes it along: where it lies, by its colours.

In gray a hand may look like the rest of it, and draws a fit aside. In colour it does not: what has
the piece's own colour, and not the board's, is a part of its disc, and what shows of the board is
none.
"""

from dataclasses import dataclass, replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import Body, View
from vision.tracking.fitting import Fix, fit
from vision.tracking.instant import Instant
from vision.tracking.plane import Patch
from vision.tracking.stamp import Cover

Gray = NDArray[np.uint8]
Bools = NDArray[np.bool_]
_OWN, _BOARDS, _NOISES = 8.0, 12.0, 2.0  # codes in the channel that differs most, and sd of noise
_LIGHT = (0.85, 1.15)
CELL_PX = 2
_SHOWS, _BOARD_SHOWS = 0.3, 0.1  # of its disc: so much of it at the least, of the board at the most
_RIM = 3  # cells around it in which nothing of its colour lies
_WELL = 0.75  # of what explains it where it lay
_WELL_AT_HOME, _ERROR_AT_HOME_MM = 0.5, 0.3  # where nothing says that it lies elsewhere
_RIM_MM = 5.0  # a finger is wider, and where the piece and the board mix is narrower
_AROUND_MM, _BORDERS = (2.6, 6.0), 0.35  # of what lies so far from it: by a hand it is more
_ROUNDS = 2
_MARGIN_MM, _NEAR_MM, _ERROR_MM = 4.0, 8.0, 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coarse:
    """A piece in cells of `CELL_PX` pixels each way: its `look` (h, w), and `disc` (h, w), 1 where
    it alone is seen. The middle of its top lies `middle_px` (u, v) from the first pixel."""

    look: Patch
    disc: Patch
    middle_px: tuple[float, float]


def found_by_colour(
    now: Instant, body: Body, mask: Gray, whole: Coarse, others: tuple[Cover, ...]
) -> Fix | None:
    """Where a part of the `whole` shows beside a hand, within a `mask` of cells; None where none
    does."""
    if now.in_colour is None or body.face is None:
        return None
    place = _most_like_it(now, body, mask, whole)
    if place is None:
        return None
    found = beside_hand(now, body, place, others)
    for _ in range(_ROUNDS):  # a place some millimetres off hides some of it, too
        before = found
        found = beside_hand(now, body, (before.x_mm, before.y_mm), others)
    near = hypot(found.x_mm - place[0], found.y_mm - place[1]) < _NEAR_MM
    stays = hypot(found.x_mm - before.x_mm, found.y_mm - before.y_mm) < _ERROR_MM
    well = found.share > _WELL * body.best and found.error_mm < _ERROR_MM
    return found if near and stays and well else None


def at_home_by_colour(now: Instant, body: Body, others: tuple[Cover, ...]) -> Fix | None:
    """Where about its home a part of it shows beside a hand; None where too little does to tell."""
    if now.in_colour is None or body.face is None:
        return None
    place = _just_seen_at(now, body)
    found = beside_hand(now, body, place, others)
    for _ in range(_ROUNDS):  # a place some millimetres off hides some of it, too
        if hypot(found.x_mm - place[0], found.y_mm - place[1]) > now.ground.pitch:
            place = (found.x_mm, found.y_mm)
            found = beside_hand(now, body, place, others)
    near = body.away_mm(found) < body.known.radius_mm
    well = found.share > _WELL_AT_HOME * body.best and found.error_mm < _ERROR_AT_HOME_MM
    return found if near and well else None


def _just_seen_at(now: Instant, body: Body) -> tuple[float, float]:
    """Where about its home it was seen in the frame before, pushed by a little; else its home."""
    if not body.nudged or body.nudged[-1].frame < now.frame - 1:
        return body.home
    return body.nudged[-1].x_mm, body.nudged[-1].y_mm


def beside_hand(
    now: Instant, body: Body, place: tuple[float, float], others: tuple[Cover, ...]
) -> Fix:
    """Its place near `place` by those pixels alone that have its own colour or the board's, and no
    hand's, which over the rest of it draws a fit aside by one or two millimetres.

    It is nowhere to within its radius where hardly any board is seen around: in a hand's shadow the
    board is strange, too, and a rim that borders on nothing known says little of where it lies.
    `now` has a picture in colour, and `body` a face.
    """
    assert now.in_colour is not None
    known = replace(body.known, x_mm=place[0], y_mm=place[1])
    view = now.ground.box_of(*place, known, _MARGIN_MM)
    own, board = _own_and_board(now, body, now.in_colour(), view)
    hidden = np.zeros_like(now.picture)
    hand = _without_rims(~(own | board), now.ground.pitch)
    hidden[view] = cv2.dilate(hand, np.ones((3, 3), np.uint8))  # light mixes at a hand's edge
    found = fit(body.stamp, now.picture, now.ground.backdrop, place, others=others, hidden=hidden)
    if _bordering(own, board, now.ground.pitch) < _BORDERS:
        return replace(found, error_mm=body.known.radius_mm)
    return found


def _bordering(own: Bools, board: Bools, pitch_mm: float) -> float:
    """How much of what lies close around what has the piece's own colour is board, 0 to 1."""
    part = own.astype(np.uint8)
    near, far = (cv2.dilate(part, _round(mm / pitch_mm)) for mm in _AROUND_MM)
    around = far > near
    return float(board[around].mean()) if around.any() else 0.0


def _round(radius_px: float) -> Gray:
    size = 2 * round(radius_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), dtype=np.uint8)


def _without_rims(strange: Bools, pitch_mm: float) -> Gray:
    """255 where something strange is wider than a piece's rim, where it and the board mix."""
    rim = 2 * round(_RIM_MM / 2 / pitch_mm) + 1
    kernel, part = np.ones((rim, rim), np.uint8), np.where(strange, 255, 0).astype(np.uint8)
    wide = cv2.dilate(cv2.morphologyEx(part, cv2.MORPH_OPEN, kernel), kernel)
    return np.asarray(cv2.min(part, wide), dtype=np.uint8)


def _most_like_it(
    now: Instant, body: Body, mask: Gray, whole: Coarse
) -> tuple[float, float] | None:
    """The place at which most of its disc has its colour, none of it the board's, and nothing
    around it its colour, mm; None where too little is so."""
    assert now.in_colour is not None
    view, _ = now.hands.pixels(mask)
    own, board = _own_and_board(now, body, now.in_colour(), view)
    disc = np.pad(whole.disc, _RIM)
    around = cv2.dilate(disc, np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)) - disc
    part, bare = coarse(own & ~board), coarse(board)
    if part.shape[0] <= disc.shape[0] or part.shape[1] <= disc.shape[1]:
        return None
    shows, shows_board, beyond = (
        cv2.matchTemplate(seen, kernel, cv2.TM_CCORR) / float(disc.sum())
        for seen, kernel in ((part, disc), (bare, disc), (part, around))
    )
    likely = shows - 2 * shows_board - beyond
    likely[(shows < _SHOWS) | (shows_board > _BOARD_SHOWS)] = -np.inf
    row, column = (int(n) for n in np.unravel_index(int(np.argmax(likely)), likely.shape))
    if not np.isfinite(likely[row, column]):
        return None
    u = view[1].start + CELL_PX * (column + _RIM) + whole.middle_px[0]
    v = view[0].start + CELL_PX * (row + _RIM) + whole.middle_px[1]
    return body.stamp.plane.place(u, v, body.home)


def _own_and_board(now: Instant, body: Body, picture: Gray, view: View) -> tuple[Bools, Bools]:
    """(h, w) each, in a box of a picture (H, W, 3): what has the colour of the piece, or of the
    board."""
    assert body.face is not None
    seen = picture[view].astype(np.float32)
    own = np.median(body.face.reshape(-1, 3), axis=0).astype(np.float32)
    light = np.clip(seen @ own / float(own @ own), *_LIGHT)
    away = np.abs(seen - light[..., None] * own).max(axis=2)
    noise = _NOISES * now.ground.noise
    board = np.zeros(away.shape, np.bool_)
    for bare in now.ground.coloured:
        alike = np.abs(seen - bare[view]).max(axis=2) < _BOARDS + noise
        if bare is now.ground.begun:
            alike[_within(now.ground.box_of(*body.home, body.known, 1.0), view)] = False
        board |= alike
    return _without_specks(away < _OWN + noise), _without_specks(board)


def _within(part: View, view: View) -> View:
    """A box of the picture as a box of another one."""
    rows, columns = (
        slice(max(a.start - b.start, 0), max(a.stop - b.start, 0))
        for a, b in zip(part, view, strict=True)
    )
    return rows, columns


def _without_specks(part: Bools) -> Bools:
    return np.asarray(cv2.medianBlur(part.astype(np.uint8), 3) > 0)


def coarse(part: Gray | Bools | Patch) -> Patch:
    """A picture, or a part of one, in cells of `CELL_PX` pixels each way."""
    size = (part.shape[1] // CELL_PX, part.shape[0] // CELL_PX)
    small = cv2.resize(part.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32)
