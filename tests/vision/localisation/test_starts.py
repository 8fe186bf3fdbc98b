"""A fit may begin where the guess says, or where it has taken a piece's foot for its top."""

import numpy as np
from testkit.simulated_table import lying, tables

from calibration.silhouette import Body
from rules.geometry import Point
from vision.appearance.light import Standing
from vision.localisation.starts import others_than, top_or_foot


def standing(x_mm: float, y_mm: float, thickness_mm: float) -> Standing:
    radius_mm = lying("red-1", "red", 0.0, 0.0).spec.diameter_mm / 2
    return Standing(body=Body(radius_mm=radius_mm, thickness_mm=thickness_mm), x_mm=x_mm, y_mm=y_mm)


def test_a_top_that_is_taken_for_a_foot_is_seen_away_from_the_camera() -> None:
    camera = tables()[1].camera
    me = standing(300.0, 250.0, 12.0)
    here, foot, top = top_or_foot(camera, me, Point(me.x_mm, me.y_mm))
    assert (here.x_mm, here.y_mm) == (me.x_mm, me.y_mm)
    at = np.array([[top.x_mm, top.y_mm, 0.0], [me.x_mm, me.y_mm, me.body.thickness_mm]])
    on_board, raised = camera.project(at)
    assert np.hypot(*(on_board - raised)) < 0.01
    away = np.array([me.x_mm, me.y_mm]) - camera.centre_mm[:2]
    assert away @ [top.x_mm - foot.x_mm, top.y_mm - foot.y_mm] > 0


def test_starts_from_which_a_fit_ends_alike_are_not_tried_twice() -> None:
    camera, me = tables()[1].camera, standing(300.0, 250.0, 0.5)
    assert others_than(me, top_or_foot(camera, me, Point(me.x_mm, me.y_mm))) == []
    thick = standing(300.0, 250.0, 12.0)
    assert len(others_than(thick, top_or_foot(camera, thick, Point(300.0, 250.0)))) == 2
