"""Which frames a reader that has fallen behind its camera leaves out."""

LATE_MS = 100.0
"""So far may a reader be behind: rulings are awaited within 150 ms."""
FOLLOWED_MS = 1000.0 / 60 + 0.5
"""From frame to frame, at most, with what a camera's clock may err by: 60 a second are enough."""


def may_be_left_out(at_ms: float, *, read_ms: float, next_ms: float, newest_ms: float) -> bool:
    """Whether the frame of `at_ms` may be passed over for the sake of the one that follows it.

    The reader has read the frame of `read_ms` and is late by what lies between this one and the
    newest. No gap becomes longer than at 60 frames a second, so that a camera of 60 or fewer is
    read whole however late the reader is.
    """
    return newest_ms - at_ms > LATE_MS and next_ms - read_ms <= FOLLOWED_MS
