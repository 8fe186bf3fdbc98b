"""The running match: the one writer of its log, and the desk at which pages and devices sit.

Vision hands in facts, people hand in decisions; one thread gives them their order, puts them on
disk, folds them, and only then shows them. Nobody waits for the disk but who asked to.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from types import TracebackType
from typing import Any, Self

from rules.board import Board
from rules.decisions import Decision
from rules.facts import Declared, Fact, SightLost, SightRegained
from rules.game import Clause, Entry, Game, Setup, Step
from rules.said import say, told_by, written
from sightline.clock import Clock
from sightline.match_log.log import Draft, MatchLog
from sightline.match_log.log_file import LogUnwritable
from sightline.running.record import Keeper
from sightline.words.sight_words import STOPPED, log_trouble
from web.desk import Ruled, Sight, Stale, View

_LOG = logging.getLogger(__name__)
_RETRY_S = 0.5


Picture = Callable[[], bytes | None]
"""Gives a JPEG, once it is made; None where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A fact in match time, and the pictures that show it."""

    fact: Fact
    evidence: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What one append brought: its entries, the steps that are new or changed, the view since."""

    entries: tuple[Entry, ...]
    steps: tuple[Step[Any], ...]
    view: View


Listener = Callable[[Change], None]


@dataclass(frozen=True, slots=True)
class _Look:
    sight: Sight
    words: str


@dataclass(frozen=True, slots=True)
class _Warning:
    about: str
    words: str


@dataclass(frozen=True, slots=True)
class _Tap:
    body: Decision | Declared
    seen: int
    key: str
    done: Future[int]


@dataclass(frozen=True, slots=True)
class _Sync:
    done: Future[None]


@dataclass(frozen=True, slots=True)
class _Stop:
    pass


_Item = Seen | _Look | _Warning | _Tap | _Sync | _Stop


