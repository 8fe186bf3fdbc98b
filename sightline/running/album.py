"""Pictures of a match while it runs: the newest frame for the page, the evidence for rulings."""

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

import cv2

from rules.facts import Contacted, Fact, Settled, Struck
from sightline.running.match import Picture
from vision.frame import Frame
from vision.sources import Event, in_colour

KEPT_FRAMES = 16
HELD_FRAMES = 4
WIDEST_PX = 1280
QUALITY = 80


class Album:
    """Keeps the last frames, makes JPEGs of those that are asked for, in a thread of its own.

    A shot is judged when it has come to rest, on what was seen before: the evidence of a `Settled`
    is the settled board, the strike and the first contact.
    """

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque(maxlen=KEPT_FRAMES)
        self._held: deque[tuple[int, Picture]] = deque(maxlen=HELD_FRAMES)
        self._lock = Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="album")
        self._shot: list[Picture] = []
        self._contact = False
        self._newest: Frame | None = None
        self._live: tuple[int, bytes | None] = (-1, None)

    def heard(self, event: Event) -> None:
        """Keep the newest frame of a source, for the live picture, before anybody looks at it."""
        if isinstance(event, Frame):
            self._newest = event

    def add(self, frame: Frame) -> None:
        """Keep a frame that is looked at, as evidence of what is seen in it."""
        with self._lock:
            self._frames.append(frame)

    def hold(self) -> None:
        """Keep the newest frame as evidence: it is looked at closely, and a fact may rest on it.

        Its JPEG is made at once, so that no ruling has to wait for it later.
        """
        with self._lock:
            frame = self._frames[-1] if self._frames else None
            if frame is not None and all(number != frame.number for number, _ in self._held):
                self._held.append((frame.number, self._begin(frame)))

    def live(self) -> bytes | None:
        """Return the newest frame as JPEG, None before the first."""
        frame = self._newest
        if frame is None:
            return None
        with self._lock:
            if self._live[0] == frame.number:
                return self._live[1]
        jpeg = to_jpeg(frame)
        with self._lock:
            self._live = (frame.number, jpeg)
        return jpeg

    def evidence(self, fact: Fact, frames: Iterable[int]) -> tuple[Picture, ...]:
        """Return what shows a fact that is certain now; the pictures may still be in the making."""
        match fact:
            case Struck():
                self._shot = [self._picture(frames)]
                self._contact = False
                return ()
            case Contacted():
                if not self._contact:
                    self._contact = True
                    self._shot.append(self._picture(frames))
                return ()
            case Settled():
                shot, self._shot = self._shot, []
                return (self._picture(frames), *shot)
        return () if type(fact).__name__ in _UNSEEN else (self._picture(frames),)

    def close(self) -> None:
        self._worker.shutdown(wait=True, cancel_futures=False)

    def _picture(self, numbers: Iterable[int]) -> Picture:
        """Begin to make a JPEG of the frame nearest to the last one named (the newest if none).

        One that is held has been begun already.
        """
        wanted = tuple(numbers)
        named = max(wanted, default=None)
        with self._lock:
            for number, picture in reversed(self._held):
                if number in wanted:
                    return picture
            if not self._frames:
                return _nothing
            if named is None:
                frame = self._frames[-1]
            else:
                frame = min(self._frames, key=lambda f: abs(f.number - named))
            return self._begin(frame)

    def _begin(self, frame: Frame) -> Picture:
        made: Future[bytes | None] = self._worker.submit(to_jpeg, frame)
        return made.result


_UNSEEN = frozenset(
    {"Cushioned", "Travelled", "HandLeft", "Declared", "SightLost", "SightRegained"}
)


def _nothing() -> bytes | None:
    return None


def to_jpeg(frame: Frame) -> bytes | None:
    """Return a frame as JPEG of at most 1280 px width: the camera's own bytes where they fit."""
    width = frame.image.shape[1]
    if frame.jpeg is not None and width <= WIDEST_PX:
        return frame.jpeg
    picture = in_colour(frame)
    if width > WIDEST_PX:
        height = round(picture.shape[0] * WIDEST_PX / width)
        picture = cv2.resize(picture, (WIDEST_PX, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return coded.tobytes() if done else None
