"""Cameras and lamps as clubs have them: they change the pictures of a match while it is played.

`steady` is the camera of the demo, which changes nothing. `auto` makes up for light by itself, as a
webcam does that nobody has told otherwise: an arm over the table makes the rest of it brighter and
bluer. `mains` sees lamps flicker row by row, as a rolling shutter does. `coded` codes every picture
as JPEG, colours at half the size. `evening` has the light fade and grow warm, and clouds pass. A
`webcam` is `auto`, `mains` and `coded` in one.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import cos, exp, pi
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR, to_code
from sightline.simulated.optics.renderer import Photographer, Picture
from sightline.simulated.scene import Scene
from sightline.simulated.table import SimulatedTable

Floats32 = NDArray[np.float32]
Change = Callable[[Picture, float], Picture]
"""What becomes of a picture (H, W, 3), BGR, that was taken at some time, s."""

_LAG_S = 0.4
"""Exposure and white balance follow the picture by so much (one time constant)."""
_GAINS, _TINTS = (0.5, 2.0), 0.5
"""How far exposure goes, and what share of the mean picture's colour white balance takes off."""
_FLICKER, _MAINS_HZ, _READOUT_S = 0.02, 50.0, 0.02
_QUALITY = 80
_FADED, _FADES_S, _WARM = 0.65, 1500.0, 0.12
"""How much of the daylight is left, after so long, and by what share blue has lost more."""
_CLOUD, _CLOUD_S, _PASSES_S = 0.25, 70.0, 12.0
"""A cloud takes so much light, every so often, for so long."""


class Through:
    """A photographer whose pictures are changed, each by those before it and by its time."""

    def __init__(self, photographer: Photographer, change: Change) -> None:
        self._photographer = photographer
        self._change = change

    def begin_again(self, film: int = 1) -> None:
        self._photographer.begin_again(film)

    def miss(self) -> None:
        self._photographer.miss()

    def frame(self, scene: Callable[[float], Scene], start_s: float, exposure_s: float) -> Picture:
        return self._change(self._photographer.frame(scene, start_s, exposure_s), start_s)


class Auto:
    """Makes up for light: the mean of what was seen just before is brought to that of the first
    picture, and so, in part, is its colour."""

    def __init__(self) -> None:
        self._wanted: Floats32 | None = None
        self._gain = np.ones(3, dtype=np.float32)
        self._at_s = 0.0

    def __call__(self, picture: Picture, at_s: float) -> Picture:
        mean = cv2.LUT(cv2.resize(picture, (64, 48), interpolation=cv2.INTER_AREA), _LINEAR)
        seen = np.asarray(mean, dtype=np.float32).reshape(-1, 3).mean(axis=0)
        if self._wanted is None:
            self._wanted = seen
        lighter = float(self._wanted.mean() / max(float(seen.mean()), 1e-4))
        tint = (self._wanted / np.maximum(seen, 1e-4) / lighter) ** _TINTS
        due = np.clip(lighter, *_GAINS) * tint
        follows = 1 - exp(-max(at_s - self._at_s, 0.0) / _LAG_S)
        self._gain = np.asarray(self._gain * (due / self._gain) ** follows, dtype=np.float32)
        self._at_s = at_s
        return lit(picture, self._gain)


def mains(picture: Picture, at_s: float) -> Picture:
    """Lamps that flicker at twice the mains' frequency, as its rows are read one by one."""
    at = at_s + _READOUT_S * np.arange(len(picture)) / len(picture)
    rows = (1 + _FLICKER * np.sin(4 * pi * _MAINS_HZ * at)).astype(np.float32)
    shown = picture * rows[:, None, None] + np.float32(0.5)
    return np.minimum(shown, 255).astype(np.uint8)


def coded(picture: Picture, quality: int = _QUALITY) -> Picture:
    """Coded as JPEG and decoded."""
    _, code = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, quality))
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), dtype=np.uint8)


def evening(picture: Picture, at_s: float) -> Picture:
    """Daylight that fades, grows warm, and is dimmed by clouds."""
    gone = min(at_s / _FADES_S, 1.0)
    into = at_s % _CLOUD_S / _PASSES_S
    cloud = _CLOUD * 0.5 * (1 - cos(2 * pi * into)) if into < 1 else 0.0
    level = (1 - (1 - _FADED) * gone) * (1 - cloud)
    warm = np.array([1 - _WARM * gone, 1.0, 1 + 0.5 * _WARM * gone])
    return lit(picture, (level * warm).astype(np.float32))


def lit(picture: Picture, gain: Floats32) -> Picture:
    """A picture in so many times the light, of each channel (3,)."""
    light = np.minimum(LINEAR[None, :, None] * gain, 1.0)
    return np.asarray(cv2.LUT(picture, np.round(to_code(light)).astype(np.uint8)), dtype=np.uint8)


def in_turn(*changes: Change) -> Change:
    """One change after the other."""

    def change(picture: Picture, at_s: float) -> Picture:
        for one in changes:
            picture = one(picture, at_s)
        return picture

    return change


def _coded(picture: Picture, at_s: float) -> Picture:
    return coded(picture)


_LINEAR = LINEAR.reshape(1, -1)
CAMERAS: Mapping[str, Callable[[], Change]] = {
    "auto": Auto,
    "mains": lambda: mains,
    "coded": lambda: _coded,
    "evening": lambda: evening,
    "webcam": lambda: in_turn(mains, Auto(), _coded),
}
"""What makes the change of one match, by the camera's name; a `steady` one changes nothing."""
STEADY = "steady"


def through(table: SimulatedTable, camera: str) -> SimulatedTable:
    """The same table, its pictures those of such a camera."""
    if camera == STEADY:
        return table
    takes = Through(table.photographer, CAMERAS[camera]())
    return replace(table, photographer=cast(Photographer, takes))
