"""The pages over HTTPS, with the club's own certificate."""

import gc
import http.client
import json
import socket
import ssl
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from testkit.devices import PATIENCE_MS, TABLET
from testkit.fake_desk import FakeDesk
from testkit.page_watch import PageWatch
from testkit.sample_match import question_ruling, sample_desk

from rules.rulings import Ruling, RulingKind
from sightline.complaint import Complaint
from sightline.serving.certificates import Certificate, club_certificate
from sightline.serving.hosting import PageWishes, certificate_of
from sightline.serving.serve import PageServer
from web.access import Access, Role


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return club_certificate(tmp_path_factory.mktemp("tls"), ("localhost", "127.0.0.1"))


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def server(desk: FakeDesk, certificate: Certificate) -> Iterator[PageServer]:
    server = PageServer(
        desk, port=0, max_streams=3, beat_s=0.2, certificate=certificate, access=None
    )
    yield server
    server.stop()


def trusting(certificate: Certificate) -> ssl.SSLContext:
    assert certificate.authority is not None
    return ssl.create_default_context(cafile=str(certificate.authority))


def connect(port: int, certificate: Certificate) -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection("127.0.0.1", port, context=trusting(certificate), timeout=20)


def test_the_page_is_served_to_whoever_trusts_the_clubs_authority(
    server: PageServer, certificate: Certificate
) -> None:
    address = server.start()
    assert address.url == f"https://127.0.0.1:{address.port}/"
    with closing(connect(address.port, certificate)) as connection:
        for path in ("/healthz", "/", "/state"):  # on one connection, as browsers do
            connection.request("GET", path, headers={"Origin": address.url.rstrip("/")})
            answer = connection.getresponse()
            assert (answer.status, len(answer.read()) > 0) == (200, True)
        connection.request("GET", "/authority.crt")
        answer = connection.getresponse()
        assert answer.getheader("Content-Type") == "application/x-x509-ca-cert"
        assert certificate.authority is not None
        assert answer.read() == certificate.authority.read_bytes()


def test_whoever_does_not_trust_it_is_warned(server: PageServer) -> None:
    port = server.start().port
    stranger = http.client.HTTPSConnection(
        "127.0.0.1", port, context=ssl.create_default_context(), timeout=20
    )
    with closing(stranger), pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/healthz")


def test_events_come_through_as_they_happen_beside_clients_that_say_nothing(
    server: PageServer, certificate: Certificate, desk: FakeDesk
) -> None:
    port = server.start().port
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    with closing(connect(port, certificate)) as connection:
        connection.request("GET", "/events")
        stream = connection.getresponse()
        desk.rule(question_ruling())
        heard = ""
        while question_ruling().words not in heard:
            heard += stream.readline().decode()
    for one in silent:
        one.close()


def test_whoever_hangs_up_right_after_the_handshake_troubles_nobody(
    server: PageServer, certificate: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    port = server.start().port
    for _ in range(30):
        line = socket.create_connection(("127.0.0.1", port))
        with trusting(certificate).wrap_socket(line, server_hostname="localhost") as hasty:
            hasty.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with closing(connect(port, certificate)) as connection:
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
    assert caplog.messages == []


def test_a_door_that_is_closed_hangs_up_on_everybody_at_whatever_stage(
    server: PageServer, certificate: Certificate
) -> None:
    port = server.start().port
    with ExitStack() as stack:

        def connected() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))

        silent, halfway = connected(), connected()
        halfway.sendall(b"\x16\x03")
        secured = trusting(certificate).wrap_socket(connected(), server_hostname="localhost")
        stack.callback(secured.close)
        server.stop()
        for each in (silent, halfway, secured):
            with suppress(ConnectionResetError, ssl.SSLError):
                assert each.recv(1) == b""
    gc.collect()  # a connection left behind would be noticed now


