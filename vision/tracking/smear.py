"""How much a piece is smeared: just set running, that tells its place, as its speed is not known.

It may have set off at any time since it was seen at rest, so that it may run much faster than the
way it has come would say. A smear taken too short draws the place aside, where something beside
the piece looks like a part of it. What runs at a known speed tells by its smear how long the
shutter was open.
"""

from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.tracking.body import Body
from vision.tracking.fitting import Fix, fit
from vision.tracking.stamp import Cover

Gray = NDArray[np.uint8]
_TIMES = (1.4, 2.0, 2.8, 4.0)  # faster than it would have run since the frame before
_FASTEST_MM_S = 6000.0
_LEAST_MM = 1.5  # a shorter smear changes nothing
_BETTER = 0.95  # of the misfit


def fitted_as_smeared(
    body: Body,
    picture: Gray,
    backdrop: Gray,
    found: Fix,
    blur_mm: tuple[float, float],
    *,
    others: tuple[Cover, ...],
    exposure_s: float,
) -> Fix:
    """The best fit near `found`, fitted with `blur_mm`, for smears as long or longer."""
    long_mm = hypot(*blur_mm)
    if long_mm < _LEAST_MM:
        return found
    best = found
    for times in _TIMES:
        if times * long_mm > _FASTEST_MM_S * exposure_s:
            break
        trial = fit(
            body.stamp,
            picture,
            backdrop,
            (best.x_mm, best.y_mm),
            blur_mm=(times * blur_mm[0], times * blur_mm[1]),
            others=others,
        )
        off_mm = hypot(trial.x_mm - found.x_mm, trial.y_mm - found.y_mm)
        if off_mm > 0.5 * body.known.radius_mm or trial.misfit > _BETTER * best.misfit:
            break
        best = trial
    return best


def misfit(
    body: Body,
    picture: Gray,
    backdrop: Gray,
    found: Fix,
    way_mm: tuple[float, float],
    others: tuple[Cover, ...],
    share: float,
) -> float:
    """Mean squared misfit at `found` of a piece smeared by a `share` of its way in a frame."""
    trial = fit(
        body.stamp,
        picture,
        backdrop,
        (found.x_mm, found.y_mm),
        blur_mm=(share * way_mm[0], share * way_mm[1]),
        others=others,
        rounds=3,
    )
    return trial.misfit**2
