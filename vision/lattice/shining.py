"""Which piece shines so much that the camera's codes have ended on most of its top.

What has not ended yet tells, in few samples or few channels; so does the rim, which shines least.
There the piece's own colour, the board's beside it and white light mix: the board's is known, so
that a rim as grey as any is a blue one on a yellow board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR
from vision.lattice.tops import GREY, TOP_TINT, Top

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]

FADES = 25.0
"""From so much below the code where a camera's codes end they begin to tell less."""
ENOUGH = 0.15
"""A top whose samples tell less than this share of all they could shines."""
_OWN = np.geomspace(0.05, 1.6, 16)
_BOARD_S = np.linspace(-0.1, 1.0, 12)
"""A rim's tint is so much of its piece's own, as a share of its brightness, and so much of the
board's."""
_MOST_OFTEN, _OFTEN = (0.4, 0.4), (0.7, 0.2)
"""How much of its own and of the board's is usual, and how far that scatters: of the former its
logarithm."""
_OPEN = 11.0
"""A channel that has not ended tells from so many codes below where it does."""
_RIM_OFF = 0.05
_SELDOM, _WIDER_MM = 1.0, 3.0
_PER_NAT = 0.1
"""A rim's tint scatters by so much about such a mixture; a piece lies so much less likely, as a
natural logarithm, upon another that is so much wider than upon the board; and what is by one less
likely fits so much worse."""
_GLOSSY = 0.5
"""So badly fits what is all gloss."""
_HINT = (0.03, 0.12)
"""A shining top's own tint counts from here, and fully from there."""
_DARKEST = 0.2
_SHINES, _NO_LAMP = 0.75, 0.1
"""What is taught to send back so much of the light at which codes end shines by itself, whatever
its rim shows beyond so much; where no lamp is reflected, what does not fits so much worse."""
_OUTSIDE = 256


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shine:
    """What is seen of F finds that shine: the codes (F, N, 3) of their cells' samples and the light
    (F, N, 3) these show (`lit`), the `light` (F, 3) there, whether a `lamp` (F,) is reflected, and
    which samples show the `top` (F, N) and the `rim` (F, N), and the light (F, 3) that the empty
    `board` sends back at the rim; `ends` (3,) are the codes from which on a channel tells nothing
    more."""

    codes: Codes
    lit: Floats32
    light: Floats
    lamp: Bools
    ends: Floats
    top: Bools
    rim: Bools
    board: Floats

    def misfits(self, tops: Sequence[Top], scale: float, allowed: Bools) -> Floats:
        """(F, T) how badly each of the `tops` fits that is `allowed` (F, T), infinitely any other:
        by the channels that have not ended; where all have or a lamp's own colour lies over them,
        by its rim, too. `scale` is how strong the strongest tint is."""
        found = np.full(allowed.shape, np.inf)
        opened = (self.codes < self.ends).any(axis=2) & self.top
        many, whole = opened.sum(axis=1), self.top.sum(axis=1)
        tell = ~self.lamp & (many > ENOUGH * whole)
        rims, hints = self._rim_misfits(tops, allowed), self._hints(opened, whole)
        itself = self._by_itself(tops)
        lamp = self.lamp | ~(itself & allowed).any(axis=1)
        own = np.where(itself & allowed, rims, np.inf).min(axis=1)
        strange = np.where(lamp, 0.0, np.maximum(own - _NO_LAMP, 0.0))
        for n, mine in enumerate(allowed):
            hint, told = hints[n], None
            if tell[n]:
                told = np.median(self.codes[n, opened[n]], axis=0)
                told = told if (self.ends - told).max() > _OPEN else None
            for t in mine.nonzero()[0].tolist():
                of = tops[t]
                if told is not None:
                    found[n, t] = _bounded(told, self.light[n], self.ends, scale, of)
                    found[n, t] += min(float(rims[n, t]), _NO_LAMP)
                    continue
                if lamp[n]:
                    found[n, t] = float(rims[n, t]) + _against(hint, of)
                else:
                    found[n, t] = max(float(rims[n, t]) - strange[n], 0.0)
                    found[n, t] += 0.0 if itself[n, t] else _NO_LAMP
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

    def _by_itself(self, tops: Sequence[Top]) -> Bools:
        """(F, T) which of the `tops` would shine in the light there without a lamp's reflection."""
        light = np.array([of.light for of in tops])
        ends = LINEAR[self.ends.astype(np.intp)]
        shine = (light * self.light[:, None] / ends).min(axis=2) > _SHINES
        return np.asarray(shine & ~self.lamp[:, None])

    def _rim_misfits(self, tops: Sequence[Top], allowed: Bools) -> Floats:
        """(F, T) how badly each rim fits each of the `tops`: how unlikely such a mixture is.

        Beside it lies the board or, less often, a larger piece. Tops that are `allowed` (F, T) for
        no find are not asked.
        """
        seen = _tints(self._rims())
        found = np.zeros(allowed.shape)
        for t in np.flatnonzero(allowed.any(axis=0)).tolist():
            found[:, t] = _unlikely(seen, _tints(self.board), tops[t])
            for light in _wider(tops, tops[t]):
                upon = _unlikely(seen, _tints(light[None]), tops[t])
                found[:, t] = np.minimum(found[:, t], upon + _SELDOM)
        return _PER_NAT * found

    def _hints(self, opened: Bools, whole: NDArray[np.intp]) -> Floats:
        """(F, 3) the tint of tops that shine: which channels have not ended yet, in the `opened`
        (F, N) of a top's `whole` (F,) samples, and by how much.

        A channel that has ended is at least as bright as any that has not: of another white balance
        the codes end elsewhere in each channel, and that is no colour.
        """
        colour = self.light / self.light.mean(axis=1, keepdims=True)
        rows, samples = opened.nonzero()
        light = self.lit[rows, samples] / colour[rows]
        ended = self.codes[rows, samples] >= self.ends
        brightest = np.where(ended, 0.0, light).max(axis=1, keepdims=True, initial=0.0)
        light = np.where(ended, np.maximum(light, brightest), light)
        tint = np.zeros((len(opened), 3))
        np.add.at(tint, rows, light - light.mean(axis=1, keepdims=True))
        return np.asarray(tint / np.maximum(whole, 1)[:, None])


