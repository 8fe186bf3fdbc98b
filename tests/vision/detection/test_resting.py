"""What is seen over a pocket's mouth has fallen; what is seen in the border is no piece there."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.simulated_table import lying, scene, tables

from rules.geometry import Point
from vision.detection.resting import can_rest, overhangs
from vision.observe import observe

POCKET = next(p for p in tables()[0].board.pockets if p.id == "NE")
LINE_MM = (POCKET.radius_mm**2 - 12.5**2) ** 0.5


@pytest.mark.parametrize(
    ("away_mm", "rests"),
    [(0.0, False), (LINE_MM - 1.5, False), (LINE_MM - 0.5, True), (60.0, True)],
)
def test_a_disc_tips_in_once_its_middle_is_past_the_line_on_which_it_rests(
    away_mm: float, rests: bool
) -> None:
    place = np.array([[POCKET.centre.x_mm - away_mm, POCKET.centre.y_mm]])
    assert can_rest(tables()[0].board, place, 12.5, 1.0, 4.0).tolist() == [rests]


@pytest.mark.parametrize(("in_mm", "rests"), [(-2.0, True), (3.0, True), (5.0, False)])
def test_nothing_lies_in_the_border(in_mm: float, rests: bool) -> None:
    board = tables()[0].board
    place = np.array([[30.0, board.height_mm / 2 - 12.5 + in_mm]])
    assert can_rest(board, place, 12.5, 1.0, 4.0).tolist() == [rests]


def test_a_piece_in_plain_sight_at_the_bottom_of_a_pocket_lies_nowhere_on_the_board() -> None:
    simulated, table = tables()
    x, y = POCKET.centre.x_mm, POCKET.centre.y_mm
    brink = lying("red-1", "red", x - POCKET.radius_mm - 4.0, y)
    still = scene((lying("cue-puck", "natural", 0.0, -200.0), brink, lying("blue-1", "blue", x, y)))
    fallen = replace(still.bodies[2], lift_mm=-14.0)
    picture = simulated.photographer.picture(replace(still, bodies=(*still.bodies[:2], fallen)))
    assert sorted(p.colour for p in observe(picture, table).pieces) == ["natural", "red"]


@pytest.mark.parametrize(
    ("light", "x_mm", "y_mm"),
    [(1.0, 438.4, 445.5), (1.0, 454.0, 433.3), (0.3, -454.0, -433.3), (0.3, -440.8, 447.3)],
)
def test_a_piece_over_the_brink_of_a_dark_pocket_is_not_told_where_its_foot_shows(
    light: float, x_mm: float, y_mm: float
) -> None:
    simulated, table = tables()
    about = [
        lying("cue-puck", "natural", 0.0, -200.0),
        lying("red-1", "red", 100.0, 30.0),
        lying("red-2", "red", -60.0, -130.0),
        lying("blue-1", "blue", -120.0, 60.0),
    ]
    lit = simulated.photographer.picture(scene((*about, lying("blue-2", "blue", x_mm, y_mm))))
    seen = observe(np.asarray(lit * light, dtype=np.uint8), table).pieces
    blue = [p.at for p in seen if p.colour == "blue"]
    assert min(at.distance_mm(Point(x_mm, y_mm)) for at in blue) < 0.8


@pytest.mark.parametrize(("away_mm", "over"), [(-1.0, True), (1.0, False)])
def test_a_disc_overhangs_a_pocket_where_it_covers_some_of_its_mouth(
    away_mm: float, over: bool
) -> None:
    x_mm = POCKET.centre.x_mm - POCKET.radius_mm - 12.5 - away_mm
    assert overhangs(tables()[0].board, x_mm, POCKET.centre.y_mm, 12.5) == over
