"""What gloss adds to a piece, and what light it throws on the board beside it.

Seen from above, a side wall is seen at a grazing angle: like a still lake it mirrors the board
beside it, more than it shows of its own colour, and so a black piece's wall is bright on the lit
side and dark in its shadow. Bevelled rims mirror the board as well, and the lamps. How much follows
from Fresnel's law for what pieces are made of (in Schlick's form: An inexpensive BRDF model for
physically-based rendering, 1994), and where from the lamps. Walls throw light of their own colour
on the board at their foot, by how much of what it sees they fill.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Body, Floats32
from vision.appearance.light import Light, Standing, lit
from vision.appearance.patch import Patch, reach_mm
from vision.appearance.shading import Shading

_STRAIGHT = 0.04
"""What plastic, lacquer and varnish mirror of light that comes straight on."""

_ROUGH = 0.2
_LEVEL = 0.15
_ABOUT_MM = 2.0
_AS_FAR_AS = 3.5
_BEARINGS = np.arange(96) * np.pi / 48
_FEW_BEARINGS = np.arange(24) * np.pi / 12
_TILTS = (np.arange(16) + 0.5) * np.pi / 32
_ROOT_2PI = float(np.sqrt(2 * np.pi))
_OUT = np.stack([np.cos(_FEW_BEARINGS), np.sin(_FEW_BEARINGS)], axis=1)[:, None]
_BEVEL_NORMALS = np.concatenate(
    [
        np.sin(_TILTS)[:, None] * _OUT,
        np.broadcast_to(np.cos(_TILTS)[:, None], (len(_OUT), len(_TILTS), 1)),
    ],
    axis=2,
)
"""(bearings, tilts, 3) where a bevel looks, from aside to up."""


class Gloss(NamedTuple):
    """Light that each pixel would show, (N,), were it all `wall`, `bevel`, `lip` or `board`.

    `wall`, `rim`: of the board that the side wall and the bevel above it mirror; `bevel`, `lip`: of
    lamps that the bevels about the top and about the hole mirror; `board`: of the piece's own
    colour, thrown on the board by its wall.
    """

    wall: Floats32
    rim: Floats32
    bevel: Floats32
    lip: Floats32
    board: Floats32


def gloss_of(patch: Patch, piece: Standing, shading: Shading) -> Gloss:
    """What gloss adds where `piece` stands; it holds as well some tenths of a millimetre off."""
    bevel, lip = _glints(patch, piece, shading)
    return Gloss(
        wall=_mirrored(patch, piece, shading),
        rim=_mirrored_by_rim(patch, piece, shading),
        bevel=bevel,
        lip=lip,
        board=_thrown(patch, piece, shading.light),
    )


def _mirrored(patch: Patch, piece: Standing, shading: Shading) -> Floats32:
    seat = _seat(patch, piece)
    radius, thickness = np.float32(piece.body.radius_mm), np.float32(piece.body.thickness_mm)
    foot = patch.foot - seat
    length = np.hypot(*(foot + thickness * patch.drift).T)
    near = reach_mm(patch.foot, patch.drift, patch.origin, piece) < _ABOUT_MM
    n = np.flatnonzero(near & (length > radius - _ABOUT_MM))
    mirrored = np.zeros(len(foot), dtype=np.float32)
    if not len(n):
        return mirrored
    foot, drift = foot[n], patch.drift[n]
    steep = np.sum(drift * drift, axis=1) + np.float32(1e-9)
    along = np.sum(foot * drift, axis=1)
    under = np.maximum(along**2 - steep * (np.sum(foot * foot, axis=1) - radius**2), 0)
    height = np.clip((np.sqrt(under) - along) / steep, 0, thickness)[:, None]
    hit = foot + height * drift
    normal = hit / np.maximum(np.linalg.norm(hit, axis=1, keepdims=True), np.float32(1e-6))
    inward = np.sum(drift * normal, axis=1)
    lands = hit + height * (2 * inward[:, None] * normal - drift)
    kept = shading.at(lands + seat, piece)
    mirrored[n] = _fresnel(inward / np.sqrt(1 + steep)) * _level(patch) * kept
    return mirrored


def _mirrored_by_rim(patch: Patch, piece: Standing, shading: Shading) -> Floats32:
    """A bevel is a quarter of a round; what of it looks more aside than up mirrors the board."""
    drift = patch.drift.mean(axis=0).astype(np.float64)
    eye = np.append(drift, 1.0) / np.sqrt(1 + float(drift @ drift))
    facing = _BEVEL_NORMALS @ eye
    sent = 2 * facing[..., None] * _BEVEL_NORMALS - eye
    down = sent[..., 2] < -_LEVEL
    height = piece.body.thickness_mm / np.maximum(-sent[..., 2], _LEVEL)
    lands = piece.body.radius_mm * _OUT + height[..., None] * sent[..., :2]
    seat = _seat(patch, piece)
    kept = shading.at(lands.reshape(-1, 2).astype(np.float32) + seat, piece).reshape(down.shape)
    shows = np.maximum(facing, 0)
    mirrored = (_fresnel(facing) * kept * down * shows).sum(axis=1) / shows.sum(axis=1)
    top = patch.foot - seat + np.float32(piece.body.thickness_mm) * patch.drift
    bearing = np.arctan2(top[:, 1], top[:, 0]).astype(np.float64)
    shown = np.interp(bearing, _FEW_BEARINGS, mirrored, period=2 * np.pi)
    return np.asarray(_level(patch) * shown, dtype=np.float32)


def _glints(patch: Patch, piece: Standing, shading: Shading) -> tuple[Floats32, Floats32]:
    """A rounded rim shows each lamp where it looks half-way between lamp and camera, as large as
    its curvature makes it (geometrical optics of a convex mirror)."""
    light = shading.light
    none = np.zeros(len(patch.foot), dtype=np.float32)
    if not len(light.share):
        return none, none
    lean, drift = light.lean_at(piece.x_mm, piece.y_mm), patch.drift.mean(axis=0)
    lamp = np.column_stack([lean, np.ones(len(lean))])
    far = np.linalg.norm(lamp, axis=1, keepdims=True)
    eye = np.append(drift, 1.0) / np.sqrt(1 + float(drift @ drift))
    half = lamp / far + eye
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    tilt = np.maximum(np.hypot(half[:, 0], half[:, 1]), _LEVEL)
    wide = np.hypot(light.spread / np.maximum(np.hypot(*(lean + drift).T), 0.1), _ROUGH)
    wide = np.minimum(wide, 1.5)[:, None]
    strength = _fresnel(half @ eye) * light.share * far[:, 0] * np.pi / (4 * tilt)
    strength /= shading.board_share
    off = np.angle(np.exp(1j * (_BEARINGS - np.arctan2(half[:, 1], half[:, 0])[:, None])))
    towards = _level(patch) * strength @ (np.exp(-((off / wide) ** 2) / 2) / wide / _ROOT_2PI)
    top = patch.foot - _seat(patch, piece) + np.float32(piece.body.thickness_mm) * patch.drift
    bearing = np.arctan2(top[:, 1], top[:, 0]).astype(np.float64)
    bevel, lip = (
        np.interp(at, _BEARINGS, towards, period=2 * np.pi).astype(np.float32)
        for at in (bearing, bearing + np.pi)
    )
    return bevel, lip


def _thrown(patch: Patch, piece: Standing, light: Light) -> Floats32:
    thrown = np.zeros(len(patch.foot), dtype=np.float32)
    foot = patch.foot - _seat(patch, piece)
    length = np.maximum(np.hypot(foot[:, 0], foot[:, 1]), np.float32(1e-3))
    beside = length - np.float32(piece.body.radius_mm)
    near = (beside > -_ABOUT_MM) & (beside < _AS_FAR_AS * piece.body.thickness_mm)
    n = np.flatnonzero(near & ~patch.apart)
    out = foot[n] / length[n, None]
    lean = light.lean_at(piece.x_mm, piece.y_mm).astype(np.float32)
    away, seen = _wall_seen(piece.body)
    on_wall = lit(out[:, 0], out[:, 1], 0.0, light, lean)
    thrown[n] = patch.throws[n] * on_wall * np.interp(beside[n], away, seen)
    return thrown


@cache
def _wall_seen(body: Body) -> tuple[Floats, Floats]:
    """Distances from a wall's foot in mm, and how much of what board sees there is the wall.

    The form factor from a level place to an upright cylinder (Howell, Radiation Configuration
    Factors), which weighs directions by how steeply their light falls in.
    """
    away = body.thickness_mm * np.linspace(0, 1, 41)[:, None] ** 2 * _AS_FAR_AS + 1e-3
    radius, middle = body.radius_mm, body.radius_mm + away
    bearing = np.arccos(radius / middle) * (np.arange(120) + 0.5) / 120
    square = middle**2 + radius**2 - 2 * middle * radius * np.cos(bearing)
    facing = middle * np.cos(bearing) - radius
    each = facing * (1 / square - 1 / (square + body.thickness_mm**2))
    whole = radius / np.pi * each.mean(axis=1) * np.arccos(radius / middle[:, 0])
    return away[:, 0], whole


def _fresnel(cos: Floats32 | Floats) -> Floats:
    """Share of light that is mirrored, by the cosine of its angle to the surface's normal."""
    grazing = (1 - np.clip(np.asarray(cos, dtype=np.float64), 0, 1)) ** 5
    return _STRAIGHT + (1 - _STRAIGHT) * grazing


def _seat(patch: Patch, piece: Standing) -> Floats32:
    x_mm, y_mm = patch.origin
    return np.array([piece.x_mm - x_mm, piece.y_mm - y_mm], dtype=np.float32)


def _level(patch: Patch) -> float:
    """Light of the board about the piece, of which what it mirrors is made."""
    board = patch.board[~patch.apart]
    return float(np.median(board if len(board) else patch.board))
