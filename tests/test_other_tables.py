"""Tables made from reference ones hold together: what the picture shows lies where it is told."""

import cv2
import numpy as np
import pytest

from benchmarks.other_tables import WAYS, Other
from calibration.camera import Lens

LENS = Lens(
    width=320, height=180, fx=300.0, fy=305.0, cx=150.0, cy=95.0, dist=(-0.1, 0.02, 1e-3, -2e-3, 0)
)
PLACES = np.array([[60.0, 40.0], [160.0, 90.0], [250.0, 70.0], [90.0, 140.0]])
TURNS = {"turned-round": -np.eye(2), "turned-aside": np.array([[0.0, -1.0], [1.0, 0.0]])}


def dot(at: np.ndarray) -> np.ndarray:
    rows, columns = np.mgrid[0 : LENS.height, 0 : LENS.width]
    away2 = (columns - at[0]) ** 2 + (rows - at[1]) ** 2
    gray = 40 + 150 * np.exp(-away2 / (2 * 3.0**2))
    return cv2.merge([np.rint(gray).astype(np.uint8)] * 3)


def middle(picture: np.ndarray) -> np.ndarray:
    light = picture.max(axis=2).astype(float)
    light = np.maximum(light - 0.5 * light.max(), 0)
    rows, columns = np.indices(light.shape)
    return np.array([(light * columns).sum(), (light * rows).sum()]) / light.sum()


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("at", PLACES.tolist())
def test_what_is_seen_lies_where_its_place_is_moved_to(name: str, at: list[float]) -> None:
    other: Other = WAYS[name](LENS)
    picture = other.picture(dot(np.array(at)))
    assert picture.shape == (other.lens.height, other.lens.width, 3)
    told = other.moved(np.array([at]))[0]
    assert middle(picture) == pytest.approx(told, abs=0.15)


@pytest.mark.parametrize("name", WAYS)
def test_the_lens_is_that_of_the_picture(name: str) -> None:
    other = WAYS[name](LENS)
    rays = LENS.undistort(PLACES)
    turn = TURNS["turned-round"] if name == "mixed" else TURNS.get(name, np.eye(2))
    assert other.lens.undistort(other.moved(PLACES)) == pytest.approx(rays @ turn.T, abs=1e-9)
