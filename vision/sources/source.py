"""What every source of frames offers, and what it says when there are none."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from vision.frame import Frame

Clock = Callable[[], float]  # seconds, monotonic


class SourceError(Exception):
    """No frames can be had from there: what is wrong with which source, and what to do about it."""

    def __init__(self, name: str, what: str, remedy: str) -> None:
        super().__init__(f"{name}: {what}; {remedy}" if remedy else f"{name}: {what}")
        self.name = name
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """From `at_ms` on the source gave no frame that can be trusted, and why."""

    at_ms: float
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Regained:
    """The source gives frames again; the next one read is the first."""

    at_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """There will be no more frames.

    `why` is None where all of it was read, else what cut it short. `expected` is how many frames
    the file promised, None where it promised nothing.
    """

    at_ms: float
    frames: int
    expected: int | None = None
    why: str | None = None


Event = Frame | Lost | Regained | Ended
Listener = Callable[[Event], None]


class Source(Protocol):
    """A camera, a video or a folder of pictures, as frames on its own monotonic clock.

    `read` is for those who must know when sight is lost; iterating gives the frames alone.
    Both deliver frames in order and never one that did not decode whole.
    """

    @property
    def name(self) -> str:
        """What was opened, without passwords."""
        ...

    @property
    def live(self) -> bool:
        """Whether frames come when they come, and are dropped when nobody reads them."""
        ...

    @property
    def fps(self) -> float | None:
        """Frames a second as the source states them, None where it does not."""
        ...

    @property
    def expected(self) -> int | None:
        """How many frames there are in all, None where that is not known."""
        ...

    @property
    def ended(self) -> Ended | None:
        """How it ended, None while it has not."""
        ...

    @property
    def dropped(self) -> int:
        """How many frames came and were never read, because the reader was busy for too long."""
        ...

    def overhear(self, listener: Listener) -> None:
        """Tell `listener` each event from now on, before the reader gets it.

        Of a live source it is told as soon as it is there, by a thread of the source's own, however
        busy the reader is. A listener returns at once: frames wait for it.
        """
        ...

    def read(self, timeout_s: float = 1.0) -> Event | None:
        """The next thing to know, or None when nothing came within `timeout_s`.

        After `Ended` it answers `Ended` again and again.
        """
        ...

    def __iter__(self) -> Iterator[Frame]: ...

    def close(self) -> None:
        """Let go of the camera or file. May be called twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Readable(ABC):
    """The part of a `Source` that follows from `_read` and `close`.

    A source that is `live` calls `_tell` itself, when an event is there; for others it is there
    when it is read.
    """

    live = False
    dropped = 0
    _listeners: tuple[Listener, ...] = ()

    @abstractmethod
    def _read(self, timeout_s: float) -> Event | None: ...

    @abstractmethod
    def close(self) -> None: ...

    def read(self, timeout_s: float = 1.0) -> Event | None:
        event = self._read(timeout_s)
        if event is not None and not self.live:
            self._tell(event)
        return event

    def overhear(self, listener: Listener) -> None:
        self._listeners = (*self._listeners, listener)

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    def __iter__(self) -> Iterator[Frame]:
        while not isinstance(event := self.read(), Ended):
            if isinstance(event, Frame):
                yield event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
