"""Which piece a place belongs to, by its colour, on drawn pictures."""

import numpy as np
import pytest
from testkit.simulated_table import lying, scene, tables

from calibration.table import Table
from sightline.simulated.table import SimulatedTable
from vision.motion.plane import Plane
from vision.motion.tint import Tint, is_of_another, tint_of

RED = lying("red-1", "red", -200.0, 60.0)
BLUE = lying("blue-1", "blue", 150.0, -90.0)


def tint(colour: str, x_mm: float, y_mm: float) -> Tint:
    simulated: SimulatedTable
    table: Table
    simulated, table = tables()
    piece = lying("one", colour, x_mm, y_mm)
    picture = simulated.photographer.picture(scene([piece]))
    found = tint_of(Plane(table.camera, 12.0, 1.0), picture, x_mm, y_mm, piece.radius_mm)
    assert found is not None
    return found


@pytest.mark.parametrize(("x_mm", "y_mm"), [(0.0, 0.0), (430.0, 430.0), (-430.0, 300.0)])
def test_a_piece_keeps_its_colour_wherever_it_lies(x_mm: float, y_mm: float) -> None:
    red, blue = tint("red", -200.0, 60.0), tint("blue", 150.0, -90.0)
    assert not is_of_another(tint("red", x_mm, y_mm), red, [blue])
    assert is_of_another(tint("blue", x_mm, y_mm), red, [blue])


def test_a_colour_unlike_all_is_no_reason_to_take_it_for_another() -> None:
    red, blue = np.array([30.0, 30.0, 200.0]), np.array([190.0, 60.0, 30.0])
    assert not is_of_another(np.array([120.0, 60.0, 120.0]), red, [blue])


def test_a_black_piece_in_a_glare_is_not_taken_for_a_gray_one() -> None:
    black, gray = np.array([46.0, 45.0, 46.0]), np.array([128.0, 132.0, 136.0])
    assert not is_of_another(np.array([130.0, 134.0, 138.0]), black, [gray])


def test_a_gray_picture_and_a_place_outside_have_no_colour() -> None:
    camera = tables()[1].camera
    plane = Plane(camera, 12.0, 1.0)
    gray = np.zeros((camera.lens.height, camera.lens.width), dtype=np.uint8)
    assert tint_of(plane, gray, 0.0, 0.0, 12.5) is None
    assert tint_of(plane, np.dstack([gray] * 3), 5000.0, 0.0, 12.5) is None
