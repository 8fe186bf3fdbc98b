"""A clock that stands where the test puts it."""

from datetime import UTC, datetime


class ManualClock:
    def __init__(self, at_ms: float = 5000.0) -> None:
        self.at_ms = at_ms

    def now_ms(self) -> float:
        return self.at_ms

    def today(self) -> datetime:
        return datetime(2026, 11, 21, 15, 0, tzinfo=UTC)
