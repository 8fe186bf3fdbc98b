"""What gathers speed on its way was carried by a hand, unless it flew."""

from collections.abc import Sequence

import numpy as np
import pytest

from rules.facts import Struck
from sightline.simulated.boards import club_board
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.by_hand import by_hand
from vision.trajectories.leaving import lost_into
from vision.trajectories.shots import solve_tracks
from vision.trajectories.timeline import Timeline
from vision.trajectories.timelines import timelines

BOARD = club_board("qsquare", (960, 720))
FRAME_S = 1 / 30
WAY_MM = (340.0, 340.0, 325.6, 249.7, 166.2, 76.9, -16.3, -110.5, -206.0, -303.0, -400.0, -452.0)
"""A puck that rises and comes down: its places as a camera above takes them, frame by frame."""


SLOWER_MM = tuple(-452.0 + 0.55 * (x + 452.0) for x in WAY_MM)
"""One that goes as far as the border as well, but is not as fast."""
CARRIED_MM = (340.0, 340.0, 325.6, 291.0, 245.0, 184.0, 111.0, 34.0, -44.0, -122.0)
"""A puck in a hand that takes it away over the border."""


@pytest.mark.parametrize(
    ("way_mm", "flew", "hand"),
    [
        (WAY_MM, True, False),
        (WAY_MM, False, False),
        (SLOWER_MM, False, True),
        (CARRIED_MM, True, True),
    ],
    ids=[
        "hit, it rises",
        "nowhere seen past the border, but faster at once than a hand is",
        "nowhere seen past the border, and not as fast",
        "it sets off slowly",
    ],
)
def test_a_man_that_gathers_speed_on_his_way_off_the_board_was_carried_if_he_set_off_slowly(
    way_mm: tuple[float, ...], flew: bool, hand: bool
) -> None:
    x = np.array(way_mm)
    t = np.arange(len(x)) * FRAME_S
    past = (float(t[-1]) + FRAME_S, way_mm[-1] - 66.0, -71.0)
    track = Track(
        "red-1",
        "puck",
        12.5,
        1.0,
        (way_mm[0], -205.0),
        0.1,
        t,
        x,
        -205.0 + 0.16 * (way_mm[0] - x),
        np.full(len(x), 0.15),
        lost=True,
        flew=past if flew else None,
    )
    followed = timelines([track], BOARD, FRAME_S, float(t[-1]) + 1.0)
    lines = [lost_into(line, BOARD, FRAME_S) for line in followed]
    assert (0 in by_hand(lines, [], BOARD)) is hand


@pytest.mark.parametrize(("hidden_s", "struck"), [(0.1, ["black-1"]), (0.9, [])])
def test_a_man_that_a_hand_hid_for_long_before_he_seemed_to_run_was_not_struck(
    hidden_s: float, struck: list[str]
) -> None:
    lay, run = np.arange(6) / 30, np.arange(12) / 30
    t = np.concatenate([lay, lay[-1] + hidden_s + run])
    way = np.concatenate([0.0 * lay, 26.0 + 1000.0 * run - 450.0 * run**2])
    x = way + np.random.default_rng(0).normal(0.0, 0.1, len(t))
    error = np.full(len(t), 0.15)
    man = Track("black-1", "carromman", 15.9, 0.2, (0.0, 0.0), 0.1, t, x, 0.0 * t, error)
    told = spell_facts(solve_tracks([man], BOARD, frame_s=FRAME_S, until_s=float(t[-1])))
    assert [fact.piece for fact in told if isinstance(fact, Struck)] == struck


TAKEN_MM = (0.0, 0.0, 6.0, 15.0, 37.0, 58.0, 72.0, 92.0, 114.0, 138.0, 164.0, 190.0)
"""A cue-puck that a hand takes up and away: it looks like one that runs, now faster, now slower."""
OUT_MM = (*(213.0, 232.0, 247.0, 258.0, 264.0, 266.0), *[266.5] * 12)
STRUCK_MM = (0.0, 0.0, 22.0, 52.0, 81.0, 109.0, 136.0, 162.0, 187.0, 211.0, 234.0, 256.0)


