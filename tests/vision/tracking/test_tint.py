"""Which piece a place belongs to, by its colour, on drawn pictures."""

import numpy as np
import pytest
from testkit.simulated_table import lying, scene, tables

from calibration.table import Table
from sightline.simulated.table import SimulatedTable
from vision.tracking.plane import Plane
from vision.tracking.tint import (
    Tint,
    is_darker_another,
    is_mixed_of_another,
    is_of_another,
    off_tint,
    tint_of,
)

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


@pytest.mark.parametrize(
    ("seen", "another"),
    [
        ((36.0, 37.0, 40.0), True),
        ((128.0, 184.0, 216.0), False),
        ((64.0, 92.0, 108.0), False),
        ((160.0, 200.0, 222.0), False),
        ((20.0, 20.0, 150.0), False),
    ],
    ids=["black", "itself", "in a deep shadow", "the board", "red"],
)
def test_a_pale_man_is_not_taken_for_a_black_one_that_is_as_plain(
    seen: tuple[float, float, float], another: bool
) -> None:
    pale, black = np.array([128.0, 184.0, 216.0]), np.array([36.0, 36.0, 38.0])
    assert is_darker_another(np.array(seen), pale, [black]) == another
    assert not is_darker_another(np.array(seen), black, [pale])


@pytest.mark.parametrize("part", [0.5, 0.7, 1.0])
@pytest.mark.parametrize("light", [0.7, 1.0])
def test_what_is_smeared_over_the_board_as_it_runs_is_told_from_one_of_another_colour(
    part: float, light: float
) -> None:
    red, blue = np.array([30.0, 30.0, 170.0]), np.array([150.0, 75.0, 55.0])
    seen = light * (part * blue + (1 - part) * WOOD)
    assert is_mixed_of_another(seen, red, [blue], WOOD, 0.5)
    assert not is_mixed_of_another(seen, blue, [red], WOOD, 0.5)
    assert not is_mixed_of_another(seen, red, [red], WOOD, 0.5)


IVORY, WOOD, SKIN = (
    np.array([185.0, 213, 225]),
    np.array([160.0, 200, 222]),
    np.array([138.0, 164, 205]),
)


@pytest.mark.parametrize(
    ("seen", "run", "known"),
    [
        (IVORY, 0.0, True),
        (0.7 * IVORY, 0.0, True),
        (0.8 * IVORY + 0.2 * WOOD, 0.0, True),
        (0.5 * IVORY + 0.5 * WOOD, 0.6, True),
        (WOOD, 0.0, False),
        (SKIN, 0.0, False),
        (SKIN, 0.9, False),
    ],
    ids=[
        "itself",
        "in a shadow",
        "in a glare",
        "smeared",
        "the board",
        "a hand",
        "a hand that moves",
    ],
)
def test_a_piece_has_its_own_colour_more_or_less_lit_or_mixed_with_the_board_it_runs_over(
    seen: Tint, run: float, known: bool
) -> None:
    assert (off_tint(seen, IVORY, WOOD, run) < 10.0) == known


DEEP_RED, OAK = np.array([34.0, 104, 139]), np.array([92.0, 158, 156])


@pytest.mark.parametrize(
    ("seen", "known"),
    [((0.0, 98.0, 130.0), True), ((0.0, 70.0, 150.0), False), ((61.0, 119.0, 124.0), False)],
    ids=["itself without the lamp in it", "another red", "the board in a shadow"],
)
def test_a_piece_of_a_deep_colour_that_a_lamp_shone_on_where_it_lay_keeps_it_where_none_shines(
    seen: tuple[float, float, float], known: bool
) -> None:
    assert (off_tint(np.array(seen), DEEP_RED, OAK, 0.2) < 10.0) == known


def test_a_gray_picture_and_a_place_outside_have_no_colour() -> None:
    camera = tables()[1].camera
    plane = Plane(camera, 12.0, 1.0)
    gray = np.zeros((camera.lens.height, camera.lens.width), dtype=np.uint8)
    assert tint_of(plane, gray, 0.0, 0.0, 12.5) is None
    assert tint_of(plane, np.dstack([gray] * 3), 5000.0, 0.0, 12.5) is None
