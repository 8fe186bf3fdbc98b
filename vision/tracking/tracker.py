"""Every piece's place in every frame, measured only where something may move.

A frame costs one coarse difference to the backdrop (the board with all resting pieces) and one fit
for each piece that moves. The backdrop is mended as pieces uncover the board.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.board import Board
from rules.facts import Piece, Pocketed, Rebounded
from rules.geometry import off_segment_mm
from vision.frame import SeenPiece
from vision.tracking.backdrop import noise_of
from vision.tracking.body import Bared, Body, Known, View
from vision.tracking.changes import CELL_PX, ChangeWatch
from vision.tracking.flying import clears_border
from vision.tracking.ground import Ground, rested
from vision.tracking.hands import Glimpse, HandWatch
from vision.tracking.in_hand import tell_hands
from vision.tracking.instant import Instant
from vision.tracking.measuring import measure
from vision.tracking.mistaken import (
    as_seen,
    cut_off,
    disown,
    follows_a_hand,
    let_go_of_hands,
    never_left,
    taken_for_each_other,
    wanders,
)
from vision.tracking.mouths import MouthWatch
from vision.tracking.reach import Reach
from vision.tracking.sent_off import notice_sent_off
from vision.tracking.set_down import face_of, know_look, notice_set_down, take_back
from vision.tracking.shutter import Shutter
from vision.tracking.steady import Steady
from vision.tracking.taken_up import all_in_sight, all_rested, leave_to_hands
from vision.tracking.tint import tint_of

Gray = NDArray[np.uint8]
_VANISHED_S, _FAINT_MM2 = 0.1, 300.0
_BESIDE_MM, _STRANGE, _CUE_MM2 = 40.0, 5, 150.0
_BY_IT_MM = 60.0  # so near, a hand may be about to move it


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame showed besides the pieces: where it differs from all that is known."""

    at_ms: float
    frame: int
    glimpse: Glimpse
    moving: int
    awake: int


