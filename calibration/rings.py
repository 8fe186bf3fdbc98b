"""Rings turned into a piece's top, as on carrom men: how its light runs from axis to rim.

Rings are the best mark of a piece's middle: no shadow and no lamp moves them. They are learned
from the teach picture, by the median over all bearings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera, Floats
from calibration.relight import Floats32
from calibration.silhouette import Body

_STEP_MM = 0.25
_RIM_MM = 1.3
_BEARINGS = 90
_WORTH = 0.03
"""Rings fainter than this share of the top's light are taken for noise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rings:
    """`relative` (N,): how much lighter than the top's middle value it is at `radii_mm` (N,)."""

    radii_mm: Floats
    relative: Floats


def learn_rings(
    camera: Camera, light: Floats32, u0: int, v0: int, body: Body, places: Sequence[Floats]
) -> Rings | None:
    """The rings of pieces of form `body` that stand at `places` ((2,) each); None where none show.

    `light` (h, w): the picture's light, of which (u0, v0) is the first pixel.
    """
    inner = body.hole_mm + (_RIM_MM if body.hole_mm else 0.1)
    radii = np.arange(inner, body.radius_mm - _RIM_MM, _STEP_MM)
    if len(radii) < 8 or not places:
        return None
    angles = 2 * np.pi * np.arange(_BEARINGS) / _BEARINGS
    ring = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    profiles = []
    for at in places:
        spots = (ring + at).reshape(-1, 2)
        tops = np.column_stack([spots, np.full(len(spots), body.thickness_mm)])
        px = (camera.project(tops) - (u0, v0)).astype(np.float32)
        px = px.reshape(len(radii), _BEARINGS, 2)
        shown = cv2.remap(light, px[..., 0], px[..., 1], cv2.INTER_CUBIC)
        middle = np.median(shown, axis=1)
        profiles.append(middle / max(float(np.median(middle)), 1e-6) - 1)
    relative = np.mean(profiles, axis=0)
    relative -= np.polyval(np.polyfit(radii, relative, 1), radii)
    if float(np.quantile(np.abs(relative), 0.9)) < _WORTH:
        return None
    return Rings(radii_mm=radii, relative=np.asarray(relative, dtype=np.float64))
