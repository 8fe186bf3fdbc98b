import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.painted_board import Look, camera_over, photograph, small_lens, square_board

from calibration.bump import Reference, Shift, bump_reference, guesses_px
from calibration.camera import Camera

BOARD = square_board()


@pytest.fixture(scope="module")
def scene() -> tuple[NDArray[np.uint8], Camera, Reference]:
    rng = np.random.default_rng(41)
    camera = camera_over(small_lens(), rng)
    picture = photograph(BOARD, camera, rng)
    return picture, camera, bump_reference(picture, camera, BOARD)


def moved(picture: NDArray[np.uint8], dx: float, dy: float, turn_deg: float) -> NDArray[np.uint8]:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0)
    matrix[:, 2] += (dx, dy)
    shifted = cv2.warpAffine(
        picture, matrix, (width, height), flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(shifted, dtype=np.uint8)


def measured(reference: Reference, picture: NDArray[np.uint8]) -> Shift | None:
    """The first guess of how far the picture has moved."""
    return next(guesses_px(reference, picture), None)


def test_a_camera_that_stays_has_not_moved_in_another_light(
    scene: tuple[NDArray[np.uint8], Camera, Reference],
) -> None:
    _, camera, reference = scene
    rng = np.random.default_rng(42)
    for gain in (0.5, 1.4):
        shift = measured(reference, photograph(BOARD, camera, rng, Look(gain=gain, noise=3.0)))
        assert isinstance(shift, Shift)
        assert shift.worst_px < 0.1


@pytest.mark.parametrize(
    ("dx", "dy", "turn_deg"),
    [(0.3, 0.0, 0.0), (-0.7, 0.5, 0.0), (0.0, 0.0, 0.1), (12.0, 5.0, 0.0), (-18.0, 9.0, 0.5)],
)
def test_a_bump_is_measured(
    scene: tuple[NDArray[np.uint8], Camera, Reference], dx: float, dy: float, turn_deg: float
) -> None:
    picture, _, reference = scene
    shift = measured(reference, moved(picture, dx, dy, turn_deg))
    assert isinstance(shift, Shift)
    about = reference.middle_px - np.array([picture.shape[1] / 2, picture.shape[0] / 2])
    turn = np.radians(turn_deg)
    at = np.array([dx - turn * about[1], dy + turn * about[0]])
    assert np.allclose([shift.dx_px, shift.dy_px], at, atol=0.15)
    assert shift.turn_deg == pytest.approx(turn_deg, abs=0.03)
    assert shift.worst_px >= np.hypot(*at) - 0.15


def test_a_hand_over_part_of_the_board_is_no_bump(
    scene: tuple[NDArray[np.uint8], Camera, Reference],
) -> None:
    picture, _, reference = scene
    covered = picture.copy()
    cv2.ellipse(covered, (420, 480), (130, 260), 20, 0, 360, (90, 120, 190), -1)
    shift = measured(reference, covered)
    assert isinstance(shift, Shift)
    assert shift.worst_px < 0.15
    bumped = measured(reference, moved(covered, 0.6, -0.4, 0.0))
    assert isinstance(bumped, Shift)
    assert np.allclose([bumped.dx_px, bumped.dy_px], [0.6, -0.4], atol=0.15)


def test_a_covered_lens_is_unknown_not_still(
    scene: tuple[NDArray[np.uint8], Camera, Reference],
) -> None:
    picture, _, reference = scene
    rng = np.random.default_rng(43)
    dark = rng.integers(0, 12, picture.shape).astype(np.uint8)
    assert measured(reference, dark) is None


def test_what_is_left_of_a_bump_is_measured_on_top_of_it(
    scene: tuple[NDArray[np.uint8], Camera, Reference],
) -> None:
    picture, _, reference = scene
    there = measured(reference, moved(picture, 0.9, -0.6, 0.2))
    rest = measured(reference, moved(picture, 0.3, 0.2, -0.1))
    both = measured(reference, moved(moved(picture, 0.3, 0.2, -0.1), 0.9, -0.6, 0.2))
    assert there is not None
    assert rest is not None
    assert both is not None
    whole = rest.after(there)
    assert whole.dx_px == pytest.approx(both.dx_px, abs=0.1)
    assert whole.dy_px == pytest.approx(both.dy_px, abs=0.1)
    assert whole.turn_deg == pytest.approx(both.turn_deg, abs=0.03)
