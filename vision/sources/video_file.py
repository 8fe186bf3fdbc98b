"""A video file as frames, each at its own presentation time, up to where the file is whole."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.error

from rules.said import written
from vision import reasons
from vision.frame import Frame
from vision.sources.picture_planes import bgr_of, gray_of
from vision.sources.source import Ended, Event, Lost, Readable, Regained, SourceError

_REMEDY = "give a video that plays (MP4, MKV, WebM, AVI), or a folder of pictures"


class VideoFile(Readable):
    """Frames of a video; `at_ms` counts from the first frame by the video's own time stamps.

    A frame that decodes with damage is left out: `read` says `Lost` for it, and `Regained` before
    the next whole one. Where the file stops short of what its header promises, `Ended.why` says
    at which frame of how many.
    """

    def __init__(self, path: Path, *, gray: bool = False) -> None:
        self.name = str(path)
        self.ended: Ended | None = None
        self._gray = gray
        if not path.is_file():
            raise SourceError(self.name, "there is no such file", "check the path")
        if path.stat().st_size == 0:
            raise SourceError(self.name, "the file is empty", _REMEDY)
        try:
            self._container = av.open(str(path))
        except (av.error.FFmpegError, OSError) as err:
            raise SourceError(
                self.name, f"not a video that can be read ({_said(err)})", _REMEDY
            ) from err
        if not self._container.streams.video:
            self._container.close()
            raise SourceError(self.name, "there is no picture in this file", _REMEDY)
        stream = self._container.streams.video[0]
        stream.thread_type = "NONE"
        rate = stream.average_rate or stream.guessed_rate
        self.fps: float | None = float(rate) if rate else None
        self.expected, self._exact = _promised(self._container, stream, rate)
        self._packets = 0  # how many frames were found, whether or not they decoded
        self._skipped = 0  # of those, the ones that the file itself asks to leave out
        self._events = self._decode(stream)

    def _read(self, timeout_s: float) -> Event | None:
        if self.ended is None:
            event = next(self._events)
            if isinstance(event, Ended):
                self.ended = event
                self.close()
            return event
        return self.ended

    def close(self) -> None:
        self._container.close()
        if self.ended is None:
            self.ended = Ended(at_ms=0.0, frames=0, expected=self.expected, why="closed")

    def _decode(self, stream: Any) -> Iterator[Event]:
        step_ms = 1000.0 / self.fps if self.fps else 40.0
        first: float | None = None
        at_ms = -step_ms
        whole = number = 0
        damage: str | None = None
        lost = False
        for frame in self._pictures(stream):
            if isinstance(frame, str):
                damage = damage or frame
            sound = not isinstance(frame, str) and not frame.is_corrupt
            # After damage only a picture that leans on no other is surely whole.
            if not sound or (lost and not frame.key_frame):
                if not lost:
                    lost = True
                    yield Lost(at_ms=at_ms + step_ms, why=written(reasons.DAMAGED, number=number))
                number += not isinstance(frame, str)
                continue
            stamp_ms = None if frame.time is None else float(frame.time) * 1000.0
            if stamp_ms is None:
                now_ms = at_ms + step_ms
            else:
                first = stamp_ms if first is None else first
                now_ms = stamp_ms - first
            at_ms = now_ms if now_ms > at_ms or not whole else at_ms + step_ms
            if lost:
                lost = False
                yield Regained(at_ms=at_ms)
            yield self._frame(frame, at_ms, number)
            whole += 1
            number += 1
        yield Ended(
            at_ms=max(0.0, at_ms + step_ms),
            frames=whole,
            expected=self.expected,
            why=self._shortfall(whole, damage),
        )

    def _pictures(self, stream: Any) -> Iterator[Any]:
        """Decoded frames; a text in the place of a packet that could not be decoded."""
        packets = self._container.demux(stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except (av.error.FFmpegError, OSError) as err:
                yield _said(err)
                return
            self._packets += packet.size > 0
            self._skipped += packet.is_discard
            if packet.is_corrupt:
                yield "a damaged packet"
            try:
                yield from packet.decode()
            except (av.error.FFmpegError, OSError) as err:
                yield _said(err)

    def _frame(self, frame: Any, at_ms: float, number: int) -> Frame:
        if self._gray:
            return Frame(
                image=gray_of(frame), at_ms=at_ms, number=number, colour=lambda: bgr_of(frame)
            )
        return Frame(image=bgr_of(frame), at_ms=at_ms, number=number)

    def _shortfall(self, whole: int, damage: str | None) -> str | None:
        slack = 0 if self._exact else max(2, (self.expected or 0) // 50)
        if self.expected is not None and self._packets + slack < self.expected:
            cause = f" ({damage})" if damage else ""
            return f"{self.name} ended early at frame {whole} of {self.expected}{cause}"
        if not whole:
            return f"{self.name} holds no frame that can be read"
        wanted = self._packets - self._skipped
        if damage and whole < wanted:
            return f"{self.name} is damaged: {wanted - whole} of {wanted} frames cannot be trusted"
        return None


def _promised(container: Any, stream: Any, rate: Fraction | None) -> tuple[int | None, bool]:
    """How many frames the header promises, and whether it counts them or only states a duration."""
    if stream.frames:
        return int(stream.frames), True
    if rate is None:
        return None, False
    if stream.duration and stream.time_base:
        return round(stream.duration * stream.time_base * rate), False
    if container.duration:
        return round(Fraction(container.duration, av.time_base) * rate), False
    return None, False


def _said(err: Exception) -> str:
    return str(getattr(err, "strerror", None) or err).lower()