@pytest.mark.parametrize(
    ("way_mm", "rests", "hand"),
    [(TAKEN_MM, False, True), (TAKEN_MM, True, False), (STRUCK_MM, False, False)],
    ids=[
        "it ran faster and was lost",
        "a cue pushed it on, and it rests",
        "it was struck and lost",
    ],
)
def test_a_cue_puck_alone_on_its_way_that_ran_faster_and_came_to_rest_nowhere_was_taken_off(
    way_mm: tuple[float, ...], rests: bool, hand: bool
) -> None:
    way = np.array([*way_mm, *(OUT_MM if rests else ())])
    t = np.arange(len(way)) * FRAME_S
    error = np.full(len(way), 0.35)
    track = Track(
        "cue-puck", "cue-puck", 23.5, 1.0, (0.0, 0.0), 0.1, t, way, 0 * way, error, lost=not rests
    )
    lines = timelines([track], BOARD, FRAME_S, float(t[-1]) + (0.0 if rests else 1.0))
    assert (0 in by_hand(lines, [], BOARD)) is hand


HELD_MM = (
    *((-60.2, 38.9), (-61.5, 38.4), (-61.1, 32.7), (-56.8, 31.1), (-39.9, 24.1), (-27.0, 19.5)),
    *((-16.2, 14.1), (-14.3, 13.4), (-46.7, 100.5), (-47.1, 134.8), (-45.1, 143.6)),
)
"""A hand over a striker that it takes up: now and then it looks like one that runs."""
FOLLOWED_MM = (
    *((1.7, 0.7), (-46.4, 172.8), (-56.7, 72.2), (-49.3, 58.1), (-36.3, 31.9), (-10.0, 0.0)),
    *((10.3, -28.8), (-31.2, -4.2), (-29.7, 29.8), (-16.5, 77.3), (-24.8, 98.9), (-4.3, 116.7)),
    *((173.9, 170.1), (217.4, 263.3), (166.4, 257.9), (300.9, 329.0), (307.5, 323.2)),
    (311.2, 322.7),
)
"""A hand that is followed all the way in place of the striker that it takes along."""
ASTRAY_MM = ((-1.0, 0.6), (-46.3, 172.8), (46.6, 69.5))
"""A striker that goes into a hand, and places of that hand."""
BOUNCED_MM = tuple((x, 0.0) for x in (70.0, 170.0, 270.0, 370.0, 470.0, 429.0, 359.0, 289.0))
"""A striker that turns at a cushion, 17 mm on from where it was seen before that."""
TURNED_MM = (
    *((48.6 + 67.1 * k, -29.6 - 41.1 * k) for k in range(7)),
    *((461.7 - 53.5 * k, -317.5 - 40.6 * k) for k in range(4)),
)
"""A striker that a cushion turns just before it is seen there, so that its way seems to bend."""
LIFTED_MM = ((-2.3, 1.0), (-6.3, 3.2))
"""A striker that is seen twice as fingers lift it."""
SHIFTED_MM = ((0.6, -0.2), (-1.7, -0.1), (-7.2, 2.4))
"""A striker on which a hand was laid that seems to shift it."""
SHADED_MM = ((0.2, 0.1), (1.0, 0.5), (1.2, -0.2), (1.4, -0.9))
"""A striker that shows half beside a hand, where it lay."""
LED_AWAY_MM = tuple((0.6 * k, -0.8 * k) for k in range(2, 40))
"""A striker that a hand slowly leads away from where it lay."""
LED_ALONG_MM = tuple(
    (x, 0.5)
    for x in (
        *(0.5, 2.2, 6.7, 13.8, 22.5, 32.8, 44.1, 55.8, 68.0, 79.9, 91.0, 101.1, 109.6, 116.2),
        *(120.2, 121.5, 121.5),
    )
)
"""A striker that a fingertip leads along the base line, in sight all the way."""
RUN_MM = tuple((-v, 0.46 * v) for k in range(1, 28) for v in (26.0 * k - 0.45 * k * k,))
"""A striker that was flicked and runs out."""


