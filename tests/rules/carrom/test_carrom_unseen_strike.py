"""A strike that a hand hid is asked, and ruled as one where the answer is that it was one."""

import pytest
from testkit.carrom_table import BREAK, Table

from rules.facts import Fact, Moved, Pocketed, Struck, Unclear
from rules.games.carrom.state import Phase
from rules.geometry import Point, Seat

S = Seat.S
STRUCK, BY_HAND = "1", "2"
OFF_LINES = Point(-200.0, 80.0)


def visit(
    table: Table,
    *,
    stood: Point = BREAK,
    lies: Point = OFF_LINES,
    shifted: str = "black-1",
    fell: bool = True,
) -> Unclear:
    """A hand was there; then the striker and a man lie elsewhere, and another man may be gone."""
    table.put("striker", stood.x_mm, stood.y_mm)
    table.settle()
    table.hush()
    before = table.pieces[shifted].at
    after = table.put(shifted, before.x_mm + 30.0, before.y_mm).at
    if fell:
        del table.pieces["white-1"]
    table.put("striker", lies.x_mm, lies.y_mm)
    at_ms = table.tick()
    by_hand: tuple[Fact, ...] = (
        Moved(at_ms=at_ms, piece=shifted, before=before, after=after, by=S),
        Moved(at_ms=at_ms, piece="striker", before=stood, after=lies, by=S),
    )
    fall = Pocketed(at_ms=at_ms, piece="white-1", pocket="NW", error_ms=1000.0)
    struck: tuple[Fact, ...] = (
        Struck(at_ms=at_ms, piece="striker", at=stood, by=S),
        *([fall] if fell else []),
    )
    return Unclear(at_ms=at_ms, question="Was it struck?", answers=(struck, by_hand))


def test_it_is_asked_whether_a_striker_that_left_its_base_lines_unseen_was_struck() -> None:
    table = Table().position()
    table.tell(visit(table))
    assert table.state.phase is Phase.PENDING_HUMAN
    assert table.codes() == {"CR-X.23"}


def test_a_striker_laid_just_beside_its_base_lines_may_have_been_slid_onto_them_and_struck() -> (
    None
):
    table = Table().position()
    table.tell(visit(table, stood=Point(261.0, -253.3)))
    assert table.state.phase is Phase.PENDING_HUMAN
    assert table.codes() == {"CR-X.23"}


def test_what_fell_counts_where_it_was_struck_and_the_turn_goes_on() -> None:
    table = Table().position()
    table.tell(visit(table))
    table.answer(STRUCK)
    assert table.state.phase is Phase.IN_MOTION
    table.settle()
    assert "CR-10.1" in table.codes()
    assert not table.fouls()
    assert table.state.tally.on == (5, 7)
    assert table.state.seat is S


def test_a_man_that_a_hand_moved_instead_is_a_foul() -> None:
    table = Table().position()
    table.tell(visit(table))
    table.answer(BY_HAND)
    assert "CR-F1.1" in table.fouls()


@pytest.mark.parametrize(
    "at",
    [
        {"stood": OFF_LINES, "lies": Point(-190.0, 90.0)},
        {"lies": Point(60.0, BREAK.y_mm)},
        {"lies": Point(60.0, -BREAK.y_mm)},
    ],
    ids=["it stood in mid-board", "it lies on its base lines", "it lies on those of another"],
)
def test_where_it_cannot_have_been_struck_a_hand_moved_it_and_nobody_is_asked(
    at: dict[str, Point],
) -> None:
    table = Table().position()
    table.tell(visit(table, **at, fell=False))
    assert table.state.phase is not Phase.PENDING_HUMAN
    assert "CR-F1.1" in table.fouls()


@pytest.mark.parametrize("lies", [Point(60.0, BREAK.y_mm), Point(60.0, -BREAK.y_mm)])
def test_a_strike_too_soft_to_leave_the_base_lines_is_asked_where_a_man_is_gone(
    lies: Point,
) -> None:
    table = Table().position()
    table.tell(visit(table, lies=lies))
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer(STRUCK)
    table.settle()
    assert "CR-10.1" in table.codes()


