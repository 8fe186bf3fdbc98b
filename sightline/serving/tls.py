"""TLS before the pages' server, in this process: it decrypts, and pipes to the loopback.

waitress speaks no TLS. This door takes the connections from outside, and for each opens one to the
server, whose port nobody else can use: `only_through` refuses what did not come by the door, and
tells the pages the scheme and the sender of what did. No byte of HTTP is read or changed here.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Iterable
from threading import Event, Thread
from typing import Any

from sightline.complaint import Complaint
from sightline.serving.certificates import Certificate

HANDSHAKE_S = 10.0
GOODBYE_S = 2.0
"""How long a client has for taking the rest of what the server has said before it hung up."""
MOST_CONNECTIONS = 700
_AT_ONCE = 64
_NO_ROOM_S = 1.0
_HELD_BYTES = 64 * 1024
_FORBIDDEN = b"This port is for Sightline itself.\n"

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def context_of(certificate: Certificate) -> ssl.SSLContext:
    """Return what a server needs to speak TLS. Complaint where the files do not fit."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate.chain, certificate.key)
    except (OSError, ssl.SSLError) as err:
        raise Complaint(
            f"{certificate.chain} and {certificate.key} are no certificate with its key: {err}"
        ) from err
    return context


class Door:
    """Listens for TLS on `listening` and pipes to a server at `port` on the loopback.

    Every socket is this door's own from the moment it is taken until it is closed, so that none is
    left behind whatever moment it is stopped in.
    """

    def __init__(self, listening: socket.socket, certificate: Certificate, port: int) -> None:
        self._listening = listening
        self._context = context_of(certificate)
        self._port = port
        self._senders: dict[int, tuple[str, int]] = {}
        self._taken: dict[asyncio.Task[None], socket.socket] = {}
        self._loop = asyncio.new_event_loop()
        self._ready = Event()
        self._stop = asyncio.Event()
        self._thread = Thread(target=self._run, name="tls", daemon=True)

    def start(self) -> None:
        self._thread.start()
        if not self._ready.wait(10):
            raise OSError("the pages cannot be served over TLS: the door did not open")

    def stop(self) -> None:
        """Stop listening and hang up on everybody."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(timeout=5)

    def only_through(self, app: Wsgi) -> Wsgi:
        """Return `app` as it is reached by this door alone, and told who sends."""

        def through(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            sender = self._senders.get(int(environ.get("REMOTE_PORT") or 0))
            if sender is None or environ.get("REMOTE_ADDR") != "127.0.0.1":
                start_response("403 Forbidden", [("Content-Length", str(len(_FORBIDDEN)))])
                return [_FORBIDDEN]
            environ["REMOTE_ADDR"], port = sender
            environ["REMOTE_HOST"], environ["REMOTE_PORT"] = sender[0], str(port)
            environ["wsgi.url_scheme"] = "https"
            return app(environ, start_response)

        return through

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._listening.setblocking(False)
        self._listen()
        self._ready.set()
        await self._stop.wait()
        self._loop.remove_reader(self._listening)
        self._listening.close()
        tasks = dict(self._taken)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _some_turns()
        for sock in tasks.values():  # of those, too, that were taken just before and never begun
            sock.close()

    def _listen(self) -> None:
        if not self._stop.is_set():
            self._loop.add_reader(self._listening, self._take)

    def _take(self) -> None:
        """Take those who wait at the door."""
        for _ in range(_AT_ONCE):
            try:
                sock, peer = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no more can be open at once: those who wait are taken later
                self._loop.remove_reader(self._listening)
                self._loop.call_later(_NO_ROOM_S, self._listen)
                return
            if len(self._taken) >= MOST_CONNECTIONS:
                sock.close()
                continue
            sock.setblocking(False)
            task = self._loop.create_task(self._connected(sock, (str(peer[0]), int(peer[1]))))
            self._taken[task] = sock
            task.add_done_callback(self._taken.pop)

    async def _connected(self, outer: socket.socket, sender: tuple[str, int]) -> None:
        inner = socket.socket()
        inner.setblocking(False)
        transports: list[asyncio.Transport] = []
        mine: int | None = None
        try:
            raw, _ = await self._loop.connect_accepted_socket(_NotYet, outer)
            transports.append(raw)
            client = _End()
            secure = await self._loop.start_tls(
                raw, client, self._context, server_side=True, ssl_handshake_timeout=HANDSHAKE_S
            )
            if secure is None:  # it hung up already
                return
            transports.append(secure)
            client.connection_made(secure)
            await self._loop.sock_connect(inner, ("127.0.0.1", self._port))
            mine = int(inner.getsockname()[1])
            self._senders[mine] = sender
            plain, server = await self._loop.create_connection(_End, sock=inner)
            transports.append(plain)
            await _pipe(client, server)
        except (OSError, ssl.SSLError, asyncio.CancelledError):
            pass  # one of the two hung up, or the door is closed
        finally:
            if mine is not None:
                self._senders.pop(mine, None)
            for transport in reversed(transports):
                transport.abort()
            try:
                await _some_turns()
            finally:
                outer.close()
                inner.close()


async def _some_turns() -> None:
    """Let the loop go on: a transport that is done with closes its socket in its next turns."""
    for _ in range(4):
        await asyncio.sleep(0)


async def _pipe(client: "_End", server: "_End") -> None:
    """Pass on both ways until the server has said all or either hangs up."""
    client.passes_to(server)
    server.passes_to(client)
    await asyncio.wait((client.silent, server.silent), return_when=asyncio.FIRST_COMPLETED)
    if server.silent.done() and not client.silent.done() and client.transport is not None:
        client.transport.close()
        await asyncio.wait((client.gone,), timeout=GOODBYE_S)


class _NotYet(asyncio.Protocol):
    """Reads nothing: what comes first belongs to the handshake."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()


class _End(asyncio.Protocol):
    """One end of a pipe: what comes goes to the other end, no sooner than that can take it."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self.silent: asyncio.Future[None] = loop.create_future()
        """Done when nothing comes any more."""
        self.gone: asyncio.Future[None] = loop.create_future()
        self._other: _End | None = None
        self._held = bytearray()

    def passes_to(self, other: "_End") -> None:
        """Pass on what has come and will come to the other end, which has its transport."""
        self._other = other
        if self._held and other.transport is not None:
            other.transport.write(bytes(self._held))
            self._held.clear()
        if self.transport is not None:
            self.transport.resume_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self._other is not None and self._other.transport is not None:
            self._other.transport.write(data)
            return
        self._held += data
        if len(self._held) > _HELD_BYTES and self.transport is not None:
            self.transport.pause_reading()

    def pause_writing(self) -> None:
        if self._other is not None and self._other.transport is not None:
            self._other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self._other is not None and self._other.transport is not None:
            self._other.transport.resume_reading()

    def eof_received(self) -> bool:
        if not self.silent.done():
            self.silent.set_result(None)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.eof_received()
        if not self.gone.done():
            self.gone.set_result(None)
