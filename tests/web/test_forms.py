"""What a page may send: read strictly, refused with reasons, whatever it holds."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testkit.exploring import examples

from web.forms import (
    ConfirmTap,
    DeclareTap,
    Envelope,
    InsertTap,
    OverruleTap,
    Refused,
    ReplyTap,
    StrikeTap,
    WithdrawTap,
    parse_decision,
    parse_declaration,
)

KEY = "0123456789abcdef"


def body(**fields: object) -> bytes:
    return json.dumps({"key": KEY, "seen": 7, **fields}).encode()


@pytest.mark.parametrize(
    ("fields", "tap"),
    [
        (
            {"overrule": {"ruling": "4/QS-2.3/0", "mark": "ab", "reason": "both agree"}},
            OverruleTap(ruling="4/QS-2.3/0", mark="ab", reason="both agree"),
        ),
        (
            {"confirm": {"ruling": "4/QS-2.3/0", "mark": "ab"}},
            ConfirmTap(ruling="4/QS-2.3/0", mark="ab"),
        ),
        (
            {"reply": {"ruling": "4/QS-9.4/0", "question": "dead:red-7", "answer": "yes"}},
            ReplyTap(ruling="4/QS-9.4/0", question="dead:red-7", answer="yes"),
        ),
        ({"withdraw": {"seq": 12}}, WithdrawTap(seq=12)),
        ({"strike": {"seq": 12, "reason": "a slip"}}, StrikeTap(seq=12, reason="a slip")),
    ],
    ids=["overrule", "confirm", "reply", "withdraw", "strike"],
)
def test_a_decision_is_read(fields: dict, tap: object) -> None:
    assert parse_decision(body(**fields)) == (Envelope(key=KEY, seen=7), tap)


def test_a_declaration_is_read() -> None:
    envelope, tap = parse_declaration(
        body(what="miscue", side="S", boot="b00t", by="Marta", value="")
    )
    assert envelope == Envelope(key=KEY, seen=7, boot="b00t", by="Marta")
    assert tap == DeclareTap(what="miscue", side="S")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[]", "expected a JSON object"),
        (b'"withdraw"', "expected a JSON object"),
        (b"{", "not JSON"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"key":"a","key":"b"}', "occurs twice"),
        (b'{"seen": NaN}', "NaN is no number"),
        (b'{"seen": ' + b"9" * 5000 + b"}", "not JSON"),
        (body(), "exactly one of overrule"),
        (body(withdraw={"seq": 1}, strike={"seq": 1}), "exactly one of overrule"),
        (body(withdraw=[1]), "withdraw: expected an object"),
        (body(withdraw={}), "withdraw.seq: expected a whole number"),
        (body(withdraw={"seq": True}), "withdraw.seq: expected a whole number"),
        (body(withdraw={"seq": 1.0}), "withdraw.seq: expected a whole number"),
        (body(withdraw={"seq": -1}), "withdraw.seq: expected a whole number"),
        (body(withdraw={"seq": 10**30}), "withdraw.seq: expected a whole number"),
        (body(withdraw={"seq": 1, "reason": 5}), "withdraw.reason: expected a text"),
        (body(withdraw={"seq": 1, "reason": "x" * 501}), "at most 500 characters"),
        (body(withdraw={"seq": 1, "reason": "a\x00b"}), "no control characters"),
        (body(withdraw={"seq": 1, "reason": "\ud800"}), "no control characters"),
        (body(withdraw={"seq": 1, "why": "?"}), "withdraw.why: not expected here"),
        (body(withdraw={"seq": 1}, more=1), "more: not expected here"),
        (body(overrule={"ruling": "", "mark": "a"}), "overrule.ruling: expected a text"),
        (body(overrule={"ruling": "1/A/0"}), "overrule.mark: expected a text"),
        (body(reply={"ruling": "1/A/0", "question": "q", "answer": None}), "reply.answer"),
        (b'{"key": "short", "seen": 1, "withdraw": {"seq": 1}}', "key: expected 8 to 64"),
        (b'{"key": "0123456789 abc", "seen": 1, "withdraw": {"seq": 1}}', "key: expected"),
        (b'{"key": "0123456789abc", "withdraw": {"seq": 1}}', "seen: expected a whole number"),
        (body(boot=5, withdraw={"seq": 1}), "boot: expected a text"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_decision(raw)
    assert reason in "; ".join(refused.value.reasons)


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(Refused) as refused:
        parse_decision(b'{"key": 5, "seen": "x", "withdraw": {"seq": null}}')
    assert [reason.split(":")[0] for reason in refused.value.reasons] == [
        "key",
        "seen",
        "withdraw.seq",
    ]


def outcome_of(parse: Callable[[bytes], tuple[Envelope, object]], raw: bytes) -> object:
    try:
        return parse(raw)
    except Refused as refused:
        return refused.reasons


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["key", "seen", "boot", "by", "overrule", "reply", "withdraw", "strike", "what", "side", "seq"]
)


@settings(max_examples=examples(300))
@given(
    st.binary(max_size=200)
    | st.dictionaries(FIELDS, JSON, max_size=6).map(lambda d: json.dumps(d).encode())
)
def test_nothing_but_a_refusal_comes_of_any_body(raw: bytes) -> None:
    for parse in (parse_decision, parse_declaration):
        assert outcome_of(parse, raw)


@pytest.mark.parametrize(
    ("values", "refused"), [(4000, False), (6000, True)], ids=["many", "too many"]
)
def test_a_body_of_more_values_than_any_tap_needs_is_refused(values: int, refused: bool) -> None:
    path = [[n, n] for n in range(values // 3)]
    fact = {"fact": "travelled", "at_ms": 1.0, "piece": "red-1", "path": path}
    body = json.dumps({"key": "0123456789", "seen": 1, "insert": {"after": 0, "fact": fact}})
    if refused:
        with pytest.raises(Refused, match="more than 5000 values"):
            parse_decision(body.encode())
    else:
        _, tap = parse_decision(body.encode())
        assert isinstance(tap, InsertTap)