class Tracker:
    """Follows pieces from a still start. Feed it gray frames in order."""

    def __init__(
        self, camera: Camera, board: Board, empty: Gray, colours: Gray | None = None
    ) -> None:
        """`empty` (H, W) is the empty board in gray, `colours` (H, W, 3) in colour, if known."""
        self.board = board
        self.ground = Ground(camera, empty, colours)
        self.exposure_s = 0.0
        self.shutter = Shutter()
        self.bodies: list[Body] = []
        self.frame_s = 1 / 60  # since the frame before this one
        self.period_s = 1 / 60  # from one frame of the camera to the next
        self._last_ms: float | None = None
        self._last_frame = 0
        self._picture: Gray | None = None  # the last frame
        self._in_colour: Callable[[], Gray] | None = None  # the same in colour
        self.vanished = False  # a piece at rest is no more seen where it lay, and no hand is there
        self.covered: frozenset[str] = frozenset()  # at rest under something that is no piece
        self.shifted = False  # what may be struck has just been seen to lie still elsewhere
        self._missed: frozenset[str] = frozenset()  # the pieces of which that has been noticed
        self._boxes: dict[tuple[str, tuple[float, float]], View] = {}
        self.changes = ChangeWatch(camera, board, self.ground)
        surface, crop = self.changes.surface, self.changes.crop
        self._steady = Steady(crop)
        corner = (crop[0].start, crop[1].start)
        self.reach = Reach(camera, board, surface.shape, CELL_PX, corner)
        self.mouths = MouthWatch(self.ground, board)
        self.hands = HandWatch(surface, CELL_PX * self.ground.pitch, CELL_PX, corner)

    @property
    def exposure_now(self) -> float:
        """What is known or taken for the exposure time, in seconds."""
        if self.exposure_s:
            return self.exposure_s
        return self.period_s * self.shutter.share

    @property
    def still_since_ms(self) -> float:
        """Since when nothing that is not small or slow has changed in the picture."""
        return self.changes.still_since_ms

    @property
    def changed_mm2(self) -> float:
        """How much of the surface looks otherwise than at the start, pieces and all.

        A piece laid close to others shows in this alone: what changes about these is taken for
        theirs while they are followed.
        """
        return self.changes.since_start() * self.hands.cell_mm**2

    @property
    def reached_over(self) -> bool:
        """Whether something that is no piece hides one at rest."""
        return bool(self.covered)

    @property
    def stirring(self) -> bool:
        """Whether a piece on the surface moves, or did a moment ago."""
        return any(
            b.moved and not b.gone and b.still * self.frame_s < 0.05 and b.lost * self.frame_s < 0.5
            for b in self.bodies
        )

    @property
    def hidden(self) -> bool:
        """Whether a hand lies where a piece that moves, or seemed to, was last seen."""
        return any(b.moved and not b.gone and self._hides(b) for b in self.bodies)

    def all_seen_since(self, at_ms: float) -> bool:
        """Whether every piece on the surface has been seen at some time since then."""
        now_ms = self._last_ms or at_ms
        return not any(
            body.lost * 1000 * self.frame_s > now_ms - at_ms
            for body in self.bodies
            if not body.gone
        )

    def left_to_hands(self) -> bool:
        """Whether all has come to rest. What a hand has taken up since lies there, for all that is
        known.
        """
        rested = all_rested(self.bodies, frame_s=self.frame_s)
        if rested:
            leave_to_hands(self.bodies)
        return rested

    def all_lie_in_sight(self) -> bool:
        """Whether pieces ran, and all of them are seen to lie still, whatever else stirs there."""
        return all_in_sight(self.bodies, frame_s=self.frame_s)

    def _hides(self, body: Body) -> bool:
        """Whether a piece was last seen in a hand, and something wide is there still.

        Where it seemed to run on in that hand while the picture stood still, it is the hand itself
        that was taken for it.
        """
        last = body.samples[-1]
        if not last.in_hand:
            return False
        box = self.ground.box_of(last.x_mm, last.y_mm, body.known, 1.0)
        return self.hands.share_over(box) > 0.0 or wanders(body, self.still_since_ms)

    def was_hidden(self, x_mm: float, y_mm: float) -> bool:
        """Whether a hand hid this place, or what stands there, when tracking began."""
        hidden = self.ground.hid
        if hidden is None:
            return False
        spot = self.ground.plane(0.0).spot(x_mm, y_mm)
        reach = 20.0 / self.ground.pitch
        top, left = int(max(spot.v - reach, 0)), int(max(spot.u - reach, 0))
        return bool(hidden[top : int(spot.v + reach) + 1, left : int(spot.u + reach) + 1].any())

    def touched(self, name: str) -> bool:
        """Whether anything has changed where the piece lay since tracking began."""
        return any(b.known.name == name and (b.awake or b.gone) for b in self.bodies)

    def disown_mistaken(self, seen: Sequence[SeenPiece] = ()) -> None:
        """Forget the ways of pieces that were no piece's; `seen` is what lies there now.

        Where that has not been looked at, the last frame tells what is at home still.
        """
        exchanged = taken_for_each_other(self.bodies)
        if not seen:
            seen = self._seen_at_home()
        for body in self.bodies:
            take_back(body)
            if (
                body.known.name in exchanged
                or never_left(body, seen, self.bodies)
                or follows_a_hand(body, self.bodies, self.hands, frame_s=self.frame_s)
            ):
                disown(body)
            elif wanders(body, self.still_since_ms):
                cut_off(body, self.still_since_ms)

    def _seen_at_home(self) -> list[SeenPiece]:
        """Those which seem to have moved, or their likes, that the last frame shows at home.

        Where another has been followed to, that shows.
        """
        if self._picture is None:
            return []
        ran = [body for body in self.bodies if body.moved and not body.gone]
        return [
            as_seen(body.known)
            for body in self.bodies
            if (body.moved or body.gone)
            and not any(o is not body and body.away_mm(o) < body.known.radius_mm for o in ran)
            and self.ground.shows_as_begun(self._picture, body)
        ]

    def places(self) -> dict[str, tuple[float, float]]:
        """Where the pieces are, in mm, that are seen now."""
        return {b.known.name: (b.x_mm, b.y_mm) for b in self.bodies if not (b.gone or b.lost)}

    @property
    def misses(self) -> bool:
        """Whether a piece is not seen now that has gone nowhere, as far as is known."""
        return any(body.lost and not body.gone for body in self.bodies)

    def falls_of(
        self, gone: Sequence[Piece], told: Collection[Pocketed | Rebounded]
    ) -> tuple[Pocketed, ...]:
        """The falls of those `gone` that were seen in a mouth; `told` falls are others'."""
        return self.mouths.falls_of(gone, told, self.frame_s, self.fast_names())

    def fast_names(self) -> frozenset[str]:
        """The pieces that were fast enough to have cleared the border."""
        return frozenset(b.known.name for b in self.bodies if clears_border(b.pace, self.board))

    def gone_names(self) -> frozenset[str]:
        """The pieces that are looked for no more: they left, or nobody saw where they came to."""
        return frozenset(body.known.name for body in self.bodies if body.gone)

    def lost_names(self) -> list[str]:
        """The pieces that are not seen now, though no hand lies where they lay."""
        return [
            body.known.name
            for body in self.bodies
            if body.lost
            and (
                body.moved
                or self.hands.share_over(self.ground.box_of(*body.home, body.known, 1.0)) == 0.0
            )
        ]

    # -- the still start ---------------------------------------------------------------------

    def begin(
        self,
        picture: Gray,
        pieces: Sequence[Known],
        *,
        noise: float | None = None,
        hidden: NDArray[np.bool_] | None = None,
        colours: Gray | None = None,
    ) -> None:
        """Take `picture` (still; best a mean of several frames) as the start.

        `hidden` (H, W): what a hand hides, which is none of the board. `colours` is the picture in
        colour, where there is such a picture. Without `noise` the camera is taken to be what it
        was when `begin` was called last: as noisy, and as sharp.
        """
        if noise is not None:
            self.ground.noise, self.ground.blur_px = noise, None
        self._steady.begin(picture)
        self.changes.begin(picture)
        self.ground.begun = colours
        self.bodies = self.ground.lay(picture, pieces, hidden)
        if colours is not None:
            for body in self.bodies:
                body.tint = tint_of(body.stamp.plane, colours, *body.home, body.known.radius_mm)
                body.face = face_of(body, colours)
                if not self.was_hidden(*body.home):
                    know_look(body, self.ground, lambda: colours)
        self.mouths.begin(self.bodies)
        self._boxes.clear()
        self._last_ms = None
        self.vanished, self.covered, self.shifted = False, frozenset(), False
        self._missed = frozenset()

    def reveal(self, picture: Gray) -> None:
        """The hand that was there from the start has left: what it hid is seen now."""
        self.ground.reveal(picture, self.bodies)

    def rebase(self) -> None:
        """Take what has come to rest as resting from now on; what has left play stays away."""
        for body in self.bodies:
            body.brought = None
            if body.moved and body.lost > 2:
                body.gone = True
            if body.gone:
                body.moved = False
                body.samples.clear()
            elif body.samples:
                ran = body.moved
                rested(body)
                if ran:
                    know_look(body, self.ground, self._in_colour)

    # -- a frame -----------------------------------------------------------------------------

    def step(
        self,
        picture: Gray,
        at_ms: float,
        frame: int,
        *,
        in_colour: Callable[[], Gray] | None = None,
    ) -> Look:
        """Follow all pieces into one more frame, the camera's `frame`-th: some may be left out.

        `in_colour` gives the same picture in colour.
        """
        if self._last_ms is not None and at_ms > self._last_ms:
            self.frame_s = (at_ms - self._last_ms) / 1000
            self.period_s = self.frame_s / max(1, frame - self._last_frame)
        self._last_ms, self._last_frame = at_ms, frame
        picture = self._picture = self._steady(picture)
        if (colours := in_colour) is not None:
            in_colour = cache(lambda: self._steady.likewise(colours()))
        self._in_colour = in_colour
        self.changes.look(picture, at_ms)
        change = self.changes.cells
        self._wake(picture, change, at_ms)
        now = self.instant(picture, at_ms, frame, in_colour=in_colour)
        measure(now, self.shutter, time_shutter=not self.exposure_s)
        explained = self._explained(change.shape)
        glimpse = self.hands.look(at_ms, change, explained)
        tell_hands(now)
        let_go_of_hands(now.awake, self.still_since_ms)
        notice_sent_off(now)
        notice_set_down(now)
        if now.awake:
            self.mouths.look(picture, at_ms, self.hands, in_colour)
        self.vanished = self._notice_missing(explained)
        self.covered = frozenset(
            body.known.name
            for body in self.bodies
            if body.awake
            and body.lost
            and not (body.moved or body.gone)
            and self._reached_over(body, explained)
        )
        self.shifted = self._notice_shifted()
        self.ground.mend(picture, self.bodies, self.hands)
        moving = sum(1 for body in self.bodies if body.awake and body.moved and not body.gone)
        awake = sum(1 for body in self.bodies if body.awake and not body.gone)
        return Look(at_ms, frame, glimpse, moving, awake)

    def instant(
        self,
        picture: Gray,
        at_ms: float,
        frame: int,
        *,
        in_colour: Callable[[], Gray] | None = None,
    ) -> Instant:
        """A frame as the pieces are looked for in it, by what is known of them so far."""
        return Instant(
            ground=self.ground,
            board=self.board,
            hands=self.hands,
            picture=picture,
            at_ms=at_ms,
            frame=frame,
            frame_s=self.frame_s,
            period_s=self.period_s,
            exposure_s=self.exposure_now,
            still_since_ms=self.still_since_ms,
            in_colour=in_colour,
            bodies=self.bodies,
        )

    def _notice_missing(self, explained: Gray) -> bool:
        """Whether a piece that is not seen where it lay, or only a little aside, is missed now for
        the first time.

        While something is over the surface, it may only be hidden.
        """
        missing = frozenset(
            body.known.name
            for body in self.bodies
            if body.awake
            and not (body.moved or body.gone)
            and max(body.lost, body.aside) * self.frame_s > _VANISHED_S - 0.5 * self.frame_s
            and not self._reached_over(body, explained)
        )
        if any(g.area_mm2 > _FAINT_MM2 for g in self.hands.glimpses_since(2 * _VANISHED_S)):
            self._missed &= missing
            return False
        fresh, self._missed = missing - self._missed, missing
        return bool(fresh)

    def _notice_shifted(self) -> bool:
        """Whether what may be struck is seen now, for the first time, to lie still a little off."""
        shifted = [body for body in self.bodies if body.crept and body.looks_whole]
        for body in shifted:
            body.crept = False
        return any(body.moved for body in shifted)

    def _reached_over(self, body: Body, explained: Gray) -> bool:
        """Whether something that is no piece is seen beside where one lay, if only on the border.

        A cue over a piece by the border changes nothing else of the surface.
        """
        box = self.hands.cells(self.ground.box_of(*body.home, body.known, _BESIDE_MM))
        strange = (self.changes.cells[box] > _STRANGE) & (explained[box] == 0)
        return float(strange.sum()) * self.hands.cell_mm**2 > _CUE_MM2

    def _home_cells(self, body: Body) -> View:
        key = (body.known.name, body.home)
        if key not in self._boxes:
            self._boxes[key] = self.hands.cells(self.ground.box_of(*body.home, body.known, 1.0))
        return self._boxes[key]

    # -- waking ------------------------------------------------------------------------------

    def _wake(self, picture: Gray, change: Gray, at_ms: float) -> None:
        movers = [b for b in self.bodies if b.awake and b.moved and not b.gone and b.speed > 0]
        for body in self.bodies:
            if body.awake or body.gone:
                continue
            if not any(self._may_meet(m, body) for m in movers):
                part = change[self._home_cells(body)]
                if not part.size or int(part.sum()) < 3 * part.size**0.5 + 12:
                    continue
                if self._flickers(picture, body):
                    continue
            body.awake, body.still, body.lost = True, 0, 0
            body.lay_ms = body.unmoved_ms = at_ms - 1000 * self.frame_s
            body.shown, body.held, body.bare_ms = 1.0, False, None
            body.vx_mm_s = body.vy_mm_s = 0.0
            body.nudged.clear()
            self.ground.erase(body, self.bodies)
            body.under.append(Bared(body.home))

    def _flickers(self, picture: Gray, body: Body) -> bool:
        """Whether what changes about a piece at rest is no more than coding makes of its rim: it
        looks as it did, and nothing is by it that could move it."""
        by_it = self.ground.box_of(*body.home, body.known, _BY_IT_MM)
        return self.hands.share_over(by_it) == 0.0 and self.ground.looks_as_laid(picture, body)

    def _may_meet(self, mover: Body, body: Body) -> bool:
        span = 2 * self.frame_s
        ex, ey = mover.vx_mm_s * span, mover.vy_mm_s * span
        to_body = (body.x_mm - mover.x_mm, body.y_mm - mover.y_mm)
        run = hypot(ex, ey)
        reach = body.known.radius_mm + mover.known.radius_mm + 8 + 0.1 * run
        if hypot(*to_body) - run >= reach:  # as a rule, and told at once
            return False
        return off_segment_mm(to_body, (0.0, 0.0), (ex, ey)) < reach

    def _explained(self, shape: tuple[int, ...]) -> Gray:
        """255 over the cells where pieces, or the places they have left, explain a difference."""
        mask = np.zeros(shape, dtype=np.uint8)
        for body in self.bodies:
            if not body.awake or body.gone:
                continue
            grow = 8.0 + body.speed * self.frame_s * 0.3
            box = self.ground.box_of(body.x_mm, body.y_mm, body.known, grow)
            mask[self.hands.cells(box)] = 255
            for bare in body.under:
                mask[self.hands.cells(self.ground.box_of(*bare.place, body.known, 6.0))] = 255
        return mask


def still_picture(pictures: Sequence[Gray]) -> tuple[Gray, float]:
    """The mean of still pictures, and one sd of their noise."""
    mean = np.mean(np.stack([p.astype(np.float32) for p in pictures]), axis=0)
    noise = noise_of(pictures[0], pictures[-1]) if len(pictures) > 1 else 1.5
    return np.asarray(mean + 0.5, dtype=np.uint8), noise
