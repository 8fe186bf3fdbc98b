"""How well a place is said to be known."""

import numpy as np
import pytest

from vision.localisation.stand import Fit
from vision.observe import blur_error_px, place_error_mm


def fit(*, explained: float, left: float, noise_mm: float = 0.02) -> Fit:
    covariance = np.eye(2) * noise_mm**2
    return Fit(
        x_mm=0.0,
        y_mm=0.0,
        covariance=covariance,
        noise=1.1,
        explained=explained,
        left=left,
        visible=1.0,
    )


USUAL = fit(explained=0.95, left=1.9)


def error_mm(fitted: Fit, pose_mm: float = 0.01, blur_mm: float = 0.0) -> float:
    return place_error_mm(fitted, pose_mm, blur_mm)


@pytest.mark.parametrize("left", [1.5, 1.9])
def test_where_little_is_to_be_explained_a_place_is_known_nearly_as_well(left: float) -> None:
    pale = fit(explained=0.75, left=left)
    assert error_mm(USUAL) < error_mm(pale) < 1.5 * error_mm(USUAL)


def test_where_much_light_is_left_over_a_place_is_hardly_known() -> None:
    assert error_mm(fit(explained=0.75, left=6.0)) > 5 * error_mm(USUAL)
    assert error_mm(fit(explained=0.99, left=6.0)) < 2 * error_mm(USUAL)


@pytest.mark.parametrize("noise_mm", [0.03, 0.06])
def test_noise_pose_and_blur_make_it_worse(noise_mm: float) -> None:
    assert error_mm(fit(explained=0.95, left=1.9, noise_mm=noise_mm)) > error_mm(USUAL)
    assert error_mm(USUAL, pose_mm=0.1) > error_mm(USUAL)
    assert error_mm(USUAL, blur_mm=0.2) > error_mm(USUAL) + 0.03


@pytest.mark.parametrize(
    ("blur_px", "cameras_px", "least", "most"),
    [
        (0.5, 0.65, 0.0, 0.0),
        (0.65, 0.65, 0.0, 0.0),
        (0.85, 0.85, 0.05, 0.12),
        (0.85, 0.65, 0.3, 0.4),
    ],
    ids=["sharp", "as usual", "so does the camera see all", "out of focus where the rest is sharp"],
)
def test_a_blur_counts_and_less_where_the_table_was_taught_in_it(
    blur_px: float, cameras_px: float, least: float, most: float
) -> None:
    assert least <= blur_error_px(blur_px, cameras_px) <= most
