"""Shots in which too much happened at once to follow each piece."""

from dataclasses import replace

import numpy as np
import pytest

from rules.facts import Contacted, Fact, LeftBoard, Piece, Pocketed, Struck, Travelled, Unclear
from rules.geometry import Point
from sightline.simulated.boards import club_board
from vision.frame import SeenPiece
from vision.telling.tangles import (
    Tangle,
    coarse,
    flung_unseen,
    hit_unseen,
    inferred_falls,
    tangle_of,
    unfollowed,
)
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

BOARD = club_board("carrom")
FRAME_S = 1 / 30
REST = Ending("rest", 1.0, 0.01)


def lying(name: str, x_mm: float, y_mm: float, *, seen: bool = True) -> Timeline:
    """A man at rest; `seen`: it was looked at, for something changed there."""
    times = np.array([0.5]) if seen else np.zeros(0)
    track = Track(
        name, "carromman", 15.5, 1.0, (x_mm, y_mm), 0.1, times, times + x_mm, times + y_mm, times
    )
    return Timeline(track, (resting(x_mm, y_mm, 0.1, -1e9, 2.0),), REST)


def struck(towards: tuple[float, float]) -> Timeline:
    """The striker, at rest in (0, -250) until 0.1 s, and seen twice on its way."""
    t = np.array([0.13, 0.16])
    x, y = 1000 * towards[0] * (t - 0.1), -250 + 1000 * towards[1] * (t - 0.1)
    sigma = np.full(2, 0.2)
    track = Track("striker", "striker", 20.65, 2.0, (0.0, -250.0), 0.1, t, x, y, sigma)
    way = fit(t, x, y, sigma, slowing=900.0, slowing_error=60.0)
    return Timeline(track, (resting(0.0, -250.0, 0.1, -1e9, 0.1), way), REST)


def burst(*men: Timeline, towards: tuple[float, float] = (0.0, 1.0)) -> tuple[Spell, list[Fact]]:
    """A strike, and men that seem to have set off by themselves."""
    strays = [Knock("strike", 0.2 + 0.1 * k, FRAME_S, 1) for k in range(4)]
    knocks = (Knock("strike", 0.1, 0.001, 0), *strays)
    spell = Spell((struck(towards), *men), knocks, 1.0, 1.0)
    facts: list[Fact] = [
        Struck(at_ms=100.0, piece="striker", at=Point(0, -250)),
        Struck(at_ms=300.0, piece=men[0].track.name, at=Point(*men[0].track.home)),
        Travelled(at_ms=900.0, piece="striker", path=(Point(0, -250), Point(0, 0))),
        Travelled(at_ms=900.0, piece=men[0].track.name, path=(Point(0, 0),)),
        Contacted(at_ms=400.0, a="striker", b=men[-1].track.name, at=Point(0, 0)),
    ]
    return spell, facts


@pytest.mark.parametrize(("count", "followed"), [(3, True), (4, False)])
def test_many_men_scattered_unseen_tell_that_the_shot_was_not_followed(
    count: int, *, followed: bool
) -> None:
    men = [lying(f"white-{k}", 31.0 * k, 0) for k in range(5)]
    spell, facts = burst(*men)
    spell = replace(spell, knocks=spell.knocks[:1], scattered=frozenset(range(1, 1 + count)))
    assert (tangle_of(spell, facts, BOARD, FRAME_S) is None) is followed


def test_men_that_seem_struck_by_themselves_tell_that_the_shot_was_not_followed() -> None:
    spell, facts = burst(lying("white-1", 0, 0), lying("black-1", 31, 0))
    tangle = tangle_of(spell, facts, BOARD, FRAME_S)
    assert tangle is not None
    assert tangle.names == {"striker", "white-1", "black-1"}
    told = coarse(spell, facts, FRAME_S)
    assert [f.piece for f in told if isinstance(f, Struck)] == ["striker"]
    assert [f.piece for f in told if isinstance(f, Travelled)] == ["striker"]


def test_a_shot_whose_causes_were_seen_is_no_tangle() -> None:
    spell, facts = burst(lying("white-1", 0, 0))
    whole = Spell(spell.lines, spell.knocks[:1], 1.0, 1.0)
    assert tangle_of(whole, facts[:1], BOARD, FRAME_S) is None


def test_what_was_struck_and_comes_in_sight_on_another_way_had_been_turned_before() -> None:
    spell, facts = burst(lying("white-1", 0, 0), lying("black-1", 31, 0))
    t = np.array([0.3, 0.33, 0.36])
    x, y, sigma = 5 + 400 * (t - 0.3), -60 - 300 * (t - 0.3), np.full(3, 0.2)
    back = fit(t, x, y, sigma, slowing=900.0, slowing_error=60.0)
    cue = spell.lines[0]
    turned = replace(cue, track=replace(cue.track, t=t, x=x, y=y, sigma=sigma))
    turned = replace(turned, phases=(cue.phases[0], back))
    spell = replace(spell, lines=(turned, *spell.lines[1:]))
    (asked,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Unclear)]
    assert set(asked.words) == {"white-1", "black-1"}


