"""A source whose every frame has been judged: what cannot be trusted is lost sight, not a frame."""

from vision.frame import Frame, Picture
from vision.frame_health import judge_frame, missing_part, normal_of, same_picture
from vision.sources.source import Ended, Event, Lost, Readable, Regained, Source

_THOROUGH_EVERY_MS = 200.0
_PATIENCE_MS = 300.0
_FROZEN_MS = 1200.0


class Guarded(Readable):
    """Frames of `source` that `vision.frame_health` finds sound.

    Unsound frames are left out; when nothing else has come for 0.3 s, or a live camera has sent
    the same picture for 1.2 s, `read` says `Lost` with the reason, and `Regained` before the next
    sound frame. Every frame is looked at for missing parts, five a second thoroughly; while sight
    is lost, all are.
    """

    def __init__(self, source: Source, reference: Picture | None = None) -> None:
        """`reference`: a sound picture of the same view, usually the table's `empty`."""
        self._source = source
        self._normal = None if reference is None else normal_of(reference)
        self._thorough_at_ms = -_THOROUGH_EVERY_MS
        self._sound_at_ms: float | None = None
        self._lost = False
        self._suspect: str | None = None
        self._still: Picture | None = None
        self._still_since_ms = 0.0
        self._waiting: Frame | None = None

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def live(self) -> bool:
        return self._source.live

    @property
    def fps(self) -> float | None:
        return self._source.fps

    @property
    def expected(self) -> int | None:
        return self._source.expected

    @property
    def ended(self) -> Ended | None:
        return self._source.ended

    def read(self, timeout_s: float = 1.0) -> Event | None:
        """As `Source.read`; None also where the frame that came was left out."""
        if self._waiting is not None:
            frame, self._waiting = self._waiting, None
            return frame
        event = self._source.read(timeout_s)
        match event:
            case Frame():
                return self._judged(event)
            case Lost():
                return None if self._was_lost(event.at_ms) else event
            case Regained():
                return None  # said with the first frame that is sound
            case _:
                return event

    def close(self) -> None:
        self._source.close()

    def _judged(self, frame: Frame) -> Event | None:
        reason = self._fault(frame)
        if reason is not None:
            self._suspect = reason
            since_ms = frame.at_ms if self._sound_at_ms is None else self._sound_at_ms
            if self._sound_at_ms is None:
                self._sound_at_ms = frame.at_ms
            if frame.at_ms - since_ms < _PATIENCE_MS or self._was_lost(frame.at_ms):
                return None
            return Lost(at_ms=frame.at_ms, why=f"{self.name}: {reason}")
        self._suspect = None
        self._sound_at_ms = frame.at_ms
        if not self._lost:
            return frame
        self._lost = False
        self._waiting = frame
        return Regained(at_ms=frame.at_ms)

    def _fault(self, frame: Frame) -> str | None:
        if self._frozen(frame):
            return "the camera sends the same picture again and again"
        due = frame.at_ms - self._thorough_at_ms >= _THOROUGH_EVERY_MS
        if due or self._lost or self._suspect:
            self._thorough_at_ms = frame.at_ms
            return judge_frame(frame.image, reference=self._normal)
        return missing_part(frame.image, self._normal)

    def _frozen(self, frame: Frame) -> bool:
        if not self.live:
            return False
        if self._still is None or not same_picture(self._still, frame.image):
            self._still = frame.image
            self._still_since_ms = frame.at_ms
        return frame.at_ms - self._still_since_ms >= _FROZEN_MS

    def _was_lost(self, at_ms: float) -> bool:
        """Whether sight was lost already; it is now."""
        was, self._lost = self._lost, True
        return was
