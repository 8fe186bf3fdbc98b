"""JSON of facts, decisions, rulings, setups and entries: round trips, and what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from testkit import strategies
from testkit.exploring import examples

from rules.codec import (
    Malformed,
    NewerVersion,
    body_from_json,
    check_version,
    decision_from_json,
    decision_to_json,
    entry_from_json,
    entry_to_json,
    fact_from_json,
    fact_to_json,
    ruling_from_json,
    ruling_to_json,
    setup_from_json,
    setup_to_json,
)
from rules.decisions import Decision
from rules.facts import Contacted, Fact, HandEntered, Settled
from rules.game import Entry, Setup
from rules.geometry import Point, Seat
from rules.rulings import Ruling


def through_text(value: object) -> Any:
    return json.loads(json.dumps(value, allow_nan=False))


@given(strategies.facts())
@settings(max_examples=examples(150))
def test_a_fact_comes_back_from_json_as_it_was(fact: Fact) -> None:
    assert fact_from_json(through_text(fact_to_json(fact))) == fact


@given(strategies.decisions())
@settings(max_examples=examples(100))
def test_a_decision_comes_back_from_json_as_it_was(decision: Decision) -> None:
    assert decision_from_json(through_text(decision_to_json(decision))) == decision


@given(strategies.rulings())
@settings(max_examples=examples(80))
def test_a_ruling_comes_back_from_json_without_its_effect(ruling: Ruling) -> None:
    with_effect = replace(ruling, effect=object())
    assert ruling_from_json(through_text(ruling_to_json(with_effect))) == ruling


@given(strategies.setups())
@settings(max_examples=examples(40))
def test_a_setup_with_its_board_comes_back_from_json_as_it_was(setup: Setup) -> None:
    assert setup_from_json(through_text(setup_to_json(setup))) == setup


@given(strategies.entries())
@settings(max_examples=examples(80))
def test_an_entry_comes_back_from_json_as_it_was(entry: Entry) -> None:
    assert entry_from_json(through_text(entry_to_json(entry))) == entry


@given(strategies.JSON)
@settings(max_examples=examples(200))
def test_whatever_json_is_read_it_is_an_entry_or_malformed(value: object) -> None:
    with pytest.raises(Malformed):
        entry_from_json(value)


def test_json_leaves_out_what_is_as_usual_and_writes_points_as_pairs() -> None:
    contact = Contacted(at_ms=731.25, a="cue-puck", b="red-3", at=Point(1.5, -2))
    assert fact_to_json(contact) == {
        "fact": "contacted",
        "at_ms": 731.25,
        "a": "cue-puck",
        "b": "red-3",
        "at": [1.5, -2.0],
    }
    assert fact_to_json(HandEntered(at_ms=5, side=Seat.N)) == {
        "fact": "hand_entered",
        "at_ms": 5.0,
        "side": "N",
    }


PIECE = {"name": "red-1", "kind": "puck", "colour": "red", "at": [0, 0]}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], 'value: expected an object with "decision" or "fact", got []'),
        ({"at_ms": 1}, 'value: expected an object with "decision" or "fact", got {\'at_ms\': 1}'),
        ({"fact": "sneezed", "at_ms": 1}, "fact: expected one of struck, contacted"),
        ({"fact": ["struck"]}, "fact: expected one of struck, contacted"),
        ({"fact": "sight_regained"}, "at_ms: missing"),
        ({"fact": "sight_regained", "at_ms": "5"}, "at_ms: expected a number, got '5'"),
        ({"fact": "sight_regained", "at_ms": True}, "at_ms: expected a number, got True"),
        ({"fact": "sight_regained", "at_ms": 10**400}, "at_ms: expected a finite number"),
        ({"fact": "sight_regained", "at_ms": float("nan")}, "at_ms: expected a finite number"),
        ({"fact": "sight_regained", "at_ms": 1, "why": ""}, "why: expected no such field"),
        ({"fact": "hand_left", "at_ms": 1, "side": "X"}, "side: expected one of S, E, N, W"),
        (
            {"fact": "settled", "at_ms": 1, "pieces": [PIECE, {**PIECE, "at": [1]}]},
            "pieces[1].at: expected [x_mm, y_mm], got [1]",
        ),
        (
            {"fact": "settled", "at_ms": 1, "pieces": [{**PIECE, "at": [1, None]}]},
            "pieces[0].at[1]: expected a number, got None",
        ),
        (
            {"fact": "unclear", "at_ms": 1, "question": "?", "answers": [[{"fact": "x"}]]},
            "answers[0][0].fact: expected one of",
        ),
        ({"fact": "declared", "at_ms": 1, "what": "\ud800"}, "what: expected a text of whole"),
        ({"decision": "withdraw", "seq": 1.5}, "seq: expected a whole number, got 1.5"),
        ({"decision": "withdraw", "seq": 10**30}, "seq: expected a whole number"),
        (
            {"decision": "overrule", "ruling": "4/T-1", "was": {"code": "T-1", "words": ""}},
            "ruling: expected a ruling such as \"41/QS-8a.1/0\", got '4/T-1'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_field_and_what_belongs_there(
    value: object, said: str
) -> None:
    with pytest.raises(Malformed) as refused:
        body_from_json(value)
    assert str(refused.value).startswith(said)


def test_json_nested_without_end_is_malformed_and_no_crash() -> None:
    deep: dict[str, Any] = {"fact": "sight_regained", "at_ms": 1}
    for _ in range(3000):
        deep = {"fact": "unclear", "at_ms": 1, "question": "", "answers": [[deep]]}
    with pytest.raises(Malformed, match="less nesting"):
        fact_from_json(deep)


def test_a_number_that_json_cannot_hold_is_not_written() -> None:
    with pytest.raises(ValueError, match="finite"):
        fact_to_json(Settled(at_ms=float("inf"), pieces=()))


@pytest.mark.parametrize("found", [0, -1, True, "1", 1.0, None])
def test_a_version_that_is_none_is_malformed(found: object) -> None:
    with pytest.raises(Malformed):
        check_version(found)


def test_a_newer_version_is_refused_with_what_to_do() -> None:
    with pytest.raises(NewerVersion, match="install a newer Sightline"):
        check_version(99)
