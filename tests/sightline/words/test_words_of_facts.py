"""What was seen and decided is told in another language too, also after the log was read back."""

from dataclasses import replace

import pytest
from msgspec import structs
from testkit.wording import unsayable

from rules.codec import fact_from_json, fact_to_json
from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.engine import as_logged
from rules.facts import (
    Batch,
    Cleared,
    Contacted,
    Cushioned,
    Declared,
    Emptied,
    Fact,
    Filled,
    HandEntered,
    HandLeft,
    LeftBoard,
    Loose,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Rebounded,
    Removed,
    Restored,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
    Unclear,
)
from rules.game import Step
from rules.geometry import Point, Seat
from rules.rulings import Answer, Question, Ruling, RulingId
from rules.said import Said, say, written
from rules.unseen import NO_PIECE, TURNED_UNSEEN, answer_words, question_words
from sightline.review.alternatives import doubts_of
from sightline.running.views import decision_words, sight_after
from sightline.words.fact_words import words_of
from sightline.words.sight_words import FAULT, STOPPED, cannot_see
from vision import reasons
from web.saying import in_language

AT = Point(1, 2)
RED = Piece(name="red-1", kind="puck", colour="red", at=AT)
UNSEEN = Unclear(
    at_ms=1,
    question=written(TURNED_UNSEEN, piece="cue-puck"),
    answers=((Contacted(at_ms=1, a="cue-puck", b="red-1", at=AT),), ()),
    words=("red-1", written(NO_PIECE)),
)
FACTS: tuple[Fact, ...] = (
    Struck(at_ms=1, piece="red-1", at=AT, by=Seat.S),
    Struck(at_ms=1, piece="red-1", at=AT, dragged=True),
    Contacted(at_ms=1, a="red-1", b="red-2", at=AT),
    Cushioned(at_ms=1, piece="red-1", border=Seat.N),
    Travelled(at_ms=1, piece="red-1", path=(AT, AT), error_mm=1),
    Pocketed(at_ms=1, piece="red-1", pocket="NE"),
    Rebounded(at_ms=1, piece="red-1", pocket="NE"),
    LeftBoard(at_ms=1, piece="red-1"),
    HandEntered(at_ms=1, side=Seat.S),
    HandEntered(at_ms=1),
    HandLeft(at_ms=1),
    Settled(at_ms=1, pieces=(RED,)),
    Moved(at_ms=1, piece="red-1", before=AT, after=Point(3, 4), error_mm=1),
    Placed(at_ms=1, piece=RED),
    Removed(at_ms=1, piece="red-1"),
    Filled(at_ms=1, place="cells:1,1", kind="chip", colour="black"),
    Filled(at_ms=1, place="edges:h:1,1", kind="stick", colour=""),
    Emptied(at_ms=1, place="cells:1,1", kind="chip", colour="black"),
    Loose(at_ms=1, place="edges:h:1,1", kind="stick"),
    Cleared(at_ms=1),
    Restored(at_ms=1),
    Batch(at_ms=1, facts=(Cleared(at_ms=1), Restored(at_ms=1))),
    Declared(at_ms=1, what="pass"),
    UNSEEN,
    SightLost(at_ms=1, why=written(reasons.TORN, share="40")),
    SightRegained(at_ms=1),
)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: str(words_of(fact)))
def test_each_fact_of_the_log_can_be_told_in_another_language(fact: Fact) -> None:
    kept = fact_from_json(fact_to_json(fact))
    assert unsayable([words_of(kept)]) == []
    for language in ("de", "fr"):
        assert german(words_of(kept), language) != words_of(kept)


def german(words: str, language: str = "de") -> str:
    assert isinstance(words, Said)
    return in_language(words, language)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (
            written(reasons.TORN, share="40"),
            "Sightline kann den Tisch nicht sehen: das Bild ist ab 40 % der Höhe zerrissen.",
        ),
        (written(STOPPED), "Sightline kann den Tisch nicht sehen: Sightline wurde beendet."),
        (
            written(FAULT, error="OSError"),
            "Sightline kann den Tisch nicht sehen: Sightline hat selbst einen Fehler (OSError).",
        ),
        ("gone fishing", "Sightline kann den Tisch nicht sehen: gone fishing."),
    ],
)
def test_why_sight_was_lost_is_told_where_it_is_known(why: str, words: str) -> None:
    assert german(cannot_see(why)) == words
    told = sight_after(SightLost(at_ms=1, why=why))
    assert told is not None
    assert german(told[1]) == words


def test_what_could_not_be_seen_is_asked_in_another_language() -> None:
    assert german(question_words(UNSEEN)).startswith("cue-puck änderte die Richtung")
    assert [german(each) for each in answer_words(UNSEEN)[1:]] == ["kein Stein"]
    other = replace(UNSEEN, question="Who was it?")
    assert question_words(other) == "Who was it?"


FOUL = Ruling(code="QS-4.5", words=say("{who} to shoot", who="Ann"))
ASKED = Ruling(
    code="QS-2",
    words=say("Yes"),
    question=Question(
        key="q", words=say("No"), answers=(Answer(key="y", words=say("Yes"), consequence=""),)
    ),
)
STEP = Step(
    seq=3,
    fact=Cleared(at_ms=1),
    state=None,
    rulings=(FOUL, ASKED),
    judged=(FOUL, ASKED),
    ids=(RulingId(3, "QS-4.5"), RulingId(3, "QS-2")),
)


def logged(question: Question | None) -> Question:
    assert question is not None
    return Question(
        key=question.key,
        words=str(question.words),
        answers=tuple(replace(each, words=str(each.words)) for each in question.answers),
    )


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (
            Overrule(ruling=RulingId(3, "QS-4.5"), was=as_logged(FOUL), reason="so", by="Eva"),
            "QS-4.5 erlassen: Ann ist am Zug (so) — Eva",
        ),
        (
            Confirm(ruling=RulingId(3, "QS-4.5"), was=structs.replace(FOUL, words=str(FOUL.words))),
            "QS-4.5 bestätigt: Ann ist am Zug",
        ),
        (
            Overrule(ruling=RulingId(9, "QS-4.5"), was=Ruling(code="QS-4.5", words="gone")),
            "QS-4.5 erlassen: gone",
        ),
        (
            Reply(seq=3, question="q", answer="y", was=logged(ASKED.question)),
            "„Ja“ geantwortet auf: Nein",
        ),
        (Amend(seq=4, fact=None), "Gestrichen: Eintrag 4"),
        (Insert(after=4, fact=Cleared(at_ms=1)), "Nachgetragen: das Brett wurde abgeräumt"),
        (Withdraw(seq=4), "Entscheid von Eintrag 4 zurückgenommen"),
    ],
)
def test_decisions_are_told_with_the_words_that_their_rulings_have_now(
    decision: Decision, words: str
) -> None:
    assert german(decision_words(decision, steps={3: STEP})) == words


def test_doubts_about_a_piece_are_told_in_another_language() -> None:
    before = Settled(at_ms=1, pieces=(RED, replace(RED, name="red-2")))
    after = Settled(at_ms=2, pieces=(replace(RED, at=Point(2, 2), visible=0.3),))
    doubts = doubts_of(after, before, (), {}, {"red-1": (("puck", "blue"),)})
    words = [each.words for doubt in doubts for each in (doubt, *doubt.runners)]
    assert unsayable(words) == []
    assert german(doubts[1].words) == (
        "sieht eher aus wie: Stein in Blau, halb verdeckt, nur um 1,0 mm bewegt"
    )
