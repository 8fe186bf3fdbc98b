"""Pieces at rest are looked for only once something may have moved them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.simulated_table import film, known, lying, scene
from testkit.tracked_table import LAID, tracking

from benchmarks.cameras import coded
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Limb
from vision.tracking.tracker import Tracker, still_picture

Gray = NDArray[np.uint8]
CROWD = (
    *LAID,
    *(lying(f"red-{k}", "red", 30.0 * k - 200, 50.0 + 5 * k) for k in range(2, 8)),
    *(lying(f"blue-{k}", "blue", 25.0 * k - 200, 100.0) for k in range(2, 8)),
)
_LOW_QUALITY = 60


def sent(pieces: tuple[Lying, ...], *limbs: Limb, frames: int = 1) -> list[Gray]:
    """Pictures of pieces at rest, as a camera sends them that codes each one coarsely."""
    pictures = film(lambda _: scene(pieces, *limbs), fps=30, lasts_s=frames / 30)
    return [
        np.asarray(cv2.cvtColor(coded(one.image, _LOW_QUALITY), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        for one in pictures
    ]


@pytest.fixture
def tracker() -> Tracker:
    """It begins with the mean of five such pictures."""
    mean, noise = still_picture(sent(CROWD, frames=8)[3:])
    tracker = tracking(mean)
    tracker.begin(mean, known(CROWD), noise=noise)
    return tracker


def test_rims_that_flicker_with_the_coding_wake_no_piece(tracker: Tracker) -> None:
    looks = [tracker.step(p, 33.0 * k, k) for k, p in enumerate(sent(CROWD, frames=60))]
    assert max(look.awake for look in looks) == 0


@pytest.mark.parametrize("shift_mm", [1.0, 2.0, 5.0])
def test_a_piece_that_shifts_by_a_little_wakes_at_once(tracker: Tracker, shift_mm: float) -> None:
    shifted = *CROWD[:-1], replace(CROWD[-1], y_mm=CROWD[-1].y_mm + shift_mm)
    for k, picture in enumerate(sent(CROWD, frames=3)):
        assert tracker.step(picture, 33.0 * k, k).awake == 0
    tracker.step(sent(shifted)[0], 99.0, 3)
    assert tracker.touched(CROWD[-1].name)
    assert not tracker.touched(CROWD[0].name)


def test_a_piece_by_a_hand_is_watched_however_little_it_changes(tracker: Tracker) -> None:
    at = CROWD[2]
    hand = Limb(reach_mm=(at.x_mm - 22.0, at.y_mm), elbow_mm=(at.x_mm - 400.0, at.y_mm))
    for k, picture in enumerate(sent(CROWD, hand, frames=12)):
        tracker.step(picture, 33.0 * k, k)
    assert tracker.touched(at.name)
