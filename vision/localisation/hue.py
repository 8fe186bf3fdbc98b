"""What a piece's own colour says of its place.

Gray light is misled by what is bright or dark of itself: lit rims and reflections draw a piece away
from the lamp. In the part of the light in which a piece differs from the board lit or shaded there
are no shadows, but more noise and half as many pixels (cameras save colour coarsely). The two err
by different causes, so a place between them is nearer than either.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.appearance.light import Light, Standing
from vision.appearance.patch import cut, telling_hue
from vision.appearance.scene import Scene
from vision.localisation.stand import Fit, fit

EQUAL_MM = 0.02
"""The noise of the place that colour says, for which half of the way to it is gone."""

FARTHEST_MM = 0.8
"""Colour that says a place farther off counts as if it said one so far off."""

_ROUNDS = 4


def drawn_by_hue(
    scene: Scene, found: Fit, standing: Standing, others: Sequence[Standing], light: Light
) -> Fit:
    """`found` of `standing`, moved a part of the way to where its colour is seen.

    It stays as it is where no part of the piece's colour is free of shadows, as of black ones.
    """
    here = standing.at(found.x_mm, found.y_mm)
    hue = telling_hue(scene.view, scene.relit, here)
    if hue is None:
        return found
    patch = cut(
        scene,
        here,
        others,
        hue=hue,
    )
    if patch is None:
        return found
    coloured = fit(scene.view, patch, here, others, light, rounds=_ROUNDS)
    off = np.array([coloured.x_mm - found.x_mm, coloured.y_mm - found.y_mm])
    step = _share(coloured) * off * min(1.0, FARTHEST_MM / max(float(np.hypot(*off)), 1e-9))
    return replace(found, x_mm=found.x_mm + float(step[0]), y_mm=found.y_mm + float(step[1]))


def _share(coloured: Fit) -> float:
    """How much of the way to `coloured` to go: the less, the more its noise makes of its errors."""
    return 1 / (1 + float(np.trace(coloured.covariance)) / 2 / EQUAL_MM**2)