@pytest.mark.parametrize(
    ("way_mm", "unseen_s", "lies_mm", "hand"),
    [
        (HELD_MM, 0.77, (24.8, 333.5), True),
        (FOLLOWED_MM, 0.23, (291.3, 319.7), True),
        (ASTRAY_MM, 1.13, (291.3, 319.9), True),
        (BOUNCED_MM, 0.9, (-150.0, 0.0), False),
        (TURNED_MM, 0.9, (-150.0, -200.0), False),
        (LIFTED_MM, 0.6, (-255.2, 96.5), True),
        (SHIFTED_MM, 0.87, (-333.4, 91.8), True),
        (SHADED_MM, 0.87, (80.1, -21.7), True),
        (LED_AWAY_MM, 0.77, (232.5, -70.6), True),
        (LED_ALONG_MM, 0.0, LED_ALONG_MM[-1], True),
        (((-2.3, 1.0), *RUN_MM), 0.0, RUN_MM[-1], False),
        (RUN_MM[:6], 0.74, RUN_MM[-1], False),
    ],
    ids=[
        "it looked like the hand",
        "followed all the way",
        "it turned in mid-board",
        "it turned at a cushion",
        "it was seen just after it had turned at a cushion",
        "lifted",
        "shifted, and then seen far off",
        "half hidden where it lay, and then seen elsewhere",
        "slowly led away, and then seen far off",
        "led along a base line in sight",
        "seen before the flick was over",
        "hidden at last",
    ],
)
def test_a_striker_alone_that_ran_as_none_does_and_did_not_run_out_was_laid_there(
    way_mm: tuple[tuple[float, float], ...],
    unseen_s: float,
    lies_mm: tuple[float, float],
    hand: bool,
) -> None:
    way = np.array([(0.0, 0.0)] * 4 + [*way_mm] + [lies_mm] * 6)
    t = np.arange(len(way)) * FRAME_S
    t[-6:] += unseen_s
    error = np.full(len(way), 0.2)
    striker = Track("striker", "striker", 20.6, 1.0, (0.0, 0.0), 0.1, t, *way.T, error)
    lines = timelines([striker], BOARD, FRAME_S, float(t[-1]))
    assert (0 in by_hand(lines, [], BOARD)) is hand


def test_a_striker_that_a_hand_half_hid_at_its_place_and_that_is_seen_far_off_later_was_laid() -> (
    None
):
    # so far aside it may lie at home still, or not: the one place says this, the next that
    x = [-239.16, -238.83, -238.13, -238.32, -238.38, -238.32, -238.37, 313.01, *[312.7] * 9]
    y = [337.29, 337.14, 336.32, 335.88, 335.88, 335.88, 335.89, 253.73, *[253.89] * 9]
    t = [0.0, 0.033, 0.067, 0.1, 0.133, 0.167, 0.233, *(1.4 + FRAME_S * k for k in range(10))]
    error = np.array([0.18] * 3 + [0.185] * 4 + [8.36] + [0.18] * 9)
    home = (-239.656, 337.054)
    striker = Track(
        *("striker", "striker", 20.6, 1.0, home, 0.25, np.array(t), np.array(x), np.array(y)),
        error,
        lay_s=-FRAME_S,
    )
    board = club_board("carrom", (960, 720))
    lines = timelines([striker], board, FRAME_S, t[-1])
    assert lines[0].moved
    assert by_hand(lines, [], board) == {0}


