"""Where exactly a piece stands: its picture is rendered and compared, and moved until it fits.

The model of a patch is a sum of regions with soft edges (top, bevelled rims, side wall, inside of
the hole, board around it and through the hole in the piece's own shadow), each lit from where the
light comes from. How bright the regions are is solved linearly for every place tried (variable
projection, Golub & Pereyra 1973), with priors on what the light does not explain; the place is
found by Gauss-Newton steps with robust weights. Cast shadows darken the board of the model but do
not pull: their outline tells more of the lamp than of the piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import sample, top_points
from calibration.relight import Relit, to_light
from calibration.silhouette import Body, Floats32
from vision.light import DIFFUSE, Light, Standing, cover, cushion_shade, shade, shadows
from vision.view import View

MARGIN_PX = 7.0
BEVEL_MM = 0.5
FOOT_MM = 0.5
MIRROR = 0.15
BLUR_PX = 0.45
_STEP_MM = 0.05


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """The pixels about one piece: light seen and light of the relit empty board, 0..100, (N,).

    `foot` (N, 2) counts from `origin`, a place on the board near the piece.
    """

    origin: tuple[float, float]
    foot: Floats32
    drift: Floats32
    jacobian: Floats
    seen: Floats32
    board: Floats32
    weight: Floats32
    share: float  # of the piece's silhouette that is in the patch


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where a piece stands: `covariance` (2, 2) in mm², of noise alone.

    `noise` is the residual's sigma; `explained` the share of what the board alone leaves
    unexplained that the piece explains; `visible` the share of it that could be seen.
    """

    x_mm: float
    y_mm: float
    covariance: Floats
    noise: float
    explained: float
    visible: float


class _Regions(NamedTuple):
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


