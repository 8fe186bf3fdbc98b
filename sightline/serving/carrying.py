"""Event streams on waitress without a thread for each: one thread tells all pages what is new.

waitress runs a request in a thread of its own until its answer ends. With an answer that never
ends for every open page, each change woke them all at once, and they fought for the interpreter.
Here such an answer's thread goes home after the first events; its connection stays, and the
`Carrier` writes to all of them in turn. docs/decisions/0007-one-thread-tells-all-pages.md says why,
and which parts of waitress this relies on.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.task import WSGITask

from web.desk import Desk, View
from web.streams import CARRIER, EventStream

_LOG = logging.getLogger(__name__)
MOST_PENDING_BYTES = 64 * 1024
"""With more that it has not taken, a page is told no more until it has."""


@dataclass(frozen=True, slots=True)
class _Carried:
    stream: EventStream
    ended: Callable[[], None]
    chunked: bool

    def framed(self, text: str) -> bytes:
        data = text.encode()
        return b"%X\r\n%b\r\n" % (len(data), data) if self.chunked else data

    @property
    def end(self) -> bytes:
        return b"0\r\n\r\n" if self.chunked else b""


class Carrier:
    """Tells all pages whose streams it was given what is new, and that it is alive.

    It never waits for a page: one that does not read is passed over, and later led straight to
    what is newest then. A page that has hung up is noticed at the next beat.
    """

    def __init__(self, desk: Desk, beat_s: float) -> None:
        self._desk = desk
        self._beat_s = beat_s
        self._channels: list[StreamChannel] = []
        self._lock = Lock()
        self._stopping = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="streams", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Tell nobody any more; give all places back."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            for channel in self._channels:
                channel.left()
            self._channels.clear()

    def take(self, channel: "StreamChannel") -> None:
        """Tell this page too from now on, beginning with what came since its first events."""
        with self._lock:
            if self._stopping.is_set():
                channel.left()
            elif channel.tell(self._desk.view(), beat=False):
                self._channels.append(channel)

    def _run(self) -> None:
        version = self._desk.view().version
        beat_due_s = monotonic() + self._beat_s
        while not self._stopping.is_set():
            newer = self._desk.wait(version, max(0.0, beat_due_s - monotonic()))
            if newer is None:
                # A desk that is closing answers at once; the beats keep their pace all the same.
                self._stopping.wait(max(0.0, beat_due_s - monotonic()))
            beat = monotonic() >= beat_due_s
            if beat:
                beat_due_s = monotonic() + self._beat_s
            view = newer or self._desk.view()
            version = view.version
            with self._lock:
                self._channels = [each for each in self._channels if each.tell(view, beat=beat)]


class StreamTask(WSGITask):  # type: ignore[misc]
    """A request whose answer may be carried on after its thread has gone home."""

    _wish: tuple[EventStream, Callable[[], None]] | None = None

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[CARRIER] = self._carry
        return environ

    def _carry(self, stream: EventStream, ended: Callable[[], None]) -> None:
        self._wish = (stream, ended)

    def service(self) -> None:
        try:
            super().service()
        finally:
            if self._wish is not None and self.channel.carried is None:
                self._wish[1]()

    def finish(self) -> None:
        if self._wish is None:
            super().finish()
            return
        stream, ended = self._wish
        self.close_on_finish = False
        self.channel.carried = _Carried(stream, ended, self.chunked_response)


class StreamChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that may turn into an event stream; then nothing else is answered on it."""

    task_class = StreamTask
    carried: _Carried | None = None

    def __init__(self, carrier: Carrier, *given: Any, **named: Any) -> None:
        self._carrier = carrier
        super().__init__(*given, **named)

    def received(self, data: bytes) -> bool:
        return self.carried is None and bool(super().received(data))

    def service(self) -> None:
        if self.carried is None:
            super().service()
            if self.carried is not None:
                self._carrier.take(self)

    def _flush_some(self, do_close: bool = True) -> bool:
        # waitress flushes without a lock where no request is being answered.
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close))

    def tell(self, view: View, *, beat: bool) -> bool:
        """Send what leads to `view`, or else a beat; say whether the stream goes on."""
        carried = self.carried
        if carried is None:
            return False
        try:
            reads = self.total_outbufs_len <= MOST_PENDING_BYTES
            if not carried.stream.allowed():
                if reads:
                    self.write_soon(carried.end)
                self.close_when_flushed, self.will_close = reads, not reads
                self.server.pull_trigger()
            elif self.connected:
                if reads:
                    text = carried.stream.news(view) or (carried.stream.beat() if beat else "")
                    self.write_soon(carried.framed(text) if text else b"")
                return True
        except ClientDisconnected:
            pass
        except Exception:
            _LOG.exception("a page could not be told what is new; it will ask again")
            self.will_close = True
            self.server.pull_trigger()
        self.left()
        return False

    def left(self) -> None:
        """Give the place of this stream back."""
        if self.carried is not None:
            self.carried.ended()