def test_a_device_joins_with_a_cookie_for_https_alone(
    desk: FakeDesk, certificate: Certificate
) -> None:
    access = Access(slowness=2)
    server = PageServer(desk, host="0.0.0.0", port=0, certificate=certificate, access=access)
    address = server.start()
    assert address.joining is not None
    assert address.joining.startswith("https://127.0.0.1:")
    secret = access.invite(Role.REFEREE, minutes=10).secret
    with closing(connect(address.port, certificate)) as connection:
        headers = {"X-Sightline": "1", "Origin": f"https://127.0.0.1:{address.port}"}
        connection.request("POST", "/join", json.dumps({"secret": secret}), headers)
        answer = connection.getresponse()
        said, cookie = json.loads(answer.read()), answer.getheader("Set-Cookie") or ""
        connection.request(
            "POST", "/join", "{}", {**headers, "Origin": f"http://127.0.0.1:{address.port}"}
        )
        refused = connection.getresponse().status
    server.stop()
    assert (answer.status, said["role"], refused) == (201, "referee", 403)
    assert cookie.startswith(f"__Host-sightline_{address.port}=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict"} <= set(cookie.split("; "))


def test_the_port_behind_the_door_is_closed_to_everybody_else(
    server: PageServer, certificate: Certificate
) -> None:
    server.start()
    assert server._door is not None
    with closing(http.client.HTTPConnection("127.0.0.1", server._door._port)) as connection:
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 403


def test_a_proxys_word_is_not_taken_through_the_door(certificate: Certificate) -> None:
    with pytest.raises(ValueError, match="got both"):
        PageServer(sample_desk(), proxy="127.0.0.1", certificate=certificate)
    wishes = PageWishes(proxy="127.0.0.1", tls=True)
    with pytest.raises(Complaint, match="not both"):
        certificate_of(wishes, Path("nowhere"))


def test_without_a_certificate_there_is_none_to_install(tmp_path: Path) -> None:
    server = PageServer(sample_desk(), port=0, max_streams=1)
    port = server.start().port
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", "/authority.crt")
        status = connection.getresponse().status
    server.stop()
    assert status == 404


@pytest.fixture
def browsing(chromium: Browser) -> Iterator[BrowserContext]:
    """A tablet on which the club's authority is taken as installed: this context alone."""
    context = chromium.new_context(
        viewport={"width": TABLET.width, "height": TABLET.height},
        has_touch=True,
        ignore_https_errors=True,
        permissions=["screen-wake-lock"],
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.mark.browser
def test_a_tablet_referees_over_https_with_cookies_that_never_go_out_in_the_clear(
    desk: FakeDesk, certificate: Certificate, browsing: BrowserContext
) -> None:
    access = Access(slowness=2)
    server = PageServer(
        desk, host="0.0.0.0", port=0, beat_s=0.2, certificate=certificate, access=access
    )
    port = server.start().port
    url = f"https://127.0.0.1:{port}/"
    tablet = browsing.new_page()
    watch = PageWatch(tablet)
    tablet.goto(f"{url}join#{access.invite(Role.REFEREE, minutes=10).secret}")
    tablet.locator("#name").fill("Marta’s tablet")
    tablet.get_by_role("button", name="Join").tap()
    expect(tablet.locator("#link")).to_have_attribute("data-state", "live")
    desk.rule(Ruling(code="QS-2.2", words="Anna pocketed a black puck.", kind=RulingKind.POCKET))
    expect(tablet.locator("#latest")).to_contain_text("Anna pocketed a black puck.")
    tablet.get_by_role("button", name="Confirm QS-8a.4").tap()
    expect(tablet.locator("#tray")).to_contain_text("Confirm QS-8a.4")
    tablet.get_by_role("button", name="Menu").tap()
    expect(tablet.locator("#awake")).to_have_text("The screen stays on while this page is open.")
    tablet.get_by_label("Language").select_option("de")
    expect(tablet.locator("html")).to_have_attribute("lang", "de")
    cookies = {cookie["name"].removesuffix(f"_{port}"): cookie for cookie in browsing.cookies()}
    tablet.close()
    server.stop()
    watch.check()
    assert len(desk.decided) == 1
    assert set(cookies) == {"__Host-sightline", "sightline_language"}
    for cookie in cookies.values():
        assert (cookie["secure"], cookie["sameSite"]) == (True, "Strict")
    assert cookies["__Host-sightline"]["httpOnly"]
