"""The last place of a piece: each pixel is believed as far as experience says.

Rims are rounded, varnish mirrors, shadows have soft edges: what a rendered piece leaves over is no
noise, and an eye that has seen many pieces knows which of it lies. A network says how far to
believe each pixel and what of its residual comes from light, not place; then place and light are
solved for together, as before. On kinds of boards that it has not learned from, going a part of the
way that it says is nearer to the truth than the whole.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.camera import Floats
from vision.light import Light, Standing
from vision.scene import Scene
from vision.stand import Fit
from vision.trust.case import Case, case_of
from vision.trust.net import Net, trained

SHARE = 0.4
"""How much of the step is gone."""

FARTHEST_PX = 0.8
"""A step is longer only where something else is wrong: there the place stays as it was."""


def settle(
    scene: Scene,
    found: Fit,
    standing: Standing,
    others: Sequence[Standing],
    light: Light,
    net: Net | None = None,
) -> Fit:
    """`found` moved to where those pixels that can be believed say that `standing` stands."""
    case = case_of(scene, standing.at(found.x_mm, found.y_mm), others, light)
    if case is None:
        return found
    step_px = believed_px(case, trained() if net is None else net)
    if float(np.hypot(*step_px)) > FARTHEST_PX:
        return found
    step_mm = SHARE * case.patch.jacobian @ step_px
    return replace(found, x_mm=found.x_mm + float(step_mm[0]), y_mm=found.y_mm + float(step_mm[1]))


def believed_px(case: Case, net: Net) -> Floats:
    """(2,) the whole step, in pixels along u and v."""
    belief, hides = net(case.maps)
    weight = case.weight * np.exp(np.clip(belief[case.at], -5, 3))
    residual = case.residual - hides[case.at] * np.float32(case.noise)
    rows = np.concatenate([case.rows, case.slopes]) * weight
    prior = np.append((case.noise / case.sd) ** 2, [1e-9, 1e-9])
    normal = (rows @ rows.T).astype(np.float64) + np.diag(prior + 1e-6)
    known = np.append(case.amounts, [0.0, 0.0])
    right = (rows @ (weight * residual)).astype(np.float64) - prior * known
    unit = 1 / np.sqrt(np.diag(normal))
    scaled = normal * unit[:, None] * unit
    return np.asarray((np.linalg.solve(scaled, right * unit) * unit)[-2:], dtype=np.float64)
