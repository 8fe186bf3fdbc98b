"""Where a piece lies in a picture, to a tenth of a pixel: its stamp fitted over the board.

The place is fitted by least squares over the pixels in and around the piece (Lucas & Kanade 1981,
Baker & Matthews 2004); wood grain and painted lines cancel out because the board is in the model.
"""

from dataclasses import dataclass
from math import hypot, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.plane import Floats, Patch, Spot
from vision.tracking.stamp import Cover, Layers, Points, Stamp, lit_level

Gray = NDArray[np.uint8]
_CODED_NOISE = 1.8  # video coding leaves at least so much
_FAR_ROUNDS = 2
_NOWHERE_MM = 99.0
_GUESSED = 6.0  # codes, one sd, of board that no picture has shown: 2 as a rule, 8 by the border
_FAINT = 4.0  # so many times less than it should a piece shows at the least
_DIAGONAL = np.diag_indices(6)
_PLACE = np.eye(6, 2)
_PRIOR = np.array([0.0, 0.0, 1 / 0.006**2, 1 / 20.0**2, 1 / 4.0**2, 1 / 4.0**2])


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
    step_mm = stamp.plane.step_mm
    look = _Look(layers, stamp.plane.spot(*guess))
    through, lights = layers.through, layers.lights
    near = [_Drawn(c, stamp, layers, guess) for c in others if _reaches(c, stamp, layers, guess)]
    hum = max(stamp.noise, _CODED_NOISE)
    floor = 2.0 * hum
    # Light on the piece changes as it runs: a gain and a sloped glow, held near none.
    prior = _PRIOR * floor**2
    rows = np.empty((6, len(through)), dtype=np.float32)
    rows[2:] = lights
    dx = dy = 0.0
    under = look.of(board)
    usual = stamp.gain_over(lit_level(under))
    light = usual_light = np.array([usual, 0.0, 0.0, 0.0])
    weight: Points | None = None
    doubt = None if doubtful is None else look.of(doubtful) * np.float32(1 / 255)
    trust = None if doubt is None else 1 / (1 + np.square(doubt * through * (_GUESSED / floor)))
    limit = 3.0 * step_mm
    for turn in range(rounds):
        if turn:
            look.move(dx, dy)
            under = look.of(board)
        seen = look.of(picture)
        weight = trust
        if hidden is not None:
            bare = 1 - look.of(hidden) * np.float32(1 / 255)
            weight = bare if trust is None else trust * bare
        if near:
            weight = np.ones_like(seen) if weight is None else weight.copy()
            for other in near:
                under, theirs = other.over(under, dx, dy)
                weight *= 1 - np.float32(0.6) * theirs
        miss = seen - under * through
        miss -= light.astype(np.float32) @ lights
        np.multiply(under, layers.through_falls, out=rows[:2])
        rows[:2] += layers.layer_falls
        # far off, all of it must pull; near, what does not fit is a cue or a neighbour
        far = miss * np.float32(1 / ((12.0 if turn < _FAR_ROUNDS else 3.0) * floor))
        far *= far
        far += 1
        heavy = np.reciprocal(far, out=far)
        if weight is not None:
            heavy *= weight
        weighted = rows * heavy
        normal: Floats = (weighted @ rows.T).astype(np.float64)
        right = (weighted @ miss).astype(np.float64)
        normal[_DIAGONAL] += prior + 1e-9
        right[2:] -= prior[2:] * (light - usual_light)
        # several times faster than NumPy for so few numbers
        step = cv2.solve(normal, right[:, None], flags=cv2.DECOMP_CHOLESKY)[1].ravel()
        step_x, step_y = float(step[0]), float(step[1])
        size = hypot(step_x, step_y)
        if size > limit:
            step_x, step_y = step_x * limit / size, step_y * limit / size
        dx += step_x
        dy += step_y
        light = light + step[2:]
        light[0] = min(1.7, max(0.5, light[0]))
        if size < 0.03 * step_mm and turn >= _FAR_ROUNDS:
            break
    gain = float(light[0])
    covers = layers.around if weight is None else weight * layers.around
    total = float(covers.sum()) + 1e-6
    off, gap = np.clip(miss, -60, 60), np.clip(seen - under, -60, 60)
    due = np.clip(np.float32(usual) * lights[0] - under * (1 - through), -60, 60)
    spread = float(np.abs(off) @ covers) / total
    if doubt is not None:  # the board may be otherwise than guessed, with the piece and without
        off = off - _even_in(off, layers.at_mm, covers, doubt * through)
        gap = gap - _even_in(gap, layers.at_mm, covers, doubt)
        due = due - _even_in(due, layers.at_mm, covers, doubt)
    left, shown = (float((codes * codes) @ covers) / total - hum**2 for codes in (off, gap))
    share = 1.0 - max(left, 0.0) / max(shown, 0.25 * hum**2)
    # where hardly anything is to be seen, a piece that would show is not there
    wanted = float((due * due) @ covers) / total
    if wanted > hum**2:
        share = min(share, _FAINT * max(shown, 0.0) / wanted)
    variance = max(stamp.noise, 1.25 * spread) ** 2
    known, inverse = cv2.solve(normal, _PLACE, flags=cv2.DECOMP_CHOLESKY)
    mean_square = 0.5 * float(inverse[0, 0] + inverse[1, 1]) * variance
    error = sqrt(max(mean_square, 1e-6)) if known else _NOWHERE_MM
    return Fix(guess[0] + dx, guess[1] + dy, max(error, 0.03), share, gain, spread)


