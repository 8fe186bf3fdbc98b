"""How the machine under a running match is: camera, log, disk, recording, devices."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Protocol

from rules.said import say
from sightline.words.sight_words import is_log_trouble
from vision.frame import Frame
from vision.sources import Ended, Event, Source
from web.desk import View
from web.wellbeing import Finding, Level

LEAST_FREE_BYTES = 500 << 20
SILENT_AFTER_S = 2.0
SLOW_FPS = 24.0
DROPPED_SHARE = 0.05
"""More frames left out than this, of those of the last seconds, are said."""
_WINDOW_S = 3.0


class Gauge(Protocol):
    """A part that can say how it is (the recorder, a device)."""

    def finding(self) -> Finding: ...

    def numbers(self) -> Mapping[str, float]: ...


class FrameMeter:
    """Hears a source's events and tells whether frames come, and how fast.

    It counts those that come, and those that nobody read because looking took too long.
    """

    def __init__(self, source: Source, *, clock: Callable[[], float] = monotonic) -> None:
        self._source = source
        self._clock = clock
        self._lock = Lock()
        self._times: list[float] = []
        self._gaps: list[tuple[float, int]] = []
        self._frames = 0
        self._dropped = 0
        self._ended = False
        self._started_s = clock()

    def heard(self, event: Event) -> None:
        match event:
            case Frame():
                now_s = self._clock()
                with self._lock:
                    gap = self._source.dropped - self._dropped
                    self._gaps = [g for g in self._gaps if g[0] > now_s - _WINDOW_S]
                    if gap > 0:
                        self._dropped += gap
                        self._gaps.append((now_s, gap))
                    self._frames += 1
                    self._times = [t for t in self._times if t > now_s - _WINDOW_S] + [now_s]
            case Ended():
                self._ended = True

    def finding(self) -> Finding:
        """Return whether frames come, and fast enough."""
        silent_s, fps = self._now()
        if self._ended:
            return Finding(
                level=Level.GOOD,
                about=say("Camera"),
                words=say("{name} has ended", name=self._source.name),
            )
        if silent_s > SILENT_AFTER_S:
            return Finding(
                level=Level.BAD,
                about=say("Camera"),
                words=say(
                    "{name}: no picture for {seconds:.0f} s",
                    name=self._source.name,
                    seconds=silent_s,
                ),
                remedy=say(
                    "Check the camera’s cable, power and address. Sightline tries again by itself."
                ),
            )
        words = say("{name}: {fps:.0f} pictures a second", name=self._source.name, fps=fps)
        dropped, of = self._left_out()
        if self._source.live and dropped > DROPPED_SHARE * of:
            return Finding(
                level=Level.WARNING,
                about=say("Camera"),
                words=say(
                    "{words}, {dropped} of {of} left out: the computer is too busy",
                    words=words,
                    dropped=dropped,
                    of=of,
                ),
                remedy=say(
                    "What is seen keeps its time, but is measured on fewer pictures. Close other "
                    "programs, or choose a smaller picture or fewer pictures a second."
                ),
            )
        if self._source.live and fps < SLOW_FPS and self._clock() - self._started_s > _WINDOW_S:
            return Finding(
                level=Level.WARNING,
                about=say("Camera"),
                words=words,
                remedy=say(
                    "Shots are followed from 25 a second on: add light, turn off automatic "
                    "exposure, or choose a smaller picture."
                ),
            )
        return Finding(level=Level.GOOD, about=say("Camera"), words=words)

    def numbers(self) -> Mapping[str, float]:
        silent_s, fps = self._now()
        return {
            "frames": float(self._frames),
            "frames_dropped": float(self._dropped),
            "frames_per_second": fps,
            "frame_age_seconds": silent_s,
        }

    def _left_out(self) -> tuple[int, int]:
        """How many frames of the last seconds were left out, of how many."""
        now_s = self._clock()
        with self._lock:
            dropped = sum(gap for at_s, gap in self._gaps if at_s > now_s - _WINDOW_S)
            return dropped, sum(1 for t in self._times if t > now_s - _WINDOW_S)

    def _now(self) -> tuple[float, float]:
        now_s = self._clock()
        with self._lock:
            times = [t for t in self._times if t > now_s - _WINDOW_S]
            last_s = self._times[-1] if self._times else self._started_s
        span_s = times[-1] - times[0] if len(times) > 1 else 0.0
        return now_s - last_s, (len(times) - 1) / span_s if span_s > 0 else 0.0


class MatchWellbeing:
    """What `web.wellbeing` asks for. `free_bytes` is injected for tests."""

    def __init__(
        self,
        view: Callable[[], View],
        data: Path,
        gauges: Sequence[Gauge] = (),
        *,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        self._view = view
        self._data = data
        self._gauges = tuple(gauges)
        self._free_bytes = free_bytes

    def findings(self) -> Sequence[Finding]:
        return (*(gauge.finding() for gauge in self._gauges), self._log(), self._disk())

    def numbers(self) -> Mapping[str, float]:
        numbers: dict[str, float] = {"log_writable": 0.0 if self._log_trouble() else 1.0}
        free = self._free()
        if free is not None:
            numbers["disk_free_bytes"] = float(free)
        for gauge in self._gauges:
            numbers.update(gauge.numbers())
        return numbers

    def _log_trouble(self) -> str:
        words = self._view().sight_words
        return words if is_log_trouble(words) else ""

    def _log(self) -> Finding:
        trouble = self._log_trouble()
        if trouble:
            return Finding(
                level=Level.BAD,
                about=say("Match log"),
                words=trouble,
                remedy=say(
                    "Make room on the disk, or look whether it is still connected. Facts wait and "
                    "are written as soon as the disk takes them."
                ),
            )
        count = self._view().seq
        return Finding(
            level=Level.GOOD,
            about=say("Match log"),
            words=say("{count} entries, all on disk", count=count),
        )

    def _free(self) -> int | None:
        try:
            return self._free_bytes(
                next(p for p in (self._data, *self._data.parents) if p.exists())
            )
        except OSError:
            return None

    def _disk(self) -> Finding:
        free = self._free()
        if free is None:
            return Finding(
                level=Level.BAD,
                about=say("Disk"),
                words=say("{folder} cannot be looked at", folder=self._data),
                remedy=say("Look whether the disk is still connected."),
            )
        words = say(
            "{free_gb:.1f} GB free for matches in {folder}",
            free_gb=free / 1e9,
            folder=self._data,
        )
        if free < LEAST_FREE_BYTES:
            return Finding(
                level=Level.BAD,
                about=say("Disk"),
                words=words,
                remedy=say(
                    "Make room: delete files that are not needed, or old recordings. The log is "
                    "written to the last byte."
                ),
            )
        return Finding(level=Level.GOOD, about=say("Disk"), words=words)
