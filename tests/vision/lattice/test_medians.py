"""Medians and quantiles are those that numpy finds."""

import numpy as np
import pytest

from vision.lattice.medians import median, quantile

NUMBERS = np.random.default_rng(5).normal(size=(4, 6, 13)).astype(np.float32)


@pytest.mark.parametrize("many", [1, 2, 12, 13])
def test_a_median_is_the_middle_number_or_between_the_two_middle_ones(many: int) -> None:
    np.testing.assert_array_equal(
        median(NUMBERS[..., :many]), np.median(NUMBERS[..., :many], axis=-1)
    )


@pytest.mark.parametrize("share", [0.0, 0.2, 0.4, 0.5, 1.0])
@pytest.mark.parametrize("many", [1, 2, 13])
def test_a_quantile_lies_between_two_numbers(many: int, share: float) -> None:
    numbers = NUMBERS[0, 0, :many]

    assert quantile(numbers, share) == pytest.approx(float(np.quantile(numbers, share)), abs=1e-6)


def test_a_quantile_of_codes_is_no_code_but_a_number_between() -> None:
    assert quantile(np.array([250, 10], dtype=np.uint8), 0.5) == 130.0
