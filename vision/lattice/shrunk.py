"""The part of a picture that shows the table, at half, a quarter and a sixteenth of its size: made
once, used by all that look at it.

Each is the mean of two by two pixels of the one before, which costs next to nothing.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.crossings import edge_of
from vision.frame import Picture

Ints = NDArray[np.intp]

FOUR_TIMES, SIXTEEN_TIMES = 4, 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The `rows` and `columns` of a picture that show the table and the floor beside it; they begin
    and end at multiples of sixteen pixels."""

    rows: slice
    columns: slice

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


def part_of(table: Table) -> Part:
    """The part of `table`'s pictures that shows it; ValueError where none of it is there."""
    edge = edge_of(table)
    points = np.concatenate([ring.reshape(-1, 2) for ring in (edge.border, edge.beside)])
    most = np.array([table.camera.lens.width, table.camera.lens.height]) // SIXTEEN_TIMES
    low = np.floor(points.min(axis=0) / SIXTEEN_TIMES).astype(int) - 1
    high = np.ceil(points.max(axis=0) / SIXTEEN_TIMES).astype(int) + 1
    (u0, v0), (u1, v1) = (np.clip(at, 0, most) * SIXTEEN_TIMES for at in (low, high))
    if u0 >= u1 or v0 >= v1:
        raise ValueError("expected the table in the picture, but none of it is there")
    return Part(rows=slice(int(v0), int(v1)), columns=slice(int(u0), int(u1)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shrunk:
    """A part of a picture: `half`, `quarter`, `sixteenth` (h // 2^n, w // 2^n, 3), BGR."""

    half: Picture
    quarter: Picture
    sixteenth: Picture


def shrunk(picture: Picture, part: Part) -> Shrunk:
    """A part of a picture (H, W, 3), BGR, made smaller."""
    half = halved(picture[part.rows, part.columns])
    quarter = halved(half)
    return Shrunk(half=half, quarter=quarter, sixteenth=halved(halved(quarter)))


def halved(picture: Picture) -> Picture:
    """A picture (H, W, ...) of half the size, rounded down."""
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * height, : 2 * width]
    return np.asarray(
        cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
