"""What is believed of a piece's last places when it is found no more."""

import pytest
from testkit.simulated_table import gray
from testkit.tracked_table import LAID, tracking

from vision.tracking.body import Body, Sample
from vision.tracking.following import lose
from vision.tracking.foresight import Runner
from vision.tracking.tracker import Tracker

FRAME_S, STEP_MM = 1 / 60, 24.0


def running(last: tuple[float, float], share: float) -> tuple[Tracker, Body]:
    """A piece seen running away from seat S, then off its way by `last`, `share` of its best."""
    tracker = tracking(gray(LAID))
    body = tracker.bodies[2]
    body.moved, body.best, body.runs, body.lost = True, 0.95, 5, 0
    x, y = body.home
    body.samples += [Sample(16.667 * k, k, x, y + STEP_MM * k, 0.1, 0.95) for k in range(1, 6)]
    off = Sample(16.667 * 6, 6, x + last[0], y + 6 * STEP_MM + last[1], 0.2, share * body.best)
    body.samples.append(off)
    body.x_mm, body.y_mm = off.x_mm, off.y_mm
    return tracker, body


@pytest.mark.parametrize(
    ("last", "share", "believed"),
    [
        ((15.0, -20.0), 0.4, False),
        ((15.0, -20.0), 0.95, True),
        ((1.0, -2.0), 0.4, True),
    ],
    ids=["hardly seen, off its way", "plainly seen, off its way", "hardly seen, on its way"],
)
def test_a_place_off_its_way_where_a_piece_was_hardly_seen_before_it_was_lost_was_none(
    last: tuple[float, float], share: float, believed: bool
) -> None:
    tracker, body = running(last, share)
    runner = Runner(body.x_mm, body.y_mm, 0.0, 0.0, body.known.radius_mm, body.mass)
    lose(body, runner, tracker.board, frame_s=FRAME_S)
    assert len(body.samples) == (6 if believed else 5)
    if not believed:
        assert body.lost == 2
        assert body.vy_mm_s == pytest.approx(STEP_MM / FRAME_S, rel=0.01)
        assert body.y_mm == pytest.approx(body.home[1] + 7 * STEP_MM, abs=0.5)
