from collections.abc import Mapping

import numpy as np
import pytest
from testkit.painted_board import camera_over, photograph, repainted, small_lens, square_board

from calibration.as_painted import board_as_painted
from calibration.camera import Camera
from calibration.landmarks import Landmarks, find_markers
from calibration.paint import PaintedLine, as_drawn, measured_lines
from calibration.pose import PoseFit, first_pose, refine_pose
from calibration.widths import measure_widths
from rules.board import Board
from rules.geometry import Point


def measured(board: Board, painted: Board, seed: int) -> Mapping[str, PaintedLine]:
    """The lines found on a picture of `painted` by someone who holds the drawing `board`."""
    rng = np.random.default_rng(seed)
    camera = camera_over(small_lens(), rng)
    picture = photograph(painted, camera, rng)
    marks = find_markers(picture, board)
    assert isinstance(marks, Landmarks)
    first = first_pose(camera.lens, marks)
    assert isinstance(first, Camera)
    fit = refine_pose(picture, first, board, marks)
    assert isinstance(fit, PoseFit)
    return measured_lines(board, fit, measure_widths(picture, fit.camera, board, fit.cut, fit.good))


def test_paint_as_drawn_is_taken_as_drawn() -> None:
    board = square_board()
    lines = measured(board, board, 21)
    for line in lines.values():
        assert np.abs(line.off_mm).max() < 0.03
        assert line.error_mm.max() < 0.06
        assert line.measured.mean() > 0.6
    assert board_as_painted(board, lines) == board


def test_a_line_painted_elsewhere_is_measured_where_it_lies() -> None:
    board = square_board()
    lines = measured(board, repainted(board, "home-S", dy_mm=0.8), 22)
    off = lines["home-S"].off_mm
    assert np.abs(off - 0.8).max() < 0.12
    assert np.abs(lines["home-S"].centre_mm[:, 1] + 139.2).max() < 0.12
    assert np.abs(lines["central"].off_mm).max() < 0.12
    gap = lines["home-S"].distance(0.0, -130.0)
    assert gap.distance_mm == pytest.approx(9.2, abs=0.08)
    assert gap.half_width_mm == pytest.approx(1.2, abs=0.15)


def test_zones_follow_the_paint_that_bounds_them() -> None:
    board = square_board()
    painted = repainted(repainted(board, "home-S", dy_mm=0.8), "corner", dx_mm=-0.9, dy_mm=-0.9)
    moved = board_as_painted(board, measured(board, painted, 23))
    south = moved.zones[0].polygon
    assert south[:2] == (Point(-200, -200), Point(200, -200))
    assert south[2].y_mm == pytest.approx(-139.2, abs=0.12)
    assert south[3].y_mm == pytest.approx(-139.2, abs=0.12)
    assert moved.zones[1].polygon == board.zones[1].polygon
    corner = moved.zones[2]
    assert corner.centre is not None
    assert corner.radius_mm is not None
    reach = np.hypot(200 - corner.centre.x_mm, 200 - corner.centre.y_mm)
    assert abs(corner.radius_mm + reach - 70 - np.hypot(0.9, 0.9)) < 0.35


def test_a_square_painted_askew_keeps_its_corners_closed() -> None:
    board = square_board()
    lines = measured(board, repainted(board, "central", dx_mm=0.6, dy_mm=-0.5), 24)
    path = lines["central"].centre_mm
    assert np.allclose(path[0], path[-1])
    assert np.allclose(path[0], [-59.4, -60.5], atol=0.12)
    redrawn = board_as_painted(board, lines).line("central")
    assert redrawn.points[0] == redrawn.points[-1]
    assert redrawn.points[2].x_mm == pytest.approx(60.6, abs=0.12)


def test_the_distance_to_a_drawn_line_is_exact() -> None:
    lines = as_drawn(square_board())
    assert lines["home-S"].distance(10.0, -150.0).distance_mm == pytest.approx(10.0)
    assert lines["home-S"].distance(203.0, -136.0).distance_mm == pytest.approx(5.0)
    assert lines["ring"].distance(30.0, 40.0).distance_mm == pytest.approx(50.0, abs=0.002)
    assert lines["corner"].distance(200.0, 100.0).distance_mm == pytest.approx(30.0, abs=0.002)
    assert lines["central"].distance(63.0, 64.0).distance_mm == pytest.approx(5.0)


def test_a_line_painted_wider_is_found_wider() -> None:
    board = square_board()
    wide = board.line("home-W")
    lines = tuple(
        type(line)(id=line.id, colour=line.colour, width_mm=4.0, points=line.points)
        if line is wide
        else line
        for line in board.lines
    )
    painted = Board(
        game=board.game,
        name=board.name,
        width_mm=board.width_mm,
        height_mm=board.height_mm,
        border_width_mm=board.border_width_mm,
        border_height_mm=board.border_height_mm,
        lines=lines,
        fiducials=board.fiducials,
    )
    found = measured(board, painted, 25)
    assert found["home-W"].width_mm == pytest.approx(4.0, abs=0.35)
    assert found["home-S"].width_mm == board.line("home-S").width_mm
