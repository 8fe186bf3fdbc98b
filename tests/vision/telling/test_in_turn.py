"""Which of two touches close in time was the first: where the way leads tells."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from rules.facts import Contacted, Fact, Struck
from rules.geometry import Point
from rules.verdicts import Verdict, order
from vision.telling.in_turn import in_turn
from vision.tracking.track import Track
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

REST = Ending("rest", 2.0, 0.01)
FRAME_S = 1 / 30
CUE_MM, MAN_MM = 24.0, 12.0
SPEED = 2400.0
FIRST_MS = 400.0
"""When the cue-puck, which comes up along x = 0, meets the queen."""


def man(name: str, aside_mm: float, ahead_mm: float, set_off_s: float | None = None) -> Timeline:
    """A man the cue-puck's way leads to so many millimetres beyond the queen."""
    room = CUE_MM + MAN_MM
    y = SPEED * FIRST_MS / 1000 + ahead_mm
    y += (room**2 - aside_mm**2) ** 0.5 if abs(aside_mm) < room else 0.0
    return still(name, (aside_mm, y), set_off_s)


def still(name: str, home: tuple[float, float], set_off_s: float | None = None) -> Timeline:
    """One that lay there until the frame before it was first seen elsewhere."""
    t = np.zeros(0) if set_off_s is None else set_off_s + FRAME_S * np.arange(3)
    x, y = home[0] + 30 * np.arange(1, len(t) + 1), home[1] + 40 * np.arange(1, len(t) + 1)
    sigma = np.full(len(t), 0.2)
    track = Track(name, "puck", MAN_MM, 1.0, home, 0.05, t, x, y, sigma)
    lay_s = 2.0 if set_off_s is None else set_off_s - FRAME_S
    phases = [resting(*home, 0.1, -1e9, lay_s)]
    if set_off_s is not None:
        phases.append(fit(t, x, y, sigma, slowing=900.0, slowing_error=60.0))
    return Timeline(track, tuple(phases), REST)


def cue_puck() -> Timeline:
    """Struck at 0 s from the origin, seen in six frames on its way."""
    t = 0.2 + FRAME_S * np.arange(6)
    x, y, sigma = 0.0 * t, SPEED * t, np.full(6, 0.15)
    track = Track("cue-puck", "cue-puck", CUE_MM, 4.0, (0.0, 0.0), 0.05, t, x, y, sigma)
    way = fit(t, x, y, sigma, slowing=0.0, slowing_error=60.0)
    return Timeline(track, (resting(0.0, 0.0, 0.1, -1e9, 0.0), way), REST)


def touch(name: str, at_ms: float, error_ms: float) -> Contacted:
    return Contacted(at_ms=at_ms, a=name, b="cue-puck", at=Point(0.0, 0.0), error_ms=error_ms)


def told(*men: Timeline, touches: list[Contacted]) -> list[Fact]:
    spell = Spell((cue_puck(), *men), (), 1.5, 1.5)
    facts: list[Fact] = [Struck(at_ms=0.0, piece="cue-puck", at=Point(0.0, 0.0))]
    return in_turn(spell, [*facts, *touches])


def order_of(facts: list[Fact]) -> Verdict:
    """Whether the queen was touched before the blue puck, as it is told."""
    at = {fact.a: fact for fact in facts if isinstance(fact, Contacted)}
    queen, blue = at["queen"], at["blue-1"]
    return order(queen.at_ms, queen.error_ms, blue.at_ms, blue.error_ms)


@pytest.mark.parametrize(
    ("aside_mm", "ahead_mm", "verdict"),
    [
        (20.0, 9.0, Verdict.YES),
        (20.0, 3.0, Verdict.YES),
        (20.0, 0.5, Verdict.CLOSE),
        (0.0, 1.5, Verdict.YES),
        (40.0, -20.0, Verdict.YES),
        (36.1, -20.0, Verdict.CLOSE),
    ],
    ids=["well beyond", "beyond", "hardly beyond", "right ahead", "passed by", "perhaps grazed"],
)
@pytest.mark.parametrize("late_ms", [0.3, 4.0])
def test_what_the_way_leads_to_later_was_touched_later_however_badly_it_was_timed(
    aside_mm: float, ahead_mm: float, late_ms: float, verdict: Verdict
) -> None:
    queen = man("queen", -10.0, 0.0, set_off_s=0.42)
    blue = man("blue-1", aside_mm, ahead_mm, set_off_s=0.42)
    touches = [touch("queen", FIRST_MS, 0.3), touch("blue-1", FIRST_MS + late_ms, 9.6)]
    facts = told(queen, blue, touches=touches)
    assert order_of(facts) is verdict
    assert touches[0] in facts
    if verdict is Verdict.CLOSE:
        assert touches[1] in facts


def test_two_touches_that_were_timed_well_are_told_apart_by_the_way_alone() -> None:
    """An error along the way shifts both, so their times are amiss together."""
    queen, blue = man("queen", -5.0, 0.0, set_off_s=0.42), man("blue-1", 14.0, 1.6, set_off_s=0.42)
    touches = [touch("queen", FIRST_MS, 0.27), touch("blue-1", FIRST_MS + 0.65, 0.32)]
    assert order(400.0, 0.27, 400.65, 0.32) is Verdict.CLOSE
    facts = told(queen, blue, touches=touches)
    assert order_of(facts) is Verdict.YES
    moved_ms = [abs(a.at_ms - b.at_ms) for a, b in zip(facts[1:], touches, strict=True)]
    assert max(moved_ms) < 0.5


def test_where_another_ran_before_nothing_is_concluded() -> None:
    """It may have brought the blue puck to where the cue-puck met it."""
    queen, blue = man("queen", -10.0, 0.0, set_off_s=0.42), man("blue-1", 20.0, 9.0, set_off_s=0.42)
    red = man("red-1", 200.0, 0.0, set_off_s=0.3)
    touches = [touch("queen", FIRST_MS, 0.3), touch("blue-1", FIRST_MS + 4.0, 9.6)]
    assert told(queen, blue, red, touches=touches)[1:] == touches


def test_what_it_came_by_before_a_cushion_may_have_been_touched_there() -> None:
    queen, blue = man("queen", -10.0, 0.0, set_off_s=0.42), still("blue-1", (60.0, 300.0), 0.42)
    cue = cue_puck()
    before = replace(cue.phases[1], first_s=0.05, last_s=0.1, x=(60.0, 0.0, 0.0))
    cue = replace(cue, phases=(cue.phases[0], before, cue.phases[1]))
    assert hypot(*before.speed_at(0.1)) == pytest.approx(SPEED, rel=0.01)
    facts: list[Fact] = [
        Struck(at_ms=0.0, piece="cue-puck", at=Point(0.0, 0.0)),
        touch("queen", FIRST_MS, 0.3),
        touch("blue-1", FIRST_MS + 4.0, 9.6),
    ]
    assert in_turn(Spell((cue, queen, blue), (), 1.5, 1.5), facts) == facts
