"""A piece's place looked at again, closely, once it is known to some tenths of a millimetre.

Whether there is a piece, the board about it helps to tell, and the edges of what it shows low down.
Where exactly it stands, they tell less well than the edge of its top: shadows hang on lamps that
are known in part, and walls mirror whatever is about. So only the board that touches the piece has
a say here, none of it in shadow has much, and walls are more freely bright or dark.

A close look errs by other causes than the first one, so a place between the two is nearer than
either; the close one is the better of them.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.appearance.light import Light, Standing
from vision.appearance.patch import cut
from vision.appearance.rendering import FREE_WALLS
from vision.appearance.scene import Scene
from vision.localisation.stand import Fit, fit

MARGIN_PX = 1.5
"""How far about the piece the board has a say."""

SHARE = 0.75
"""How much of the way to the place that is seen closely is gone."""

_BESIDE_PX = 0.5
_ROUNDS = 6
_FARTHEST_MM = 0.6
"""A place that is farther off is another one, and the first was judged well."""


def closely(
    scene: Scene, found: Fit, standing: Standing, others: Sequence[Standing], light: Light
) -> Fit:
    """`found` of `standing`, moved towards where it is seen to stand closely.

    It stays as it is where too little of it is seen, or where the two places contradict each other.
    """
    here = standing.at(found.x_mm, found.y_mm)
    patch = cut(scene, here, others, margin_px=MARGIN_PX)
    if patch is None:
        return found
    near = fit(
        scene.view,
        patch,
        here,
        others,
        light,
        rounds=_ROUNDS,
        may=FREE_WALLS,
        beside_px=_BESIDE_PX,
    )
    off = np.array([near.x_mm - found.x_mm, near.y_mm - found.y_mm])
    if float(np.hypot(*off)) > _FARTHEST_MM:
        return found
    step = SHARE * off
    return replace(found, x_mm=found.x_mm + float(step[0]), y_mm=found.y_mm + float(step[1]))
