"""A piece beside fingers measured once more, by the bearings in which its rim is seen to show.

A hand is masked roughly: the shadow between two fingers is masked as well, and the sliver of a
fingertip that lies on a rim is not. So around a piece that a hand touches in the picture each
bearing is judged by colour, which shade leaves alone: where the piece shows inside its rim, and the
board outside, the rim is seen, whatever was masked there; elsewhere it has no say. The shadows of
fingers are on no lamp's account either: the board is held to be as bright, bearing by bearing, as
it is seen beside the piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.relight import to_code, to_light
from calibration.silhouette import Floats32
from vision.appearance.light import Light, Standing
from vision.appearance.patch import NearRays, cut, near_rays, reach_mm
from vision.appearance.scene import Scene
from vision.appearance.shading import Shading
from vision.appearance.tints import softened, tint
from vision.detection.rims import Mask
from vision.localisation.stand import Fit, fit

_BEARINGS = 24
_MIDDLES = ((np.arange(_BEARINGS) + 0.5) / _BEARINGS - 0.5) * 2 * np.pi
_INSIDE_PX, _OUTSIDE_PX = (-4.0, -1.5), (1.5, 4.5)
"""How far from a silhouette's edge colours are a piece's own, or the board's."""

_MARGIN_PX = 6.0
_TOUCHES_PX = 3.0
_SMEARED_PX = -2.0
"""From here on what lies over an edge has a part in the pixels inside it."""

_UNLIKE = 0.15  # natural logarithm of a ratio of two channels; of less colour says too little
_NEARER, _MOSTLY = 0.3, 0.7  # of the way from one colour to the other; of a bearing's pixels
_FEWEST, _ENOUGH = 3, 20  # pixels in a bearing; pixels that say what colour a piece has
_ROUNDS, _TURNS = 6, 2
_FARTHEST_MM = 0.6
"""A place that is farther off is another one, and the first was judged well."""

_CLEAR_PX = 2.0
_ABOUT = 0.3  # radians: over so much the board's brightness about a piece is taken together
_USUALLY = 4.0  # pixels that the middle of all bearings counts for in each
_BLACK = 0.5  # light, of 100: below, ratios are noise


def cleared(
    scene: Scene, found: Fit, standing: Standing, others: Sequence[Standing], light: Light
) -> tuple[Scene, Fit]:
    """`scene` cleared about `standing`, and `found` in it, where a hand touches that at all.

    Both are as they were where colour does not tell the piece from the board, and where the place
    that comes out contradicts `found`.
    """
    now, place = scene, found
    for _ in range(_TURNS):
        here = standing.at(place.x_mm, place.y_mm)
        hidden = _hidden(scene, here)
        if hidden is None:
            return scene, found
        now = _as_bright(replace(scene, hidden=hidden), here, others, light)
        patch = cut(now, here, others)
        if patch is None:
            return scene, found
        again = fit(scene.view, patch, here, others, light, rounds=_ROUNDS)
        if np.hypot(again.x_mm - found.x_mm, again.y_mm - found.y_mm) > _FARTHEST_MM:
            return scene, found
        place = replace(again, visible=found.visible)
    return now, place


def _hidden(scene: Scene, piece: Standing) -> Mask | None:
    """(h, w) what is hidden, put right about `piece`; None where that needs nothing, or colour does
    not tell."""
    view, relit = scene.view, scene.relit
    near = near_rays(view, relit.box, piece, _MARGIN_PX)
    if near is None:
        return None
    masked = scene.hidden[near.part].ravel()
    touched = masked & (near.reach_px < _TOUCHES_PX)
    if not touched.any():
        return None
    sides = _sides(near, relit.picture[near.part], relit.board[near.part], masked)
    if sides is None:
        return None
    bearing = _numbers(_bearings(near.foot, near.drift, piece))
    opened, closed = np.zeros_like(masked), np.zeros_like(masked)
    for n in np.unique(bearing[touched]).tolist():
        mine = bearing == n
        if sides.show(mine):
            opened |= mine & (sides.inside | sides.edge | sides.outside)
        else:
            closed |= mine & (near.reach_px > _SMEARED_PX)
    high, wide = (side.stop - side.start for side in near.part)
    hidden = scene.hidden.copy()
    hidden[near.part] = ((masked & ~opened) | closed).reshape(high, wide)
    return hidden


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sides:
    """Which pixels (N,) lie `inside`, at the `edge` and `outside` of a silhouette, and which of
    them have the colour that belongs there."""

    inside: NDArray[np.bool_]
    edge: NDArray[np.bool_]
    outside: NDArray[np.bool_]
    right: NDArray[np.bool_]

    def show(self, mine: NDArray[np.bool_]) -> bool:
        """Whether both sides show in what is `mine` (N,)."""
        return all(
            int((mine & side).sum()) >= _FEWEST and float(self.right[mine & side].mean()) > _MOSTLY
            for side in (self.inside, self.outside)
        )


