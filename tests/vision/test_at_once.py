"""Whoever comes next does not wait for the second of rest: both strokes are told, and the rest."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from testkit.at_once import SWINGS_S, Twice, flicked_again, led_and_struck
from testkit.flicks import Man, Set, carrom_tables, cue_stroke, flick, qsquare_tables, watched

from rules.facts import Fact, Moved, Placed, Removed, Settled, Struck, Unclear
from rules.geometry import Point
from sightline.simulated.carrom.flick import PUSHED_S

pytestmark = pytest.mark.film

AT, AGAIN_AT = (-79.0, -252.6), (60.0, -252.6)
MEN: list[Man] = [("black", -60.0, 120.0), ("white", -220.0, 40.0), ("white", 180.0, -60.0)]
PUCKS: list[Man] = [("red", 60.0, -60.0), ("blue", -200.0, 220.0)]
CUE_AT, HOME = (40.0, -430.0), (-60.0, -440.0)


@cache
def carrom() -> Set:
    return carrom_tables(Path(mkdtemp()) / "carrom")


@cache
def qsquare() -> Set:
    return qsquare_tables(Path(mkdtemp()) / "qsquare")


def flicked_after(from_s: float) -> Twice:
    """A hand comes so long after all lies still, fetches the striker and flicks it."""
    table = carrom()[1]
    one = flick(table, MEN, 1800.0, AT)
    return flicked_again(
        table,
        one,
        AGAIN_AT,
        (180.0, -60.0),
        2400.0,
        from_s=one.run.rest_s + from_s,
        struck_s=PUSHED_S + 0.5,
    )


def struck_after(from_s: float) -> Twice:
    """A cue comes so, leads the cue-puck home, swings behind it and strikes it."""
    table = qsquare()[1]
    one = cue_stroke(table, PUCKS, 1200.0, CUE_AT, (60.0, -60.0), struck_s=1.4)
    lies = next(p for p in one.after if p.name == "cue-puck")
    return led_and_struck(
        table,
        one,
        ((lies.x_mm, lies.y_mm), (-40.0, -200.0), HOME),
        (-200.0, 220.0),
        2000.0,
        from_s=one.run.rest_s + from_s,
        feathers_s=SWINGS_S + 0.8,
    )


def struck_in(facts: list[Fact]) -> list[Struck]:
    return [fact for fact in facts if isinstance(fact, Struck) and not fact.dragged]


def is_rest_told_between(facts: list[Fact], act: Twice) -> bool:
    """Whether the rest is told before what was struck is touched again, all of it in its place."""
    first = next(k for k, fact in enumerate(facts) if fact in struck_in(facts))
    for fact in facts[first + 1 :]:
        if isinstance(fact, Settled):
            lie = {(p.spec.colour, p.x_mm, p.y_mm) for p in act.one.after}
            return len(lie) == len(fact.pieces) and all(
                any(
                    colour == piece.colour and piece.at.distance_mm(Point(x, y)) < 1.0
                    for colour, x, y in lie
                )
                for piece in fact.pieces
            )
        if isinstance(fact, Struck | Moved):
            return False
    return False


def test_a_striker_fetched_and_flicked_at_once_is_two_strokes_with_a_rest_between() -> None:
    act = flicked_after(-0.3)
    facts, _ = watched(carrom(), act, film=1)
    one, two = struck_in(facts)
    assert one.at.distance_mm(Point(*AT)) < 0.5
    assert two.at.distance_mm(Point(*AGAIN_AT)) < 0.7
    assert two.at_ms == pytest.approx(1000 * (act.second_from_s + PUSHED_S + 0.5), abs=15.0)
    assert is_rest_told_between(facts, act)
    assert {f.piece for f in facts if isinstance(f, Moved)} == {"striker"}
    assert not any(isinstance(f, Placed | Removed | Unclear) for f in facts)


def test_a_cue_puck_led_home_and_struck_at_once_is_two_strokes_with_a_rest_between() -> None:
    act = struck_after(0.05)
    facts, _ = watched(qsquare(), act, film=2)
    one, two = struck_in(facts)
    assert one.at.distance_mm(Point(*CUE_AT)) < 0.5
    assert two.at.distance_mm(Point(*HOME)) < 0.7
    assert two.at_ms == pytest.approx(1000 * (act.second_from_s + SWINGS_S), abs=15.0)
    assert is_rest_told_between(facts, act)
    assert [f.piece for f in facts if isinstance(f, Struck) and f.dragged] == ["cue-puck"]
    assert not any(isinstance(f, Moved | Placed | Removed) for f in facts)


def test_fetched_half_hidden_and_then_seen_whole_it_is_struck_when_it_leaves() -> None:
    """How it looked beneath the hand that brought it is what that hand looks like, in part."""
    table = carrom()[1]
    men: list[Man] = [
        ("black", 39.266, -1.237),
        ("white", -193.839, 8.345),
        ("black", 75.713, 197.648),
        ("black", -329.603, -62.818),
        ("white", -283.059, 338.792),
    ]
    one = flick(table, men, 729.784, (138.03, -252.6), (54.143, 3.488), struck_s=1.018918)
    act = flicked_again(
        table, one, (-20.487, -252.6), (-4.417, 32.771), 4493.788, from_s=2.46616, struck_s=2.22448
    )
    facts, _ = watched(carrom(), act, film=17)
    true = struck_in(list(act.facts()))
    told = struck_in(facts)
    assert [fact.piece for fact in told] == ["striker", "striker"]
    for fact, as_it_was in zip(told, true, strict=True):
        assert abs(fact.at_ms - as_it_was.at_ms) < 3.0
        assert fact.at.distance_mm(as_it_was.at) < 1.0