@pytest.mark.parametrize(
    ("way_mm", "hand"),
    [
        ((0.4, 1.6), True),
        ((0.0, 0.0, 57.0, 22.0, *[1.6] * 12), True),
        ((0.0, 0.0, 9.0, 17.0, 22.0, *[24.0] * 12), False),
    ],
    ids=["as a hand beside it makes it seem", "taken for another for a while", "pushed on"],
)
def test_a_striker_is_alone_on_its_way_also_where_a_man_only_seems_to_have_moved(
    way_mm: tuple[float, ...], hand: bool
) -> None:
    t = np.array([0.0, 0.1, 0.7, 0.9, 1.03, *np.arange(1.5, 2.0, FRAME_S)])
    way = np.array([(-136.0, 323.0)] * 2 + [(62.0, -186.0), (102.0, -143.0), (150.0, -171.0)])
    way = np.pad(way, ((0, len(t) - len(way)), (0, 0)), constant_values=176.0)
    way[5:, 1] = -251.0
    error = np.where(np.arange(len(t)) == 2, 8.0, 0.2)
    striker = Track("striker", "striker", 20.6, 1.0, (-136.0, 323.0), 0.1, t, *way.T, error)
    x = np.array(way_mm)
    seen_s, error = 0.3 + np.arange(len(x)) * 0.1, np.full(len(x), 0.18)
    man = Track("white-1", "carromman", 15.9, 0.3, (0.0, 0.0), 0.1, seen_s, x, 0 * x, error)
    lines = timelines([striker, man], BOARD, FRAME_S, float(t[-1]))
    assert len(lines[1].phases) > 1
    assert (0 in by_hand(lines, [], BOARD)) is hand


AWAY_MM = (0.0, 0.0, -8.8, -41.1, -89.6, -150.0, -222.9, -302.0, -382.8, -462.7, -538.6)


@pytest.mark.parametrize("taken", [True, False], ids=["taken off by a hand", "lying there"])
def test_a_man_laid_elsewhere_while_a_hand_takes_the_striker_off_was_not_struck(
    taken: bool,
) -> None:
    t = np.arange(60) * FRAME_S
    error = np.full(60, 0.18)
    home = (-247.6, 0.0)
    n = len(AWAY_MM) if taken else 60
    y = np.array(AWAY_MM) if taken else np.zeros(60)
    striker = Track(
        *("striker", "striker", 20.6, 1.0, home, 0.1, t[:n], np.full(n, home[0]), y, error[:n]),
        lost=taken,
    )
    seen = np.r_[0, 35, 43:60]
    x = np.where(np.arange(60) < 30, 0.0, np.where(np.arange(60) < 40, 26.2, 53.6))
    man = Track(
        *("black-3", "carromman", 15.9, 0.2, (0.0, 0.0), 0.1, t[seen], x[seen], 0.0 * seen),
        error[seen],
        lay_s=10 * FRAME_S,
    )
    spell = solve_tracks([striker, man], BOARD, frame_s=FRAME_S, until_s=float(t[-1]))
    assert not [fact for fact in spell_facts(spell) if isinstance(fact, Struck)]


SEEN_AT_LAST_MM = ((267.3, 504.7), (284.1, 388.7))
"""Places of a hand that has taken a striker up, and looks like it as it comes in sight."""


@pytest.mark.parametrize(("unseen_s", "hand"), [(0.63, True), (0.1, False)])
def test_a_striker_alone_that_was_seen_long_after_it_lay_and_then_lost_was_taken_up(
    unseen_s: float, hand: bool
) -> None:
    way = np.array([(0.0, 0.0)] * 4 + [*SEEN_AT_LAST_MM])
    t = np.arange(len(way)) * FRAME_S
    t[4:] += unseen_s - FRAME_S
    error = np.full(len(way), 0.3)
    striker = Track("striker", "striker", 20.6, 1.0, (0.0, 0.0), 0.1, t, *way.T, error, lost=True)
    lines = timelines([striker], BOARD, FRAME_S, float(t[-1]) + 1.0)
    assert lines[0].moved
    assert (0 in by_hand(lines, [], BOARD)) is hand


