"""What a frame makes of a piece that is followed: whether it is still in play."""

from math import dist

import cv2
import numpy as np
import pytest
from testkit.simulated_table import known, lying, tables
from testkit.tracks import played

from rules.geometry import Seat
from sightline.simulated.acts.cue import Haul
from sightline.simulated.shots import Film
from vision.frame import Picture
from vision.tracking.body import Body, Sample
from vision.tracking.fitting import Fix
from vision.tracking.following import follow, is_gone
from vision.tracking.foresight import Runner
from vision.tracking.seeking import reach_of
from vision.tracking.tracker import Tracker

FRAME_S, EXPOSURE_S = 1 / 30, 0.006
MOUTH, BEFORE_IT = (-441.0, 477.0), (-400.0, 420.0)


@pytest.mark.parametrize(
    ("seen", "lost", "gone"),
    [(MOUTH, 3, False), (MOUTH, 8, True), (BEFORE_IT, 8, False)],
    ids=["it may come back yet", "it has not come back", "it was not in the mouth"],
)
def test_what_was_last_seen_in_a_mouth_has_fallen_though_foreseen_to_turn_at_the_cushion(
    seen: tuple[float, float], lost: int, gone: bool
) -> None:
    piece = known([lying("cue-puck", "natural", 170.0, -423.0)])[0]
    body = Body(piece, None, (170.0, -423.0), -300.0, 200.0)  # type: ignore[arg-type]
    body.moved, body.lost = True, lost
    body.samples = [Sample(0.0, 0, *seen, 0.1, 0.9)]
    assert is_gone(body, tables()[1].board, FRAME_S) == gone


def gray(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@pytest.mark.parametrize(
    ("y_mm", "speed_mm_s", "start_s"),
    [(-465.4, 2200.0, 0.352), (-470.0, 1700.0, 0.356), (-460.0, 2200.0, 0.35)],
)
def test_a_stroke_into_a_near_cushion_is_followed_as_it_comes_back_under_the_cue(
    y_mm: float, speed_mm_s: float, start_s: float
) -> None:
    simulated, table = tables()
    laid = (lying("cue-puck", "natural", 269.3, y_mm),)
    run = played(table.board, laid, (-0.05 * speed_mm_s, -speed_mm_s), start_s=start_s)
    film = Film(
        table=simulated, lying=laid, run=run, struck="cue-puck", fps=60, count=34, exposure_s=0.004
    )
    tracker = Tracker(table.camera, table.board, gray(table.empty), table.empty)
    tracker.exposure_s = 0.004
    frames = list(film)
    tracker.begin(gray(frames[0].image), known(laid), noise=1.6, colours=frames[0].image)
    for frame in frames:
        picture = frame.image
        tracker.step(gray(picture), frame.at_ms, frame.number, in_colour=lambda p=picture: p)
    place = run.place("cue-puck", frames[-1].at_ms / 1000 + 0.002)
    assert dist(tracker.bodies[0].last, place) < 2.0


@pytest.mark.parametrize("begins_s", [0.1, 0.104, 0.108, 0.116, 0.124, 0.132])
def test_a_piece_that_the_cue_has_set_down_is_not_followed_on(begins_s: float) -> None:
    """Under the cue it went 16 mm within a few frames: it seems to run, and lies already."""
    simulated, table = tables()
    at, to = (200.5, -414.7), (193.6, -429.6)
    cue = lying("cue-puck", "natural", *at)
    haul = Haul(before=(cue,), piece="cue-puck", way=(at, to), by=Seat.S, come_s=0.25 + begins_s)
    tracker = Tracker(table.camera, table.board, gray(table.empty), table.empty)
    tracker.exposure_s = EXPOSURE_S
    seen = [
        simulated.photographer.frame(haul.scene, number * FRAME_S, EXPOSURE_S)
        for number in range(int((haul.led_s + 0.5) / FRAME_S))
    ]
    tracker.begin(gray(seen[0]), known((cue,)), noise=1.6, colours=seen[0])
    for number, picture in enumerate(seen):
        at_ms = 1000 * number * FRAME_S
        tracker.step(gray(picture), at_ms, number, in_colour=lambda p=picture: p)
        x, y = tracker.bodies[0].last
        assert y > to[1] - 3.0, f"{dist((x, y), to):.1f} mm past it, frame {number}"
    assert dist(tracker.bodies[0].last, to) < 0.5


@pytest.mark.parametrize(
    ("found_y", "speed_y"),
    [(-343.3, 270.0), (-343.3 - 8.0, -240.0)],
    ids=["as it was foreseen", "elsewhere"],
)
def test_a_runner_that_came_back_from_a_cushion_as_foreseen_is_as_fast_as_foreseen(
    found_y: float, speed_y: float
) -> None:
    piece = known([lying("cue-puck", "natural", 0.0, 0.0)])[0]
    body = Body(piece, None, (0.0, 0.0), 0.0, 0.0)  # type: ignore[arg-type]
    for k in range(5):
        follow(
            body, Fix(0.0, -13.0 * k - 291.3, 0.05, 0.95, 1.0, 1.0), 33.3 * k, k, frame_s=FRAME_S
        )
    back = Runner(0.0, -343.0, 0.0, 270.0, piece.radius_mm, 1.0)
    found = Fix(0.0, found_y, 0.05, 0.95, 1.0, 1.0)
    follow(body, found, 166.7, 5, frame_s=FRAME_S, foreseen=back)
    assert body.vy_mm_s == pytest.approx(speed_y, abs=2.0)
    assert body.turned == (speed_y > 0)


@pytest.mark.parametrize(
    ("hit", "turned"), [((12.0, 24.0), True), ((-31.0, -13.0), False)], ids=["hit", "running on"]
)
def test_a_runner_that_is_hit_may_come_farther_in_the_next_frame_than_it_did_in_this_one(
    hit: tuple[float, float], turned: bool
) -> None:
    piece = known([lying("cue-puck", "natural", 0.0, 0.0)])[0]
    body = Body(piece, None, (0.0, 0.0), 0.0, 0.0)  # type: ignore[arg-type]
    places = [(0.0, 0.0), (-31.0, -13.0), (-62.0, -26.0), (-93.0, -39.0)]
    for k, (x, y) in enumerate([*places, (-93.0 + hit[0], -39.0 + hit[1])]):
        follow(body, Fix(x, y, 0.05, 0.95, 1.0, 1.0), 33.3 * k, k, frame_s=FRAME_S)
    assert body.turned == turned
    body.lost = 1
    assert (reach_of(body, FRAME_S) > 190.0) == turned
    body.lost = 0
    follow(body, Fix(-20.0, 60.0, 0.05, 0.95, 1.0, 1.0), 166.7, 5, frame_s=FRAME_S)
    follow(body, Fix(45.0, 141.0, 0.05, 0.95, 1.0, 1.0), 200.0, 6, frame_s=FRAME_S)
    assert not body.turned
