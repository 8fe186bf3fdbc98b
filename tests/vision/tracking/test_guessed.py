"""A pale piece over board that nobody has seen yet, as another lay there: on drawn pictures."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.simulated_table import gray, tables
from testkit.tracked_table import LAID, tracking

from vision.tracking.body import Bared
from vision.tracking.fitting import fit
from vision.tracking.ground import Ground
from vision.tracking.stamp import Stamp

Gray = NDArray[np.uint8]
RADIUS_MM, LEVEL = 15.0, 180
AMISS, BESIDE_MM = 8, 12.0
HOME, ANOTHER = (-150.0, -180.0), (-120.0, 60.0)


def drawn(ground: Ground, onto: Gray, at: tuple[float, float], radius_mm: float, by: int) -> Gray:
    """A picture with a disc that differs from it by so many codes."""
    spot = ground.plane(1.0).spot(*at)
    radius_px = radius_mm * abs(spot.ux * spot.vy - spot.uy * spot.vx) ** 0.5
    centre = round(16 * spot.u), round(16 * spot.v)
    onto = onto.copy()
    cv2.circle(onto, centre, round(16 * radius_px), LEVEL + by, -1, cv2.LINE_AA, 4)
    return onto


@pytest.mark.parametrize("pale", [8, 12, 20], ids="so many codes off the board: {}".format)
@pytest.mark.parametrize("there", [False, True], ids=["bare", "it is there"])
def test_where_the_board_was_guessed_amiss_a_pale_piece_is_seen_only_if_it_is_there(
    pale: int, there: bool
) -> None:
    ground = Ground(tables()[1].camera, gray([]))
    board = np.full_like(ground.empty, LEVEL)
    stamp = Stamp(
        ground.plane(1.0, RADIUS_MM),
        drawn(ground, board, HOME, RADIUS_MM, pale),
        board,
        HOME,
        radius_mm=RADIUS_MM,
        noise=1.2,
        pitch_mm=ground.pitch,
    )
    guess = drawn(ground, board, ANOTHER, RADIUS_MM + BESIDE_MM, -AMISS)
    doubtful = np.where(guess != LEVEL, 255, 0).astype(np.uint8)
    picture = drawn(ground, board, ANOTHER, RADIUS_MM, pale) if there else board

    def seen(told: NDArray[np.uint8] | None) -> float:
        steps = (-4.0, 0.0, 4.0)
        places = [(ANOTHER[0] + x, ANOTHER[1] + y) for x in steps for y in steps]
        return max(fit(stamp, picture, guess, at, doubtful=told).share for at in places)

    assert seen(doubtful) > 0.9 if there else seen(doubtful) < 0.2
    assert seen(None) > 0.5  # where nobody knows that it is a guess


def test_board_under_a_piece_is_a_guess_for_others_until_it_has_been_seen_bare() -> None:
    tracker = tracking(gray(LAID))
    ground, (runs, leaves) = tracker.ground, tracker.bodies[1:]
    home = leaves.home
    assert ground.doubtful_by(runs, home) is None
    leaves.awake = True
    ground.erase(leaves, tracker.bodies)
    leaves.moved = True
    assert ground.doubtful_by(leaves, home) is None  # it lay there itself
    assert ground.doubtful_by(runs, home) is None  # it lies still
    runs.moved = True
    doubtful = ground.doubtful_by(runs, home)
    assert doubtful is not None
    spot = ground.plane(0.0).spot(*home)
    assert doubtful[int(spot.v), int(spot.u)] == 255
    assert ground.doubtful_by(runs, (-home[0], -home[1])) is None
    leaves.x_mm += 150.0
    leaves.under.append(Bared(home))
    for _ in range(5):
        ground.mend(gray(LAID[:2]), tracker.bodies, tracker.hands)
    assert ground.doubtful_by(runs, home) is None
    assert not doubtful[int(spot.v), int(spot.u)]