@pytest.mark.parametrize(("unseen_s", "hand"), [(0.7, True), (0.1, False)])
def test_a_striker_alone_that_came_farther_unseen_than_a_hand_hides_and_never_ran_in_sight_was_laid(
    unseen_s: float, hand: bool
) -> None:
    t = unseen_s + np.r_[0.0, 0.167, 0.367, 0.4 + np.arange(10) * FRAME_S]
    way = np.array([(273.4, 148.8), (255.2, 83.7), (258.3, 86.7), *[(257.0, 84.1)] * 10])
    error = np.array([6.3, 0.3, 0.2, *[0.2] * 10])
    home = (0.0, 0.0)
    striker = Track("striker", "striker", 20.6, 1.0, home, 0.1, t, *way.T, error, lay_s=0.0)
    lines = timelines([striker], BOARD, FRAME_S, float(t[-1]))
    assert lines[0].moved
    assert (0 in by_hand(lines, [], BOARD)) is hand


RUNS_OUT_MM = tuple(0.83 * k * k for k in range(8, 0, -1))
"""How far a striker is from where it comes to rest, frame by frame."""


@pytest.mark.parametrize(
    ("short_mm", "hand"),
    [((0.6, 0.0, 0.02, 0.01), True), ((*RUNS_OUT_MM, 0.0, 0.0, 0.0, 0.0), False)],
    ids=["beside the hand", "on its way"],
)
def test_a_striker_that_comes_in_sight_where_it_lies_has_not_run_out_there(
    short_mm: tuple[float, ...], hand: bool
) -> None:
    away = 560.0 - np.array(short_mm)
    t = 1.333 + np.arange(len(away)) * FRAME_S
    striker = Track(
        *("striker", "striker", 20.6, 1.0, (0.0, 0.0), 0.1, t, 0.42 * away, -0.907 * away),
        np.full(len(away), 0.18),
        lay_s=0.0,
    )
    lines = timelines([striker], BOARD, FRAME_S, float(t[-1]))
    assert lines[0].moved
    assert (0 in by_hand(lines, [], BOARD)) is hand


LED_MM = ((0.95, -1.47), (1.02, -1.54), (7.91, -10.04), (26.31, -19.26))
"""A striker that a hand takes up, until nobody sees it any more."""
LAID_MM = ((232.52, -71.46), (232.54, -70.64), (232.44, -70.40), *[(232.33, -70.53)] * 10)
"""The same striker as the hand lets go of it."""


def test_a_striker_slow_until_it_came_farther_unseen_than_a_hand_hides_was_laid() -> None:
    t = 370.0 + np.r_[0.003, 0.07, 0.17, 0.236, 0.903 + np.arange(13) * FRAME_S]
    error = np.array([0.2, 0.4, 0.38, 0.5, 0.28, 0.23, *[0.18] * 11])
    way = np.array([*LED_MM, *LAID_MM])
    striker = Track("striker", "striker", 20.6, 1.0, (0.0, 0.0), 0.1, t, *way.T, error)
    lines = timelines([striker], BOARD, FRAME_S, float(t[-1]))
    assert lines[0].moved
    assert by_hand(lines, [], BOARD) == {0}


CLEARED_MM = (*(0.0, 0.0, 3.4, 8.1, 36.6, 79.2, 132.6, 193.2, 259.6, 328.6, 396.8), 461.0)
"""A man whom a hand takes up and off the board, ever faster."""
FREE_MM = (0.0, 0.0, 40.0, 79.0, 117.0, 154.0)


@pytest.mark.parametrize(
    ("striker_mm", "man_mm", "hand"),
    [
        ((0.0, 0.0, 4.0), CLEARED_MM, True),
        (FREE_MM, CLEARED_MM, False),
        ((0.0, 0.0, 4.0), (), False),
    ],
    ids=["beside a man taken up", "but it ran freely", "by itself"],
)
def test_a_striker_hardly_seen_and_lost_beside_men_who_were_taken_up_went_with_them(
    striker_mm: tuple[float, ...], man_mm: tuple[float, ...], hand: bool
) -> None:
    tracks = []
    for name, x_mm, way_mm in (("striker", -200.0, striker_mm), ("black-1", 136.0, man_mm)):
        way = np.array(way_mm)
        t, error = np.arange(len(way)) * FRAME_S, np.full(len(way), 0.18)
        kind = name if name == "striker" else "carromman"
        home = (x_mm, 300.0)
        tracks.append(
            Track(
                name, kind, 16.0, 1.0, home, 0.1, t, x_mm + 0 * way, 300.0 - way, error, lost=True
            )
        )
    tracks = [track for track in tracks if len(track.t)]
    lines = timelines(tracks, BOARD, FRAME_S, 2.0)
    assert (0 in by_hand(lines, [], BOARD)) is hand


