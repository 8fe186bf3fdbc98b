"""The pages on waitress: addresses, many streams at once, going away."""

import http.client
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

import pytest
from testkit.event_stream import EventStream
from testkit.sample_match import sample_desk
from waitress.task import ThreadedTaskDispatcher

from rules.rulings import Ruling
from sightline.serving.serve import CannotListen, PageServer, serving
from web.access import Role


def get(port: int, path: str, host: str = "127.0.0.1") -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection(host, port, timeout=10)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_the_pages_are_served_on_the_loopback_unless_asked_otherwise() -> None:
    with serving(sample_desk(), port=0, max_streams=2, beat_s=0.2) as address:
        assert address.host == "127.0.0.1"
        assert address.url == f"http://127.0.0.1:{address.port}/"
        status, page = get(address.port, "/")
        assert status == 200
        assert b'<svg id="board"' in page


def test_more_open_streams_than_waitress_has_threads_by_default_do_not_stop_the_pages() -> None:
    desk = sample_desk()
    with serving(desk, port=0, max_streams=12, beat_s=0.2) as address, ExitStack() as opened:
        streams = [opened.enter_context(EventStream(address.port)) for _ in range(12)]
        events = [iter(stream) for stream in streams]
        assert {next(said)["version"] for said in events} == {5}
        assert get(address.port, "/healthz")[0] == 200
        assert opened.enter_context(EventStream(address.port)).status == 503
        desk.rule(Ruling(code="QS-2.3", words="turn"))
        newest = [next(event for event in said if event["name"] == "view") for said in events]
        assert {event["version"] for event in newest} == {6}


def test_a_page_that_hangs_up_gives_its_place_back() -> None:
    with serving(sample_desk(), port=0, max_streams=1, beat_s=0.2) as address:
        with EventStream(address.port) as stream:
            assert stream.status == 200
        pause = threading.Event()
        while json.loads(get(address.port, "/healthz")[1])["streams"]:
            pause.wait(0.05)
        with EventStream(address.port) as stream:
            assert stream.status == 200


def test_stopping_hangs_up_on_every_page() -> None:
    server = PageServer(sample_desk(), port=0, max_streams=2, beat_s=0.2)
    address = server.start()
    with EventStream(address.port) as stream:
        events = iter(stream)
        assert next(events)["version"] == 5
        server.stop()
        assert {event["name"] for event in events} <= {"beat"}
    with pytest.raises(ConnectionRefusedError):
        get(address.port, "/healthz")


def test_who_is_being_answered_when_the_server_stops_gets_the_whole_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor does anybody write to a socket that is closed: its number may be a file's by then."""
    asked, stopping = threading.Event(), threading.Event()
    shut_down = ThreadedTaskDispatcher.shutdown

    def begin_to_shut_down(dispatcher: ThreadedTaskDispatcher, **how: Any) -> bool:
        stopping.set()
        return bool(shut_down(dispatcher, **how))

    def slowly() -> bytes:
        asked.set()
        assert stopping.wait(10)
        return b"a picture"

    monkeypatch.setattr(ThreadedTaskDispatcher, "shutdown", begin_to_shut_down)
    desk = sample_desk()
    monkeypatch.setattr(desk, "live", slowly)
    server = PageServer(desk, port=0, max_streams=1, beat_s=0.2)
    port = server.start().port
    with ThreadPoolExecutor() as others:
        answer = others.submit(get, port, "/live.jpg")
        assert asked.wait(10)
        server.stop()
        assert answer.result(10) == (200, b"a picture")
    assert caplog.messages == []


def test_stopping_twice_or_before_the_start_does_nothing() -> None:
    server = PageServer(sample_desk(), port=0, max_streams=1, beat_s=0.2)
    server.stop()
    server.start()
    server.stop()
    server.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "pages"]


def test_a_port_in_use_is_named_with_a_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=rf"port {port}.*give another --port"):
            PageServer(sample_desk(), port=port).start()


def test_serving_all_addresses_answers_to_the_machines_own_names_only() -> None:
    with serving(sample_desk(), host="0.0.0.0", port=0, max_streams=1, beat_s=0.2) as address:
        with closing(http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)) as one:
            one.request("GET", "/healthz", headers={"Host": socket.gethostname()})
            assert one.getresponse().status == 200
        with closing(http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)) as one:
            one.request("GET", "/healthz", headers={"Host": "evil.example"})
            assert one.getresponse().status == 400


def test_a_body_larger_than_the_limit_is_refused() -> None:
    with (
        serving(sample_desk(), port=0, max_streams=1, beat_s=0.2) as address,
        closing(http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)) as connection,
    ):
        connection.putrequest("POST", "/decisions")
        connection.putheader("Content-Length", str(2 * 1024 * 1024))
        connection.putheader("X-Sightline", "1")
        connection.endheaders()
        assert connection.getresponse().status == 413


def through_a_proxy(port: int, secret: str) -> tuple[int, str]:
    """Join as a browser behind a TLS proxy does; the status and the cookie."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        headers = {
            "Host": f"127.0.0.1:{port}",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-Host": "table-3.club.example",
            "X-Forwarded-For": "10.0.0.7",
            "Origin": "https://table-3.club.example",
            "X-Sightline": "1",
        }
        connection.request("POST", "/join", json.dumps({"secret": secret}), headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Set-Cookie") or ""


def test_a_tls_proxy_is_believed_where_it_was_named_and_devices_must_join() -> None:
    options = {"port": 0, "max_streams": 1, "allowed_hosts": ("table-3.club.example",)}
    server = PageServer(sample_desk(), proxy="127.0.0.1", **options)
    port = server.start().port
    assert server.access is not None
    secret = server.access.invite(Role.REFEREE, minutes=10).secret
    status, cookie = through_a_proxy(port, secret)
    server.stop()
    assert status == 201
    assert "Secure" in cookie.split("; ")


def test_nobody_elses_word_on_where_a_request_comes_from_is_taken() -> None:
    with serving(sample_desk(), port=0, max_streams=1) as address:
        assert through_a_proxy(address.port, "secret") == (403, "")
