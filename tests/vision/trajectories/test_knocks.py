"""What turned a piece: another that was seen no more since, as it fell."""

import numpy as np
import pytest

from sightline.simulated.boards import club_board
from vision.tracking.track import Track
from vision.trajectories.gone import Ending
from vision.trajectories.knocks import find_knocks
from vision.trajectories.paths import Stretch, fit, resting
from vision.trajectories.timeline import Timeline

FRAME_S = 1 / 60
REST = Ending("rest", 2.0, 0.01)
FELL = Ending("pocketed", 0.595, 0.004, "NE")


def path(since_s: float, many: int, at: tuple[float, float], speed: tuple[float, float]) -> Stretch:
    t = since_s + FRAME_S * np.arange(many)
    x, y = (at[k] + speed[k] * (t - since_s) for k in (0, 1))
    return fit(t, x, y, np.full(many, 0.2), slowing=0.0, slowing_error=1.0)


def piece(name: str, radius_mm: float, ending: Ending, *paths: Stretch) -> Timeline:
    t = np.array([0.5])
    home = paths[0].at(0.5)
    lay = resting(*home, 0.1, -1e9, 0.5)
    track = Track(
        name, name, radius_mm, radius_mm**2, home, 0.1, t, t * 0 + home[0], t * 0 + home[1], t * 0.4
    )
    return Timeline(track, (lay, *paths), ending)


@pytest.mark.parametrize(
    ("ending", "seen_since", "touched"),
    [(FELL, False, True), (REST, False, False), (FELL, True, False)],
    ids=[
        "it fell and was seen no more",
        "it lies on the surface",
        "it was seen to run straight on",
    ],
)
def test_what_fell_before_it_was_seen_again_may_have_turned_the_piece_that_it_touched(
    ending: Ending, seen_since: bool, touched: bool
) -> None:
    cue = piece(
        "cue-puck",
        23.5,
        REST,
        path(0.5185, 4, (301.2, 422.9), (1766.0, -378.0)),
        path(0.5851, 3, (417.6, 394.6), (1610.0, -697.0)),
    )
    falling = piece(
        "puck",
        12.5,
        ending,
        path(0.5351, 5 if seen_since else 3, (348.5, 491.8), (1466.0, -1323.0)),
    )
    knocks = find_knocks([cue, falling], club_board(), FRAME_S)
    touches = [k for k in knocks if k.kind == "contact"]
    assert [{k.a, k.b} for k in touches] == ([{0, 1}] if touched else [])
    assert all(0.5685 < k.t_s < 0.5851 for k in touches)
