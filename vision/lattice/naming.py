"""Which piece an outline is, by the colour of its top.

Gloss adds white to whatever lies beneath it, so a colour is told by what differs between the
channels, in light: that gloss leaves alone. Where a top shines so much that the camera's codes end,
its rim still tells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR
from vision.lattice.finding import Finds
from vision.lattice.grid import FINE, CellGrid
from vision.lattice.outlines import Outlines
from vision.lattice.places import Layer
from vision.lattice.sampled import ends_of
from vision.lattice.shining import ENOUGH, FADES, Shine
from vision.lattice.tops import GREY, TOP_TINT, WHITE, Top, is_grey

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]

_TELLING = (np.arange(256, dtype=np.float32) / np.float32(FADES)).reshape(1, -1)
_LINEAR = LINEAR.astype(np.float32).reshape(1, -1)
_THIRDS = np.full(3, 1 / 3)
_VEIL = 0.1
"""So much white light lies over many a top: what it does to a dark one is nothing strange."""
_TOP, _RIM_MM = 0.74, (-1.5, 0.5)
_CLEAR_MM = 1.0
"""A top is read within this share of its radius, its rim from so far inside to so far outside, what
lies beneath another piece from so far outside of that."""
_AS_TAUGHT = 0.05
"""What fits a top within so much looks as that was taught."""
_WHITE_CODE, _WARM = 150, 40
"""What is said to be white has no darker code than this, and codes no farther apart than that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Looks:
    """The `tops` of all pieces a layer can hold, and as arrays: `form` (T,) the number of each
    one's form among the outlines, `height_mm`, `tint` (T, 3), `strength`, `bright` (T,). `radius`
    are the forms' radii, or half their sides, mm, `square` (K,) which outlines are squares, `turn`
    (K,) by how many radians they are turned; `offset` (F*F, 2) the samples' places in their cell,
    mm; `scale` is how strong the strongest tint is. `grey` (T,) are those without a colour to speak
    of, `darkness` (T,) is one by how bright each is, `white` (T,) is one where that is white;
    `along` (3, T) tell how much of each one's tint is in light. `balance` (3,) is the colour of the
    light in which the table was taught; by white light, tints are `vivid` (T, 3), `vividness` (T,)
    how strong they are, and `along_vivid` (3, T) as `along`.
    """

    tops: tuple[Top, ...]
    form: Ints
    tint: Floats
    strength: Floats
    bright: Floats
    height_mm: Floats
    radius: Floats
    square: Bools
    turn: Floats
    offset: NDArray[np.float32]
    scale: float
    grey: Bools
    darkness: Floats
    white: Floats
    along: Floats
    balance: Floats
    vivid: Floats
    vividness: Floats
    along_vivid: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """What is seen of some cells, of which `row` (P,) says where they are among these: `codes`
    (Q, F*F, 3), how much each sample tells (`telling`, (Q, F*F)) and what light it shows (`lit`).

    Of all cells: the codes of the `empty` board (P, F*F, 3), the light (P, 3) there against the
    empty picture's, and whether a `lamp` (P,) is reflected. `ends` (3,) are the codes from which on
    a channel tells no more than that it is at least so bright.
    """

    codes: Codes
    empty: Codes
    light: Floats
    lamp: Bools
    ends: Floats
    row: Ints
    telling: Floats32
    lit: Floats32


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Named:
    """What each of F finds is: the number of the best `top`, how badly it fits (0 is as taught;
    infinitely what was not named), by how much less badly than the next, and whether it
    is `rimmed`: its top shines, its rim shows its colour."""

    top: Ints
    misfit: Floats
    ahead: Floats
    rimmed: Bools

    @classmethod
    def none(cls, many: int) -> "Named":
        """So many finds, none of them named."""
        empty = np.zeros(many)
        return cls(
            top=np.zeros(many, dtype=np.intp),
            misfit=empty + np.inf,
            ahead=empty,
            rimmed=np.zeros(many, dtype=np.bool_),
        )

    def amended(self, numbers: Ints, named: "Named") -> "Named":
        """The same, but that the finds of these numbers are so `named`."""
        top, misfit, ahead = self.top.copy(), self.misfit.copy(), self.ahead.copy()
        rimmed = self.rimmed.copy()
        top[numbers], misfit[numbers], ahead[numbers] = named.top, named.misfit, named.ahead
        rimmed[numbers] = named.rimmed
        return Named(top=top, misfit=misfit, ahead=ahead, rimmed=rimmed)

    def only(self, numbers: Ints) -> "Named":
        """What the finds of these numbers are, in that order."""
        return Named(
            top=self.top[numbers],
            misfit=self.misfit[numbers],
            ahead=self.ahead[numbers],
            rimmed=self.rimmed[numbers],
        )


