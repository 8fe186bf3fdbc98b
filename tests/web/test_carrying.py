"""Event streams that hold no thread: every page is told, whatever the others do."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import islice
from threading import Event
from threading import enumerate as running_threads

import pytest
from testkit.event_stream import EventStream
from testkit.sample_match import sample_desk

from rules.rulings import Ruling
from sightline.serving.carrying import Carrier, StreamChannel
from sightline.serving.serve import THREADS, PageServer, serving
from web import streams
from web.access import Role
from web.desk import View

ASK = b"GET /events HTTP/1.%d\r\nHost: 127.0.0.1\r\n\r\n"
TURN = Ruling(code="QS-2.3", words="turn")


@contextmanager
def raw(port: int, said: bytes, *, receive_bytes: int | None = None) -> Iterator[socket.socket]:
    with closing(socket.socket()) as one:
        if receive_bytes is not None:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        one.settimeout(10)
        one.connect(("127.0.0.1", port))
        one.sendall(said)
        yield one


def read_until(one: socket.socket, words: bytes) -> bytes:
    read = b""
    while words not in read:
        data = one.recv(1 << 16)
        assert data, f"hung up before {words!r}: {read[-200:]!r}"
        read += data
    return read


def news(stream: Iterator[dict], version: int) -> dict:
    return next(event for event in stream if event["version"] >= version)


def places(port: int) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as link:
        link.request("GET", "/healthz")
        return int(json.loads(link.getresponse().read())["streams"])


def wait_for_places(port: int, taken: int) -> None:
    pause = Event()
    while places(port) != taken:
        pause.wait(0.02)


def test_more_pages_than_threads_are_told_and_pages_are_still_served() -> None:
    desk = sample_desk()
    count = THREADS + 8
    with serving(desk, port=0, max_streams=count, beat_s=0.2) as address, ExitStack() as opened:
        streams = [iter(opened.enter_context(EventStream(address.port))) for _ in range(count)]
        assert {next(said)["version"] for said in streams} == {5}
        assert places(address.port) == count
        desk.rule(TURN)
        assert {news(said, 6)["since"] for said in streams} == {5}
        assert len([one for one in running_threads() if one.name.startswith("waitress")]) == THREADS


def test_a_page_that_reads_nothing_holds_nobody_up_and_is_led_to_the_newest() -> None:
    desk = sample_desk()
    with (
        serving(desk, port=0, max_streams=2, beat_s=0.05) as address,
        raw(address.port, ASK % 1, receive_bytes=4096) as stalled,
        EventStream(address.port) as stream,
    ):
        said = iter(stream)
        stalled.recv(100)
        long = Ruling(code="QS-2.3", words="turn " * 20000)
        for _ in range(150):
            desk.rule(long)
            desk.push(lambda view: view if len(view.rulings) < 30 else shortened(view))
            newest = desk.view().version
            assert news(said, newest)["version"] == newest
        read = read_until(stalled, b'"version":%d' % newest)
        told = [line for line in read.split(b"\n") if line.startswith(b"id: ")]
        assert len(told) < 150


def shortened(view: View) -> View:
    return replace(view, rulings=view.rulings[-5:])


def test_what_changes_while_a_stream_is_opened_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = sample_desk()
    carry_on = Carrier.take

    def take(carrier: Carrier, channel: StreamChannel) -> None:
        desk.rule(TURN)
        carry_on(carrier, channel)

    monkeypatch.setattr(Carrier, "take", take)
    monkeypatch.setattr(Carrier, "start", lambda carrier: None)  # all others were told before
    with (
        serving(desk, port=0, max_streams=1) as address,
        EventStream(address.port) as stream,
    ):
        assert [event["version"] for event in islice(stream, 3)] == [5, 5, 6]


def test_a_page_of_http_1_0_gets_its_events_unframed() -> None:
    with (
        serving(sample_desk(), port=0, max_streams=1, beat_s=0.05) as address,
        raw(address.port, ASK % 0) as one,
    ):
        read = read_until(one, b"event: beat\ndata:")
    head, body = read.split(b"\r\n\r\n", 1)
    assert b"chunked" not in head
    assert body.startswith(b"retry: ")


def test_what_else_is_asked_on_a_streams_connection_is_not_answered_within_it() -> None:
    desk = sample_desk()
    twice = ASK % 1 + b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with (
        serving(desk, port=0, max_streams=2, beat_s=0.05) as address,
        raw(address.port, twice) as one,
    ):
        read = read_until(one, b"event: beat")
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        desk.rule(TURN)
        read += read_until(one, b'"since":5')
        assert read.count(b"HTTP/1.1 ") == 1


def test_only_asking_for_the_head_of_a_stream_takes_no_place() -> None:
    with serving(sample_desk(), port=0, max_streams=1, beat_s=0.05) as address:
        with closing(http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)) as link:
            link.request("HEAD", "/events")
            assert link.getresponse().status == 200
        wait_for_places(address.port, 0)


def test_a_page_that_hangs_up_gives_its_place_back_at_the_next_beat() -> None:
    desk = sample_desk()
    with serving(desk, port=0, max_streams=3, beat_s=0.05) as address:
        with ExitStack() as opened:
            for _ in range(3):
                stream = opened.enter_context(EventStream(address.port))
                next(iter(stream))
            wait_for_places(address.port, 3)
        wait_for_places(address.port, 0)


def test_a_page_that_is_sent_away_is_told_nothing_more(caplog: pytest.LogCaptureFixture) -> None:
    desk = sample_desk()
    server = PageServer(desk, port=0, max_streams=1, beat_s=0.05, proxy="127.0.0.1")
    port = server.start().port
    assert server.access is not None
    secret = server.access.invite(Role.VIEWER, minutes=10).secret
    joined = server.access.join_by_secret(secret, name="tablet", browser="a test")
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as link:
            link.request("GET", "/events", headers={"Cookie": f"sightline_{port}={joined.cookie}"})
            answer = link.getresponse()
            assert answer.status == 200
            while b"beat" not in answer.readline():
                pass
            server.access.revoke(joined.device.id)
            desk.rule(TURN)
            rest = answer.read()
    finally:
        server.stop()
    assert b'"since":5' not in rest
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_stream_that_fails_is_ended_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken: list[streams.EventStream] = []
    sound = streams.EventStream.news

    def news_of(stream: streams.EventStream, newer: View) -> str:
        broken[1:] = []
        broken.append(stream)
        if stream is broken[0]:
            raise RuntimeError("torn")
        return sound(stream, newer)

    desk = sample_desk()
    with serving(desk, port=0, max_streams=2, beat_s=0.05) as address, ExitStack() as opened:
        first, second = (iter(opened.enter_context(EventStream(address.port))) for _ in range(2))
        assert next(first)["version"] == next(second)["version"] == 5
        wait_for_places(address.port, 2)
        monkeypatch.setattr(streams.EventStream, "news", news_of)
        wait_for_places(address.port, 1)
        desk.rule(TURN)
        told = [news_or_end(one) for one in (first, second)]
        assert sorted(told) == [5, 6]
    assert "it will ask again" in caplog.text


def news_or_end(stream: Iterator[dict]) -> int:
    """Read until the change comes or the server hangs up; return the version it ended with."""
    version = 0
    with suppress(http.client.IncompleteRead, ConnectionError):
        for event in stream:
            version = event["version"]
            if version == 6:
                break
    return version
