"""Hands over the surface in a stream: when each came, over which border, how deep, and left."""

from collections.abc import Callable, Sequence

from calibration.table import Table
from rules.facts import HandEntered, HandLeft
from rules.geometry import Seat
from vision.detection.crossings import AtEdge, Crossing, crossings_at, crossings_since
from vision.frame import Frame, Sighting
from vision.tracking.hands import Glimpse
from vision.tracking.tracker import Tracker

Arms = Callable[[AtEdge], Sequence[Crossing]]

_WIDE_MM, _LARGE_MM2 = 28.0, 2500.0  # wider and larger than a cue with its shadow
_FINGERS_MM, _FINGERS_MM2 = 15.0, 800.0  # some of which may look like the wood beneath
_FINGERS_IN_MM = 7.0  # so far in they stand out at least, where the border's look sees them
_FAINT_MM2, _RUN_UP_MS = 300.0, 400.0
_STILL_MS = 150.0
_LOOK_MS, _LONGEST_LOOK_MS = 60.0, 640.0
_PRESENT_MM = 20.0


class ArmWatch:
    """Feed it each frame's glimpse. What moves and is wide may be a hand: the border decides.

    `arms` says where arms cross the border in a colour picture; it is asked seldom, as it costs
    more than following all pieces does. One answer may be chance, such as a cue's shadow on the
    border: a hand is told when two agree. Where the border gleams an arm may not stand out from the
    empty picture: when what was wide has gone, it is looked whether an arm went with it.
    Fingers that reach in by little are no wider than a cue with its shadow: they are told by the
    border and the surface beside it alone.
    """

    def __init__(self, table: Table, tracker: Tracker, arms: Arms = crossings_at) -> None:
        self._table = table
        self._tracker = tracker
        self._arms = arms
        self._since_ms: float | None = None
        self._last_ms = 0.0
        self._certain = False
        self._changed = False  # since a look saw what may be fingers lie still
        self._fingertips = False  # what is there is a hand, and was not wide when it came
        self._side: Seat | None = None
        self._depth_mm = 0.0
        self._next_look_ms = 0.0
        self._pause_ms = _LOOK_MS
        self._seems: Seat | None = None  # the side over which one look saw an arm
        self._rest: tuple[AtEdge, float] | None = None
        self._opened: AtEdge | None = None
        self.sides: set[Seat | None] = set()  # of all hands since `forget`

    @property
    def by(self) -> Seat | None:
        """Whose hand was there since `forget`, where it was one side's alone."""
        return next(iter(self.sides)) if len(self.sides) == 1 else None

    def forget(self) -> None:
        self.sides.clear()

    def reset(self) -> None:
        """Begin anew: nothing is known of any hand."""
        self._since_ms, self._certain, self._fingertips = None, False, False
        self._side, self._depth_mm = None, 0.0
        self._pause_ms = _LOOK_MS
        self._seems = self._opened = None

    def rest(self, frame: Frame, since_ms: float) -> None:
        """What a still picture shows, from `since_ms` on, in which no hand was seen."""
        self._rest = self._edge_in(frame), since_ms

    def present(self, glimpse: Glimpse) -> bool:
        """Whether a hand is surely over the surface."""
        shows = glimpse.width_mm > _PRESENT_MM or self._like_fingers(glimpse)
        return self._since_ms is not None and self._certain and shows

    @property
    def open(self) -> bool:
        """Whether a hand came, or seems to have come, and has not left."""
        return self._since_ms is not None

    @property
    def sure(self) -> bool:
        """Whether a hand surely came, and has not left."""
        return self._since_ms is not None and self._certain

    def found(self, frame: Frame, since_ms: float) -> list[Sighting]:
        """A still picture shows a hand that nobody saw coming."""
        if self._since_ms is not None:
            return []
        ways = self._arms(self._edge_in(frame))
        self._since_ms, self._last_ms, self._certain = since_ms, frame.at_ms, True
        self._side = _widest(ways)
        return [self._entered(frame)]

    def feed(
        self, frame: Frame, glimpse: Glimpse, *, moves: bool, stirs: bool = False
    ) -> list[Sighting]:
        """What this frame makes certain.

        Something wide `moves` over the surface, or anything that is no piece `stirs` there.
        """
        found: list[Sighting] = []
        if self._since_ms is None:
            if glimpse.width_mm > _WIDE_MM and glimpse.area_mm2 > _LARGE_MM2 and moves:
                self._since_ms, self._last_ms = self._came(), frame.at_ms
                self._next_look_ms, self._pause_ms = frame.at_ms, _LOOK_MS
                self._opened = self._edge_in(frame)
            elif ways := self._fingers(frame, glimpse, stirs=stirs):
                self._since_ms, self._last_ms = self._came(), frame.at_ms
                found += self._sure(frame, ways)
                self._fingertips, self._depth_mm = True, _FINGERS_IN_MM
            else:
                return []
        if moves:
            self._last_ms = frame.at_ms
        if not self._certain and frame.at_ms >= self._next_look_ms:
            found += self._confirm(frame, glimpse)
        if self._certain and self._side is not None:
            self._depth_mm = max(self._depth_mm, self._depth_of(glimpse, self._side))
        if frame.at_ms - self._last_ms > _STILL_MS:
            found += self.end(frame)
        return found

    def end(self, frame: Frame) -> list[Sighting]:
        """Nothing wide moves any more: is it gone, or does it only lie still?"""
        if self._since_ms is None:
            return []
        found: list[Sighting] = []
        now = self._edge_in(frame)
        ways = self._arms(now)
        if ways:
            if not self._certain:
                found += self._sure(frame, ways)
            self._last_ms = frame.at_ms
            return found
        if not self._certain:
            found += self._seen_to_have_left(frame, now)
        if self._certain:
            at_ms = self._went() + 500 * self._tracker.frame_s
            fact = HandLeft(at_ms=at_ms, side=self._side, depth_mm=self._depth_mm)
            found.append(Sighting(fact=fact, frames=(frame.number,)))
        self.reset()
        return found

    def _confirm(self, frame: Frame, glimpse: Glimpse) -> list[Sighting]:
        ways = self._arms(self._edge_in(frame))
        self._next_look_ms = frame.at_ms + self._pause_ms
        if not ways:
            self._pause_ms = min(2 * self._pause_ms, _LONGEST_LOOK_MS)
            return []
        seemed, self._seems = self._seems, _widest(ways)
        if seemed is not self._seems:
            return []
        found = self._sure(frame, ways)
        if glimpse.mask is not None and self._side is not None:
            self._depth_mm = self._tracker.reach.depth_mm(glimpse.mask, self._side)
        return found

    def _fingers(self, frame: Frame, glimpse: Glimpse, *, stirs: bool) -> Sequence[Crossing]:
        """Where fingers reach in that are not wide, once two looks have agreed."""
        if not self._like_fingers(glimpse):
            self._pause_ms, self._seems, self._changed = _LOOK_MS, None, False
            return ()
        changes = stirs or self._tracker.reached_over
        self._changed |= changes
        if frame.at_ms < self._next_look_ms or not (self._changed or self._seems):
            return ()
        self._changed = changes
        ways = self._arms(self._edge_in(frame))
        self._next_look_ms = frame.at_ms + self._pause_ms
        if not ways:
            self._pause_ms, self._seems = min(2 * self._pause_ms, _LONGEST_LOOK_MS), None
            return ()
        seemed, self._seems = self._seems, _widest(ways)
        return ways if seemed is self._seems else ()

    def _depth_of(self, glimpse: Glimpse, side: Seat) -> float:
        """How far what is over the surface reaches in from a side's border."""
        mask = glimpse.mask
        if mask is None and self._fingertips:
            mask = self._tracker.hands.largest()
        return 0.0 if mask is None else self._tracker.reach.depth_mm(mask, side)

    def _seen_to_have_left(self, frame: Frame, now: AtEdge) -> list[Sighting]:
        """A hand that is told only now, as it stands out from the border that it has left."""
        kept = [] if self._rest is None else [self._rest]
        if self._opened is not None and self._since_ms is not None:
            kept.append((self._opened, self._since_ms))
        for before, since_ms in kept:
            if ways := crossings_since(before, now):
                self._since_ms = since_ms
                return self._sure(frame, ways)
        return []

    def _edge_in(self, frame: Frame) -> AtEdge:
        return AtEdge(frame.in_colour, self._table)

    def _sure(self, frame: Frame, ways: Sequence[Crossing]) -> list[Sighting]:
        self._certain = True
        self._side = _widest(ways)
        return [self._entered(frame)]

    def _entered(self, frame: Frame) -> Sighting:
        assert self._since_ms is not None
        self.sides.add(self._side)
        fact = HandEntered(at_ms=self._since_ms, side=self._side, depth_mm=self._depth_mm)
        return Sighting(fact=fact, frames=(frame.number,))

    def _came(self) -> float:
        """Back to where the blob that is now a hand began to show."""
        glimpses = self._tracker.hands.glimpses
        start = glimpses[-1].at_ms
        for glimpse in reversed(glimpses):
            if glimpse.area_mm2 < _FAINT_MM2 or glimpses[-1].at_ms - glimpse.at_ms > _RUN_UP_MS:
                break
            start = glimpse.at_ms
        return start

    def _went(self) -> float:
        """The last frame in which something moved, or showed where nothing does any more."""
        glimpses = self._tracker.hands.glimpses
        if not glimpses or glimpses[-1].area_mm2 > _FAINT_MM2:
            return self._last_ms
        shown = (each.at_ms for each in reversed(glimpses) if each.area_mm2 > _FAINT_MM2)
        return max(self._last_ms, next(shown, self._last_ms))

    def _like_fingers(self, glimpse: Glimpse) -> bool:
        """Whether what shows over the surface, or hides a piece there, may be fingers.

        A cue with its shadow may be as wide.
        """
        large = glimpse.width_mm > _FINGERS_MM and glimpse.area_mm2 > _FINGERS_MM2
        return large or self._tracker.reached_over


def _widest(ways: Sequence[Crossing]) -> Seat | None:
    return max(ways, key=lambda way: way.width_mm).side if ways else None
