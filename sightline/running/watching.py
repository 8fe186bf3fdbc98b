"""From a source of frames to a running match: what is seen, and whether anything can be seen."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Protocol, cast

from rules.facts import Fact, SightLost, SightRegained
from rules.said import written
from sightline.clock import Clock, FrameClock
from sightline.running.album import Album
from sightline.running.close_look import Doing
from sightline.running.match import Match, Seen
from sightline.words import sight_words
from vision.frame import Frame, Picture, Sighting
from vision.sources import Ended, Lost, Regained, Source
from web.desk import Sight

_LOG = logging.getLogger(__name__)

BLIND_AFTER_MS = 300.0
"""Untrusted frames for so long are no mere hiccup: sight is lost."""
HANGING_AFTER_S = 1.5
"""The page is told when nothing has been looked at for so long."""
LOOKS_AT_MOST_S = 20.0
"""A close look that takes longer than this is no look any more: it hangs."""
_TOLD_AFTER_S = 1.0
SILENT_AFTER_S = 1.5
"""Sight is lost when a source has given nothing for so long, whatever it says itself."""
_READ_S = 0.25


class Eye(Protocol):
    """What follows the frames of one table and says facts as they become certain.

    `lose` tells it that no frame can be trusted from now on; it then says what it can still say,
    that sight is lost, and with the next frame that it is regained.
    """

    def feed(self, frame: Frame) -> Iterable[Sighting]: ...

    def lose(self, at_ms: float, why: str) -> Iterable[Sighting]: ...

    def finish(self) -> Iterable[Sighting]: ...


Health = Callable[[Picture], str | None]
"""Why a frame, each in its turn, cannot be trusted; None for a sound one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """How a watch ended. `ended` is None where it was stopped."""

    frames: int
    untrusted: int
    faults: int
    ended: Ended | None


