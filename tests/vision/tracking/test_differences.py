"""What a hard stroke smears over the board is looked for by its size and its light in all."""

from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from vision.tracking.differences import Difference, blots
from vision.tracking.plane import Spot

MIDDLE, RADIUS_MM, PER_MM = (60.0, 150.0), 20.6, 0.4
"""Where the piece lay, in cells; its radius; cells to a millimetre."""
SMEAR = 0.18  # a shutter open for 6 ms of every 33
GREY = 100.0


def piece() -> np.ndarray:
    """A pale disc with a dark rim, as it differs from the board."""
    size = 19
    rows, columns = np.mgrid[0:size, 0:size] - (size - 1) / 2
    away = np.hypot(rows, columns)
    light = np.where(away < 6.8, 12.0, np.where(away < 8.6, -14.0, 0.0))
    return cv2.blur(light.astype(np.float32), (2, 2))


def seen(gap: np.ndarray) -> Difference:
    """Such a difference, of a camera that sees a cell as one pixel, upright."""
    spot = Spot(u=MIDDLE[0], v=MIDDLE[1], ux=PER_MM, uy=0.0, vx=0.0, vy=PER_MM)
    plane = SimpleNamespace(step_mm=1 / PER_MM, place=lambda u, v, near: (u, v))
    under = np.full_like(gap, GREY)
    return Difference(gap, under, 1, 0, 0, spot, cast(Any, plane), (0.0, 0.0))


def smeared(at: tuple[float, float], run: tuple[float, float], noise: float = 0.8) -> np.ndarray:
    """The piece about `at` (column, row), smeared along `run`, on a board with noise."""
    gap = np.zeros((200, 200), np.float32)
    parts = np.linspace(-0.5, 0.5, 41)
    for part in parts:
        column, row = at[0] + part * run[0], at[1] + part * run[1]
        way = np.array([[1, 0, column - 9], [0, 1, row - 9]], np.float32)
        gap += cv2.warpAffine(piece(), way, (200, 200)) / len(parts)
    return gap + np.random.default_rng(1).normal(0, noise, gap.shape).astype(np.float32)


@pytest.mark.parametrize(
    ("at", "run"),
    [((90.0, 60.0), (3.6, -11.0)), ((150.0, 140.0), (11.0, -1.2)), ((60.0, 120.0), (0.0, -4.0))],
    ids=["fast", "aslant", "slower"],
)
@pytest.mark.parametrize("noise", [0.4, 0.8, 1.4])
def test_a_smeared_piece_is_found_where_its_middle_is(
    at: tuple[float, float], run: tuple[float, float], noise: float
) -> None:
    found = blots(seen(smeared(at, run, noise)), piece(), RADIUS_MM, SMEAR)
    assert [place == pytest.approx(at, abs=1.6) for place in found] == [True]


def hand(gap: np.ndarray) -> np.ndarray:
    gap[100:, 20:60] -= 40.0
    return gap


def speck(gap: np.ndarray) -> np.ndarray:
    gap[40:45, 40:45] += 30.0
    return gap


def dark_man(gap: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.circle(gap, (40, 60), 7, -150.0, -1))


@pytest.mark.parametrize("beside", [hand, speck, dark_man])
def test_what_is_too_large_too_small_or_far_too_dark_is_no_smeared_piece(beside: Any) -> None:
    at = (140.0, 60.0)
    with_it = blots(seen(beside(smeared(at, (6.0, -8.0)))), piece(), RADIUS_MM, SMEAR)
    without = blots(seen(beside(0 * smeared(at, (6.0, -8.0)))), piece(), RADIUS_MM, SMEAR)
    assert [place == pytest.approx(at, abs=1.6) for place in with_it] == [True]
    assert without == []
