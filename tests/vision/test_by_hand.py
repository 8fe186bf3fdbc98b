"""What gathers speed on its way was carried by a hand, unless it flew."""

import numpy as np
import pytest

from sightline.simulated.boards import club_board
from vision.motion.by_hand import by_hand
from vision.motion.timeline import timelines
from vision.motion.track import Track

BOARD = club_board("qsquare", (960, 720))
FRAME_S = 1 / 30
WAY_MM = (340.0, 340.0, 325.6, 249.7, 166.2, 76.9, -16.3, -110.5, -206.0, -303.0, -400.0, -452.0)
"""A puck that rises and comes down: its places as a camera above takes them, frame by frame."""


@pytest.mark.parametrize(("flew", "hand"), [(True, False), (False, True)])
def test_a_man_that_seems_to_gather_speed_and_is_seen_past_the_border_was_not_carried(
    flew: bool, hand: bool
) -> None:
    x = np.array(WAY_MM)
    t = np.arange(len(x)) * FRAME_S
    track = Track(
        "red-1",
        "puck",
        12.5,
        1.0,
        (WAY_MM[0], -205.0),
        0.1,
        t,
        x,
        -205.0 + 0.16 * (WAY_MM[0] - x),
        np.full(len(x), 0.15),
        lost=True,
        flew=(float(t[-1]) + FRAME_S, -518.0, -71.0) if flew else None,
    )
    lines = timelines([track], BOARD, FRAME_S, float(t[-1]) + 1.0)
    assert (0 in by_hand(lines, [])) is hand
