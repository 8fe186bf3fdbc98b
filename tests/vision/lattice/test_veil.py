"""Light mirrored over an empty board is found by how pale and bright it makes what is alike."""

import numpy as np
import pytest

from vision.lattice.veil import light_of, look_of, veils_of

GROOVE = np.array([[0.016, 0.048, 0.157], [0.02, 0.055, 0.17], [0.03, 0.07, 0.19]])
"""Light in blue, green, red of three parts of a groove in walnut."""


def grooves(veil: float, lit: float, count: int = 20) -> np.ndarray:
    """(K, 3, P) the looks of so many grooves, the last of them lit and veiled otherwise."""
    draw = np.random.default_rng(3)
    light = GROOVE[:, :, None] * (1 + draw.normal(0, 0.03, (1, 1, count)))
    light[:, :, -1] = lit * GROOVE + veil
    return look_of(light)


@pytest.mark.parametrize("veil", [0.0, 0.01, 0.03, 0.08])
@pytest.mark.parametrize("lit", [0.85, 1.0, 1.15])
def test_the_veil_over_one_of_many_grooves_is_found_however_it_is_lit(
    veil: float, lit: float
) -> None:
    found = veils_of(grooves(veil, lit), np.zeros(20, dtype=np.intp))
    assert found[-1] == pytest.approx(veil, abs=0.004 + 0.1 * veil)
    assert found[:-1].max() < 0.004


def test_each_direction_of_grooves_is_compared_with_its_own() -> None:
    across, down = grooves(0.0, 1.0), look_of(1.6 * light_of(grooves(0.0, 1.0)) + 0.04)
    group = np.repeat([0, 1], 20)
    assert veils_of(np.concatenate([across, down], axis=2), group).max() < 0.004


def test_looks_and_light_are_each_other_s_inverse() -> None:
    light = GROOVE[:, :, None]
    assert light_of(look_of(light)) == pytest.approx(light, abs=2e-4)
