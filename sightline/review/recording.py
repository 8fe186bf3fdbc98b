"""Records what the camera saw, so that every ruling can be looked at frame by frame afterwards.

Video goes into segments of a minute: H.264 in fragmented MP4, a key frame a second, so that a
segment cut off by a crash plays up to its last whole second. Beside each segment an index says, one
line a frame, which match time the frame shows. Recording never holds up the referee: it has a
thread of its own, frames that it cannot keep up with are left out and counted, and when the disk
runs full it is the video that stops.
"""

import logging
import shutil
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import IO, Any

import av
import av.error
import cv2
import numpy as np
from av.video.frame import PictureType

from rules.said import say
from sightline.review.retention import make_room
from vision.frame import Frame, Picture
from vision.sources import Event, in_colour
from web.wellbeing import Finding, Level

_LOG = logging.getLogger(__name__)

SEGMENT_MS = 60_000.0
KEY_FRAME_MS = 1000.0
"""A picture that leans on no other at least so often, whatever the frame rate: what is between two
of them is written when the second is there, and a kill costs no more than that."""
USUAL_RATE = 30
_LONGEST_GROUP = 1000  # frames
STOP_BELOW_BYTES = 1 << 30
TIDY_BELOW_BYTES = 3 << 30
KEEP_DAYS = 14.0
_WAITING = 90
_LOOK_EVERY_S = 5.0
_TICKS = 1000  # of the video's clock, a second: its time stamps are match milliseconds

Clock = Callable[[], float]

_REMEDY = say(
    "Rulings go on and their pictures are kept. Make room on the disk; recording begins again by "
    "itself."
)


