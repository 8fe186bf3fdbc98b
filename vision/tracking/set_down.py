"""Where what may be struck lies now, that a hand has taken from where it lay and set down.

Players lay it on their base line, push it along with a fingertip and flick it, all without taking
the hand away. It lies in sight then, but hangs together with the hand in what has changed; and by a
line of the board, which it hides, so that it differs from the board as it does nowhere else. So it
is looked for by its own looks, wherever something wide is, and right beside that. So is what is
struck with a cue, where the cue lay over it all the way on which it was led along.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import LIKE_ITSELF, Body, Brought
from vision.tracking.creeping import took_long
from vision.tracking.fitting import Fix, fit
from vision.tracking.ground import SET_DOWN_ERROR_MM, Ground, lay_at, rested
from vision.tracking.half_hidden import CELL_PX, Coarse, beside_hand, coarse, found_by_colour
from vision.tracking.instant import Instant
from vision.tracking.lying import laid_at
from vision.tracking.plane import Patch
from vision.tracking.sent_off import has_run
from vision.tracking.stamp import Cover

Gray = NDArray[np.uint8]
_SINCE_S, _RESTS = 0.4, 3  # frames
_GONE = 3  # frames for which it has been seen nowhere
_EVERY = 2  # frames: it lies there for tenths of a second
_HALF_SEEN = 0.65  # of what explains it where it lay; a hand may look so in gray
_SAME_MM = 0.8
_HALF_SEEN_ERROR_MM, BY_COLOUR_ERROR_PX = 0.6, 0.35
"""One sd: the hand that set it down draws a fit aside; less by those pixels that are no hand's."""
_INSIDE, _LIGHT = 0.9, (0.85, 1.15)
_OWN_SHARE, _WHOLE = 0.6, 0.95  # of what lies there, to be the piece, and to be all of it
_ALIKE, _NOISES = 8.0, 2.0  # codes, in the channel that differs most
_PUSHED_MM, _MORE = 6.0, 0.1  # by less, it may have been flicked as well
_MOST, _BY_HOME = 6, 2  # places tried beside the hand, and about where it lay
_APART = 0.35  # of its width: so far from each other places are tried
_OWN = 0.9  # of a pixel's light: so much is the piece's own
_MARGIN_MM = 2.0


def set_down(
    now: Instant, body: Body, others: tuple[Cover, ...], *, lies: bool = False
) -> Fix | None:
    """Where it lies in sight though a hand has moved it; None most of the time.

    It is taken as lying there from now on, if it is seen there twice, and if nothing has run that
    it may have hit. `lies`: it may lie half hidden where it lay, or has been pushed by less than it
    is wide.
    """
    if not body.cued or not (lies or body.lost >= _GONE):
        return None
    last, before = body.perhaps or (-1, None)
    if now.frame % _EVERY and last < now.frame - 1:  # just found, the hand may cover it at once
        return None
    if body.samples and now.at_ms - body.samples[-1].at_ms < _GONE * 1000 * now.frame_s:
        return None
    if men_run(now):
        return None
    mask = _mask(now, body) if body.flicked else _strange_since_led(now, body)
    if mask is None:
        return None
    whole = _seen_coarsely(now, body)
    fix = max(_fits(now, body, mask, whole, others), key=lambda fix: fix.share, default=None)
    if fix is None and body.flicked and not lies:
        fix = found_by_colour(now, body, mask, whole, others)
    if fix is None:
        return None
    if lies and _may_have_stayed(now, body, fix, others):
        return None
    body.perhaps = now.frame, fix
    if before is None or hypot(before.x_mm - fix.x_mm, before.y_mm - fix.y_mm) > _SAME_MM:
        return None
    shows, error_mm = _own_share(now, body, fix), SET_DOWN_ERROR_MM
    if shows <= _OWN_SHARE:
        error_mm = BY_COLOUR_ERROR_PX * now.ground.pitch
    elif shows < _WHOLE:
        fix, error_mm = _beside_hand(now, body, fix, others), _HALF_SEEN_ERROR_MM
    lay(now, body, (fix.x_mm, fix.y_mm), error_mm, in_part=shows < _WHOLE)
    return fix


def _may_have_stayed(now: Instant, body: Body, fix: Fix, others: tuple[Cover, ...]) -> bool:
    """Whether what is found there was perhaps flicked there, or lies where it lay after all."""
    away_mm = body.away_mm(fix)
    if away_mm < _PUSHED_MM or took_long(body, away_mm) is False:
        return True
    return _at_home(now, body, others) > fix.share - _MORE


