"""A live camera: read by a thread of its own, watched for stalls, opened again when it is gone.

Whoever overhears it (the recording, the live picture) gets every frame at once from that thread;
frames wait for the reader alone, who may be looking closely at one.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from rules.said import written
from vision import reasons
from vision.frame import Frame, Picture
from vision.sources.catching_up import CatchingUp
from vision.sources.jpeg import JpegStream, TornPicture, decode_believed
from vision.sources.picture_planes import bgr_of, gray_of
from vision.sources.source import Clock, Ended, Event, Lost, Readable, Regained, SourceError

STALL_S = 1.2  # with the poll below: said within 1.5 s of the last frame
BACKLOG = 400
BACKLOG_S = 3.0
"""Frames wait for so long while the reader looks closely at one; older ones are dropped."""
BACKLOG_BYTES = 192 << 20
_POLL_S = 0.2
_DAMAGE_S = 1.0
_BACK_OFF_S = (0.2, 0.4, 0.8, 1.6, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """What a camera sent: JPEG bytes, or planes as an `av.VideoFrame`, or a BGR picture."""

    at_s: float
    jpeg: bytes | None = None
    planes: Any = None
    picture: Picture | None = None


class Connection(Protocol):
    """An open camera. Neither method ever blocks for much longer than asked."""

    def receive(self, timeout_s: float) -> Parcel | None:
        """What came next, None when nothing came in time; SourceError when it is gone."""
        ...

    def close(self) -> None: ...


Connect = Callable[[], Connection]


class LiveCamera(Readable):
    """Frames of a camera as they come: bounded delay, never waiting for a camera for ever.

    At most `backlog` frames wait to be read, those of the last 3 s and 192 MB: then the oldest
    are dropped (`dropped` counts them, and `Frame.number` shows the gap; the others keep their
    times, so that what comes too fast is followed at a lower rate). A reader that is late is
    spared those without which 60 a second are left, until it has caught up. When nothing comes for
    `STALL_S`, or the camera closes, `read` says `Lost` with the reason, the camera is opened again
    after 0.2 to 2 s, and `Regained` comes before its next frame.
    """

    live = True
    fps: float | None = None
    expected: int | None = None

    def __init__(
        self,
        name: str,
        connect: Connect,
        *,
        gray: bool = False,
        backlog: int = BACKLOG,
        clock: Clock = time.monotonic,
        patient: bool = False,
    ) -> None:
        """`patient`: wait for a camera that is not there yet instead of raising SourceError."""
        self.name = name
        self.ended: Ended | None = None
        self.dropped = 0
        self._connect = connect
        self._backlog = backlog
        self._clock = clock
        self._gray = gray
        self._jpegs = JpegStream(gray=gray)
        self._began_s = clock()
        self._news = threading.Condition()
        self._queue: deque[Frame | Lost | Regained] = deque()
        self._waiting_frames = 0
        self._waiting_bytes = 0
        self._number = 0
        self._delivered = 0
        self._catching_up = CatchingUp()
        self._lost = False
        self._damaged_since_s: float | None = None
        self._damage_said = False
        self._stop = threading.Event()
        first: Connection | None = None
        try:
            first = connect()
        except SourceError as err:
            if not patient:
                raise
            self._say_lost(str(err))
        self._thread = threading.Thread(
            target=self._run, args=(first,), name=f"camera {name}", daemon=True
        )
        self._thread.start()

    def _read(self, timeout_s: float) -> Event | None:
        with self._news:
            self._news.wait_for(lambda: self._queue or self.ended, timeout_s)
            if self.ended or not self._queue:
                return self.ended
            first = self._take_first()
            while isinstance(first, Frame) and not self._is_taken(first):
                first = self._take_first()
            if isinstance(first, Frame):
                self._delivered += 1
            return first

    def _take_first(self) -> Frame | Lost | Regained:
        """What waits first, which waits no more."""
        first = self._queue.popleft()
        if isinstance(first, Frame):
            self._waiting_frames -= 1
            self._waiting_bytes -= _size_bytes(first)
        return first

    def _is_taken(self, frame: Frame) -> bool:
        """Whether the reader takes this frame, or goes on with the one that waits next."""
        following = self._queue[0] if self._queue else None
        next_ms = following.at_ms if isinstance(following, Frame) else None
        newest_ms = self._queue[-1].at_ms if self._queue else frame.at_ms
        return self._catching_up.takes(frame.at_ms, next_ms=next_ms, newest_ms=newest_ms)

    def close(self) -> None:
        self._stop.set()
        self._end("closed")
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    def _run(self, connection: Connection | None) -> None:
        failures = 0
        try:
            while not self._stop.is_set():
                if connection is None:
                    pause_s = _BACK_OFF_S[min(failures, len(_BACK_OFF_S) - 1)]
                    if self._stop.wait(pause_s):
                        return
                    connection = self._connected()
                if connection is None:
                    failures += 1
                    continue
                failures = 0 if self._drain(connection) else failures + 1
                connection.close()
                connection = None
        finally:
            if connection is not None:
                connection.close()
            if not self._stop.is_set():
                self._end(f"{self.name}: reading it failed; start again")

    def _connected(self) -> Connection | None:
        try:
            return self._connect()
        except SourceError as err:
            self._say_lost(str(err))
            return None

    def _drain(self, connection: Connection) -> bool:
        """Take parcels until the camera stalls or goes; whether any came."""
        last_s = self._clock()
        any_came = False
        while not self._stop.is_set():
            try:
                parcel = connection.receive(_POLL_S)
            except SourceError as err:
                self._say_lost(str(err))
                return any_came
            if parcel is None:
                silent_s = self._clock() - last_s
                if silent_s >= STALL_S:
                    self._say_lost(
                        written(reasons.SILENT, camera=self.name, seconds=f"{silent_s:.1f}")
                    )
                    return any_came
                continue
            last_s = self._clock()
            any_came = True
            self._take(parcel)
        return any_came

    def _end(self, why: str) -> None:
        with self._news:
            if self.ended is None:
                at_ms = self._at_ms(self._clock())
                self.ended = Ended(at_ms=at_ms, frames=self._delivered, why=why)
            self._queue.clear()
            self._waiting_frames = self._waiting_bytes = 0
            self._news.notify_all()
        self._tell(self.ended)

    def _take(self, parcel: Parcel) -> None:
        number, at_ms = self._number, self._at_ms(parcel.at_s)
        self._number += 1
        if self._lost:
            self._lost = False
            self._put(Regained(at_ms=at_ms))
        try:
            frame = self._frame(number, parcel, at_ms)
        except TornPicture as err:
            if self._damaged_since_s is None:
                self._damaged_since_s = parcel.at_s
            if not self._damage_said and parcel.at_s - self._damaged_since_s >= _DAMAGE_S:
                self._damage_said = True
                why = written(reasons.ALL_DAMAGED, camera=self.name, error=err)
                self._put(Lost(at_ms=at_ms, why=why))
            return
        self._damaged_since_s = None
        if self._damage_said:
            self._damage_said = False
            self._put(Regained(at_ms=at_ms))
        self._put(frame)

    def _put(self, event: Frame | Lost | Regained) -> None:
        """Tell those who overhear, and let it wait for the reader."""
        self._tell(event)
        with self._news:
            if self.ended is not None:
                return
            self._queue.append(event)
            if isinstance(event, Frame):
                self._waiting_frames += 1
                self._waiting_bytes += _size_bytes(event)
                while self._waiting_frames > 1 and self._too_much_waits(event.at_ms):
                    self._drop_oldest()
            self._news.notify_all()

    def _too_much_waits(self, now_ms: float) -> bool:
        if self._waiting_frames > self._backlog or self._waiting_bytes > BACKLOG_BYTES:
            return True
        return now_ms - self._oldest()[1].at_ms > 1000.0 * BACKLOG_S

    def _oldest(self) -> tuple[int, Frame]:
        """The oldest frame and where in the queue it is; there must be one."""
        return next((n, item) for n, item in enumerate(self._queue) if isinstance(item, Frame))

    def _drop_oldest(self) -> None:
        """Drop the oldest frame, and a coming and going that then has no frame in between."""
        items = list(self._queue)
        at, frame = self._oldest()
        self._waiting_bytes -= _size_bytes(frame)
        around = [type(item) for item in items[max(0, at - 1) : at + 2] if item is not items[at]]
        if around == [Regained, Lost]:
            del items[at - 1 : at + 2]
        else:
            del items[at]
        self._queue = deque(items)
        self._waiting_frames -= 1
        self.dropped += 1

    def _say_lost(self, why: str) -> None:
        if not self._lost:
            self._lost = True
            self._put(Lost(at_ms=self._at_ms(self._clock()), why=why))

    def _frame(self, number: int, parcel: Parcel, at_ms: float) -> Frame:
        if parcel.jpeg is not None:
            data = parcel.jpeg
            image = self._jpegs.decode(data)
            return Frame(
                image=image,
                at_ms=at_ms,
                number=number,
                jpeg=data,
                colour=(lambda: decode_believed(data)) if self._gray else None,
            )
        if parcel.planes is not None:
            planes = parcel.planes
            if self._gray:
                return Frame(
                    image=gray_of(planes),
                    at_ms=at_ms,
                    number=number,
                    colour=lambda: bgr_of(planes),
                )
            return Frame(image=bgr_of(planes), at_ms=at_ms, number=number)
        if parcel.picture is None:
            raise TornPicture("the camera sent nothing")
        return Frame(image=np.asarray(parcel.picture, np.uint8), at_ms=at_ms, number=number)

    def _at_ms(self, at_s: float) -> float:
        return (at_s - self._began_s) * 1000.0


def _size_bytes(frame: Frame) -> int:
    """What a frame takes in memory while it waits; the planes of one read gray count as half."""
    planes = frame.image.nbytes // 2 if frame.jpeg is None and frame.colour is not None else 0
    return frame.image.nbytes + len(frame.jpeg or b"") + planes
