"""What the referee looks into: what a decision would change, what was seen, what it was."""

from dataclasses import replace

import pytest
from testkit.logs import BOARD, HAND, POCKETED, SETUP, fold, log, lying
from testkit.sample_match import sample_view
from testkit.toy import Toy

from rules.codec import fact_to_json
from rules.decisions import Amend, Overrule, Withdraw
from rules.facts import Contacted, Piece, Pocketed, Removed, Settled
from rules.game import Entry
from rules.geometry import Point
from rules.rulings import RulingId
from sightline.review.alternatives import doubts_of
from sightline.review.study import MatchStudy
from sightline.running.match import Change
from sightline.words.fact_words import words_of


def study(*bodies: object) -> MatchStudy:
    return MatchStudy(Toy(), SETUP, log(*bodies))


def piece(name: str, x_mm: float, y_mm: float, **more: float) -> Piece:
    return Piece(
        name=name, kind="puck", colour=name.partition("-")[0], at=Point(x_mm, y_mm), **more
    )


def settled(*pieces: Piece) -> Settled:
    return Settled(at_ms=9, pieces=pieces)


def test_a_preview_says_what_an_overrule_would_change_and_changes_nothing() -> None:
    looked = study(POCKETED, POCKETED)
    step = looked._fold.steps[0]
    overrule = Overrule(ruling=RulingId(1, step.rulings[0].code), was=step.rulings[0])
    first = looked.preview(overrule)
    assert first.items
    assert all(item.before != item.after for item in first.items)
    assert step.rulings[0].words in first.gone
    assert looked.preview(overrule) == first


def test_a_preview_of_a_correction_is_what_the_correction_then_does() -> None:
    looked = study(POCKETED, HAND, POCKETED)
    struck = looked.preview(Amend(seq=1, fact=None))
    after = fold(log(POCKETED, HAND, POCKETED, Amend(seq=1, fact=None)))
    shown = Toy().scoreboard(after.state)
    now = {(side.name or side.side, *item) for side in shown.sides for item in side.items}
    assert struck.items
    assert {(item.name, item.label, item.after) for item in struck.items} <= now


def test_a_preview_of_what_no_longer_stands_is_refused() -> None:
    with pytest.raises(ValueError, match="no longer stands"):
        study(POCKETED).preview(Withdraw(seq=77))


def test_a_correction_that_unseats_a_decision_says_which() -> None:
    looked = study(POCKETED)
    step = looked._fold.steps[0]
    overrule = Overrule(ruling=step.ids[0], was=step.judged[0])
    decided = study(POCKETED, overrule)
    assert decided.preview(Amend(seq=1, fact=None)).to_review != ()


def test_a_moment_reaches_from_one_settled_board_to_the_next() -> None:
    looked = study(lying(3), HAND, POCKETED, lying(5), HAND)
    moment = looked.moment(3)
    assert [fact.seq for fact in moment.facts] == [2, 3, 4]
    assert moment.settled_seq == 4
    assert moment.settled == lying(5)
    assert moment.facts[1].words == "red-1 fell into the NE pocket"
    assert moment.facts[1].body == fact_to_json(POCKETED)
    assert moment.names == ("blue-1",)
    assert [fact.seq for fact in looked.moment(4).facts] == [2, 3, 4]
    running = looked.moment(5)
    assert (running.settled, [fact.seq for fact in running.facts]) == (None, [5])
    assert set(moment.pockets) == {pocket.id for pocket in BOARD.pockets}


def test_a_moment_of_an_entry_that_is_no_fact_is_refused() -> None:
    with pytest.raises(ValueError, match="entry 9"):
        study(HAND).moment(9)


def test_a_struck_fact_stands_in_no_moment_and_a_corrected_one_as_corrected() -> None:
    looked = study(lying(3), HAND, POCKETED, lying(5), Amend(seq=3, fact=None))
    assert [fact.seq for fact in looked.moment(4).facts] == [2, 4]
    looked = study(lying(3), lying(5), Amend(seq=2, fact=lying(8)))
    assert looked.moment(2).settled == lying(8)


def test_pieces_that_vanished_without_a_word_come_first() -> None:
    earlier = settled(piece("red-1", 0, 0), piece("red-2", 50, 0), piece("blue-1", 90, 0))
    now = settled(piece("blue-1", 90, 0, error_mm=0.1))
    fell = Pocketed(at_ms=5, piece="red-2", pocket="NE")
    known = {each.name: each for each in earlier.pieces}
    doubts = doubts_of(now, earlier, [fell], known)
    assert [(doubt.name, doubt.likely) for doubt in doubts] == [("red-1", True), ("blue-1", False)]
    assert doubts[0].runners[0].piece == piece("red-1", 0, 0)
    assert [runner.words for runner in doubts[1].runners] == ["It was red-1", "Nothing lay there"]
    assert doubts[1].runners[0].piece == replace(piece("red-1", 90, 0), error_mm=0.1)
    taken = doubts_of(now, earlier, [fell, Removed(at_ms=6, piece="red-1")], known)
    assert [doubt.name for doubt in taken] == ["blue-1"]


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        (piece("red-1", 0, 0, visible=0.3), "half hidden"),
        (piece("red-1", 0, 0, error_mm=0.9), "measured poorly"),
        (piece("red-1", 1.2, 0, error_mm=0.1), "moved by 1.2 mm only"),
        (piece("red-9", 0, 0, error_mm=0.1), "it was not there before"),
    ],
    ids=["half hidden", "poorly measured", "hardly moved", "new"],
)
def test_a_doubtful_piece_comes_before_the_others_and_says_why(seen: Piece, reason: str) -> None:
    others = [piece(f"blue-{n}", 40.0 * n, 9, error_mm=0.1) for n in range(1, 4)]
    earlier = settled(piece("red-1", 0, 0, error_mm=0.1), *others)
    gone = Removed(at_ms=5, piece="red-1")
    doubts = doubts_of(settled(*others, seen), earlier, [gone], {})
    assert (doubts[0].name, doubts[0].words, doubts[0].likely) == (seen.name, reason, True)
    assert not any(doubt.likely for doubt in doubts[1:])


def test_a_running_match_is_followed() -> None:
    looked = study(POCKETED)
    entry = Entry(seq=2, at_ms=200, body=POCKETED)
    looked.heard(Change(entries=(entry,), steps=(), view=sample_view()))
    assert looked.moment(2).facts[-1].seq == 2


def test_facts_are_told_as_people_tell_them() -> None:
    touched = Contacted(at_ms=1, a="cue-puck", b="red-3", at=Point(0, 0))
    assert words_of(touched) == "cue-puck touched red-3"
    assert words_of(lying(3)) == "all came to rest: 1 pieces on the board"