def looks_of(
    layer: Layer,
    grid: CellGrid,
    lines: Outlines,
    taught: Mapping[tuple[str, str], Sequence[Floats]],
) -> Looks:
    """The look of each kind's top: taught, else of its colour taught on another kind, else told.

    `taught` has the light (B, G, R) that tops sent back, by kind and colour.
    """
    tops = []
    for spec in layer.specs:
        same = taught.get((spec.kind, spec.colour)) or [
            v for (_, colour), many in taught.items() if colour == spec.colour for v in many
        ]
        told = LINEAR[np.array(spec.rgb[::-1], dtype=np.intp)].astype(np.float64)
        blue, green, red = (float(v) for v in (np.median(same, axis=0) if same else told))
        light_bgr = np.array([blue, green, red])
        own = light_bgr - light_bgr.mean()
        tops.append(
            Top(
                spec=spec,
                light=(blue, green, red),
                tint=own,
                strength=float(np.linalg.norm(own)),
                bright=float(light_bgr.mean()),
            )
        )
    forms = [lines.forms.index((top.spec.shape, top.spec.diameter_mm)) for top in tops]
    known = [(top.spec.kind, top.spec.colour) in taught and _is_white(top) for top in tops]
    white = [top.light for top, yes in zip(tops, known, strict=True) if yes]
    balance = _balance(np.array(white))
    vivid = _tints(np.array([top.light for top in tops]) / balance)
    strong = np.linalg.norm(vivid, axis=1)
    tint = np.array([top.tint for top in tops])
    strength = np.array([top.strength for top in tops])
    bright = np.array([top.bright for top in tops])
    return Looks(
        tops=tuple(tops),
        form=np.array(forms, dtype=np.intp),
        tint=tint,
        strength=strength,
        bright=bright,
        height_mm=np.array([top.spec.thickness_mm for top in tops]),
        radius=np.array([diameter / 2 for _, diameter in lines.forms]),
        square=lines.square,
        turn=lines.turn,
        offset=grid.offset,
        scale=max(top.strength for top in tops),
        grey=np.array([is_grey(float(v), t.bright) for v, t in zip(strong, tops, strict=True)]),
        darkness=1 / np.maximum(bright, 1e-3),
        white=((bright > WHITE) | np.array(known)).astype(np.float64),
        along=_along(tint, strength),
        balance=balance,
        vivid=vivid,
        vividness=strong,
        along_vivid=_along(vivid, strong),
    )


def _along(tint: Floats, strength: Floats) -> Floats:
    """(3, T) by what to multiply light to tell how much there is of tints (T, 3) in it."""
    return np.asarray((tint / np.maximum(strength, 1e-6)[:, None] ** 2).T)


def _is_white(top: Top) -> bool:
    """Whether a top is said to be white."""
    return min(top.spec.rgb) >= _WHITE_CODE and max(top.spec.rgb) - min(top.spec.rgb) <= _WARM


def _balance(whites: Floats) -> Floats:
    """(3,) the colour of the light in which a table was taught, by white tops (W, 3); without any
    such it is white."""
    if not len(whites):
        return np.ones(3)
    light = np.median(whites, axis=0)
    return np.asarray(light / light.mean())


def _tints(light: Floats) -> Floats:
    """(N, 3) what of light (N, 3) is not white."""
    return np.asarray(light - light.mean(axis=1, keepdims=True))


def sight_of(codes: Codes, empty: Codes, light: Floats, lamp: Bools, cells: Ints) -> Sight:
    """What is seen, ready to name what lies in some `cells` (Q,) that show `codes` (Q, F*F, 3)."""
    ends = ends_of(codes)
    row = np.zeros(len(empty), dtype=np.intp)
    row[cells] = np.arange(len(cells))
    blue, green, red = cv2.split(cv2.LUT(codes, _below(*ends.tolist())))
    least = cv2.min(cv2.min(blue, green), red)
    return Sight(
        codes=codes,
        empty=empty,
        light=light,
        lamp=lamp,
        ends=ends,
        row=row,
        telling=np.asarray(cv2.LUT(least, _TELLING), dtype=np.float32),
        lit=np.asarray(cv2.LUT(codes, _LINEAR), dtype=np.float32),
    )


