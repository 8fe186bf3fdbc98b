"""Cameras and lamps as clubs have them do to pictures what they are said to do."""

import numpy as np
import pytest

from benchmarks.cameras import CAMERAS, Auto, evening, in_turn, lit, mains

GRAY = np.full((120, 160, 3), 120, dtype=np.uint8)


def arm_over(picture: np.ndarray) -> np.ndarray:
    """A dark sleeve over a third of it."""
    covered = picture.copy()
    covered[:, :55] = 20
    return covered


def test_a_camera_that_makes_up_for_light_makes_the_rest_brighter_under_an_arm() -> None:
    camera = Auto()
    assert (camera(GRAY, 0.0) == GRAY).all()
    just, later = (camera(arm_over(GRAY), at_s)[0, -1, 0] for at_s in (0.03, 3.0))
    assert 120 < just < later
    assert later == pytest.approx(lit(GRAY, np.full(3, 1.5, dtype=np.float32))[0, 0, 0], abs=3)


def test_it_takes_off_a_part_of_what_colour_the_light_has_taken_on() -> None:
    camera = Auto()
    camera(GRAY, 0.0)
    warm = lit(GRAY, np.array([0.8, 1.0, 1.2], dtype=np.float32))
    blue, _, red = (int(code) for code in camera(warm, 5.0)[0, 0])
    assert 0 < red - blue < int(warm[0, 0, 2]) - int(warm[0, 0, 0])


def test_lamps_on_the_mains_light_rows_unequally_and_each_twice_a_period() -> None:
    rows = mains(GRAY, 0.0)[:, 0, 0].astype(float)
    assert np.ptp(rows) == pytest.approx(2 * 0.02 * 120, abs=1)
    assert (mains(GRAY, 0.01)[:, 0, 0] == rows).all()


def test_the_evening_grows_dark_and_warm_but_for_clouds() -> None:
    early, late = (evening(GRAY, at_s)[0, 0].astype(int) for at_s in (69.0, 1469.0))
    assert (late < early).all()
    assert late[2] - late[0] > early[2] - early[0]
    assert (evening(GRAY, 76.0)[0, 0] < early).all()


def test_changes_are_made_one_after_the_other() -> None:
    def lighter(picture: np.ndarray, at_s: float) -> np.ndarray:
        return np.asarray(picture + 1, dtype=np.uint8)

    def doubled(picture: np.ndarray, at_s: float) -> np.ndarray:
        return np.asarray(picture * 2, dtype=np.uint8)

    assert in_turn(lighter, doubled)(GRAY, 0.0)[0, 0, 0] == 242


@pytest.mark.parametrize("name", CAMERAS)
def test_every_camera_gives_pictures_of_the_same_size(name: str) -> None:
    changed = CAMERAS[name]()(GRAY, 0.1)
    assert changed.shape == GRAY.shape
    assert changed.dtype == np.uint8
