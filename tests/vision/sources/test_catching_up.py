"""A reader that is late is spared frames beyond 60 a second, and no others."""

import pytest

from vision.sources.catching_up import may_be_left_out


def read(fps: float, *, behind_ms: float, frames: int = 60) -> list[int]:
    """Which frames of a camera a reader gets who is so late all the time."""
    step_ms = 1000 / fps
    read_ms, got = float("-inf"), []
    for number in range(frames):
        at_ms = number * step_ms
        newest_ms, next_ms = at_ms + behind_ms, at_ms + step_ms
        if not may_be_left_out(at_ms, read_ms=read_ms, next_ms=next_ms, newest_ms=newest_ms):
            read_ms = at_ms
            got.append(number)
    return got


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
