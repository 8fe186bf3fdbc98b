"""A piece's places cut into rest and free stretches."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline.simulated.boards import club_board
from vision.tracking.track import Track
from vision.trajectories.breaks import comes_from_home
from vision.trajectories.timelines import timelines

BOARD = club_board("qsquare", (1280, 720))
FRAME_S = 1 / 30
HOME = (397.3, 280.1)


def seen_at(
    places: NDArray[np.float64],
    from_s: float,
    random: np.random.Generator,
    *,
    noise_mm: float = 0.15,
) -> Track:
    """A puck seen at (N, 2) places of its own, one a frame."""
    x, y = (places + random.normal(0, noise_mm, places.shape)).T
    return Track(
        name="red-6",
        kind="puck",
        radius_mm=15.0,
        mass=1500.0,
        home=HOME,
        home_error_mm=0.15,
        t=from_s + FRAME_S * np.arange(len(x)),
        x=x,
        y=y,
        sigma=np.full(len(x), 0.2),
    )


@pytest.mark.parametrize("lain", [1, 2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_seen_at_home_but_once_had_lain_there_and_its_first_places_are_a_run(
    seed: int, lain: int
) -> None:
    sent, back = np.array([1964.0, 432.0]), np.array([-1414.0, 386.0])
    ran_s, ran_back_s = np.array([0.0055, 0.0388]), FRAME_S * np.arange(20)
    places = np.concatenate(
        [
            np.tile(HOME, (lain, 1)),
            HOME + ran_s[:, None] * sent,
            np.array([463.3, 310.1]) + ran_back_s[:, None] * back,
        ]
    )
    random = np.random.default_rng(seed)
    puck = replace(seen_at(places, 0.7, random), sigma=random.uniform(0.18, 0.25, len(places)))
    [line] = timelines([puck], BOARD, FRAME_S, 2.0)
    rest, run, after = line.phases[:3]
    assert rest.last_s == pytest.approx(puck.t[lain - 1])
    assert (run.first_s, run.last_s) == pytest.approx(tuple(puck.t[lain : lain + 2]))
    assert run.speed_at(run.first_s) == pytest.approx(tuple(sent), rel=0.05)
    assert after.first_s == pytest.approx(puck.t[lain + 2])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("over", [2, 3, 5])
def test_what_comes_back_from_the_cushion_over_its_home_had_left_it_before(
    seed: int, over: int
) -> None:
    back_s = FRAME_S * np.arange(-over, 15)
    places = HOME + back_s[:, None] * np.array([-40.0, 370.0])
    random = np.random.default_rng(seed)
    puck = replace(seen_at(places, 0.97, random), lay_s=0.7)
    [line] = timelines([puck], BOARD, FRAME_S, 2.0)
    assert line.phases[0].last_s == pytest.approx(0.7)
    assert (line.phases[1].first_s, line.phases[1].count) == (puck.t[0], len(places))


@pytest.mark.parametrize(
    ("lies_at", "came_unseen"),
    [((437.0, 290.0), True), (HOME, False)],
    ids=["elsewhere", "where it lay"],
)
def test_what_is_seen_again_only_at_rest_came_there_unseen(
    lies_at: tuple[float, float], came_unseen: bool
) -> None:
    puck = seen_at(np.tile(lies_at, (20, 1)), 0.7, np.random.default_rng(1))
    [line] = timelines([replace(puck, lay_s=0.3)], BOARD, FRAME_S, 2.0)
    assert not line.moved
    assert line.came_unseen is came_unseen


def test_what_a_hand_hid_between_two_places_close_together_has_not_run_out_and_back() -> None:
    man = Track(
        name="white-4",
        kind="carromman",
        radius_mm=15.6,
        mass=1900.0,
        home=(36.54, -24.21),
        home_error_mm=0.18,
        t=np.array([283.436, 284.636]),
        x=np.array([35.5, 36.1]),
        y=np.array([-24.1, -24.2]),
        sigma=np.full(2, 0.18),
        lay_s=284.9,
        seen_s=283.403,
    )
    [line] = timelines([man], club_board("carrom", (960, 720)), FRAME_S, 284.9)
    assert not line.moved


def test_a_run_of_four_millimetres_between_two_rests_leads_back_to_when_it_set_off() -> None:
    ran = [(1.85, 1.48), (1.86, 1.50), (2.58, 1.03), (4.45, -0.01), (5.29, -0.52), (5.38, -0.54)]
    places = np.array(ran + [(5.38, -0.59), (5.34, -0.57)] + [(5.36, -0.54)] * 30)
    seen = seen_at(places, 0.7, np.random.default_rng(1), noise_mm=0.0)
    puck = replace(seen, home=(1.84, 1.52), sigma=np.full(len(places), 0.18))
    [line] = timelines([puck], BOARD, FRAME_S, 2.0)
    rest, run = line.phases[:2]
    assert rest.last_s == pytest.approx(puck.t[1])
    assert (run.first_s, run.last_s) == pytest.approx((puck.t[2], puck.t[3]))
    assert comes_from_home(line, FRAME_S)


@pytest.mark.parametrize("seed", range(10))
def test_a_short_run_long_before_a_fast_one_is_no_shadow_of_what_hits_it(seed: int) -> None:
    """It was touched in passing, and is hit by another later."""
    first = np.array([(1.8, 0.2), (5.1, 0.5), (7.0, 0.7)])
    rest = np.tile((8.1, 0.6), (20, 1))
    later = (8.1, 0.6) + FRAME_S * np.arange(1, 12)[:, None] * np.array([-260.0, -490.0])
    places = HOME + np.concatenate([np.zeros((3, 2)), first, rest, later])
    puck = seen_at(places, 0.435, np.random.default_rng(seed))
    [line] = timelines([replace(puck, sigma=np.full(len(places), 0.22))], BOARD, FRAME_S, 2.0)
    assert line.phases[1].first_s < 0.6
