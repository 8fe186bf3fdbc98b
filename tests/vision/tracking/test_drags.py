"""A cue-puck that is brought home by the cue, told from one that was struck: by tracks alone."""

from dataclasses import replace

import numpy as np
import pytest

from vision.tracking.drags import carried, dragged, gathers_speed, outruns_drags, runs_faster
from vision.tracking.track import Track


def track(way_mm: np.ndarray, fps: float, noise_mm: float = 0.1, seed: int = 0) -> Track:
    draw = np.random.default_rng(seed)
    t = np.arange(len(way_mm)) / fps
    return Track(
        name="cue-puck",
        kind="cue-puck",
        radius_mm=25.0,
        mass=1.0,
        home=(10.0, 20.0),
        home_error_mm=0.1,
        t=t,
        x=10.0 + 0.6 * way_mm + draw.normal(0, noise_mm, len(t)),
        y=20.0 + 0.8 * way_mm + draw.normal(0, noise_mm, len(t)),
        sigma=np.full(len(t), noise_mm),
    )


def hauled(long_mm: float, peak_mm_s: float, fps: float) -> np.ndarray:
    """From rest to rest, evenly: smoothstep."""
    takes_s = 1.5 * long_mm / peak_mm_s
    share = np.clip((np.arange(int((takes_s + 0.5) * fps)) / fps - 0.2) / takes_s, 0, 1)
    return np.asarray(long_mm * share**2 * (3 - 2 * share))


def free(speed_mm_s: float, slowing_mm_s2: float, fps: float) -> np.ndarray:
    """A stroke, then Coulomb friction."""
    takes_s = speed_mm_s / slowing_mm_s2
    run = np.clip(np.arange(int((takes_s + 0.5) * fps)) / fps - 0.2, 0, takes_s)
    return np.asarray(speed_mm_s * run - 0.5 * slowing_mm_s2 * run**2)


@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("long_mm", [90.0, 200.0, 800.0])
def test_a_cue_puck_brought_along_is_dragged(fps: float, long_mm: float) -> None:
    for seed in range(5):
        drag = dragged(track(hauled(long_mm, 220.0, fps), fps, seed=seed))
        assert drag is not None
        assert drag.peak_mm_s == pytest.approx(220.0, rel=0.12)


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize("long_mm", [18.0, 30.0, 50.0])
def test_a_cue_puck_brought_a_little_way_is_dragged(fps: float, long_mm: float) -> None:
    told = [dragged(track(hauled(long_mm, 200.0, fps), fps, seed=seed)) for seed in range(8)]
    assert sum(drag is not None for drag in told) >= 7


@pytest.mark.parametrize("fps", [30.0, 60.0])
def test_a_place_half_hidden_by_the_cue_does_not_hide_that_it_was_brought(fps: float) -> None:
    way = track(hauled(25.0, 200.0, fps), fps)
    wild = int(np.argmax(np.hypot(way.x - 10.0, way.y - 20.0) > 1.0))
    way.x[wild] += 20.0
    assert dragged(way) is not None


@pytest.mark.parametrize("begun_s", [0.0, 0.01, 0.02, 0.03])
def test_a_drag_of_a_few_frames_is_told_where_friction_is_known(begun_s: float) -> None:
    fps, long_mm, takes_s = 30.0, 22.0, 0.15
    share = np.clip((np.arange(15) / fps + begun_s - 0.1) / takes_s, 0, 1)
    way = track(long_mm * share**2 * (3 - 2 * share), fps)
    first = int(np.argmax(np.hypot(way.x - 10.0, way.y - 20.0) > 1.0))
    way.x[first] -= 7.0  # the cue hides half of it
    way.y[first] += 5.0
    assert dragged(way, 1100.0) is not None


def test_a_drag_is_told_though_the_cue_hides_half_of_it_as_it_comes_down() -> None:
    way = track(hauled(95.0, 215.0, 30.0), 30.0)
    first = int(np.argmax(np.hypot(way.x - 10.0, way.y - 20.0) > 1.0))
    for k, along_mm in ((0, 9.0), (1, 13.0), (2, 6.0)):
        way.x[first + k] += 0.6 * along_mm
        way.y[first + k] += 0.8 * along_mm
    assert dragged(way) is not None


