"""What a struck piece touched first, where nobody saw it."""

from dataclasses import replace

import numpy as np
import pytest

from rules.facts import Contacted, Fact, Struck, Unclear
from rules.geometry import Point
from vision.telling.first_touch import first_touch, with_unseen_first_touch
from vision.tracking.track import Track
from vision.trajectories.breaks import Knock
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

FRAME_S = 1 / 30
REST = Ending("rest", 2.0, 0.01)
AT = {"white-1": (0.0, 0.0), "black-1": (-150.0, 150.0)}


def running(
    name: str, home: tuple[float, float], lay_s: float, seen: list[tuple[float, float, float]]
) -> Timeline:
    """A piece that lay until `lay_s`, seen at (s, mm, mm); the last three places are a path."""
    t, x, y = (np.array(part) for part in zip(*seen, strict=True))
    sigma = np.full(len(t), 0.2)
    kind, radius = ("striker", 20.65) if name == "striker" else ("carromman", 15.9)
    track = Track(name, kind, radius, radius**2, home, 0.1, t, x, y, sigma)
    way = fit(t[-3:], x[-3:], y[-3:], sigma[-3:], slowing=900.0, slowing_error=60.0)
    return Timeline(track, (resting(*home, 0.1, -1e9, lay_s), way), REST)


def shot(aim_mm: float = 0.0) -> tuple[Spell, list[Fact]]:
    """The striker comes from (0, -250), is seen once half way, and again after it touched.

    It aims so far aside of the man in the middle, which set off while nothing was seen.
    """
    seen_mm = aim_mm * 150 / 250
    striker = running(
        "striker",
        (0.0, -250.0),
        0.1,
        [(0.2, seen_mm, -100.0), *((0.3 + 0.03 * k, -60 - 60 * k, 60 + 60 * k) for k in range(3))],
    )
    man = running(
        "white-1", AT["white-1"], 0.2, [(0.3 + 0.03 * k, 30.0 * k, 80 + 70.0 * k) for k in range(3)]
    )
    other = running(
        "black-1",
        AT["black-1"],
        0.36,
        [(0.4 + 0.03 * k, -180 - 9 * k, 180.0 + 9 * k) for k in range(3)],
    )
    knocks = (
        Knock("strike", 0.15, 0.03, 0),
        Knock("strike", 0.25, FRAME_S, 1),
        Knock("contact", 0.37, 0.001, 0, 2),
    )
    facts: list[Fact] = [
        Struck(at_ms=150.0, piece="striker", at=Point(0, -250), error_ms=30.0),
        Contacted(at_ms=370.0, a="black-1", b="striker", at=Point(-140, 140), error_ms=1.0),
    ]
    return Spell((striker, man, other), knocks, 2.0, 2.0), facts


def test_a_man_on_the_way_that_set_off_while_the_striker_was_out_of_sight_was_touched_first() -> (
    None
):
    told = with_unseen_first_touch(*shot(), FRAME_S)
    touches = [f for f in told if isinstance(f, Contacted)]
    assert [{f.a, f.b} for f in touches] == [{"striker", "white-1"}, {"striker", "black-1"}]
    assert 200 < touches[0].at_ms < 300  # after it was seen half way, before both were seen again
    assert touches[0].error_ms > 2


@pytest.mark.parametrize(
    ("lay_s", "words"),
    [(0.15, [{"white-1", "white-2", "black-1"}]), (0.25, [])],
    ids=["when the striker came in sight", "later"],
)
def test_a_man_who_had_gone_may_have_turned_the_striker_before_it_was_seen_on_a_way_to_another(
    lay_s: float, words: list[set[str]]
) -> None:
    spell, facts = shot()
    gone = running(
        "white-2",
        (60.0, -180.0),
        lay_s,
        [(0.29 + 0.03 * k, 150.0 + 40 * k, -180) for k in range(3)],
    )
    told = with_unseen_first_touch(replace(spell, lines=(*spell.lines, gone)), facts, FRAME_S)
    assert [set(f.words) for f in told if isinstance(f, Unclear)] == words


def test_which_of_two_was_touched_first_is_asked_where_the_way_seen_leads_to_neither() -> None:
    told = with_unseen_first_touch(*shot(aim_mm=150.0), FRAME_S)
    (asked,) = [f for f in told if isinstance(f, Unclear)]
    assert set(asked.words) == {"white-1", "black-1"}


def test_a_first_touch_is_taken_as_told_where_every_man_has_a_cause() -> None:
    spell, facts = shot()
    known = Knock("contact", 0.24, 0.002, 1, 2)
    caused = Spell(spell.lines, (spell.knocks[0], known, spell.knocks[2]), 2.0, 2.0)
    assert with_unseen_first_touch(caused, facts, FRAME_S) == facts


