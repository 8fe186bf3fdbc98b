"""Which frames a reader that has fallen behind its camera leaves out."""

from math import inf

LATE_MS = 100.0
"""So far may a reader be behind: rulings are awaited within 150 ms."""
FOLLOWED_MS = 1000.0 / 60 + 0.5
"""From frame to frame, at most, with what a camera's clock may err by: 60 a second are enough."""


class CatchingUp:
    """What a reader takes of a camera's frames, which it is asked about in their order."""

    def __init__(self) -> None:
        self._taken_ms = -inf

    def takes(self, at_ms: float, *, next_ms: float | None, newest_ms: float) -> bool:
        """Whether the frame of `at_ms` is read, or passed over for the sake of the one that follows
        it, of `next_ms` (None: that is not known yet).

        The reader is late by what lies between this frame and the newest. No gap becomes longer
        than at 60 frames a second, so that a camera of 60 or fewer is read whole however late the
        reader is.
        """
        late = newest_ms - at_ms > LATE_MS
        if late and next_ms is not None and next_ms - self._taken_ms <= FOLLOWED_MS:
            return False
        self._taken_ms = at_ms
        return True
