"""What the compiled parts of following draw, read and weigh is what is said of them."""

import numpy as np
import pytest
from scipy import ndimage

from vision.tracking import drawing, gauss_newton
from vision.tracking.plane import Patch


@pytest.mark.parametrize(
    ("corner", "span"),
    [((200.0, 100.0), 30.0), ((-4.0, -4.0), 8.0), ((314.0, 234.0), 9.0), ((-60.0, 300.0), 40.0)],
    ids=["within", "upper left border", "lower right border", "far beyond it"],
)
def test_a_picture_is_read_between_its_pixels_in_32nd_parts(
    corner: tuple[float, float], span: float
) -> None:
    rng = np.random.default_rng(5)
    picture = rng.integers(0, 256, (240, 320), dtype=np.uint8)
    u, v = (np.float32(c) + np.float32(span) * rng.random(500, dtype=np.float32) for c in corner)
    column, row = np.rint(u * 32) / 32, np.rint(v * 32) / 32
    goes_on = np.pad(picture, 128, mode="edge")
    at = np.stack([row + 128, column + 128])
    due = np.floor(ndimage.map_coordinates(goes_on.astype(float), at, order=1) + 0.5)
    read = []
    for x, y in zip(u, v, strict=True):
        (column, right), (row, down) = gauss_newton.aim(x), gauss_newton.aim(y)
        read.append(gauss_newton.code_at(picture, column, row, right, down))
    np.testing.assert_array_equal(read, due)


@pytest.mark.parametrize(
    ("board", "level"),
    [
        ([100.0, 100.0, 100.0], 100.0),
        ([0.1, 0.1, 0.1], 0.1),
        ([10.0, 100.0, 110.0, 120.0], 110.0),
        ([0.0, 0.0, 50.0], 50.0),
    ],
    ids=["even", "even, and no whole code", "with a line", "half in a pocket"],
)
def test_dark_lines_do_not_tell_how_bright_the_lit_board_is(
    board: list[float], level: float
) -> None:
    assert gauss_newton.lit_level(np.array(board, dtype=np.float32)) == pytest.approx(level)


@pytest.mark.parametrize(
    ("level", "gain"),
    [(100.0, 1.0), (46.0, 0.5**0.7), (250.0, 2.0**0.7), (0.0, 0.4**0.7)],
    ids=["as at home", "half the light", "no more than twice", "no less than two fifths"],
)
def test_a_piece_is_brighter_where_the_board_is(level: float, gain: float) -> None:
    assert gauss_newton.lit_gain(level, 100.0) == pytest.approx(gain)


RADIUS_MM, STEP_MM = 10.0, 0.5
FOOT_MM = (6.0, 0.0)  # seen so far from the top


def grid() -> tuple[Patch, Patch, Patch]:
    run = (np.arange(-40, 41) * STEP_MM).astype(np.float32)
    x, y = np.meshgrid(run, run)
    return x, y, np.hypot(x, y)


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "top", "hull"),
    [
        (0.0, 0.0, 1.0, 1.0),
        (-10.0, 0.0, 0.5, 0.5),
        (12.0, 0.0, 0.0, 1.0),
        (15.0, 0.0, 0.0, 0.5),  # 6 to the foot's centre, and 9 of 10 for what is farther away
        (0.0, -14.0, 0.0, 0.0),
    ],
    ids=["on top", "rim away from the foot", "wall", "rim of the foot", "beside"],
)
def test_a_silhouette_holds_the_top_and_the_foot_that_is_seen_beside_it(
    x_mm: float, y_mm: float, top: float, hull: float
) -> None:
    column, row = round(x_mm / STEP_MM) + 40, round(y_mm / STEP_MM) + 40
    drawn = drawing.shapes(*grid(), RADIUS_MM, 0.1, *FOOT_MM, 0.4)
    assert [mask[row, column] for mask in drawn] == pytest.approx([top, hull], abs=0.01)


def test_a_piece_shows_its_top_its_wall_by_the_lamp_and_shades_the_board() -> None:
    top, hull = drawing.shapes(*grid(), RADIUS_MM, 0.1, *FOOT_MM, 0.4)
    shade = np.full_like(top, 0.8)
    looks = np.full((31, 31), 200.0, dtype=np.float32)  # of the inner 15 mm: farther out, the edge
    drawn = drawing.standing(top, hull, shade, looks, 150.0, *grid(), 90.0, 20.0, 0.0)
    due = {
        (0, 0): (1.0, 200.0),
        (-9, 0): (1.0, 150.0),
        (12, 0): (1.0, 110.0),  # the lamp is on this side
        (0, 18): (0.2, 0.0),
    }
    for (x_mm, y_mm), (hides, layer) in due.items():
        hidden, shown = drawn[round(y_mm / STEP_MM) + 40, round(x_mm / STEP_MM) + 40]
        assert hidden == pytest.approx(hides, abs=0.02), (x_mm, y_mm)
        assert shown == pytest.approx(layer, abs=1.0), (x_mm, y_mm)


@pytest.mark.parametrize(("bx", "by"), [(0.0, 0.0), (5.0, 0.0), (-3.3, 8.1), (0.4, -12.7)])
def test_a_streak_keeps_the_light_and_its_middle_and_is_as_long_as_the_way(
    bx: float, by: float
) -> None:
    kernel = drawing.streak(bx, by).astype(float)
    rows, columns = np.mgrid[: len(kernel), : len(kernel)] - (len(kernel) - 1) / 2
    assert kernel.sum() == pytest.approx(1.0, abs=1e-5)
    assert (kernel * columns).sum() == pytest.approx(0.0, abs=1e-4)
    assert (kernel * rows).sum() == pytest.approx(0.0, abs=1e-4)
    # an even way of that length has a twelfth of its square as variance; a pixel spreads by a sixth
    for way, offs in ((bx, columns), (by, rows)):
        assert (kernel * offs**2).sum() == pytest.approx(way**2 / 12, abs=0.26)


def test_a_piece_is_laid_out_in_rows_of_what_each_pixel_shows_and_how_it_falls_off() -> None:
    rng = np.random.default_rng(7)
    side, step = 9, 0.5
    drawn = rng.random((side, side, 2), dtype=np.float32)
    near = rng.integers(0, 2, (side, side)).astype(np.uint8)
    run = ((np.arange(side) - 4) * step).astype(np.float32)
    x, y = np.meshgrid(run, run)
    at_mm, through, lights, through_falls, layer_falls, around = drawing.rows_of(
        drawn, near, x, y, np.hypot(x, y), 0.9, 10.0, step
    )
    inner = near.astype(bool) & (np.hypot(x, y) >= 0.9)
    inner[[0, -1]] = inner[:, [0, -1]] = False
    hide, layer = drawn[inner].T
    falls_y, falls_x = np.gradient(drawn, step, axis=(0, 1))
    for laid, due in (
        (at_mm, [x[inner], y[inner]]),
        (through, 1 - hide),
        (lights, [layer, hide, hide * x[inner] / 10, hide * y[inner] / 10]),
        (through_falls, [falls_x[inner][:, 0], falls_y[inner][:, 0]]),
        (layer_falls, [-falls_x[inner][:, 1], -falls_y[inner][:, 1]]),
        (around, np.clip(hide, 0.5, 1.0)),
    ):
        np.testing.assert_allclose(laid, due, atol=1e-5)
