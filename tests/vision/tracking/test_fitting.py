"""A piece's place from one frame: fitted over the board, found again, timed by its blur."""

from dataclasses import replace
from math import hypot

import cv2
import numpy as np
import pytest
from testkit.simulated_table import gray, known, lying, tables

from vision.tracking.body import Sample
from vision.tracking.fitting import Fix, fit
from vision.tracking.pushing import push_on
from vision.tracking.returning import shows_at_home
from vision.tracking.seeking import search
from vision.tracking.shutter import Shutter
from vision.tracking.stamp import Stamp
from vision.tracking.tracker import Tracker

LAID = (
    lying("cue-puck", "natural", 60, -80),
    lying("red-1", "red", -250, 200),
    lying("red-2", "red", 250, 240),
    lying("blue-1", "blue", -180, -220),
    lying("blue-2", "blue", 320, -120),
    lying("queen", "white", -20, 120),
)


@pytest.fixture(scope="module")
def tracker() -> Tracker:
    table = tables()[1]
    empty = np.asarray(table.empty.mean(axis=2), dtype=np.uint8)
    found = Tracker(table.camera, table.board, empty)
    found.begin(gray(LAID), known(LAID), noise=1.6)
    return found


@pytest.mark.parametrize("who", [0, 1, 3, 5], ids=["cue-puck", "red", "blue", "queen"])
@pytest.mark.parametrize("place", [(-380.0, -330.0), (180.0, -350.0), (380.0, 360.0)])
def test_a_piece_is_fitted_far_from_where_its_looks_were_learned(
    tracker: Tracker, who: int, place: tuple[float, float]
) -> None:
    # its foot and shadow are seen elsewhere under its top than where it lay
    moved = [p if k != who else lying(p.name, p.spec.colour, *place) for k, p in enumerate(LAID)]
    body = tracker.bodies[who]
    guess = (place[0] + 2.0, place[1] - 1.5)
    found = fit(body.stamp, gray(moved), tracker.ground.clean, guess)
    assert hypot(found.x_mm - place[0], found.y_mm - place[1]) < 0.65  # 0.27 of a pixel
    assert found.share > 0.95


def test_a_hand_over_half_of_a_piece_does_not_draw_it_aside_where_it_is_known(
    tracker: Tracker,
) -> None:
    place = (180.0, -350.0)
    moved = [p if k != 1 else lying(p.name, p.spec.colour, *place) for k, p in enumerate(LAID)]
    body, picture = tracker.bodies[1], gray(moved)
    spot = body.stamp.plane.spot(*place)
    hand = np.zeros_like(picture)
    hand[int(spot.v) - 40 : int(spot.v) + 40, int(spot.u) + 1 : int(spot.u) + 40] = 255
    covered = np.where(hand > 0, 170, picture).astype(np.uint8)
    off_mm = []
    for hidden in (None, hand):
        found = fit(body.stamp, covered, tracker.ground.clean, place, hidden=hidden)
        off_mm.append(hypot(found.x_mm - place[0], found.y_mm - place[1]))
    assert off_mm[1] < 0.65
    assert off_mm[1] < off_mm[0]


@pytest.mark.parametrize(("lies", "stays"), [((-180.0, -220.0), True), ((40.0, -220.0), False)])
def test_a_piece_that_an_arm_was_taken_for_shows_where_it_lay(
    tracker: Tracker, lies: tuple[float, float], stays: bool
) -> None:
    body = tracker.bodies[3]
    body.samples[:] = [Sample(0.0, 0, -60.0, -90.0, 0.8, 0.6 * body.best)]  # a sleeve
    body.moved, body.pace, body.vx_mm_s = True, 1500.0, 1500.0
    tracker.ground.erase(body, tracker.bodies)
    now = gray([p if p.name != "blue-1" else lying("blue-1", "blue", *lies) for p in LAID])
    found = shows_at_home(tracker.ground, now, body, ())
    assert (found is not None, not body.moved) == (stays, stays)
    assert (body.samples == [], body.vx_mm_s == 0.0) == (stays, stays)


