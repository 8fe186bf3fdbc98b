"""A piece rendered into its patch: regions with soft edges, each lit from where the light comes.

The model of a patch is a sum of regions (top, rings on it, bevelled rims, side wall, inside of the
hole, board around it and through the hole in the piece's own shadow). What light the shape of a
region gets follows from the lamps; each region's own row in the design may depart from that a
little, and how far is a prior in the same units.
"""

from typing import NamedTuple

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Body, Floats32
from vision.light import Light, Standing, cover, shadows
from vision.patch import Patch

BLUR_PX = 0.6
"""The lens's and the pixel's blur together, one standard deviation, before the camera sharpens."""

BEVEL_MM = 0.5
FOOT_MM = 0.5
MIRROR = 0.15


class Regions(NamedTuple):
    """How much of each pixel shows which part of a piece, (N,) each, 0..1.

    `cos`, `sin`: bearing from the top's middle; `reach`: mm from the silhouette, negative inside;
    `along`, `aside`: place on the top in radii.
    """

    outside: Floats32
    top: Floats32
    bevel: Floats32
    wall: Floats32
    lip: Floats32
    bore: Floats32
    through: Floats32
    cos: Floats32
    sin: Floats32
    reach: Floats32
    along: Floats32
    aside: Floats32


def regions(patch: Patch, body: Body, x: float, y: float, blur_px: float) -> Regions:
    """What each pixel of `patch` shows of a piece that stands at (`x`, `y`) mm."""
    radius, hole = np.float32(body.radius_mm), np.float32(body.hole_mm)
    t = np.float32(body.thickness_mm)
    b = np.float32(min(BEVEL_MM, 0.2 * body.thickness_mm))
    qx = patch.foot[:, 0] - np.float32(x - patch.origin[0])
    qy = patch.foot[:, 1] - np.float32(y - patch.origin[1])
    dx, dy = patch.drift[:, 0], patch.drift[:, 1]
    f = np.float32(min(FOOT_MM, 0.2 * body.thickness_mm))
    tx = np.asarray(qx + t * dx, dtype=np.float32)
    ty = np.asarray(qy + t * dy, dtype=np.float32)
    length = np.maximum(np.hypot(tx, ty), np.float32(1e-6))
    cos = np.asarray(tx / length, dtype=np.float32)
    sin = np.asarray(ty / length, dtype=np.float32)
    # One edge width for all edges at a bearing: their normals differ by next to nothing.
    j = (patch.jacobian * blur_px).astype(np.float32)
    sigma = np.hypot(j[0, 0] * cos + j[1, 0] * sin, j[0, 1] * cos + j[1, 1] * sin)

    def disc(px: Floats32, py: Floats32, r: np.float32) -> tuple[Floats32, Floats32]:
        reach = np.hypot(px, py) - r
        return cover(reach, sigma), reach

    s = np.clip(-(qx * dx + qy * dy) / (dx * dx + dy * dy + np.float32(1e-9)), f, t - b)
    side_x = np.asarray(qx + s * dx, dtype=np.float32)
    side_y = np.asarray(qy + s * dy, dtype=np.float32)
    side, side_reach = disc(side_x, side_y, radius)
    bx, by = tx - b * dx, ty - b * dy
    flat_reach = length - (radius - b)
    flat = cover(flat_reach, sigma)
    belt, _ = disc(bx, by, radius)
    silhouette = np.maximum(side, flat)
    rim = np.minimum(np.maximum(flat, belt), silhouette)
    if hole > 0:
        mouth = cover(length - (hole + b), sigma)
        throat, throat_reach = disc(bx, by, hole)
        throat = np.minimum(throat, mouth)
        sole, sole_reach = disc(qx + f * dx, qy + f * dy, hole)
        through = np.minimum(np.where(sole_reach > throat_reach, sole, throat), throat)
    else:
        mouth = throat = through = np.zeros_like(qx)
    return Regions(
        outside=1 - silhouette,
        top=flat - mouth,
        bevel=rim - flat,
        wall=silhouette - rim,
        lip=mouth - throat,
        bore=throat - through,
        through=through,
        cos=cos,
        sin=sin,
        reach=np.minimum(side_reach, flat_reach),
        along=np.asarray(tx / radius, dtype=np.float32),
        aside=np.asarray(ty / radius, dtype=np.float32),
    )


