"""A match as people read it: rulings with what was decided on them, and what waits."""

import pytest
from testkit.logs import PASS, POCKETED, fold, log, lying
from testkit.toy import SETUP, Toy

from rules.decisions import Amend, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import Fold, as_logged
from rules.facts import Fact, Moved, Piece, Placed, Removed
from rules.game import Player, Setup
from rules.geometry import Point, Seat
from rules.rulings import Ruling, RulingId
from sightline.match_log.archive import Filed
from sightline.match_log.log import MatchHeader
from sightline.review.reading import clock_of, review_lines, transcript_lines
from sightline.running.views import decision_words, pieces_of


def filed(*bodies: Fact | Decision) -> Filed:
    setup = Setup(
        game="toy",
        board=SETUP.board,
        players=(Player(seat=Seat.S, name="Ada", colour="red"), Player(seat=Seat.N)),
        options={"goal": "3"},
    )
    header = MatchHeader(name="final", setup=setup, started="today")
    entries = tuple(log(*bodies))
    fold = Fold(Toy(), setup, entries)
    return Filed(header=header, entries=entries, game=Toy(), record=fold.record(), fold=fold)


def waived(*bodies: Fact | Decision) -> Overrule:
    step = fold(log(*bodies)).steps[0]
    return Overrule(ruling=step.ids[0], was=as_logged(step.judged[0]), reason="a gust")


def test_a_review_tells_rulings_decisions_and_what_waits() -> None:
    lines = list(
        review_lines(
            filed(
                POCKETED,
                lying(0.2),
                lying(0.2, 0.1),
                waived(POCKETED),
                Reply(seq=2, question="x", answer="no"),
                Withdraw(seq=77),
            )
        )
    )
    assert lines == [
        "# Toy · final · started today",
        "# seat S: Ada red",
        "# seat N: -",
        "# goal = 3",
        "  0:00:00.0  T-1 A: A +1 (overruled)",
        "             -> Waived T-1: A +1 (a gust)",
        "  0:00:00.0  T-3: is blue-1 over the line? [+0.20 mm ±0.50] (open)",
        "             -> Answered “no” to “x”",
        "  0:00:00.0  T-4: blue-1 is not over the line",
        "  0:00:00.0  T-3: is blue-1 over the line? [+0.20 mm ±0.50] (open)",
        "# score: A 0, B 0",
        "# unfinished",
        "# the referee is asked: is blue-1 over x = 0, seen at 0.2 mm?",
        "# to review, entry 6: Took back the decision of entry 77",
    ]


def test_a_review_of_a_finished_match_tells_the_result() -> None:
    lines = list(review_lines(filed(POCKETED, POCKETED, POCKETED)))
    assert lines[-2:] == ["# score: A 3, B 0", "# A wins"]


def test_a_transcript_tells_the_log_in_its_own_order() -> None:
    match = filed(
        PASS, lying(0.2), Reply(seq=2, question="x", answer="yes"), Insert(after=0, fact=POCKETED)
    )
    assert list(transcript_lines(match))[4:] == [
        "@2 declared pass",
        "    T-2: the turn passes",
        "@4 settled [{blue-1 puck blue (0.2,50) error_mm=0.5}]",
        "    T-3: is blue-1 over the line? [+0.20 mm ±0.50] (open) -> yes",
        "    T-3 B: blue-1 is over the line",
        "reply 2 x yes",
        "insert 0 {@1 pocketed red-1 NE}",
        "    T-1 A: A +1",
    ]


def test_a_transcript_tells_a_fault_and_what_is_to_be_reviewed() -> None:
    from rules.facts import Declared

    match = filed(Declared(at_ms=5, what="burst"), Withdraw(seq=9))
    lines = list(transcript_lines(match))
    assert "    fault: ZeroDivisionError: the toy burst" in lines
    assert lines[-1] == "# to review: 2"


@pytest.mark.parametrize(
    ("at_ms", "words"),
    [(0, "0:00:00.0"), (61_234.5, "0:01:01.2"), (59_960, "0:01:00.0"), (36_000_000, "10:00:00.0")],
)
def test_times_are_told_in_hours_minutes_and_seconds(at_ms: float, words: str) -> None:
    assert clock_of(at_ms) == words


POINT = Ruling(code="T-1", words="A +1")


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (Overrule(ruling=RulingId(1, "T-1"), was=POINT), "Waived T-1: A +1"),
        (
            Overrule(ruling=RulingId(1, "T-1"), was=POINT, becomes=Ruling(code="T-5", words="no")),
            "T-1 became T-5: no",
        ),
        (
            Amend(seq=4, fact=None, reason="a sleeve"),
            "Struck out: entry 4 (a sleeve)",
        ),
        (Amend(seq=4, fact=PASS), "Put right at entry 4: the referee said: pass"),
        (Insert(after=4, fact=PASS), "Added what was missed: the referee said: pass"),
        (Withdraw(seq=4), "Took back the decision of entry 4"),
        (Reply(seq=4, question="x", answer="no"), "Answered “no” to “x”"),
    ],
)
def test_decisions_are_told_in_words(decision: Decision, words: str) -> None:
    assert decision_words(decision) == words


def test_what_lies_on_the_surface_follows_the_facts() -> None:
    red = Piece(name="red-1", kind="puck", colour="red", at=Point(1, 2))
    facts: list[Fact] = [lying(3), Placed(at_ms=5, piece=red)]
    assert [p.name for p in pieces_of(facts)] == ["blue-1", "red-1"]
    facts.append(Moved(at_ms=6, piece="red-1", before=Point(1, 2), after=Point(5, 6), error_mm=0.1))
    assert pieces_of(facts)[1].at == Point(5, 6)
    assert [p.name for p in pieces_of([*facts, Removed(at_ms=7, piece="blue-1")])] == ["red-1"]
    assert [p.name for p in pieces_of([*facts, POCKETED])] == ["blue-1"]
    assert pieces_of([*facts, lying(9)]) == lying(9).pieces
