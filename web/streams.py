"""The event streams: one open answer per page, carrying all that changes.

A server that can carry streams itself says so in the request's environment, under `CARRIER`: it is
given the `EventStream` and what to call at its end, and no thread waits. Under any other server an
open stream holds a thread. When there are none left a page would hang without a word, so streams
are counted and one too many is refused (the page then asks again and again instead).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Lock
from time import monotonic, sleep

from web.desk import Desk, View
from web.present import Json, change, dumps, snapshot
from web.saying import ENGLISH, translated

CARRIER = "sightline.carrier"
BEAT_S = 1.0
RETRY_MS = 1000
_BEAT = "event: beat\ndata: {}\n\n"


class StreamCap:
    """Counts the open streams; `take` says whether there is room for one more."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._open = 0
        self._lock = Lock()

    @property
    def open(self) -> int:
        return self._open

    def take(self) -> bool:
        with self._lock:
            if self._open >= self.limit:
                return False
            self._open += 1
            return True

    def give_back(self) -> None:
        with self._lock:
            self._open -= 1


class Messages:
    """The texts of messages, each made once for all the streams of a language that need it."""

    def __init__(self, boot: str, keep: int = 48) -> None:
        self.boot = boot
        self._keep = keep
        self._made: OrderedDict[tuple[str, int | None, int], str] = OrderedDict()
        self._lock = Lock()

    def snapshot(self, view: View, language: str = ENGLISH) -> str:
        key = (language, None, view.version)
        return self._once(key, lambda: snapshot(view, self.boot))

    def change(self, before: View, after: View, language: str = ENGLISH) -> str:
        key = (language, before.version, after.version)
        return self._once(key, lambda: change(before, after, self.boot))

    def event_id(self, view: View) -> str:
        return f"{self.boot}.{view.version}"

    def _once(self, key: tuple[str, int | None, int], make: Callable[[], Json]) -> str:
        with self._lock:
            text = self._made.get(key)
            if text is None:
                text = self._made[key] = dumps(translated(make(), key[0]))
                while len(self._made) > self._keep:
                    self._made.popitem(last=False)
            return text


class EventStream:
    """What one page is told, as server-sent events. Not for several threads at once.

    `have` is the id of the last event the page has got (Last-Event-ID): where that is the newest
    view, nothing is repeated; where it is not, the page gets a snapshot, so nothing can be missing.
    A slow page skips versions: each message leads to the newest view there is. When the page is no
    longer `allowed` to know, which is to be asked before each event, the stream must end.
    """

    def __init__(
        self,
        desk: Desk,
        messages: Messages,
        *,
        have: str | None,
        language: str = ENGLISH,
        allowed: Callable[[], bool] = lambda: True,
    ) -> None:
        self.allowed = allowed
        self._desk = desk
        self._messages = messages
        self._language = language
        self._have = have
        self._view = desk.view()

    @property
    def version(self) -> int:
        """The version of the view that the page was led to."""
        return self._view.version

    def opening(self) -> Iterator[str]:
        """Yield what a page is told first: the view, unless it has it, and a beat."""
        yield f"retry: {RETRY_MS}\n"
        event_id = self._messages.event_id(self._view)
        if self._have != event_id:
            yield _event("view", self._messages.snapshot(self._view, self._language), event_id)
        yield _beat(self._view)

    def news(self, newer: View) -> str:
        """Return the change that leads to `newer`; "" where the page was led there already."""
        if newer.version <= self._view.version:
            return ""
        text = self._messages.change(self._view, newer, self._language)
        self._view = newer
        return _event("view", text, self._messages.event_id(newer))

    def beat(self) -> str:
        """Return a sign of life."""
        return _beat(replace(self._view, now_ms=self._desk.view().now_ms))

    def wait(self, timeout_s: float) -> View | None:
        """Return a newer view as soon as there is one; None when the time is over."""
        return self._desk.wait(self._view.version, timeout_s)


def events(stream: EventStream, *, beat_s: float = BEAT_S) -> Iterator[str]:
    """Yield a stream's events: the view, each change of it, a beat where nothing changes.

    It ends only when the page is no longer allowed to know.
    """
    yield from stream.opening()
    while True:
        asked_s = monotonic()
        newer = stream.wait(beat_s)
        if not stream.allowed():
            return
        text = "" if newer is None else stream.news(newer)
        if not text:
            # A desk that is closing answers at once; the beats keep their pace all the same.
            sleep(max(0.0, beat_s - (monotonic() - asked_s)))
            text = stream.beat()
        yield text


def _event(name: str, text: str, event_id: str) -> str:
    return f"event: {name}\nid: {event_id}\ndata: {text}\n\n"


def _beat(view: View) -> str:
    """Return a sign of life, with the match's time: a message may have been made earlier."""
    return _BEAT.format(dumps({"version": view.version, "now_ms": round(view.now_ms, 1)}))
