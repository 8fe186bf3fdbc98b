"""All that a place's last judgement is made from: a rendered piece beside what is seen of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.gloss import gloss_of
from vision.light import Light, Standing, lit
from vision.nudged import Nudged, slopes
from vision.parts import regions
from vision.patch import Patch, cut, reach_mm
from vision.rendering import BLUR_PX, TIED
from vision.scene import Scene
from vision.shading import Shading
from vision.stand import HUB, doubted, noise_of, out_of_shadow, solved

MARGIN_PX = 5.0
"""How far around the piece the network looks; only what is within `_TELLING_PX` has a say."""

_TELLING_PX = 3.0
_TURNS = 4
_DARK = 2.0


class _Measured(NamedTuple):
    residual: Floats32
    slopes: Floats32
    first: Floats32
    weight: Floats32
    noise: float
    kept: Floats32
    reach_px: Floats32


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """A piece rendered `here`, over N pixels, with M amounts of light solved for.

    `rows` (M, N), `amounts` (M,), `sd` (M,): the model, how much more than usual each row takes,
    one sd of that. `slopes` (2, N): change of the model for one pixel of movement along u and v.
    `residual` (N,): what is left over; `first`, `weight` (N,): by noise alone, and by residual.
    `maps` (C, h, w): what the network sees, with the N pixels at `at`.
    """

    here: Standing
    patch: Patch
    rows: Floats32
    amounts: Floats
    sd: Floats
    slopes: Floats32
    residual: Floats32
    first: Floats32
    weight: Floats32
    noise: float
    maps: Floats32
    at: tuple[NDArray[np.int64], NDArray[np.int64]]


def case_of(scene: Scene, here: Standing, others: Sequence[Standing], light: Light) -> Case | None:
    """`here` among `others` in `light`; None where next to nothing of the piece is seen."""
    patch = cut(
        scene,
        here,
        others,
        margin_px=MARGIN_PX,
    )
    if patch is None:
        return None
    shading = Shading(scene.view, patch, here, others, light)
    kept = shading.kept(here)
    reach_px = reach_mm(patch.foot, patch.drift, patch.origin, here) * np.float32(scene.view.scale)
    first = out_of_shadow(patch.weight, reach_px, kept)
    near = reach_px < _TELLING_PX
    nudged = Nudged(patch, gloss_of(patch, here, shading))
    model, moved = nudged.drawn(here, light, [kept] * 3, BLUR_PX, may=TIED)
    rows = model.rows
    telling = np.asarray(first * near, dtype=np.float32)
    weight, noise = telling, 1.0
    for _ in range(_TURNS):
        amounts, _normal = solved(model, patch.seen, weight, noise)
        residual = patch.seen - amounts.astype(np.float32) @ rows
        noise = noise_of((residual * first)[near])
        weight = doubted(telling, residual, noise, HUB)
    by_mm = slopes(amounts, rows, moved)
    by_px = np.asarray(patch.jacobian.T.astype(np.float32) @ by_mm, dtype=np.float32)
    measured = _Measured(residual, by_px, first, weight, noise, kept, reach_px)
    shown = _shown(scene, patch, here, light, measured)
    at = (patch.at[0] - patch.at[0].min(), patch.at[1] - patch.at[1].min())
    maps = np.zeros((len(shown), int(at[0].max()) + 1, int(at[1].max()) + 1), dtype=np.float32)
    maps[:, at[0], at[1]] = shown
    return Case(
        here=here,
        patch=patch,
        rows=rows,
        amounts=amounts - model.usual,
        sd=model.sd,
        slopes=by_px,
        residual=residual,
        first=first,
        weight=weight,
        noise=noise,
        maps=maps,
        at=at,
    )


def _shown(
    scene: Scene, patch: Patch, here: Standing, light: Light, measured: _Measured
) -> Floats32:
    """(C, N) what the network sees of each pixel; directions are the picture's, not the board's."""
    r = regions(patch, here.body, here.x_mm, here.y_mm, BLUR_PX)
    leans = light.lean_at(here.x_mm, here.y_mm).astype(np.float32)
    left = measured.residual * measured.first / np.float32(measured.noise)
    steep = measured.slopes * measured.first / np.float32(5 * measured.noise)
    inward = np.linalg.inv(patch.jacobian).astype(np.float32) / np.float32(scene.view.scale)
    along, aside = inward @ np.stack([r.along, r.aside])
    tint = np.log(
        (scene.relit.picture[patch.at[0], patch.at[1]] + _DARK)
        / (scene.relit.board[patch.at[0], patch.at[1]] + _DARK)
    )
    brighter = np.log(np.maximum(patch.seen, 0.05) / np.maximum(patch.board, 0.05))
    return np.stack(
        [
            np.arcsinh(left),
            np.clip(left, -3, 3),
            *np.arcsinh(steep),
            measured.weight / (measured.first + np.float32(1e-6)),
            np.clip(brighter, -3, 3),
            np.log(np.maximum(patch.seen, 0.3)) / 3,
            measured.kept,
            r.top,
            r.bevel,
            r.wall,
            r.lip,
            r.bore,
            r.through,
            r.outside,
            np.clip(measured.reach_px / 5, -2, 1),
            lit(r.cos, r.sin, 0.7071, light, leans),
            along,
            aside,
            np.clip(tint[:, 0] - tint[:, 1], -3, 3),
            np.clip(tint[:, 2] - tint[:, 1], -3, 3),
            np.ones_like(along),
        ]
    ).astype(np.float32)