def test_two_men_that_touched_each_other_alone_did_not_set_each_other_off() -> None:
    spell, facts = shot()
    touch = Knock("contact", 0.24, 0.002, 1, 2)
    told = with_unseen_first_touch(
        Spell(spell.lines, (spell.knocks[0], touch), 2.0, 2.0), facts[:1], FRAME_S
    )
    assert any(isinstance(f, Contacted | Unclear) for f in told), "something hit one of them"


def lying(name: str, home: tuple[float, float], lay_s: float) -> Timeline:
    """A man that something has stirred, and that was seen to lie at home until `lay_s`."""
    none = np.array([])
    track = Track(name, "carromman", 15.9, 253, home, 0.1, none, none, none, none)
    lies = resting(*home, 0.1, -1e9, 2.0)
    return Timeline(replace(track, lay_s=lay_s), (lies,), Ending("rest", 0.0, 0.0))


def with_a_man_behind(lay_s: float, far_mm: float) -> tuple[Spell, list[Fact]]:
    """A shot at a man in plain sight; another, so far behind the striker, lay until then."""
    striker = running(
        "striker",
        (0.0, -250.0),
        0.1,
        [(0.5 + 0.03 * k, 0.0, -150.0 + 50 * k) for k in range(3)],
    )
    aim = running(
        "white-1", AT["white-1"], 0.58, [(0.6 + 0.03 * k, 0.0, 20 + 30 * k) for k in range(3)]
    )
    lies = lying("black-2", (0.0, -250.0 - far_mm), lay_s)
    knocks = (Knock("strike", 0.3, 0.1, 0), Knock("contact", 0.57, 0.001, 0, 1))
    facts: list[Fact] = [
        Struck(at_ms=300.0, piece="striker", at=Point(0, -250), error_ms=100.0),
        Contacted(at_ms=570.0, a="striker", b="white-1", at=Point(0, -16), error_ms=1.0),
    ]
    return Spell((striker, aim, lies), knocks, 2.0, 2.0), facts


def test_a_man_that_a_hand_hid_with_the_striker_and_that_was_seen_no_more_may_be_the_first() -> (
    None
):
    told = with_unseen_first_touch(*with_a_man_behind(0.1, 98.0), FRAME_S, lost=["black-2"])
    (asked,) = [f for f in told if isinstance(f, Unclear)]
    assert set(asked.words) == {"white-1", "black-2"}
    assert 300 < asked.at_ms < 570
    assert [f.at_ms for f in told if isinstance(f, Contacted)] == [570.0]


@pytest.mark.parametrize(
    ("left_s", "far_mm", "asked"),
    [(0.3, 98.0, True), (0.7, 98.0, False), (0.3, 1400.0, False)],
    ids=["before the touch that was told", "after it", "too far off"],
)
def test_a_man_that_ran_already_may_have_been_sent_off_by_the_striker_out_of_sight(
    left_s: float, far_mm: float, asked: bool
) -> None:
    spell, facts = with_a_man_behind(0.1, far_mm)
    home = (0.0, -250.0 - far_mm)
    ran = running(
        "black-2",
        home,
        min(left_s - 0.05, 0.55),
        [(left_s + 0.03 * k, home[0] + 3 + 3 * k, home[1]) for k in range(3)],
    )
    told = with_unseen_first_touch(replace(spell, lines=(*spell.lines[:2], ran)), facts, FRAME_S)
    words = [set(f.words) for f in told if isinstance(f, Unclear)]
    assert words == ([{"white-1", "black-2"}] if asked else [])
    struck, *later = told
    assert isinstance(struck, Struck)
    assert all(f.at_ms > struck.at_ms for f in later)
    assert 100 < struck.at_ms <= 300, "after the striker was last seen to lie"


@pytest.mark.parametrize(
    ("lay_s", "far_mm", "lost"),
    [(0.1, 98.0, []), (0.55, 98.0, ["black-2"]), (0.1, 1400.0, ["black-2"])],
    ids=["it is seen again", "it was seen to lie later", "it lay too far off"],
)
def test_a_man_that_the_striker_cannot_have_touched_unseen_is_not_asked_about(
    lay_s: float, far_mm: float, lost: list[str]
) -> None:
    spell, facts = with_a_man_behind(lay_s, far_mm)
    assert with_unseen_first_touch(spell, facts, FRAME_S, lost=lost) == facts


def test_a_man_that_alone_may_have_turned_the_striker_out_of_sight_was_touched() -> None:
    turned = running(
        "striker",
        (0.0, -250.0),
        0.1,
        [(0.3 + 0.03 * k, -60.0 - 60 * k, -60.0 - 60 * k) for k in range(3)],
    )
    man = running(
        "white-1", AT["white-1"], 0.2, [(0.3 + 0.03 * k, 30.0 * k, 80 + 70.0 * k) for k in range(3)]
    )
    knocks = (Knock("strike", 0.15, 0.03, 0), Knock("strike", 0.25, FRAME_S, 1))
    struck = Struck(at_ms=150.0, piece="striker", at=Point(0, -250), error_ms=30.0)
    told = with_unseen_first_touch(Spell((turned, man), knocks, 2.0, 2.0), [struck], FRAME_S)
    assert [{f.a, f.b} for f in told if isinstance(f, Contacted)] == [{"striker", "white-1"}]
    assert not [f for f in told if isinstance(f, Unclear)], "no question with one answer"


