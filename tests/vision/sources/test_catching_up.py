"""A reader that is late is spared frames beyond 60 a second, and no others."""

from itertools import pairwise

import pytest

from vision.sources.catching_up import CatchingUp


def read(fps: float, *, behind_ms: float, frames: int = 60) -> list[int]:
    """Which frames of a camera a reader gets who is so late all the time."""
    times_ms = [number * 1000 / fps for number in range(frames + 1)]
    reader = CatchingUp()
    return [
        number
        for number, (at_ms, next_ms) in enumerate(pairwise(times_ms))
        if reader.takes(at_ms, next_ms=next_ms, newest_ms=at_ms + behind_ms)
    ]


@pytest.mark.parametrize(
    ("fps", "behind_ms", "every"),
    [
        (120, 50, 1),
        (120, 200, 2),
        (240, 200, 4),
        (100, 2000, 1),
        (90, 2000, 1),
        (60, 2000, 1),
        (25, 2000, 1),
    ],
    ids=[
        "hardly late",
        "late at 120",
        "late at 240",
        "half of 100 were too few",
        "half of 90 were too few",
        "late at 60",
        "late at 25",
    ],
)
def test_only_who_is_late_is_spared_frames_and_sixty_a_second_are_always_left(
    fps: float, behind_ms: float, every: int
) -> None:
    assert read(fps, behind_ms=behind_ms) == list(range(0, 60, every))


def test_a_frame_that_nothing_follows_yet_is_read_however_late_the_reader_is() -> None:
    reader = CatchingUp()
    assert reader.takes(0.0, next_ms=None, newest_ms=5000.0)
    assert reader.takes(1.0, next_ms=None, newest_ms=5000.0)
