"""What a hand may have struck, or moved, is told as a question with both as its answers."""

from dataclasses import replace

import pytest

from rules.facts import Contacted, Fact, Moved, Piece, Placed, Pocketed, Removed, Struck, Unclear
from rules.geometry import Point, Seat
from sightline.simulated.boards import club_board
from vision.telling.perhaps_struck import perhaps_struck

BOARD = club_board("carrom", (960, 720))


def man(name: str, x: float, y: float) -> Piece:
    kind, colour = ("striker", "ivory") if name == "striker" else ("carromman", name[:5])
    return Piece(name=name, kind=kind, colour=colour, at=Point(x, y), error_mm=0.1)


KNOWN = (
    man("striker", -120.0, -253.0),
    *(man(f"black-{n}", 30.0 * n, 100.0) for n in range(1, 10)),
    man("white-1", 300.0, -290.0),
)


def moved(name: str) -> Moved:
    at = next(piece.at for piece in KNOWN if piece.name == name)
    return Moved(at_ms=5.0, piece=name, before=at, after=Point(at.x_mm, at.y_mm + 30.0), by=Seat.S)


def removed(name: str) -> Removed:
    return Removed(at_ms=5.0, piece=name, by=Seat.S)


def test_a_striker_and_men_that_lie_elsewhere_may_have_been_struck_or_moved() -> None:
    facts = (moved("black-1"), moved("striker"), removed("white-1"))
    (asked,) = perhaps_struck(facts, KNOWN, BOARD)
    assert isinstance(asked, Unclear)
    struck, by_hand = asked.answers
    assert by_hand == facts
    assert [(type(told), told.piece) for told in struck if isinstance(told, Struck | Pocketed)] == [
        (Struck, "striker"),
        (Pocketed, "white-1"),
    ]
    strike, fall = struck
    assert isinstance(strike, Struck)
    assert strike.hidden
    assert strike.error_mm >= 10.0  # nobody saw where it stood by then
    assert isinstance(fall, Pocketed)
    assert fall.pocket == "SE"
    assert fall.error_ms >= 1000.0  # nobody knows when
    assert len(asked.words) == 2


def test_a_striker_that_is_gone_with_a_man_moved_may_have_fallen() -> None:
    (asked,) = perhaps_struck((moved("black-1"), removed("striker")), KNOWN, BOARD)
    assert isinstance(asked, Unclear)
    falls = [told for told in asked.answers[0] if isinstance(told, Pocketed)]
    assert [fall.piece for fall in falls] == ["striker"]


@pytest.mark.parametrize(
    "facts",
    [
        (),
        (moved("striker"),),
        (moved("black-1"), moved("black-2")),
        (moved("striker"), moved("black-1"), Placed(at_ms=5.0, piece=man("white-2", 0.0, 0.0))),
        (moved("striker"), *(removed(f"black-{n}") for n in range(1, 10))),
        (moved("striker"), Moved(at_ms=5.0, piece="queen", before=Point(0, 0), after=Point(9, 9))),
    ],
    ids=[
        "nothing",
        "the striker alone",
        "men alone",
        "something was laid there, too",
        "the board was cleared",
        "a piece that is not known",
    ],
)
def test_all_else_was_done_by_hand(facts: tuple[Fact, ...]) -> None:
    assert perhaps_struck(facts, KNOWN, BOARD) == facts


def test_of_a_cue_puck_it_is_asked_what_it_touched_first_as_well() -> None:
    board = club_board("qsquare", (960, 720))
    spots = {"cue-puck": (400.0, -400.0), "red-1": (440.0, -430.0), "blue-1": (0.0, 0.0)}
    cue, red, blue = (
        Piece(name=name, kind=name.split("-")[0], colour="red", at=Point(*at))
        for name, at in spots.items()
    )
    cue = replace(cue, kind="cue-puck")
    run = Moved(at_ms=5.0, piece="red-1", before=red.at, after=Point(0.0, 200.0))
    pushed = Moved(at_ms=5.0, piece="blue-1", before=blue.at, after=Point(9.0, 0.0))
    facts = (run, Removed(at_ms=5.0, piece="cue-puck"), pushed)
    (asked,) = perhaps_struck(facts, (cue, red, blue), board, kinds={"cue-puck"}, otherwise=[run])
    assert isinstance(asked, Unclear)
    *strokes, unstruck = asked.answers
    assert unstruck == (run,)
    assert len(asked.words) == len(asked.answers)
    for stroke, first in zip(strokes, ("red-1", "blue-1"), strict=True):
        assert [type(fact) for fact in stroke] == [Struck, Contacted, Pocketed]
        assert isinstance(stroke[1], Contacted)
        assert (stroke[1].a, stroke[1].b) == ("cue-puck", first)


def test_who_clears_the_last_few_pieces_away_struck_none() -> None:
    left = (KNOWN[0], KNOWN[1])
    facts = (removed("striker"), removed("black-1"))
    assert perhaps_struck(facts, left, BOARD) == facts
    assert perhaps_struck(facts, KNOWN, BOARD) != facts
