"""Places that may be those of a hand, which looks like a piece there, and not the piece's own.

A hand beneath which a piece is lost looks here and there somewhat like it, all along its way. What
runs has bare board around it, or pieces that run as well; in a hand something else lies all about.
"""

from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import LIKE_ITSELF, Body
from vision.tracking.instant import Instant

Gray = NDArray[np.uint8]
_MAN, _SURELY = 0.87, 0.8  # of how well it is explained at home, or at all
_SINCE_S = 0.4  # in gray a hand shows now and then
_ABOUT, _HAND_ABOUT = 2.0, 0.15  # radii around a piece, and so much of it
_WHOLLY, _AMIDST = 0.96, 0.35  # what ran out of a hand looks like itself, or has left it behind
_RIM_MM, _FORESEEN = 2.0, 0.25  # radii


def tell_hands(now: Instant) -> None:
    """Mark the places measured now that may be those of a hand."""
    if not now.hands.any_wide(_SINCE_S):
        return
    for body in now.bodies:
        sample = body.samples[-1] if body.samples and body.awake else None
        if sample is None or sample.at_ms != now.at_ms:
            continue
        most = _most_hand(body, now)
        sample.in_hand = most < 1.0 and _hand_about(body, now) > most
        if sample.in_hand and body.moved:
            body.stay_unless_seen()


def _most_hand(body: Body, now: Instant) -> float:
    """How much of what lies around a piece may be a hand, 0 to 1, for it to be no hand itself.

    White wood and skin are much alike: amidst a hand a piece must look wholly like itself, but
    where it was foreseen, as it ran by itself until then.
    """
    if not _looks_like_itself(body):
        return _HAND_ABOUT
    wholly = body.samples[-1].share > _WHOLLY * body.best
    return _AMIDST if body.moved and not (wholly or _as_foreseen(body, now)) else 1.0


def _as_foreseen(body: Body, now: Instant) -> bool:
    """Whether a piece that runs by itself is where it was thought to be by now."""
    if not body.runs_by_itself:
        return False
    runner = now.runners[next(k for k, other in enumerate(now.awake) if other is body)]
    x, y = body.last
    return hypot(x - runner.x_mm, y - runner.y_mm) < _FORESEEN * body.known.radius_mm


def _hand_about(body: Body, now: Instant) -> float:
    """How much of what lies around a piece is a hand, 0 to 1."""
    x, y = body.last
    about = now.ground.box_of(x, y, body.known, _ABOUT * body.known.radius_mm)
    cells = now.hands.cells(about)
    free = (now.hands.surface[cells] > 0) & ~_pieces(cells, body, now)
    hand = free & _hand_in(cells, now)
    return float(hand.sum()) / max(int(free.sum()), 1)


def _pieces(cells: tuple[slice, slice], body: Body, now: Instant) -> NDArray[np.bool_]:
    """(rows, columns) of a box of cells: a piece, and others on their way that are no hand."""
    found = np.zeros(now.hands.surface[cells].shape, np.bool_)
    top, left = cells[0].start, cells[1].start
    for other in now.bodies:
        if other is body or (other.moved and not other.gone and _looks_like_itself(other)):
            view = now.ground.box_of(other.x_mm, other.y_mm, other.known, _RIM_MM)
            rows, columns = now.hands.cells(view)
            found[_from(rows, top), _from(columns, left)] = True
    return found


def _from(part: slice, first: int) -> slice:
    """A run of cells, counted from the `first` one of a box."""
    return slice(max(part.start - first, 0), max(part.stop - first, 0))


def _looks_like_itself(body: Body) -> bool:
    """Whether a piece was seen last as it is; neighbours may have hidden a part of it at home.

    What may be struck comes out from beneath a hand; a man whom one hides seldom does.
    """
    part = _MAN if body.moved and not body.cued else LIKE_ITSELF
    least = max(part * body.best, _SURELY)
    return bool(body.samples) and body.samples[-1].share > least


def _hand_in(cells: tuple[slice, slice], now: Instant) -> NDArray[np.bool_]:
    """(rows, columns) of a box of cells: where a hand is, by its gray or by its colour."""
    mask, known = now.hands.glimpses[-1].mask, now.ground.coloured
    found = np.zeros(now.hands.surface[cells].shape, np.bool_) if mask is None else mask[cells] > 0
    if not known or now.in_colour is None:
        return found
    return found | now.hands.strange(cells, now.in_colour(), known)
