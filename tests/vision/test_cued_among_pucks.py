"""Strokes with a cue among pucks by a cushion, several of which are hit at once: drawn, watched."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from testkit.flicks import Man, Set, cue_stroke, qsquare_tables, watched

from rules.facts import (
    Contacted,
    Fact,
    LeftBoard,
    Moved,
    Placed,
    Pocketed,
    Removed,
    Struck,
    Unclear,
)

pytestmark = pytest.mark.film

CUE = "cue-puck"
STRUCK_S = 1.4  # before it, the cue is not there yet
Spot = tuple[float, float]


@cache
def tables() -> Set:
    return qsquare_tables(Path(mkdtemp()) / "table")


def told_of(
    pucks: list[Man],
    at: Spot,
    aim: Spot,
    speed_mm_s: float,
    *,
    hops: Callable[[float], bool] = lambda _: False,
) -> tuple[list[Fact], list[Fact]]:
    """What is told of a stroke, and the truth."""
    act = cue_stroke(tables()[1], pucks, speed_mm_s, at, aim, struck_s=STRUCK_S, hops=hops)
    told, _ = watched(tables(), act, film=1)
    return told, list(act.facts())


def falls(facts: Iterable[Fact]) -> set[tuple[str, str]]:
    """Which colour fell into which pocket."""
    return {(f.piece.split("-")[0], f.pocket) for f in facts if isinstance(f, Pocketed)}


@pytest.mark.parametrize(
    ("pucks", "at", "aim", "speed_mm_s"),
    [
        (
            [("red", -495.4, 335.5), ("blue", -495.4, 270.2)],
            (-439.8, 315.6),
            (-499.4, 337.6),
            2564.0,
        ),
        (
            [
                ("blue", -196.9, 465.8),
                ("red", -119.2, 466.7),
                ("red", -153.3, 455.7),
                ("blue", -253.7, 460.3),
            ],
            (-166.4, 390.4),
            (-198.1, 467.0),
            2842.0,
        ),
        (
            [
                ("red", -165.5, -495.4),
                ("blue", -126.0, -446.5),
                ("blue", -129.4, -495.4),
                ("red", -245.5, -495.4),
            ],
            (-172.3, -443.0),
            (-171.9, -491.9),
            3240.0,
        ),
        (
            [("red", 476.2, -50.5), ("blue", 477.7, -100.9), ("blue", 463.2, 4.3)],
            (384.1, -77.7),
            (475.8, -57.4),
            2820.0,
        ),
    ],
    ids=["the one hit is gone at once", "four, two of a look", "at the cushion", "through one"],
)
def test_a_stroke_among_pucks_is_no_drag_and_nothing_it_sent_off_was_moved_by_a_hand(
    pucks: list[Man], at: Spot, aim: Spot, speed_mm_s: float
) -> None:
    told, true = told_of(pucks, at, aim, speed_mm_s)
    assert [(f.piece, f.dragged) for f in told if isinstance(f, Struck)] == [(CUE, False)]
    assert not [f for f in told if isinstance(f, Moved | Placed | Removed)]
    assert falls(told) <= falls(true)
    assert [f for f in told if isinstance(f, Contacted | Unclear)]


def test_two_of_different_colours_sent_off_at_once_are_not_taken_for_each_other() -> None:
    told, true = told_of(
        [("blue", 447.7, 105.5), ("red", 428.2, 43.6), ("red", 476.5, 18.1)],
        (399.0, 168.7),
        (457.2, 109.6),
        3437.0,
    )
    assert falls(told) == falls(true) == {("red", "SW")}
    first = next(f for f in told if isinstance(f, Contacted))
    assert {first.a, first.b} == {CUE, "blue-1"}


def test_of_two_alike_the_one_that_fell_unseen_is_not_told_as_gone_where_the_other_ran() -> None:
    told, true = told_of(
        [("red", 380.2, -465.5), ("red", 422.8, -479.3)],
        (279.8, -481.9),
        (365.4, -464.8),
        3679.0,
    )
    assert falls(true) == {("red", "SE")}
    assert not [f for f in told if isinstance(f, LeftBoard)]
    assert falls(told) <= falls(true)


def test_of_two_alike_that_come_to_a_mouth_at_once_one_fall_is_told_and_no_more() -> None:
    """One falls, the other flies over it and off the board; nobody saw that one."""
    told, true = told_of(
        [("red", -0.1, -495.7), ("red", -27.2, -495.1)],
        (250.7, 425.0),
        (483.0, 163.8),
        3753.0,
        hops=lambda speed: speed > 2500,
    )
    fell = [f for f in true if isinstance(f, Pocketed)]
    assert len([f for f in told if isinstance(f, Pocketed)]) <= len(fell)


@pytest.mark.parametrize(
    ("pucks", "at", "aim", "speed_mm_s", "first"),
    [
        (
            [("red", -166.6, 495.4), ("blue", -199.5, 443.8)],
            (-147.4, 432.8),
            (-178.6, 487.9),
            2283.0,
            "red-1",
        ),
        (
            [
                ("red", 490.0, 162.3),
                ("blue", 484.6, 239.9),
                ("red", 495.4, 108.6),
                ("red", 495.4, 213.4),
            ],
            (435.6, 243.0),
            (490.8, 150.3),
            2672.0,
            "red-4",
        ),
    ],
    ids=["two within three milliseconds", "its way seen leads to none"],
)
def test_what_was_touched_first_out_of_sight_is_asked_with_the_right_one_among_the_answers(
    pucks: list[Man], at: Spot, aim: Spot, speed_mm_s: float, first: str
) -> None:
    told, true = told_of(pucks, at, aim, speed_mm_s)
    touched = next(f for f in true if isinstance(f, Contacted))
    assert {touched.a, touched.b} == {CUE, first}
    asked = min((f for f in told if isinstance(f, Unclear)), key=lambda f: f.at_ms)
    seen = [f for f in told if isinstance(f, Contacted) and CUE in (f.a, f.b)]
    assert all(f.at_ms > asked.at_ms for f in seen)
    assert first.split("-")[0] in {str(words).split("-")[0] for words in asked.words}


def test_a_puck_that_the_cue_puck_sent_off_from_close_by_is_followed_however_fast_it_is() -> None:
    told, true = told_of(
        [("red", -495.4, 186.6), ("red", -465.1, 120.3)],
        (-442.5, 214.1),
        (-494.0, 201.1),
        2995.0,
    )
    assert falls(told) == falls(true) == {("red", "SW")}