def _beside_hand(now: Instant, body: Body, fix: Fix, others: tuple[Cover, ...]) -> Fix:
    """Its place without what the hand hides, if it is known better so."""
    if now.in_colour is None or body.face is None:
        return fix
    found = beside_hand(now, body, (fix.x_mm, fix.y_mm), others)
    near = hypot(found.x_mm - fix.x_mm, found.y_mm - fix.y_mm) < _PUSHED_MM
    return found if near and found.share > fix.share and found.error_mm < _SAME_MM else fix


def _mask(now: Instant, body: Body) -> Gray | None:
    """255 on the cells in which what a finger may flick may lie; None: it needs no search."""
    if not (body.held or body.moved):
        return None
    mask = now.hands.glimpses[-1].mask if now.hands.glimpses else None
    if mask is None and body.bare_ms is not None:
        mask = now.hands.largest()  # skin may look like wood
    return None if mask is None else now.hands.and_about(mask, body.known.radius_mm)


def _strange_since_led(now: Instant, body: Body) -> Gray | None:
    """The same for what a cue has led away, lying over it all the way."""
    if body.moved or now.in_colour is None or body.laid is None:
        return None
    if body.bare_ms is None and body.laid.is_bare(now.in_colour()):
        body.bare_ms = now.at_ms
    return None if body.bare_ms is None else now.hands.strangest()


def face_of(body: Body, picture: Gray, place: tuple[float, float] | None = None) -> Patch | None:
    """(n, n, 3) the colours of what may be struck, at home or at a `place`; None for others."""
    if not body.cued or picture.ndim != 3:
        return None
    plane = body.stamp.plane
    half = int(body.known.radius_mm / plane.step_mm)
    return plane.cut(picture, plane.spot(*(place or body.home)), half)


def know_look(body: Body, ground: Ground, in_colour: Callable[[], Gray] | None) -> None:
    """Know how a piece that may be struck looks where it lies from now on, as `in_colour` shows it;
    how it looked elsewhere says nothing there."""
    body.laid, body.shown, body.in_part = None, 1.0, False
    if body.cued and in_colour is not None:
        body.laid = laid_at(
            body.stamp.plane,
            in_colour(),
            *body.home,
            body.known.radius_mm,
            noise=ground.noise,
            empty=ground.colours,
        )


