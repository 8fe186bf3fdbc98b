"""A striker that a finger pushes along the base line and flicks, all in one visit of the hand."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from testkit.flicks import Man, Set, carrom_tables, flick, watched

from rules.facts import Contacted, Fact, Moved, Placed, Pocketed, Struck
from rules.geometry import Point, Seat
from sightline.simulated.acts.carrying import Carry
from sightline.simulated.carrom.flick import PUSHED_S
from sightline.simulated.pieces import Lying

pytestmark = pytest.mark.film

AT = (40.0, -252.6)
MEN: list[Man] = [("black", 90.0, 120.0), ("white", -120.0, 40.0), ("white", 180.0, -60.0)]


@cache
def tables() -> Set:
    return carrom_tables(Path(mkdtemp()) / "table")


@cache
def told_of(pushed_mm: float, aims_s: float = 0.5, speed_mm_s: float = 2200.0) -> list[Fact]:
    """What is told of it once the finger has aimed for so long at the first of the men."""
    struck_s = PUSHED_S + aims_s
    act = flick(tables()[1], MEN, speed_mm_s, AT, struck_s=struck_s, pushed_mm=pushed_mm)
    return watched(tables(), act, film=round(abs(pushed_mm)))[0]


def flicked_back(
    at: tuple[float, float],
    pushed_mm: float,
    aim: tuple[float, float],
    speed_mm_s: float,
    *,
    film: int,
) -> Struck:
    """How a flick is told at a man behind the striker, half beneath the hand that pushed it."""
    men: list[Man] = [("white", *aim), ("black", -90.0, 100.0)]
    act = flick(tables()[1], men, speed_mm_s, at, aim, struck_s=PUSHED_S + 0.9, pushed_mm=pushed_mm)
    facts, _ = watched(tables(), act, film=film)
    (strike,) = (f for f in facts if isinstance(f, Struck) and f.piece == "striker")
    return strike


@pytest.mark.parametrize("pushed_mm", [-140.0, -70.0, -24.0, 9.0, 45.0, 110.0])
def test_it_is_struck_from_where_it_was_pushed_to(pushed_mm: float) -> None:
    facts = told_of(pushed_mm)
    (strike,) = (fact for fact in facts if isinstance(fact, Struck))
    assert (strike.piece, strike.dragged, strike.by) == ("striker", False, Seat.S)
    assert strike.at.distance_mm(Point(*AT)) < 0.5
    assert strike.at_ms == pytest.approx(1000 * (PUSHED_S + 0.5), abs=15.0)
    assert strike.speed_mm_s == pytest.approx(2200.0, rel=0.05)
    first = min((f for f in facts if isinstance(f, Contacted)), key=lambda fact: fact.at_ms)
    assert {first.a, first.b} == {"striker", "black-1"}


BY_CORNER: list[Man] = [("black", -262.0, -253.5), ("black", 262.0, -253.5)]


@pytest.mark.parametrize(
    ("at", "pushed_mm"),
    [
        ((-177.3, -251.5), 47.0),
        ((150.0, -252.6), -80.0),
        ((120.0, -252.6), -40.0),
        ((60.0, -251.0), -120.0),
        ((-60.0, -251.0), 60.0),
        ((0.0, -251.0), 30.0),
    ],
)
def test_flicked_along_the_base_line_it_is_seen_beside_the_hand_that_pushed_it(
    at: tuple[float, float], pushed_mm: float
) -> None:
    """The hand lies beside it then, and touches it or not; part of it the fingers hide."""
    aim = (262.0 if pushed_mm < 0 else -262.0, -262.0)
    act = flick(
        tables()[1], BY_CORNER, 1200.0, at, aim, struck_s=PUSHED_S + 0.7, pushed_mm=pushed_mm
    )
    facts, _ = watched(tables(), act, film=3)
    (strike,) = (f for f in facts if isinstance(f, Struck) and f.piece == "striker")
    assert not strike.hidden
    assert strike.at.distance_mm(Point(*at)) < 2 * strike.error_mm <= 1.2
    assert strike.at.distance_mm(Point(*at)) < 1.0


@pytest.mark.parametrize(
    ("at", "pushed_mm", "aim"),
    [
        ((-173.8, -254.6), 27.0, (-266.0, -330.0)),
        ((-173.8, -254.6), 27.0, (-240.0, -300.0)),
        ((-51.5, -246.0), 60.0, (-150.0, -300.0)),
        ((-51.5, -241.0), 104.0, (-140.0, -310.0)),
        ((100.0, -250.0), -60.0, (190.0, -320.0)),
        ((100.0, -250.0), 60.0, (190.0, -310.0)),
        ((62.0, -255.0), -47.0, (150.0, -320.0)),
        ((-142.0, -253.0), -95.0, (-60.0, -320.0)),
    ],
)
def test_flicked_back_from_half_beneath_the_hand_that_pushed_it_it_is_known_by_its_colours(
    at: tuple[float, float], pushed_mm: float, aim: tuple[float, float]
) -> None:
    strike = flicked_back(at, pushed_mm, aim, 800.0, film=0)
    assert not strike.hidden
    assert strike.at.distance_mm(Point(*at)) < 2 * strike.error_mm <= 1.0


@pytest.mark.parametrize(
    ("at", "pushed_mm", "aim"),
    [
        ((124.0, -256.0), 5.3, (200.0, -320.0)),
        ((40.0, -241.0), 4.4, (-40.0, -310.0)),
        ((109.0, -251.0), -2.9, (190.0, -315.0)),
        ((-90.0, -245.0), 4.5, (-160.0, -320.0)),
        ((-157.3, -243.3), 8.8, (-255.3, -320.5)),
        ((44.2, -244.1), 0.0, (-60.8, -330.5)),
    ],
)
def test_half_hidden_by_a_hand_that_nudged_it_or_did_not_it_is_struck_from_where_it_lies(
    at: tuple[float, float], pushed_mm: float, aim: tuple[float, float]
) -> None:
    strike = flicked_back(at, pushed_mm, aim, 900.0, film=1)
    assert strike.at.distance_mm(Point(*at)) < 2 * strike.error_mm
    assert not strike.hidden


def test_half_hidden_and_shaded_by_an_arm_that_lays_the_queen_it_has_not_moved() -> None:
    """In the arm's shadow hardly any board is seen around it: its rim borders on nothing known."""
    board = tables()[1].board
    striker = Lying(name="striker", spec=board.piece("striker", "ivory"), x_mm=28.0, y_mm=110.0)
    man = Lying(name="white-1", spec=board.piece("carromman", "white"), x_mm=-200.0, y_mm=60.0)
    queen = Lying(name="queen", spec=board.piece("queen", "red"), x_mm=-4.7, y_mm=-5.9)
    act = Carry(before=(striker, man), pieces=(queen,), by=Seat.N, board=board, dwell_s=0.5)
    facts, _ = watched(tables(), act, film=3)
    assert [f.piece.name for f in facts if isinstance(f, Placed)] == ["queen"]
    assert not [f for f in facts if isinstance(f, Struck | Moved | Contacted)]


@pytest.mark.parametrize("pushed_mm", [-140.0, 45.0])
def test_that_the_hand_moved_it_is_told_before(pushed_mm: float) -> None:
    facts = told_of(pushed_mm)
    (moved,) = (fact for fact in facts if isinstance(fact, Moved))
    (strike,) = (fact for fact in facts if isinstance(fact, Struck))
    assert (moved.piece, moved.by) == ("striker", Seat.S)
    assert moved.before.distance_mm(Point(AT[0] - pushed_mm, AT[1])) < 0.5
    assert moved.after.distance_mm(Point(*AT)) < 0.5
    assert moved.at_ms < strike.at_ms


def test_a_weak_flick_that_hits_nothing_is_still_a_strike() -> None:
    act = flick(tables()[1], MEN[:1], 500.0, AT, aim=(-300.0, -200.0), struck_s=1.0)
    facts, _ = watched(tables(), act, film=4)
    (strike,) = (fact for fact in facts if isinstance(fact, Struck))
    assert strike.at.distance_mm(Point(*AT)) < 0.5
    assert not any(isinstance(fact, Pocketed | Contacted) for fact in facts)
