"""Free paths: cutting a track where something touched the piece."""

import numpy as np
import pytest

from vision.trajectories.paths import cut, fit


def slowing_path(start: float, speed: float, slowing: float, t: np.ndarray) -> np.ndarray:
    """Places along a line that is run evenly slowed, until it stops."""
    ran = np.minimum(np.maximum(t, 0), speed / slowing)
    return start + speed * ran - slowing * ran**2 / 2


@pytest.mark.parametrize("fps", [25, 60, 120, 240])
def test_a_path_that_nothing_touches_stays_in_one_piece(fps: int) -> None:
    rng = np.random.default_rng(1)
    t = np.arange(0, 0.6, 1 / fps)
    x = slowing_path(0, 1800, 1500, t) + rng.normal(0, 0.15, len(t))
    y = slowing_path(10, 600, 500, t) + rng.normal(0, 0.15, len(t))
    assert cut(t, x, y, np.full(len(t), 0.2)) == [slice(0, len(t))]


@pytest.mark.parametrize("fps", [30, 60, 120])
def test_a_path_is_cut_where_the_piece_turned(fps: int) -> None:
    rng = np.random.default_rng(2)
    t = np.arange(0, 0.6, 1 / fps)
    turned = 0.3037
    before = 1500 * t
    after = 1500 * turned - 1000 * (t - turned)
    x = np.where(t < turned, before, after) + rng.normal(0, 0.15, len(t))
    y = 200 * t + rng.normal(0, 0.15, len(t))
    pieces = cut(t, x, y, np.full(len(t), 0.2))
    assert len(pieces) == 2
    assert t[pieces[0].stop - 1] <= turned <= t[pieces[1].start]


def test_a_sample_that_spans_the_turn_belongs_to_neither_side() -> None:
    t = np.arange(0, 0.4, 1 / 60)
    x = np.where(t < 0.2, 2000 * t, 400 - 1500 * (t - 0.2))
    k = int(np.searchsorted(t, 0.2))
    x[k] -= 9
    y = np.zeros_like(t)
    pieces = cut(t, x, y, np.full(len(t), 0.2))
    assert [p.stop for p in pieces[:1]] == [k]
    assert pieces[1].start == k + 1


def test_a_fitted_path_tells_its_speed_and_where_it_would_stop() -> None:
    rng = np.random.default_rng(3)
    t = np.arange(0, 0.5, 1 / 60)
    x = slowing_path(0, 1200, 1500, t) + rng.normal(0, 0.1, len(t))
    y = rng.normal(0, 0.1, len(t))
    path = fit(t, x, y, np.full(len(t), 0.15))
    assert path.speed_at(0.0)[0] == pytest.approx(1200, abs=12)
    assert path.stop_s == pytest.approx(0.8, abs=0.02)
    assert path.at(9.0)[0] == pytest.approx(480, abs=4)


def test_two_samples_lean_on_what_is_known_of_friction() -> None:
    t = np.array([0.0, 1 / 60])
    x = slowing_path(0, 1000, 1500, t)
    path = fit(t, x, np.zeros(2), np.full(2, 0.1), slowing=1500, slowing_error=100)
    assert path.stop_s == pytest.approx(0.667, abs=0.05)


def test_two_places_with_frames_unseen_between_are_no_path() -> None:
    t = np.array([0.0, 3, 4, 5, 6, 7, 8]) / 30  # it turned while it was out of sight
    x = np.array([0.0, 90, 60, 30, 0, -30, -60])
    pieces = cut(t, x, np.zeros(7), np.full(7, 0.2))
    assert pieces == [slice(1, 7)]
