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

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import sample, top_points
from calibration.relight import Relit, to_light
from calibration.silhouette import Body
from vision.light import Light, Standing, cover, shade
from vision.view import View

MARGIN_PX = 7.0
BEVEL_MM = 0.5
BLUR_PX = 0.45
_STEP_MM = 0.08


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """The pixels about one piece: light seen and light of the relit empty board, 0..100, (N,)."""

    foot: Floats
    drift: Floats
    jacobian: Floats
    seen: Floats
    board: Floats
    weight: Floats
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Regions:
    outside: Floats
    top: Floats
    bevel: Floats
    wall: Floats
    lip: Floats
    bore: Floats
    through: Floats
    cos: Floats
    sin: Floats
    reach: Floats
    along: Floats
    aside: Floats


def _regions(patch: Patch, body: Body, x: float, y: float, blur_px: float) -> _Regions:
    radius, t, hole = body.radius_mm, body.thickness_mm, body.hole_mm
    b = min(BEVEL_MM, 0.2 * t)
    qx, qy = patch.foot[:, 0] - x, patch.foot[:, 1] - y
    dx, dy = patch.drift[:, 0], patch.drift[:, 1]
    j = patch.jacobian

    def disc(px: Floats, py: Floats, r: float) -> tuple[Floats, Floats]:
        length = np.hypot(px, py)
        safe = np.maximum(length, 1e-9)
        nx, ny = px / safe, py / safe
        sigma = blur_px * np.hypot(j[0, 0] * nx + j[1, 0] * ny, j[0, 1] * nx + j[1, 1] * ny)
        return cover(length - r, sigma), length - r

    s = np.clip(-(qx * dx + qy * dy) / (dx * dx + dy * dy + 1e-12), 0, t - b)
    side, side_reach = disc(qx + s * dx, qy + s * dy, radius)
    tx, ty = qx + t * dx, qy + t * dy
    bx, by = qx + (t - b) * dx, qy + (t - b) * dy
    flat, flat_reach = disc(tx, ty, radius - b)
    belt, _ = disc(bx, by, radius)
    silhouette = np.maximum(side, flat)
    rim = np.minimum(np.maximum(flat, belt), silhouette)
    if hole > 0:
        mouth, _ = disc(tx, ty, hole + b)
        throat, throat_reach = disc(bx, by, hole)
        throat = np.minimum(throat, mouth)
        sole, sole_reach = disc(qx, qy, hole)
        through = np.minimum(np.where(sole_reach > throat_reach, sole, throat), throat)
    else:
        mouth = throat = through = np.zeros_like(qx)
    length = np.maximum(np.hypot(tx, ty), 1e-9)
    return _Regions(
        outside=1 - silhouette,
        top=flat - mouth,
        bevel=rim - flat,
        wall=silhouette - rim,
        lip=mouth - throat,
        bore=throat - through,
        through=through,
        cos=tx / length,
        sin=ty / length,
        reach=np.minimum(side_reach, flat_reach),
        along=tx / radius,
        aside=ty / radius,
    )


def _lit(cos: Floats, sin: Floats, up: float, light: Light, at: Standing) -> Floats:
    """Light on faces that look along (cos, sin) and `up`, against that on the board."""
    out = float(np.sqrt(1 - up * up))
    total = np.full_like(cos, light.everywhere * (1 + up) / 2 + 0.35 * (1 - up) / 2)
    for lean, share in zip(light.lean_at(at.x_mm, at.y_mm), light.share, strict=True):
        total += share * np.maximum(0, out * (cos * lean[0] + sin * lean[1]) + up)
    return total


