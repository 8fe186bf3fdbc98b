"""The readable form of facts and decisions: what is printed is read back as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit import strategies
from testkit.exploring import examples
from testkit.logs import PASS, POCKETED, fold, log, lying

from rules.decisions import Amend, Decision
from rules.facts import Contacted, Fact, HandEntered, Piece, Pocketed, Settled
from rules.geometry import Point, Seat
from rules.transcript import (
    NotATranscript,
    fact_line,
    parse_line,
    parse_transcript,
    transcript,
)


@given(strategies.facts() | strategies.decisions())
@settings(max_examples=examples(200))
def test_what_is_printed_is_read_back_as_it_was(body: Fact | Decision) -> None:
    line = fact_line(body)
    assert "\n" not in line
    assert parse_line(line) == body


@given(st.text(max_size=40) | st.text('@[]{}()=,- "ab1.settled', max_size=40))
@settings(max_examples=examples(200))
def test_whatever_is_read_it_is_a_line_or_refused(text: str) -> None:
    with pytest.raises(NotATranscript):
        parse_line(text)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            Contacted(at_ms=731.25, a="cue-puck", b="red-3", at=Point(12.5, -3.25), error_ms=1.2),
            "@731.25 contacted cue-puck red-3 (12.5,-3.25) error_ms=1.2",
        ),
        (HandEntered(at_ms=5, side=Seat.N), "@5 hand_entered side=N"),
        (
            Settled(
                at_ms=2300,
                pieces=(Piece(name="red 3", kind="puck", colour="red", at=Point(40, 0.5)),),
            ),
            '@2300 settled [{"red 3" puck red (40,0.5)}]',
        ),
        (Pocketed(at_ms=5, piece="@1", pocket="1@,"), '@5 pocketed "@1" 1@,'),
        (Pocketed(at_ms=5, piece=",", pocket=",1"), "@5 pocketed , ,1"),
        (Amend(seq=4, fact=None, reason="a sleeve"), 'amend 4 - reason="a sleeve"'),
        (Amend(seq=4, fact=HandEntered(at_ms=5)), "amend 4 {@5 hand_entered}"),
    ],
    ids=["contact", "hand", "settled", "at", "comma", "strike out", "amend"],
)
def test_a_line_reads_like_what_happened(body: Fact | Decision, line: str) -> None:
    assert fact_line(body) == line
    assert parse_line(line) == body


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("contacted a b (1,2)", "expected a fact that opens with @time"),
        ("@5 amend 4 -", "expected a fact that opens with @time"),
        ("@5 sneezed", "got 'sneezed'"),
        ("@x settled []", "expected a number, got 'x'"),
        ("@5 settled", "expected '[', got 'nothing'"),
        ("@5 settled [] []", "expected the name of a field"),
        ("@5 contacted a b (1)", "expected a number"),
        ("@5 hand_entered side=Q", "expected one of S, E, N, W, got 'Q'"),
        ("@5 hand_entered depth=2", "expected a field of hand_entered, got 'depth'"),
        ("amend 4", "got 'nothing'"),
        ("withdraw 1e3", "expected a whole number"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_what_was_expected(line: str, said: str) -> None:
    with pytest.raises(NotATranscript) as refused:
        parse_line(line)
    assert said in str(refused.value)


def test_a_transcript_of_a_match_holds_its_facts_and_shows_its_rulings() -> None:
    facts = [POCKETED, PASS, lying(3)]
    text = transcript(fold(log(*facts)).steps)
    assert text == (
        "@1 pocketed red-1 NE\n"
        "    T-1 A: A +1\n"
        "@2 declared pass\n"
        "    T-2: the turn passes\n"
        "@4 settled [{blue-1 puck blue (3,50) error_mm=0.5}]\n"
        "    T-3 B: blue-1 is over the line\n"
    )
    assert list(parse_transcript("# a match\n\n" + text)) == facts


def test_a_damaged_transcript_names_the_line() -> None:
    with pytest.raises(NotATranscript, match="line 3: column"):
        list(parse_transcript("# a match\n@1 sight_regained\n@2 sight\n"))
