"""What a piece's colour does to the gray light of pixels that show it and the board."""

import numpy as np
import pytest

from calibration.relight import to_code, to_light
from vision.appearance.colours import GRAY, albedos, colours_of, gray_light, gray_share

RED, BLACK, WHITE = np.array([0.03, 0.04, 0.4]), np.full(3, 0.015), np.full(3, 0.7)
OAK = np.array([0.16, 0.33, 0.5])


def gray_of_codes(light: np.ndarray) -> float:
    """Gray light 0..100, as a camera that codes each colour by itself tells it."""
    return float(100 * to_light(np.array([to_code(light) @ GRAY]))[0])


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("board", [WHITE, OAK], ids=["white", "oak"])
def test_a_pixel_that_mixes_red_and_board_is_as_bright_as_its_codes(
    part: float, board: np.ndarray
) -> None:
    colours = colours_of(RED, board, None)
    piece, ground = part * gray_of_codes(RED), (1 - part) * gray_of_codes(board)
    parts = (np.array([value], dtype=np.float32) for value in (piece, ground))
    excess = float(colours.mixed(*parts)[0])
    seen = gray_of_codes(part * RED + (1 - part) * board)
    assert excess > 0.3
    assert excess == pytest.approx(seen - piece - ground, abs=0.15)


@pytest.mark.parametrize("piece", [BLACK, WHITE], ids=["black", "white"])
def test_colours_that_differ_in_brightness_alone_mix_in_gray_as_in_light(
    piece: np.ndarray,
) -> None:
    assert np.abs(colours_of(piece, 0.6 * WHITE, None).excess).max() < 1e-6


def test_in_the_light_of_a_hue_nothing_mixes_wrongly() -> None:
    assert not colours_of(RED, OAK, np.array([0.0, 0.0, 1.0])).excess.any()


def test_things_throw_back_light_as_they_shine_beside_the_brightest_of_them() -> None:
    oak, red, white = albedos([0.3 * OAK, 0.3 * RED, 0.3 * WHITE])
    np.testing.assert_allclose(oak / red, OAK / RED)
    assert float(gray_light(white)) == pytest.approx(0.7)


def test_gray_light_grows_as_gray_codes_do() -> None:
    brighter = OAK * np.array([1.0, 1.0, 1.04])
    grown = gray_of_codes(brighter) / gray_of_codes(OAK) - 1
    assert grown == pytest.approx(0.04 * gray_share(OAK)[2], rel=0.1)
