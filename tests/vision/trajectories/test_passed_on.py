"""A blow that goes through a man who stays where he lies."""

import numpy as np
import pytest

from sightline.simulated.boards import club_board
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.passed_on import passed_on
from vision.trajectories.timeline import Timeline
from vision.trajectories.timelines import timelines

BOARD = club_board("carrom", (960, 720))
FRAME_S = 1 / 30
HIT_S = 12 * FRAME_S
RADIUS_MM = 15.9
LIES = (0.0,) * 30
SETS_OFF = (*(0.0,) * 13, 1.5, 4.9, 7.7, 9.5, 10.2, *(10.3,) * 12)
LATER = (*(0.0,) * 20, 1.5, 4.9, 7.7, 9.5, *(10.3,) * 6)


def man(name: str, x_mm: float, went_mm: tuple[float, ...], kind: str = "carromman") -> Track:
    """One of a row that lies at `x_mm`, and how far it has gone to the right, frame by frame."""
    t = np.arange(len(went_mm)) * FRAME_S
    x, y = x_mm + np.array(went_mm), np.zeros(len(t))
    error = np.full(len(t), 0.2)
    return Track(name, kind, RADIUS_MM, 1.0, (x_mm, 0.0), 0.1, t, x, y, error)


def row(*men: tuple[float, tuple[float, ...]]) -> list[Timeline]:
    """What comes from the left and hits the first of the `men`, and how far apart they lie."""
    tracks, x_mm = [man("comes", -120.0, tuple(min(7.5 * k, 88.0) for k in range(30)))], 0.0
    for number, (gap_mm, went_mm) in enumerate(men):
        x_mm += gap_mm + (2 * RADIUS_MM if number else 0.0)
        tracks.append(man(f"man-{number}", x_mm, went_mm))
    return timelines(tracks, BOARD, FRAME_S, 30 * FRAME_S)


@pytest.mark.parametrize(
    ("men", "found"),
    [
        ([(0.0, LIES), (0.0, SETS_OFF)], {2}),
        ([(0.0, LIES), (0.2, LIES), (0.2, SETS_OFF)], {3}),
        ([(0.0, LIES), (6.0, SETS_OFF)], set()),
        ([(0.0, LIES), (0.0, LATER)], set()),
        ([(0.0, LIES), (0.0, LIES)], set()),
    ],
    ids=["touching", "through two", "apart", "long after", "nobody moves"],
)
def test_who_touches_one_that_is_hit_and_sets_off_then_was_sent_by_that(
    men: list[tuple[float, tuple[float, ...]]], found: set[int]
) -> None:
    hit = Knock("contact", HIT_S, 0.0015, 0, 1)
    assert passed_on(row(*men), [hit], {0, 1}, FRAME_S) == found


def test_nothing_goes_through_one_that_nothing_pushed_came_to() -> None:
    lines = row((0.0, LIES), (0.0, SETS_OFF))
    assert passed_on(lines, [Knock("contact", HIT_S, 0.0015, 0, 1)], {0}, FRAME_S) == set()
    assert passed_on(lines, [Knock("cushion", HIT_S, 0.0015, 1)], {0, 1}, FRAME_S) == set()
