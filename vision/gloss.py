"""What gloss adds to a piece and the board beside it.

Seen from above, a side wall is seen at a grazing angle: like a still lake it mirrors the board
beside it, more than it shows of its own colour, and so a black piece's wall is bright on the lit
side and dark in its shadow. Bevelled rims mirror the lamps, and walls throw lamp light back on the
board at their foot. How much follows from Fresnel's law for what pieces are made of (in Schlick's
form: An inexpensive BRDF model for physically-based rendering, 1994), and where from the lamps.
"""

from typing import NamedTuple

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.light import Light, Standing, cover
from vision.patch import Patch, reach_mm
from vision.shading import Shading

_STRAIGHT = 0.04
"""What plastic, lacquer and varnish mirror of light that comes straight on."""

_BOARD_SHARE = 0.6
"""What a board throws back of the light that falls on it, of all directions together."""

_ROUGH = 0.2
_LEVEL = 0.15
_ABOUT_MM = 2.0
_SOFT_MM = 0.4
_AS_FAR_AS = 3.5
_BEARINGS = np.arange(96) * np.pi / 48
_ROOT_2PI = float(np.sqrt(2 * np.pi))


class Gloss(NamedTuple):
    """Light that each pixel would show, (N,), were it all `wall`, `bevel`, `lip` or `board`.

    `wall`: of the board that the side wall mirrors; `bevel`, `lip`: of lamps that the bevels about
    the top and about the hole mirror; `board`: of lamps, thrown on the board by the wall.
    """

    wall: Floats32
    bevel: Floats32
    lip: Floats32
    board: Floats32


def gloss_of(patch: Patch, piece: Standing, shading: Shading) -> Gloss:
    """What gloss adds where `piece` stands; it holds as well some tenths of a millimetre off."""
    bevel, lip = _glints(patch, piece, shading.light)
    return Gloss(
        wall=_mirrored(patch, piece, shading),
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


def _glints(patch: Patch, piece: Standing, light: Light) -> tuple[Floats32, Floats32]:
    """A rounded rim shows each lamp where it looks half-way between lamp and camera, as large as
    its curvature makes it (geometrical optics of a convex mirror)."""
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
    strength = _fresnel(half @ eye) * light.share * far[:, 0] * np.pi / (4 * tilt * _BOARD_SHARE)
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
    radius, thickness = np.float32(piece.body.radius_mm), np.float32(piece.body.thickness_mm)
    length = np.maximum(np.hypot(foot[:, 0], foot[:, 1]), np.float32(1e-3))
    beside = np.maximum(length - radius, 0)
    near = (length > radius - _ABOUT_MM) & (beside < _AS_FAR_AS * thickness)
    n = np.flatnonzero(near & ~patch.apart)
    if not len(n) or not len(light.share):
        return thrown
    lean = light.lean_at(piece.x_mm, piece.y_mm).astype(np.float32)
    towards = lean @ (foot[n] / length[n, None]).T
    cos = np.maximum(towards, 0) / np.sqrt(1 + np.sum(lean * lean, axis=1))[:, None]
    soft = np.hypot(_SOFT_MM, thickness * light.spread).astype(np.float32)[:, None]
    reached = cover(beside[n] - thickness * towards, soft) * (towards > 0)
    share = light.share @ (_fresnel(cos) * reached)
    thrown[n] = patch.board[n] * share * radius / (radius + 2 * beside[n])
    return thrown


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
