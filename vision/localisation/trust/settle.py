"""The last place of a piece: what its drawing leaves over is weighed by what experience says.

Rims are rounded, varnish mirrors, shadows have soft edges: what a drawn piece leaves over is no
noise. Each part of it, and each light that may be missing, would move the piece by so much
(`hints.py`); how much of each is true was learned where the truth is known (`law.py`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.appearance.light import Light, Standing
from vision.appearance.scene import Scene
from vision.localisation.stand import Fit
from vision.localisation.trust.case import case_of
from vision.localisation.trust.law import Law, learned

SHARE = 0.75
"""How much of the step is gone: on tables never seen, it is right in part only."""

FARTHEST_MM = 0.4
"""A step is never longer."""


def settle(
    scene: Scene,
    found: Fit,
    standing: Standing,
    others: Sequence[Standing],
    light: Light,
    law: Law | None = None,
) -> Fit:
    """`found` moved to where `law` says that `standing` stands by what is left over about it.

    It stays as it is out of focus, for the law was learned of sharp pieces.
    """
    if found.blur_px > scene.blur_px:
        return found
    case = case_of(scene, standing.at(found.x_mm, found.y_mm), others, light)
    if case is None:
        return found
    step_mm = (learned() if law is None else law).step_mm(case)
    step_mm *= SHARE * min(1.0, FARTHEST_MM / max(float(np.hypot(*step_mm)), 1e-9))
    return replace(found, x_mm=found.x_mm + float(step_mm[0]), y_mm=found.y_mm + float(step_mm[1]))
