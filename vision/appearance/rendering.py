"""A piece rendered into its patch: regions with soft edges, each lit from where the light comes.

The model of a patch is a sum of regions (top, rings on it, bevelled rims, side wall, inside of the
hole, board around it and through the hole in the piece's own shadow). What light the shape of a
region gets follows from the lamps; each region's own row in the design may depart from that a
little, and how far is a prior in the same units.
"""

from typing import NamedTuple

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.appearance.gloss import Gloss
from vision.appearance.light import AROUND, Light, Standing, lit, shadows
from vision.appearance.parts import regions
from vision.appearance.patch import Patch

MIRROR = 0.15
_BEVEL_UP = 0.7071
_WALL_BRIGHT, _BORE_BRIGHT = np.float32(0.8), np.float32(0.5)
_TRACE = 1e-5
"""Less of a region in a pixel is nothing."""


class Model(NamedTuple):
    """`rows` (M, N), each taken `usual` (M,) times, give or take one `sd` (M,) of a prior."""

    rows: Floats32
    usual: Floats
    sd: Floats


def _light_faces(
    shaped: Floats32,
    rim: Floats32,
    upright: Floats32,
    cos: Floats32,
    sin: Floats32,
    light: Light,
    leans: Floats32,
) -> None:
    """Add to `shaped` (N,) the light of a bevelled rim and a wall that look along (cos, sin)."""
    n = np.flatnonzero(rim + upright > _TRACE)
    shaped[n] += rim[n] * lit(cos[n], sin[n], _BEVEL_UP, light, leans)
    shaped[n] += upright[n] * lit(cos[n], sin[n], 0.0, light, leans)


def design(
    patch: Patch,
    piece: Standing,
    light: Light,
    kept: Floats32,
    gloss: Gloss,
    blur_px: float,
    *,
    may: Floats,
) -> Model:
    """The patch's model with `piece` in it, where the board keeps `kept` (N,) of its light.

    `may`: how far rims and walls may be from what the lamps give them, `TIED` or one of its like.
    """
    r = regions(patch, piece.body, piece.x_mm, piece.y_mm, blur_px)
    r = r._replace(top=r.top * patch.top_lit, bevel=r.bevel * patch.top_lit)
    board = patch.board * kept
    cos, sin = r.cos, r.sin
    leans = light.lean_at(piece.x_mm, piece.y_mm).astype(np.float32)
    bored = piece.body.hole_mm > 0
    near = r.outside * np.exp(np.maximum(r.reach, 0) * np.float32(-1 / 3.0)) * patch.board
    shaped = r.top.copy()
    _light_faces(shaped, r.bevel, _WALL_BRIGHT * r.wall, cos, sin, light, leans)
    if bored:
        _light_faces(shaped, r.lip, _BORE_BRIGHT * r.bore, -cos, -sin, light, leans)
    rows = [
        (r.outside + r.through) * board,
        r.outside,
        near,
        near * cos,
        near * sin,
        shaped,
        r.top,
        r.top * r.along,
        r.top * r.aside,
        r.wall,
        r.wall * cos,
        r.wall * sin,
        r.bevel,
        r.bevel * cos,
        r.bevel * sin,
    ]
    # What the board mirrors beside a piece is the piece's wall, not the lamp behind it.
    rows.append(r.outside * board)
    middle = patch.drift.mean(axis=0).astype(np.float64)
    seat = np.array([piece.x_mm - patch.origin[0], piece.y_mm - patch.origin[1]])
    n = np.flatnonzero(r.outside)
    foot = patch.foot[n] - seat.astype(np.float32)
    rows[-1][n] *= shadows(foot, piece.body, -middle[None], np.array([MIRROR]), AROUND)[0]
    rows.append((r.outside + r.through) * patch.board * (1 - kept))
    if bored:
        rows[12:15] = [r.bevel + r.lip, (r.bevel - r.lip) * cos, (r.bevel - r.lip) * sin]
        rows += [r.lip, r.lip * cos, r.lip * sin, r.bore, r.bore * cos, r.bore * sin]
        rows += [r.through * board, r.through]
    else:
        may = may[:_WITHOUT_HOLE]
    if piece.rings is not None:
        length = np.hypot(r.along, r.aside) * np.float32(piece.body.radius_mm)
        turned = np.interp(length, piece.rings.radii_mm, piece.rings.relative, left=0, right=0)
        rows.append(100 * r.top * turned.astype(np.float32))
        may = np.append(may, _RINGS)
    usual = np.append(np.zeros(len(rows)), np.ones(len(_GLOSS)))
    mirrors = r.wall * gloss.wall + r.bevel * gloss.rim
    rows += [
        mirrors,
        r.bevel * gloss.bevel + r.lip * gloss.lip,
        r.outside * gloss.board,
        patch.colours.mixed(np.float32(patch.colours.top) * shaped, rows[0] + mirrors),
    ]
    return Model(np.stack(rows), usual, np.append(may, _GLOSS))


_BOARD, _NEAR, _TOP = (1e4, 3.0), (0.06, 0.06, 0.06), (1e4, 1e4, 5.0, 5.0)
_WALL, _BEVEL, _BESIDE = (5.0, 5.0, 5.0), (6.0, 6.0, 6.0), (0.3, 0.15)
_LIP, _BORE, _THROUGH = (6.0, 6.0, 6.0), (12.0, 12.0, 12.0), (0.2, 9.0)
_RINGS = 1.0
_GLOSS = (0.25, 1.0, 0.5, 0.1)
LOOSE = np.array([*_BOARD, *_NEAR, *_TOP, *_WALL, *_BEVEL, *_BESIDE, *_LIP, *_BORE, *_THROUGH])
_WITHOUT_HOLE = 17
_TIE = 0.05
TIED = LOOSE.copy()
TIED[9] *= 2 * _TIE
TIED[[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]] *= _TIE
FREE_WALLS = TIED.copy()
FREE_WALLS[[9, 10, 11]] *= 3
"""One standard deviation of each row's amount, in light 0..100 (shares of the board's: 0..1).

Loose rims mimic a piece that stands elsewhere: a bright rim on one side looks like a shift to the
other. Where the lamps are known (`TIED`), the sides of rims and walls keep to what the lamps give
them; walls less so in `FREE_WALLS`, as what stands about a piece is mirrored in them, too.
"""
