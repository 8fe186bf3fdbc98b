"""What stands where, what looks otherwise by now, and when that is settled.

A piece that a larger one hides whole was not seen to go: it is known to be there still, until its
place shows otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import cast

from rules.board import PieceSpec, Shape
from rules.facts import Piece
from vision.frame import Observation
from vision.lattice.places import Layer

_PATIENCE_MS = 400.0
_ROOM_MM = 2.5
"""So much wider all around than another is a piece that hides it, a little aside though it lies."""

Standing = tuple[tuple[str, str], ...]
"""What stands at a place, lowest first: (kind, colour)."""


@dataclass(slots=True)
class _Doubt:
    """A place that looks otherwise than known: what it shows, since when, at how many looks."""

    shows: Standing
    since_ms: float
    last_ms: float
    looks: int = 1


class Changes:
    """Keeps what is known of every place, and what several looks in a row say otherwise."""

    def __init__(self, layers: Sequence[Layer], known: Mapping[str, Standing] | None) -> None:
        self.known: dict[str, Standing] = dict(known or {})
        self.moments: dict[str, float] = {}
        self._layers = layers
        self._hiding = {layer.id: _hiding(layer) for layer in layers}
        self._latest: dict[str, Standing] = {}
        self._unclear: frozenset[str] = frozenset()
        self._unseen: set[str] = set()
        self._told = known is not None
        self._doubts: dict[str, _Doubt] = {}
        self._hidden: dict[str, tuple[float, float]] = {}
        self._touched: set[str] = set()
        self._unclear_ms: dict[str, float] = {}
        self._visit: tuple[float, float] | None = None
        self._first: tuple[float, dict[str, Standing]] | None = None

    @property
    def open(self) -> bool:
        """Whether some place looks otherwise than known."""
        return bool(self._doubts)

    @property
    def unsure(self) -> bool:
        """Whether a place that a hand has left cannot be made out yet."""
        return not self._touched.isdisjoint(self._unclear_ms)

    def forget(self) -> None:
        """Sight was lost: what looked otherwise must be seen anew, and may be anywhere."""
        self._doubts.clear()

    def look(self, at_ms: float, seen: Observation, *, stirred: frozenset[str], hand: bool) -> None:
        """Take in one look. At `stirred` places something moved a moment ago."""
        shows = shown(seen, self._layers)
        for place in seen.unknown:
            first, _ = self._hidden.get(place, (at_ms, at_ms))
            self._hidden[place] = (first, at_ms)
            self._doubts.pop(place, None)
        if hand:
            self._touched |= seen.unknown
            self._unclear_ms.clear()
        self._touched |= stirred
        places = {*self.known, *shows, *self._doubts} - seen.unknown
        for place in sorted(places):  # so that the same pictures are always told alike
            now = self._with_hidden(place, shows.get(place, ()))
            doubt = self._doubts.get(place)
            if now == self.known.get(place, ()):
                self._doubts.pop(place, None)
            elif place in stirred or doubt is None or doubt.shows != now:
                self._doubts[place] = _Doubt(shows=now, since_ms=at_ms, last_ms=at_ms)
            else:
                doubt.last_ms = at_ms
                doubt.looks += 1
        if not hand:
            self._latest = shows
            self._unclear = seen.unknown
            since = self._unclear_ms
            self._unclear_ms = {place: since.get(place, at_ms) for place in sorted(seen.unknown)}

    def _with_hidden(self, place: str, shows: Standing) -> Standing:
        """What stands there if it `shows` this: beneath it is all that was and cannot be seen."""
        hidden: list[tuple[str, str]] = []
        for piece in self.known.get(place, ()) if shows else ():
            if piece in shows or (shows[0], piece) not in self._hiding[place.partition(":")[0]]:
                break
            hidden.append(piece)
        return (*hidden, *shows)

    def loose(self, at_ms: float, for_ms: float) -> str | None:
        """A place that a hand has left, and that nothing has explained for so long since: what lies
        there is not seated. Of several the one first unclear; each place is told once."""
        for place, since_ms in self._unclear_ms.items():
            if place in self._touched and at_ms - since_ms >= for_ms:
                self._touched -= set(self._unclear_ms)
                return place
        return None

    def visited(self, since_ms: float, until_ms: float, touched: frozenset[str]) -> None:
        """A hand was over the surface from then till then, and moved at the places `touched`."""
        self._visit = (since_ms, until_ms)
        self._touched |= touched

    def begin(self, at_ms: float, apart_ms: float) -> bool:
        """Whether two looks agree on what stands there at the start; then that is known.

        What was unclear then is known, without a word, as soon as it is seen.
        """
        if self._told:
            return True
        shows = self._latest
        if self._first is None or self._first[1] != shows:
            self._first = (at_ms, shows)
            return False
        if at_ms - self._first[0] < apart_ms:
            return False
        self.known = dict(shows)
        self._unseen = set(self._unclear)
        self._doubts.clear()
        self._hidden.clear()
        return True

    def settled(self, at_ms: float, apart_ms: float, untouched_ms: float) -> dict[str, Standing]:
        """The places whose change has settled, all of them or none.

        While a place a hand has touched still changes its looks, all wait for it, but not for long:
        one that never settles must not keep the others back.
        """
        self._learn_unseen()
        ready: dict[str, Standing] = {}
        for place, doubt in self._doubts.items():
            touched = place in self._touched
            needed = apart_ms if touched else untouched_ms
            if place in self._unseen and not touched:
                continue
            if doubt.looks >= (2 if touched else 4) and at_ms - doubt.since_ms >= needed - 1:
                ready[place] = doubt.shows
            elif touched and at_ms - (self._visit or (0.0, at_ms))[1] < _PATIENCE_MS:
                return {}
        return ready

    def _learn_unseen(self) -> None:
        """What was unclear at the start and was not touched since has stood there all the time."""
        for place in self._unseen - self._touched:
            doubt = self._doubts.get(place)
            if doubt is not None and doubt.looks >= 4:
                self._set(place, doubt.shows)
        self._unseen &= set(self._doubts) | self._unclear

    def _set(self, place: str, held: Standing) -> None:
        if held:
            self.known[place] = held
        else:
            self.known.pop(place, None)
        self._doubts.pop(place, None)

    def accept(self, settled: Mapping[str, Standing]) -> None:
        """From now on this is known of these places."""
        for place, held in settled.items():
            self.moments[place] = self._moment(place)
            self._unseen.discard(place)
            self._set(place, held)
        self._hidden.clear()
        self._touched &= set(self._unclear_ms)
        self._visit = None

    def _moment(self, place: str) -> float:
        """The middle of the time a hand hid the place; else of its visit; else when it showed."""
        span = self._hidden.get(place) or self._visit
        if span is None:
            return self._doubts[place].since_ms
        return (span[0] + span[1]) / 2


def _hiding(layer: Layer) -> frozenset[tuple[tuple[str, str], tuple[str, str]]]:
    """Which piece, (kind, colour), hides which beneath it; only in cells one lies on another."""
    return frozenset(
        ((upper.kind, upper.colour), (lower.kind, lower.colour))
        for upper in layer.specs
        for lower in layer.specs
        if layer.id == "cells" and _hides(upper, lower)
    )


def _hides(upper: PieceSpec, lower: PieceSpec) -> bool:
    corner = sqrt(2) if lower.shape is Shape.SQUARE else 1.0
    wide_mm = corner * lower.diameter_mm / 2 + _ROOM_MM
    return upper.shape is not Shape.RING and wide_mm <= upper.diameter_mm / 2


def shown(seen: Observation, layers: Sequence[Layer]) -> dict[str, Standing]:
    """What an observation shows at every place that holds something, by its full name."""
    return {
        f"{layer.id}:{key}": _standing(layer, what)
        for layer in layers
        for key, what in seen.lattice.get(layer.id, {}).items()
    }


def _standing(layer: Layer, what: object) -> Standing:
    """A place of an observation's lattice: a peg's colour, a stick's kind, or pieces."""
    if isinstance(what, str):
        spec = next(s for s in layer.specs if what in (s.colour, s.kind))
        return ((spec.kind, spec.colour),)
    stack = cast("list[dict[str, str]]", what if isinstance(what, list) else [what])
    return tuple((piece["kind"], piece["colour"]) for piece in stack)


def standing_in(pieces: Sequence[Piece]) -> dict[str, Standing]:
    """What stands where, of pieces that are called by their places."""
    found: dict[str, Standing] = {}
    for piece in pieces:
        place = piece.name.partition("/")[0]
        if ":" in place:
            found[place] = (*found.get(place, ()), (piece.kind, piece.colour))
    return found