class Recorder:
    """Records the frames it hears between `start` and `close`. `heard` returns at once.

    `shift_ms` is added to a frame's time to make it match time; until it is known (None), frames
    wait. Segments are made in `folder`;
    `recordings` is where those of all matches lie, for making room; `protect` is called before
    anything is deleted there and says whether what is disputed of this match is safe: where it is
    not, nothing of this match is deleted. `tell` hears that recording has stopped, in sentences,
    and "" when it goes on.
    """

    def __init__(
        self,
        folder: Path,
        *,
        shift_ms: Callable[[], float | None],
        recordings: Path | None = None,
        protect: Callable[[], bool] = lambda: True,
        tell: Callable[[str], None] = lambda words: None,
        keep_days: float = KEEP_DAYS,
        free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
        clock: Clock = monotonic,
    ) -> None:
        self._folder = folder
        self._shift_ms = shift_ms
        self._recordings = recordings or folder.parent
        self._protect = protect
        self._tell = tell
        self._keep_days = keep_days
        self._free_bytes = free_bytes
        self._clock = clock
        self._news = Condition()
        self._waiting: deque[Frame] = deque()
        self._closing = False
        self._segment: Segment | None = None
        self._thread: Thread | None = None
        self._trouble = ""
        self._look_s = clock()
        self.recorded = 0
        self.dropped = 0

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Record what is still waiting and end the segment."""
        with self._news:
            self._closing = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def heard(self, event: Event) -> None:
        if not isinstance(event, Frame):
            return
        with self._news:
            if len(self._waiting) >= _WAITING:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(event)
            self._news.notify_all()

    def finding(self) -> Finding:
        """Return whether it records."""
        if self._trouble:
            return Finding(
                level=Level.WARNING,
                about=say("Recording"),
                words=self._trouble,
                remedy=_REMEDY,
            )
        words = say("{count} frames recorded", count=self.recorded)
        if self.dropped > max(30, self.recorded // 100):
            return Finding(
                level=Level.WARNING,
                about=say("Recording"),
                words=say(
                    "{words}, {dropped} left out: the computer is too busy",
                    words=words,
                    dropped=self.dropped,
                ),
                remedy=say("Close other programs, or choose a smaller picture."),
            )
        return Finding(level=Level.GOOD, about=say("Recording"), words=words)

    def numbers(self) -> Mapping[str, float]:
        return {
            "recorded_frames": float(self.recorded),
            "recording_dropped_frames": float(self.dropped),
            "recording": 0.0 if self._trouble else 1.0,
        }

    def _run(self) -> None:
        while (frame := self._next()) is not None:
            try:
                self._record(frame)
            except (OSError, ValueError, av.error.FFmpegError) as err:
                self._stop(say("recording has stopped: {why}", why=err))
                _LOG.warning("recording has stopped: %s", err)
        self._end_segment()

    def _next(self) -> Frame | None:
        """Return the next frame whose match time is known; None when closing and none is left."""
        with self._news:
            self._news.wait_for(lambda: self._closing or self._is_due())
            return self._waiting.popleft() if self._is_due() else None

    def _is_due(self) -> bool:
        return bool(self._waiting) and self._shift_ms() is not None

    def _record(self, frame: Frame) -> None:
        at_ms = frame.at_ms + (self._shift_ms() or 0.0)
        now_s = self._clock()
        if self._trouble and now_s < self._look_s:
            return
        segment = self._segment
        if segment is None or now_s >= self._look_s or self._trouble:
            self._look_s = now_s + _LOOK_EVERY_S
            if not self._has_room():
                return
        if segment is not None and not segment.takes(frame, at_ms):
            self._end_segment()
            segment = None
        if segment is None:
            segment = self._segment = Segment(self._folder, frame, at_ms)
        if segment.add(frame, at_ms):
            self.recorded += 1
        self._note("")

    def _has_room(self) -> bool:
        self._folder.mkdir(parents=True, exist_ok=True)
        safe = self._protect()
        now = self._segment.path if self._segment is not None else None
        make_room(
            self._recordings,
            keep_days=self._keep_days,
            least_free_bytes=TIDY_BELOW_BYTES,
            free_bytes=lambda: self._free_bytes(self._folder),
            spare=now if safe else self._folder,
        )
        free = self._free_bytes(self._folder)
        if free < STOP_BELOW_BYTES:
            self._stop(
                say("recording has stopped: only {free_gb:.1f} GB are free", free_gb=free / 1e9)
            )
            return False
        return True

    def _stop(self, trouble: str) -> None:
        self._note(trouble)
        self._look_s = self._clock() + _LOOK_EVERY_S
        self._end_segment()

    def _note(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            words = say("{Trouble}. {remedy}", trouble=trouble, remedy=_REMEDY)
            self._tell(words if trouble else "")

    def _end_segment(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None:
            try:
                segment.close()
            except (OSError, ValueError, av.error.FFmpegError) as err:
                _LOG.warning("the end of a recording was lost: %s", err)


class Segment:
    """One file of video and its index. Not for several threads."""

    def __init__(self, folder: Path, frame: Frame, at_ms: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(p.stem) for p in folder.glob("[0-9]*.mp4")), default=0)
        self.path = folder / f"{number:06}.mp4"
        self._start_ms = at_ms
        self._last = -1
        self._key_ms = float("-inf")
        self._shape = frame.image.shape[:2]
        height, width = self._shape
        self._index: IO[str] = self.path.with_suffix(".index").open("w", encoding="ascii")
        self._index.write(f"{at_ms:.3f}\n")
        self._out: Any = av.open(
            str(self.path),
            "w",
            format="mp4",
            options={
                "movflags": "frag_keyframe+empty_moov+default_base_moof",
                "flush_packets": "1",
            },
        )
        self._stream: Any = self._out.add_stream("libx264", rate=USUAL_RATE)
        self._stream.width, self._stream.height = width // 2 * 2, height // 2 * 2
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, _TICKS)
        self._stream.codec_context.gop_size = _LONGEST_GROUP
        self._stream.codec_context.thread_count = 1
        self._stream.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "21"}

    def takes(self, frame: Frame, at_ms: float) -> bool:
        """Say whether this frame still belongs into this segment."""
        after = at_ms - self._start_ms
        return frame.image.shape[:2] == self._shape and 0 <= after < SEGMENT_MS

    def add(self, frame: Frame, at_ms: float) -> bool:
        """Append a frame; one that shows no later millisecond than the last is left out."""
        tick = round(at_ms - self._start_ms)
        if tick <= self._last:
            return False
        self._last = tick
        height, width = self._stream.height, self._stream.width
        picture = _planes(in_colour(frame)[:height, :width])
        picture.pts = tick
        if tick - self._key_ms >= KEY_FRAME_MS:
            self._key_ms = tick
            picture.pict_type = PictureType.I
        picture.time_base = Fraction(1, _TICKS)
        for packet in self._stream.encode(picture):
            self._out.mux(packet)
        self._index.write(f"{tick}\n")
        self._index.flush()
        return True

    def close(self) -> None:
        try:
            for packet in self._stream.encode():
                self._out.mux(packet)
        finally:
            self._out.close()
            self._index.close()


def _planes(image: Picture) -> Any:
    """Return an image of even size as the encoder takes it: FFmpeg's own way there takes longer."""
    if image.ndim == 2:
        return av.VideoFrame.from_ndarray(image.copy(), format="gray")
    planes = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), dtype=np.uint8)
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")
