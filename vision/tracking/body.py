"""A piece that is being followed: what is known of it, and its measured places."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.facts import Piece
from vision.strikers import CUED, FLICKED
from vision.tracking.fitting import Fix
from vision.tracking.lying import Laid
from vision.tracking.plane import Patch
from vision.tracking.stamp import Cover, Stamp
from vision.tracking.tint import Tint

View = tuple[slice, slice]
_GOOD, _FAIR = 0.7, 0.4
_SUNK = 0.95  # what has sunk must look wholly like itself to have come back
_AWAY_MM = 2.0
_ABOUT = 0.6  # of the radius: what is covered and farther off may be something else
_SAME_MM = 0.3
WHOLE = 0.93  # of what explains it where it lay: nothing hides it
LIKE_ITSELF = 0.85  # of what explains it where it lay; less, and it may be a hand
_BY_ITSELF = 3  # samples
_SENT = 1.7  # times as fast as what hit it


class Placed(Protocol):
    """Whatever has a place, mm."""

    @property
    def x_mm(self) -> float: ...

    @property
    def y_mm(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A piece as it lies when tracking begins."""

    name: str
    kind: str
    colour: str
    x_mm: float
    y_mm: float
    error_mm: float
    radius_mm: float
    thickness_mm: float
    hole_mm: float = 0.0


def known_of(piece: Piece, board: Board) -> Known:
    """A piece of the board's, as it lies now."""
    spec = board.piece(piece.kind, piece.colour)
    return Known(
        name=piece.name,
        kind=piece.kind,
        colour=piece.colour,
        x_mm=piece.at.x_mm,
        y_mm=piece.at.y_mm,
        error_mm=piece.error_mm,
        radius_mm=spec.diameter_mm / 2,
        thickness_mm=spec.thickness_mm,
        hole_mm=spec.hole_mm,
    )


@dataclass(slots=True)
class Sample:
    """One measured place; `at_ms` is the start of the frame's exposure.

    `in_hand`: a hand lay all about, and what was seen there was little like the piece.
    """

    at_ms: float
    frame: int
    x_mm: float
    y_mm: float
    error_mm: float
    share: float
    in_hand: bool = False

    @classmethod
    def of(cls, place: Fix, at_ms: float, frame: int) -> "Sample":
        """A place found in a frame."""
        return cls(at_ms, frame, place.x_mm, place.y_mm, place.error_mm, place.share)


@dataclass(frozen=True, slots=True)
class Seal:
    """What a piece at rest looked like when it was last measured: equal pixels, equal place."""

    view: View
    pixels: NDArray[np.uint8]
    fix: Fix


@dataclass(frozen=True, slots=True)
class Vain:
    """What a search that found a piece nowhere told nonetheless: as long as the picture stands
    still, another one tells the same. `lay`: enough of it shows where it lay."""

    at_ms: float
    half_seen: tuple[Fix, ...]
    lay: bool


@dataclass(slots=True)
class Bared:
    """A place that a piece has left: what it looked like last, and for how many frames so.

    `mask` are its pixels in a box of the picture, once they have been asked for.
    """

    place: tuple[float, float]
    mask: tuple[View, NDArray[np.bool_]] | None = None
    pixels: NDArray[np.uint8] | None = None
    still: int = 0


@dataclass(frozen=True, slots=True)
class Brought:
    """That a hand brought a piece to where it lies now: when, from where, and what was seen."""

    at_ms: float
    home: tuple[float, float]
    known: Known
    samples: tuple[Sample, ...]
    lay_ms: float | None
    unmoved_ms: float | None


