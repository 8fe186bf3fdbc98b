"""What a camera makes of light: blur, noise, sRGB codes, sharpening, JPEG; and clouds of noise."""

import random
from pathlib import Path

import cv2
import numpy as np

_LEVEL = 0.42
"""Light, of all that a code can hold, of which the middle of the picture is exposed to be."""


class Sensor:
    """A camera's own blur, in pixels before it sharpens, and how it sharpens and is exposed."""

    def __init__(self, dice: random.Random, noise: np.random.Generator) -> None:
        self._dice, self._noise = dice, noise
        self._sharpening = dice.uniform(0.2, 0.8)
        self._blur_px = dice.uniform(0.42, 0.58)

    def take(self, linear: np.ndarray, path: Path, noise: float | None) -> None:
        """Store `linear` (h, w, 3) light as a photograph of it; `noise` in codes."""
        linear = cv2.GaussianBlur(linear, (0, 0), self._blur_px)
        middle = np.quantile(linear[150:-150, 500:-500].max(axis=2), 0.6)
        exposure = self._dice.uniform(-0.3, 0.3)
        code = 255 * coded(linear / middle * _LEVEL * 2**exposure)
        code += self._grain(code, noise or self._dice.uniform(1, 3))
        code += self._sharpening * (code - cv2.GaussianBlur(code, (0, 0), 1.0))
        picture = np.clip(code + 0.5, 0, 255).astype(np.uint8)
        quality = self._dice.choice([86, 88, 90, 92])
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])

    def _grain(self, code: np.ndarray, most: float) -> np.ndarray:
        """Noise as after a sensor's colours are put together: alike in pixels side by side."""
        grain = self._noise.normal(0, 1, code.shape)
        together = 3**0.5 * grain.mean(axis=2, keepdims=True)
        grain = cv2.GaussianBlur(0.8 * together + 0.6 * grain, (0, 0), 0.55)
        return most * grain / grain.std() * np.sqrt(0.3 + 0.7 * np.clip(code, 0, 255) / 160)


def coded(light: np.ndarray) -> np.ndarray:
    """sRGB codes, 0 to 1, of light from 0 to 1."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def clouds(
    noise: np.random.Generator, side: int, waves: tuple[float, float], octaves: int
) -> np.ndarray:
    """(side, side) about a half, seldom beyond 0.3 and 0.7; `waves` along x and y."""
    total = np.zeros((side, side), np.float32)
    for n in range(octaves):
        wide, high = (min(max(int(w * 2**n), 1) + 3, side) for w in waves)
        coarse = noise.normal(0, 0.14 * 0.6**n, (high, wide)).astype(np.float32)
        total += cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    return total + np.float32(0.5)
