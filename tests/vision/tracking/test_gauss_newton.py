"""What the compiled rounds of a fit are made of reads and weighs as is said of it."""

import numpy as np
import pytest
from scipy import ndimage

from vision.tracking import gauss_newton, smearing


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


@pytest.mark.parametrize(("bx", "by"), [(0.0, 0.0), (5.0, 0.0), (-3.3, 8.1), (0.4, -12.7)])
def test_a_streak_keeps_the_light_and_its_middle_and_is_as_long_as_the_way(
    bx: float, by: float
) -> None:
    kernel = smearing.streak(bx, by).astype(float)
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
    at_mm, through, lights, through_falls, layer_falls, around = smearing.rows_of(
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
