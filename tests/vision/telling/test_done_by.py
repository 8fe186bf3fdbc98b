"""Who is told to have changed what lies on the table."""

from dataclasses import replace

import pytest

from rules.facts import Fact, Moved, Piece, Pocketed, Removed, Struck, Unclear
from rules.geometry import Point, Seat
from sightline.simulated.boards import club_board
from vision.telling.done_by import Visit, done_by

BOARD = club_board("qsquare", (960, 720))
CUE = Piece(name="cue-puck", kind="cue-puck", colour="natural", at=Point(0.0, -450.0))
RED = Piece(name="red-1", kind="puck", colour="red", at=Point(400.0, -430.0))
CUE_OVER_POCKET = replace(CUE, at=Point(482.1, 430.8))
BRINK = Piece(name="blue-1", kind="puck", colour="blue", at=Point(452.0, -430.0))
CUE_RUN = Moved(at_ms=900.0, piece="cue-puck", before=CUE.at, after=Point(200.0, 0.0))
RED_RUN = Moved(at_ms=900.0, piece="red-1", before=RED.at, after=Point(0.0, 0.0))
FALLEN = Removed(at_ms=900.0, piece="blue-1")


def told(
    *changes: Moved | Removed, hands: bool, anybody: bool = True, cue: Piece = CUE
) -> tuple[Fact, ...]:
    visit = Visit(anybody=anybody, hands=hands, side=Seat.W, since_ms=100.0)
    lying = (cue, RED, BRINK)
    return done_by(visit, changes, lying, BOARD, unfollowed=lying)


def test_a_hand_has_moved_what_lies_elsewhere() -> None:
    facts = told(CUE_RUN, RED_RUN, hands=True)
    assert [(type(f), f.piece, f.by) for f in facts if isinstance(f, Moved)] == [
        (Moved, "cue-puck", Seat.W),
        (Moved, "red-1", Seat.W),
    ]


def test_a_cue_alone_brought_the_cue_puck_along() -> None:
    (fact,) = told(CUE_RUN, hands=False)
    assert isinstance(fact, Struck)
    assert (fact.at_ms, fact.error_ms, fact.at) == (100.0, 800.0, CUE.at)
    assert (fact.dragged, fact.by) == (True, Seat.W)


@pytest.mark.parametrize("change", [RED_RUN, FALLEN], ids=["run", "gone"])
def test_where_a_cue_alone_was_there_and_more_than_the_cue_puck_has_gone_a_stroke_is_asked_about(
    change: Moved | Removed,
) -> None:
    (asked,) = told(CUE_RUN, change, hands=False)
    assert isinstance(asked, Unclear)
    stroke, brought = asked.answers
    assert isinstance(stroke[0], Struck)
    assert not stroke[0].dragged
    assert [isinstance(fact, Struck) and fact.dragged for fact in brought] == [True, False]


def test_what_went_from_the_brink_of_a_pocket_while_nobody_was_there_has_fallen() -> None:
    (fact,) = told(FALLEN, hands=False, anybody=False)
    assert isinstance(fact, Pocketed)
    assert fact.pocket == "SE"


def test_a_cue_alone_takes_nothing_up_what_went_from_the_brink_of_a_pocket_has_fallen() -> None:
    (fact,) = told(FALLEN, hands=False)
    assert isinstance(fact, Pocketed)
    assert fact.pocket == "SE"


def test_where_the_cue_puck_went_from_the_brink_beneath_a_cue_it_is_asked_if_it_was_struck() -> (
    None
):
    (asked,) = told(Removed(at_ms=900.0, piece="cue-puck"), hands=False, cue=CUE_OVER_POCKET)
    assert isinstance(asked, Unclear)
    struck, unstruck = asked.answers
    assert [(type(fact), fact.by) for fact in struck if isinstance(fact, Struck)] == [
        (Struck, Seat.W)
    ]
    for answer in struck, unstruck:
        assert [fact.pocket for fact in answer if isinstance(fact, Pocketed)] == ["NE"]
    assert len(unstruck) == 1


@pytest.mark.parametrize(
    ("cue", "hands"),
    [(CUE, False), (CUE_OVER_POCKET, True)],
    ids=["in mid-table", "over a pocket, by a hand"],
)
def test_a_cue_puck_that_has_gone_otherwise_was_taken_up(cue: Piece, hands: bool) -> None:
    gone = Removed(at_ms=900.0, piece="cue-puck")
    assert told(gone, hands=hands, cue=cue) == (replace(gone, by=Seat.W),)