def name(looks: Looks, sight: Sight, finds: Finds, without: Finds | None = None) -> Named:
    """Which piece of its form each find is, by its colour; `without` what lies upon it."""
    top = _tops(looks, finds)
    if without is not None:
        top &= _free_of(looks, without)
    row = sight.row[finds.cell]
    weight = sight.telling[row] * top
    whole = weight.sum(axis=1)
    lit = np.matmul(weight[:, None], sight.lit[row])[:, 0]
    light = sight.light[finds.cell]
    mean = lit / np.maximum(whole, 1e-9)[:, None] / light
    fits = _misfits(mean, looks)
    # what looks as taught is not some other colour, pale; under gloss none looks so
    as_taught = fits.min(axis=1, keepdims=True) < _AS_TAUGHT
    pale = np.maximum(fits, _paleness(mean, looks))
    fits = np.where(as_taught & ~looks.grey, pale, fits)
    misfits = np.where(looks.form[None] == finds.form[:, None], fits, np.inf)
    shining = whole <= ENOUGH * np.maximum(top.sum(axis=1), 1)
    beaming = np.flatnonzero(shining)
    if len(beaming):
        over = None if without is None else without.only(beaming)
        rim = _rims(looks, finds.only(beaming), over)
        shine = Shine(
            codes=sight.codes[row[beaming]],
            lit=sight.lit[row[beaming]],
            light=light[beaming],
            lamp=sight.lamp[finds.cell[beaming]],
            ends=sight.ends,
            top=top[beaming],
            rim=rim,
            board=_board_at(sight.empty[finds.cell[beaming]], rim),
        )
        allowed = looks.form[None] == finds.form[beaming, None]
        misfits[beaming] = shine.misfits(looks.tops, looks.scale, allowed)
    each = np.arange(len(misfits))
    best = misfits.argmin(axis=1)
    least = misfits[each, best]
    misfits[each, best] = np.inf
    second = misfits.argmin(axis=1)
    next_one = misfits[each, second]
    alone = np.isinf(next_one)
    # two weak colours are told apart by less light than two strong ones, two greys by brightness
    pair = np.maximum(looks.strength[best], looks.strength[second])
    weak = looks.scale / np.minimum(np.maximum(pair, GREY), max(looks.scale, GREY))
    weak[shining | (looks.grey[best] & looks.grey[second])] = 1.0
    ahead = np.where(alone, 1.0, (next_one - least) * weak)
    return Named(top=best, misfit=least, ahead=ahead, rimmed=shining & ~looks.grey[best])


def showing(looks: Looks, finds: Finds, without: Finds) -> Bools:
    """(F, F*F) the samples that show the tops and rims of finds, `without` what lies upon them."""
    top = _tops(looks, finds) & _free_of(looks, without)
    return np.asarray(top | _rims(looks, finds, without))


def _tops(looks: Looks, finds: Finds) -> Bools:
    """(F, F*F) the samples that show the tops of finds."""
    inside = (_TOP - 1) * looks.radius[finds.form].astype(np.float32)
    return np.asarray(_outside(looks, finds) < inside[:, None])


def _rims(looks: Looks, finds: Finds, without: Finds | None) -> Bools:
    """(F, F*F) the samples that show the rims of finds, `without` what lies upon them."""
    outside = _outside(looks, finds)
    rim = (outside < _RIM_MM[1]) & (outside > _RIM_MM[0])
    return np.asarray(rim if without is None else rim & _free_of(looks, without))


def _board_at(empty: Codes, part: Bools) -> Floats:
    """(F, 3) the light that the `empty` board (F, N, 3) sends back on a `part` (F, N)."""
    lit = np.matmul(part[:, None].astype(np.float32), LINEAR.astype(np.float32)[empty])[:, 0]
    return np.asarray(lit / np.maximum(part.sum(axis=1), 1)[:, None], dtype=np.float64)