def test_a_dark_piece_on_a_light_board_is_explained_as_well_as_any(tracker: Tracker) -> None:
    plane = tracker.ground.plane(1.0, 15.0)
    spot = plane.spot(0.0, 0.0)
    board = np.full_like(tracker.ground.clean, 205)
    picture = board.copy()
    radius_px = 15.0 * abs(spot.ux * spot.vy - spot.uy * spot.vx) ** 0.5
    centre = round(16 * spot.u), round(16 * spot.v)
    cv2.circle(picture, centre, round(16 * radius_px), 36, -1, cv2.LINE_AA, 4)
    stamp = Stamp(
        plane,
        picture,
        board,
        (0.0, 0.0),
        radius_mm=15.0,
        hole_mm=0.0,
        noise=1.0,
        pitch_mm=tracker.ground.pitch,
    )
    assert fit(stamp, picture, board, (1.0, -1.0)).share > 0.8


@pytest.mark.parametrize(
    ("away_mm", "error_mm", "pushes"),
    [(1.5, 0.1, False), (3.0, 0.5, False), (3.0, 0.1, True), (20.0, 0.5, True)],
    ids=["flutters", "flutters under a cue", "sets off", "runs"],
)
def test_only_a_piece_that_has_left_its_place_pushes_its_neighbour(
    tracker: Tracker, away_mm: float, error_mm: float, pushes: bool
) -> None:
    other, body = replace(tracker.bodies[1]), replace(tracker.bodies[2])
    other.home, body.home = (0.0, 0.0), (30.0, 0.0)
    other.x_mm, other.y_mm = other.home
    other.samples, other.moved = [], False
    fix = Fix(x_mm=away_mm, y_mm=0.0, error_mm=error_mm, share=1.0, gain=1.0, misfit=1.0)
    assert (push_on(body, [(other, fix)], 1 / 60) > 0) == pushes


def test_where_no_piece_is_nothing_is_explained(tracker: Tracker) -> None:
    found = fit(tracker.bodies[0].stamp, gray(LAID[1:]), tracker.ground.clean, (300.0, 50.0))
    assert found.share < 0.2


def test_a_piece_that_was_hit_is_found_where_it_was_sent(tracker: Tracker) -> None:
    body = tracker.bodies[1]
    tracker.ground.erase(body, tracker.bodies)
    body.awake, body.push = True, 2500.0
    moved = [lying("red-1", "red", -200.0, 235.0) if p.name == "red-1" else p for p in LAID]
    places = search(tracker.instant(gray(moved), 0.0, 1), body, ())
    best = max(places, key=lambda place: place.share)
    assert hypot(best.x_mm + 200.0, best.y_mm - 235.0) < 0.5


def test_so_smeared_that_nothing_shows_explains_nothing(tracker: Tracker) -> None:
    body = tracker.bodies[1]
    found = fit(body.stamp, gray(LAID), tracker.ground.clean, (0.0, 0.0), blur_mm=(900.0, 400.0))
    assert found.share <= 0
    assert found.error_mm > 50
    assert found.misfit > 50


@pytest.mark.parametrize("true", [0.12, 0.3, 0.5])
def test_the_shutter_is_timed_by_what_explains_the_blur(true: float) -> None:
    shutter = Shutter()
    for _ in range(10):
        shutter.learn(lambda share: 4.0 + 60 * (share - true) ** 2)
    assert shutter.share == pytest.approx(true, abs=0.03)


def test_a_shutter_that_no_fast_piece_has_timed_is_taken_as_usual() -> None:
    shutter = Shutter()
    shutter.learn(lambda share: 4.0)
    assert shutter.share == pytest.approx(0.25, abs=0.02)
    assert not shutter.sure


def test_a_shutter_is_not_timed_by_smears_that_count_no_more() -> None:
    shutter, tried = Shutter(), list[float]()

    def misfit(share: float) -> float:
        tried.append(share)
        return 4.0 + 60 * (share - 0.3) ** 2

    shutter.learn(misfit)
    assert 3 <= len(tried) < len(Shutter.SHARES)
    assert shutter.SHARES[-1] not in tried
