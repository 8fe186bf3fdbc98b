"""Which part of a piece each pixel about it shows, with soft edges."""

from typing import NamedTuple

import numpy as np

from calibration.silhouette import Body, Floats32
from vision.appearance.light import cover, length_of
from vision.appearance.patch import Patch

BEVEL_MM = 0.5
FOOT_MM = 0.5


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
    length = np.maximum(length_of(tx, ty), np.float32(1e-6))
    cos = np.asarray(tx / length, dtype=np.float32)
    sin = np.asarray(ty / length, dtype=np.float32)
    # One edge width for all edges at a bearing: their normals differ by next to nothing.
    j = (patch.jacobian * blur_px).astype(np.float32)
    sigma = length_of(j[0, 0] * cos + j[1, 0] * sin, j[0, 1] * cos + j[1, 1] * sin)

    def disc(px: Floats32, py: Floats32, r: np.float32) -> tuple[Floats32, Floats32]:
        reach = length_of(px, py) - r
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
