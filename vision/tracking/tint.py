"""A piece's colour tells apart those that look alike in the gray in which they are followed."""

from collections.abc import Iterable
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from vision.tracking.plane import Plane

Tint = NDArray[np.float64]  # (3,) blue, green, red
_PARTS, _TURNS = (0.52, 0.64, 0.76), 12  # of the radius: beyond the hole, within the rim
_UNLIKE, _UNLIKE_CODES, _LIKER = 40.0, 25.0, 0.5
_DIM, _BRIGHT = 0.65, 1.1  # in a hand's shadow, or nearer to a lamp
_DARKEST = 0.4  # of its light: in no shadow a piece is darker
_SHINES = 0.4  # of the light on the board beside it
_SHONE, _DULL = 0.08, 4  # what it mirrors at home, of the board's light (varnish throws back 4 %)
_POWER = 2.2  # of codes, for the light that they stand for
_BRIEF, _FAINTEST, _MIXED = 0.25, 0.2, 5
_AROUND = np.array(
    [
        (part * cos(2 * pi * k / _TURNS), part * sin(2 * pi * k / _TURNS))
        for part in _PARTS
        for k in range(_TURNS)
    ]
)


def tint_of(
    plane: Plane, picture: NDArray[np.uint8], x_mm: float, y_mm: float, radius_mm: float
) -> Tint | None:
    """The colour of a piece of that radius at a place: None in a gray picture or outside of it."""
    if picture.ndim != 3:
        return None
    spot = plane.spot(x_mm, y_mm)
    x, y = radius_mm * _AROUND.T
    u = np.rint(spot.u + spot.ux * x + spot.uy * y).astype(np.intp)
    v = np.rint(spot.v + spot.vx * x + spot.vy * y).astype(np.intp)
    if min(u.min(), v.min()) < 0 or u.max() >= picture.shape[1] or v.max() >= picture.shape[0]:
        return None
    return np.asarray(np.median(picture[v, u].astype(np.float64), axis=0))


def is_of_another(seen: Tint, own: Tint, others: Iterable[Tint]) -> bool:
    """Whether a colour is unlike a piece's own, and much more like one of `others`.

    Only hues tell: light and glare make a black piece gray.
    """
    hue = _hue(seen)
    off = float(np.linalg.norm(hue - _hue(own)))
    return min(off, float(np.linalg.norm(hue))) > _UNLIKE and any(
        float(np.linalg.norm(hue - _hue(other))) < _LIKER * off for other in others
    )


def is_darker_another(seen: Tint, own: Tint, others: Iterable[Tint]) -> bool:
    """Whether a colour is too dark for a piece in any shadow, and much more like one of `others`.

    In gray a light piece and a dark one differ by light alone, and the fit leaves that open.
    """
    if float(seen @ own) > _DARKEST * float(own @ own):
        return False
    off = float(np.linalg.norm(seen - own))
    return any(float(np.linalg.norm(seen - other)) < _LIKER * off for other in others)


def is_mixed_of_another(
    seen: Tint, own: Tint, others: Iterable[Tint], board: Tint, run: float
) -> bool:
    """Whether a colour is unlike a piece's own, and much more like one of `others`, as it runs.

    What runs `run` times its breadth while the shutter is open is mixed with the `board`.
    """
    off = off_tint(seen, own, board, run)
    return off > _UNLIKE_CODES and any(
        off_tint(seen, other, board, run) < _LIKER * off for other in others
    )


def off_tint(seen: Tint, own: Tint, board: Tint, run: float) -> float:
    """How far a colour is, in codes, from all that the piece may have there.

    More or less light falls on it, it may shine as the `board` does in that light, or no more as
    it did at home, and where it ran `run` times its breadth while the shutter was open, it is mixed
    with the board that it ran over.
    """
    least = 1.0 if run < _BRIEF else max(_FAINTEST, 1.0 - run)
    part = np.linspace(least, 1.0, 1 if least == 1.0 else _MIXED)[:, None, None]
    mixed = (part * _duller(own, board) + (1 - part) * board).reshape(-1, 1, 3)
    matt = seen - np.linspace(0.0, _SHINES, _MIXED)[None, :, None] * board
    light = (matt * mixed).sum(axis=2) / np.maximum((mixed * mixed).sum(axis=2), 1.0)
    off = matt - np.clip(light, _DIM, _BRIGHT)[:, :, None] * mixed
    return float(np.linalg.norm(off, axis=2).min())


def _duller(own: Tint, board: Tint) -> Tint:
    """(N, 3) a piece's colour, with more and more of the light that it may mirror taken off.

    Lamps are white. Where a colour is dark, the little light of a shine is a good part of its code.
    """
    light = (own / 255) ** _POWER
    most = min(_SHONE * float((board.max() / 255) ** _POWER), float(light.min()))
    left = light - np.linspace(0.0, most, _DULL)[:, None]
    return np.asarray(255 * np.maximum(left, 0.0) ** (1 / _POWER))


def _hue(tint: Tint) -> Tint:
    return np.asarray(tint - tint.mean())
