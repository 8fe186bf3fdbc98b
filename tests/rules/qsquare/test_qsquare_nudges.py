"""A cue-puck that moves a little where it lay: a weak stroke, or a push (QS-X.1)."""

import pytest
from testkit.qsquare_table import HOME, Table

from rules.facts import HandEntered, Moved, Struck
from rules.games.qsquare.state import Phase
from rules.geometry import Point, Seat

S, N, W = Seat.S, Seat.N, Seat.W
CORNER = Point(-461.0, -430.0)
BY_LINE = Point(0.0, -424.0)


def nudged(
    table: Table, before: Point = CORNER, by_mm: float = 3.6, by: Seat | None = None
) -> None:
    """The cue-puck lies at a place and moves, and all is still."""
    after = Point(before.x_mm, before.y_mm + by_mm)
    table.put("cue-puck", before.x_mm, before.y_mm)
    table.settle()
    table.tell(Moved(at_ms=table.tick(), piece="cue-puck", before=before, after=after, by=by))
    table.put("cue-puck", after.x_mm, after.y_mm)
    table.settle()


def test_a_nudge_outside_the_home_zone_is_asked_about_and_a_stroke_there_is_a_foul() -> None:
    table = Table().open().reach(3, 0)
    nudged(table, by=S)
    assert table.state.phase is Phase.PENDING_HUMAN
    assert "QS-X.19" in table.codes()
    table.answer("yes")
    assert {"QS-4.1", "QS-4.7", "QS-8f"} <= table.codes()
    assert table.state.shooter is N


def test_a_nudge_out_of_the_home_zone_is_asked_about_for_a_stroke_there_misses() -> None:
    table = Table().open().reach(3, 0)
    nudged(table, BY_LINE, 20.0, S)
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert {"QS-4.8", "QS-8a.3"} <= table.codes()


def test_a_nudge_that_was_only_a_push_changes_nothing() -> None:
    table = Table().open().reach(3, 0)
    table.hush()
    nudged(table)
    table.answer("no")
    assert (table.state.phase, table.state.shooter) == (Phase.AIMING, S)
    assert not table.codes() & {"QS-4.1", "QS-8f", "QS-X.1"}


@pytest.mark.parametrize(
    ("before", "by_mm", "by"),
    [
        (HOME[S], 3.6, S),
        (CORNER, 80.0, S),
        (Point(0.0, -400.0), -49.0, S),
        (CORNER, 3.6, N),
    ],
    ids=["adjusted in the Home Zone", "moved far", "moved home", "moved by another"],
)
def test_other_moves_of_the_cue_puck_are_not_asked_about(
    before: Point, by_mm: float, by: Seat
) -> None:
    table = Table().open().reach(3, 0)
    nudged(table, before, by_mm, by)
    assert table.state.phase is Phase.AIMING


def test_the_first_inch_of_a_drag_is_not_asked_about() -> None:
    table = Table().open().reach(3, 0)
    table.put("cue-puck", CORNER.x_mm, CORNER.y_mm)
    table.settle()
    after = Point(CORNER.x_mm, CORNER.y_mm + 6.0)
    table.tell(
        Moved(at_ms=table.tick(), piece="cue-puck", before=CORNER, after=after, by=S),
        Struck(at_ms=table.tick(), piece="cue-puck", at=after, dragged=True, speed_mm_s=220.0),
    )
    table.home()
    table.settle()
    assert (table.state.phase, table.state.shooter) == (Phase.AIMING, S)
    assert "QS-4.2" in table.codes()


def test_what_a_hand_over_the_surface_moves_is_the_hands_foul_alone() -> None:
    table = Table().open().reach(3, 0)
    table.put("cue-puck", CORNER.x_mm, CORNER.y_mm)
    table.settle()
    table.tell(HandEntered(at_ms=table.tick(), side=S, depth_mm=90.0))
    after = Point(CORNER.x_mm, CORNER.y_mm + 6.0)
    table.tell(Moved(at_ms=table.tick(), piece="cue-puck", before=CORNER, after=after, by=S))
    table.put("cue-puck", after.x_mm, after.y_mm)
    table.settle()
    assert "QS-4.5" in table.codes()
    assert table.state.phase is not Phase.PENDING_HUMAN