def test_a_first_drag_is_told_though_the_cue_hides_half_of_it_as_it_comes_down() -> None:
    # no friction is known yet
    for seed in range(5):
        way = track(hauled(180.0, 220.0, 30.0), 30.0, seed=seed)
        first = int(np.argmax(np.hypot(way.x - 10.0, way.y - 20.0) > 6.0))
        kept = np.r_[0 : first - 4, first : len(way.t)]
        for k in range(first, first + 3):
            way.x[k] -= 0.8 * 14.0
            way.y[k] += 0.6 * 14.0
        assert dragged(way.part(kept)) is not None


@pytest.mark.parametrize("begun_s", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize("slowing", [None, 1500.0])
def test_a_drag_is_told_though_the_cue_lay_over_all_of_its_beginning(
    begun_s: float, slowing: float | None
) -> None:
    fps, long_mm, takes_s = 30.0, 35.0, 0.24
    share = np.clip((np.arange(20) / fps + begun_s - 0.2) / takes_s, 0, 1)
    way = track(long_mm * share**2 * (3 - 2 * share), fps)
    hidden = (share > 0) & (share < 0.4)
    assert dragged(way.part(np.flatnonzero(~hidden)), slowing) is not None


@pytest.mark.parametrize("begun_s", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize("slowing", [None, 1500.0])
def test_a_soft_stroke_of_which_only_the_end_was_seen_is_no_drag(
    begun_s: float, slowing: float | None
) -> None:
    run = np.clip(np.arange(20) / 30.0 + begun_s - 0.2, 0, 0.216)
    way = track(324.0 * run - 0.5 * 1500.0 * run**2, 30.0)
    hidden = (run > 0) & (run < 0.08)
    assert dragged(way.part(np.flatnonzero(~hidden)), slowing) is None


def test_what_runs_on_after_friction_would_have_stopped_it_is_dragged() -> None:
    way = track(hauled(500.0, 220.0, 30.0), 30.0)
    for k in range(6, 14):  # where the cue comes down on it, it is seen here and there
        way.y[k] += 14.0 * (-1) ** k
    assert dragged(way) is not None


def test_a_drag_of_which_only_the_end_was_seen_is_told_where_friction_is_known() -> None:
    way = track(hauled(270.0, 220.0, 30.0), 30.0)
    seen = np.hypot(way.x - 10.0, way.y - 20.0) > 120.0
    half_seen = way.part(seen | (way.t < 0.2))
    assert dragged(half_seen) is None
    assert dragged(half_seen, 1100.0) is not None


@pytest.mark.parametrize("speed_mm_s", [150.0, 220.0, 290.0])
def test_a_slow_stroke_is_no_drag_where_friction_is_known(speed_mm_s: float) -> None:
    for slowing_mm_s2 in (900.0, 1100.0, 1300.0):
        assert dragged(track(free(speed_mm_s, slowing_mm_s2, 30.0), 30.0), 1100.0) is None


@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("speed_mm_s", [80.0, 150.0, 290.0, 600.0, 3000.0])
@pytest.mark.parametrize("slowing_mm_s2", [300.0, 1100.0, 2500.0])
def test_a_struck_cue_puck_is_not_dragged_however_weak_the_stroke(
    fps: float, speed_mm_s: float, slowing_mm_s2: float
) -> None:
    for seed in range(5):
        way = track(free(speed_mm_s, slowing_mm_s2, fps), fps, seed=seed)
        assert dragged(way) is None
        assert dragged(way, 0.9 * slowing_mm_s2) is None


def test_what_is_brought_as_fast_as_a_stroke_counts_as_one() -> None:
    assert dragged(track(hauled(500.0, 420.0, 60.0), 60.0)) is None


def test_what_hardly_moves_is_not_dragged() -> None:
    assert dragged(track(hauled(1.0, 20.0, 60.0), 60.0)) is None


def test_a_stroke_that_rested_and_was_set_running_once_more_is_no_drag() -> None:
    fps, frames = 30.0, 54
    run_s = np.arange(frames) / fps
    way = np.interp(run_s, [0.2, 0.3, 1.3], [0.0, 280.0, 280.0])
    again = np.clip(run_s - 1.3, 0.0, 0.28)
    way += 250.0 * again - 0.5 * 900.0 * again**2
    for seed in range(20):
        assert dragged(track(way, fps, seed=seed), 900.0) is None


def test_a_stroke_that_two_men_stopped_and_a_third_set_running_again_is_no_drag() -> None:
    fast = [(-240.6, -193.1), (-301.1, -140.8)]
    slow = [
        *((-331.9, -115.2), (-340.3, -109.2), (-348.3, -104.1), (-344.4, -99.3), (-339.7, -95.3)),
        *((-335.8, -91.9), (-332.6, -89.0), (-330.1, -87.0), (-328.4, -85.5), (-327.5, -84.7)),
    ]
    again = [
        *((-330.1, -86.0), (-342.3, -92.4), (-345.4, -98.4), (-337.3, -103.7), (-329.9, -108.5)),
        *((-323.3, -113.0), (-317.5, -116.7), (-312.6, -119.9), (-308.5, -122.5)),
        *((-305.3, -124.7), (-302.9, -126.3), (-301.3, -127.2), (-300.6, -127.7)),
    ]
    home, stood, lies = (-172.2, -251.8), (-327.3, -84.6), (-300.5, -127.8)
    ways = np.array([home, home, *fast, *slow, *[stood] * 11, *again, *[lies] * 15])
    for seed in range(20):
        draw = np.random.default_rng(seed)
        x, y = (ways + draw.normal(0, 0.1, ways.shape)).T
        way = replace(track(x, 30.0), kind="striker", home=home, x=x, y=y)
        way = way.part(np.arange(len(x)) != 1)  # the finger hides it as it sets off
        assert dragged(way, 1200.0) is None
        assert dragged(way) is None


@pytest.mark.parametrize("slowing", [None, 900.0])
def test_a_piece_first_seen_after_a_cushion_turned_it_was_not_brought(
    slowing: float | None,
) -> None:
    fps = 30.0
    t = np.arange(-1, 18) / fps
    left = 0.357 - np.clip(t, 0.0, 0.357)
    for seed in range(20):
        draw = np.random.default_rng(seed)
        seen = Track(
            name="striker",
            kind="striker",
            radius_mm=20.65,
            mass=1.0,
            home=(-25.0, -252.0),
            home_error_mm=0.1,
            t=t,
            x=-101.0 + 0.35 * 445.0 * left**2 + np.where(t < 0, 4.0, 0.0),
            y=-296.1 - 0.94 * 445.0 * left**2 + draw.normal(0, 0.1, len(t)) + 13.0 * (t < 0),
            sigma=np.full(len(t), 0.18),
        )
        assert dragged(seen, slowing) is None


@pytest.mark.parametrize("slowing", [None, 900.0])
def test_a_stroke_first_seen_as_the_cushion_sends_it_past_where_it_began_is_no_drag(
    slowing: float | None,
) -> None:
    along = np.array(
        [
            *(268.4, 254.2, 240.4, 227.9, 216.5, 205.9, 196.4, 187.8, 180.3, 173.8, 168.3),
            *(163.8, 160.3, 157.8, 156.2, *(155.7,) * 9),
        ]
    )
    for seed in range(5):
        draw = np.random.default_rng(seed)
        x, y = -19.9 - 0.018 * (along - 155.7), along
        way = replace(track(along, 30.0), kind="striker", radius_mm=20.65, home=(-24.5, 250.9))
        way = replace(way, x=x + draw.normal(0, 0.05, len(x)), y=y, sigma=np.full(len(x), 0.18))
        assert dragged(way, slowing) is None


def test_a_stroke_that_comes_back_past_where_it_began_is_no_drag() -> None:
    fps = 30.0
    out = free(3200.0, 810.0, fps)[:9]
    back = out[-1] - free(660.0, 810.0, fps)[6:]
    assert dragged(track(np.concatenate([out, back]), fps)) is None
    assert dragged(track(np.concatenate([out, back]), fps), 810.0) is None


@pytest.mark.parametrize(("speed_mm_s", "room_mm"), [(870.0, 65.0), (800.0, 48.0)])
def test_a_stroke_that_a_cushion_close_by_turns_at_once_is_no_drag(
    speed_mm_s: float, room_mm: float
) -> None:
    fps, slowing = 30.0, 1000.0
    run = np.clip(np.arange(40) / fps - 0.39, 0, 0.66)
    far = speed_mm_s * run - 0.5 * slowing * run**2
    # back past where it began
    way = np.where(far > room_mm, room_mm - 0.75 * (far - room_mm), far)
    assert dragged(track(way, fps)) is None
    assert dragged(track(way, fps), slowing) is None


@pytest.mark.parametrize("amiss", range(1, 6))
def test_a_drag_of_which_one_place_is_amiss_is_no_stroke(amiss: int) -> None:
    way = track(hauled(95.0, 280.0, 30.0), 30.0)
    first = int(np.argmax(np.hypot(way.x - 10.0, way.y - 20.0) > 2.0))
    way.x[first + amiss] += 20.0
    assert dragged(way, 1000.0) is not None


@pytest.mark.parametrize(
    ("kind", "lost", "frames", "by_hand"),
    [
        ("striker", True, 15, True),
        ("striker", False, 15, False),
        ("striker", True, 22, True),
        ("carromman", False, 22, True),
    ],
    ids=["lost ever faster", "still seen", "lost as the hand slows down", "a man"],
)
def test_what_runs_ever_faster_was_carried(
    kind: str, lost: bool, frames: int, by_hand: bool
) -> None:
    fps = 30.0
    way = track(hauled(500.0, 1200.0, fps)[:frames], fps)
    assert carried(replace(way, kind=kind, lost=lost)) is by_hand
    assert carried(replace(way, kind=kind, lost=lost), left=True)
    struck = track(free(1500.0, 900.0, fps)[:frames], fps)
    assert not carried(replace(struck, kind=kind, lost=lost), left=True)
    again = np.concatenate(
        [free(600.0, 900.0, fps)[:14], 200.0 + free(1500.0, 900.0, fps)[6:frames]]
    )
    assert not carried(replace(track(again, fps), kind=kind, lost=lost))


@pytest.mark.parametrize("fps", [25.0, 30.0, 60.0])
@pytest.mark.parametrize("speed_mm_s", [250.0, 400.0, 1200.0])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_led_along_gathers_speed_and_what_was_flicked_does_not(
    speed_mm_s: float, fps: float, seed: int
) -> None:
    led = track(hauled(0.5 * speed_mm_s, speed_mm_s, fps), fps, seed=seed)
    assert gathers_speed(led)
    flicked = track(free(speed_mm_s, 600.0, fps), fps, noise_mm=0.3, seed=seed)
    assert not gathers_speed(flicked)
    half_hidden = flicked.x + np.linspace(3.0, 0.0, len(flicked.x)) ** 2 / 3.0
    assert not gathers_speed(replace(flicked, x=half_hidden))


@pytest.mark.parametrize("begun_s", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize("frames", [7, 8])
def test_a_striker_lost_within_a_few_frames_as_it_gathered_speed_was_carried(
    begun_s: float, frames: int
) -> None:
    fps, long_mm, takes_s = 30.0, 600.0, 0.4
    share = np.clip((np.arange(frames) / fps + begun_s - 0.1) / takes_s, 0, 1)
    for seed in range(5):
        way = track(long_mm * share**2 * (3 - 2 * share), fps, seed=seed)
        assert carried(replace(way, kind="striker", lost=True))
        assert not carried(replace(way, kind="striker", lost=False))


@pytest.mark.parametrize(
    ("way_mm", "left", "by_hand"),
    [
        ((4.7, 9.3, 20.9, 38.1, 60.0), True, True),
        ((4.7, 9.3, 20.9, 38.1, 60.0), False, False),
        ((4.7, 9.3, 20.9), True, False),
        ((20.0, 39.0, 66.0, 92.0, 119.0), True, False),
    ],
    ids=["taken off", "it lies there", "seen but thrice", "hit twice"],
)
def test_a_man_beside_the_border_who_gathered_speed_from_step_to_step_was_taken_off(
    way_mm: tuple[float, ...], left: bool, by_hand: bool
) -> None:
    man = replace(track(np.array([0.0, 0.0, *way_mm]), 30.0), kind="carromman")
    assert carried(man, left=left) is by_hand


@pytest.mark.parametrize("amiss_mm", [-7.0, 7.0])
@pytest.mark.parametrize("speed_mm_s", [350.0, 1000.0, 2500.0])
@pytest.mark.parametrize("seen", [2, 3, 4])
def test_a_stroke_of_a_few_frames_was_not_carried_though_a_place_is_amiss(
    seen: int, speed_mm_s: float, amiss_mm: float
) -> None:
    way = free(speed_mm_s, 900.0, 30.0)
    first = int(np.argmax(way > 2.0))
    for wrong in range(first, first + seen):
        run = track(way[: first + seen], 30.0)
        run.y[wrong] += amiss_mm
        assert not carried(replace(run, kind="striker", lost=True))


def test_a_man_found_again_running_faster_than_it_was_lost_was_carried() -> None:
    pushed = track(free(400.0, 900.0, 30.0), 30.0)
    assert not runs_faster(pushed)
    other = 180.0 + free(1700.0, 3000.0, 30.0)
    assert runs_faster(track(np.concatenate([free(400.0, 900.0, 30.0)[:9], other[6:]]), 30.0))


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
def test_a_man_whom_a_dragged_piece_pushes_off_does_not_outrun_it(fps: float) -> None:
    for speed_mm_s in (100.0, 300.0, 500.0):
        assert not outruns_drags(track(free(speed_mm_s, 900.0, fps), fps), since_s=0.2)


@pytest.mark.parametrize("kept", [slice(None), slice(9, 10), slice(12, 14)])
def test_a_man_whom_a_stroke_sends_off_outruns_all_that_are_dragged(kept: slice) -> None:
    fps = 30.0
    way = track(free(2200.0, 900.0, fps), fps)
    seen = replace(way, t=way.t[kept], x=way.x[kept], y=way.y[kept], sigma=way.sigma[kept])
    assert outruns_drags(seen, since_s=0.2)


STOPPED_BY_THE_RACK_MM = [
    *((35.0, -111.9), (32.7, -83.3), (34.8, -79.7), (37.4, -78.1), (39.2, -77.0), (40.1, -76.4)),
    *((40.3, -76.3), (40.3, -76.4), (40.3, -76.4), (44.1, -81.0), (48.1, -85.9), (51.7, -90.1)),
    *((54.5, -93.3), (56.6, -95.8), (58.0, -97.5), (59.1, -98.9), (60.6, -100.9), (61.5, -102.2)),
    *[(62.0, -102.8)] * 39,
]


@pytest.mark.parametrize(("unseen_s", "was_dragged"), [(1 / 30, False), (0.06, False), (0.6, True)])
def test_what_came_out_farther_than_a_hand_takes_it_since_it_was_seen_was_not_dragged(
    unseen_s: float, was_dragged: bool
) -> None:
    """A striker seen once on its way to the rack, which stops it and sends it on, slowly."""
    x, y = np.array(STOPPED_BY_THE_RACK_MM).T
    way = replace(
        track(np.zeros(len(x)), 30.0, noise_mm=0.18),
        kind="striker",
        radius_mm=20.65,
        home=(49.2, -253.6),
        x=x,
        y=y,
        lay_s=-unseen_s,
    )
    assert (dragged(way, 900.0) is not None) == was_dragged
