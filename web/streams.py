"""The event streams: one open answer per page, carrying all that changes.

Every open stream holds one of the server's threads. When there are none left a page would hang
without a word, so streams are counted and one too many is refused (the page then asks again and
again instead).
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Lock
from time import monotonic, sleep

from web.desk import Desk, View
from web.present import Json, change, dumps, snapshot
from web.saying import ENGLISH, translated

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


def events(
    desk: Desk,
    messages: Messages,
    *,
    have: str | None,
    language: str = ENGLISH,
    beat_s: float = BEAT_S,
    allowed: Callable[[], bool] = lambda: True,
) -> Iterator[str]:
    """Yield server-sent events: the view, each change of it, a beat where nothing changes.

    It ends only when the page is no longer `allowed` to know, which is asked before each event.

    `have` is the id of the last event the page has got (Last-Event-ID): where that is the newest
    view, nothing is repeated; where it is not, the page gets a snapshot, so nothing can be missing.
    A slow page skips versions: each message leads to the newest view there is.
    """
    view = desk.view()
    yield f"retry: {RETRY_MS}\n"
    if have != messages.event_id(view):
        yield _event("view", messages.snapshot(view, language), messages.event_id(view))
    yield _beat(view)
    while True:
        asked_s = monotonic()
        newer = desk.wait(view.version, beat_s)
        if not allowed():
            return
        if newer is not None and newer.version > view.version:
            yield _event("view", messages.change(view, newer, language), messages.event_id(newer))
            view = newer
            continue
        # A desk that is closing answers at once; the beats keep their pace all the same.
        sleep(max(0.0, beat_s - (monotonic() - asked_s)))
        yield _beat(replace(view, now_ms=desk.view().now_ms))


def _event(name: str, text: str, event_id: str) -> str:
    return f"event: {name}\nid: {event_id}\ndata: {text}\n\n"


def _beat(view: View) -> str:
    """Return a sign of life, with the match's time: a message may have been made earlier."""
    return _BEAT.format(dumps({"version": view.version, "now_ms": round(view.now_ms, 1)}))
