"""From tracks to facts: who touched whom, in which order, and when. No pictures."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from testkit.tracks import played, random_shot, tracks_of

from rules.board import Board
from rules.facts import Contacted, Cushioned, Fact, LeftBoard, Pocketed, Struck, Travelled
from sightline.simulated.boards import club_board
from sightline.simulated.physics import Run
from sightline.simulated.pieces import Lying, surface_of
from vision.telling.spell_facts import spell_facts
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.shots import solve_tracks
from vision.trajectories.timelines import timelines
from vision.trajectories.unseen_strikes import struck_before_touching

BOARD = club_board()


def laid(board: Board, *places: tuple[str, str, float, float]) -> tuple[Lying, ...]:
    return tuple(
        Lying(name=name, spec=next(s for s in board.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for name, kind, x, y in places
    )


def seen(run: Run, lying: tuple[Lying, ...], fps: float, noise_mm: float = 0.15) -> list[Fact]:
    tracks, end = tracks_of(
        run, lying, fps=fps, noise_mm=noise_mm, exposure_s=min(0.004, 0.9 / fps), seed=4
    )
    return spell_facts(solve_tracks(tracks, BOARD, frame_s=1 / fps, until_s=end))


def contacts(facts: list[Fact]) -> list[tuple[str, str]]:
    return [(f.a, f.b) for f in facts if isinstance(f, Contacted)]


@pytest.mark.parametrize("fps", [25, 30, 60, 120, 240])
def test_a_full_hit_is_timed_between_the_frames(fps: float) -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 5, 40))
    run = played(BOARD, lying, (0, 1600))
    facts = seen(run, lying, fps)
    true = next(h for h in run.happenings if h.what == "contact")
    hit = next(f for f in facts if isinstance(f, Contacted))
    assert {hit.a, hit.b} == {"cue-puck", "red-1"}
    assert hit.at_ms == pytest.approx(1000 * true.at_s, abs=0.6)
    struck = next(f for f in facts if isinstance(f, Struck))
    assert struck.piece == "cue-puck"
    assert struck.at_ms == pytest.approx(350, abs=0.6)


@pytest.mark.parametrize("gap_mm", [1.5, 4.0])
def test_a_piece_passed_without_touching_is_not_touched(gap_mm: float) -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 0, 100))
    reach = lying[0].radius_mm + lying[1].radius_mm + gap_mm
    moved = (lying[0], Lying(name="red-1", spec=lying[1].spec, x_mm=reach, y_mm=100.0))
    facts = seen(played(BOARD, moved, (0, 1200)), moved, 60)
    assert contacts(facts) == []


def test_a_cushion_before_the_first_contact_is_told_in_its_place() -> None:
    alone = laid(BOARD, ("cue-puck", "cue-puck", -100, 0))
    push = (500.0, 2200.0)
    free = played(BOARD, alone, push)
    bounced = next(h for h in free.happenings if h.what == "cushion")
    x, y = free.place("cue-puck", bounced.at_s + 0.12)
    lying = (*alone, *laid(BOARD, ("red-1", "puck", x, y)))
    facts = seen(played(BOARD, lying, push), lying, 60)
    told = [type(f) for f in facts if isinstance(f, Cushioned | Contacted)]
    assert told[:2] == [Cushioned, Contacted]
    first = next(f for f in facts if isinstance(f, Cushioned))
    assert first.border.value == bounced.where
    assert first.at_ms == pytest.approx(1000 * bounced.at_s, abs=0.6)
    assert any(isinstance(f, Travelled) and f.piece == "cue-puck" for f in facts)


def test_a_fall_into_a_pocket_is_told_with_the_pocket() -> None:
    pocket = BOARD.pockets[0]
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, 0), ("red-1", "puck", 300, 300))
    size = (pocket.centre.x_mm**2 + pocket.centre.y_mm**2) ** 0.5
    push = (1900 * pocket.centre.x_mm / size, 1900 * pocket.centre.y_mm / size)
    run = played(BOARD, lying, push)
    true = next(h for h in run.happenings if h.what == "pocketed")
    fall = next(f for f in seen(run, lying, 60) if isinstance(f, Pocketed))
    assert (fall.piece, fall.pocket) == ("cue-puck", pocket.id)
    assert fall.at_ms == pytest.approx(1000 * true.at_s, abs=6)


def test_two_pieces_hit_within_a_frame_are_both_told_with_their_errors() -> None:
    base = laid(
        BOARD,
        ("cue-puck", "cue-puck", 0, -300),
        ("red-1", "puck", 0, 0),
        ("red-2", "puck", 0, 0),
    )
    reach = base[0].radius_mm + base[1].radius_mm
    side = 0.8 * reach
    lying = (
        base[0],
        Lying(name="red-1", spec=base[1].spec, x_mm=-side, y_mm=40.0),
        Lying(name="red-2", spec=base[2].spec, x_mm=side, y_mm=40.2),
    )
    facts = seen(played(BOARD, lying, (0, 1500)), lying, 60)
    hits = [f for f in facts if isinstance(f, Contacted) and "cue-puck" in (f.a, f.b)]
    assert {"red-1", "red-2"} <= {f.a for f in hits} | {f.b for f in hits}
    assert all(f.error_ms > 0 for f in hits)


@pytest.mark.parametrize(("fps", "least"), [(30, 0.85), (60, 0.93), (120, 0.93)])
def test_random_shots_name_the_first_contact(fps: float, least: float) -> None:
    right = total = 0
    for seed in range(400, 420):
        lying, run = random_shot(seed, BOARD)
        facts = seen(run, lying, fps)
        true = [
            h
            for h in run.happenings
            if h.what == "contact" and "cue-puck" in (h.a, h.b) and h.speed_mm_s >= 5
        ]
        said = [f for f in contacts(facts) if "cue-puck" in f]
        total += 1
        if not true:
            right += not said
        elif said:
            right += {true[0].a, true[0].b} == set(said[0])
    assert right >= least * total


@pytest.mark.parametrize("fps", [25, 30, 60])
@pytest.mark.parametrize("speed_mm_s", [100.0, 119.0, 150.0])
def test_a_stroke_that_hardly_moves_the_cue_puck_is_told(fps: float, speed_mm_s: float) -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -430), ("red-1", "puck", 100, 40))
    surface = surface_of(BOARD, slowing_mm_s2=1100.0)
    run = played(BOARD, lying, (-0.24 * speed_mm_s, 0.97 * speed_mm_s), surface=surface)
    facts = seen(run, lying, fps)
    assert [type(f) for f in facts] == [Struck, Travelled]
    assert facts[0].at_ms == pytest.approx(350, abs=45)


def test_a_cue_puck_led_round_a_corner_beside_a_man_is_not_asked_about() -> None:
    t = np.arange(70) / 30
    way = np.cumsum(np.interp(t, [0.2, 0.8, 1.7, 2.0], [0.0, 210.0, 210.0, 0.0])) / 30
    draw = np.random.default_rng(1)
    cue = Track(
        "cue-puck",
        "cue-puck",
        25.0,
        1.0,
        (0.0, -200.0),
        0.1,
        t,
        np.minimum(way, 110.0) + draw.normal(0, 0.1, len(t)),
        np.maximum(way - 110.0, 0.0) - 200.0 + draw.normal(0, 0.1, len(t)),
        np.full(len(t), 0.15),
    )
    none = np.zeros(0)
    man = Track("red-1", "puck", 12.5, 0.2, (150.0, -200.0), 0.1, none, none, none, none)
    told = spell_facts(solve_tracks([cue, man], BOARD, frame_s=1 / 30, until_s=2.3))
    assert [(type(f), getattr(f, "dragged", None)) for f in told] == [(Struck, True)]


@pytest.mark.parametrize(("speed_mm_s", "struck"), [(180.0, []), (230.0, []), (900.0, ["red-1"])])
def test_a_man_pushed_more_slowly_than_any_stroke_is_not_struck(
    speed_mm_s: float, struck: list[str]
) -> None:
    lying = laid(BOARD, ("red-1", "puck", 30, 200), ("cue-puck", "cue-puck", 0, -300))
    run = played(BOARD, lying, (speed_mm_s, 0.0))
    assert [f.piece for f in seen(run, lying, 30) if isinstance(f, Struck)] == struck


def test_a_piece_seen_once_on_its_way_over_the_border_was_hit_and_left() -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", -370, 429), ("red-1", "puck", -453, 346))
    run = played(BOARD, lying, (-1460, -1460))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.15, exposure_s=0.004, seed=4)
    red = next(track for track in tracks if track.name == "red-1")
    seen_once = int(np.argmax(np.hypot(red.x - red.home[0], red.y - red.home[1]) > 5.0)) + 1
    cut = {key: getattr(red, key)[:seen_once] for key in ("t", "x", "y", "sigma")}
    tracks = [replace(t, **cut, lost=True) if t is red else t for t in tracks]
    facts = spell_facts(solve_tracks(tracks, BOARD, frame_s=1 / 30, until_s=end))
    hit = next(h for h in run.happenings if h.what == "contact")
    told = next(f for f in facts if isinstance(f, Contacted))
    assert {told.a, told.b} == {"cue-puck", "red-1"}
    assert told.at_ms == pytest.approx(1000 * hit.at_s, abs=2 * told.error_ms)
    assert [f.piece for f in facts if isinstance(f, LeftBoard)] == ["red-1"]
    struck = next(f for f in facts if isinstance(f, Struck))
    assert struck.at_ms == pytest.approx(350, abs=2 * struck.error_ms)


def test_a_still_table_tells_nothing() -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 100, 40))
    run = played(BOARD, lying, (0, 1e-3))
    facts = seen(run, lying, 60)
    assert not [f for f in facts if isinstance(f, Struck | Contacted | LeftBoard)]


@pytest.mark.parametrize("start_s", [0.3334, 0.335, 0.345, 0.36])
@pytest.mark.parametrize("gap_mm", [40.0, 75.0, 110.0])
def test_a_strike_shortly_before_a_touch_lies_within_its_error(
    start_s: float, gap_mm: float
) -> None:
    base = laid(
        BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 0, 0), ("red-2", "puck", 0, 0)
    )
    y = -300 + base[0].radius_mm + base[1].radius_mm + gap_mm
    lying = (
        base[0],
        Lying(name="red-1", spec=base[1].spec, x_mm=12.0, y_mm=y),
        Lying(name="red-2", spec=base[2].spec, x_mm=24.0, y_mm=y + 60.0),
    )
    run = played(BOARD, lying, (0, 2000), start_s=start_s)
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.15, exposure_s=0.006, seed=4)
    spell = solve_tracks(tracks, BOARD, frame_s=1 / 30, until_s=end, exposure_s=0.006)
    facts = spell_facts(spell)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    first = min((f for f in facts if isinstance(f, Contacted)), key=lambda f: f.at_ms)
    assert {first.a, first.b} == {"cue-puck", "red-1"}
    assert abs(struck.at_ms - 1000 * start_s) < 3 * struck.error_ms
    true = next(h for h in run.happenings if h.what == "contact")
    assert abs(first.at_ms - 1000 * true.at_s) < 3 * first.error_ms


def test_a_piece_that_comes_in_sight_late_was_struck_before_it_touched() -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 6, -220))
    run = played(BOARD, lying, (0, 900))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=4)
    cue = tracks[0]
    late = cue.t > 0.52
    seen_late = replace(
        cue, t=cue.t[late], x=cue.x[late], y=cue.y[late], sigma=cue.sigma[late], lay_s=0.1
    )
    spell = solve_tracks([seen_late, *tracks[1:]], BOARD, frame_s=1 / 30, until_s=end)
    facts = spell_facts(spell)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    [touch] = [f for f in facts if isinstance(f, Contacted)]
    assert (struck.piece, {touch.a, touch.b}) == ("cue-puck", {"cue-puck", "red-1"})
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 350) < 3 * struck.error_ms


def hidden_until_it_rests(track: Track) -> Track:
    """A track without the places between the first ones and those at the end."""
    there = np.hypot(track.x - track.x[-1], track.y - track.y[-1]) < 1.0
    arrived = int(np.flatnonzero(~there)[-1]) + 2
    return track.part(np.r_[0, 1, arrived : len(track.t)])


@pytest.mark.parametrize("seed", range(5))
def test_a_piece_seen_again_only_when_it_rests_was_struck_if_it_sent_another_off(seed: int) -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 6, -220))
    run = played(BOARD, lying, (0, 500))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=seed)
    hidden = [hidden_until_it_rests(tracks[0]), *tracks[1:]]
    spell = solve_tracks(hidden, BOARD, frame_s=1 / 30, until_s=end)
    facts = spell_facts(spell)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    assert (struck.piece, {touch.a, touch.b}) == ("cue-puck", {"cue-puck", "red-1"})
    assert abs(struck.at_ms - 1000 * run.start_s) < 3 * struck.error_ms
    true = next(h for h in run.happenings if h.what == "contact")
    assert abs(touch.at_ms - 1000 * true.at_s) < max(3 * touch.error_ms, 1.0)


def test_a_piece_that_was_carried_while_none_set_off_was_not_struck() -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 6, -220))
    run = played(BOARD, lying, (0, 500))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=1)
    cue, man = hidden_until_it_rests(tracks[0]), tracks[1]
    still = replace(man, x=0 * man.x + man.home[0], y=0 * man.y + man.home[1])
    spell = solve_tracks([cue, still], BOARD, frame_s=1 / 30, until_s=end)
    assert not [f for f in spell_facts(spell) if isinstance(f, Struck)]


def carried_to(places: Sequence[tuple[float, float, float]]) -> Track:
    """A striker that lay at (-18, -53) and was seen at (s, mm, mm), and then lying at the last."""
    t, x, y = np.array(places).T
    last = t[-1] + np.arange(1, 19) / 30
    t, x, y = np.r_[t, last], np.r_[x, 0 * last + x[-1]], np.r_[y, 0 * last + y[-1]]
    sigma = np.full(len(t), 0.3)
    return Track("striker", "striker", 20.65, 2.0, (-18.2, -53.5), 0.14, t, x, y, sigma, lay_s=0.07)


@pytest.mark.parametrize("beyond_mm", [0.0, 20.0], ids=["straight", "by another way"])
def test_a_piece_brought_slowly_and_mostly_hidden_while_none_set_off_was_not_struck(
    beyond_mm: float,
) -> None:
    led = [(0.10, 16.6, 11.0), (0.13, 21.8, 5.8), (0.77, -86.1 - beyond_mm, 160.6)]
    striker = carried_to([*led, (1.20, -122.5, 252.8), (1.24, -123.0, 253.1)])
    told = spell_facts(solve_tracks([striker], club_board("carrom"), frame_s=1 / 30, until_s=1.8))
    assert told == []


@pytest.mark.parametrize("hidden_s", [0.07, 0.2, 0.3])
def test_a_piece_that_lies_still_where_it_would_run_fast_was_laid_there(hidden_s: float) -> None:
    glimpsed = [(0.70, -81.0, 60.0), (0.70 + 1 / 30, -170.0, 129.0)]
    striker = carried_to([*glimpsed, (0.70 + 1 / 30 + hidden_s, -246.5, 190.0)])
    told = spell_facts(solve_tracks([striker], club_board("carrom"), frame_s=1 / 30, until_s=2.4))
    assert told == []


@pytest.mark.parametrize("speed_mm_s", [700, 3400])
def test_a_piece_that_runs_out_alone_was_struck(speed_mm_s: float) -> None:
    board = club_board("carrom")
    lying = laid(board, ("striker", "striker", 0, -250))
    run = played(board, lying, (0.3 * speed_mm_s, 0.9 * speed_mm_s))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=2)
    told = spell_facts(solve_tracks(tracks, board, frame_s=1 / 30, until_s=end))
    assert [f.piece for f in told if isinstance(f, Struck)] == ["striker"]


def test_a_piece_seen_on_most_of_a_slow_way_was_struck() -> None:
    board = club_board("carrom")
    lying = laid(board, ("striker", "striker", 0, -250))
    run = played(board, lying, (0, 420))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=1)
    off = tracks[0].is_off()
    seen = tracks[0].part(np.flatnonzero(~off | (np.cumsum(off) > 5)))
    told = spell_facts(solve_tracks([seen], board, frame_s=1 / 30, until_s=end))
    assert [f.piece for f in told if isinstance(f, Struck)] == ["striker"]


@pytest.mark.parametrize("after_s", [0.0, 0.01], ids=["at once", "later"])
def test_a_piece_is_struck_before_it_touches_though_both_times_are_guessed(after_s: float) -> None:
    lying = laid(BOARD, ("cue-puck", "cue-puck", 0, -300), ("red-1", "puck", 6, -220))
    tracks, end = tracks_of(
        played(BOARD, lying, (0, 900)), lying, fps=30, noise_mm=0.1, exposure_s=0.004, seed=4
    )
    lines = timelines(tracks, BOARD, 1 / 30, end)
    touch_s = lines[0].phases[0].last_s + 0.016
    guessed = [
        Knock("contact", touch_s, 1 / 30, 0, 1),
        Knock("strike", touch_s + after_s, 0.01, 0),
    ]
    struck, touch = struck_before_touching(guessed, lines)
    assert (struck.kind, touch.kind) == ("strike", "contact")
    assert lines[0].phases[0].last_s < struck.t_s < touch.t_s


def lost_after(
    kind: str, places: Sequence[tuple[float, float]], *, x_mm: float = 0.0, error_mm: float = 0.18
) -> Track:
    """A track of a piece that lay at (`x_mm`, 0) until 0.5 s, and was seen there in the frames
    after that, mm from home, and then no more."""
    t = 0.5 + (np.arange(len(places)) + 1) / 30
    x, y = np.array(places).T
    size, mass, home = 15.5, 0.2, (x_mm, 0.0)
    sigma = np.full(len(t), error_mm)
    return Track(
        f"{kind}-1", kind, size, mass, home, 0.1, t, x_mm + x, y, sigma, lost=True, lay_s=0.5
    )


@pytest.mark.parametrize(
    "tracks",
    [
        [lost_after("carromman", [(-1.2, -3.4), (-2.0, -13.7)])],
        [
            lost_after("carromman", [(1.5, -4.0), (1.6, -14.4)]),
            lost_after("puck", [(4.0, -60.0), (6.0, -125.0), (8.0, -190.0)], x_mm=90.0),
        ],
        [lost_after("striker", [(186.6, 80.3)], error_mm=8.4)],
        [
            lost_after(
                "striker",
                [(1, -1), (3, -3), (6, -5), (11, -5), (21, -5), (24, -5), (9, -3), (5, 6), (1, 17)],
            )
        ],
        [
            lost_after("carromman", [(3.6, -2.8), (2.9, -12.5)]),
            lost_after("puck", [(3.5, -3.1), (10.6, -7.7), (13.6, -7.7)], x_mm=32.1),
        ],
    ],
    ids=[
        "a man",
        "two men at once",
        "a striker seen once, half in the hand",
        "a striker led",
        "two men that touch",
    ],
)
def test_what_a_hand_takes_up_was_not_struck(tracks: list[Track]) -> None:
    told = spell_facts(solve_tracks(tracks, BOARD, frame_s=1 / 30, until_s=2.0))
    assert told == []


def test_a_striker_seen_once_on_its_way_to_a_man_was_struck() -> None:
    striker = lost_after("striker", [(0.0, 60.0)])
    t = np.arange(45) / 30
    way = np.maximum(t - 0.55, 0.0) * 900.0 * (1 - 0.4 * np.maximum(t - 0.55, 0.0))
    none = 0.0 * t
    man = Track(
        "man",
        "carromman",
        15.5,
        0.2,
        (0.0, 98.0),
        0.1,
        t,
        none,
        98.0 + way,
        none + 0.15,
        lost=False,
    )
    told = spell_facts(solve_tracks([striker, man], BOARD, frame_s=1 / 30, until_s=2.0))
    assert [f.piece for f in told if isinstance(f, Struck)] == ["striker-1"]


def test_a_man_seen_again_before_the_striker_that_hit_him_unseen_was_not_struck() -> None:
    board = club_board("carrom", (960, 720))
    lying = tuple(
        Lying(name=kind, spec=next(s for s in board.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 149.0, 251.0), ("carromman", 222.0, 298.0))
    )
    run = played(board, lying, (3870.0, 2490.0))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=4)
    hidden = [
        replace(track.part((track.t < lay_s) | (track.t > seen_s)), lay_s=lay_s)
        for track, lay_s, seen_s in zip(tracks, (0.31, 0.35), (0.51, 0.41), strict=True)
    ]
    spell = solve_tracks(hidden, board, frame_s=1 / 30, until_s=end, exposure_s=0.006)
    struck = [f.piece for f in spell_facts(spell) if isinstance(f, Struck)]
    assert struck == ["striker"]


@pytest.mark.parametrize("lay_s", [None, 0.6, 0.62], ids=["seen to leave", "earlier", "later"])
def test_a_striker_that_seemed_to_lie_while_the_man_it_sent_off_ran_was_struck_before(
    lay_s: float | None,
) -> None:
    board = club_board("carrom", (960, 720))
    lying = tuple(
        Lying(name=kind, spec=next(s for s in board.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 125.0, 253.0), ("carromman", 159.8, 271.1))
    )
    run = played(board, lying, (311.0, 1111.0))
    [striker, man], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=4)
    if lay_s is not None:  # a hand lies over its home, and looks like it
        striker = replace(striker.part(striker.t > lay_s + 0.02), lay_s=lay_s)
    spell = solve_tracks([striker, man], board, frame_s=1 / 30, until_s=end, exposure_s=0.006)
    facts = spell_facts(spell)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    [touch] = [f for f in facts if isinstance(f, Contacted)]
    true = next(h for h in run.happenings if h.what == "contact")
    assert struck.piece == "striker"
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 350.0) < 3 * struck.error_ms
    assert abs(touch.at_ms - 1000 * true.at_s) < 3 * touch.error_ms


@pytest.mark.parametrize("seed", range(3))
def test_a_striker_seen_again_only_when_it_rests_may_have_sent_a_man_off_by_way_of_the_cushion(
    seed: int,
) -> None:
    board = club_board("carrom", (960, 720))
    lying = tuple(
        Lying(name=kind, spec=next(s for s in board.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 71.8, -251.8), ("carromman", 13.6, -349.6))
    )
    run = played(board, lying, (-968.0, -1616.0))
    tracks, end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
    at_rest = hidden_until_it_rests(tracks[0])
    hidden = [replace(at_rest.part(at_rest.t > 0.5), lay_s=0.1), *tracks[1:]]
    facts = spell_facts(solve_tracks(hidden, board, frame_s=1 / 30, until_s=end))
    struck = [f.piece for f in facts if isinstance(f, Struck)]
    touched = [{f.a, f.b} for f in facts if isinstance(f, Contacted)]
    assert struck == ["striker"]
    assert touched[:1] == [{"striker", "carromman"}]
