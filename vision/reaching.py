"""Frames in which something, a cue perhaps, was over the surface while no piece ran."""

from collections import deque

from calibration.table import Table
from rules.geometry import Seat
from vision.detection.crossings import Crossing, reaching_over
from vision.frame import Frame

_APART_MS, _KEPT = 300.0, 4
_MUCH_MM2 = 2500.0  # more than pieces that were laid down


class Reaching:
    """Keeps a few such frames, to tell from which side somebody reached in. False: there are none.

    They are looked at only where it matters who it was.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._frames: deque[Frame] = deque(maxlen=_KEPT)
        self._most_mm2 = 0.0
        self._since_ms: float | None = None

    def __bool__(self) -> bool:
        return bool(self._frames)

    def keep(self, frame: Frame, strange_mm2: float) -> None:
        """Something is over the surface in this frame, so much of it: keep it, unless one just
        before is kept.
        """
        self._most_mm2 = max(self._most_mm2, strange_mm2)
        if self._since_ms is None:
            self._since_ms = frame.at_ms
        if not self._frames or frame.at_ms - self._frames[-1].at_ms >= _APART_MS:
            self._frames.append(frame)

    @property
    def since_ms(self) -> float | None:
        """When something first was over the surface; None: nothing has been."""
        return self._since_ms

    def anybody(self) -> bool:
        """Whether more was over the surface than pieces, or what crosses the border."""
        return self._most_mm2 > _MUCH_MM2 or bool(self.sides())

    def sides(self) -> frozenset[Seat]:
        """The sides from which an arm or a cue has reached in: none where pieces alone stirred."""
        ways = [way for frame in self._frames for way in self.over(frame)]
        return frozenset(way.side for way in ways)

    def side(self) -> Seat | None:
        """That side, where it is one alone."""
        sides = self.sides()
        return next(iter(sides)) if len(sides) == 1 else None

    def hides(self, frame: Frame, strange_mm2: float) -> tuple[Crossing, ...]:
        """Where what lies over the surface, `strange_mm2` of it, reaches in over the border.

        Pieces may be hidden beneath.
        """
        return self.over(frame) if strange_mm2 > _MUCH_MM2 else ()

    def over(self, frame: Frame) -> tuple[Crossing, ...]:
        """Where anything reaches in over the border, if it is as thin as a cue."""
        return reaching_over(frame.in_colour(), self._table)

    def clear(self) -> None:
        """Begin anew: what has reached in so far is accounted for."""
        self._frames.clear()
        self._most_mm2 = 0.0
        self._since_ms = None
