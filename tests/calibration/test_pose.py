from dataclasses import replace

import numpy as np
import pytest
from testkit.painted_board import (
    Look,
    camera_over,
    photograph,
    repainted,
    small_lens,
    square_board,
)

from calibration.camera import Camera, Floats
from calibration.landmarks import Landmarks, NotFound, clicked_corners, find_markers
from calibration.pose import PoseFit, first_pose, refine_pose
from rules.board import Board

TOPS = np.array([(x, y, 8.0) for x in (-180, -90, 0, 90, 180) for y in (-180, -90, 0, 90, 180)])


def click(board: Board, camera: Camera, rng: np.random.Generator) -> Landmarks:
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    at = {"SW": (-1, -1), "SE": (1, -1), "NE": (1, 1), "NW": (-1, 1)}
    places = np.array([(x * half_x, y * half_y, 0.0) for x, y in at.values()])
    seen = camera.project(places) + rng.uniform(-1.4, 1.4, (4, 2))
    found = clicked_corners(board, {name: tuple(px) for name, px in zip(at, seen, strict=True)})
    assert isinstance(found, Landmarks)
    return found


def fitted(
    picture: np.ndarray, board: Board, camera: Camera, rng: np.random.Generator
) -> PoseFit | NotFound:
    marks = find_markers(picture, board) if board.fiducials else click(board, camera, rng)
    assert isinstance(marks, Landmarks)
    first = first_pose(camera.lens, marks)
    assert isinstance(first, Camera)
    return refine_pose(picture, first, board, marks)


def misplaced_mm(found: Camera, true: Camera) -> Floats:
    """(N, 2) how far the tops would be misplaced."""
    return np.asarray(found.to_plane(true.project(TOPS), 8.0) - TOPS[:, :2])


@pytest.mark.parametrize("markers", [True, False], ids=["markers", "clicked corners"])
def test_the_pose_is_found_to_a_few_hundredths_of_a_millimetre(markers: bool) -> None:
    rng = np.random.default_rng(11)
    board = square_board(markers=markers)
    for _ in range(2):
        camera = camera_over(small_lens(), rng)
        fit = fitted(photograph(board, camera, rng), board, camera, rng)
        assert isinstance(fit, PoseFit)
        assert np.hypot(*misplaced_mm(fit.camera, camera).T).max() < 0.05
        assert fit.residual_px < 0.05


def test_the_predicted_error_is_the_error_made() -> None:
    """Chi-squared per degree of freedom near one, with paint as drawn and with paint astray."""
    rng = np.random.default_rng(12)
    board = square_board(markers=False)
    spread = []
    for n in range(8):
        camera = camera_over(small_lens(), rng)
        painted = board
        if n % 2:
            for line in board.lines:
                dx, dy = rng.normal(0, 0.15, 2)
                painted = repainted(painted, line.id, dx_mm=dx, dy_mm=dy)
        fit = fitted(photograph(painted, camera, rng), board, camera, rng)
        assert isinstance(fit, PoseFit)
        off = misplaced_mm(fit.camera, camera)
        told = np.array([fit.error.at(*top) for top in TOPS])
        spread.append(np.mean(np.sum(off**2, axis=1) / (2 * told**2)))
    assert 0.25 < np.mean(spread) < 2.5
    assert max(spread) < 8


def test_a_line_painted_elsewhere_does_not_carry_the_pose_away() -> None:
    rng = np.random.default_rng(13)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    picture = photograph(repainted(board, "home-S", dy_mm=1.5), camera, rng)
    fit = fitted(picture, board, camera, rng)
    assert isinstance(fit, PoseFit)
    assert np.hypot(*misplaced_mm(fit.camera, camera).T).max() < 0.15
    assert fit.off_mm["home-S"] == pytest.approx(1.5, abs=0.1)
    assert abs(fit.off_mm["central"]) < 0.1


def test_a_board_without_lines_is_found_by_its_markers() -> None:
    rng = np.random.default_rng(14)
    board = replace(square_board(), lines=(), zones=())
    camera = camera_over(small_lens(), rng)
    fit = fitted(photograph(board, camera, rng), board, camera, rng)
    assert isinstance(fit, PoseFit)
    assert np.hypot(*misplaced_mm(fit.camera, camera).T).max() < 0.15


def test_a_lens_that_is_not_this_camera_s_is_refused() -> None:
    rng = np.random.default_rng(15)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    picture = photograph(board, camera, rng)
    other = replace(camera, lens=replace(camera.lens, dist=(0.25, 0.1, 0.0, 0.0, 0.0)))
    fit = fitted(picture, board, other, rng)
    assert isinstance(fit, NotFound)
    assert "camera.json" in fit.reason


def test_another_board_s_drawing_is_refused() -> None:
    rng = np.random.default_rng(16)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    picture = photograph(replace(board, lines=()), camera, rng)
    fit = fitted(picture, board, camera, rng)
    assert isinstance(fit, NotFound)
    assert "of 5 painted lines" in fit.reason


def test_missing_markers_are_named() -> None:
    rng = np.random.default_rng(17)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    picture = photograph(replace(board, fiducials=board.fiducials[:2]), camera, rng)
    found = find_markers(picture, board)
    assert found == NotFound("saw 2 of 4 corner markers: [0, 1]")


def test_one_hidden_marker_is_borne() -> None:
    rng = np.random.default_rng(18)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    picture = photograph(replace(board, fiducials=board.fiducials[1:]), camera, rng)
    fit = fitted(picture, board, camera, rng)
    assert isinstance(fit, PoseFit)
    assert np.hypot(*misplaced_mm(fit.camera, camera).T).max() < 0.05


@pytest.mark.parametrize(
    "look",
    [Look(blur_px=1.1), Look(noise=6.0), Look(gain=0.35), Look(jpeg=70), Look(gain=1.9)],
    ids=["blurred", "noisy", "dim", "coarse JPEG", "overexposed"],
)
def test_poor_pictures_cost_hundredths_not_tenths(look: Look) -> None:
    rng = np.random.default_rng(19)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    fit = fitted(photograph(board, camera, rng, look), board, camera, rng)
    assert isinstance(fit, PoseFit)
    assert np.hypot(*misplaced_mm(fit.camera, camera).T).max() < 0.1