def _own_share(now: Instant, body: Body, fix: Fix) -> float:
    """How much of what lies at a place has its colours, each where it has it; 0 to 1."""
    if now.in_colour is None or body.face is None:
        return fix.share / body.best if fix.share > LIKE_ITSELF * body.best else 0.0
    seen = face_of(body, now.in_colour(), (fix.x_mm, fix.y_mm))
    if seen is None:
        return 0.0
    inside = body.stamp.plane.grid(len(seen) // 2)[2] < _INSIDE * body.known.radius_mm
    light = np.median(seen[inside] / np.maximum(body.face[inside], 1.0))
    off = np.abs(seen - float(np.clip(light, *_LIGHT)) * body.face).max(axis=2)
    return float((off[inside] < _ALIKE + _NOISES * now.ground.noise).mean())


def _at_home(now: Instant, body: Body, others: tuple[Cover, ...]) -> float:
    """How well it is explained where it lay."""
    home = fit(body.stamp, now.picture, now.ground.backdrop, body.home, others=others)
    return home.share if body.away_mm(home) < _PUSHED_MM else 0.0


def _fits(
    now: Instant, body: Body, mask: Gray, whole: Coarse, others: tuple[Cover, ...]
) -> Iterator[Fix]:
    """The places on the board at which it may lie half hidden."""
    half_x, half_y = now.board.width_mm / 2, now.board.height_mm / 2
    by_home = np.zeros_like(mask)
    by_home[now.hands.cells(now.ground.box_of(*body.home, body.known, body.known.radius_mm))] = 255
    places = chain(
        _places(now, body, whole, now.hands.pixels(mask), most=_MOST),
        _places(now, body, whole, now.hands.pixels(by_home), most=_BY_HOME),
    )
    for place in places:
        fix = fit(body.stamp, now.picture, now.ground.backdrop, place, others=others)
        near = hypot(fix.x_mm - place[0], fix.y_mm - place[1]) < body.known.radius_mm
        on_board = abs(fix.x_mm) < half_x and abs(fix.y_mm) < half_y
        half_seen = fix.share > _HALF_SEEN * body.best
        if near and on_board and half_seen and _own_share(now, body, fix) > _OWN_SHARE:
            # from a place some millimetres off, half a piece may not be found in one go
            again = fit(
                body.stamp, now.picture, now.ground.backdrop, (fix.x_mm, fix.y_mm), others=others
            )
            yield max(fix, again, key=lambda fix: fix.share)


def lay(
    now: Instant,
    body: Body,
    place: tuple[float, float],
    error_mm: float,
    *,
    in_part: bool = False,
) -> None:
    """Take it as lying at a place, give or take so much, from now on, until it runs from there. Of
    it only a part may be seen beside the hand."""
    first = body.brought or Brought(
        now.at_ms, body.home, body.known, (), body.lay_ms, body.unmoved_ms
    )
    body.brought = replace(first, at_ms=now.at_ms, samples=(*first.samples, *body.samples))
    rested(body)
    lay_at(body, place, error_mm=error_mm)
    body.lay_ms = body.unmoved_ms = body.bare_ms = None  # that was elsewhere
    body.perhaps = None
    body.nudged.clear()
    know_look(body, now.ground, now.in_colour)
    body.in_part = in_part


def notice_set_down(now: Instant) -> None:
    """Take what a hand has moved as lying where it lies still in sight beside that hand.

    It is struck from there. Where nothing more comes of it, `take_back` undoes that. What lies
    there already, known by a part of it, is known anew once all of it is in sight.
    """
    resting = [
        body
        for body in now.bodies
        if body.flicked
        and body.still >= _RESTS
        and body.looks_whole
        and (body.moved or body.in_part)
    ]
    if not resting or not now.hands.any_wide(_SINCE_S) or men_run(now):
        return
    for body in resting:
        far = body.away_mm(body.samples[-1]) > _PUSHED_MM
        if not body.moved or (far and not has_run(body, now.bodies)):
            lay(now, body, body.last, SET_DOWN_ERROR_MM)


def take_back(body: Body) -> None:
    """Take what lies where a hand set it down, and has not run since, as moved from before that."""
    brought = body.brought
    if brought is None or body.moved or body.lost:
        return
    body.brought = None
    body.home, body.known, body.moved = brought.home, brought.known, True
    body.lay_ms, body.unmoved_ms = brought.lay_ms, brought.unmoved_ms
    body.samples[:] = [*brought.samples, *body.samples]


def men_run(now: Instant) -> bool:
    """Whether anything has moved but what a finger may flick."""
    return any(body.moved for body in now.bodies if not body.flicked)


def _places(
    now: Instant,
    body: Body,
    whole: Coarse,
    changed: tuple[tuple[slice, slice], Gray],
    *,
    most: int,
) -> Iterator[tuple[float, float]]:
    """The places that the piece explains best, a few, in a box of pixels that are 255 there.

    How far they are from how it looks is taken by how far from how the board looks without it:
    much of the wood may look like the piece.
    """
    view, inside = changed
    template, own, (du, dv) = whole.look, whole.disc, whole.middle_px
    picture = coarse(now.picture[view])
    if min(picture.shape) <= max(template.shape):
        return
    off = cv2.matchTemplate(picture, template, cv2.TM_SQDIFF, mask=own)
    high, wide = template.shape
    middle = coarse(inside)[high // 2 :, wide // 2 :][: off.shape[0], : off.shape[1]]
    bare = coarse(now.ground.backdrop[view])
    strange = cv2.matchTemplate(np.square(picture - bare), own, cv2.TM_CCORR)
    off = off / (strange + own.sum() * now.ground.noise**2)
    off = np.where((middle > 0) & (off < 1), off, np.inf)
    plane = body.stamp.plane
    apart = max(2, round(_APART * min(template.shape)))
    for _ in range(most):
        row, column = (int(n) for n in np.unravel_index(int(np.argmin(off)), off.shape))
        if not np.isfinite(off[row, column]):
            return
        u, v = view[1].start + CELL_PX * column + du, view[0].start + CELL_PX * row + dv
        yield plane.place(u, v, body.home)
        off[max(row - apart, 0) : row + apart + 1, max(column - apart, 0) : column + apart + 1] = (
            np.inf
        )


def _seen_coarsely(now: Instant, body: Body) -> Coarse:
    """How the piece looks where it lay."""
    view = now.ground.box_of(*body.home, body.known, _MARGIN_MM)
    layers, spot = body.stamp.layers(body.home, (0.0, 0.0)), body.stamp.plane.spot(*body.home)
    hidden, layer = (
        body.stamp.plane.paste(
            np.ascontiguousarray(layers.drawn[:, :, k]), spot, layers.half, view, 0.0
        )
        for k in (0, 1)
    )
    hidden, layer = coarse(hidden), coarse(layer)
    return Coarse(
        look=np.asarray(layer / np.maximum(hidden, _OWN), dtype=np.float32),
        disc=(hidden > _OWN).astype(np.float32),
        middle_px=(spot.u - view[1].start, spot.v - view[0].start),
    )
