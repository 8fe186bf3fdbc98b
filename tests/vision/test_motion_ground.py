"""The board that pieces run over: how what lay beneath them, or beneath a hand, is learned."""

import cv2
import numpy as np
from numpy.typing import NDArray
from testkit.simulated_table import gray, known, lying, tables

from sightline.simulated.scene import Limb
from vision.motion.tracker import Tracker

LAID = (
    lying("cue-puck", "natural", 0, -150),
    lying("red-1", "red", 62, -150),
    lying("blue-1", "blue", -220, 240),
)
HAND = Limb(reach_mm=(230.0, 120.0), elbow_mm=(330.0, 900.0))


def tracking(picture: NDArray[np.uint8], hidden: NDArray[np.bool_] | None = None) -> Tracker:
    table = tables()[1]
    empty = np.asarray(table.empty.mean(axis=2), dtype=np.uint8)
    tracker = Tracker(table.camera, table.board, empty)
    tracker.begin(picture, known(LAID), noise=1.6, hidden=hidden)
    return tracker


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
