"""Time, handed in: a monotonic clock for the match, the calendar for its header."""

import threading
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Milliseconds that only ever grow, from any start, and the calendar's time now (UTC)."""

    def now_ms(self) -> float: ...

    def today(self) -> datetime: ...


class SystemClock:
    """The machine's monotonic clock."""

    def now_ms(self) -> float:
        return time.monotonic() * 1000.0

    def today(self) -> datetime:
        return datetime.now(UTC)


class FrameClock:
    """The clock of a recording: it stands where its newest frame is, however fast it is read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_ms = 0.0

    def now_ms(self) -> float:
        with self._lock:
            return self._at_ms

    def today(self) -> datetime:
        return datetime.now(UTC)

    def reach(self, at_ms: float) -> None:
        """Move on to `at_ms`; a time before that of an earlier call changes nothing."""
        with self._lock:
            self._at_ms = max(self._at_ms, at_ms)
