"""A pale piece that a knock turns sharply, on drawn frames."""

from math import cos, dist, radians, sin

import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.simulated_table import gray, known, lying, tables

from vision.tracking.body import Body, Sample
from vision.tracking.differences import is_pale
from vision.tracking.foresight import Runner
from vision.tracking.measuring import measure
from vision.tracking.seeking import ahead, sent_off
from vision.tracking.shutter import Shutter
from vision.tracking.tracker import Tracker

FRAME_S, STEP_MM, RUN = 1 / 60, 24.0, 6
HOME = (-220.0, 0.0)
KEPT = 0.8  # of its speed, at the knock


def faded(at: tuple[float, float], share: float) -> NDArray[np.uint8]:
    """A piece at a place that differs from the board by that share of what it would."""
    bare = gray([]).astype(np.float32)
    drawn = gray([lying("cue-puck", "natural", *at)]).astype(np.float32)
    return np.asarray(np.clip(np.rint(bare + share * (drawn - bare)), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize(
    ("share", "turn_deg"), [(0.13, 105.0), (0.13, 120.0), (0.14, 120.0), (0.14, 135.0)]
)
def test_a_pale_piece_is_found_beside_its_way_though_the_board_along_it_looks_a_little_like_it(
    share: float, turn_deg: float
) -> None:
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, gray([]))
    piece = known([lying("cue-puck", "natural", *HOME)])
    tracker.begin(faded(HOME, share), piece, noise=1.6)
    body = tracker.bodies[0]
    for k in range(1, RUN + 1):
        place = (HOME[0], HOME[1] + STEP_MM * k)
        body.samples.append(Sample(1000 * FRAME_S * k, k, *place, 0.1, 0.9))
    body.x_mm, body.y_mm = body.last
    body.vy_mm_s = body.speed = body.pace = STEP_MM / FRAME_S
    body.moved = body.awake = True
    body.runs = RUN
    tracker.ground.erase(body, tracker.bodies)
    far, turn = KEPT * STEP_MM, radians(turn_deg)
    there = (body.x_mm + far * sin(turn), body.y_mm + far * cos(turn))
    tracker.exposure_s = 0.004
    now = tracker.instant(faded(there, share), 1000 * FRAME_S * (RUN + 1), RUN + 1)
    measure(now, Shutter(), time_shutter=False)
    assert dist(body.last, there) < 0.5 * body.known.radius_mm


def lain(share: float) -> tuple[Tracker, Body]:
    """A faded piece that has left its home, and the tracker that knows the ground without it."""
    table = tables()[1]
    tracker = Tracker(table.camera, table.board, gray([]))
    tracker.begin(faded(HOME, share), known([lying("cue-puck", "natural", *HOME)]), noise=1.6)
    tracker.ground.erase(tracker.bodies[0], tracker.bodies)
    tracker.exposure_s = 0.0001
    return tracker, tracker.bodies[0]


@pytest.mark.parametrize("times", [0.8, 1.3, 1.9, 2.3, 2.7])
def test_a_pale_piece_is_found_though_it_was_sent_faster_than_what_hit_it_seemed_to_run(
    times: float,
) -> None:
    tracker, body = lain(0.13)
    there = (HOME[0] + 0.6 * times * STEP_MM, HOME[1] + 0.8 * times * STEP_MM)
    pace = STEP_MM / FRAME_S
    foreseen = Runner(*HOME, 0.6 * pace, 0.8 * pace, body.known.radius_mm, body.mass)
    found = ahead(tracker.instant(faded(there, 0.13), 0.0, 1), body, foreseen, ())
    assert dist((found[0].x_mm, found[0].y_mm), there) < 0.5 * body.known.radius_mm


@pytest.mark.parametrize("turn_deg", [-70.0, -25.0, 10.0, 55.0])
@pytest.mark.parametrize("away_mm", [20.0, 41.0, 63.0])
def test_a_pale_piece_is_found_wherever_what_came_close_may_have_sent_it(
    away_mm: float, turn_deg: float
) -> None:
    tracker, body = lain(0.2)
    body.push = 70.0 / FRAME_S / 1.7
    there = (
        HOME[0] + away_mm * sin(radians(turn_deg)),
        HOME[1] + away_mm * cos(radians(turn_deg)),
    )
    assert is_pale(body)
    now = tracker.instant(faded(there, 0.2), 0.0, 1)
    found = sent_off(now, body, (HOME[0], HOME[1] - 60.0), ())
    assert dist((found[0].x_mm, found[0].y_mm), there) < 0.5 * body.known.radius_mm
