"""Runs the pages on waitress, in threads of this process.

Open event streams hold no thread (`sightline.serving.carrying`), so a few threads serve many pages.
"""

import contextlib
import logging
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from threading import Event, Thread
from typing import Any

from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel

from sightline.serving.carrying import Carrier, StreamChannel
from sightline.serving.certificates import Certificate
from sightline.serving.tls import Door
from web import Desk, create_app
from web.access import Access, Role
from web.app import MAX_STREAMS
from web.streams import BEAT_S

LOOPBACK = "127.0.0.1"
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})
PORT = 8460
THREADS = 64
"""So many requests are answered at once; a slow reader of a long video takes one of them."""
TURN_S = 0.2
_PROXY_HEADERS = frozenset({"x-forwarded-proto", "x-forwarded-host", "x-forwarded-for"})
MAX_BODY_BYTES = 1024 * 1024
OUTBUF_HIGH_WATERMARK = 256 * 1024


class CannotListen(OSError):
    """The address cannot be listened on; the words say which one and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where the pages are served."""

    host: str
    port: int
    secure: bool = False
    joining: str | None = None
    """Where devices must join: the link that makes one browser the owner, once, within the hour."""

    @property
    def url(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.secure else ''}://{name}:{self.port}/"


class PageServer:
    """The pages of one desk on one address, from `start` to `stop`."""

    def __init__(
        self,
        desk: Desk,
        *,
        host: str = LOOPBACK,
        port: int = PORT,
        allowed_hosts: tuple[str, ...] = (),
        access: Access | None = None,
        proxy: str | None = None,
        certificate: Certificate | None = None,
        max_streams: int = MAX_STREAMS,
        beat_s: float = BEAT_S,
        **rooms: Any,
    ) -> None:
        """`rooms` are what else `web.create_app` may be given. On an address that others reach,
        devices must join: without `access` they do so for as long as this server runs.

        `proxy` is the address of a proxy whose word is taken on scheme, host and sender: one that
        speaks TLS in front of this server. Then devices must join too.

        With `certificate` the pages speak TLS themselves.
        """
        if proxy is not None and certificate is not None:
            raise ValueError("expected a TLS proxy or a certificate, got both")
        self._desk = desk
        self._host = host
        self._port = port
        self._allowed = (*allowed_hosts, *names_of(host))
        self._given = allowed_hosts
        self._proxy = proxy
        self._certificate = certificate
        self._door: Door | None = None
        self.access = None if is_loopback(host) and not proxy else access or Access()
        self._rooms = rooms
        self._max_streams = max_streams
        self._beat_s = beat_s
        self._carrier = Carrier(desk, beat_s)
        self._sockets: dict[int, Any] = {}
        self._server: Any = None
        self._thread: Thread | None = None
        self._stopping = Event()

    def start(self) -> Address:
        """Listen and serve in the background; `port` 0 takes a free one. Raises `CannotListen`."""
        listening = _listen(self._host, self._port)
        # Many pages coming at once wait for a thread for a moment: no cause for a warning each.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        port = int(listening.getsockname()[1])
        app: Any = create_app(
            self._desk,
            allowed_hosts=self._allowed,
            access=self.access,
            bases=self._bases(port),
            max_streams=self._max_streams,
            beat_s=self._beat_s,
            authority=None if self._certificate is None else self._certificate.authority,
            **self._rooms,
        )
        if self._certificate is not None:
            outside, listening = listening, _listen(LOOPBACK, 0)
            self._door = Door(outside, self._certificate, int(listening.getsockname()[1]))
            app = self._door.only_through(app)
        self._server = create_server(
            app,
            map=self._sockets,
            sockets=[listening],
            threads=THREADS,
            connection_limit=self._max_streams * 2 + 100,
            channel_timeout=60,
            outbuf_high_watermark=OUTBUF_HIGH_WATERMARK,
            max_request_body_size=MAX_BODY_BYTES,
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=True,
            ident="sightline",
            trusted_proxy=self._proxy,
            trusted_proxy_headers=_PROXY_HEADERS if self._proxy else frozenset(),
        )
        self._server.channel_class = partial(StreamChannel, self._carrier)
        self._carrier.start()
        self._thread = Thread(target=self._serve, name="pages", daemon=True)
        self._thread.start()
        if self._door is not None:
            self._door.start()
        return Address(
            host=self._host, port=port, secure=self._secure, joining=self._owners_link(port)
        )

    @property
    def _secure(self) -> bool:
        return self._certificate is not None

    def _bases(self, port: int) -> tuple[str, ...]:
        """Return the addresses that other devices are sent to: addresses first, then names."""
        names = reachable_names(self._host, self._given)
        return tuple(Address(host=name, port=port, secure=self._secure).url for name in names)

    def _owners_link(self, port: int) -> str | None:
        """Return the link by which one browser becomes the owner, None where nobody need join."""
        if self.access is None:
            return None
        invited = self.access.invite(Role.OWNER, minutes=60, once=True)
        host = LOOPBACK if self._host in EVERYWHERE else self._host
        return f"{Address(host=host, port=port, secure=self._secure).url}join#{invited.secret}"

    def stop(self) -> None:
        """Stop listening and hang up on all pages; they say so within 3 s."""
        if self._thread is None:
            return
        if self._door is not None:
            self._door.stop()
        # First who needs the sockets: what is being answered is sent, and nobody writes to a closed
        # one's number, which may be a file's by then.
        self._carrier.stop()
        self._server.task_dispatcher.shutdown(timeout=3)
        self._stopping.set()
        self._thread.join(timeout=5)
        self._thread = None

    def _serve(self) -> None:
        while not self._stopping.is_set():
            wasyncore.loop(timeout=TURN_S, use_poll=True, map=self._sockets, count=1)
        # Only this thread closes sockets.
        for one in tuple(self._sockets.values()):
            with contextlib.suppress(OSError):
                one.handle_close() if isinstance(one, HTTPChannel) else one.close()


@contextlib.contextmanager
def serving(desk: Desk, **options: Any) -> Iterator[Address]:
    """Serve the pages of `desk` while the block runs; options as for `PageServer`."""
    server = PageServer(desk, **options)
    try:
        yield server.start()
    finally:
        server.stop()


def is_loopback(host: str) -> bool:
    """Say whether only this computer reaches `host`."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def reachable_names(host: str, given: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return how other devices may call us: addresses in the network first, then given names."""
    if is_loopback(host):
        return given
    found = (host,) if host not in EVERYWHERE else tuple(sorted(_outward_addresses()))
    return tuple(dict.fromkeys((*found, *given)))


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises `CannotListen` before anything else is started."""
    try:
        return socket.create_server(
            (host, port),
            family=socket.AF_INET6 if ":" in host else socket.AF_INET,
            backlog=256,
            dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
        )
    except OSError as err:
        raise CannotListen(
            f"cannot serve pages on {host} port {port}: {err.strerror or err}; "
            "is Sightline running already? give another --port"
        ) from err


def names_of(host: str) -> tuple[str, ...]:
    """Return the names under which a page may reach `host`; for all addresses the machine's own."""
    if host not in EVERYWHERE:
        return (host,)
    name = socket.gethostname()
    found = {name, f"{name}.local"}
    with contextlib.suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    found |= _outward_addresses()
    return tuple(sorted(found))


def _outward_addresses() -> set[str]:
    """Return the address this machine has in its network; nothing is sent to find it."""
    found = set()
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.add(str(probe.getsockname()[0]))
    return found