def test_a_strike_out_of_turn_from_wherever_the_striker_lay_is_asked_where_a_man_is_gone() -> None:
    table = Table().position()
    table.tell(visit(table, stood=OFF_LINES, lies=Point(-20.0, 310.0)))
    assert table.state.phase is Phase.PENDING_HUMAN
    assert table.codes() == {"CR-X.23"}


def test_while_things_are_put_back_nobody_is_asked() -> None:
    table = Table().position()
    table.strike(["S"])
    assert table.state.phase is Phase.PLACING
    seen = visit(table)
    assert table.state.phase is Phase.PLACING
    table.tell(seen)
    assert table.state.phase is not Phase.PENDING_HUMAN


@pytest.mark.parametrize(
    ("lies", "asked"),
    [(OFF_LINES, True), (Point(60.0, BREAK.y_mm), False), (Point(0.0, -BREAK.y_mm), False)],
    ids=["off the lines", "on its base lines", "handed to the other side"],
)
def test_a_striker_that_alone_lies_elsewhere_is_asked_about_only_off_all_base_lines(
    lies: Point, asked: bool
) -> None:
    table = Table().position()
    table.put("striker", BREAK.x_mm, BREAK.y_mm)
    table.settle()
    table.put("striker", lies.x_mm, lies.y_mm)
    table.tell(Moved(at_ms=table.tick(), piece="striker", before=BREAK, after=lies, by=S))
    assert (table.state.phase is Phase.PENDING_HUMAN) is asked
    if asked:
        table.answer("yes")
        table.settle()
        assert "CR-11.1" in table.codes()


def test_a_striker_that_alone_was_laid_elsewhere_by_hand_is_no_strike() -> None:
    table = Table().position()
    table.put("striker", BREAK.x_mm, BREAK.y_mm)
    table.settle()
    table.put("striker", OFF_LINES.x_mm, OFF_LINES.y_mm)
    table.tell(Moved(at_ms=table.tick(), piece="striker", before=BREAK, after=OFF_LINES, by=S))
    table.answer("no")
    table.settle()
    assert table.state.phase is Phase.STRIKE_DUE
    assert table.state.seat is S
    assert not table.fouls()


MID_BOARD, OTHERS = (150.0, 100.0), (150.0, -BREAK.y_mm)
FROM_MID_BOARD = {"at": MID_BOARD, "hit": None}


@pytest.mark.parametrize(
    ("at", "ends", "asked"),
    [
        (MID_BOARD, (-75.0, -BREAK.y_mm), True),
        (MID_BOARD, (-75.0, BREAK.y_mm), True),
        (MID_BOARD, (-75.0, 100.0), False),
        (OTHERS, (-75.0, BREAK.y_mm), True),
    ],
    ids=["onto N's", "onto its own", "to mid-board", "from N's onto its own"],
)
def test_a_striker_that_seems_to_run_onto_base_lines_from_elsewhere_may_have_been_brought(
    at: tuple[float, float], ends: tuple[float, float], asked: bool
) -> None:
    table = Table().position()
    table.strike(at=at, hit=None, path=[ends], ends=ends)
    assert (table.state.phase is Phase.PENDING_HUMAN) is asked
    assert ("CR-13.1" in table.codes()) is not asked


@pytest.mark.parametrize("struck", [True, False])
def test_a_striker_that_was_brought_made_no_strike(struck: bool) -> None:
    table = Table().position()
    there = (-75.0, BREAK.y_mm)
    table.strike(**FROM_MID_BOARD, path=[there], ends=there)  # type: ignore[arg-type]
    table.answer("yes" if struck else "no")
    assert ("CR-13.1" in table.codes()) is struck
    assert ("CR-X.20" in table.codes()) is not struck


def test_a_striker_that_ran_from_mid_board_and_touched_a_man_was_struck() -> None:
    table = Table().position()
    there = (-75.0, BREAK.y_mm)
    table.strike(at=(150.0, 100.0), path=[there], ends=there)
    assert table.state.phase is not Phase.PENDING_HUMAN
    assert "CR-13.1" in table.codes()
