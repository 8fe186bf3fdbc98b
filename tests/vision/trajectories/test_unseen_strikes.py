"""Strikes beneath a hand, of which only what they set running and what came to rest is seen."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from testkit.tracks import FRAME_S, played, running, tracks_of

from rules.facts import Contacted, Struck
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from vision.telling.first_touch import with_unseen_first_touch
from vision.telling.spell_facts import spell_facts
from vision.tracking.body import Body, Known, Sample
from vision.tracking.stamp import Stamp
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.shots import solve, solve_tracks
from vision.trajectories.unseen_strikes import sent_at_once

BOARD = club_board("carrom", (960, 720))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("man", "push", "seemed_s"),
    [((-28.7, 265.2), (-410.0, 92.0), 0.52), ((69.6, 265.0), (463.0, 150.0), 0.49)],
)
def test_a_striker_that_seemed_to_lie_until_it_was_seen_at_rest_sent_the_man_off_before(
    man: tuple[float, float], push: tuple[float, float], seemed_s: float, seed: int
) -> None:
    lying = tuple(
        Lying(name=kind, spec=next(s for s in BOARD.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 17.5, 252.1), ("carromman", *man))
    )
    run = played(BOARD, lying, push)
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
    rests = np.hypot(striker.x - striker.x[-1], striker.y - striker.y[-1]) < 1.0
    striker = replace(striker.part(rests & (striker.t > seemed_s)), lay_s=seemed_s)
    facts = spell_facts(solve_tracks([striker, hit], BOARD, frame_s=1 / 30, until_s=end))
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    true = next(h for h in run.happenings if h.what == "contact")
    assert (struck.piece, {touch.a, touch.b}) == ("striker", {"striker", "carromman"})
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 1000 * run.start_s) < 3 * struck.error_ms
    assert abs(touch.at_ms - 1000 * true.at_s) < 3 * touch.error_ms


@pytest.mark.parametrize("since_s", [0.1, 0.15, 0.2])
def test_a_striker_that_a_hand_had_moved_first_and_that_rests_where_a_man_lay_sent_him_off(
    since_s: float,
) -> None:
    """It was seen last where it lay before, and comes in sight as it slows down."""
    lying = tuple(
        Lying(name=kind, spec=next(s for s in BOARD.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", 126.3, 253.7), ("carromman", 185.6, 282.5))
    )
    run = played(BOARD, lying, (606.0, 365.0))
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=1)
    true = next(h for h in run.happenings if h.what == "contact")
    seen = striker.part(striker.t > true.at_s + since_s)
    striker = replace(seen, home=(-16.0, 253.7), lay_s=run.start_s - 1.0)
    spell = solve_tracks([striker, hit], BOARD, frame_s=1 / 30, until_s=end)
    facts = with_unseen_first_touch(spell, spell_facts(spell), 1 / 30)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    assert (struck.piece, {touch.a, touch.b}) == ("striker", {"striker", "carromman"})
    assert struck.at_ms < touch.at_ms
    assert abs(touch.at_ms - 1000 * true.at_s) < 3 * touch.error_ms


def followed(track: Track, *, moved: bool, lay_s: float, unmoved_s: float) -> Body:
    """A piece as it is followed: seen at the places of its track."""
    x, y = track.home
    spec = next(s for s in BOARD.pieces if s.kind == track.kind)
    known = Known(
        name=track.name,
        kind=track.kind,
        colour=spec.colour,
        x_mm=x,
        y_mm=y,
        error_mm=0.1,
        radius_mm=track.radius_mm,
        thickness_mm=spec.thickness_mm,
    )
    places = zip(track.t, track.x, track.y, strict=True)
    return Body(
        known,
        cast(Stamp, None),
        (x, y),
        x,
        y,
        moved=moved,
        best=1.0,
        samples=[Sample(1000 * t, n, u, v, 0.05, 1.0) for n, (t, u, v) in enumerate(places)],
        lay_ms=1000 * lay_s,
        unmoved_ms=1000 * unmoved_s,
    )


def test_a_striker_found_close_by_when_the_hand_has_gone_did_not_lie_where_it_seemed_to() -> None:
    lying = tuple(
        Lying(name=kind, spec=next(s for s in BOARD.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, x, y in (("striker", -175.5, -253.8), ("carromman", -111.3, -290.1))
    )
    run = played(BOARD, lying, (880.0, -1000.0))
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.05, exposure_s=0.006, seed=1)
    unseen = followed(striker.part(slice(0, 0)), moved=False, lay_s=end, unmoved_s=0.2)
    man = followed(hit, moved=True, lay_s=0.2, unmoved_s=0.2)
    close_by = {"striker": (-186.5, -276.4)}
    spell = solve([man, unseen], BOARD, frame_s=1 / 30, exposure_s=0.006, until_s=end, lie=close_by)
    facts = spell_facts(spell)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    assert struck.piece == "striker"
    assert abs(struck.at_ms - 1000 * run.start_s) < 3 * struck.error_ms
    touch = next(f for f in facts if isinstance(f, Contacted))
    assert {touch.a, touch.b} == {"striker", "carromman"}


def laid(striker: tuple[float, float], man: tuple[float, float]) -> tuple[Lying, ...]:
    """A striker and a man at rest."""
    return tuple(
        Lying(name=kind, spec=next(s for s in BOARD.pieces if s.kind == kind), x_mm=x, y_mm=y)
        for kind, (x, y) in (("striker", striker), ("carromman", man))
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("push", "unseen_s"), [((-560.0, -1620.0), 0.17), ((-420.0, -1300.0), 0.2)]
)
def test_a_striker_that_comes_back_over_its_place_from_the_cushion_had_sent_the_man_off(
    push: tuple[float, float], unseen_s: float, seed: int
) -> None:
    lying = laid((50.6, -254.6), (12.1, -271.2))
    run = played(BOARD, lying, push)
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=seed)
    seen = (striker.t < run.start_s - 0.3) | (striker.t > run.start_s + unseen_s)
    striker = replace(striker.part(seen), lay_s=run.start_s + unseen_s - 0.03)
    facts = spell_facts(solve_tracks([striker, hit], BOARD, frame_s=1 / 30, until_s=end))
    [struck] = [f for f in facts if isinstance(f, Struck)]
    touch = next(f for f in facts if isinstance(f, Contacted))
    assert (struck.piece, {touch.a, touch.b}) == ("striker", {"striker", "carromman"})
    assert struck.at_ms < touch.at_ms
    assert abs(struck.at_ms - 1000 * run.start_s) < 3 * struck.error_ms + 5


@pytest.mark.parametrize("push", [(672.0, 190.0), (640.0, 180.0)])
@pytest.mark.parametrize("before_s", [0.06, 0.2, 0.5])
@pytest.mark.parametrize(("off_mm", "error_mm"), [(2.5, 0.18), (6.0, 0.18), (6.0, 2.0)])
def test_a_striker_that_sent_a_man_off_fast_was_struck_though_the_hand_made_it_seem_to_creep(
    off_mm: float, error_mm: float, before_s: float, push: tuple[float, float]
) -> None:
    lying = laid((174.4, 255.7), (219.5, 277.1))
    run = played(BOARD, lying, push)
    [striker, hit], end = tracks_of(run, lying, fps=30, noise_mm=0.1, exposure_s=0.006, seed=0)
    lay, ran = (
        striker.part(where)
        for where in (striker.t < run.start_s - 0.55, striker.t > run.start_s + 0.06)
    )
    crept = (run.start_s - before_s, 174.4 + 0.9 * off_mm, 255.7 + 0.4 * off_mm, error_mm)
    places = zip(
        crept, (lay.t, lay.x, lay.y, lay.sigma), (ran.t, ran.x, ran.y, ran.sigma), strict=True
    )
    t, x, y, sigma = (np.array([*before, seemed, *after]) for seemed, before, after in places)
    striker = replace(striker, t=t, x=x, y=y, sigma=sigma)
    spell = solve_tracks([striker, hit], BOARD, frame_s=1 / 30, until_s=end)
    facts = spell_facts(spell, 900.0)
    [struck] = [f for f in facts if isinstance(f, Struck)]
    assert (struck.piece, struck.dragged) == ("striker", False)
    touch = next(f for f in facts if isinstance(f, Contacted))
    assert {touch.a, touch.b} == {"striker", "carromman"}


@pytest.mark.parametrize(
    ("home", "speed", "left_s", "linked"),
    [
        ((0.0, 60.0), (0.0, 900.0), 0.13, True),
        ((0.0, 160.0), (0.0, 900.0), 0.13, False),
        ((0.0, 60.0), (0.0, 900.0), 0.4, False),
        ((0.0, 60.0), (0.0, 300.0), 0.13, False),
    ],
    ids=["close by, just then", "far off", "later", "no faster than a hand pushes"],
)
def test_a_man_who_set_off_at_once_with_what_was_struck_close_by_was_sent_off_by_it(
    home: tuple[float, float], speed: tuple[float, float], left_s: float, linked: bool
) -> None:
    striker = running("striker", (0.0, 0.0), (0.0, 1500.0), left_s=0.1)
    man = running("white-1", home, speed, left_s=left_s)
    strike = Knock("strike", 0.12, 0.001, 0)
    found = sent_at_once([strike], [striker, man], {0}, FRAME_S)
    assert [(k.kind, k.a, k.b) for k in found[1:]] == ([("contact", 0, 1)] if linked else [])


def test_the_blow_goes_on_to_one_of_two_who_pushed_each_other_on_unseen() -> None:
    """The one close by runs slowly, for it has passed the blow on."""
    striker = running("striker", (0.0, 0.0), (0.0, 1500.0), left_s=0.1)
    near = running("white-1", (0.0, 60.0), (0.0, 200.0), left_s=0.11)
    far = running("white-2", (0.0, 140.0), (0.0, 900.0), left_s=0.12)
    pushed = Knock("contact", 0.14, 0.001, 1, 2)
    found = sent_at_once([pushed], [striker, near, far], {0}, FRAME_S)
    assert {(k.a, k.b) for k in found} == {(0, 1), (1, 2)}


@pytest.mark.parametrize("fast_mm_s", [718.0, 240.0], ids=["too fast for a hand", "as a hand may"])
def test_a_striker_that_a_hand_slid_out_of_sight_sent_off_the_man_over_whose_place_it_lies(
    fast_mm_s: float,
) -> None:
    t = 129.37 + np.arange(4) / 30
    since_s = t - 129.333
    ran = np.array([-0.86, 0.51])[:, None] * (fast_mm_s * since_s - 375.0 * since_s**2)
    man = Track(
        "black-9",
        "carromman",
        15.6,
        1900.0,
        (-248.6, 289.6),
        0.1,
        t,
        -248.6 + ran[0],
        289.6 + ran[1],
        np.full(4, 0.18),
        lost=True,
        lay_s=129.333,
        seen_s=127.536,
    )
    lies = 129.503 + np.arange(15) / 30
    seen = np.concatenate([127.636 + np.arange(6) / 30, [127.836], lies])
    x = np.concatenate([np.full(6, -300.5), [-298.1], np.full(15, -236.4)])
    y = np.concatenate([np.full(6, 251.1), [251.4], np.full(15, 277.8)])
    striker = Track(
        "striker",
        "striker",
        20.65,
        3600.0,
        (-300.5, 251.1),
        0.2,
        seen,
        x,
        y,
        np.full(len(seen), 0.18),
        lay_s=127.87,
        seen_s=127.636,
        taken=True,
    )
    spell = solve_tracks([man, striker], BOARD, frame_s=1 / 30, until_s=129.97)
    facts = with_unseen_first_touch(spell, spell_facts(spell), 1 / 30)
    strikes = [f for f in facts if isinstance(f, Struck) and f.piece == "striker"]
    assert len(strikes) == (fast_mm_s > 500.0)
    for struck in strikes:
        [touch] = (f for f in facts if isinstance(f, Contacted))
        assert {touch.a, touch.b} == {"striker", "black-9"}
        assert struck.at_ms < touch.at_ms
        assert struck.error_mm >= 30.0  # nobody knows from where
