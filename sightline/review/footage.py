"""What was recorded of a match, frame by frame: exact pictures, and clips cut from it."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any

import av
import av.error
import numpy as np
from numpy.typing import NDArray

from sightline.review.recording import USUAL_RATE

Picture = NDArray[np.uint8]
_KEPT_PICTURES = 96
_TICKS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Still:
    """One recorded frame: its place among all, when it was taken, and where it lies."""

    number: int
    at_ms: float
    segment: str
    tick: int


class Footage:
    """The recording in a folder, as it is when `refresh` was called last. For several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._stills: tuple[Still, ...] = ()
        self._times: list[float] = []
        self._pictures: OrderedDict[tuple[str, int], Picture] = OrderedDict()
        self.refresh()

    def refresh(self) -> None:
        """Read the indexes anew: a match that runs gets longer, and old segments go."""
        found: list[tuple[float, str, int]] = []
        for path in sorted(self._folder.glob("[0-9]*.mp4")):
            found += [(at_ms, path.stem, tick) for at_ms, tick in _index_of(path)]
        found.sort()
        stills = tuple(
            Still(number=number, at_ms=at_ms, segment=segment, tick=tick)
            for number, (at_ms, segment, tick) in enumerate(found)
        )
        with self._lock:
            self._stills = stills
            self._times = [still.at_ms for still in stills]

    @property
    def stills(self) -> tuple[Still, ...]:
        return self._stills

    def size_px(self) -> tuple[int, int] | None:
        """Return (width, height) of the first recorded frame; None where none can be read."""
        for segment in dict.fromkeys(still.segment for still in self._stills):
            try:
                with av.open(str(self._folder / f"{segment}.mp4")) as container:
                    stream = container.streams.video[0]
                    return stream.width, stream.height
            except (av.error.FFmpegError, OSError, IndexError):
                continue
        return None

    def nearest(self, at_ms: float) -> Still | None:
        """Return the last frame taken at or before `at_ms`; the first of all where none was."""
        stills, times = self._stills, self._times
        if not stills:
            return None
        return stills[max(0, bisect_right(times, at_ms + 0.5) - 1)]

    def picture(self, number: int) -> Picture | None:
        """Return exactly the frame of that number as (H, W, 3) BGR; None where it is lost."""
        stills = self._stills
        if not 0 <= number < len(stills):
            return None
        still = stills[number]
        key = (still.segment, still.tick)
        with self._lock:
            if key in self._pictures:
                self._pictures.move_to_end(key)
                return self._pictures[key]
            self._decode_around(still)
            return self._pictures.get(key)

    def between(self, start_ms: float, end_ms: float) -> tuple[Still, ...]:
        """Return the frames taken from `start_ms` to `end_ms`."""
        times = self._times
        return self._stills[bisect_left(times, start_ms) : bisect_right(times, end_ms)]

    def segments(self, start_ms: float, end_ms: float) -> frozenset[str]:
        """Return the names of the segments that hold anything of that span."""
        return frozenset(still.segment for still in self.between(start_ms, end_ms))

    def cut(self, start_ms: float, end_ms: float, path: Path) -> int:
        """Write a clip of that span as MP4 that plays everywhere; return its number of frames.

        Raises OSError where it cannot be written.
        """
        wanted = self.between(start_ms, end_ms)
        if not wanted:
            return 0
        written = 0
        first_ms = wanted[0].at_ms
        out: Any = None
        stream: Any = None
        try:
            for still, picture in self.pictures(wanted):
                if out is None:
                    out = av.open(str(path), "w", format="mp4", options={"movflags": "faststart"})
                    stream = out.add_stream("libx264", rate=USUAL_RATE)
                    stream.width, stream.height = picture.shape[1], picture.shape[0]
                    stream.pix_fmt = "yuv420p"
                    stream.codec_context.time_base = Fraction(1, _TICKS)
                    stream.codec_context.thread_count = 1
                    stream.options = {"preset": "veryfast", "crf": "20"}
                elif picture.shape[:2] != (stream.height, stream.width):
                    continue
                frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
                frame.pts = round(still.at_ms - first_ms)
                frame.time_base = Fraction(1, _TICKS)
                for packet in stream.encode(frame):
                    out.mux(packet)
                written += 1
            if out is not None:
                for packet in stream.encode():
                    out.mux(packet)
        finally:
            if out is not None:
                out.close()
        return written

    def pictures(self, stills: tuple[Still, ...]) -> Iterator[tuple[Still, Picture]]:
        """Yield these frames in order, as (H, W, 3) BGR; those that are lost are left out."""
        by_segment: dict[str, dict[int, Still]] = {}
        for still in stills:
            by_segment.setdefault(still.segment, {})[still.tick] = still
        for segment, wanted in by_segment.items():
            for tick, picture in self._decoded(segment, min(wanted), max(wanted)):
                if tick in wanted:
                    yield wanted[tick], picture

    def _decode_around(self, still: Still) -> None:
        """Decode from the key frame before `still` up to it and a little further, and keep it."""
        for tick, picture in self._decoded(still.segment, still.tick, still.tick + 200):
            self._pictures[still.segment, tick] = picture
            while len(self._pictures) > _KEPT_PICTURES:
                self._pictures.popitem(last=False)

    def _decoded(self, segment: str, first: int, last: int) -> Iterator[tuple[int, Picture]]:
        """Yield (tick, picture) from the key frame at or before `first` to `last`."""
        try:
            with av.open(str(self._folder / f"{segment}.mp4")) as container:
                stream = container.streams.video[0]
                base = stream.time_base or Fraction(1, _TICKS)
                container.seek(int(first / _TICKS / base), stream=stream, backward=True)
                for frame in container.decode(stream):
                    if frame.pts is None:
                        continue
                    tick = round(frame.pts * base * _TICKS)
                    yield tick, np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
                    if tick >= last:
                        return
        except (av.error.FFmpegError, OSError, IndexError):
            return  # cut off in the middle: what was whole has been given


def _index_of(path: Path) -> Iterator[tuple[float, int]]:
    """Yield (match time, tick) of each frame; a line cut off in the middle ends it."""
    try:
        lines = path.with_suffix(".index").read_text(encoding="ascii").split("\n")[:-1]
        start_ms = float(lines[0])
        for line in lines[1:]:
            tick = int(line)
            yield start_ms + tick, tick
    except (OSError, ValueError, IndexError):
        return
