"""A stream of frames in, facts out, each as soon as it is certain.

The witness looks closely (`observe`) only at still pictures: at the start, and whenever all has
come to rest. In between it follows the pieces (`vision.motion`). A spell of motion is solved as a
whole when it has ended; `Settled` comes when nothing has moved for the rest time and no hand is
there.
Memory and delay are bounded by one spell of motion.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.facts import (
    Contacted,
    Cushioned,
    Fact,
    HandEntered,
    HandLeft,
    LeftBoard,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Rebounded,
    Removed,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
)
from rules.geometry import Point, Seat
from vision.frame import Frame, Observation, Picture, Sighting
from vision.motion.body import Known
from vision.motion.drags import dragged
from vision.motion.hands import seat_of
from vision.motion.knocks import Knock
from vision.motion.naming import first_names, match
from vision.motion.shots import Spell, solve
from vision.motion.timeline import Timeline
from vision.motion.tracker import Tracker, still_picture

Gray = NDArray[np.uint8]
Look = Callable[[Picture, Table], Observation]
Judge = Callable[[Picture], str | None]

_STILL_MS = 150.0
_SOLVE_MS = 220.0
_LOOK_AHEAD_MS = 550.0
_START_WAIT_MS = 100.0
_UNMOVED_MM = 2.5
_SLOW_MM_S = 60.0


@dataclass(slots=True)
class _Hand:
    since_ms: float | None = None
    last_ms: float = 0.0
    seat: Seat | None = None
    widest: Picture | None = None
    area_mm2: float = 0.0
    certain: bool = False


@dataclass(slots=True)
class _Still:
    """How long the picture has kept still, and its last frames."""

    since_ms: float = 0.0
    frames: list[tuple[Gray, Frame]] = field(default_factory=list)


class Witness:
    """Feed it frames in order; it answers with what has become certain.

    `look` is `vision.observe.observe` unless another is given. `pieces` are the names and places
    to begin with, where they are known; otherwise the first still picture tells. `judge` gives the
    reason why a frame cannot be trusted, or None.
    """

    def __init__(
        self,
        table: Table,
        *,
        look: Look | None = None,
        judge: Judge | None = None,
        pieces: Sequence[Piece] = (),
        rest_ms: float = 1000.0,
    ) -> None:
        if look is None:
            from vision.observe import observe

            look = observe
        self.table = table
        self.rest_ms = rest_ms
        self.pieces: tuple[Piece, ...] = tuple(pieces)
        self.running = False
        self._look = look
        self._judge = judge
        empty = table.empty
        gray = cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY) if empty.ndim == 3 else empty
        self._tracker = Tracker(table.camera, table.board, np.asarray(gray, dtype=np.uint8))
        self._begun = False
        self._settled = False
        self._away: list[str] = []
        self._still = _Still()
        self._hand = _Hand()
        self._spell_from: int | None = None
        self._last_stir_ms = 0.0
        self._begin_ms = 0.0
        self._first_ms: float | None = None
        self._last: Frame | None = None
        self._solved = True
        self._blind: str | None = None
        self._waiting: tuple[float, tuple[Piece, ...], int] | None = None
        self._knew: tuple[Piece, ...] = ()
        self._disturbed = True
        self._ran: dict[str, tuple[float, float]] = {}
        self.start_pieces: tuple[Piece, ...] = ()
        self.rest_at_ms: float | None = None  # when the last spell of motion came to rest

    # -- the stream --------------------------------------------------------------------------

    def feed(self, frame: Frame) -> list[Sighting]:
        """All that this frame makes certain, in order of time."""
        why = self._judge(frame.image) if self._judge else None
        if why is not None:
            return self._lose(frame.at_ms, why)
        found: list[Sighting] = []
        if self._blind is not None:
            found.append(Sighting(fact=SightRegained(at_ms=frame.at_ms), frames=(frame.number,)))
            self._blind = None
            self._restart()
        gray = _gray(frame.image)
        if self._first_ms is None:
            self._first_ms = frame.at_ms
        if not self._begun:
            found += self._start(gray, frame)
        else:
            found += self._follow(gray, frame)
        self._last = frame
        return found

    def lose(self, at_ms: float, why: str) -> list[Sighting]:
        """The source itself says that it gives no frames any more."""
        return self._lose(at_ms, why)

    def finish(self) -> list[Sighting]:
        """All that can still be said when the stream has ended."""
        if self._last is None:
            return []
        found: list[Sighting] = []
        if not self._begun and self._still.frames:
            self._begin([gray for gray, _ in self._still.frames], self._still.frames[-1][1])
        if not self._solved:
            found += self._solve(self._last.at_ms + 1000 * self._tracker.frame_s)
        if self._hand.since_ms is not None:
            found += self._end_hand(self._last)
        return found

    def final_pieces(self) -> tuple[Piece, ...]:
        """All that lies on the surface now, as last seen or followed."""
        return tuple(
            replace(piece, at=Point(*self._ran[piece.name])) if piece.name in self._ran else piece
            for piece in self.pieces
            if piece.name not in self._away
        )

    def _lose(self, at_ms: float, why: str) -> list[Sighting]:
        if self._blind is not None:
            return []
        found = self._solve(at_ms) if not self._solved else []
        self._blind = why
        return [*found, Sighting(fact=SightLost(at_ms=at_ms, why=why))]

    def _restart(self) -> None:
        self._begun = False
        self._settled = False
        self._still = _Still()
        self._first_ms = None

    # -- the start ---------------------------------------------------------------------------

    def _start(self, gray: Gray, frame: Frame) -> list[Sighting]:
        frames = self._still.frames
        if frames and not _same(frames[-1][0], gray):
            frames.clear()
            self._still.since_ms = frame.at_ms
        frames.append((gray, frame))
        waited = frame.at_ms - self._still.since_ms if len(frames) > 1 else 0.0
        # a cue or a hand that moves already is no reason to miss the shot
        late = self._first_ms is not None and frame.at_ms - self._first_ms >= _START_WAIT_MS
        if not late and (len(frames) < 3 or waited < _START_WAIT_MS / 2):
            return []
        return self._begin([g for g, _ in frames[-8:]], frame)

    def _begin(self, grays: list[Gray], frame: Frame) -> list[Sighting]:
        """Look at a still picture, name what lies there, and follow it from here."""
        seen = self._look(_colour(frame), self.table)
        if seen.blind is not None:
            return self._lose(frame.at_ms, seen.blind)
        found: list[Sighting] = []
        if self.pieces:
            self._knew = self.pieces
            self.pieces = match(self.pieces, seen, self._away).pieces
        else:
            self.pieces = first_names(seen.pieces)
            self._knew = self.pieces
        if not self.start_pieces:
            self.start_pieces = self.pieces
        start = self._still.frames[0][1].at_ms if self._still.frames else frame.at_ms
        if seen.hand and self._hand.since_ms is None:
            seat: Seat | None = None
            self._hand = _Hand(since_ms=start, last_ms=frame.at_ms, certain=True)
            found.append(Sighting(fact=HandEntered(at_ms=start, side=seat), frames=(frame.number,)))
        picture, noise = still_picture(grays)
        self._track_from(picture, noise)
        self._begun = True
        self._begin_ms = start
        self._last_stir_ms = start
        self._disturbed = True
        for gray, old in self._still.frames:
            self._tracker.step(gray, old.at_ms, old.number)
        self._still.frames.clear()
        return found

    def _track_from(self, picture: Gray, noise: float | None) -> None:
        board = self.table.board
        known = []
        for piece in self.pieces:
            spec = board.piece(piece.kind, piece.colour)
            known.append(
                Known(
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
            )
        self._tracker.begin(picture, known, noise=noise)
        self._solved = True

    # -- following ---------------------------------------------------------------------------

    def _follow(self, gray: Gray, frame: Frame) -> list[Sighting]:
        found: list[Sighting] = []
        tracker = self._tracker
        if frame.exposure_ms > 0:
            tracker.exposure_s = frame.exposure_ms / 1000
        look = tracker.step(gray, frame.at_ms, frame.number)
        glimpse = look.glimpse
        hand_moves = glimpse.width_mm > 20 and glimpse.moving_mm2 > 150
        if tracker.stirring or glimpse.moving_mm2 > 150:
            self._last_stir_ms = frame.at_ms
            self._settled = False
        if (tracker.stirring or hand_moves) and self._waiting is not None:
            self._waiting, self._disturbed = None, True
        if tracker.stirring:
            self._solved = False
            self._disturbed = True
            self.running = True
        found += self._watch_hand(gray, frame, glimpse.width_mm, glimpse.area_mm2, hand_moves)
        quiet = frame.at_ms - self._last_stir_ms
        if not self._solved and quiet >= _SOLVE_MS:
            found += self._solve(frame.at_ms)
        if self._settled or self._hand_is_there(glimpse.width_mm):
            return found
        if self._waiting is None and quiet >= self.rest_ms - _LOOK_AHEAD_MS and self._disturbed:
            found += self._take_stock(gray, frame)
        if self._waiting is not None and quiet >= self.rest_ms:
            _, pieces, number = self._waiting
            self._waiting = None
            self._settled = True
            fact = Settled(at_ms=self._last_stir_ms + self.rest_ms, pieces=pieces)
            found.append(Sighting(fact=fact, frames=(number, frame.number)))
        return found

    def _hand_is_there(self, width_mm: float) -> bool:
        return self._hand.since_ms is not None and self._hand.certain and width_mm > 20

    # -- hands -------------------------------------------------------------------------------

    def _watch_hand(
        self, gray: Gray, frame: Frame, width_mm: float, area_mm2: float, moves: bool
    ) -> list[Sighting]:
        hand = self._hand
        if hand.since_ms is None:
            if width_mm > 28 and area_mm2 > 2500 and moves:
                mask = self._tracker.hands.glimpses[-1].mask
                seat = None if mask is None else seat_of(mask, self._tracker.surface)
                self._hand = _Hand(
                    self._since(width_mm), frame.at_ms, seat, _colour(frame), area_mm2
                )
            return []
        if moves or width_mm > 28:
            if moves:
                hand.last_ms = frame.at_ms
            if not hand.certain and area_mm2 > 1.3 * hand.area_mm2:
                hand.area_mm2, hand.widest = area_mm2, _colour(frame)
        if frame.at_ms - hand.last_ms > _STILL_MS:
            return self._end_hand(frame)
        return []

    def _since(self, width_mm: float) -> float:
        """Back to where the blob that is now a hand began to show."""
        start = self._tracker.hands.glimpses[-1].at_ms
        for glimpse in reversed(self._tracker.hands.glimpses):
            if glimpse.area_mm2 < 300 or start - glimpse.at_ms > 400:
                break
            start = glimpse.at_ms
        return start

    def _end_hand(self, frame: Frame) -> list[Sighting]:
        """Nothing wide moves any more: is it gone, or does it only lie still?"""
        hand = self._hand
        assert hand.since_ms is not None
        found: list[Sighting] = []
        if not hand.certain:
            seen = self._look(hand.widest, self.table) if hand.widest is not None else None
            if seen is None or not seen.hand:
                self._hand = _Hand()
                return []
            hand.certain = True
            found.append(Sighting(fact=HandEntered(at_ms=hand.since_ms, side=hand.seat)))
        now = self._look(_colour(frame), self.table)
        if now.hand:
            hand.last_ms = frame.at_ms
            return found
        end = hand.last_ms + 500 * self._tracker.frame_s
        found.append(Sighting(fact=HandLeft(at_ms=end, side=hand.seat), frames=(frame.number,)))
        self._hand = _Hand()
        self._disturbed = True
        return found

    # -- what happened -----------------------------------------------------------------------

    def _solve(self, now_ms: float) -> list[Sighting]:
        """Name all that happened in the spell of motion that has ended."""
        tracker = self._tracker
        self._solved = True
        self.running = False
        spell = solve(
            tracker.bodies,
            self.table.board,
            frame_s=tracker.frame_s,
            exposure_s=tracker.exposure_now,
            until_s=now_ms / 1000,
        )
        facts = spell_facts(spell)
        if any(line.moved for line in spell.lines):
            last_stop = spell.end_s is not None and spell.end_s >= spell.last_event_s - 1e-6
            self.rest_at_ms = 1000 * spell.end_s if spell.end_s and last_stop else None
        numbers = tuple(
            sorted({s.frame for body in tracker.bodies if body.moved for s in body.samples})
        )
        ends = (numbers[0], numbers[-1]) if numbers else ()
        for line, body in zip(spell.lines, tracker.bodies, strict=True):
            left = line.moved and line.ending.kind in ("pocketed", "off_board")
            if left and body.known.name not in self._away:
                self._away.append(body.known.name)
        self._ran.update(
            {line.track.name: line.final_place() for line in spell.lines if line.moved}
        )
        tracker.rebase()
        return [Sighting(fact=fact, frames=ends) for fact in facts]

    def _take_stock(self, gray: Gray, frame: Frame) -> list[Sighting]:
        """Look at the still picture: what lies where, and what a hand has changed."""
        seen = self._look(_colour(frame), self.table)
        if seen.hand or seen.blind is not None:
            if seen.hand and self._hand.since_ms is None:
                self._hand = _Hand(self._last_stir_ms, frame.at_ms, None, None, 0.0, True)
                return [Sighting(fact=HandEntered(at_ms=self._last_stir_ms))]
            return []
        ran = self._ran
        expected = []
        for piece in self.pieces:
            if piece.name in self._away:
                continue
            place = ran.get(piece.name)
            at = Point(*place) if place else piece.at
            expected.append(
                Piece(
                    name=piece.name,
                    kind=piece.kind,
                    colour=piece.colour,
                    at=at,
                    error_mm=piece.error_mm,
                )
            )
        matched = match(expected, seen, self._away)
        at_ms = self._last_stir_ms
        found: list[Fact] = []
        before = {piece.name: piece for piece in expected}
        pieces = []
        for piece in matched.pieces:
            if piece.name in matched.fresh:
                if not self._tracker.changed_at(piece.at.x_mm, piece.at.y_mm):
                    continue  # nothing has changed there: it is no new piece
                pieces.append(piece)
                found.append(Placed(at_ms=at_ms, piece=piece))
                if piece.name in self._away:
                    self._away.remove(piece.name)
                continue
            old = before[piece.name]
            if piece.name not in ran and not self._tracker.touched(piece.name):
                pieces.append(old)
                continue
            pieces.append(piece)
            far = piece.at.distance_mm(old.at)
            if far > (_UNMOVED_MM if piece.name not in ran else 12.0):
                found.append(
                    Moved(
                        at_ms=at_ms,
                        piece=piece.name,
                        before=old.at,
                        after=piece.at,
                        error_mm=hypot(piece.error_mm, old.error_mm),
                    )
                )
        for piece in matched.missing:
            if self._tracker.holds(piece.name):
                pieces.append(piece)
                continue
            found.append(Removed(at_ms=at_ms, piece=piece.name))
            self._away.append(piece.name)
        self.pieces = tuple(pieces)
        self._ran = {}
        self._track_from(gray, None)
        self._waiting = (at_ms, self.pieces, frame.number)
        self._disturbed = False
        return [Sighting(fact=fact, frames=(frame.number,)) for fact in found]


def witness(
    frames: Iterable[Frame], table: Table, *, look: Look | None = None
) -> Iterator[Sighting]:
    """The facts of a stream, each as soon as it is certain."""
    seer = Witness(table, look=look)
    for frame in frames:
        yield from seer.feed(frame)
    yield from seer.finish()


def spell_facts(spell: Spell) -> list[Fact]:
    """The facts of one solved spell of motion, in order of time."""
    facts: list[Fact] = []
    lines = spell.lines
    for knock in spell.knocks:
        fact = _knock_fact(knock, lines)
        if fact is not None:
            facts.append(fact)
    for line in lines:
        if not line.moved:
            continue
        name, ending = line.track.name, line.ending
        for t, pocket in line.rebounds:
            facts.append(Rebounded(at_ms=1000 * t, piece=name, pocket=pocket))
        at, error = 1000 * ending.t_s, 1000 * ending.error_s
        if ending.kind == "pocketed":
            facts.append(Pocketed(at_ms=at, piece=name, pocket=ending.pocket, error_ms=error))
        elif ending.kind == "off_board":
            facts.append(LeftBoard(at_ms=at, piece=name, error_ms=error))
    facts, hauled = _without_drags(facts, lines)
    struck = {fact.piece for fact in facts if isinstance(fact, Struck)} - hauled
    for line in lines:
        if line.track.name in struck:
            facts.append(_travelled(line))
    facts.sort(key=lambda fact: fact.at_ms)
    return facts


def _without_drags(facts: Sequence[Fact], lines: Sequence[Timeline]) -> tuple[list[Fact], set[str]]:
    """The facts with drags told as such, and the pieces that were dragged.

    The path of a dragged piece is not a free one: the corners that were found in it are neither
    cushions nor contacts, unless the other piece moved.
    """
    drags = {drag.piece: drag for line in lines if line.moved and (drag := dragged(line.track))}
    moved = {line.track.name for line in lines if line.moved}
    kept: list[Fact] = []
    for fact in facts:
        match fact:
            case Struck(piece=name) if name in drags:
                peak = drags[name].peak_mm_s
                kept.append(replace(fact, dragged=True, speed_mm_s=peak))
            case Cushioned(piece=name) if name in drags:
                continue
            case Contacted(a=a, b=b) if {a, b} & drags.keys() and not {a, b} <= moved:
                continue
            case _:
                kept.append(fact)
    return kept, set(drags)


def _knock_fact(knock: Knock, lines: Sequence[Timeline]) -> Fact | None:
    at, error = 1000 * knock.t_s, 1000 * knock.error_s
    who = lines[knock.a].track
    if knock.kind == "strike":
        return Struck(
            at_ms=at,
            piece=who.name,
            at=Point(*who.home),
            error_mm=who.home_error_mm,
            error_ms=error,
            speed_mm_s=knock.speed_mm_s,
        )
    if knock.kind == "contact":
        return Contacted(
            at_ms=at,
            a=who.name,
            b=lines[knock.b].track.name,
            at=Point(knock.x_mm, knock.y_mm),
            error_ms=error,
        )
    assert knock.wall is not None
    return Cushioned(at_ms=at, piece=who.name, border=knock.wall, error_ms=error)


def _travelled(line: Timeline) -> Travelled:
    corners = [Point(*line.track.home)]
    for phase in line.phases[1:]:
        if hypot(*phase.speed_at(phase.first_s)) > 1:
            corners.append(Point(*phase.at(phase.first_s)))
        corners.append(Point(*phase.at(min(phase.last_s, 1e6))))
    end = line.ending.t_s if line.ending.t_s else 0.0
    return Travelled(at_ms=1000 * end, piece=line.track.name, path=tuple(corners), error_mm=0.5)


def _gray(picture: Picture) -> Gray:
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _colour(frame: Frame) -> Picture:
    if frame.image.ndim == 3 or frame.colour is None:
        return frame.image
    return frame.colour()


def _same(a: Gray, b: Gray) -> bool:
    size = (a.shape[1] // 4, a.shape[0] // 4)
    small = [cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (a, b)]
    return float((cv2.absdiff(small[0], small[1]) > 9).mean()) < 0.0006
