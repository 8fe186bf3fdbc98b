"""A picture at half, a quarter and a sixteenth of its size: made once, used by all that look at it.

Each is the mean of two by two pixels of the one before, which costs next to nothing.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Picture

FOUR_TIMES, SIXTEEN_TIMES = 4, 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shrunk:
    """`half`, `quarter`, `sixteenth`: (H // 2^n, W // 2^n, 3), BGR."""

    half: Picture
    quarter: Picture
    sixteenth: Picture


def shrunk(picture: Picture) -> Shrunk:
    """A picture (H, W, 3), BGR, made smaller."""
    half = halved(picture)
    quarter = halved(half)
    return Shrunk(half=half, quarter=quarter, sixteenth=halved(halved(quarter)))


def halved(picture: Picture) -> Picture:
    """A picture (H, W, ...) of half the size, rounded down."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * height, : 2 * width]
    return np.asarray(
        cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
