"""What a device is told, and what it tells."""

from dataclasses import dataclass
from enum import StrEnum


class Lamp(StrEnum):
    """The lamps of a box. One box may have fewer; it then ignores the others."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    SEAT_S = "seat-s"
    SEAT_E = "seat-e"
    SEAT_N = "seat-n"
    SEAT_W = "seat-w"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buzz:
    """Sound the buzzer `times` times for `long_ms`, with pauses as long."""

    long_ms: int
    times: int = 1

    def __post_init__(self) -> None:
        if not 10 <= self.long_ms <= 5000 or not 1 <= self.times <= 9:
            raise ValueError(f"expected 1 to 9 sounds of 10 to 5000 ms, got {self}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """Switch a lamp."""

    lamp: Lamp
    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Countdown:
    """Show `left_ms` on the clock, counting down while `running`."""

    left_ms: int
    running: bool

    def __post_init__(self) -> None:
        if not 0 <= self.left_ms < 100 * 3_600_000:
            raise ValueError(f"expected 0 to 100 hours left, got {self.left_ms} ms")


Cue = Buzz | Light | Countdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A button of the device went down, or up; `at_s` is our monotonic time of hearing of it."""

    button: int
    down: bool
    at_s: float