@dataclass(slots=True)
class Body:
    known: Known
    stamp: Stamp
    home: tuple[float, float]  # where it lies, or last lay, at rest
    x_mm: float
    y_mm: float
    vx_mm_s: float = 0.0
    vy_mm_s: float = 0.0
    awake: bool = False
    moved: bool = False
    lost: int = 0
    gone: bool = False
    flew: tuple[float, float, float] | None = None  # ms, mm: seen in the air past the border
    still: int = 0
    samples: list[Sample] = field(default_factory=list)
    covered: list[tuple[Sample, ...]] = field(default_factory=list)  # places to be borne out
    under: list[Bared] = field(default_factory=list)  # places to mend
    seems: tuple[float, float] | None = None  # where its stamp finds it as it lies at home
    best: float = 0.8  # how well its stamp explains it where it lay
    speed: float = 0.0  # when last seen
    pace: float = 0.0  # how fast it lately was: a cushion slows it only for a frame
    push: float = 0.0  # how fast what may have hit it ran, until it has run by itself
    inside: int = 0  # frames in a pocket's mouth
    sinks: bool = False  # last seen in one by its colour alone
    sank: bool = False  # seen in one in a way in which nothing flies over it
    runs: int = 0  # samples since it began to run
    turned: bool = False  # on its way, and sharply, just before it was seen last
    seal: Seal | None = None
    flicker: float = 0.0  # by how much, squared, its look has changed where it lay still
    vain: Vain | None = None  # when it was last looked for and found nowhere
    tint: Tint | None = None
    face: Patch | None = None  # (n, n, 3) its colours in the still picture, if it may be flicked
    laid: Laid | None = None  # how it looked where it lies: for what a finger may flick
    in_part: bool = False  # a hand hid some of it then
    lay_ms: float | None = None  # until when it surely lay there, though it was not measured
    lay_before_ms: float | None = None  # the same, as a frame before told
    unmoved_ms: float | None = (
        None  # until when it had surely not been pushed, not even by a little
    )
    shown: float = 1.0  # how much of it there showed when last looked for
    held: bool = False  # a hand lies by it, and it was not seen since
    bare_ms: float | None = None  # since when the board shows where it lay, and it nowhere
    set_off_unseen: bool = False  # it was held so, and runs: nobody knows how fast it came
    brought: Brought | None = None  # by a hand, since the last look: it may be struck from there
    perhaps: tuple[int, Fix] | None = None
    """Where it may have been set down, as it was last found there, and in which frame."""
    nudged: list[Sample] = field(default_factory=list)
    """Where its colours showed it since they last showed it at home."""
    aside: int = 0  # frames in which it looked like itself a little beside where it lay
    sent_ms: float | None = None  # since when nobody hides its place, and it is seen nowhere
    crept: bool = False  # it was found off home only when it lay still there, half hidden

    @property
    def enough(self) -> float:
        """How much of it must be explained to take a fit without looking elsewhere."""
        if self.sinks:
            return self.least
        return max(_GOOD, 0.82 * self.best) if self.moved else max(0.96 * self.best, 0.82)

    @property
    def least(self) -> float:
        """How much of it must be explained to be taken for it at all."""
        return max(_FAIR, (_SUNK if self.sinks else 0.5) * self.best)

    @property
    def runs_by_itself(self) -> bool:
        """Whether its pace is known: between the first two samples a cushion may have turned it."""
        return self.runs >= _BY_ITSELF

    @property
    def has_just_set_off(self) -> bool:
        """Whether nobody knows its pace: a single place does not tell how long it has run."""
        return not self.moved or self.runs == 1

    @property
    def sets_off_anyhow(self) -> bool:
        """Whether it may run off as fast as what is struck, for all that is known."""
        return self.cued or self.set_off_unseen

    @property
    def sent_mm_s(self) -> float:
        """How fast what may have hit it can have sent it off, at the most.

        A light piece leaves a heavy one faster than that came.
        """
        return _SENT * self.push

    @property
    def mass(self) -> float:
        return self.known.radius_mm**2 * self.known.thickness_mm

    @property
    def cued(self) -> bool:
        """Whether a cue or a finger may strike it."""
        return self.known.kind in CUED

    @property
    def flicked(self) -> bool:
        """Whether it is a finger that may strike it."""
        return self.known.kind in FLICKED

    @property
    def looks_whole(self) -> bool:
        """Whether it was found in the last frame, and nothing hides any of it there."""
        return self.lost == 0 and bool(self.samples) and self.samples[-1].share > WHOLE * self.best

    @property
    def last(self) -> tuple[float, float]:
        """Where it was last seen."""
        return (self.samples[-1].x_mm, self.samples[-1].y_mm) if self.samples else self.home

    def lies(self, at_ms: float) -> None:
        """Enough of it shows where it lay, though it cannot be measured in this frame."""
        if self.lay_ms != at_ms:
            self.lay_before_ms = self.lay_ms
        self.lost, self.lay_ms = 0, at_ms

    def stay_unless_seen(self) -> None:
        """Take a piece that was seen nowhere but at home, and in a hand, for one not seen to leave.

        What may be struck may have been all the same: it is `held`.
        """
        if not all(s.in_hand for s in self.samples if self._away(s)):
            return
        self.samples[:] = [s for s in self.samples if not self._away(s)]
        self.moved, self.runs, self.still, self.seal = False, 0, 0, None
        self.vx_mm_s = self.vy_mm_s = self.speed = self.pace = 0.0
        self.x_mm, self.y_mm = self.home
        self.held, self.lost = self.cued, self.lost + 1

    def away_mm(self, place: Placed) -> float:
        """How far a place is from the one where it lay."""
        return hypot(place.x_mm - self.home[0], place.y_mm - self.home[1])

    def share_at_home(self, places: Sequence[Fix]) -> float:
        """How well a resting piece, half hidden perhaps, is still explained where it lay."""
        near = 0.2 * self.known.radius_mm
        return max((place.share for place in places if self.away_mm(place) < near), default=0.0)

    def may_lie_at(self, place: Placed) -> bool:
        """Whether a place is about the one where it lay: it may have been pushed so far."""
        return self.away_mm(place) < self._about_mm

    def showed_near(self, place: Placed) -> bool:
        """Whether half of it showed about a place when it was last looked for."""
        lately = self.covered[-1] if self.covered else ()
        reach = self._about_mm
        return any(hypot(place.x_mm - p.x_mm, place.y_mm - p.y_mm) < reach for p in lately)

    def is_as_foreseen(self, first: Fix | None, best: Fix | None) -> bool:
        """Whether it runs by itself, and stands out most (`best`) where it was found `first`.

        There it is, though it may look less like itself than it did at home.
        """
        if first is None or best is None or not self.runs_by_itself:
            return False
        return hypot(best.x_mm - first.x_mm, best.y_mm - first.y_mm) < _SAME_MM

    def may_be_a_hand(self, found: Fix) -> bool:
        """Whether what was found, far from where it lay, is perhaps the hand that lies by it."""
        return self.held and not self.like_itself(found.share) and not self.may_lie_at(found)

    def like_itself(self, share: float) -> bool:
        """Whether so large a share, as that of a `Fix`, is no hand that looks like it."""
        return share > LIKE_ITSELF * self.best

    @property
    def _about_mm(self) -> float:
        return _ABOUT * self.known.radius_mm

    def _away(self, sample: Sample) -> bool:
        return self.away_mm(sample) > _AWAY_MM

    def cover(
        self, fix: Fix | None, place: tuple[float, float], blur: tuple[float, float]
    ) -> Cover:
        """The piece as something that hides others: as fitted, else at a guessed `place`."""
        if fix is None:
            return Cover(self.stamp, *place, blur)
        return Cover(self.stamp, fix.x_mm, fix.y_mm, blur, fix.gain)