def _even_in(codes: Points, at_mm: Patch, covers: Points, doubt: Points) -> Points:
    """What of these `codes` may come of light that was guessed amiss, where there is `doubt`.

    Light changes evenly over a piece's breadth: what differs so is no sign of a piece.
    """
    rows = np.stack([np.ones_like(codes), *(at_mm * np.float32(0.1))]) * doubt
    weighted = rows * covers
    normal = (weighted @ rows.T).astype(np.float64) + 1e-3 * np.eye(3)
    even = np.linalg.solve(normal, (weighted @ codes).astype(np.float64))
    return np.asarray(even @ rows, dtype=np.float32)


class _Look:
    """Reads pictures at the pixels of some layers, moved a little."""

    def __init__(self, layers: Layers, spot: Spot) -> None:
        self._spot = spot
        x, y = layers.at_mm[:1], layers.at_mm[1:]
        self._u = spot.u + np.float32(spot.ux) * x + np.float32(spot.uy) * y
        self._v = spot.v + np.float32(spot.vx) * x + np.float32(spot.vy) * y

        self.move(0.0, 0.0)

    def move(self, dx: float, dy: float) -> None:
        """Read from now on where the pixels lie when all is moved by (dx, dy) mm."""
        s = self._spot
        self._to_u = self._u + np.float32(s.ux * dx + s.uy * dy)
        self._to_v = self._v + np.float32(s.vx * dx + s.vy * dy)

    def of(self, picture: Gray) -> Points:
        """(N,) what it shows there."""
        # as one long row: many rows of one pixel each take OpenCV five times as long
        got = cv2.remap(
            picture, self._to_u, self._to_v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(got.ravel(), dtype=np.float32)


def _reaches(cover: Cover, stamp: Stamp, layers: Layers, guess: tuple[float, float]) -> bool:
    reach = 1.42 * layers.half * stamp.plane.step_mm + cover.stamp.radius_mm + stamp.margin_mm
    return hypot(cover.x_mm - guess[0], cover.y_mm - guess[1]) < reach


class _Drawn:
    """Another piece, to be drawn into the board that is seen at the pixels of some layers."""

    def __init__(
        self, cover: Cover, onto: Stamp, layers: Layers, guess: tuple[float, float]
    ) -> None:
        stamp = cover.stamp
        theirs = stamp.layers((cover.x_mm, cover.y_mm), cover.blur_mm)
        # seen in this piece's plane, a higher top lies farther from the camera's foot
        lift = stamp.lean - onto.lean
        eye = onto.plane.eye
        self._x_mm = cover.x_mm + (cover.x_mm - eye[0]) * lift - guess[0]
        self._y_mm = cover.y_mm + (cover.y_mm - eye[1]) * lift - guess[1]
        self._at_mm = layers.at_mm
        self._scale, self._half = np.float32(1 / stamp.plane.step_mm), np.float32(theirs.half)
        self._layers, self._gain, self._gain_over = theirs.drawn, cover.gain, stamp.gain_over

    def over(self, under: Points, dx: float, dy: float) -> tuple[Points, Points]:
        """`under` with the piece drawn in, and how much of each pixel it hides.

        The layers' pixels are moved by (dx, dy) mm.
        """
        u = (self._at_mm[0] - np.float32(self._x_mm - dx)) * self._scale + self._half
        v = (self._at_mm[1] - np.float32(self._y_mm - dy)) * self._scale + self._half
        both = cv2.remap(self._layers, u[None], v[None], cv2.INTER_LINEAR).reshape(-1, 2)
        hide, layer = both[:, 0], both[:, 1]
        gain = self._gain if self._gain is not None else self._gain_over(lit_level(under))
        return under * (1 - hide) + np.float32(gain) * layer, np.clip(hide, 0, 1)