def _design(
    patch: Patch, piece: Standing, kept: Floats, light: Light, blur_px: float
) -> tuple[Floats, Floats]:
    """(N, M) columns of the patch's model, and one sd of what each may take, (M,)."""
    r = _regions(patch, piece.body, piece.x_mm, piece.y_mm, blur_px)
    board = patch.board * kept
    cos, sin = r.cos, r.sin
    wall = _lit(cos, sin, 0.0, light, piece)
    bevel = _lit(cos, sin, 0.7071, light, piece)
    columns = [
        ((r.outside + r.through) * board, 1e4),
        (r.outside * (patch.board - board), 0.15),
        (r.outside, 3.0),
    ]
    near = r.outside * np.exp(-np.maximum(r.reach, 0) / 3.0) * patch.board
    columns += [(near * h, 0.06) for h in (1.0, cos, sin)]
    shaped = r.top + r.bevel * bevel + 0.8 * r.wall * wall
    if piece.body.hole_mm > 0:
        shaped = shaped + r.lip * _lit(-cos, -sin, 0.7071, light, piece)
        shaped = shaped + 0.5 * r.bore * _lit(-cos, -sin, 0.0, light, piece)
    columns += [(shaped, 1e4), (r.top, 1e4), (r.top * r.along, 5.0), (r.top * r.aside, 5.0)]
    columns += [(r.wall * h, 10.0) for h in (1.0, cos, sin)]
    columns += [(r.bevel * h, 6.0) for h in (1.0, cos, sin)]
    if piece.body.hole_mm > 0:
        columns += [(r.lip * h, 6.0) for h in (1.0, cos, sin)]
        columns += [(r.bore * h, 12.0) for h in (1.0, cos, sin)]
        columns += [(r.through * board, 0.2), (r.through, 9.0)]
    return np.stack([c for c, _ in columns], axis=1), np.array([s for _, s in columns])


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
) -> Patch | None:
    """The patch about `piece`, without what others cover; None where next to nothing is left.

    `seen`, `board`: (h, w) gray codes over `relit.box`; with a `hue` (3,), the light's part along it
    is looked at instead; `hidden` (h, w): pixels to leave out.
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
    foot, drift = rays.foot.reshape(-1, 2), rays.drift.reshape(-1, 2)
    reach = _reach(foot, drift, piece) * view.scale
    keep = reach < margin_px
    mine = int((reach < 0).sum())
    for other in others:
        keep &= _reach(foot, drift, other) * view.scale > 1.5
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
    return Patch(
        foot=foot[keep],
        drift=drift[keep],
        jacobian=rays.jacobian,
        seen=lit,
        board=empty,
        weight=weight,
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


def _reach(foot: Floats, drift: Floats, piece: Standing) -> Floats:
    """(N,) distance in mm of each ray from the silhouette's edge, negative inside."""
    qx, qy = foot[:, 0] - piece.x_mm, foot[:, 1] - piece.y_mm
    dx, dy = drift[:, 0], drift[:, 1]
    s = np.clip(-(qx * dx + qy * dy) / (dx * dx + dy * dy + 1e-12), 0, piece.body.thickness_mm)
    return np.asarray(np.hypot(qx + s * dx, qy + s * dy) - piece.body.radius_mm)


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
    """Move `piece` until the rendered patch fits the seen one best."""
    body = piece.body
    first = patch.weight
    weight = first
    noise = 1.0
    normal = np.eye(2)
    residual = patch.seen
    here = piece
    for turn in range(rounds):
        kept = shade(patch.foot, [here, *others], light)
        if turn == 0 and not pull:
            far = _reach(patch.foot, patch.drift, here) * view.scale > 1.5
            first = np.where(far & (kept < 0.96), 0.2 * first, first)
            weight = first
        columns, sd = _design(patch, here, kept, light, blur_px)
        solved = _solved(columns, sd, patch.seen, weight, noise)
        residual = patch.seen - columns @ solved[0]
        if turn == 0:
            noise = max(1.4826 * float(np.median(np.abs(residual) * first)), 0.2)
            weight = first / np.sqrt(1 + (residual * first / (3 * noise)) ** 2)
            solved = _solved(columns, sd, patch.seen, weight, noise)
            residual = patch.seen - columns @ solved[0]
        slopes = []
        for mx, my in ((_STEP_MM, 0.0), (0.0, _STEP_MM)):
            ahead = Standing(body=body, x_mm=here.x_mm + mx, y_mm=here.y_mm + my)
            back = Standing(body=body, x_mm=here.x_mm - mx, y_mm=here.y_mm - my)
            kept_ahead = shade(patch.foot, [ahead, *others], light) if pull else kept
            kept_back = shade(patch.foot, [back, *others], light) if pull else kept
            change = (
                _design(patch, ahead, kept_ahead, light, blur_px)[0]
                - _design(patch, back, kept_back, light, blur_px)[0]
            )
            slopes.append(change @ solved[0] / (2 * _STEP_MM))
        slope = np.stack(slopes, axis=1)
        slope -= columns @ np.linalg.solve(solved[1], (columns * weight[:, None] ** 2).T @ slope)
        noise = max(1.4826 * float(np.median(np.abs(residual) * first)), 0.2)
        weight = first / np.sqrt(1 + (residual * first / (3 * noise)) ** 2)
        weighed = slope * weight[:, None] ** 2
        normal = weighed.T @ slope + 1e-9 * np.eye(2)
        step = np.clip(np.linalg.solve(normal, weighed.T @ residual), -1.0, 1.0)
        here = Standing(body=body, x_mm=here.x_mm + step[0], y_mm=here.y_mm + step[1])
        if float(np.hypot(*step)) < 0.004:
            break
    return Fit(
        x_mm=float(here.x_mm),
        y_mm=float(here.y_mm),
        covariance=np.linalg.inv(normal) * noise**2,
        noise=noise,
        explained=_explained(patch, residual, first, noise),
        visible=patch.share,
    )


def _solved(
    columns: Floats, sd: Floats, seen: Floats, weight: Floats, noise: float
) -> tuple[Floats, Floats]:
    weighed = columns * weight[:, None] ** 2
    normal = weighed.T @ columns
    normal[np.diag_indices_from(normal)] += (noise / sd) ** 2
    return np.linalg.solve(normal, weighed.T @ seen), normal


def _explained(patch: Patch, residual: Floats, weight: Floats, noise: float) -> float:
    """How much of what the board in an even light leaves over the piece explains, 0..1."""
    columns = np.stack([patch.board, np.ones_like(patch.board)], axis=1)
    weighed = columns * weight[:, None] ** 2
    flat = np.linalg.solve(weighed.T @ columns + 1e-6 * np.eye(2), weighed.T @ patch.seen)
    alone = np.minimum(((patch.seen - columns @ flat) * weight) ** 2, (12 * noise) ** 2).mean()
    left = np.minimum((residual * weight) ** 2, (12 * noise) ** 2).mean()
    return float(1 - left / max(alone, 1e-9))
