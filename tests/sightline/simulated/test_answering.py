"""What the human referee of a simulated match answers: what truly happened."""

from dataclasses import replace

import pytest
from testkit.carrom_table import BREAK, From, Table, board

from rules.facts import Fact, Moved, Pocketed, Removed, Settled, Struck, Travelled, Unclear
from rules.game import Setup
from rules.games.carrom.state import State
from rules.geometry import Point, Seat
from sightline.simulated.matches import as_happened
from sightline.simulated.referee import FoldedReferee, answers_from


def refereed(
    short_mm: float, error_mm: float, *, falls: tuple[tuple[str, ...], ...]
) -> FoldedReferee:
    """Strikes in which men fall in sight; in the last, another comes to lie so far short of a
    pocket's rim."""
    table = Table()
    table.position()
    begun, state, pocket = len(table.facts), table.state, board().pockets[0]
    *before, last = falls
    for fallen in before:
        table.strike(fallen)
    brink = pocket.centre.x_mm - pocket.radius_mm - short_mm
    table.put("white-1", brink, pocket.centre.y_mm, error_mm)
    table.strike(last)
    return told_of(state, *table.facts[begun:])


@pytest.mark.parametrize(("short_mm", "answer"), [(0.01, "no"), (-0.01, "yes")])
def test_whether_a_second_man_fell_is_answered_by_how_many_truly_did(
    short_mm: float, answer: str
) -> None:
    assert answered(short_mm, falls=(("W",),)) == answer


@pytest.mark.parametrize(("short_mm", "answer"), [(0.01, "no"), (-0.01, "yes")])
def test_whether_a_man_fell_is_answered_by_this_stroke_not_by_one_before(
    short_mm: float, answer: str
) -> None:
    assert answered(short_mm, falls=(("W",), ())) == answer


def answered(short_mm: float, *, falls: tuple[tuple[str, ...], ...]) -> str:
    truth, seen = (refereed(short_mm, error_mm, falls=falls) for error_mm in (0.0, 0.1))
    (asked,) = seen.questions()
    assert asked.question.key.startswith("in-pocket-")
    return answers_from(truth, seen)(asked)


@pytest.mark.parametrize("sooner_ms", [0.0, 600.0, 990.0])
def test_what_truly_happened_is_found_though_the_next_act_showed_early_that_all_rests(
    sooner_ms: float,
) -> None:
    truth, seen = (refereed(0.01, error, falls=(("W",),)) for error in (0.0, 0.1))
    early = FoldedReferee(seen.game, Setup(game="carrom", board=board()))
    for step in seen.steps:
        rests = isinstance(step.fact, Settled)
        early.see(replace(step.fact, at_ms=step.fact.at_ms - sooner_ms) if rests else step.fact)
    (asked,) = early.questions()
    assert answers_from(truth, early)(asked) == "no"


@pytest.mark.parametrize(("truly", "answer"), [("struck", "1"), ("moved", "2")])
def test_whether_it_was_struck_is_answered_by_what_the_next_table_was_ruled_in_truth(
    truly: str, answer: str
) -> None:
    """A strike out of turn is ruled on only when all has come to rest."""
    table, stood = Table().position(), Point(0.0, -BREAK.y_mm)
    table.put("striker", stood.x_mm, stood.y_mm)
    table.settle()
    begun, state, lies, at_ms = len(table.facts), table.state, Point(60.0, 80.0), table.tick()
    by = Seat.N
    struck = (
        Struck(at_ms=at_ms, piece="striker", at=stood, by=by),
        Pocketed(at_ms=at_ms, piece="black-1", pocket="NE", error_ms=1000.0),
    )
    moved: tuple[Fact, ...] = (
        Moved(at_ms=at_ms, piece="striker", before=stood, after=lies, by=by),
        Removed(at_ms=at_ms, piece="black-1", by=by),
    )
    del table.pieces["black-1"]
    table.put("striker", lies.x_mm, lies.y_mm)
    table.settle()
    rest = table.facts[begun:]
    asked = Unclear(at_ms=at_ms, question="Was it struck?", answers=(struck, moved))
    truth = told_of(state, *(struck if truly == "struck" else moved), *rest)
    seen = told_of(state, asked, *rest)
    (question,) = seen.questions()
    assert answers_from(truth, seen)(question) == answer


def test_a_striker_that_a_hand_brought_was_not_struck_so_the_turn_stays() -> None:
    """As the rulings say nothing of what a hand sets, whose turn it is tells."""
    table, stood = Table().position(), Point(-130.0, 50.0)
    table.put("striker", stood.x_mm, stood.y_mm)
    table.settle()
    begun, state, lies, at_ms = len(table.facts), table.state, BREAK, table.tick()
    assert state.seat is not None
    struck = Struck(
        at_ms=at_ms, piece="striker", at=stood, error_mm=30.0, by=state.seat, hidden=True
    )
    ran = Travelled(at_ms=at_ms, piece="striker", path=(stood, lies), error_mm=0.5)
    moved = Moved(at_ms=at_ms, piece="striker", before=stood, after=lies, by=state.seat)
    table.put("striker", lies.x_mm, lies.y_mm)
    table.settle()
    rest = table.facts[begun:]
    seen, truth = told_of(state, struck, ran, *rest), told_of(state, moved, *rest)
    (question,) = seen.questions()
    assert question.question.key == "strike-made"
    assert answers_from(truth, seen)(question) == "no"


def told_of(state: State, *facts: Fact) -> FoldedReferee:
    referee = FoldedReferee(From(state), Setup(game="carrom", board=board()))  # type: ignore[arg-type]
    for fact in facts:
        referee.see(fact)
    return referee


def test_a_striker_that_the_truth_tells_as_moved_was_not_struck() -> None:
    table = Table()
    table.position()
    state, begun = table.state, len(table.facts)
    table.put("striker", 24.8, -251.4)
    table.settle()
    there = Point(295.7, 252.2)
    table.tell(
        Moved(
            at_ms=table.tick(), piece="striker", before=Point(24.8, -251.4), after=there, by=Seat.N
        )
    )
    (asked,) = told_of(state, *table.facts[begun:]).questions()
    assert [answer.key for answer in asked.question.answers] == ["yes", "no"]
    assert as_happened(asked.question) == "no"
