"""Pieces that fall within a frame or two of being lost: seen in the pocket's mouth as they sink.

Tipped over the rim, a piece no longer looks like its stamp, but it has its colour still, in a place
that is dark and bare as long as nothing has fallen into it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from rules.board import Board, Pocket
from vision.tracking.body import Body
from vision.tracking.fitting import Fix
from vision.tracking.ground import Ground
from vision.tracking.mouths import STEP_MM, Ring, ring_about

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Disc = tuple[float, float, float]  # x, y and radius, mm

_RING_MM, _RIM_MM = 14.0, 3.0
_CHANGED, _NOISES = 14.0, 6.0  # codes, in the channel that changed most
_DIM, _BRIGHT = 0.4, 1.25  # a part of its light is left to a piece as it sinks
_OFF, _OFF_SHARE = 16.0, 0.2  # codes off its colour in that light, and of how bright it is
_LEAST, _WIDEST = 0.25, 1.5  # of its top must show; its wall shows as well, within such radii
_STRANGE_MM2 = 120.0  # beside the mouth: as much, and something reaches in from outside
_MOSTLY = 2.0  # so much more changes in a mouth than beside it where something fell
_ERROR_MM = 3.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mouths:
    """The pockets of a board in two pictures (H, W, 3): `before`, as tracking began, and `now`.

    `now` makes its picture, so that it is asked for only where it matters. `others` are places
    where other pieces are and were: what changed there says nothing.
    """

    ground: Ground
    board: Board
    before: Picture
    now: Callable[[], Picture]
    others: Sequence[Disc]

    def changed(self, pocket: Pocket) -> tuple[Ring, Ring]:
        """The places in a mouth, and in a ring about it, that have changed by none of `others`."""
        ring = ring_about(self.ground, pocket, 0.0, pocket.radius_mm + _RING_MM)
        gap = np.abs(self.colours(ring) - _colours(self.before, ring)).max(axis=1)
        changed = gap > max(_CHANGED, _NOISES * self.ground.noise)
        for other_x, other_y, radius in self.others:
            changed &= np.hypot(ring.x_mm - other_x, ring.y_mm - other_y) > radius + _RIM_MM
        far = np.hypot(ring.x_mm - pocket.centre.x_mm, ring.y_mm - pocket.centre.y_mm)
        inside = ring.part(changed & (far < pocket.radius_mm))
        return inside, ring.part(changed & (far > pocket.radius_mm + _RIM_MM))

    def colours(self, places: Ring) -> Floats:
        """(N, 3), what `places` look like now."""
        return _colours(self.now(), places)


def seen_in_mouth(mouths: Mouths, body: Body, *, reach_mm: float) -> Fix | None:
    """Where in a pocket's mouth a piece is seen that was just lost; None where in none.

    Only mouths that are `reach_mm` from its last place are looked at.
    """
    if body.tint is None:
        return None
    found = [
        fix
        for pocket in mouths.board.pockets
        if _away_mm(body.last, pocket) < reach_mm + pocket.radius_mm
        and (fix := _seen_in(mouths, pocket, body, body.tint))
    ]
    return found[0] if len(found) == 1 else None


def _away_mm(place: tuple[float, float], pocket: Pocket) -> float:
    return float(np.hypot(place[0] - pocket.centre.x_mm, place[1] - pocket.centre.y_mm))


def stays_in_mouth(mouths: Mouths, body: Body) -> bool:
    """Whether the mouth in which a piece was seen in the frame before still shows what fell.

    Sunk deep it may be too dark for its colour. What has flown on leaves the mouth bare.
    """
    pockets = mouths.board.pockets
    pocket = next((p for p in pockets if _away_mm(body.last, p) < p.radius_mm), None)
    if pocket is None or body.tint is None:
        return False
    inside, beside = mouths.changed(pocket)
    if _area_mm2(beside) > _STRANGE_MM2:
        inside = inside.part(has_tint(mouths.colours(inside), body.tint))
    return _area_mm2(inside) > max(_LEAST * _top_mm2(body), _MOSTLY * _area_mm2(beside))


def _seen_in(mouths: Mouths, pocket: Pocket, body: Body, tint: Floats) -> Fix | None:
    inside, beside = mouths.changed(pocket)
    if _area_mm2(beside) > _STRANGE_MM2:
        return None
    own = has_tint(mouths.colours(inside), tint)
    most_mm2 = pi * (_WIDEST * body.known.radius_mm) ** 2
    if not _LEAST * _top_mm2(body) < float(own.sum()) * STEP_MM**2 < most_mm2:
        return None
    place = float(inside.x_mm[own].mean()), float(inside.y_mm[own].mean())
    return Fix(*place, _ERROR_MM, body.best, 1.0, 0.0)


def _colours(picture: Picture, places: Ring) -> Floats:
    """(N, 3) of a picture (H, W, 3)."""
    return picture[places.v, places.u].astype(np.float64)


def _area_mm2(places: Ring) -> float:
    return len(places.v) * STEP_MM**2


def _top_mm2(body: Body) -> float:
    return float(pi * (body.known.radius_mm**2 - (body.known.hole_mm / 2) ** 2))


def has_tint(colours: Floats, tint: Floats) -> NDArray[np.bool_]:
    """(N,) which of (N, 3) colours are `tint` in some more or less light."""
    light = colours @ tint / max(float(tint @ tint), 1.0)
    off = np.linalg.norm(colours - light[:, None] * tint, axis=1)
    near = off < np.maximum(_OFF, _OFF_SHARE * np.linalg.norm(colours, axis=1))
    return np.asarray(near & (light > _DIM) & (light < _BRIGHT))