def _regions(patch: Patch, body: Body, x: float, y: float, blur_px: float) -> _Regions:
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
    return _Regions(
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


def _lit(cos: Floats32, sin: Floats32, up: float, light: Light, leans: Floats32) -> Floats32:
    """Light on faces that look along (cos, sin) and `up`, against that on the board."""
    out = np.float32(np.sqrt(1 - up * up))
    even = np.float32(light.everywhere * (1 + up) / 2 + 0.35 * (1 - up) / 2)
    if not len(leans):
        return np.full_like(cos, even)
    faces = leans[:, :1] * cos[None] + leans[:, 1:] * sin[None]
    lamps = light.share.astype(np.float32) @ np.maximum(0, out * faces + np.float32(up))
    return np.asarray(even + lamps, dtype=np.float32)


def _design(
    patch: Patch, piece: Standing, kept: Floats32, light: Light, blur_px: float
) -> tuple[Floats32, Floats]:
    """(M, N) rows of the patch's model, and one sd of what each may take, (M,)."""
    r = _regions(patch, piece.body, piece.x_mm, piece.y_mm, blur_px)
    board = patch.board * kept
    cos, sin = r.cos, r.sin
    leans = light.lean_at(piece.x_mm, piece.y_mm).astype(np.float32)
    bored = piece.body.hole_mm > 0
    near = r.outside * np.exp(np.maximum(r.reach, 0) * np.float32(-1 / 3.0)) * patch.board
    shaped = r.top + r.bevel * _lit(cos, sin, 0.7071, light, leans)
    shaped += np.float32(0.8) * r.wall * _lit(cos, sin, 0.0, light, leans)
    if bored:
        shaped += r.lip * _lit(-cos, -sin, 0.7071, light, leans)
        shaped += np.float32(0.5) * r.bore * _lit(-cos, -sin, 0.0, light, leans)
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
    if bored:
        rows[12:15] = [r.bevel + r.lip, (r.bevel - r.lip) * cos, (r.bevel - r.lip) * sin]
        rows += [r.lip, r.lip * cos, r.lip * sin, r.bore, r.bore * cos, r.bore * sin]
        rows += [r.through * board, r.through]
    return np.stack(rows), _MAY if bored else _MAY[:17]


_BOARD, _NEAR, _TOP = (1e4, 3.0), (0.06, 0.06, 0.06), (1e4, 1e4, 5.0, 5.0)
_WALL, _BEVEL, _BESIDE = (10.0, 10.0, 10.0), (6.0, 6.0, 6.0), (0.3, 0.15)
_LIP, _BORE, _THROUGH = (6.0, 6.0, 6.0), (12.0, 12.0, 12.0), (0.2, 9.0)
_MAY = np.array([*_BOARD, *_NEAR, *_TOP, *_WALL, *_BEVEL, *_BESIDE, *_LIP, *_BORE, *_THROUGH])
"""One standard deviation of each row's amount, in light 0..100 (shares of the board's: 0..1)."""


def cut(
    view: View,
    seen: NDArray[np.float32],
    board: NDArray[np.float32],
    relit: Relit,
    piece: Standing,
    others: Sequence[Standing],
    hidden: NDArray[np.bool_] | None = None,
    margin_px: float = MARGIN_PX,
    hue: Floats | None = None,
    empty_light: Light = DIFFUSE,
) -> Patch | None:
    """The patch about `piece`, without what others cover; None where next to nothing is left.

    `seen`, `board`: (h, w) gray codes over `relit.box`; with a `hue` (3,), the light's part
    along it is looked at instead; `hidden` (h, w): pixels to leave out.
    """
    body = piece.body
    ends = view.table.camera.project(
        np.array([[piece.x_mm, piece.y_mm, 0.0], [piece.x_mm, piece.y_mm, body.thickness_mm]])
    )
    box = relit.box
    around = body.radius_mm * view.scale * 1.25 + margin_px + 2
    u0, v0 = np.floor(ends.min(axis=0) - around).astype(int)
    u1, v1 = np.ceil(ends.max(axis=0) + around + 1).astype(int)
    u0, v0, u1, v1 = max(u0, box.u0), max(v0, box.v0), min(u1, box.u1), min(v1, box.v1)
    if u1 - u0 < 6 or v1 - v0 < 6:
        return None
    rays = view.rays.box(u0, v0, u1, v1)
    origin = (piece.x_mm, piece.y_mm)
    foot = (rays.foot.reshape(-1, 2) - origin).astype(np.float32)
    drift = rays.drift.reshape(-1, 2).astype(np.float32)
    reach = reach_mm(foot, drift, origin, piece) * view.scale
    keep = reach < margin_px
    mine = int((reach < 0).sum())
    for other in others:
        keep &= reach_mm(foot, drift, origin, other) * view.scale > 1.5
    part = (slice(v0 - box.v0, v1 - box.v0), slice(u0 - box.u0, u1 - box.u0))
    if hidden is not None:
        keep &= ~hidden[part].ravel()
    if mine == 0 or keep.sum() < 60:
        return None
    visible = float((keep & (reach < 0)).sum() / mine)
    lit = 100 * to_light(seen[part].ravel()[keep])
    empty = 100 * to_light(board[part].ravel()[keep])
    if hue is not None:
        lit = 100 * to_light(relit.picture[part].reshape(-1, 3)[keep]) @ hue
        empty = 100 * to_light(relit.board[part].reshape(-1, 3)[keep]) @ hue
    # Noise is even in the camera's code, so it grows with the slope of light against code.
    weight = np.minimum((np.maximum(lit, 1.2) / 40) ** -0.58, 3.0)
    if hue is not None:
        weight = np.ones_like(lit)
    # The empty board's own shadow of the border is taken off: this picture's light casts another.
    empty = empty / cushion_shade(foot[keep], origin, empty_light, view.cushions)
    return Patch(
        origin=origin,
        foot=foot[keep],
        drift=drift[keep],
        jacobian=rays.jacobian,
        seen=lit.astype(np.float32),
        board=empty.astype(np.float32),
        weight=weight.astype(np.float32),
        share=visible,
    )


def telling_hue(view: View, relit: Relit, piece: Standing) -> Floats | None:
    """(3,) the direction of light (B, G, R) in which a piece differs from the board, lit or shaded.

    A shadow darkens the board along its own colour, so that part of the piece's colour is dropped;
    None where nothing much is left.
    """
    offsets = top_points(piece.body)
    rim = offsets * ((piece.body.radius_mm + 9.0) / np.hypot(*offsets.T).max())
    at = np.array([piece.x_mm, piece.y_mm])
    top = np.column_stack([offsets + at, np.full(len(offsets), piece.body.thickness_mm)])
    floor = np.column_stack([rim + at, np.zeros(len(rim))])
    u0, v0 = relit.box.u0, relit.box.v0
    project = view.table.camera.project
    seen = np.median(to_light(sample(relit.picture, project(top), u0, v0)), axis=0)
    board = np.median(to_light(sample(relit.board, project(floor), u0, v0)), axis=0)
    rest = seen - board * float(seen @ board) / max(float(board @ board), 1e-9)
    length = float(np.linalg.norm(rest))
    if length < max(0.012, 0.1 * float(np.linalg.norm(board))):
        return None
    return np.asarray(rest / length, dtype=np.float64)


def reach_mm(
    foot: Floats32, drift: Floats32, origin: tuple[float, float], piece: Standing
) -> Floats32:
    """(N,) distance in mm of each ray from the silhouette's edge, negative inside.

    `foot` (N, 2) counts from `origin`.
    """
    qx = foot[:, 0] - np.float32(piece.x_mm - origin[0])
    qy = foot[:, 1] - np.float32(piece.y_mm - origin[1])
    dx, dy = drift[:, 0], drift[:, 1]
    along = -(qx * dx + qy * dy) / (dx * dx + dy * dy + np.float32(1e-9))
    s = np.clip(along, 0, np.float32(piece.body.thickness_mm))
    return np.hypot(qx + s * dx, qy + s * dy) - np.float32(piece.body.radius_mm)


def fit(
    view: View,
    patch: Patch,
    piece: Standing,
    others: Sequence[Standing],
    light: Light,
    *,
    rounds: int = 4,
    blur_px: float = BLUR_PX,
    pull: bool = False,
) -> Fit:
    """Move `piece` until the rendered patch fits the seen one best.

    `pull`: let the cast shadows' outlines pull as well (for first places, where the light is not
    known well and the piece may have been mistaken for its shadow).
    """
    body = piece.body
    first = patch.weight
    weight = first
    noise = 1.0
    normal = np.eye(2)
    residual = patch.seen
    here = piece
    for turn in range(rounds):
        kept = shade(patch.foot, patch.origin, [here, *others], light, view.cushions)
        if turn == 0 and not pull:
            far = reach_mm(patch.foot, patch.drift, patch.origin, here) * view.scale > 1.5
            first = np.where(far & (kept < 0.96), np.float32(0.2) * first, first)
            weight = first
        rows, sd = _design(patch, here, kept, light, blur_px)
        amounts, inner = _solved(rows, sd, patch.seen, weight, noise)
        residual = patch.seen - amounts.astype(np.float32) @ rows
        noise = max(1.4826 * float(np.median(np.abs(residual) * first)), 0.2)
        weight = first / np.sqrt(1 + (residual * first / np.float32(3 * noise)) ** 2)
        if turn == 0:
            amounts, inner = _solved(rows, sd, patch.seen, weight, noise)
            residual = patch.seen - amounts.astype(np.float32) @ rows
        slopes = []
        for mx, my in ((_STEP_MM, 0.0), (0.0, _STEP_MM)):
            ahead = Standing(body=body, x_mm=here.x_mm + mx, y_mm=here.y_mm + my)
            kept_ahead = kept
            if pull:
                pieces = [ahead, *others]
                kept_ahead = shade(patch.foot, patch.origin, pieces, light, view.cushions)
            moved = _design(patch, ahead, kept_ahead, light, blur_px)[0]
            slopes.append((amounts.astype(np.float32) @ (moved - rows)) / np.float32(_STEP_MM))
        slope = np.stack(slopes)
        squared = weight * weight
        slope -= (np.linalg.solve(inner, (rows * squared) @ slope.T).T).astype(np.float32) @ rows
        weighed = slope * squared
        normal = (weighed @ slope.T).astype(np.float64) + 1e-9 * np.eye(2)
        step = np.clip(np.linalg.solve(normal, weighed @ residual), -1.0, 1.0)
        here = Standing(body=body, x_mm=here.x_mm + float(step[0]), y_mm=here.y_mm + float(step[1]))
        if float(np.hypot(*step)) < 0.004:
            break
    return Fit(
        x_mm=here.x_mm,
        y_mm=here.y_mm,
        covariance=np.asarray(np.linalg.inv(normal) * noise**2, dtype=np.float64),
        noise=noise,
        explained=_explained(view, patch, others, light, residual, first, noise),
        visible=patch.share,
    )


def _solved(
    rows: Floats32, sd: Floats, seen: Floats32, weight: Floats32, noise: float
) -> tuple[Floats, Floats]:
    weighed = rows * (weight * weight)
    normal = (weighed @ rows.T).astype(np.float64)
    normal[np.diag_indices_from(normal)] += (noise / sd) ** 2 + 1e-6
    return np.asarray(np.linalg.solve(normal, weighed @ seen), dtype=np.float64), np.asarray(normal)


def _explained(
    view: View,
    patch: Patch,
    others: Sequence[Standing],
    light: Light,
    residual: Floats32,
    weight: Floats32,
    noise: float,
) -> float:
    """How much of what the board without the piece leaves over the piece explains, 0..1."""
    beside = _shade_of_others(view, patch, others, light)
    rows = np.stack([patch.board * beside, patch.board, np.ones_like(patch.board)])
    rows = rows.astype(np.float64)
    weighed = rows * weight**2
    bare = np.linalg.solve(weighed @ rows.T + 1e-4 * np.eye(3), weighed @ patch.seen)
    most = (12 * noise) ** 2
    alone = float(np.minimum(((patch.seen - bare @ rows) * weight) ** 2, most).mean())
    left = float(np.minimum((residual * weight) ** 2, most).mean())
    return 1 - left / max(alone, 1e-9)


def _shade_of_others(
    view: View, patch: Patch, others: Sequence[Standing], light: Light
) -> Floats32:
    if not others:
        return cushion_shade(patch.foot, patch.origin, light, view.cushions)
    return shade(patch.foot, patch.origin, others, light, view.cushions)
