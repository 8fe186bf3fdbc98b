"""A source of frames that gives what a test puts into it."""

from collections.abc import Iterable

from vision.sources import Ended, Event
from vision.sources.source import Readable


class Film(Readable):
    """Gives `events` one after the other (None: nothing came in time)."""

    fps: float | None = 30.0
    expected: int | None = None
    ended: Ended | None = None

    def __init__(
        self, events: Iterable[Event | None] = (), *, name: str = "film", live: bool = False
    ) -> None:
        self.events = list(events)
        self.name = name
        self.live = live

    def _read(self, timeout_s: float) -> Event | None:
        return self.events.pop(0)

    def close(self) -> None:
        """Nothing is open."""
