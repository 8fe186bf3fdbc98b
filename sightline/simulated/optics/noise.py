"""A sensor's noise, cheap: one large field of it, from which each picture takes its own cut-out."""

import cv2
import numpy as np
from numpy.typing import NDArray

SPARE_PX = 96


class Grain:
    """Noise for pictures of (height, width, 3); `sigma` is one sd in 8-bit steps. Seeded."""

    def __init__(self, height: int, width: int, sigma: float, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._size = (height, width)
        shape = (height + SPARE_PX, width + SPARE_PX)
        self._brighter = np.zeros((*shape, 3), np.uint8)
        self._darker = self._brighter
        if sigma > 0:
            light = rng.standard_normal(shape, dtype=np.float32)[..., None]
            colour = rng.standard_normal((*shape, 3), dtype=np.float32)
            both = np.float32(sigma) * (np.float32(0.8) * light + np.float32(0.6) * colour)
            whole = np.round(both)
            self._brighter = np.clip(whole, 0, 255).astype(np.uint8)
            self._darker = np.clip(-whole, 0, 255).astype(np.uint8)
        self._sigma = sigma
        self._seed = seed
        self.begin_again()

    def begin_again(self, film: int = 1) -> None:
        """From here on the noise of that film, from its start; the first pictures are film 1."""
        self._rng = np.random.default_rng((self._seed, film))

    def pass_over(self) -> None:
        """Leaves out the noise of one picture, which nobody takes."""
        if self._sigma > 0:
            self._place()

    def on(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The picture with noise, a new array."""
        if self._sigma <= 0:
            return picture
        top, left = self._place()
        height, width = self._size
        cut = (slice(top, top + height), slice(left, left + width))
        noisy = cv2.subtract(cv2.add(picture, self._brighter[cut]), self._darker[cut])
        return np.asarray(noisy, dtype=np.uint8)

    def _place(self) -> tuple[int, int]:
        """Where the next picture's noise is cut out, as (top, left)."""
        top, left = (int(n) for n in self._rng.integers(0, SPARE_PX, 2))
        return top, left
