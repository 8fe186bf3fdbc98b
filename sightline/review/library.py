"""The matches of a log for the review room: rulings now and then, frames, measuring, protest files.

Everything is read from disk when it is asked for; what a match that still runs has got meanwhile is
seen at the next look. Small caches keep stepping through frames quick.
"""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import numpy as np

from calibration.damage import TableDamaged
from calibration.table import Table, load_table
from rules.decisions import Decision
from rules.facts import Settled
from rules.orders import decision_of, fact_of
from rules.rulings import Ruling, Standing
from rules.said import say, told_by
from sightline.complaint import Complaint
from sightline.games import game_called
from sightline.match_log.archive import Filed, filed, filed_on
from sightline.match_log.log import Store
from sightline.match_log.log_file import LogError
from sightline.review.footage import Footage
from sightline.review.outlines import overlay_of
from sightline.review.protest import write_protest
from sightline.review.retention import keep
from sightline.review.revising import decide_on
from sightline.review.second_look import SecondLooks
from sightline.review.study import MatchStudy
from sightline.running.told import first_told, told_of
from sightline.running.views import decision_words, ruled_by, undoable
from web.library import Decided, LookAgain, MatchLine, NotThere, Shelf, ThenAndNow
from web.saying import ENGLISH
from web.study import Moment, Overlay, Preview

_LOG = logging.getLogger(__name__)

LEAD_MS = 4000.0
LAG_MS = 2500.0
QUALITY = 88
MOST_CLIPS = 30
_TABLES = 4
_MATCHES = 3


