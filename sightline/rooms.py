"""What the pages of a running match may look into: its facts, its recording, its past, its health.

Made before the match, because it listens to the match and to the camera; `open` when both are
there.
"""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Event as Flag
from typing import Any

from calibration.table import Table
from rules.game import Game
from rules.orders import fact_of
from rules.rulings import Standing
from sightline.match_log.log import MatchLog, Store
from sightline.review.library import LogLibrary
from sightline.review.recording import Recorder
from sightline.review.study import MatchStudy
from sightline.running.match import Change, Listener, Match
from sightline.running.told import Told
from sightline.running.wellbeing import FrameMeter, Gauge, MatchWellbeing
from vision.sources import Source

_LOG = logging.getLogger(__name__)


class Rooms:
    """The rooms of one match that is about to be refereed. `video` says whether to record it."""

    def __init__(
        self, store: Store, log: MatchLog, game: Game[Any], table: Table, *, video: bool
    ) -> None:
        self._data = store.path.parent
        self._name = log.header.name
        self._study = MatchStudy(game, log.header.setup, log.entries, table, log.evidence.get)
        self._told = Told(log.evidence.folder / "told.jsonl")
        self._library = LogLibrary(store, self._name)
        self._shift_ms: Callable[[], float | None] = lambda: None
        self._disputed = Flag()
        self._fresh = Flag()
        self._disputed.set()  # of what was disputed before a restart nothing is known here
        self._tell: Callable[[str], None] = lambda words: None
        self._gauges: list[Gauge] = []
        self._recorder = self._make_recorder(log.evidence.folder / "video") if video else None

    @property
    def listeners(self) -> tuple[Listener, ...]:
        """What is to hear every change of the match."""
        return (self._study.heard, self._told.heard, self._heard)

    def overhear(self, source: Source) -> None:
        """Count and record the frames of `source` from now on."""
        meter = FrameMeter(source)
        self._gauges.append(meter)
        source.overhear(meter.heard)
        if self._recorder is not None:
            self._gauges.append(self._recorder)
            source.overhear(self._recorder.heard)

    def open(
        self, stack: ExitStack, match: Match, shift_ms: Callable[[], float | None]
    ) -> dict[str, Any]:
        """Begin to record; return what `web.create_app` takes besides the desk.

        `shift_ms` is what is added to a frame's time to make it match time, None until it is known.
        """
        self._shift_ms = shift_ms
        self._tell = lambda words: match.warn("recording", words)
        stack.callback(self._library.close)
        if self._recorder is not None:
            self._recorder.start()
            stack.callback(self._recorder.close)
        return {
            "study": self._study,
            "library": self._library,
            "wellbeing": MatchWellbeing(match.view, self._data, self._gauges),
        }

    def _make_recorder(self, folder: Path) -> Recorder:
        return Recorder(
            folder,
            shift_ms=lambda: self._shift_ms(),
            recordings=folder.parent.parent,
            protect=self._protect,
            tell=lambda words: self._tell(words),
        )

    def _heard(self, change: Change) -> None:
        """Note that something is disputed: its recording is not to be deleted to make room."""
        decided = any(fact_of(entry) is None for entry in change.entries)
        asked = any(r.standing is Standing.OPEN for step in change.steps for r in step.rulings)
        if decided or asked:
            self._fresh.set()
            self._disputed.set()

    def _protect(self) -> bool:
        """See that what is disputed is safe from being deleted; False where it is not."""
        if not self._disputed.is_set():
            return True
        self._disputed.clear()
        try:
            self._library.keep_disputed(self._name)
        except (LookupError, OSError) as err:
            _LOG.warning("recordings of disputed rulings are not protected: %s", err)
            self._disputed.set()
            return False
        if self._fresh.is_set():  # what follows the ruling may be in a segment still to come
            self._fresh.clear()
            self._disputed.set()
        return True