class Watch:
    """Feeds one source to one eye and hands what it sees to one match, until either ends.

    `make_eye` is called again after a fault of the eye's own: that costs sight for a moment, never
    the match. The times of facts become match time: the first frame is now. `doing` says what the
    eye is busy with while it looks closely: frames wait meanwhile, and the page says what for.
    """

    def __init__(
        self,
        source: Source,
        make_eye: Callable[[], Eye],
        match: Match,
        album: Album,
        *,
        health: Health,
        clock: Clock,
        pace: Callable[[float], None] = lambda at_ms: None,
        doing: Callable[[], Doing | None] = lambda: None,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._source = source
        self._make_eye = make_eye
        self._match = match
        self._album = album
        self._health = health
        self._clock = clock
        self._pace = pace
        self._doing = doing
        self._stop = Event()
        self._eye = make_eye()
        self._shift_ms: float | None = None
        self._first_ms = 0.0
        self._last_ms = float("-inf")
        self._untrusted_since: tuple[float, float] | None = None
        self._blind = False
        self._why = ""
        self._seconds = seconds
        self._looked_s = self._heard_s = seconds()
        self._hanging = False
        self._telling = Lock()
        self._told = False
        self._lost = False
        self._frames = self._untrusted = self._faults = 0

    def run(self) -> Watched:
        """Watch until the source ends or `stop` is called."""
        self._match.sync()
        self._blind = self._match.view().sight is Sight.BLIND
        guard = Thread(target=self._guard, name="watch guard", daemon=True)
        guard.start()
        ended = None
        try:
            while not self._stop.is_set() and ended is None:
                event = self._source.read(timeout_s=_READ_S)
                self._looked()
                if event is not None:
                    self._heard_s = self._seconds()
                match event:
                    case Frame():
                        self._frame(event)
                    case Lost(at_ms=at_ms, why=why):
                        self._lose_sight(at_ms, why)
                    case Ended():
                        ended = event
                    case Regained():
                        pass
                    case None:
                        self._hear_nothing()
            self._hand_in(self._finished())
            if ended is not None and ended.why is not None:
                self._lose_sight(ended.at_ms, ended.why)
        finally:
            self._stop.set()
            guard.join()
        self._match.sync()
        return Watched(
            frames=self._frames, untrusted=self._untrusted, faults=self._faults, ended=ended
        )

    @property
    def shift_ms(self) -> float | None:
        """What is added to a frame's time to make it match time; None before the first frame."""
        return self._shift_ms

    def stop(self) -> None:
        """Make `run` return soon. May be called from any thread or a signal handler."""
        self._stop.set()

    def _frame(self, frame: Frame) -> None:
        self._frames += 1
        if self._shift_ms is None:
            self._shift_ms = self._match.now_ms() - frame.at_ms
            self._first_ms = frame.at_ms
        if isinstance(self._clock, FrameClock):
            self._clock.reach(frame.at_ms - self._first_ms)
        self._pace(frame.at_ms)
        why = self._health(frame.image)
        if frame.at_ms <= self._last_ms:
            why = written(sight_words.OUT_OF_ORDER)
        self._last_ms = max(self._last_ms, frame.at_ms)
        if why is not None:
            self._untrusted += 1
            now_s = self._seconds()
            if self._untrusted_since is None:
                self._untrusted_since = (frame.at_ms, now_s)
            since_ms, since_s = self._untrusted_since
            lasted_ms = max(frame.at_ms - since_ms, 1000.0 * (now_s - since_s))
            if lasted_ms >= BLIND_AFTER_MS or self._blind:
                self._lose_sight(self._last_ms, why)
            return
        self._untrusted_since = None
        self._album.add(frame)
        try:
            sightings = tuple(self._eye.feed(frame))
        except Exception as err:
            self._looked()
            self._fault(frame.at_ms, err)
        else:
            self._looked()
            if self._blind and not any(
                isinstance(s.fact, SightLost | SightRegained) for s in sightings
            ):
                self._match.regain_sight()
                self._blind = self._lost = False
            self._hand_in(sightings)

    def _finished(self) -> tuple[Sighting, ...]:
        try:
            return tuple(self._eye.finish())
        except Exception as err:
            self._fault(0.0, err)
            return ()

    def _fault(self, at_ms: float, err: Exception) -> None:
        self._faults += 1
        _LOG.error("a picture could not be read", exc_info=err)
        self._eye = self._make_eye()
        error = f"{type(err).__name__}: {err}"
        self._lose_sight(at_ms, written(sight_words.FAULT, error=error))

    def _hand_in(self, sightings: Sequence[Sighting]) -> None:
        shift_ms = self._shift_ms or 0.0
        for sighting in sightings:
            if isinstance(sighting.fact, SightLost | SightRegained):
                self._blind = self._lost = isinstance(sighting.fact, SightLost)
        self._match.take(
            Seen(
                fact=shifted(sighting.fact, shift_ms),
                evidence=self._album.evidence(sighting.fact, sighting.frames),
            )
            for sighting in sightings
        )

    def _hear_nothing(self) -> None:
        """A source may fall silent without a word: then nobody watches the table."""
        silent_s = self._seconds() - self._heard_s
        if silent_s >= SILENT_AFTER_S:
            why = written(sight_words.NO_PICTURE, seconds=f"{silent_s:.0f}")
            self._lose_sight(max(self._last_ms, 0.0), why)

    def _lose_sight(self, at_ms: float, why: str) -> None:
        self._why = why
        self._lost = True
        if self._blind:
            self._match.look(Sight.BLIND, sight_words.cannot_see(why))
            return
        if self._shift_ms is not None:
            try:
                self._hand_in(tuple(self._eye.lose(at_ms, why)))
            except Exception as err:
                _LOG.error("a picture could not be read", exc_info=err)
                self._faults += 1
                self._eye = self._make_eye()
        if not self._blind:
            self._match.lose_sight(why)
            self._blind = True

    def _looked(self) -> None:
        """Note that looking goes on; what the guard has said meanwhile is taken back."""
        with self._telling:
            self._looked_s = self._seconds()
            hung, told = self._hanging, self._told
            self._hanging = self._told = False
        if hung and self._blind:
            self._match.look(Sight.BLIND, sight_words.cannot_see(self._why))
        elif hung:
            self._match.look(Sight.SETTLING, sight_words.LOOKS_AGAIN)
        elif told:
            self._match.look(Sight.SETTLING, sight_words.COMING_TO_REST)

    def _guard(self) -> None:
        """Say on the page what a long look is about, and when looking itself hangs.

        Nobody else could: whoever looks is busy.
        """
        while not self._stop.wait(_READ_S):
            with self._telling:
                self._say_what_lasts(self._seconds())

    def _say_what_lasts(self, now_s: float) -> None:
        lasted_s = now_s - self._looked_s
        doing = self._doing()
        if doing is not None and lasted_s <= LOOKS_AT_MOST_S:
            if not self._lost and (doing.first or now_s - doing.since_s >= _TOLD_AFTER_S):
                self._told = True
                self._match.look(Sight.SETTLING, doing.words)
        elif not self._hanging and lasted_s > HANGING_AFTER_S:
            self._hanging = True
            self._match.look(Sight.BLIND, sight_words.TOO_BUSY)


def shifted(fact: Fact, by_ms: float) -> Fact:
    """Return the fact with its time, and those of the facts within it, `by_ms` later.

    Its numbers are kept to a tenth of a micrometre and of a microsecond: nobody measured the rest,
    and people read the log too.
    """
    return cast(Fact, _shifted(fact, by_ms))


def _shifted(value: Any, by_ms: float) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, tuple):
        return tuple(_shifted(each, by_ms) for each in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    inner = {f.name: _shifted(getattr(value, f.name), by_ms) for f in fields(value)}
    if "at_ms" in inner:
        inner["at_ms"] = round(inner["at_ms"] + by_ms, 4)
    return replace(value, **inner)
