"""A cue-puck that moves by a few centimetres: a soft stroke, or put right with the cue."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
from testkit.flicks import Set, brought, cue_stroke, qsquare_tables, watched

from rules.facts import Contacted, Cushioned, Fact, Moved, Struck, Travelled
from rules.geometry import Point, Seat
from vision.telling.adjusted import (
    beneath_the_cue_s,
    brought_s,
    perhaps_adjusted,
    ran_unlike_free_s,
)
from vision.tracking.track import Floats, Track
from vision.trajectories.timeline import Timeline
from vision.trajectories.timelines import timelines

pytestmark = pytest.mark.film

HOME = Point(0.0, -440.0)
Spot = tuple[float, float]


@cache
def tables() -> Set:
    return qsquare_tables(Path(mkdtemp()) / "table")


def struck(speed_mm_s: float, *, dragged: bool = False) -> Struck:
    return Struck(at_ms=0.0, piece="cue-puck", at=HOME, speed_mm_s=speed_mm_s, dragged=dragged)


def travelled(*spots: Spot) -> Travelled:
    path = (HOME, *(Point(*spot) for spot in spots))
    return Travelled(at_ms=300.0, piece="cue-puck", path=path)


def told(
    facts: Sequence[Fact], ran: Mapping[str, Spot], cued: frozenset[str] = frozenset({"cue-puck"})
) -> tuple[Fact, ...]:
    return perhaps_adjusted(facts, cued, ran)


@pytest.mark.parametrize(
    ("speed_mm_s", "far_mm"),
    [(120.0, 8.0), (340.0, 48.0), (900.0, 20.0)],
    ids=["softly", "a little farther", "fast, it seems, and hardly at all"],
)
def test_what_moved_by_a_little_and_hit_nothing_is_told_as_moved(
    speed_mm_s: float, far_mm: float
) -> None:
    to = (0.0, HOME.y_mm + far_mm)
    (moved,) = told([struck(speed_mm_s), travelled(to)], {"cue-puck": to})
    assert moved == Moved(at_ms=0.0, piece="cue-puck", before=HOME, after=Point(*to))


@pytest.mark.parametrize(
    ("far_mm", "moved"), [(1.1, 0), (8.0, 1)], ids=["no farther than known", "on"]
)
def test_what_a_cue_has_just_led_to_a_place_is_not_struck_there_because_it_shows_a_little_aside(
    far_mm: float, moved: int
) -> None:
    """The cue hides half of it: where it has been led to is known within six tenths."""
    led = replace(struck(0.0, dragged=True), at_ms=-30.0)
    to = (0.0, HOME.y_mm + far_mm)
    facts: list[Fact] = [led, replace(struck(17.0), error_mm=0.6), travelled(to)]
    after = told(facts, {"cue-puck": to})
    assert after[0] == led
    assert [type(fact) for fact in after[1:]] == [Moved] * moved


def test_a_place_beside_the_way_that_nothing_turned_does_not_make_it_a_stroke() -> None:
    to = (18.0, HOME.y_mm + 16.0)
    facts: list[Fact] = [struck(700.0), travelled((11.0, HOME.y_mm + 25.0), to)]
    (moved,) = told(facts, {"cue-puck": to})
    assert isinstance(moved, Moved)


@pytest.mark.parametrize(
    ("facts", "ran"),
    [
        ([struck(500.0), travelled((0.0, -400.0))], {"cue-puck": (0.0, -400.0)}),
        ([struck(310.0), travelled((0.0, -380.0))], {"cue-puck": (0.0, -380.0)}),
        (
            [
                struck(350.0),
                Cushioned(at_ms=90.0, piece="cue-puck", border=Seat.S),
                travelled((0.0, -493.0), (0.0, -450.0)),
            ],
            {"cue-puck": (0.0, -450.0)},
        ),
        (
            [
                struck(200.0),
                Contacted(at_ms=60.0, a="cue-puck", b="red-1", at=HOME),
                travelled((0.0, -430.0)),
            ],
            {"cue-puck": (0.0, -430.0)},
        ),
        (
            [struck(200.0), travelled((0.0, -430.0))],
            {"cue-puck": (0.0, -430.0), "red-1": (50.0, 0.0)},
        ),
        ([struck(200.0, dragged=True)], {"cue-puck": (0.0, -430.0)}),
    ],
    ids=[
        "a stroke's speed",
        "farther",
        "to the cushion and back",
        "into a puck",
        "a puck ran",
        "told as dragged",
    ],
)
def test_what_can_be_told_stays_as_it_is_told(facts: list[Fact], ran: dict[str, Spot]) -> None:
    assert told(facts, ran) == tuple(facts)


def test_what_is_flicked_is_left_alone() -> None:
    facts: list[Fact] = [struck(200.0), travelled((0.0, -430.0))]
    assert told(facts, {"cue-puck": (0.0, -430.0)}, frozenset()) == tuple(facts)


def test_what_was_beneath_the_cue_all_the_way_was_brought() -> None:
    facts: list[Fact] = [struck(340.0), travelled((0.0, -410.0))]
    ran = {"cue-puck": (0.0, -410.0)}
    (told_,) = perhaps_adjusted(facts, {"cue-puck"}, ran, {"cue-puck": (0.2, 0.4)})
    assert isinstance(told_, Struck)
    assert told_.dragged
    assert told_.at_ms == pytest.approx(300.0)
    assert told_.error_ms == pytest.approx(100.0)


def followed(t: Floats, y: Floats, *, beside: Sequence[Spot] = ()) -> list[Timeline]:
    """The lines of a cue-puck at these times and places, and of those that lie `beside` it."""
    noise = np.random.default_rng(3).normal(0.0, 0.1, (2, len(t)))
    tracks = [track("cue-puck", noise[0], y + noise[1], t)]
    for number, (u, v) in enumerate(beside):
        still = np.zeros(len(t))
        tracks.append(track(f"red-{number}", u + still, v + still, t))
    return timelines(tracks, tables()[1].board, 1 / 30.0, float(t[-1]))


def track(name: str, x: Floats, y: Floats, t: Floats) -> Track:
    return Track(
        name=name,
        kind=name if name == "cue-puck" else "puck",
        radius_mm=25.0,
        mass=1.0,
        home=(round(float(x[0])), round(float(y[0]))),
        home_error_mm=0.1,
        t=t,
        x=x,
        y=y,
        sigma=np.full(len(t), 0.15),
    )


@pytest.mark.parametrize(
    ("hidden", "beneath"),
    [(range(9, 15), True), (range(9, 12), True), (range(10, 12), False), (range(9, 13, 2), False)],
    ids=["all the way", "for three pictures", "for two", "seen in between"],
)
def test_a_way_lay_beneath_the_cue_if_nothing_of_it_was_seen(
    hidden: range, *, beneath: bool
) -> None:
    seen = np.array([k for k in range(24) if k not in hidden])
    t = seen / 30.0
    gone = (seen > hidden[0]) / 1.0
    if not beneath and len(hidden) == 2 and hidden.step == 2:
        gone[seen == hidden[0] + 1] = 0.5
    (line,) = followed(t, -440.0 + 30.0 * gone)
    found = beneath_the_cue_s(line, 1 / 30.0)
    assert (found is not None) == beneath
    if found is not None:
        since_s, until_s = found
        assert since_s == pytest.approx((hidden[0] - 1) / 30)
        assert until_s == pytest.approx((hidden[-1] + 1) / 30)


SLOWING = 1100.0  # mm/s²
EVERY_S = 1 / 30.0


def free(far_mm: float, late_s: float, slowing: float = SLOWING) -> tuple[Floats, Floats]:
    """When and where a puck is seen that runs freely over so much, from -440 on."""
    t = np.arange(24) * EVERY_S
    takes_s = np.sqrt(2 * far_mm / slowing)
    left_s = np.clip(takes_s - (t - 0.3 - late_s), 0.0, takes_s)
    return t, -440.0 + far_mm - 0.5 * slowing * left_s**2


def pushed(far_mm: float, late_s: float, speed_mm_s: float) -> tuple[Floats, Floats]:
    """The same of one that a cue pushes so far, and holds."""
    t = np.arange(24) * EVERY_S
    return t, -440.0 + np.clip((t - 0.3 - late_s) * speed_mm_s, 0.0, far_mm)


@pytest.mark.parametrize("late_s", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize("far_mm", [4.0, 9.0, 15.0, 25.0, 48.0])
@pytest.mark.parametrize("rougher", [0.75, 1.0, 1.25])
def test_what_runs_freely_is_not_told_as_brought(
    far_mm: float, late_s: float, rougher: float
) -> None:
    (line,) = followed(*free(far_mm, late_s, SLOWING * rougher))
    assert ran_unlike_free_s(line, SLOWING) is None


@pytest.mark.parametrize("late_s", [0.0, 0.01, 0.02, 0.03])
@pytest.mark.parametrize(("far_mm", "speed_mm_s"), [(15.0, 300.0), (25.0, 300.0), (48.0, 290.0)])
def test_what_lies_still_sooner_than_friction_stops_it_was_brought(
    far_mm: float, speed_mm_s: float, late_s: float
) -> None:
    (line,) = followed(*pushed(far_mm, late_s, speed_mm_s))
    found = brought_s(line, [line], tables()[1].board, frame_s=EVERY_S, slowing_mm_s2=SLOWING)
    assert found is not None
    since_s, until_s = found
    assert since_s <= 0.3 + late_s
    assert 0.3 + late_s + (far_mm - 1.5) / speed_mm_s <= until_s <= since_s + 0.3


@pytest.mark.parametrize("late_s", [0.0, 0.004, 0.008])
@pytest.mark.parametrize("far_mm", [4.5, 5.0, 6.0])
@pytest.mark.parametrize("seen_at_home", [True, False], ids=["seen at home", "known to lie there"])
def test_a_hook_of_half_a_centimetre_between_two_pictures_is_no_free_run(
    far_mm: float, late_s: float, *, seen_at_home: bool
) -> None:
    t, y = pushed(far_mm, late_s, 220.0)
    if not seen_at_home:
        t, y = t[10:], y[10:]
    line, *_ = followed(t, y)
    track = line.track if seen_at_home else replace(line.track, home=(0.0, -440.0), lay_s=0.3)
    (line,) = timelines([track], tables()[1].board, EVERY_S, float(t[-1]))
    found = ran_unlike_free_s(line, SLOWING)
    assert found is not None
    assert found == pytest.approx((0.3, 0.3 + EVERY_S))


def test_when_it_lay_at_home_at_last_is_before_it_was_seen_elsewhere() -> None:
    """The cue hid it, and it seemed to lie there still."""
    t, y = free(9.0, 0.01)
    (line,) = followed(t, y)
    late = replace(line.track, lay_s=0.3 + 2 * EVERY_S)
    (line,) = timelines([late], tables()[1].board, EVERY_S, float(t[-1]))
    assert ran_unlike_free_s(line, SLOWING) is None


def test_what_a_cushion_turned_back_ran_no_straight_way_and_is_not_told_as_brought() -> None:
    t, y = free(13.0, 0.0)
    way, there = y + 440.0, 0.6 * 13.0
    (line,) = followed(t, -440.0 + np.minimum(way, 2 * there - way))
    assert ran_unlike_free_s(line, SLOWING) is None


@pytest.mark.parametrize(
    ("beside", "slowing_mm_s2", "brought"),
    [
        ((), SLOWING, True),
        (((0.0, -360.0),), SLOWING, True),
        (((0.0, -372.0),), SLOWING, False),
        ((), None, False),
    ],
    ids=[
        "nothing beside",
        "a puck some way off",
        "a puck that it may have met",
        "friction unknown",
    ],
)
def test_what_may_have_met_another_or_nobody_knows_the_friction_of_was_not_surely_brought(
    beside: Sequence[Spot], slowing_mm_s2: float | None, *, brought: bool
) -> None:
    line, *others = followed(*pushed(15.0, 0.0, 300.0), beside=beside)
    found = brought_s(
        line, [line, *others], tables()[1].board, frame_s=EVERY_S, slowing_mm_s2=slowing_mm_s2
    )
    assert (found is not None) == brought


@pytest.mark.parametrize(("short_mm", "brought"), [(1.0, False), (12.0, True)])
def test_what_came_to_lie_at_a_cushion_may_have_been_stopped_by_that(
    short_mm: float, *, brought: bool
) -> None:
    board = tables()[1].board
    t, y = pushed(15.0, 0.0, 300.0)
    (line,) = followed(t, y + board.height_mm / 2 - 25.0 - short_mm - float(y[-1]))
    found = brought_s(line, [line], board, frame_s=EVERY_S, slowing_mm_s2=SLOWING)
    assert (found is not None) == brought


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("far_mm", [6.0, 14.0])
def test_the_cue_puck_put_right_with_the_cue_is_not_told_as_struck(
    far_mm: float, turn: int
) -> None:
    way = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[turn]
    at = 60.0 * turn - 90.0, -430.0
    to = at[0] + far_mm * way[0], at[1] + far_mm * way[1]
    facts, _ = watched(tables(), brought(tables()[1], at, to), film=turn)
    assert not [f for f in facts if isinstance(f, Struck) and not f.dragged]


@pytest.mark.parametrize("speed_mm_s", [480.0, 700.0])
def test_a_soft_stroke_is_told_as_one(speed_mm_s: float) -> None:
    at = 40.0, -430.0
    stroke = cue_stroke(tables()[1], [], speed_mm_s, at, (60.0, 0.0), struck_s=1.4)
    facts, _ = watched(tables(), stroke, film=3)
    (strike,) = (fact for fact in facts if isinstance(fact, Struck))
    assert not strike.dragged
    assert strike.speed_mm_s == pytest.approx(speed_mm_s, rel=0.1)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("speed_mm_s", [260.0, 330.0])
def test_a_stroke_of_a_few_centimetres_is_never_told_as_dragged(
    speed_mm_s: float, turn: int
) -> None:
    at, to = (50.0 * turn - 70.0, -430.0), (60.0 - 40.0 * turn, 0.0)
    stroke = cue_stroke(tables()[1], [], speed_mm_s, at, to, struck_s=1.4)
    facts, _ = watched(tables(), stroke, film=turn)
    assert [f for f in facts if isinstance(f, Struck | Moved)]
    assert not [f for f in facts if isinstance(f, Struck) and f.dragged]
