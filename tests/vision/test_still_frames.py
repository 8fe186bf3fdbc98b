"""When a stream has kept still long enough to be looked at."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Frame
from vision.still_frames import Beginning, gray_of


def picture(level: int) -> NDArray[np.uint8]:
    return np.full((48, 64, 3), level, dtype=np.uint8)


def begins_after(levels: list[int], *, fps: float, from_ms: float) -> tuple[int, int]:
    """At which frame there are enough to begin, and how many of them are one picture."""
    beginning = Beginning()
    for number, level in enumerate(levels, start=1):
        image = picture(level)
        frame = Frame(number=number, at_ms=from_ms + 1000 * (number - 1) / fps, image=image)
        if beginning.keep(gray_of(image), frame):
            return number, len(beginning.last())
    return 0, 0


@pytest.mark.parametrize("from_ms", [0.0, 40.0, 3_600_000.0], ids=["0 s", "40 ms", "an hour"])
@pytest.mark.parametrize(
    ("fps", "begins"), [(25.0, 3), (30.0, 3), (60.0, 4), (120.0, 7), (240.0, 13)]
)
def test_a_still_picture_is_taken_after_50_ms_and_three_frames_whatever_the_clock_says(
    fps: float, begins: int, from_ms: float
) -> None:
    assert begins_after([90] * 40, fps=fps, from_ms=from_ms) == (begins, min(begins, 8))


def test_what_moved_at_first_counts_no_more_once_the_picture_keeps_still() -> None:
    assert begins_after([90, 140, *[90] * 9], fps=100.0, from_ms=0.0) == (8, 6)


def test_what_moves_all_the_time_is_waited_for_no_longer_than_100_ms() -> None:
    assert begins_after([90, 140] * 20, fps=60.0, from_ms=7.0) == (7, 1)