def _free_of(looks: Looks, finds: Finds) -> Bools:
    """(F, F*F) the samples that show no find."""
    return np.asarray(_outside(looks, finds) > _CLEAR_MM)


@lru_cache(maxsize=64)
def _below(*ends: float) -> Codes:
    """(1, 256, 3) how far each code of each channel is below where three channels end, up to where
    it tells all it can."""
    off = np.array(ends) - np.arange(256)[None, :, None]
    return np.asarray(np.clip(off, 0, FADES), dtype=np.uint8)


def _outside(looks: Looks, finds: Finds) -> Floats32:
    """(F, F*F) how far each sample lies outside of each find, mm; negative inside."""
    at = finds.at.astype(np.float32)
    x = (looks.offset[None, :FINE, 0] - at[:, :1])[:, None]
    y = (looks.offset[None, ::FINE, 1] - at[:, 1:])[:, :, None]
    away = np.sqrt(np.square(x) + np.square(y))
    square = np.flatnonzero(looks.square[finds.number])
    if len(square):
        turn = looks.turn[finds.number[square]].astype(np.float32)[:, None, None]
        x, y, along, across = x[square], y[square], np.cos(turn), np.sin(turn)
        away[square] = np.maximum(np.abs(along * x + across * y), np.abs(along * y - across * x))
    away -= looks.radius[finds.form].astype(np.float32)[:, None, None]
    return np.asarray(away.reshape(len(at), FINE * FINE), dtype=np.float32)


def _misfits(mean: Floats, looks: Looks) -> Floats:
    """(F, T) how badly light (F, 3) fits tops: 0 is as taught, about 1 is another colour."""
    level = (mean @ _THIRDS)[:, None]
    tint = mean - level
    # Gloss brightens what is dark by much, and nothing darkens what is white.
    over = np.log((np.maximum(level, 0.0) + _VEIL) / (looks.bright + _VEIL))
    strange = 0.2 * np.maximum(over - 0.45, 0.0)
    # what little tint a grey one has, it has less of where it is darker than taught
    pale = tint[:, None] - np.minimum(level * looks.darkness, 1.0)[:, :, None] * looks.tint
    length = np.sqrt(np.einsum("ftc,ftc->ft", pale, pale)) / max(looks.scale, GREY)
    grey = length + strange + looks.white * np.maximum(-over - 0.1, 0.0)
    coloured = _apart(tint, looks.tint, looks.along) / max(looks.scale, 1e-6) + strange
    return np.asarray(np.where(looks.grey, grey, coloured))


def _paleness(mean: Floats, looks: Looks) -> Floats:
    """(F, T) how badly light (F, 3) fits coloured tops by white light, as `_misfits` tells; by a
    warm lamp white itself is a pale yellow."""
    apart = _apart(_tints(mean / looks.balance), looks.vivid, looks.along_vivid)
    strongest = max(float(looks.vividness.max()), GREY)
    return np.where(looks.vividness < GREY, 0.0, apart / strongest)


def _apart(tint: Floats, own: Floats, along: Floats) -> Floats:
    """(F, T) what is left of tints (F, 3) without as much of tops' `own` (T, 3) as may be."""
    amount = np.minimum(np.maximum(tint @ along, TOP_TINT[0]), TOP_TINT[1])
    left = tint[:, None] - amount[:, :, None] * own
    return np.asarray(np.sqrt(np.einsum("ftc,ftc->ft", left, left)))


def unlike_board(sight: Sight, cell: int, part: Bools) -> float:
    """The share of a `part`'s (F*F,) light that the board there does not have, however bright."""
    if not part.any():
        return 0.0
    seen_light = LINEAR[sight.codes[sight.row[cell], part]].astype(np.float64).mean(axis=0)
    return unlike_board_by(seen_light / sight.light[cell], sight, cell, part)


def unlike_board_by(light: Floats, sight: Sight, cell: int, part: Bools) -> float:
    """The share of `light` (3,), seen in the empty picture's, that the board on a `part` (F*F,) of
    a cell does not have, however bright."""
    if not part.any():
        return 0.0
    board = LINEAR[sight.empty[cell, part]].astype(np.float64).mean(axis=0)
    amount = float(light @ board) / max(float(board @ board), 1e-12)
    left = np.linalg.norm(light - amount * board)
    return float(left / max(float(np.linalg.norm(light)), 1e-6))