def _summed(mask: Bools, lit: Floats32) -> Floats:
    """(F, 3) the sums of light (F, N, 3) where a `mask` (F, N) is set."""
    return np.asarray(np.matmul(mask[:, None].astype(np.float32), lit)[:, 0], dtype=np.float64)


def _tints(light: Floats) -> Floats:
    """(F, 3) the tints of light (F, 3), as shares of its brightness."""
    level = np.maximum(light.mean(axis=1, keepdims=True), 1e-3)
    return np.asarray(light / level - light.mean(axis=1, keepdims=True) / level)


def _wider(tops: Sequence[Top], of: Top) -> list[Floats]:
    """The light of one piece of each colour that another may lie upon, being wider."""
    wide = {o.spec.colour: o for o in tops if o.spec.diameter_mm > of.spec.diameter_mm + _WIDER_MM}
    return [np.array(other.light) for other in wide.values()]


def _unlikely(seen: Floats, beside: Floats, of: Top) -> Floats:
    """(F,) how unlikely the tints of rims, `seen` (F, 3), mix a top's own tint with what lies
    `beside` them (F or 1, 3), as a natural logarithm."""
    left = seen[:, None] - _BOARD_S[:, None] * beside[:, None]
    strange = 0.5 * np.square((_BOARD_S - _MOST_OFTEN[1]) / _OFTEN[1])
    grey = np.einsum("fbc,fbc->fb", left, left) / (2 * _RIM_OFF**2) + strange
    if of.grey:
        return np.asarray(grey.min(axis=1))
    # of the square of what is left without so much of its own tint, what hangs on how much
    own = (np.square(_OWN) - 2 * (left @ (of.tint / of.strength))[:, :, None] * _OWN) / (
        2 * _RIM_OFF**2
    )
    much = 0.5 * np.square(np.log(_OWN / _MOST_OFTEN[0]) / _OFTEN[0])
    return np.asarray((grey[:, :, None] + own + much).min(axis=(1, 2)))


def _bounded(codes: Floats, light: Floats, ends: Floats, scale: float, of: Top) -> float:
    """How badly a top fits a median code (3,) of which some channels have ended: in these it may be
    brighter than what is seen, never darker; gloss may add white, if not much without a lamp."""
    seen = LINEAR[codes.astype(np.intp)] / light
    ended = codes >= ends
    coloured = not of.grey
    amounts = np.linspace(*TOP_TINT, 24) if coloured else np.ones(1)
    left = seen - amounts[:, None] * of.tint
    level = np.linspace(left.min(), left.max(), 48)
    off = left[:, None] - level[:, None]
    off[..., ended] = np.maximum(off[..., ended], 0.0)
    misfit = np.sqrt(np.square(off).sum(axis=2)) / max(scale, GREY)
    gloss = np.maximum(level - amounts[:, None] * of.bright, 0.0)
    return float((misfit + _GLOSSY * gloss).min())


def _against(hint: Floats, top: Top) -> float:
    """How much the tint of a shining top speaks against a piece: 0 to 1."""
    strength = _length(hint)
    weight = _between((strength - _HINT[0]) / (_HINT[1] - _HINT[0]), 0, 1)
    along = 0.0
    if not top.grey:
        along = float(hint @ top.tint) / max(strength * top.strength, 1e-9)
    return weight * 0.5 * (1 - along)


def _length(vector: Floats) -> float:
    return sqrt(float(vector @ vector))


def _between(value: float, least: float, most: float) -> float:
    return min(max(value, least), most)
