"""The board that pieces run over: how what lay beneath them, or beneath a hand, is learned."""

import cv2
import numpy as np
from testkit.simulated_table import gray, known, lying, tables
from testkit.tracked_table import LAID, tracking

from sightline.simulated.scene import Limb
from vision.tracking.body import Bared
from vision.tracking.tracker import Tracker

# In a dark glove: a bare one looks in part as the board does.
HAND = Limb(reach_mm=(230.0, 120.0), elbow_mm=(330.0, 900.0), tone=(0.12, 0.08, 0.06))


def test_what_a_hand_hides_at_the_start_is_taken_for_board_until_it_is_seen() -> None:
    bare, covered = gray(LAID), gray(LAID, HAND)
    differs = (cv2.absdiff(covered, bare) > 25).astype(np.uint8)
    hidden = cv2.dilate(differs, np.ones((13, 13), np.uint8)) > 0
    tracker = tracking(covered, hidden)
    ground = tracker.ground
    assert cv2.absdiff(ground.backdrop, bare)[hidden].mean() < 6
    assert cv2.absdiff(covered, bare)[hidden].mean() > 20
    assert (ground.unseen[hidden] == 255).all()
    assert tracker.was_hidden(*HAND.reach_mm)
    assert not tracker.was_hidden(-220.0, 240.0)
    tracker.reveal(bare)
    assert (ground.backdrop[hidden] == bare[hidden]).all()
    assert not ground.unseen[hidden].any()


def test_the_picture_stands_still_until_something_in_it_moves() -> None:
    moved = (LAID[0], LAID[1], lying("blue-1", "blue", -214, 240))
    tracker = tracking(gray(LAID))
    for k in range(4):
        tracker.step(gray(LAID), 40.0 * k, k)
    assert tracker.still_since_ms == 0.0
    tracker.step(gray(moved), 160.0, 4)
    assert tracker.still_since_ms == 160.0


def test_how_sharp_the_camera_is_stays_known_until_another_start() -> None:
    tracker = tracking(gray(LAID))
    found = tracker.ground.blur_px
    assert found is not None
    tracker.ground.blur_px = 1.3
    tracker.begin(gray(LAID), known(LAID))
    assert tracker.ground.blur_px == 1.3
    tracker.begin(gray(LAID), known(LAID), noise=1.6)
    assert tracker.ground.blur_px == found


def test_a_piece_that_went_unseen_is_missed_once_as_soon_as_no_hand_is_there() -> None:
    left, (bare, covered) = LAID[:2], (gray(LAID), gray(LAID[:2], HAND))
    tracker = tracking(bare)
    shown = [bare] * 2 + [covered] * 10 + [gray(left)] * 15
    missed = []
    for k, picture in enumerate(shown):
        tracker.step(picture, 40.0 * k, k)
        missed += [k] if tracker.vanished else []
    assert len(missed) == 1
    assert 12 <= missed[0] <= 18  # a fifth of a second after the hand


def test_a_cue_that_follows_through_where_the_piece_lay_is_not_taken_for_the_board() -> None:
    gone_on = (lying("cue-puck", "natural", 120, 60), *LAID[1:])
    bare = gray(gone_on)
    tracker = tracking(gray(LAID))
    ground, body = tracker.ground, tracker.bodies[0]
    ground.erase(body, tracker.bodies)
    body.awake = body.moved = True
    body.x_mm, body.y_mm = 120.0, 60.0
    body.under.append(Bared(body.home))
    view = ground.box_of(*body.home, body.known, -8.0)
    followed = bare.copy()
    followed[view][:, 6:10] = 40
    for _ in range(5):
        ground.mend(followed, tracker.bodies, tracker.hands)
    assert cv2.absdiff(ground.backdrop[view], bare[view]).max() < 25
    ground.mend(bare, tracker.bodies, tracker.hands)
    assert (ground.backdrop[view] == bare[view]).all()


def test_a_piece_by_the_border_that_only_a_cue_hides_is_not_missed() -> None:
    table = tables()[1]
    laid = (LAID[0], lying("red-1", "red", 20, 494))
    tracker = Tracker(table.camera, table.board, gray(()))
    tracker.begin(gray(laid), known(laid), noise=1.6)
    spot = tracker.ground.plane(12.0).spot(20.0, 494.0)
    tip, butt = (round(spot.u), round(spot.v)), (round(spot.u) - 3, round(spot.v) - 60)
    covered, left = cv2.line(gray(laid), tip, butt, 225, 9), gray(laid[:1])
    shown = [gray(laid)] * 2 + [covered] * 10 + [left] * 15
    missed = []
    for k, picture in enumerate(shown):
        tracker.step(picture, 40.0 * k, k)
        missed += [k] if tracker.vanished else []
    assert len(missed) == 1
    assert missed[0] >= 12


def test_where_nothing_but_noise_shows_no_piece_needs_to_be_looked_for() -> None:
    tracker = tracking(gray(LAID))
    ground, piece = tracker.ground, tracker.bodies[1].known
    noise = np.random.default_rng(0).normal(0, ground.noise, ground.backdrop.shape)
    empty = np.clip(ground.backdrop + noise, 0, 255).astype(np.uint8)
    place = (100.0, -300.0)
    assert ground.looks_bare(empty, place, piece)
    there = gray((*LAID, lying("red-9", "red", *place)))
    assert not ground.looks_bare(there, place, piece)
    beside = (place[0] + 1.2 * piece.radius_mm, place[1])
    assert not ground.looks_bare(there, beside, piece), "its rim shows"


def test_what_lies_near_a_hand_that_was_there_at_the_start_is_known_until_the_next_start() -> None:
    hidden = np.zeros(gray(LAID).shape, dtype=np.bool_)
    hidden[100:120, 100:120] = True
    ground = tracking(gray(LAID), hidden).ground
    row = (slice(110, 111), slice(120, 140))
    assert ground.near_hidden(row, 5.0)[0].tolist() == [True] * 4 + [False] * 16
    ground.lay(gray(LAID), known(LAID))
    assert not ground.near_hidden(row, 5.0).any()
