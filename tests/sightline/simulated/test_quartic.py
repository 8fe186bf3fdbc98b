"""The first fall of a quartic through zero, against a fine walk along it."""

import random

import numpy as np
import pytest

from sightline.simulated.quartic import first_descent


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_the_first_descent_is_where_a_fine_walk_first_finds_the_curve_below_zero(
    degree: int,
) -> None:
    draw = random.Random(degree)
    walk = np.linspace(0.0, 3.0, 30_001)
    found = 0
    for _ in range(400):
        poly = [draw.gauss(0, 1) if k <= degree else 0.0 for k in range(5)]
        poly[0] = abs(poly[0])
        below = np.flatnonzero(np.polyval(poly[::-1], walk) < 0)
        when = first_descent((poly[0], poly[1], poly[2], poly[3], poly[4]), 3.0)
        if len(below):
            assert when is not None
            assert when <= walk[below[0]] + 1e-9
            assert np.polyval(poly[::-1], when) == pytest.approx(0.0, abs=1e-9)
            found += 1
        else:
            assert when is None or np.polyval(poly[::-1], when) == pytest.approx(0.0, abs=1e-7)
    assert found > 50


@pytest.mark.parametrize(
    ("poly", "when"),
    [
        ((0.0, -1.0, 0.0, 0.0, 0.0), 0.0),
        ((0.0, 1.0, -1.0, 0.0, 0.0), 1.0),
        ((-1e-13, 1.0, -1.0, 0.0, 0.0), 1.0),
        ((0.0, 0.0, -1.0, 0.0, 0.0), 0.0),
        ((0.0, 1.0, 0.0, 0.0, 0.0), None),
        ((1.0, -2.0, 1.0, 0.0, 0.0), None),
    ],
    ids=[
        "touching and closing",
        "touching, parting, then closing",
        "a hair too deep and parting",
        "touching, at rest against each other, being pressed",
        "touching and parting",
        "grazing without overlap",
    ],
)
def test_pieces_that_already_touch_are_told_apart_by_where_they_go(
    poly: tuple[float, float, float, float, float], when: float | None
) -> None:
    assert first_descent(poly, 5.0) == (pytest.approx(when) if when is not None else None)
