"""The light of a picture of which only the guesses are known so far, and better places with it."""

from collections.abc import Sequence

import numpy as np

from calibration.camera import Floats
from rules.geometry import Point
from vision.appearance.light import DIFFUSE, Light, Standing, estimate_light
from vision.appearance.patch import MARGIN_PX, telling_hue
from vision.appearance.surroundings import surroundings
from vision.localisation.fitting import Fitter
from vision.localisation.stand import Fit
from vision.localisation.standing import moved
from vision.localisation.starts import top_or_foot

_FIRST_BLUR = 1.5
"""By how much pieces are drawn more blurred while their places are known to some millimetres."""

_TELLING = 3
_WITNESSES = 12
_SAME_LIGHT = 0.93
"""What fits explain if the lamps are those they are taken for; under others it is below 0.91."""

_FREEST = 6


def is_lit_by(
    light: Light, fitter: Fitter, standing: Sequence[Standing], sure: Sequence[int]
) -> bool:
    """Whether pieces whose guess leaves no doubt, the numbers `sure`, look as they would in it."""
    witnesses = sure[:_WITNESSES]
    if not len(light.share) or len(witnesses) < _TELLING:
        return False
    fits = [fitter.fit(standing, n, light, rounds=4, margin_px=MARGIN_PX) for n in witnesses]
    explained = [f.explained for f in fits if f is not None]
    if len(explained) < _TELLING:
        return False
    middle, low = np.quantile(explained, [0.5, 0.25])
    return bool(middle > _SAME_LIGHT and low > _SAME_LIGHT - 0.02)


def first_light(fitter: Fitter, standing: Sequence[Standing]) -> tuple[Light, list[Standing]]:
    """The light, and places: from colours that no shadow has, or else by trying lamps."""
    scene = fitter.scene
    hues = [telling_hue(scene.view, scene.relit, s) for s in standing]
    fits = [_first_fit(fitter, standing, n, hues[n]) for n in range(len(standing))]
    places = [moved(s, f) for s, f in zip(standing, fits, strict=True)]
    telling = [n for n, hue in enumerate(hues) if hue is not None]
    if len(telling) < _TELLING:
        return _tried_lamp(fitter, places), places
    return estimate_light(surroundings(scene, places, telling), scene.view.cushions), places


def _first_fit(
    fitter: Fitter, standing: Sequence[Standing], n: int, hue: Floats | None
) -> Fit | None:
    """A first place, from three starts: a guess may have taken the foot for the top."""
    best: Fit | None = None
    me, camera = standing[n], fitter.scene.view.table.camera
    for start in top_or_foot(camera, me, Point(me.x_mm, me.y_mm)):
        found = fitter.fit(
            [*standing[:n], start, *standing[n + 1 :]],
            n,
            DIFFUSE,
            rounds=3,
            blur_times=_FIRST_BLUR,
            hue=hue,
            loose=True,
        )
        if found is not None and (best is None or found.explained > best.explained):
            best = found
    return best


def _tried_lamp(fitter: Fitter, standing: Sequence[Standing]) -> Light:
    """One lamp, tried all around, by how well the freest pieces fit in its light."""
    order = sorted(range(len(standing)), key=lambda n: len(fitter.beside(standing, n)))[:_FREEST]
    best, light = -np.inf, DIFFUSE
    for reach, share in ((0.0, 0.0), (0.25, 0.7), (0.6, 0.6)):
        for angle in np.arange(8 if reach else 1) * np.pi / 4:
            lean = reach * np.array([[np.cos(angle), np.sin(angle)]])
            tried = Light(
                lean=lean, spread=np.full(1, 0.12), share=np.array([share]), nearness=5e-4
            )
            fits = [fitter.fit(standing, n, tried, rounds=3, pull=True, loose=True) for n in order]
            worth = float(np.sum([f.explained for f in fits if f is not None]))
            if worth > best:
                best, light = worth, tried
    return light
