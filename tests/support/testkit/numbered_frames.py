"""Frames that show their own number, so that a test can tell which one it was given."""

import numpy as np

from vision.frame import Frame

EVERY_MS = 1000 / 30
_BITS = 16


def numbered(number: int, shape: tuple[int, int] = (96, 128)) -> Frame:
    """A frame that shows its own number in 16 black and white blocks."""
    image = np.full((*shape, 3), 128, np.uint8)
    for bit in range(_BITS):
        y, x = divmod(bit, 8)
        image[8 + 40 * y : 40 + 40 * y, 16 * x : 16 * x + 14] = 255 if number >> bit & 1 else 0
    return Frame(image=image, at_ms=number * EVERY_MS, number=number)


def read_number(picture: np.ndarray) -> int:
    """The number that such a frame shows, however it was coded meanwhile."""
    return sum(
        int(picture[12 + 40 * y : 36 + 40 * y, 16 * x + 3 : 16 * x + 11].mean() > 128) << bit
        for bit in range(_BITS)
        for y, x in (divmod(bit, 8),)
    )
