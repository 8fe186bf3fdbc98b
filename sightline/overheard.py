"""A source of frames that others may listen to: how fast they come, what to record."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Self

from vision.frame import Frame
from vision.sources import Ended, Event, Source

Listener = Callable[[Event], None]


class Overheard:
    """The frames of `source`; each listener hears each event before the reader gets it.

    Listeners must return at once: frames wait for them.
    """

    def __init__(self, source: Source, listeners: Sequence[Listener]) -> None:
        self._source = source
        self._listeners = tuple(listeners)

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
        event = self._source.read(timeout_s=timeout_s)
        if event is not None:
            for listener in self._listeners:
                listener(event)
        return event

    def __iter__(self) -> Iterator[Frame]:
        while not isinstance(event := self.read(), Ended):
            if isinstance(event, Frame):
                yield event

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
