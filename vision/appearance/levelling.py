"""The empty board beside each piece as bright as it is seen there.

The gain between a picture and the empty board is smooth (`calibration.relight`); a lamp's
reflection in the varnish is not. Where one of the two pictures has one, the board that is held to
lie about a piece would be too bright on one side, and the piece be put to the other. So how
brightness runs over the board is read off the board about each piece, outside of all shadows.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.camera import Floats
from calibration.relight import to_code, to_light
from vision.appearance.light import Light, Standing
from vision.appearance.patch import cut, near_rays, reach_mm
from vision.appearance.scene import Scene
from vision.appearance.shading import Shading
from vision.appearance.surroundings import beside

_MARGIN_PX = 7.0
_CLEAR_PX = 2.0
_LIT = 0.9  # what the board keeps of its light where no shadow is said to fall
_FEWEST = 80
_SURPRISING = 0.04  # shares of the board's light from which a pixel counts for less
_ROUNDS = 4
_USUAL = 0.1  # one sd of how much brighter the board may be one radius farther on
_STEEPEST = 0.3
_FADES_PX = 5.0
_NOBODYS = 0.02


def levelled(
    scene: Scene, standing: Sequence[Standing], staying: Sequence[Standing], light: Light
) -> Scene:
    """`scene` with its board as bright about each of `standing` as it is seen in `light`.

    `staying`: pieces that lie among them.
    """
    if not standing:
        return scene
    shape = scene.board.shape
    brighter = np.zeros(shape, dtype=np.float32)
    told = np.full(shape, _NOBODYS, dtype=np.float32)
    for n, piece in enumerate(standing):
        slope = _slope(scene, piece, beside([*standing, *staying], n), light)
        near = near_rays(scene.view, scene.relit.box, piece, _MARGIN_PX)
        if slope is None or near is None:
            continue
        high, wide = (side.stop - side.start for side in near.part)
        share = np.exp(-((np.maximum(near.reach_px, 0) / _FADES_PX) ** 2))
        run = near.foot / np.float32(piece.body.radius_mm) @ slope.astype(np.float32)
        brighter[near.part] += (share * run).reshape(high, wide)
        told[near.part] += share.reshape(high, wide)
    at = np.nonzero(brighter)
    board = scene.board.copy()
    board[at] = to_code(to_light(board[at]) * (1 + brighter[at] / told[at]))
    return replace(scene, board=board)


def _slope(
    scene: Scene, piece: Standing, others: Sequence[Standing], light: Light
) -> Floats | None:
    """(2,) share by which the board about `piece` is brighter a radius farther along x, y.

    None where too little of it is seen in the light.
    """
    patch = cut(scene, piece, others, margin_px=_MARGIN_PX)
    if patch is None:
        return None
    kept = Shading(scene.view, patch, piece, others, light).kept(piece)
    reach_px = reach_mm(patch.foot, patch.drift, patch.origin, piece) * scene.view.scale
    clear = (reach_px > _CLEAR_PX) & (kept > _LIT) & ~patch.apart
    if clear.sum() < _FEWEST:
        return None
    held = patch.board[clear] * kept[clear]
    rows = np.column_stack([np.ones(len(held)), patch.foot[clear] / piece.body.radius_mm])
    seen = (patch.seen[clear] / np.maximum(held, 0.4)).astype(np.float64)
    found = np.array([np.median(seen), 0.0, 0.0])
    prior = np.diag([0.0, 1.0, 1.0]) * (_SURPRISING / _USUAL) ** 2
    for _ in range(_ROUNDS):
        weight = 1 / (1 + ((seen - rows @ found) / _SURPRISING) ** 2)
        weighed = rows * weight[:, None]
        found = np.linalg.solve(weighed.T @ rows + prior, weighed.T @ seen)
    slope = found[1:] / max(float(found[0]), 0.1)
    steep = float(np.hypot(*slope))
    return np.asarray(slope * min(1.0, _STEEPEST / max(steep, 1e-9)), dtype=np.float64)
