"""A stream of frames of a lattice board in, facts out: what a hand has changed once it has left.

A change is told when the surface is free of hands, the place has kept still, and looks some time
apart agree. Several changes of one visit come as a `Batch`: in which order only the hand knows. A
place that cannot be made out keeps what it held: unknown is not empty. Only where something has
moved is looked at again.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.facts import (
    Batch,
    Cleared,
    Emptied,
    Fact,
    Filled,
    HandEntered,
    HandLeft,
    Loose,
    Piece,
    Settled,
    SightLost,
    SightRegained,
)
from rules.geometry import Seat
from vision.frame import Frame, Picture, Sighting
from vision.lattice.arms import Arm, arms
from vision.lattice.changes import Changes, Standing, standing_in
from vision.lattice.corners import told_apart
from vision.lattice.patches import patches_of
from vision.lattice.places import layers_of
from vision.lattice.read import lattice_of
from vision.looking import Look

Gray = NDArray[np.uint8]
Judge = Callable[[Picture], str | None]

_SHRINK = 4
_MOVED = 10
_COMPARED_MS = 60.0
"""A cell of the shrunk picture has moved if it differs by so many codes from so long ago."""
_STIRRED = 6
"""So many cells that moved are more than noise."""
_LINGER_MS = 400.0
"""After a motion the picture is looked at for so long, however still it is."""
_AGAIN_MS = 60.0
"""Two looks that are to agree are so far apart at least."""
_STILL_MS = 90.0
_GONE_MS = 70.0
"""A hand is gone when it has not been seen for so long."""
_MOSTLY = 1.5
"""A hand is of the side where it was seen so many times as broadly as at the next."""
_UNTOUCHED_MS = 900.0
"""Where no hand was, a change must be seen for so long."""
_LOOSE_MS = 1000.0
"""What a hand has left is not seated when it has been unclear for so long."""
_WHILE_THERE_MS = 120.0
_IDLE_MS = 2000.0
"""While a hand is there, and while nothing happens, looks are so far apart."""


@dataclass(slots=True)
class _Visit:
    """A hand over the surface: since when, until when it was seen, how broadly from which side.

    About a corner it is seen over two sides at once, which says little: that is counted apart.
    """

    since_ms: float
    last_ms: float
    sides: Counter[Seat] = field(default_factory=Counter)
    about_corners: Counter[Seat] = field(default_factory=Counter)

    def note(self, clear: Sequence[Arm], unclear: Sequence[Arm]) -> None:
        for counted, group in ((self.sides, clear), (self.about_corners, unclear)):
            for arm in group:
                counted[arm.side] += round(arm.width_mm)

    @property
    def by(self) -> Seat | None:
        """Whose hand it is: the side it came from, if hardly any other."""
        (first, most), *others = (self.sides or self.about_corners).most_common(2)
        return first if not others or most > _MOSTLY * others[0][1] else None


class LatticeWitness:
    """Feed it frames in order; it answers with what has become certain.

    `look` is `vision.observe.observe` unless another is given. `pieces` are what stands on the
    board to begin with, where that is known, called by their places; otherwise the first looks
    tell. `judge` gives the reason why a frame cannot be trusted, or None.

    A change is told when the hand has left. `moments` has, by place and the fact's time, when it
    came about, as nearly as the hand over that place tells.
    """

    def __init__(
        self,
        table: Table,
        *,
        look: Look | None = None,
        judge: Judge | None = None,
        pieces: Sequence[Piece] = (),
    ) -> None:
        if look is None:
            from vision.observe import Looker

            look = Looker()
        self.table = table
        self.rest_at_ms: float | None = None
        self.start_pieces: tuple[Piece, ...] = tuple(pieces)
        self.moments: dict[tuple[str, float], float] = {}
        self._look = look
        self._judge = judge
        self._lattice = lattice_of(table)
        self._patches = patches_of(self._lattice, table, _SHRINK)
        known = standing_in(pieces)
        self._layers = layers_of(table.board)
        self._changes = Changes(self._layers, known if pieces else None)
        self._began = False
        self._smalls: list[tuple[float, Gray]] = []
        self._moved_ms: NDArray[np.float64] | None = None
        self._stir_ms = -1e12
        self._look_ms = -1e12
        self._visit: _Visit | None = None
        self._seat: Seat | None = None
        self._left_ms: float | None = None
        self._blind = False

    # -- the stream --------------------------------------------------------------------------

    def feed(self, frame: Frame) -> list[Sighting]:
        """All that this frame makes certain."""
        why = self._judge(frame.image) if self._judge else None
        if why is not None:
            return self.lose(frame.at_ms, why)
        facts: list[Fact] = []
        if self._blind:
            self._blind = False
            self._smalls.clear()
            self._moved_ms = None
            self._stir_ms = frame.at_ms
            facts.append(SightRegained(at_ms=frame.at_ms))
        self._watch_motion(frame)
        busy = frame.at_ms - self._stir_ms < _LINGER_MS
        picture: Picture | None = None
        if busy or self._visit is not None or not self._began:
            picture = _colour(frame)
            there = self._visit is not None
            found = arms(
                picture,
                self._lattice.shore,
                certain=not there,
                moved=self._border_moved,
            )
            facts += self._watch_hands(frame.at_ms, found)
        if frame.at_ms - self._look_ms >= self._look_every_ms(busy):
            facts += self._take_look(
                frame.at_ms, picture if picture is not None else _colour(frame)
            )
        facts += self._hand_left(frame.at_ms)
        return [Sighting(fact=fact, frames=(frame.number,)) for fact in facts]

    def lose(self, at_ms: float, why: str) -> list[Sighting]:
        """The source gives no frames that can be trusted any more."""
        if self._blind:
            return []
        self._blind = True
        self._visit = None
        self._left_ms = None
        self._changes.forget()
        return [Sighting(fact=SightLost(at_ms=at_ms, why=why))]

    def finish(self) -> list[Sighting]:
        """The stream has ended: nothing more becomes certain."""
        return []

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What stands on the board, as far as it is known."""
        return self._as_pieces(self._changes.known)

    def final_pieces(self) -> tuple[Piece, ...]:
        return self.pieces

    # -- what moves --------------------------------------------------------------------------

    def _watch_motion(self, frame: Frame) -> None:
        gray = (
            frame.image if frame.image.ndim == 2 else cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        )
        size = (gray.shape[1] // _SHRINK, gray.shape[0] // _SHRINK)
        small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        if self._moved_ms is None or self._moved_ms.shape != small.shape:
            self._moved_ms = np.full(small.shape, -1e12)
            self._stir_ms = frame.at_ms
        older = [s for at, s in self._smalls if frame.at_ms - at >= _COMPARED_MS]
        compared = older[-1] if older else (self._smalls[0][1] if self._smalls else small)
        moved = cv2.absdiff(small, compared) > _MOVED
        if int(moved[self._patches.box].sum()) > _STIRRED:
            self._moved_ms[moved] = frame.at_ms
            self._stir_ms = frame.at_ms
        self._smalls.append((frame.at_ms, small))
        while len(self._smalls) > 2 and frame.at_ms - self._smalls[1][0] >= _COMPARED_MS:
            self._smalls.pop(0)

    def _border_moved(self, first: int, after: int) -> bool:
        """Whether the border moved a moment ago at stations `first` to `after` (excluded)."""
        assert self._moved_ms is not None
        return self._patches.on_border(self._moved_ms > self._stir_ms - _STILL_MS, first, after)

    # -- hands -------------------------------------------------------------------------------

    def _watch_hands(self, at_ms: float, found: Sequence[Arm]) -> list[Fact]:
        if found:
            clear, unclear = told_apart(found, self.table.board)
            facts: list[Fact] = []
            if self._visit is None:
                self._visit = _Visit(since_ms=at_ms, last_ms=at_ms)
                if self._left_ms is not None:
                    facts += self._hand_left(at_ms, now=True)
                facts.append(HandEntered(at_ms=at_ms, side=(clear or unclear)[0].side))
            self._visit.last_ms = at_ms
            self._visit.note(clear, unclear)
            return facts
        visit = self._visit
        if visit is not None and at_ms - visit.last_ms >= _GONE_MS:
            self._visit = None
            self._seat = visit.by
            self._left_ms = visit.last_ms
            touched = self._stirred_since(visit.since_ms - _STILL_MS)
            self._changes.visited(visit.since_ms, visit.last_ms, touched)
            self._look_ms = -1e12
        return []

    def _hand_left(self, at_ms: float, now: bool = False) -> list[Fact]:
        """The hand's leaving is told with what it has changed, or soon after."""
        if self._left_ms is None or (
            not now and self._changes.open and at_ms - self._left_ms < 300
        ):
            return []
        left, self._left_ms = self._left_ms, None
        return [HandLeft(at_ms=left, side=self._seat)]

    # -- looks -------------------------------------------------------------------------------

    def _look_every_ms(self, busy: bool) -> float:
        if self._visit is not None:
            return _WHILE_THERE_MS
        waits = busy or self._changes.open or self._changes.unsure or not self._began
        return _AGAIN_MS if waits else _IDLE_MS

    def _take_look(self, at_ms: float, picture: Picture) -> list[Fact]:
        self._look_ms = at_ms
        seen = self._look(picture, self.table, ())
        if seen.blind is not None:
            return [s.fact for s in self.lose(at_ms, seen.blind)]
        if self._visit is not None and not seen.hand:
            return []  # a hand was there just now: what it hides cannot be told
        hand = seen.hand
        self._changes.look(at_ms, seen, stirred=self._stirred(at_ms), hand=hand)
        if hand:
            return []
        if not self._began:
            return self._begin(at_ms)
        settled = self._changes.settled(at_ms, _AGAIN_MS, _UNTOUCHED_MS)
        if not settled:
            return self._loose(at_ms)
        before = self._changes.known
        facts = self._facts(at_ms, before, settled)
        self._changes.accept(settled)
        if facts:
            told_ms = facts[0].at_ms
            self.moments.update({(p, told_ms): self._changes.moments[p] for p in settled})
        return facts

    def _begin(self, at_ms: float) -> list[Fact]:
        """The first looks say what stands there, unless that is known."""
        if not self._changes.begin(at_ms, _AGAIN_MS):
            return []
        self._began = True
        if self.start_pieces or not self.pieces:
            return []
        self.start_pieces = self.pieces
        return [Settled(at_ms=at_ms, pieces=self.pieces)]

    def _loose(self, at_ms: float) -> list[Fact]:
        """What a hand left at a place and nothing that belongs there explains."""
        place = self._changes.loose(at_ms, _LOOSE_MS)
        if place is None:
            return []
        layer = next(la for la in self._layers if la.id == place.partition(":")[0])
        return [Loose(at_ms=at_ms, place=place, kind=layer.specs[0].kind)]

    def _stirred(self, at_ms: float) -> frozenset[str]:
        """The places at which something moved a moment ago."""
        return self._stirred_since(at_ms - _STILL_MS)

    def _stirred_since(self, at_ms: float) -> frozenset[str]:
        assert self._moved_ms is not None
        recent = self._moved_ms > at_ms
        if not recent.any():
            return frozenset()
        return self._patches.within(recent)

    def _facts(
        self, at_ms: float, before: Mapping[str, Standing], after: Mapping[str, Standing]
    ) -> list[Fact]:
        """What changed at the places in `after`: first what is gone, then what came."""
        when = self._left_ms if self._left_ms is not None else at_ms
        by = self._seat
        gone: list[Fact] = []
        come: list[Fact] = []
        for place, now in after.items():
            was = before.get(place, ())
            rest = list(now)
            for kind, colour in was:
                if (kind, colour) in rest:
                    rest.remove((kind, colour))
                else:
                    gone.append(Emptied(at_ms=when, place=place, kind=kind, colour=colour, by=by))
            come += [
                Filled(at_ms=when, place=place, kind=kind, colour=colour, by=by)
                for kind, colour in rest
            ]
        changes = (*gone, *come)
        stood = sum(len(held) for held in before.values())
        if len(changes) < 2:
            return list(changes)
        if not come and len(gone) == stood:
            return [Cleared(at_ms=when)]
        return [Batch(at_ms=when, facts=changes)]

    def _as_pieces(self, known: Mapping[str, Standing]) -> tuple[Piece, ...]:
        pieces = []
        for place, stack in known.items():
            at = self.table.board.at(place)
            if at is None:
                continue
            for level, (kind, colour) in enumerate(stack):
                pieces.append(
                    Piece(
                        name=f"{place}/{kind}" if level else place,
                        kind=kind,
                        colour=colour,
                        at=at,
                        turn_deg=90.0 if place.startswith("edges:v:") else 0.0,
                    )
                )
        return tuple(pieces)


def _colour(frame: Frame) -> Picture:
    if frame.image.ndim == 3 or frame.colour is None:
        return frame.image
    return frame.colour()
