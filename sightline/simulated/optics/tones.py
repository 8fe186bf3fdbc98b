"""Between sRGB bytes and linear light (1 is white); colours are blue, green, red."""

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.simulated.optics.rays import Floats

STEPS = 8191
_linear = np.linspace(0.0, 1.0, STEPS + 1)
_shown = np.where(_linear <= 0.0031308, 12.92 * _linear, 1.055 * _linear ** (1 / 2.4) - 0.055)
_BYTES = np.round(255 * _shown).astype(np.uint8)
_code = np.arange(256) / 255
_LIGHT = np.where(_code <= 0.04045, _code / 12.92, ((_code + 0.055) / 1.055) ** 2.4)
_LIGHT = _LIGHT.astype(np.float32).reshape(1, -1)


def from_rgb(rgb: tuple[int, int, int]) -> Floats:
    """(3,) linear blue, green, red of an sRGB colour."""
    shown = np.array(rgb[::-1], dtype=np.float64) / 255
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    return linear.astype(np.float32)


def to_bytes(light: Floats) -> NDArray[np.uint8]:
    """What a camera with the sRGB curve records of linear light; beyond white it clips."""
    steps = np.clip(light, 0.0, 1.0)
    steps *= np.float32(STEPS)
    steps += np.float32(0.5)
    return np.take(_BYTES, steps.astype(np.uint16))


def to_light(shown: NDArray[np.uint8]) -> Floats:
    """The inverse of `to_bytes`, to within its rounding."""
    return np.asarray(cv2.LUT(shown, _LIGHT), dtype=np.float32).reshape(shown.shape)
