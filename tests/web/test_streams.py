"""The event streams: nothing missed, nothing twice, never silent."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from time import monotonic

import pytest
from testkit.fake_desk import FakeDesk
from testkit.sample_match import sample_board, sample_desk, sample_view

from rules.rulings import Ruling
from web import create_app
from web.streams import EventStream, Messages, StreamCap, events


def parsed(text: str) -> dict:
    fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
    return {"name": fields.get("event"), "id": fields.get("id"), **json.loads(fields["data"])}


def stream(desk: FakeDesk, have: str | None = None) -> Iterator[dict]:
    texts = events(EventStream(desk, Messages("b"), have=have), beat_s=0.0)
    assert next(texts).startswith("retry: ")
    return (parsed(text) for text in texts)


def views(desk: FakeDesk, have: str | None = None) -> Iterator[dict]:
    return (event for event in stream(desk, have) if event["name"] == "view")


def test_a_new_page_gets_a_snapshot_and_then_beats() -> None:
    said = list(islice(stream(sample_desk()), 3))
    assert [event["name"] for event in said] == ["view", "beat", "beat"]
    assert said[1]["now_ms"] == 312_000
    assert (said[0]["id"], said[0]["since"]) == ("b.5", None)
    assert said[1]["version"] == 5


def test_a_change_is_sent_with_its_id() -> None:
    desk = sample_desk()
    said = views(desk)
    next(said)
    desk.rule(Ruling(code="QS-2.3", words="turn"))
    event = next(said)
    assert (event["id"], event["since"]) == ("b.6", 5)
    assert event["rulings"] == {"keep": 5, "of": 6, "tail": event["rulings"]["tail"]}
    assert len(event["rulings"]["tail"]) == 1


def test_a_slow_page_is_led_straight_to_the_newest_view() -> None:
    desk = sample_desk()
    said = stream(desk)
    assert [next(said)["name"], next(said)["name"]] == ["view", "beat"]
    for number in range(40):
        desk.rule(Ruling(code="QS-2.3", words=f"turn {number}"))
    event = next(said)
    assert (event["version"], event["since"]) == (45, 5)
    assert len(event["rulings"]["tail"]) == 40
    assert next(said)["name"] == "beat"


@pytest.mark.parametrize(
    ("have", "first"),
    [("b.5", "beat"), ("b.4", "view"), ("other.5", "view"), ("nonsense", "view"), (None, "view")],
    ids=["has it all", "an older one", "of another run", "nonsense", "nothing"],
)
def test_a_page_that_was_cut_off_gets_what_it_lacks(have: str | None, first: str) -> None:
    assert next(stream(sample_desk(), have))["name"] == first


def test_a_desk_that_is_closing_does_not_make_the_beats_race() -> None:
    class Closing(FakeDesk):
        def wait(self, after: int, timeout_s: float) -> None:
            return None

    closing = EventStream(Closing(sample_view(), sample_board()), Messages("b"), have=None)
    texts = events(closing, beat_s=0.05)
    started = monotonic()
    assert len(list(islice(texts, 8))) == 8
    assert monotonic() - started >= 5 * 0.05


def test_a_page_that_comes_late_is_told_what_time_it_is_now() -> None:
    desk = sample_desk()
    messages = Messages("b")
    messages.snapshot(desk.view())
    late = FakeDesk(replace(desk.view(), now_ms=400_000), sample_board())
    texts = list(islice(events(EventStream(late, messages, have=None)), 3))
    assert parsed(texts[1])["now_ms"] == 312_000
    assert parsed(texts[2])["now_ms"] == 400_000


def test_a_thousand_dropped_streams_miss_nothing_and_repeat_nothing() -> None:
    desk = sample_desk(sample_view(rulings=()))
    have, rulings = None, []
    for number in range(1000):
        said = stream(desk, have)
        if number % 3:
            desk.rule(Ruling(code="QS-2.3", words=f"turn {number}"))
        for event in islice(said, 1 + number % 4):
            if event["name"] == "beat":
                continue
            change = event["rulings"]
            if event["since"] is None:
                rulings = rulings[: change["keep"]] + change["tail"]
            else:
                assert have == f"b.{event['since']}"
                rulings = rulings[: change["keep"]] + change["tail"]
            have = event["id"]
    last = next(stream(desk))
    rulings = rulings[: last["rulings"]["keep"]] + last["rulings"]["tail"]
    assert [ruled["words"] for ruled in rulings] == [
        ruled.ruling.words for ruled in desk.view().rulings
    ]


def test_a_message_is_made_once_for_all_streams() -> None:
    messages = Messages("b")
    view = sample_view()
    after = replace(view, version=6)
    assert messages.snapshot(view) is messages.snapshot(view)
    assert messages.change(view, after) is messages.change(view, after)


def test_only_the_newest_messages_are_kept() -> None:
    messages = Messages("b", keep=2)
    first = sample_view()
    text = messages.snapshot(first)
    for version in range(6, 9):
        messages.snapshot(replace(first, version=version))
    assert messages.snapshot(first) is not text


def test_a_full_house_is_said_so_and_a_free_place_is_taken_again() -> None:
    client = create_app(sample_desk(), max_streams=2).test_client()
    one, two = client.get("/events"), client.get("/events")
    full = client.get("/events")
    assert (one.status_code, two.status_code, full.status_code) == (200, 200, 503)
    assert full.headers["Retry-After"] == "5"
    assert full.json["error"] == "busy"
    one.close()
    assert client.get("/healthz").json["streams"] == 1
    assert client.get("/events").status_code == 200
    two.close()


def test_a_place_is_given_back_once_only() -> None:
    cap = StreamCap(1)
    client = create_app(sample_desk(), max_streams=1).test_client()
    answer = client.get("/events")
    answer.close()
    answer.close()
    assert client.get("/healthz").json["streams"] == 0
    assert cap.take()
    assert not cap.take()


def test_the_stream_is_told_apart_from_a_page() -> None:
    answer = create_app(sample_desk()).test_client().get("/events")
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()