def test_a_man_on_the_way_that_was_not_found_again_was_touched_first_all_the_same() -> None:
    lost = lying("black-1", 0, -60, seen=False)
    lost = replace(lost, track=replace(lost.track, lay_s=0.1))
    spell, facts = burst(lying("white-1", 0, 0), lost)
    (touch,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Contacted)]
    assert touch.b == "black-1"


def test_what_alone_lay_on_the_way_was_touched_first() -> None:
    spell, facts = burst(lying("white-1", 0, 0), lying("black-1", 5, 31), lying("white-2", 90, 0))
    (touch,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Contacted)]
    assert (touch.a, touch.b) == ("striker", "white-1")
    assert 300 < touch.at_ms < 360


def test_what_was_touched_first_was_touched_when_the_first_of_the_men_set_off() -> None:
    # what the struck piece ran before it was seen says little of how fast it came
    lay = lying("black-1", 5, 31)
    run = replace(lay.phases[0], first_s=0.2, last_s=0.4)
    set_off = replace(lay, phases=(replace(lay.phases[0], last_s=0.17), run))
    spell, facts = burst(lying("white-1", 0, 0), set_off)
    (touch,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Contacted)]
    assert 170 <= touch.at_ms <= 200


def test_which_of_two_men_was_touched_first_is_asked_where_the_way_cannot_tell() -> None:
    spell, facts = burst(lying("white-1", -15.6, 0), lying("black-1", 15.6, 0))
    (asked,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Unclear)]
    assert set(asked.words) == {"white-1", "black-1"}
    assert asked.at_ms > 100.0


def off_the_far_cushion(lay_s: float) -> tuple[Spell, list[Fact]]:
    """A strike at the far cushion that comes back at white-1, which lay beside the way there.

    Four more men, which lay until then, set off as nobody saw; white-2 lay straight ahead.
    """
    t = np.array([0.13, 0.16, 0.3, 0.33, 0.36])
    x = np.array([-10.0, -22.0, -60.0, -40.0, -20.0])
    y = np.array([-200.0, -140.0, 140.0, 100.0, 60.0])
    sigma = np.full(5, 0.2)
    cue = struck((0.0, 1.0))
    there, back = (
        fit(t[part], x[part], y[part], sigma[part], slowing=900.0, slowing_error=60.0)
        for part in (slice(0, 2), slice(2, 5))
    )
    track = replace(cue.track, t=t, x=x, y=y, sigma=sigma)
    cue = replace(cue, track=track, phases=(cue.phases[0], there, back))

    def set_off(man: Timeline, last_s: float) -> Timeline:
        run = replace(man.phases[0], first_s=last_s + FRAME_S, last_s=1.0)
        return replace(man, phases=(replace(man.phases[0], last_s=last_s), run))

    men = [set_off(lying(f"black-{k}", 200.0, 40.0 * k), lay_s) for k in range(4)]
    hit = set_off(lying("white-1", 18.0, 0.0), 0.37)
    ahead = set_off(lying("white-2", -130.0, 400.0), 0.5)
    knocks = (
        Knock("strike", 0.1, 0.001, 0),
        Knock("cushion", 0.21, 0.001, 0),
        Knock("contact", 0.39, 0.001, 0, 1),
        *(Knock("strike", lay_s + 0.01, FRAME_S, 3 + k) for k in range(4)),
    )
    facts: list[Fact] = [
        Struck(at_ms=100.0, piece="striker", at=Point(0, -250)),
        Contacted(at_ms=390.0, a="striker", b="white-1", at=Point(18, 16), error_ms=1.0),
    ]
    return Spell((cue, hit, ahead, *men), knocks, 1.0, 1.0), facts


@pytest.mark.parametrize("lay_s", [0.5, 0.3], ids=["later", "at the same time"])
def test_a_first_touch_that_was_seen_stands_whatever_was_not_seen_later(lay_s: float) -> None:
    spell, facts = off_the_far_cushion(lay_s)
    assert tangle_of(spell, facts, BOARD, FRAME_S) is not None
    (touch,) = [f for f in coarse(spell, facts, FRAME_S) if isinstance(f, Contacted)]
    # of men that set off at the same time, the way after the cushion tells which lay first on it
    assert (touch.a, touch.b) == ("striker", "white-1")
    assert (touch == facts[1]) == (lay_s == 0.5)


def man(name: str, colour: str) -> Piece:
    return Piece(name=name, kind="carromman", colour=colour, at=Point(0, 0))


def seen(*colours: str) -> list[SeenPiece]:
    return [
        SeenPiece(kind="carromman", colour=colour, at=Point(0, 0), error_mm=0.1)
        for colour in colours
    ]


