"""The pixels about one piece, cut out of a picture with what the bare board would show there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import sample, top_points
from calibration.relight import Box, Relit, to_light
from calibration.silhouette import Floats32
from vision.appearance.colours import Colours, colours_of, gray_share
from vision.appearance.light import Standing, cushion_shade, length_of
from vision.appearance.scene import BLUR_PX, Scene
from vision.appearance.view import View

MARGIN_PX = 3.0
"""How far around the silhouette the model has to hold: enough to tell board from shadow."""

_LEAST_PX = 60
_RIM_MM = 2.0
_ABOUT_PX = (1.0, 6.0)
_LEAST_SIDE_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patch:
    """The pixels about one piece: light seen and light of the relit empty board, 0..100, (N,).

    `foot` (N, 2) counts from `origin`, a place on the board near the piece. `apart` (N,): the ray
    goes into a pocket or meets the border, where no shadow falls as on the surface. `at` (2, N):
    row and column of each pixel in the picture's box. `colours` are the piece's against the board;
    `throws` (N,): what a pixel's board would show of a wall as bright as the board, were it all
    that the board sees. `top_lit` (N,): how much of its light a top keeps in the border's shadow.
    `blur_px`: how blurred what is in focus is.
    """

    origin: tuple[float, float]
    foot: Floats32
    drift: Floats32
    jacobian: Floats
    seen: Floats32
    board: Floats32
    weight: Floats32
    apart: NDArray[np.bool_]
    share: float  # of the piece's silhouette that is in the patch
    at: NDArray[np.int64]
    colours: Colours
    throws: Floats32
    top_lit: Floats32
    blur_px: float = BLUR_PX


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearRays:
    """The rays of a box of pixels about a piece: `part` is that box within a larger one.

    `foot`, `drift` (N, 2), `jacobian` as in `Patch`; `reach_px` (N,): distance of each from the
    piece's silhouette, negative inside.
    """

    part: tuple[slice, slice]
    origin: tuple[float, float]
    foot: Floats32
    drift: Floats32
    jacobian: Floats
    reach_px: Floats32


def near_rays(view: View, box: Box, piece: Standing, margin_px: float) -> NearRays | None:
    """The rays within `margin_px` of `piece` and some more; None where `box` has hardly any."""
    body = piece.body
    ends = view.table.camera.project(
        np.array([[piece.x_mm, piece.y_mm, 0.0], [piece.x_mm, piece.y_mm, body.thickness_mm]])
    )
    around = body.radius_mm * view.scale * 1.25 + margin_px + 2
    u0, v0 = np.floor(ends.min(axis=0) - around).astype(int)
    u1, v1 = np.ceil(ends.max(axis=0) + around + 1).astype(int)
    u0, v0, u1, v1 = max(u0, box.u0), max(v0, box.v0), min(u1, box.u1), min(v1, box.v1)
    if u1 - u0 < _LEAST_SIDE_PX or v1 - v0 < _LEAST_SIDE_PX:
        return None
    rays = view.rays.box(u0, v0, u1, v1)
    origin = (piece.x_mm, piece.y_mm)
    foot = (rays.foot.reshape(-1, 2) - origin).astype(np.float32)
    drift = rays.drift.reshape(-1, 2).astype(np.float32)
    return NearRays(
        part=(slice(v0 - box.v0, v1 - box.v0), slice(u0 - box.u0, u1 - box.u0)),
        origin=origin,
        foot=foot,
        drift=drift,
        jacobian=rays.jacobian,
        reach_px=np.asarray(reach_mm(foot, drift, origin, piece) * view.scale, dtype=np.float32),
    )


def cut(
    scene: Scene,
    piece: Standing,
    others: Sequence[Standing],
    *,
    margin_px: float = MARGIN_PX,
    hue: Floats | None = None,
    chequered: bool = False,
) -> Patch | None:
    """The patch about `piece`, without what others cover; None where next to nothing is left.

    Looked at are gray codes; with a `hue` (3,), the light's part along it. Pixels that the scene
    hides are left out; `chequered`: of the rest every other one is taken, as the black squares of
    a chessboard lie.
    """
    view, relit = scene.view, scene.relit
    near = near_rays(view, relit.box, piece, margin_px)
    if near is None:
        return None
    part, foot, drift, reach, origin = near.part, near.foot, near.drift, near.reach_px, near.origin
    keep = reach < margin_px
    mine = int((reach < 0).sum())
    for other in others:
        keep &= reach_mm(foot, drift, origin, other) * view.scale > 1.5
    keep &= ~scene.hidden[part].ravel()
    if mine == 0 or keep.sum() < _LEAST_PX:
        return None
    visible = float((keep & (reach < 0)).sum() / mine)
    if chequered:
        row, column = np.indices([side.stop - side.start for side in part])
        keep &= ((row + column) % 2 == 0).ravel()
    lit = 100 * to_light(scene.seen[part].ravel()[keep])
    empty = 100 * to_light(scene.board[part].ravel()[keep])
    picture, bare = relit.picture[part].reshape(-1, 3), relit.board[part].reshape(-1, 3)
    ground = _middle(bare, (reach > _ABOUT_PX[0]) & (reach < _ABOUT_PX[1]))
    colours = colours_of(_middle(picture, keep & _on_top(near, piece)), ground, hue)
    paint = np.array(piece.paint)
    throws = empty * float(gray_share(ground) @ paint)
    if hue is not None:
        lit = 100 * to_light(picture[keep]) @ hue
        empty = 100 * to_light(bare[keep])
        throws, empty = empty @ (paint * hue), empty @ hue
    # Noise is even in the camera's code, so it grows with the slope of light against code.
    weight = np.minimum((np.maximum(lit, 1.2) / 40) ** -0.58, 3.0)
    if hue is not None:
        weight = np.ones_like(lit)
    # The empty board's own shadow of the border is taken off: this picture's light casts another.
    apart = _apart(view, foot[keep], origin)
    shaded = cushion_shade(foot[keep], origin, scene.empty_light, view.cushions)
    empty = empty / np.where(apart, 1, shaded)
    rows, columns = np.divmod(np.flatnonzero(keep), part[1].stop - part[1].start)
    return Patch(
        at=np.stack([rows + part[0].start, columns + part[1].start]),
        origin=origin,
        foot=foot[keep],
        drift=drift[keep],
        jacobian=near.jacobian,
        seen=lit.astype(np.float32),
        board=empty.astype(np.float32),
        weight=weight.astype(np.float32),
        apart=apart,
        share=visible,
        colours=colours,
        throws=throws.astype(np.float32),
        top_lit=np.ones(len(rows), dtype=np.float32),
        blur_px=scene.blur_px,
    )


def _middle(codes: Floats32, where: NDArray[np.bool_]) -> Floats:
    """(3,) light, 0..1, in the middle of the `codes` (N, 3) `where` (N,) it is looked at."""
    return to_light(np.median(codes[where], axis=0)) if where.any() else np.zeros(3)


def _on_top(near: NearRays, piece: Standing) -> NDArray[np.bool_]:
    """(N,) which rays meet the top of `piece` well away from its rims."""
    body = piece.body
    x, y = (near.foot + np.float32(body.thickness_mm) * near.drift).T
    away = length_of(x, y)
    return np.asarray(
        (away < body.radius_mm - _RIM_MM) & (away > (body.hole_mm + _RIM_MM) * (body.hole_mm > 0))
    )


def _apart(view: View, foot: Floats32, origin: tuple[float, float]) -> NDArray[np.bool_]:
    board = view.table.board
    x, y = foot[:, 0] + origin[0], foot[:, 1] + origin[1]
    apart = (np.abs(x) > board.width_mm / 2) | (np.abs(y) > board.height_mm / 2)
    for pocket in board.pockets:
        apart |= np.hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm) < pocket.radius_mm
    return np.asarray(apart, dtype=np.bool_)


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
    return length_of(qx + s * dx, qy + s * dy) - np.float32(piece.body.radius_mm)
