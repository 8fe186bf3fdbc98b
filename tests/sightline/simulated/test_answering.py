"""What the human referee of a simulated match answers: what truly happened."""

import pytest
from testkit.carrom_table import From, Table, board

from rules.game import Setup
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
    referee = FoldedReferee(From(state), Setup(game="carrom", board=board()))  # type: ignore[arg-type]
    for fact in table.facts[begun:]:
        referee.see(fact)
    return referee


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