def both(
    striker_mm: Sequence[tuple[float, float]], man_mm: Sequence[tuple[float, float]]
) -> list[Timeline]:
    """A striker that lay at (-200, -150) and a man who lay at (136, 100), by how far they went."""
    tracks = []
    for name, home, way in (
        ("striker", (-200.0, -150.0), striker_mm),
        ("carromman", (136.0, 100.0), man_mm),
    ):
        x, y = np.array([(0.0, 0.0), *way]).T
        t, error = np.arange(len(x)) * FRAME_S, np.full(len(x), 0.18)
        tracks.append(
            Track(name, name, 16.0, 1.0, home, 0.1, t, home[0] + x, home[1] + y, error, lost=True)
        )
    return timelines(tracks, BOARD, FRAME_S, 2.0)


UP_MM = [(0.0, y) for y in (4.0, 13.0, 37.0, 72.0, 116.0, 166.0, 221.0, 277.0)]
"""A man whom a hand takes up, ever faster."""


@pytest.mark.parametrize(
    ("striker_mm", "hand"),
    [
        ([(-0.4, y + 1.5) for _, y in UP_MM[:3]], True),
        ([(0.0, 30.0 * k) for k in range(1, 5)], False),
        ([(-8.0, -30.0), (-15.0, -58.0), (-21.0, -84.0), (-27.0, -109.0)], False),
    ],
    ids=["with him", "faster from the first", "the other way"],
)
def test_what_goes_the_same_way_as_a_man_whom_a_hand_takes_up_is_taken_up_too(
    striker_mm: list[tuple[float, float]], hand: bool
) -> None:
    lines = both(striker_mm, UP_MM)
    assert (by_hand(lines, [], BOARD) == {0, 1}) is hand
    assert 1 in by_hand(lines, [], BOARD)


@pytest.mark.parametrize(
    ("at_mm", "hand"),
    [((-18.0, 290.0), True), ((-10.0, 160.0), False)],
    ids=["8.7 m/s", "4.8 m/s"],
)
def test_a_striker_that_came_farther_at_once_than_a_finger_sends_it_was_carried_and_the_men_too(
    at_mm: tuple[float, float], hand: bool
) -> None:
    lines = both([at_mm], [(0.0, -5.0), (-1.0, -12.0), (-2.0, -29.0), (-4.0, -55.0)])
    assert by_hand(lines, [], BOARD) == ({0, 1} if hand else set())


@pytest.mark.parametrize(
    ("game", "places", "carried"),
    [("carrom", 3, True), ("carrom", 8, False), ("qsquare", 3, False)],
    ids=["hardly seen", "in plain sight", "where a cue strikes"],
)
def test_a_man_that_seems_struck_himself_where_fingers_strike_was_seen_to_run(
    game: str, places: int, carried: bool
) -> None:
    kind = "carromman" if game == "carrom" else "puck"
    t = 0.5 + np.arange(places) * FRAME_S
    x = 600.0 * (t - 0.49) - 300.0 * (t - 0.49) ** 2
    man = Track(
        "man",
        kind,
        15.6,
        1900.0,
        (0.0, 0.0),
        0.1,
        np.append([0.4, 0.4333, 0.4667], t),
        np.append([0.0, 0.0, 0.0], x),
        np.zeros(places + 3),
        np.full(places + 3, 0.18),
    )
    spell = solve_tracks([man], club_board(game, (960, 720)), frame_s=FRAME_S, until_s=1.5)
    struck = [fact for fact in spell_facts(spell) if isinstance(fact, Struck)]
    assert not struck if carried else struck
