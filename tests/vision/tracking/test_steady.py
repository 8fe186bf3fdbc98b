"""Frames in the light and from the place of a still picture."""

import cv2
import numpy as np
import pytest

from vision.tracking.steady import Gray, Steady

SIDE = 480
ROWS, COLUMNS = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)


@pytest.fixture(scope="module")
def still() -> Gray:
    """A board with lines and dots, softened as a lens softens them."""
    board = np.full((SIDE, SIDE), 150, dtype=np.uint8)
    cv2.rectangle(board, (40, 40), (440, 440), 60, 4)
    cv2.circle(board, (240, 240), 90, 90, 3)
    for k in range(8):
        cv2.circle(board, (80 + 45 * k, 100 + 37 * (k * 3 % 8)), 14, 40 + 20 * k, -1)
    return np.asarray(cv2.GaussianBlur(board, (0, 0), 1.0), dtype=np.uint8)


def with_arm(picture: Gray) -> Gray:
    reached = picture.copy()
    reached[300:, 200:330] = 95
    return reached


def off(one: Gray, other: Gray, *, arm: bool = False) -> float:
    """Codes between two pictures, at the 99th percentile of what no arm hides."""
    gap = np.abs(one.astype(float) - other.astype(float))[6:-6, 6:-6]
    if arm:
        gap = np.delete(gap, slice(185, 345), axis=1)
    return float(np.percentile(gap, 99))


def steady(still: Gray) -> Steady:
    made = Steady()
    made.begin(still)
    return made


def shifted(picture: Gray, dx: float, dy: float) -> Gray:
    way = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
    moved = cv2.warpAffine(
        picture, way, (SIDE, SIDE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, dtype=np.uint8)


@pytest.mark.parametrize(
    "light",
    [
        np.full_like(COLUMNS, 0.95),
        1 + 0.1 * COLUMNS / SIDE,
        1 - 0.3 / (1 + np.exp(6 - 10 * COLUMNS / SIDE)),
    ],
    ids=["a lamp that flickers", "one that was lit aside", "the edge of a cloud's shade"],
)
@pytest.mark.parametrize("arm", [False, True], ids=["nobody there", "an arm over it"])
def test_light_that_changes_over_all_of_the_picture_is_taken_off(
    still: Gray, light: np.ndarray, arm: bool
) -> None:
    lit = np.asarray(np.clip(still * light, 0, 255), dtype=np.uint8)
    seen = with_arm(lit) if arm else lit
    assert off(steady(still)(seen), still, arm=arm) < 0.25 * off(seen, still, arm=arm)


@pytest.mark.parametrize("arm", [False, True], ids=["nobody there", "an arm over it"])
def test_bands_of_a_lamp_that_flickers_while_rows_are_read_are_taken_off(
    still: Gray, arm: bool
) -> None:
    lit = np.rint(still * (1 + 0.04 * np.sin(1 + 10 * ROWS / SIDE))).astype(np.uint8)
    seen = with_arm(lit) if arm else lit
    assert off(steady(still)(seen), still, arm=arm) < 0.25 * off(seen, still, arm=arm)


@pytest.mark.parametrize("by_px", [(0.3, 0.0), (-0.2, 0.25), (0.9, -0.7)])
def test_a_picture_that_a_swinging_mount_has_shifted_is_shifted_back(
    still: Gray, by_px: tuple[float, float]
) -> None:
    seen = shifted(still, *by_px)
    assert off(steady(still)(seen), still) < 0.3 * off(seen, still)


def test_what_moves_over_the_board_is_no_change_of_light_or_place(still: Gray) -> None:
    seen = with_arm(still)
    assert steady(still)(seen) is seen


def test_the_same_picture_in_colour_is_made_like_the_still_one_as_well(still: Gray) -> None:
    light = 1 + 0.04 * np.sin(1 + 10 * ROWS / SIDE)
    lit = np.asarray(np.clip(still * light, 0, 255), dtype=np.uint8)
    seen = shifted(lit, 0.4, -0.3)
    made = steady(still)
    gray, colours = made(seen), made.likewise(cv2.merge([seen] * 3))
    for channel in cv2.split(colours):
        assert (channel == gray).all()


def test_only_its_part_of_a_picture_is_made_like_the_still_one(still: Gray) -> None:
    made = Steady((slice(0, SIDE), slice(48, SIDE)))
    made.begin(still)
    seen = np.asarray(0.9 * still, dtype=np.uint8)
    done = made(seen)
    assert (done[:, :48] == seen[:, :48]).all()
    assert off(done[:, 48:], still[:, 48:]) < 0.25 * off(seen[:, 48:], still[:, 48:])
