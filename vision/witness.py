"""A stream of frames in, facts out, each as soon as it is certain.

The witness looks closely (`observe`) only at still pictures: at the start, and whenever all has
come to rest. In between it follows the pieces (`vision.tracking`). A spell of motion is solved as a
whole when it has ended (`vision.trajectories`, `vision.telling`); `Settled` comes when nothing has
moved for the rest time and no hand is there.
Memory and delay are bounded by one spell of motion.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.facts import Piece, Settled, SightLost, SightRegained, Struck
from vision.arms import Arms, ArmWatch
from vision.detection.crossings import crossings_at
from vision.frame import Frame, Picture, Sighting
from vision.glances import Glances
from vision.looking import Look
from vision.reaching import Reaching
from vision.still_frames import Beginning, gray_of, mean_of
from vision.strikers import is_flicked
from vision.telling.account import Account
from vision.telling.done_by import Visit
from vision.tracking.body import known_of
from vision.tracking.hands import Glimpse
from vision.tracking.tracker import Tracker, still_picture

Gray = NDArray[np.uint8]
Judge = Callable[[Picture], str | None]

_GLANCE_MS, _SOLVE_MS, _STANDS_MS = 100.0, 220.0, 300.0
_UNHIDE_MS = 3000.0  # so long a hand is waited for where it hides a piece that may have moved
_LOOK_AHEAD_MS = 780.0
_STIRS_MM2 = 150.0  # what changes at once, for it to be motion
_HAND_MM = 20.0
_LEFT_MM2 = 200.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stir:
    """What moves in a frame: a piece `runs`; something `stirs`, piece or not; a piece `shows` still
    where it did not lie, or shows no more; something as wide as a hand moves.
    """

    runs: bool
    stirs: bool
    shows: bool
    hand_moves: bool


class Witness:
    """Feed it frames in order; it answers with what has become certain.

    `look` is a `vision.observe.Looker` unless another is given. `pieces` are the names and places
    to begin with, where they are known; otherwise the first still picture tells. `judge` gives the
    reason why a frame cannot be trusted, or None. `arms` says where arms cross the border.
    """

    def __init__(
        self,
        table: Table,
        *,
        look: Look | None = None,
        judge: Judge | None = None,
        arms: Arms = crossings_at,
        pieces: Sequence[Piece] = (),
        rest_ms: float = 1000.0,
    ) -> None:
        if look is None:
            from vision.observe import Looker

            look = Looker()
        self.table = table
        self.rest_ms = rest_ms
        self._look = look
        self._judge = judge
        empty = table.empty
        gray = cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY) if empty.ndim == 3 else empty
        self._tracker = Tracker(
            table.camera,
            table.board,
            np.asarray(gray, dtype=np.uint8),
            empty if empty.ndim == 3 else None,
        )
        self._account = Account(table.board, self._tracker, pieces)
        self._begun = False
        self._settled = False
        self._struck_ms = 0.0
        self._stroke_open = False  # a stroke was told, and not yet that all rests after it
        self._beginning = Beginning()
        self._arms = ArmWatch(table, self._tracker, arms)
        self._last_stir_ms = self._last_run_ms = 0.0
        self._last: Frame | None = None
        self._solved = True
        self._blind: str | None = None
        self._glances = Glances(table, look, self._tracker)  # at shots that have come to rest
        self._waiting: tuple[float, tuple[Piece, ...], int] | None = None
        self._disturbed = True
        self._reaching = Reaching(table)  # since the last look
        self._by_fingers = is_flicked(table.board)

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
        gray = gray_of(frame.image)
        if self._begun:
            found += self._follow(gray, frame)
        elif self._beginning.keep(gray, frame):
            found += self._begin(frame)
        self._last = frame
        return found

    def lose(self, at_ms: float, why: str) -> list[Sighting]:
        """The source itself says that it gives no frames any more."""
        return self._lose(at_ms, why)

    @property
    def exposure_s(self) -> float:
        """What is known of how long the shutter is open, or taken for it."""
        return self._tracker.exposure_now

    def finish(self) -> list[Sighting]:
        """All that can still be said when the stream has ended."""
        if self._last is None:
            return []
        found: list[Sighting] = []
        if not self._begun and self._beginning.frames:
            self._begin(self._last)
        if not self._solved:
            found += self._solve(self._last.at_ms + 1000 * self._tracker.frame_s)
        found += [Sighting(fact=fall) for fall in self._account.likely]
        if self._blind is None:
            found += self._arms.end(self._last)
        return found

    @property
    def start_pieces(self) -> tuple[Piece, ...]:
        """What the first still picture showed."""
        return self._account.start_pieces

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces as they were at the last look."""
        return self._account.pieces

    @property
    def rest_at_ms(self) -> float | None:
        """When the last spell of motion came to rest."""
        return self._account.rest_at_ms

    def final_pieces(self) -> tuple[Piece, ...]:
        """All that lies on the surface now, as last seen or followed."""
        return self._account.final_pieces()

    def _lose(self, at_ms: float, why: str) -> list[Sighting]:
        if self._blind is not None:
            return []
        found = self._solve(at_ms) if not self._solved else []
        self._blind = why
        return [*found, Sighting(fact=SightLost(at_ms=at_ms, why=why))]

    def _restart(self) -> None:
        self._begun = False
        self._settled = False
        self._glances.drop()
        self._beginning = Beginning()

    # -- the start ---------------------------------------------------------------------------

    def _begin(self, frame: Frame) -> list[Sighting]:
        """Look at the still picture that `frame` ends, name what lies there, and follow it."""
        still = self._beginning.last()
        seen = self._look(mean_of([old.in_colour() for _, old in still]), self.table, ())
        if seen.blind is not None:
            return self._lose(frame.at_ms, seen.blind)
        found: list[Sighting] = []
        self._account.begin(seen)
        start = self._beginning.frames[0][1].at_ms
        if seen.hand:
            found += self._arms.found(frame, start)
        else:
            self._arms.rest(frame, start)
        picture, noise = still_picture([gray for gray, _ in still])
        self._track_from(picture, noise, frame, hidden=seen.hidden)
        self._begun = True
        self._last_stir_ms = start
        self._disturbed = True
        for gray, old in self._beginning.frames:
            self._tracker.step(gray, old.at_ms, old.number)
        self._beginning = Beginning()
        return found

    def _track_from(
        self,
        picture: Gray,
        noise: float | None,
        frame: Frame,
        hidden: NDArray[np.bool_] | None = None,
    ) -> None:
        known = [known_of(piece, self.table.board) for piece in self.pieces]
        self._tracker.begin(picture, known, noise=noise, hidden=hidden, colours=frame.in_colour())
        self._solved = True

    # -- following ---------------------------------------------------------------------------

    def _follow(self, gray: Gray, as_sent: Frame) -> list[Sighting]:
        # made from what the camera sent each time it is asked for, which takes long
        frame = replace(as_sent, colour=cache(as_sent.in_colour))
        if frame.exposure_ms > 0:
            self._tracker.exposure_s = frame.exposure_ms / 1000
        look = self._tracker.step(gray, frame.at_ms, frame.number, in_colour=frame.in_colour)
        glimpse = look.glimpse
        stir = self._stir(as_sent, glimpse)
        found = self._end_stroke(frame, stir)
        if (stir.runs or stir.hand_moves or stir.shows) and self._waiting is not None:
            self._waiting, self._disturbed = None, True
        if stir.runs:
            self._solved = False
            self._disturbed = True
        found += self._watch_arms(gray, frame, glimpse, stir)
        quiet_ms = frame.at_ms - self._last_stir_ms
        if not self._solved:
            found += self._solve_if_still(gray, frame, quiet_ms)
        if not (self._settled or self._arms.present(glimpse)):
            found += self._settle_if_still(gray, frame, quiet_ms, glimpse.area_mm2)
        return found

    def _stir(self, as_sent: Frame, glimpse: Glimpse) -> Stir:
        """What moves in the frame that was followed just now; it is noted when something does."""
        tracker, at_ms = self._tracker, as_sent.at_ms
        stirs = glimpse.moving_mm2 > _STIRS_MM2 and tracker.still_since_ms >= at_ms
        if (stirs and not tracker.stirring) or tracker.reached_over:
            self._reaching.keep(as_sent, glimpse.area_mm2)
        # pieces under wrong names seem to wander, but not where the picture stands still
        runs = tracker.stirring and at_ms - tracker.still_since_ms < _STANDS_MS
        runs |= tracker.shifted
        if runs:
            self._last_run_ms = at_ms
        if runs or stirs:
            self._stirred(at_ms)
        elif tracker.stirring:
            self._last_stir_ms = min(self._last_stir_ms, tracker.still_since_ms)
        stands = at_ms - tracker.still_since_ms >= _STANDS_MS
        if self._settled and stands and tracker.changed_mm2 > _LEFT_MM2:
            self._stirred(tracker.still_since_ms)  # something was laid close to a piece
        shows = tracker.stirring and not runs and not self._settled
        if tracker.vanished:
            shows = True
            self._stirred(at_ms)
        self._disturbed |= shows
        hand_moves = glimpse.width_mm > _HAND_MM and stirs
        return Stir(runs=runs, stirs=stirs, shows=shows, hand_moves=hand_moves)

    def _stirred(self, at_ms: float) -> None:
        """What lies there is to be looked at anew: something has moved then."""
        self._last_stir_ms, self._settled = at_ms, False
        self._glances.drop()

    def _end_stroke(self, frame: Frame, stir: Stir) -> list[Sighting]:
        """That all rests after a stroke, if it is certain by `frame` though something stirs or is
        over the table: the next act may begin before the rest time is over.
        """
        if not self._stroke_open:
            return []
        quiet_until_ms = self._last.at_ms if self._last else frame.at_ms
        if self._waiting is not None:
            begins = stir.runs or (stir.stirs and not stir.shows)
            return [self._settle(frame, quiet_until_ms)] if begins else []
        if not self._solved:
            return []
        rest_ms = self._last_run_ms + self.rest_ms
        if stir.runs:
            rest_ms = quiet_until_ms
        elif frame.at_ms < rest_ms or not self._tracker.all_seen_since(self._struck_ms):
            return []
        return [self._rested(rest_ms)] if self._anybody() else []

    def _watch_arms(self, gray: Gray, frame: Frame, glimpse: Glimpse, stir: Stir) -> list[Sighting]:
        """What arms do; one that has left may have changed the table, and what it hid is seen."""
        had_hand = self._arms.open
        found = self._arms.feed(frame, glimpse, moves=stir.hand_moves, stirs=stir.stirs)
        if had_hand and not self._arms.open:
            self._disturbed = True
            self._tracker.reveal(gray)
            for sighting in found:
                self._was_there_until(sighting.fact.at_ms)
        return found

    def _solve_if_still(self, gray: Gray, frame: Frame, quiet_ms: float) -> list[Sighting]:
        """What happened, once all that moved has been still for so long."""
        hidden = self._tracker.hidden
        if quiet_ms >= _GLANCE_MS and not (hidden or self._arms.open):
            self._glances.at(gray, frame, self._account.lying())
        if quiet_ms < (_UNHIDE_MS if hidden else _SOLVE_MS) and not self._all_rested():
            return []
        if not self._arms.sure:
            self._glances.at(gray, frame, self._account.lying())
        return self._solve(frame.at_ms)

    def _settle_if_still(
        self, gray: Gray, frame: Frame, quiet_ms: float, strange_mm2: float
    ) -> list[Sighting]:
        """What a hand has changed, and that all rests, once it has done so for long enough."""
        found: list[Sighting] = []
        # what stays has been laid there, though no arm was seen to reach in so far
        if quiet_ms >= self.rest_ms and not self._disturbed:
            self._disturbed = max(strange_mm2, self._tracker.changed_mm2) > _LEFT_MM2
        # a tangled shot leaves pieces under wrong names, which would be seen to wander
        wait_ms = 0.0 if self._account.is_tangled else self.rest_ms - _LOOK_AHEAD_MS
        due = self._waiting is None and self._solved and self._disturbed and quiet_ms >= wait_ms
        due &= not self._glances.is_put_off(frame)
        if due and (quiet_ms >= _UNHIDE_MS or not self._covers(gray, frame, strange_mm2)):
            found += self._take_stock(gray, frame)
        if self._waiting is not None and quiet_ms >= self.rest_ms:
            found.append(self._settle(frame, self._last_stir_ms + self.rest_ms))
            self._settled = True
        return found

    def _all_rested(self) -> bool:
        """Whether all pieces that ran lie still, though a hand or a cue stirs over the board."""
        if self._arms.sure:
            return self._tracker.left_to_hands()
        return self._tracker.all_lie_in_sight()

    def _rested(self, at_ms: float) -> Sighting:
        """All rests after a stroke where it was followed to, before a hand moves a piece."""
        self._stroke_open = False
        return Sighting(fact=Settled(at_ms=at_ms, pieces=self._account.pieces_as_followed()))

    def _settle(self, frame: Frame, at_ms: float) -> Sighting:
        """What was looked at last lies at rest, as is certain by `frame`."""
        assert self._waiting is not None
        _, pieces, number = self._waiting
        self._waiting, self._stroke_open = None, False
        return Sighting(fact=Settled(at_ms=at_ms, pieces=pieces), frames=(number, frame.number))

    def _was_there_until(self, at_ms: float) -> None:
        """A hand left then: also one that hardly stirred anything may have changed the table."""
        if at_ms > self._last_stir_ms + 1000 * self._tracker.frame_s:
            self._stirred(at_ms)

    # -- what happened -----------------------------------------------------------------------

    def _solve(self, now_ms: float) -> list[Sighting]:
        """Name all that happened in the spell of motion that has ended."""
        self._solved = True
        told = self._account.solve(
            now_ms,
            still=self._glances.seen(self._account.lying(), self._reaching.over),
            hand=bool(self._arms.sides or (self._by_fingers and self._reaching)),
            by=self._arms.by,
            nobody=self._nobody_was_there,
        )
        struck_ms = [fact.at_ms for fact in told.facts if isinstance(fact, Struck)]
        if struck_ms:
            self._stroke_open = True
            self._struck_ms = max(struck_ms)
            self._reaching.clear()  # the cue struck: what else moved was not pushed by it
        return [Sighting(fact=fact, frames=told.frames) for fact in told.facts]

    def _anybody(self) -> bool:
        """Whether a hand is there, or something was over the surface since the stroke."""
        return self._arms.sure or self._reaching.anybody()

    def _nobody_was_there(self) -> bool:
        """Whether neither a hand nor a cue has reached over the surface since the last look."""
        return not (self._arms.sides or self._reaching.anybody())

    def _covers(self, gray: Gray, frame: Frame, strange_mm2: float) -> bool:
        """Whether what reaches in over the border may cover a piece that is not seen.

        The still picture is looked at now and then, for to look takes long.
        """
        if not self._tracker.misses:
            return False
        if self._glances.waits(frame):
            return True
        covered = self._tracker.covered
        over = self._reaching.over(frame) if covered else self._reaching.hides(frame, strange_mm2)
        if not over:
            return False
        lost = self._account.lost(covered)
        lying = self.final_pieces()
        return self._glances.finds_covered(gray, frame, lying, lost=lost, over=over)

    def _take_stock(self, gray: Gray, frame: Frame) -> list[Sighting]:
        """Look at the still picture: what lies where, and what a hand has changed."""
        glance = self._glances.at(gray, frame, self._account.lying())
        seen = glance.seen
        if seen.blind is not None or seen.hand:  # as long as nothing stirs, neither will change
            self._glances.put_off(frame)
            return self._arms.found(frame, self._last_stir_ms) if seen.hand else []
        at_ms, by = self._last_stir_ms, self._arms.by
        visit = Visit(
            anybody=not self._nobody_was_there(),
            hands=bool(self._arms.sides),
            side=by if by is not None else self._reaching.side(),
            since_ms=self._reaching.since_ms or at_ms,
        )
        facts = self._account.take_stock(
            seen, visit, at_ms=at_ms, by=by, reaching=lambda: self._reaching.over(glance.frame)
        )
        self._arms.forget()
        self._arms.rest(glance.frame, glance.frame.at_ms)
        self._reaching.clear()
        self._glances.drop()
        self._track_from(glance.gray, None, glance.frame)
        self._waiting = (at_ms, self.pieces, glance.frame.number)
        self._disturbed = False
        shown = (glance.frame.number,)
        return [Sighting(fact=fact, frames=shown) for fact in facts]


def witness(
    frames: Iterable[Frame], table: Table, *, look: Look | None = None
) -> Iterator[Sighting]:
    """The facts of a stream, each as soon as it is certain."""
    seer = Witness(table, look=look)
    for frame in frames:
        yield from seer.feed(frame)
    yield from seer.finish()
