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

from sightline.certificates import Certificate
from sightline.complaint import Complaint

HANDSHAKE_S = 10.0
GOODBYE_S = 0.5
PIECE_BYTES = 64 * 1024
MOST_CONNECTIONS = 700
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
    """Listens for TLS on `listening` and pipes to a server at `port` on the loopback."""

    def __init__(self, listening: socket.socket, certificate: Certificate, port: int) -> None:
        self._listening = listening
        self._context = context_of(certificate)
        self._port = port
        self._senders: dict[int, tuple[str, int]] = {}
        self._connections: set[asyncio.Task[Any] | None] = set()
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
        server = await asyncio.start_server(
            self._connected,
            sock=self._listening,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_S,
            ssl_shutdown_timeout=GOODBYE_S,
            limit=PIECE_BYTES,
            backlog=256,
        )
        self._ready.set()
        await self._stop.wait()
        server.close()
        for _ in range(3):  # who has been let in just now begins to greet, and can be hung up on
            await asyncio.sleep(0)
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        greeting = tasks - self._connections
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if greeting:  # asyncio says goodbye to them by itself, and tells nobody when it has
            await asyncio.sleep(GOODBYE_S + 0.1)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine: int | None = None
        inner: asyncio.StreamWriter | None = None
        task = asyncio.current_task()
        self._connections.add(task)
        try:
            peer = writer.get_extra_info("peername")
            if (
                len(self._connections) > MOST_CONNECTIONS or peer is None
            ):  # None: it hung up already
                return
            answers, inner = await asyncio.open_connection("127.0.0.1", self._port)
            mine = int(inner.get_extra_info("sockname")[1])
            self._senders[mine] = (str(peer[0]), int(peer[1]))
            await self._pipe(reader, writer, answers, inner)
        except (OSError, ssl.SSLError, asyncio.IncompleteReadError):
            pass  # one of the two hung up
        except asyncio.CancelledError:
            pass  # the door closes
        finally:
            if mine is not None:
                self._senders.pop(mine, None)
            for each in (inner, writer):
                if each is not None:
                    each.transport.abort()
                    with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
                        await asyncio.wait_for(each.wait_closed(), GOODBYE_S)
            self._connections.discard(task)

    async def _pipe(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answers: asyncio.StreamReader,
        inner: asyncio.StreamWriter,
    ) -> None:
        """Pass on both ways until the server has said all or either hangs up."""
        asking = asyncio.ensure_future(_copy(reader, inner))
        answering = asyncio.ensure_future(_copy(answers, writer))
        try:
            await asyncio.wait((asking, answering), return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                await answering
                with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
                    writer.close()
                    await asyncio.wait_for(writer.wait_closed(), 2.0)
        finally:
            asking.cancel()
            answering.cancel()
            await asyncio.gather(asking, answering, return_exceptions=True)


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on what comes; whoever does not read is waited for, so that nothing piles up here."""
    while piece := await source.read(PIECE_BYTES):
        target.write(piece)
        await target.drain()