class Match:
    """One match, running between `start` and `close` (or in a `with` block).

    `take` and `look` return at once, whatever the disk does; `decide` and `declare` return when
    their entry is on disk. Listeners are called by the writing thread after each append, in order.
    """

    def __init__(
        self,
        log: MatchLog,
        game: Game[Any],
        *,
        clock: Clock,
        live: Callable[[], bytes | None] | None = None,
        listeners: Sequence[Listener] = (),
        resumed_at_ms: float = 0.0,
    ) -> None:
        """Fold what the log holds. Raises ValueError where the game refuses the setup.

        Match time goes on from `resumed_at_ms`, or from the log's last entry where that is later.
        """
        self._log = log
        self._clock = clock
        self._live = live
        self._listeners = tuple(listeners)
        self._keeper = Keeper(log.header, game, log.entries)
        last_ms = log.entries[-1].at_ms + 1.0 if log.entries else 0.0
        self._base_ms = max(last_ms, resumed_at_ms)
        self._clock_start_ms = clock.now_ms()
        self._inbox: SimpleQueue[_Item] = SimpleQueue()
        self._unwritten: list[Draft] = []
        self._trouble = ""
        self._changed = Condition()
        self._view = self._keeper.view(self.now_ms(), live=live is not None)
        self._thread: Thread | None = None
        self._closing = False

    # Running

    def start(self) -> None:
        """Begin to write. A match that goes on says first that nothing was seen in between."""
        if self._thread is not None:
            raise ValueError("expected a match that is not running yet")
        self._thread = Thread(target=self._run, name="match", daemon=True)
        self._thread.start()
        if self._log.entries:
            self.take((Seen(fact=SightLost(at_ms=self.now_ms(), why=written(STOPPED))),))

    def close(self) -> None:
        """Write what is still to be written and let go of the log."""
        if self._thread is not None:
            self._inbox.put(_Stop())
            self._thread.join()
            self._thread = None
        self._log.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def now_ms(self) -> float:
        """Return the match's time: milliseconds since it began, also across restarts."""
        return self._base_ms + self._clock.now_ms() - self._clock_start_ms

    @property
    def setup(self) -> Setup:
        return self._log.header.setup

    # What vision says

    def take(self, seen: Iterable[Seen]) -> None:
        """Hand in facts, in order. They are never dropped."""
        for each in seen:
            self._inbox.put(each)

    def look(self, sight: Sight, words: str) -> None:
        """Say how well the table can be seen now, where that is no fact of its own."""
        self._inbox.put(_Look(sight, words))

    def warn(self, about: str, words: str) -> None:
        """Tell the pages what does not work, under the name `about`; "": it works again."""
        self._inbox.put(_Warning(about, words))

    def lose_sight(self, why: str) -> None:
        """Say that from now on nothing can be seen."""
        self.take((Seen(fact=SightLost(at_ms=self.now_ms(), why=why)),))

    def regain_sight(self) -> None:
        """Say that the table can be seen again."""
        self.take((Seen(fact=SightRegained(at_ms=self.now_ms())),))

    def sync(self) -> None:
        """Return when all that was handed in so far is on disk, folded and shown."""
        done: Future[None] = Future()
        if self._post(_Sync(done)):
            done.result()

    # The desk

    def view(self) -> View:
        with self._changed:
            return replace(self._view, now_ms=max(self._view.now_ms, self.now_ms()))

    def board(self) -> Board:
        return self.setup.board

    def clauses(self) -> Sequence[Clause]:
        return self._keeper.clauses

    def wait(self, after: int, timeout_s: float) -> View | None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._view.version > after or self._closing, timeout=timeout_s
            )
            return self._view if self._view.version > after else None

    def decide(self, decision: Decision, *, seen: int, key: str) -> int:
        return self._tap(decision, seen, key)

    def declare(self, fact: Fact, *, seen: int, key: str) -> int:
        if not isinstance(fact, Declared):
            raise ValueError(f"expected what a person declared, got {type(fact).__name__}")
        return self._tap(fact, seen, key)

    def evidence(self, name: str) -> bytes | None:
        return self._log.evidence.get(name)

    def live(self) -> bytes | None:
        return None if self._live is None else self._live()

    def _tap(self, body: Decision | Declared, seen: int, key: str) -> int:
        done: Future[int] = Future()
        if not self._post(_Tap(body, seen, key, done)):
            raise Stale(say("This match is no longer running."))
        return done.result()

    def _post(self, item: "_Tap | _Sync") -> bool:
        """Hand in something that is waited for; False where nobody would ever answer it."""
        with self._changed:
            running = self._thread is not None and not self._closing
            if running:
                self._inbox.put(item)
        return running

    # The writing thread

    def _run(self) -> None:
        while not self._closing:
            for item in self._next_items():
                self._handle(item)
            self._write_facts()
            self._publish()
        while not self._inbox.empty():  # what came while closing
            self._handle(self._inbox.get())
        self._write_facts()
        if self._unwritten:
            _LOG.error("%d facts are lost: %s", len(self._unwritten), self._trouble)
        self._publish()

    def _next_items(self) -> list[_Item]:
        """Wait for something to do and take all of it: what one frame brought is one commit."""
        items: list[_Item] = []
        try:
            items.append(self._inbox.get(timeout=_RETRY_S if self._unwritten else None))
            while True:
                items.append(self._inbox.get_nowait())
        except Empty:
            return items

    def _handle(self, item: _Item) -> None:
        match item:
            case Seen():
                self._unwritten.append(self._draft(item))
            case _Look():
                self._write_facts()
                self._keeper.look(item.sight, item.words, self.now_ms())
            case _Warning():
                self._keeper.warn(item.about, item.words)
            case _Tap():
                self._write_facts()
                self._enter(item)
            case _Sync():
                self._write_facts()
                self._publish()
                item.done.set_result(None)
            case _Stop():
                with self._changed:
                    self._closing = True
                    self._changed.notify_all()

    def _draft(self, seen: Seen) -> Draft:
        names = []
        for picture in seen.evidence:
            try:
                jpeg = picture()
                if jpeg is not None:
                    names.append(self._log.evidence.put(jpeg))
            except Exception as err:
                _LOG.warning("a picture could not be kept as evidence: %s", err)
        return Draft(at_ms=self.now_ms(), body=seen.fact, evidence=tuple(names))

    def _write_facts(self) -> None:
        """Append the facts that wait. Where the disk refuses they wait on, and the page says so."""
        if not self._unwritten:
            return
        try:
            entries = self._log.append(self._unwritten)
        except LogUnwritable as err:
            if not self._trouble:
                _LOG.error("%s", err)
            self._trouble = told_by(err)
            self._keeper.alarm(log_trouble(self._trouble), self.now_ms())
            return
        self._unwritten = []
        if self._trouble:
            self._trouble = ""
            self._keeper.alarm("", self.now_ms())
        self._fold(entries)

    def _enter(self, tap: _Tap) -> None:
        try:
            known = self._log.tapped(tap.key) if tap.key else None
            if known is not None:
                tap.done.set_result(known)
                return
            if self._unwritten:
                raise ValueError(say("not entered: {error}", error=self._trouble))
            body = self._keeper.checked(tap.body, seen=tap.seen, now_ms=self.now_ms())
            draft = Draft(at_ms=self.now_ms(), body=body, tap=tap.key or None)
            entries = self._log.append((draft,))
        except LogUnwritable as err:
            _LOG.error("%s", err)
            tap.done.set_exception(ValueError(say("not entered: {error}", error=told_by(err))))
        except Exception as err:
            tap.done.set_exception(err)
        else:
            self._fold(entries)
            self._publish()
            tap.done.set_result(entries[0].seq)

    def _fold(self, entries: tuple[Entry, ...]) -> None:
        steps = self._keeper.add(entries, self.now_ms())
        for step in steps:
            if step.fault and step.rulings:
                _LOG.error("entry %d could not be judged: %s", step.seq, step.fault)
        self._publish()
        change = Change(entries=entries, steps=steps, view=self._view)
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                _LOG.exception("a listener failed; the match goes on")

    def _publish(self) -> None:
        if self._keeper.version == self._view.version:
            return
        view = self._keeper.view(self.now_ms(), live=self._live is not None)
        with self._changed:
            self._view = view
            self._changed.notify_all()


__all__ = ["Change", "Listener", "Match", "Ruled", "Seen"]
