"""Where a piece lies in a picture, to a tenth of a pixel: its stamp fitted over the board.

The place is fitted by least squares over the pixels in and around the piece (Lucas & Kanade 1981,
Baker & Matthews 2004); wood grain and painted lines cancel out because the board is in the model.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from vision.tracking.gauss_newton import NOBODY, NOTHING, UNKNOWN_GAIN, Gray, Points, descend
from vision.tracking.plane import Floats, Patch
from vision.tracking.stamp import Cover, Layers, Stamp

_CODED_NOISE = 1.8  # video coding leaves at least so much
_NOWHERE_MM = 99.0
_FAINT = 4.0  # so many times less than it should a piece shows at the least


@dataclass(frozen=True, slots=True)
class Fix:
    """A measured place: `error_mm` is one sd, `share` how much of what was to be seen is explained.

    `share` is near 1 for the right piece at the right place and 0 or less where there is none.
    """

    x_mm: float
    y_mm: float
    error_mm: float
    share: float
    gain: float
    misfit: float


def fit(
    stamp: Stamp,
    picture: Gray,
    board: Gray,
    guess: tuple[float, float],
    *,
    blur_mm: tuple[float, float] = (0.0, 0.0),
    others: tuple[Cover, ...] = (),
    rounds: int = 6,
    doubtful: Gray | None = None,
    hidden: Gray | None = None,
) -> Fix:
    """Fit a piece's place near `guess` (within about a third of its radius).

    `board` is the picture without this piece. `others` are pieces that are not in `board` either:
    they are drawn into it, and their pixels count half. `doubtful`: 255 where the board is a guess,
    `hidden`: 255 where a hand lies over all, so that nothing is told there.
    """
    guess = (float(guess[0]), float(guess[1]))
    layers = stamp.layers(guess, blur_mm)
    if not len(layers.through):  # so smeared that nothing of it would show
        return Fix(*guess, _NOWHERE_MM, 0.0, 1.0, 255.0)
    spot = stamp.plane.spot(*guess)
    near = [_drawn(c, stamp, guess) for c in others if _reaches(c, stamp, layers, guess)]
    drawn, covers = _together(near)
    hum = max(stamp.noise, _CODED_NOISE)
    dx, dy, gain, spread, unexplained, shown, wanted, variance = descend(
        picture,
        board,
        NOTHING if doubtful is None else doubtful,
        NOTHING if hidden is None else hidden,
        np.array([spot.u, spot.v, spot.ux, spot.uy, spot.vx, spot.vy]),
        layers.at_mm,
        layers.through,
        layers.lights,
        layers.through_falls,
        layers.layer_falls,
        layers.around,
        drawn,
        covers,
        stamp.level,
        hum,
        stamp.plane.step_mm,
        rounds,
    )
    left, shown = max(unexplained - hum**2, 0.0), shown - hum**2
    share = 1.0 - left / max(shown, 0.25 * hum**2)
    # where hardly anything is to be seen, a piece that would show is not there
    if wanted > hum**2:
        share = min(share, _FAINT * max(shown, 0.0) / wanted)
    error = max(stamp.noise, 1.25 * spread) * sqrt(variance) if variance > 0 else _NOWHERE_MM
    return Fix(guess[0] + dx, guess[1] + dy, max(error, 0.03), share, gain, spread)


def _reaches(cover: Cover, stamp: Stamp, layers: Layers, guess: tuple[float, float]) -> bool:
    reach = 1.42 * layers.half * stamp.plane.step_mm + cover.stamp.radius_mm + stamp.margin_mm
    return hypot(cover.x_mm - guess[0], cover.y_mm - guess[1]) < reach


def _drawn(
    cover: Cover, onto: Stamp, guess: tuple[float, float]
) -> tuple[Patch, tuple[float, ...]]:
    """Another piece's layers, and the row that `descend` takes of them."""
    stamp = cover.stamp
    theirs = stamp.layers((cover.x_mm, cover.y_mm), cover.blur_mm).drawn
    # seen in this piece's plane, a higher top lies farther from the camera's foot
    lift = stamp.lean - onto.lean
    eye = onto.plane.eye
    x_mm = cover.x_mm + (cover.x_mm - eye[0]) * lift - guess[0]
    y_mm = cover.y_mm + (cover.y_mm - eye[1]) * lift - guess[1]
    gain = UNKNOWN_GAIN if cover.gain is None else cover.gain
    return theirs, (0, len(theirs), x_mm, y_mm, 1 / stamp.plane.step_mm, gain, stamp.level)


def _together(near: list[tuple[Patch, tuple[float, ...]]]) -> tuple[Points, Floats]:
    """The layers of several pieces one after the other, and a row for each (K, 7)."""
    if not near:
        return NOBODY, np.zeros((0, 7))
    rows = np.array([row for _, row in near])
    rows[1:, 0] = np.cumsum(2 * rows[:-1, 1] ** 2)  # where each one's begin
    return np.concatenate([layers.ravel() for layers, _ in near]), rows
