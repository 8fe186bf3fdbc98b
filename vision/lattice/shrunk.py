"""Parts of a picture at a quarter and a sixteenth of its size.

Each step is the mean of two by two pixels of the one before, which costs next to nothing.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Ints = NDArray[np.intp]

FOUR_TIMES, SIXTEEN_TIMES = 4, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some `rows` and `columns` of a picture; they begin and end at multiples of sixteen pixels."""

    rows: slice
    columns: slice

    @classmethod
    def about(
        cls, rows: tuple[int, int], columns: tuple[int, int], size: tuple[int, int]
    ) -> "Part":
        """The least that holds these, first and one after the last, in a picture of `size` (W, H),
        as far as that goes."""
        return cls(rows=_about(*rows, size[1]), columns=_about(*columns, size[0]))

    @property
    def origin(self) -> tuple[int, int]:
        """(u, v) of its first pixel."""
        return self.columns.start, self.rows.start

    def size(self, times: int) -> tuple[int, int]:
        """(w, h) of it made so many times smaller, by a power of two up to sixteen."""
        wide = self.columns.stop - self.columns.start
        high = self.rows.stop - self.rows.start
        return wide // times, high // times

    def quartered(self, pixels: Ints, width: int) -> Ints:
        """Indices (...) into its quarter, flattened, of `pixels` (...), indices into a flattened
        picture of that width; those beside it are taken for the nearest in it."""
        rows, columns = np.divmod(pixels, width)
        wide, high = self.size(FOUR_TIMES)
        u = np.clip((columns - self.columns.start) // FOUR_TIMES, 0, wide - 1)
        v = np.clip((rows - self.rows.start) // FOUR_TIMES, 0, high - 1)
        return np.asarray(v * wide + u, dtype=np.intp)


def _about(first: int, after: int, size: int) -> slice:
    start, stop = first // SIXTEEN_TIMES, -(-after // SIXTEEN_TIMES)
    return slice(max(start, 0) * SIXTEEN_TIMES, min(stop, size // SIXTEEN_TIMES) * SIXTEEN_TIMES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quarter:
    """A `part` of a picture at a quarter of its size: `codes` (h // 4, w // 4, 3), BGR."""

    part: Part
    codes: Picture

    def of(self, part: Part) -> Picture:
        """That of a smaller part."""
        u, v = ((a - b) // FOUR_TIMES for a, b in zip(part.origin, self.part.origin, strict=True))
        wide, high = part.size(FOUR_TIMES)
        return self.codes[v : v + high, u : u + wide]


def quarter_of(picture: Picture, part: Part) -> Quarter:
    """A part of a picture (H, W, 3), BGR, made smaller."""
    return Quarter(part=part, codes=halved(halved(picture[part.rows, part.columns])))


def halved(picture: Picture) -> Picture:
    """A picture (H, W, ...) of half the size, rounded down."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * height, : 2 * width]
    return np.asarray(
        cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