def lit(cos: Floats32, sin: Floats32, up: float, light: Light, leans: Floats32) -> Floats32:
    """Light on faces that look along (cos, sin) and `up`, against that on the board."""
    out = np.float32(np.sqrt(1 - up * up))
    even = np.float32(light.everywhere * (1 + up) / 2 + 0.35 * (1 - up) / 2)
    if not len(leans):
        return np.full_like(cos, even)
    faces = leans[:, :1] * cos[None] + leans[:, 1:] * sin[None]
    lamps = light.share.astype(np.float32) @ np.maximum(0, out * faces + np.float32(up))
    return np.asarray(even + lamps, dtype=np.float32)


def design(
    patch: Patch, piece: Standing, kept: Floats32, light: Light, blur_px: float, *, loose: bool
) -> tuple[Floats32, Floats]:
    """(M, N) rows of the patch's model, and one sd of what each may take, (M,).

    `loose`: the light is not known well, so rims and walls may have any brightness.
    """
    r = regions(patch, piece.body, piece.x_mm, piece.y_mm, blur_px)
    board = patch.board * kept
    cos, sin = r.cos, r.sin
    leans = light.lean_at(piece.x_mm, piece.y_mm).astype(np.float32)
    bored = piece.body.hole_mm > 0
    near = r.outside * np.exp(np.maximum(r.reach, 0) * np.float32(-1 / 3.0)) * patch.board
    shaped = r.top + r.bevel * lit(cos, sin, 0.7071, light, leans)
    shaped += np.float32(0.8) * r.wall * lit(cos, sin, 0.0, light, leans)
    if bored:
        shaped += r.lip * lit(-cos, -sin, 0.7071, light, leans)
        shaped += np.float32(0.5) * r.bore * lit(-cos, -sin, 0.0, light, leans)
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
    middle = patch.drift.mean(axis=0).astype(np.float64)
    seat = np.array([piece.x_mm - patch.origin[0], piece.y_mm - patch.origin[1]])
    mirrored = shadows(
        patch.foot - seat.astype(np.float32), piece.body, -middle[None], np.array([MIRROR])
    )[0]
    rows.append(r.outside * board * mirrored)
    rows.append((r.outside + r.through) * patch.board * (1 - kept))
    may = _LOOSE if loose else _TIED
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
    return np.stack(rows), may


_BOARD, _NEAR, _TOP = (1e4, 3.0), (0.06, 0.06, 0.06), (1e4, 1e4, 5.0, 5.0)
_WALL, _BEVEL, _BESIDE = (5.0, 5.0, 5.0), (6.0, 6.0, 6.0), (0.3, 0.15)
_LIP, _BORE, _THROUGH = (6.0, 6.0, 6.0), (12.0, 12.0, 12.0), (0.2, 9.0)
_RINGS = 1.0
_LOOSE = np.array([*_BOARD, *_NEAR, *_TOP, *_WALL, *_BEVEL, *_BESIDE, *_LIP, *_BORE, *_THROUGH])
_WITHOUT_HOLE = 17
_TIE = 0.05
_TIED = _LOOSE.copy()
_TIED[9] *= 2 * _TIE
_TIED[[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]] *= _TIE
"""One standard deviation of each row's amount, in light 0..100 (shares of the board's: 0..1).

Loose rims mimic a piece that stands elsewhere: a bright rim on one side looks like a shift to the
other. Where the lamps are known, the sides of rims and walls keep to what the lamps give them.
"""