def _sides(
    near: NearRays, picture: Floats32, board: Floats32, masked: NDArray[np.bool_]
) -> _Sides | None:
    """The sides of the silhouette, where its colour is known and is not the board's."""
    inside, outside = (
        (near.reach_px > least) & (near.reach_px < most)
        for least, most in (_INSIDE_PX, _OUTSIDE_PX)
    )
    if (inside & ~masked).sum() < _ENOUGH:
        return None
    seen, bare = (tint(softened(codes).reshape(-1, 3)) for codes in (picture, board))
    own = np.median(seen[inside & ~masked], axis=0)
    apart = float(np.hypot(*(own - np.median(bare[outside], axis=0))))
    if apart < _UNLIKE:
        return None
    away = np.hypot(*(seen - np.where(inside[:, None], own, bare)).T)
    return _Sides(
        inside=inside,
        edge=(near.reach_px >= _INSIDE_PX[1]) & (near.reach_px <= _OUTSIDE_PX[0]),
        outside=outside,
        right=away < _NEARER * apart,
    )


def _as_bright(scene: Scene, piece: Standing, others: Sequence[Standing], light: Light) -> Scene:
    """`scene` with its board as bright about `piece`, bearing by bearing, as it is seen there."""
    patch = cut(scene, piece, others, margin_px=_MARGIN_PX)
    near = near_rays(scene.view, scene.relit.box, piece, _MARGIN_PX)
    if patch is None or near is None:
        return scene
    kept = Shading(scene.view, patch, piece, others, light).kept(piece)
    reach_px = reach_mm(patch.foot, patch.drift, patch.origin, piece) * scene.view.scale
    clear = (reach_px > _CLEAR_PX) & ~patch.apart
    if clear.sum() < _ENOUGH:
        return scene
    held = np.maximum(patch.board[clear] * kept[clear], _BLACK)
    brighter = np.log(np.maximum(patch.seen[clear], _BLACK) / held)
    where = _bearings(patch.foot[clear], patch.drift[clear], piece)
    levels = _levels(brighter, where)
    gain = np.interp(_bearings(near.foot, near.drift, piece), _MIDDLES, levels, period=2 * np.pi)
    high, wide = (side.stop - side.start for side in near.part)
    board = scene.board.copy()
    board[near.part] = to_code(to_light(board[near.part]) * np.exp(gain).reshape(high, wide))
    return replace(scene, board=board)


def _levels(brighter: Floats32, where: Floats32) -> Floats:
    """(_BEARINGS,) the median of what is `brighter` (N,), of what lies about each bearing by
    `where` (N,) it is, in radians; where that is little, drawn to the median of all."""
    order = np.argsort(brighter)
    away = (where[order] - _MIDDLES[:, None] + np.pi) % (2 * np.pi) - np.pi
    total = np.cumsum(np.exp(-((away / _ABOUT) ** 2)), axis=1)
    whole = total[:, -1]
    here = brighter[order][(total < whole[:, None] / 2).sum(axis=1)]
    return np.asarray((whole * here + _USUALLY * np.median(brighter)) / (whole + _USUALLY))


def _bearings(foot: Floats32, drift: Floats32, piece: Standing) -> Floats32:
    """(N,) radians, -pi..pi: in which direction from the middle of `piece` rays pass it."""
    x, y = (foot + np.float32(piece.body.thickness_mm / 2) * drift).T
    return np.asarray(np.arctan2(y, x))


def _numbers(bearings: Floats32) -> NDArray[np.intp]:
    return ((bearings / (2 * np.pi) + 0.5) * _BEARINGS).astype(np.intp) % _BEARINGS
