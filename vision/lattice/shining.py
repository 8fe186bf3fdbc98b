"""Which piece shines so much that the camera's codes have ended on most of its top.

What has not ended yet tells, in few samples or few channels; so does the rim, which shines least.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR
from vision.lattice.tops import GREY, TOP_TINT, WHITE, Top

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]

FADES = 25.0
"""From so much below the code where a camera's codes end they begin to tell less."""
ENOUGH = 0.15
"""A top whose samples tell less than this share of all they could shines."""
_RIM_TINT = (0.15, 1.5)
"""A rim's tint is from so much to so much of its own brightness."""
_GLOSSY = 0.5
"""So badly fits what is all gloss."""
_HINT = (0.03, 0.12)
"""A shining top's own tint counts from here, and fully from there."""
_DARKEST = 0.2
_OUTSIDE = 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shine:
    """What is seen of F finds that shine: the codes (F, N, 3) of their cells' samples and the light
    (F, N, 3) these show (`lit`), the `light` (F, 3) there, whether a `lamp` (F,) is reflected, and
    which samples show the `top` (F, N) and the `rim` (F, N); `ends` (3,) are the codes from which
    on a channel tells nothing more."""

    codes: Codes
    lit: Floats32
    light: Floats
    lamp: Bools
    ends: Floats
    top: Bools
    rim: Bools

    def misfits(self, tops: Sequence[Top], scale: float, allowed: Bools) -> Floats:
        """(F, T) how badly each of the `tops` fits that is `allowed` (F, T), infinitely any other:
        by the channels that have not ended; where all have or a lamp's own colour lies over them,
        by its rim, too. `scale` is how strong the strongest tint is."""
        found = np.full(allowed.shape, np.inf)
        opened = (self.codes < self.ends).any(axis=2) & self.top
        many, whole = opened.sum(axis=1), self.top.sum(axis=1)
        tell = ~self.lamp & (many > ENOUGH * whole)
        rims, hints = self._rims(), self._hints(opened, many, whole)
        for n, mine in enumerate(allowed):
            rim, hint, told = rims[n], hints[n], None
            if tell[n]:
                told = np.median(self.codes[n, opened[n]], axis=0)
            level = float(rim.mean())
            for t in mine.nonzero()[0].tolist():
                of = tops[t]
                if told is not None:
                    found[n, t] = _bounded(told, self.light[n], self.ends, scale, of)
                    continue
                misfit = _rim_misfit(rim - level, level, of)
                if self.lamp[n]:
                    misfit += _against(hint, of)
                else:  # what shines without a lamp is white itself
                    misfit += 0.5 * (min(of.light) < WHITE)
                found[n, t] = misfit
        return found

    def _rims(self) -> Floats:
        """(F, 3) mean light of each rim's darkest samples, which shine least, in the empty
        picture's."""
        blue, green, red = (self.codes[..., channel] for channel in range(3))
        brightest = np.maximum(np.maximum(blue, green), red).astype(np.int16)
        many = self.rim.sum(axis=1)
        ordered = np.sort(np.where(self.rim, brightest, np.int16(_OUTSIDE)), axis=1)
        place = _DARKEST * np.maximum(many - 1, 0)
        low, each = place.astype(np.intp), np.arange(len(many))
        first = ordered[each, low]
        after = ordered[each, np.minimum(low + 1, np.maximum(many - 1, 0))]
        bar = np.minimum(first + (after - first) * (place - low), float(self.ends.min()) - FADES)
        dark = self.rim & (brightest <= bar[:, None])
        count = dark.sum(axis=1)[:, None]
        mean = _summed(dark, self.lit) / np.maximum(count, 1)
        # where there is no such sample, even the rim shines
        return np.asarray(np.where(count > 0, mean, 1.0) / self.light)

    def _hints(self, opened: Bools, many: NDArray[np.intp], whole: NDArray[np.intp]) -> Floats:
        """(F, 3) the tint of tops that shine: which channels have not ended yet, in the `opened`
        (F, N), so `many` (F,) of a top's `whole` (F,) samples, and by how much."""
        colour = self.light / self.light.mean(axis=1, keepdims=True)
        light = _summed(opened, self.lit) / np.maximum(many, 1)[:, None] / colour
        tint = light - light.mean(axis=1, keepdims=True)
        return np.asarray(tint * (many / np.maximum(whole, 1))[:, None])


def _summed(mask: Bools, lit: Floats32) -> Floats:
    """(F, 3) the sums of light (F, N, 3) where a `mask` (F, N) is set."""
    return np.asarray(np.matmul(mask[:, None].astype(np.float32), lit)[:, 0], dtype=np.float64)


def _bounded(codes: Floats, light: Floats, ends: Floats, scale: float, of: Top) -> float:
    """How badly a top fits a median code (3,) of which some channels have ended: in these it may be
    brighter than what is seen, never darker; gloss may add white, if not much without a lamp."""
    seen = LINEAR[codes.astype(np.intp)] / light
    ended = codes >= ends
    coloured = of.strength >= GREY
    amounts = np.linspace(*TOP_TINT, 24) if coloured else np.ones(1)
    left = seen - amounts[:, None] * of.tint
    level = np.linspace(left.min(), left.max(), 48)
    off = left[:, None] - level[:, None]
    off[..., ended] = np.maximum(off[..., ended], 0.0)
    misfit = np.sqrt(np.square(off).sum(axis=2)) / max(scale, GREY)
    gloss = np.maximum(level - amounts[:, None] * of.bright, 0.0)
    return float((misfit + _GLOSSY * gloss).min())


def _rim_misfit(tint: Floats, level: float, top: Top) -> float:
    grey = top.strength < GREY
    if grey and top.bright > WHITE:
        return 0.0  # white is what shines first
    tint = tint / max(level, 1e-3)
    amount = 0.0 if grey else _between(float(tint @ top.tint) / top.strength, *_RIM_TINT)
    return _length(tint - amount * top.tint / max(top.strength, 1e-6))


def _against(hint: Floats, top: Top) -> float:
    """How much the tint of a shining top speaks against a piece: 0 to 1."""
    strength = _length(hint)
    weight = _between((strength - _HINT[0]) / (_HINT[1] - _HINT[0]), 0, 1)
    along = 0.0
    if top.strength >= GREY:
        along = float(hint @ top.tint) / max(strength * top.strength, 1e-9)
    return weight * 0.5 * (1 - along)


def _length(vector: Floats) -> float:
    return sqrt(float(vector @ vector))


def _between(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