class LogLibrary:
    """The library of one log. `running` is the name of the match that is being refereed."""

    def __init__(self, store: Store, running: str | None = None) -> None:
        self._store = store
        self._running = running
        self._lock = Lock()
        self._matches: OrderedDict[str, Filed] = OrderedDict()
        self._footages: OrderedDict[str, Footage] = OrderedDict()
        self._tables: OrderedDict[str, Table | None] = OrderedDict()
        self._looks = SecondLooks(store.path)
        self._study: tuple[Filed, MatchStudy] | None = None

    def matches(self) -> Sequence[MatchLine]:
        return tuple(
            MatchLine(
                name=match.name,
                game=_title(match.game),
                started=match.started,
                entries=match.entries,
                minutes=round(match.last_at_ms / 60_000),
                running=match.name == self._running,
            )
            for match in self._store.matches()
        )

    def shelf(self, match: str) -> Shelf:
        found = self._filed(match)
        steps = found.record.steps
        entries = {entry.seq: entry for entry in found.entries}
        told = first_told(self._folder(match) / "told.jsonl")
        outcome = found.game.outcome(found.record.state)
        footage = self._footage(match)
        footage.refresh()
        return Shelf(
            name=match,
            title=found.game.title,
            started=found.header.started,
            outcome="" if outcome is None else outcome.words,
            board=found.header.setup.board,
            running=match == self._running,
            rulings=tuple(ruled for step in steps for ruled in ruled_by(step, entries)),
            decisions=_decisions(found),
            changed=tuple(
                ThenAndNow(seq=step.seq, at_ms=step.fact.at_ms, then=told[step.seq], now=now)
                for step in steps
                if step.seq in told and (now := tuple(map(told_of, step.rulings))) != told[step.seq]
            ),
            boards=tuple(
                (step.seq, step.fact.at_ms) for step in steps if isinstance(step.fact, Settled)
            ),
            stills_ms=tuple(still.at_ms for still in footage.stills),
            still_px=footage.size_px(),
            seq=found.entries[-1].seq if found.entries else 0,
            undoable=undoable(found.entries, found.record.steps),
            to_review=found.record.to_review,
        )

    def picture(self, match: str, name: str) -> bytes | None:
        if not any(name in entry.evidence for entry in self._filed(match).entries):
            return None
        return self._store.evidence(match).get(name)

    def still(self, match: str, number: int) -> bytes | None:
        picture = self._footage(match).picture(number)
        if picture is None:
            return None
        done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return coded.tobytes() if done else None

    def overlay(self, match: str, seq: int) -> Overlay | None:
        found = self._filed(match)
        table = self._table(found.header.table)
        if table is None:
            return None
        for step in found.record.steps:
            if step.seq == seq and isinstance(step.fact, Settled):
                named = next((r for r in step.rulings if r.pieces), Ruling(code="", words=""))
                return overlay_of(table, named, step.fact, say("as it came to rest"))
        return None

    def measure(
        self, match: str, start: tuple[float, float], end: tuple[float, float], z_mm: float
    ) -> float | None:
        table = self._table(self._filed(match).header.table)
        if table is None:
            return None
        lens = table.camera.lens
        points = np.array([start, end]) * np.array([lens.width, lens.height])
        one, other = table.camera.to_plane(points, z_mm).reshape(-1, 2)
        return float(np.hypot(*(other - one)))

    def moment(self, match: str, seq: int) -> Moment:
        try:
            return self._study_of(match).moment(seq)
        except ValueError as err:
            raise NotThere(told_by(err)) from err

    def preview(self, match: str, decision: Decision) -> Preview:
        return self._study_of(match).preview(decision)

    def decide(self, match: str, decision: Decision, *, seen: int, key: str) -> int:
        if match == self._running:
            raise ValueError(say("this match is being played: decide on its own page"))
        self._filed(match)
        seq = decide_on(self._store, match, decision, seen=seen, key=key)
        try:
            self.keep_disputed(match)
        except OSError as err:  # what was decided stands; only its recording is not protected
            _LOG.warning("recordings of disputed rulings are not protected: %s", err)
        return seq

    def _study_of(self, match: str) -> MatchStudy:
        """Return what looks into a match; made anew only where its log has grown."""
        found = self._filed(match)
        table = self._table(found.header.table)
        with self._lock:
            if self._study is None or self._study[0] is not found:
                study = MatchStudy(
                    found.game,
                    found.header.setup,
                    found.entries,
                    table,
                    self._store.evidence(match).get,
                )
                self._study = (found, study)
            return self._study[1]

    def tables(self, match: str) -> Sequence[str]:
        mine = self._filed(match).header
        others = (m.table for m in self._store.matches() if m.game == mine.setup.game)
        return tuple(dict.fromkeys(table for table in (mine.table, *others) if table))

    def look_again(self, match: str, seq: int, table: str) -> None:
        self._filed(match)
        self._looks.begin(match, seq, table)

    def second_look(self) -> LookAgain | None:
        return self._looks.look

    def close(self) -> None:
        """End the second look that runs, if one does."""
        self._looks.close()

    def protest(self, match: str, folder: Path, language: str = ENGLISH) -> Path:
        found = self._filed(match)
        clips = self._clips(found, folder)
        path = folder / "protest.zip"
        evidence = self._store.evidence(match)
        write_protest(path, found.header, found.entries, evidence, clips, language)
        return path

    def _clips(self, found: Filed, folder: Path) -> dict[str, Path]:
        """Cut a clip around every disputed ruling, and see that its recording stays."""
        footage = self._footage(found.header.name)
        footage.refresh()
        clips: dict[str, Path] = {}
        for seq, at_ms in _disputed(found)[:MOST_CLIPS]:
            path = folder / f"entry-{seq}.mp4"
            if footage.cut(at_ms - LEAD_MS, at_ms + LAG_MS, path):
                clips[path.name] = path
        return clips

    def keep_disputed(self, match: str) -> None:
        """See that the recordings around disputed rulings are never deleted to make room."""
        found = self._filed(match)
        footage = self._footage(match)
        footage.refresh()
        names = {
            name
            for _, at_ms in _disputed(found)
            for name in footage.segments(at_ms - LEAD_MS, at_ms + LAG_MS)
        }
        if names:
            keep(self._folder(match) / "video", names)

    def _filed(self, match: str) -> Filed:
        """Return a match with its rulings; only what its log has got meanwhile is judged."""
        try:
            length = self._store.length(match)
            with self._lock:
                found = self._matches.get(match)
                if found is None or length < len(found.entries):
                    found = self._matches[match] = filed(self._store, match)
                elif length > len(found.entries):
                    found = self._matches[match] = filed_on(self._store, found)
                self._matches.move_to_end(match)
                while len(self._matches) > _MATCHES:
                    self._matches.popitem(last=False)
                return found
        except (LogError, Complaint) as err:
            raise NotThere(told_by(err)) from err

    def _folder(self, match: str) -> Path:
        try:
            return self._store.evidence(match).folder
        except LogError as err:
            raise NotThere(told_by(err)) from err

    def _footage(self, match: str) -> Footage:
        folder = self._folder(match) / "video"
        with self._lock:
            footage = self._footages.get(match)
            if footage is None:
                footage = self._footages[match] = Footage(folder)
                while len(self._footages) > _TABLES:
                    self._footages.popitem(last=False)
            return footage

    def _table(self, folder: str) -> Table | None:
        """Return the table a match was played on, None where its folder is gone or damaged."""
        with self._lock:
            if folder not in self._tables:
                try:
                    self._tables[folder] = load_table(folder) if folder else None
                except (TableDamaged, ValueError, OSError):
                    self._tables[folder] = None
                while len(self._tables) > _TABLES:
                    self._tables.popitem(last=False)
            return self._tables[folder]


def _title(game: str) -> str:
    try:
        return game_called(game).title
    except Complaint:
        return game  # one that this Sightline does not know


def _decisions(found: Filed) -> tuple[Decided, ...]:
    facts = {e.seq: fact for e in found.entries if (fact := fact_of(e)) is not None}
    steps = {step.seq: step for step in found.record.steps}
    return tuple(
        Decided(seq=e.seq, at_ms=e.at_ms, words=decision_words(decision, facts, steps))
        for e in found.entries
        if (decision := decision_of(e)) is not None
    )


def _disputed(found: Filed) -> list[tuple[int, float]]:
    """Return (entry, time) of every ruling asked about, overruled, confirmed or put right."""
    corrected: set[Any] = {getattr(entry.body, "seq", None) for entry in found.entries}
    return [
        (step.seq, step.fact.at_ms)
        for step in found.record.steps
        if step.replies
        or any(by is not None for by in (*step.overruled_by, *step.confirmed_by))
        or any(ruling.standing is Standing.OPEN for ruling in step.rulings)
        or (step.rulings and step.seq in corrected)
    ]
