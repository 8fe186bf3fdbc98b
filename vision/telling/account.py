"""What lies on the surface, by the last look at it and what has been followed since."""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from rules.board import Board
from rules.facts import Fact, Moved, Piece, Pocketed, Rebounded, Struck
from rules.geometry import Point, Seat
from vision.detection.crossings import Crossing
from vision.frame import Observation, SeenPiece
from vision.strikers import FLICKED
from vision.telling.as_followed import as_followed
from vision.telling.done_by import Visit, done_by
from vision.telling.fallen import rolled_in, without_stroke
from vision.telling.spells import Told, tell
from vision.telling.stocktaking import Followed, take_stock
from vision.telling.tangles import Fall, Tangle
from vision.tracking.naming import first_names, match
from vision.tracking.tracker import Tracker

_SHOTS_KEPT = 9
_SAME_MM = 4.0  # a place that was seen badly, and is seen again


class Account:
    """Keeps the names and places of the pieces, and tells of each spell of motion and each look
    what happened.

    `pieces` are those known at the last look, also such as have left the surface since.
    """

    def __init__(self, board: Board, tracker: Tracker, pieces: Sequence[Piece] = ()) -> None:
        self.pieces: tuple[Piece, ...] = tuple(pieces)
        self.start_pieces: tuple[Piece, ...] = ()
        self.rest_at_ms: float | None = None  # when the last spell of motion came to rest
        self._board, self._tracker = board, tracker
        self._away: list[str] = []
        self._ran: dict[str, tuple[float, float]] = {}
        self._tangle: Tangle | None = None  # a shot of which the next still picture tells more
        self._doubtful: tuple[Point, ...] = ()  # where the last look perhaps saw pieces
        self._fell: list[Pocketed | Rebounded] = []  # since the last look
        self._slowings: deque[float] = deque(maxlen=_SHOTS_KEPT)

    def begin(self, seen: Observation) -> None:
        """Name what is `seen`, where nothing was followed to there."""
        if self.pieces:
            self.pieces = match(self.pieces, seen, self._away).pieces
        else:
            self.pieces = first_names(seen.pieces)
        if not self.start_pieces:
            self.start_pieces = self.pieces

    # -- what lies there ---------------------------------------------------------------------

    def lying(self) -> list[Piece]:
        """The pieces on the surface, each where the last look saw it."""
        return [piece for piece in self.pieces if piece.name not in self._away]

    def final_pieces(self) -> tuple[Piece, ...]:
        """All that lies on the surface now, as last seen or followed."""
        return tuple(
            replace(piece, at=Point(*self._ran[piece.name])) if piece.name in self._ran else piece
            for piece in self.lying()
        )

    def pieces_as_followed(self) -> tuple[Piece, ...]:
        """The same, with how sure the places are to which pieces were followed."""
        gone = self._tracker.gone_names()
        return as_followed(self.final_pieces(), self._ran, gone=gone, unseen=self._unseen())

    @property
    def is_tangled(self) -> bool:
        """Whether the last shot left open what the next still picture is to tell."""
        return self._tangle is not None

    @property
    def likely(self) -> tuple[Fall, ...]:
        """The falls that it left open."""
        return self._tangle.likely if self._tangle else ()

    def lost(self, covered: Collection[str]) -> frozenset[str]:
        """The pieces of which it is open where they are, but for those `covered`."""
        return self._unseen() - frozenset(covered)

    def _unseen(self) -> frozenset[str]:
        return self._tangle.names if self._tangle else frozenset()

    # -- what happened -----------------------------------------------------------------------

    def solve(
        self,
        now_ms: float,
        *,
        still: Observation | None,
        hand: bool,
        by: Seat | None,
        nobody: Callable[[], bool],
    ) -> Told:
        """What happened in the spell of motion that has ended.

        `still` is what a still picture shows by now, where one has been looked at. `hand`: one was
        there, on the side `by` if it was one alone; `nobody` says whether neither hand nor cue was.
        """
        tracker = self._tracker
        tracker.disown_mistaken(still.pieces if still else ())
        told = tell(
            tracker,
            self._board,
            until_ms=now_ms,
            slowing_mm_s2=float(np.median(self._slowings)) if self._slowings else None,
            away=self._away,
            tangle=self._tangle,
            known=self.lying(),
            still=still,
            hand=hand,
        )
        facts = tuple(self._by_hand(fact, by) for fact in told.facts)
        if any(isinstance(fact, Pocketed) for fact in facts) and nobody():
            facts = without_stroke(facts, self.lying(), self._board)
        self._tangle = told.tangle
        self._fell += [fact for fact in facts if isinstance(fact, Pocketed | Rebounded)]
        if told.slowing_mm_s2 is not None:
            self._slowings.append(told.slowing_mm_s2)
        if told.ran:
            self.rest_at_ms = told.rest_at_ms
        self._away += told.left
        self._ran.update(told.ran)
        tracker.rebase()
        return replace(told, facts=facts)

    def _by_hand(self, fact: Fact, by: Seat | None) -> Fact:
        """What a finger did, with the side of the only hand that was there; others as told."""
        if isinstance(fact, Struck | Moved) and any(
            p.name == fact.piece and p.kind in FLICKED for p in self.pieces
        ):
            return replace(fact, by=by)
        return fact

    def take_stock(
        self,
        seen: Observation,
        visit: Visit,
        *,
        at_ms: float,
        by: Seat | None,
        reaching: Callable[[], Sequence[Crossing]],
    ) -> tuple[Fact, ...]:
        """What has changed by what is `seen` now that all has been still since `at_ms`.

        `visit` tells who was there meanwhile, `by` the side of the only hand, and `reaching` what
        is over the border now.
        """
        tracker = self._tracker
        falls = self._falls_borne_out(seen.pieces)
        self._away += [fall.piece for fall in falls]
        followed = Followed(
            ran=self._ran,
            touched=tracker.touched,
            places=tracker.places(),
            changed_at=self._changed_at,
            was_hidden=tracker.was_hidden,
            unseen=self._unseen(),
            reaching=cache(reaching),
        )
        stock = take_stock(self.pieces, self._away, seen, followed, at_ms=at_ms, by=by)
        unfollowed = [piece for piece in self.lying() if piece.name not in self._ran]
        told = done_by(visit, stock.facts, self.pieces, self._board, unfollowed=unfollowed)
        asked = self._tangle.asked(stock.gone) if self._tangle else ()
        unseen = self._falls_unseen(stock.gone, falls, visit, at_ms)
        self._away = [name for name in self._away if name not in stock.back]
        self._away += stock.gone
        self.pieces, self._doubtful = stock.pieces, stock.doubtful
        self._ran = {}
        self._tangle = None
        self._fell.clear()
        return (*asked, *falls, *told, *unseen)

    def _falls_borne_out(self, seen: Sequence[SeenPiece]) -> tuple[Fall, ...]:
        """What the last shot left open to fall, and is not among the pieces `seen`."""
        if self._tangle is None:
            return ()
        likely = {fall.piece for fall in self._tangle.likely}
        fallen = [piece for piece in self.pieces if piece.name in likely]
        self._tangle = self._tangle.as_seen(self._tracker.falls_of(fallen, self._fell))
        return self._tangle.borne_out(self.lying(), seen)

    def _falls_unseen(
        self, gone: Collection[str], falls: Sequence[Fall], visit: Visit, at_ms: float
    ) -> tuple[Pocketed, ...]:
        """The falls of those `gone` that the last shot lost from sight, but for `falls`: seen to
        sink in a mouth, or rolled into one where they came to it slowly and no hand took them."""
        if self._tangle is None:
            return ()
        lost = [p for p in self.pieces if p.name in gone and p.name in self._tangle.names]
        known = [*self._fell, *(fall for fall in falls if isinstance(fall, Pocketed))]
        sunk = self._tracker.falls_of(lost, known)
        if visit.hands:
            return sunk
        except_for = {*self._tracker.fast_names(), *(fall.piece for fall in sunk)}
        slow = [piece for piece in lost if piece.name not in except_for]
        return (*sunk, *rolled_in(slow, self._ran, self._board, at_ms=at_ms))

    def _changed_at(self, x_mm: float, y_mm: float) -> bool:
        """Whether a place differs from what the last look found there, or it could not say."""
        here = Point(x_mm, y_mm)
        doubtful = any(here.distance_mm(place) < _SAME_MM for place in self._doubtful)
        return doubtful or self._tracker.changes.at(x_mm, y_mm)
