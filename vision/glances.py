"""Close looks at the still pictures of a stream: as few as may be, for each takes long."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.facts import Piece
from rules.geometry import Point
from vision.detection.crossings import Crossing
from vision.frame import Frame, Observation
from vision.looking import Look
from vision.telling.stocktaking import is_seen, misses, without_cue
from vision.tracking.tracker import Tracker

Gray = NDArray[np.uint8]
_AGAIN_MS = 500.0  # so long nothing is looked at again where something covers a piece, perhaps
_SELDOM_MS = 4000.0  # nor, at the longest, where a hand lies still


@dataclass(frozen=True, slots=True)
class Glance:
    """What a still frame shows; `gray` is its picture in gray."""

    seen: Observation
    gray: Gray
    frame: Frame


class Glances:
    """Looks once at what has come to rest, and remembers it until it is dropped."""

    def __init__(self, table: Table, look: Look, tracker: Tracker) -> None:
        self._table, self._look, self._tracker = table, look, tracker
        self._last: Glance | None = None
        self._covered_until_ms = 0.0  # so long a piece is taken to be covered without another look
        self._put_off_until_ms, self._pause_ms = 0.0, _AGAIN_MS

    def drop(self) -> None:
        """Something moves: what was seen last holds no more, and is worth another look at once."""
        self._last = None
        self._put_off_until_ms, self._pause_ms = 0.0, _AGAIN_MS

    def put_off(self, frame: Frame) -> None:
        """`frame` is of no use, nor are those to come while nothing stirs: look ever less often."""
        self._last = None
        self._put_off_until_ms = frame.at_ms + self._pause_ms
        self._pause_ms = min(2 * self._pause_ms, _SELDOM_MS)

    def is_put_off(self, frame: Frame) -> bool:
        """Whether so little has passed since a useless look that `frame` is not worth another."""
        return frame.at_ms < self._put_off_until_ms

    def at(self, gray: Gray, frame: Frame, lying: Sequence[Piece]) -> Glance:
        """What was seen last, or else what this frame shows; the tracker knows of those `lying`."""
        if self._last is None:
            seen = self._look(frame.in_colour(), self._table, self._followed(lying))
            self._last = Glance(seen, gray, frame)
        return self._last

    def seen(
        self, lying: Sequence[Piece], over: Callable[[Frame], Sequence[Crossing]]
    ) -> Observation | None:
        """What was seen last, if it still holds, but for what may be a part of a cue.

        `lying` are the pieces that the tracker knows of, and `over` tells what crosses the border.
        """
        last = self._last
        if last is None:
            return None
        return without_cue(last.seen, self._followed(lying), lambda: over(last.frame))

    def _followed(self, lying: Sequence[Piece]) -> list[Piece]:
        """Those `lying` of which the tracker knows where they are, there."""
        places = self._tracker.places()
        return [replace(p, at=Point(*places[p.name])) for p in lying if p.name in places]

    def finds_covered(
        self,
        gray: Gray,
        frame: Frame,
        lying: Sequence[Piece],
        *,
        lost: Collection[str],
        over: Sequence[Crossing],
    ) -> bool:
        """Whether pieces that lie there are not seen, so that what is `over` the border hides them.

        Of those `lost`, which may be gone, only one that is seen where it lay, so that another of
        its look is missed, or in whose stead a part of a cue may be seen.
        """
        glance = self.at(gray, frame, lying)
        seen = without_cue(glance.seen, lying, lambda: over)
        in_stead = {(p.kind, p.colour) for p in glance.seen.pieces if p not in seen.pieces}
        sure = [
            p
            for p in lying
            if p.name not in lost or is_seen(p, seen.pieces) or (p.kind, p.colour) in in_stead
        ]
        if not misses(seen, sure):
            return False
        self._last, self._covered_until_ms = None, frame.at_ms + _AGAIN_MS
        return True

    def waits(self, frame: Frame) -> bool:
        """Whether a piece was found covered so little before `frame` that it is taken to be so."""
        return frame.at_ms < self._covered_until_ms
