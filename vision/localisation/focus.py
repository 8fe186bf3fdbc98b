"""How blurred a piece is seen: a part of a picture may be out of focus, though the rest is sharp.

What is drawn is as sharp as a camera sees at its best. Of a piece that is out of focus less is left
over where it is drawn more blurred; how much blur it takes tells how far its place can be trusted.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from calibration.silhouette import Floats32
from vision.appearance.gloss import gloss_of
from vision.appearance.light import Light, Standing
from vision.appearance.patch import cut
from vision.appearance.rendering import TIED, Model, design
from vision.appearance.scene import Scene
from vision.appearance.shading import Shading, shaded_top
from vision.localisation.stand import Fit, noise_of, solved

_MORE = (1.54, 2.15, 3.1, 4.3)  # times the blur of what is in focus
_MARGIN_PX = 4.0
_TURNS = 2
_ABOUT_MM = 200.0
_CLEARLY = 0.9
"""A piece is out of focus where more blur leaves over less than this share, in the square."""

_PLAINLY = 0.6
"""Where it is less than this, what lies about the piece has no say.

Men as pale as the board look blurred by themselves: sharp ones leave over 0.80, one sd 0.04.
"""


def blurred(
    scene: Scene, found: Fit, standing: Standing, others: Sequence[Standing], light: Light
) -> Fit:
    """`found` with the blur in which `standing` is seen, one standard deviation.

    That is `Scene.blur_px` where it is sharp, or where nothing of it is seen.
    """
    patch = cut(scene, standing, others, margin_px=_MARGIN_PX)
    if patch is None:
        return found
    patch = shaded_top(scene.view, patch, standing, light)
    shading = Shading(scene.view, patch, standing, others, light)
    gloss, kept = gloss_of(patch, standing, shading), shading.kept(standing)

    def left(blur: float) -> float:
        model = design(patch, standing, light, kept, gloss, blur, may=TIED)
        return _left(model, patch.seen, patch.weight)

    sharp = left(scene.blur_px)
    best, least = scene.blur_px, _CLEARLY * sharp
    for times in _MORE:
        blur = times * scene.blur_px
        now = left(blur)
        if now > least:
            break
        best, least = blur, now
    return replace(found, blur_px=best, blur_plain=least < _PLAINLY * sharp)


def blur_about(one: Fit, fits: Sequence[Fit]) -> float:
    """The blur of `one` of `fits`, or of the part of the picture about it where it tells little.

    A lens blurs alike what lies near by. Edges that hardly differ from the board tell little of it:
    each piece counts by how well its noise lets its place be known.
    """
    if one.blur_plain:
        return one.blur_px
    near = sorted(
        (f for f in fits if hypot(f.x_mm - one.x_mm, f.y_mm - one.y_mm) < _ABOUT_MM),
        key=lambda f: f.blur_px,
    )
    tells = np.cumsum([1.0 / max(float(np.trace(f.covariance)), 1e-12) for f in near])
    return near[int(np.searchsorted(tells, 0.5 * tells[-1]))].blur_px


def _left(model: Model, seen: Floats32, weight: Floats32) -> float:
    """The mean square of what `model` leaves over of the light `seen` (N,)."""
    noise = 1.0
    for _ in range(_TURNS):
        amounts, _ = solved(model, seen, weight, noise)
        residual = (seen - amounts.astype(np.float32) @ model.rows) * weight
        noise = noise_of(residual)
    return float(np.mean(residual * residual))
