"""How noisy a camera is, told by two pictures of one still scene."""

import numpy as np
import pytest

from vision.tracking.backdrop import noise_of

ROWS = np.arange(240.0)[:, None]


def scene(seed: int, noise: float, light: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(seed)
    bright = np.linspace(80, 170, 320)[None] * light
    return np.clip(bright + random.normal(0, noise, (240, 320)) + 0.5, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("noise", [1.2, 2.5, 5.0])
@pytest.mark.parametrize(
    "light",
    [np.ones_like(ROWS), np.full_like(ROWS, 0.93), 1 + 0.05 * np.sin(1 + ROWS / 18)],
    ids=["steady", "less of it", "in bands"],
)
def test_noise_is_told_whatever_the_light_has_done_in_between(
    noise: float, light: np.ndarray
) -> None:
    first, second = scene(1, noise, np.ones_like(ROWS)), scene(2, noise, light)
    assert noise_of(first, second) == pytest.approx(noise, rel=0.15)