@pytest.mark.parametrize(
    ("left", "fell"),
    [
        (["white", "white", "black"], []),
        (["white", "black"], ["white-2"]),
        (["black"], ["white-2", "white-1"]),
        (["white"], ["white-2"]),
    ],
)
def test_as_many_fell_of_each_look_as_the_still_picture_misses(
    left: list[str], fell: list[str]
) -> None:
    falls = (
        LeftBoard(at_ms=500.0, piece="white-1", error_ms=1.0),
        Pocketed(at_ms=400.0, piece="white-2", pocket="NE", error_ms=9.0),
    )
    known = [man("white-1", "white"), man("white-2", "white"), man("black-1", "black")]
    tangle = Tangle(falls=falls)
    assert [f.piece for f in tangle.borne_out(known, seen(*left))] == fell


def test_a_piece_lost_in_a_shot_and_gone_after_it_may_have_been_touched() -> None:
    spell, facts = burst(lying("white-1", 0, 0), lying("black-1", 31, 0))
    tangle = unfollowed(spell, facts[:1], ["black-1"])
    assert tangle is not None
    assert tangle.asked([]) == ()
    (asked,) = tangle.asked(["black-1"])
    assert [[type(f) for f in answer] for answer in asked.answers] == [[Contacted], []]
    assert asked.answers[0][0].at_ms == pytest.approx(160.0), "when it was nearest, not when struck"


@pytest.mark.parametrize(
    ("lay_s", "error_s", "came_unseen", "hit"),
    [
        (0.18, 0.001, True, True),
        (0.6, 0.001, True, False),
        (0.6, 0.2, True, True),
        (0.05, 0.001, True, False),
        (0.18, 0.001, False, False),
    ],
    ids=[
        "as pieces hit each other",
        "later",
        "perhaps then: when they hit each other is known badly",
        "long before",
        "it lies at home",
    ],
)
def test_what_came_to_lie_elsewhere_unseen_was_hit_if_it_left_as_pieces_hit_each_other(
    lay_s: float, error_s: float, came_unseen: bool, hit: bool
) -> None:
    spell, _ = burst(lying("white-1", 0, 0), lying("black-1", 31, 0))
    cue, man, other = spell.lines
    came = replace(man, track=replace(man.track, lay_s=lay_s), came_unseen=came_unseen)
    spell = Spell((cue, came, other), (Knock("contact", 0.2, error_s, 0, 2),), 1.0, 1.0)
    assert hit_unseen(spell) == (["white-1"] if hit else [])


def test_a_fall_that_nobody_saw_is_told_only_of_what_the_next_picture_does_not_show() -> None:
    spell, _ = burst(lying("white-1", 0, 0), lying("white-2", 31, 0))
    seen_to_fall = Ending("pocketed", 0.6, 0.01, "NE")
    inferred = Ending("off_board", 0.5, 0.03, inferred=True)
    lines = [
        replace(line, ending=ending)
        for line, ending in zip(spell.lines[1:], (inferred, seen_to_fall), strict=True)
    ]
    spell = replace(spell, lines=(spell.lines[0], *lines))
    jumped = LeftBoard(at_ms=500.0, piece="white-1", error_ms=30.0)
    tangle = inferred_falls(
        spell, [jumped, Pocketed(at_ms=600.0, piece="white-2", pocket="NE", error_ms=10.0)]
    )
    assert tangle is not None
    assert (tangle.likely, tangle.names) == ((jumped,), {"white-1"})
    known = [Piece(name="white-1", kind="carromman", colour="white", at=Point(0, 0))]
    found = SeenPiece(kind="carromman", colour="white", at=Point(90, 0), error_mm=0.1)
    assert tangle.borne_out(known, []) == (jumped,)
    assert tangle.borne_out(known, [found]) == ()


@pytest.mark.parametrize(
    ("hit_s", "flew_s", "at_mm", "told"),
    [
        (0.205, 0.3, (300.0, 400.0), True),
        (0.5, 0.3, (300.0, 400.0), False),
        (0.205, 1.2, (300.0, 400.0), False),
        (0.205, 0.3, None, False),
    ],
    ids=["hit", "hit later", "too slow to jump", "not seen"],
)
def test_one_seen_past_the_border_as_others_hit_each_other_has_left(
    hit_s: float, flew_s: float, at_mm: tuple[float, float] | None, *, told: bool
) -> None:
    """Nobody saw what sent it off: two of its look lay there, and parted within one frame."""
    man = lying("white-1", 100, 330, seen=False)
    flew = None if at_mm is None else (flew_s, *at_mm)
    man = replace(man, track=replace(man.track, lay_s=0.2, flew=flew))
    hit = Knock("contact", hit_s, 0.002, 0, 2)
    spell = Spell((struck((0.0, 1.0)), man, lying("white-2", 69, 330)), (hit,), 1.0, 1.0)
    left = flung_unseen(spell, BOARD)
    assert [fact.piece for fact in left] == (["white-1"] if told else [])
    for fact in left:
        assert 200 < fact.at_ms - fact.error_ms < fact.at_ms <= 300
    tangle = inferred_falls(spell, [], left)
    assert (tangle is not None) is told
