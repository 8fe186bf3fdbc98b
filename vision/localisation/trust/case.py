"""All that a place's last judgement is made from: a drawn piece beside what is seen of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.appearance.gloss import gloss_of
from vision.appearance.light import Light, Standing, lit
from vision.appearance.nudged import Nudged, slopes
from vision.appearance.parts import Regions, regions
from vision.appearance.patch import Patch, cut, reach_mm
from vision.appearance.rendering import TIED
from vision.appearance.scene import Scene
from vision.appearance.shading import Shading, shaded_top
from vision.localisation.stand import HUB, doubted, noise_of, out_of_shadow, solved

_TURNS = 4
_HALF_UP = 0.7071


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A piece drawn `here`, over N pixels, with M amounts of light solved for.

    `rows` (M, N), `amounts` (M,), `sd` (M,): the model, how much more than usual each row takes,
    one sd of that. `slopes` (2, N): change of the model for a millimetre of movement along x and y.
    `residual` (N,): what is left over; `first`, `weight` (N,): by noise alone, and by residual.
    `parts`: what each pixel shows; `kept`, `lit`, `reach_px` (N,): how much of its light the board
    keeps, how much a face gets that looks outwards and half up, distance from the silhouette.
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
    parts: Regions
    kept: Floats32
    lit: Floats32
    reach_px: Floats32

    @cached_property
    def _inverse(self) -> Floats:
        """(2, M + 2) the part of the solution for amounts and place that says the place."""
        rows = np.concatenate([self.rows, self.slopes]) * self.weight
        normal = (rows @ rows.T).astype(np.float64) + np.diag(self._prior + 1e-6)
        unit = 1 / np.sqrt(np.diag(normal))
        whole: Floats = np.linalg.inv(normal * unit[:, None] * unit) * unit[:, None] * unit
        return whole[-2:]

    @property
    def _prior(self) -> Floats:
        return np.append((self.noise / self.sd) ** 2, [1e-9, 1e-9])

    def step_mm(self) -> Floats:
        """(2,) where the piece would go if place and light were solved for together once more."""
        pull = self._prior * np.append(self.amounts, [0.0, 0.0])
        return np.asarray(self.moved_mm(self.residual[None])[0] - self._inverse @ pull)

    def moved_mm(self, left: Floats32) -> Floats:
        """(K, 2) how far each of `left` (K, N), were it left over, would move the piece."""
        rows = np.concatenate([self.rows, self.slopes]) * self.weight**2
        return np.asarray((self._inverse @ (rows @ left.T)).T, dtype=np.float64)


def case_of(scene: Scene, here: Standing, others: Sequence[Standing], light: Light) -> Case | None:
    """`here` among `others` in `light`; None where next to nothing of the piece is seen."""
    patch = cut(scene, here, others)
    if patch is None:
        return None
    patch = shaded_top(scene.view, patch, here, light)
    shading = Shading(scene.view, patch, here, others, light)
    kept = shading.kept(here)
    reach_px = reach_mm(patch.foot, patch.drift, patch.origin, here) * np.float32(scene.view.scale)
    first = out_of_shadow(patch.weight, reach_px, kept)
    nudged = Nudged(patch, gloss_of(patch, here, shading))
    model, moved = nudged.drawn(here, light, [kept] * 3, scene.blur_px, may=TIED)
    weight, noise = first, 1.0
    for _ in range(_TURNS):
        amounts, _normal = solved(model, patch.seen, weight, noise)
        residual = patch.seen - amounts.astype(np.float32) @ model.rows
        noise = noise_of(residual * first)
        weight = doubted(first, residual, noise, HUB)
    parts = regions(patch, here.body, here.x_mm, here.y_mm, scene.blur_px)
    leans = light.lean_at(here.x_mm, here.y_mm).astype(np.float32)
    return Case(
        here=here,
        patch=patch,
        rows=model.rows,
        amounts=amounts - model.usual,
        sd=model.sd,
        slopes=slopes(amounts, model.rows, moved),
        residual=residual,
        first=first,
        weight=weight,
        noise=noise,
        parts=parts,
        kept=kept,
        lit=lit(parts.cos, parts.sin, _HALF_UP, light, leans),
        reach_px=reach_px,
    )