def test_a_cushion_after_all_have_set_off_does_not_tell_which_way_the_striker_came() -> None:
    spell, facts = shot()
    knocks = (*spell.knocks[:2], Knock("cushion", 1.0, 0.001, 0))
    spell = replace(spell, knocks=knocks)
    (touch,) = first_touch(spell.lines[0], spell, facts[:1], 0.15, FRAME_S)
    assert isinstance(touch, Contacted)
    assert {touch.a, touch.b} == {"striker", "white-1"}


def test_of_many_that_set_off_unseen_those_that_lay_on_the_way_are_asked_about() -> None:
    spell, facts = shot(aim_mm=150.0)
    striker, *men = spell.lines
    far = [
        running(
            f"white-{n}",
            (-130.0, 32.0 * n - 170),
            0.2,
            [(0.3 + 0.03 * k, -160.0 - 30 * k, 32.0 * n - 170) for k in range(3)],
        )
        for n in range(2, 9)
    ]
    spell = replace(spell, lines=(striker, *far, *men), knocks=spell.knocks[:1])
    (asked,) = first_touch(striker, spell, facts[:1], 0.15, FRAME_S)
    assert isinstance(asked, Unclear)
    assert {"white-1", "white-2"} <= set(asked.words)
    assert "white-8" not in asked.words


@pytest.mark.parametrize(
    ("back_mm", "lay_s", "asked"),
    [(-12.0, 0.15, True), (12.0, 0.15, False), (-12.0, 0.25, False)],
    ids=["it came back from there", "it ran on", "the man was seen to lie there after it"],
)
def test_one_who_is_hidden_may_have_turned_the_striker_before_it_touched_another(
    back_mm: float, lay_s: float, asked: bool
) -> None:
    striker = running(
        "striker",
        (0.0, -250.0),
        0.1,
        [(0.2 + 0.03 * k, 3.0 * k, -100.0 + back_mm * k) for k in range(3)],
    )
    hidden = lying("white-1", (0.0, -63.0), lay_s)
    spell, facts = shot()
    other = spell.lines[2]
    knocks = (spell.knocks[0], Knock("contact", 0.37, 0.001, 0, 2))
    told = with_unseen_first_touch(
        replace(spell, lines=(striker, hidden, other), knocks=knocks), facts, FRAME_S
    )
    words = [set(f.words) for f in told if isinstance(f, Unclear)]
    assert words == ([{"white-1", "black-1"}] if asked else [])


@pytest.mark.parametrize(
    ("gap_mm", "words"), [(3.0, [{"striker", "white-1"}]), (60.0, [])], ids=["near", "too far off"]
)
def test_what_fell_as_it_ran_into_a_man_has_touched_him(gap_mm: float, words: list[object]) -> None:
    striker = running(
        "striker", (0.0, -250.0), 0.1, [(0.2 + 0.03 * k, 0, 10 * k) for k in range(3)]
    )
    fell = replace(striker, ending=Ending("pocketed", 0.27, 0.01, pocket="N"))
    man = running(
        "white-1",
        (0.0, 20.0 + 36.55 + gap_mm),
        0.26,
        [(0.3 + 0.03 * k, 40.0 + 9 * k, 70 + 9.0 * k) for k in range(3)],
    )
    facts: list[Fact] = [Struck(at_ms=150.0, piece="striker", at=Point(0, -250), error_ms=30.0)]
    knocks = (Knock("strike", 0.15, 0.03, 0), Knock("strike", 0.28, FRAME_S, 1))
    told = with_unseen_first_touch(Spell((fell, man), knocks, 2.0, 2.0), facts, FRAME_S)
    touches = [f for f in told if isinstance(f, Contacted)]
    assert [{f.a, f.b} for f in touches] == words
    assert all(260 < f.at_ms < 300 and f.error_ms > 5 for f in touches)


def test_one_that_lies_still_and_passed_the_blow_on_may_have_been_touched_first() -> None:
    spell, facts = shot(aim_mm=150.0)
    striker, *men = spell.lines
    before = lying("white-9", (0.0, -32.0), 2.0)
    spell = replace(spell, lines=(striker, before, *men), knocks=spell.knocks[:1])
    (asked,) = first_touch(striker, spell, facts[:1], 0.15, FRAME_S)
    assert isinstance(asked, Unclear)
    assert {"white-1", "white-9"} <= set(asked.words)
