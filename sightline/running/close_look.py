"""The close look at a still table: judged first, kept as evidence, and told while it lasts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from calibration.table import Table
from rules.facts import Piece
from rules.said import say
from sightline.running.album import Album
from vision.appearance.teaching import taught_of
from vision.appearance.view import view_of
from vision.frame import Observation, Picture
from vision.frame_health import judge_frame, normal_of
from vision.looking import Look
from vision.observe import Looker


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """What a look under way is about, in words for the page, and since when (monotonic seconds).

    `first`: it is a part of the very first look, for which everybody waits.
    """

    words: str
    since_s: float
    first: bool


def learn_pieces(table: Table) -> None:
    """Learn what the pieces of a table look like; what has been learned is kept with the table."""
    if not table.board.lattices:
        taught_of(view_of(table))


class CloseLook:
    """Reads still pictures of one table, one after the other, and says what it is doing meanwhile.

    The first look takes seconds: what the pieces look like is learned from the table's folder, and
    all of them are measured. Later ones measure what has changed. A picture that cannot be trusted
    is not read. `doing` may be asked from any thread.
    """

    def __init__(
        self,
        table: Table,
        album: Album,
        *,
        make_look: Callable[[], Look] = Looker,
        learn: Callable[[Table], None] = learn_pieces,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """`make_look` is called again after a fault: what a look builds on may be the cause."""
        self._normal = normal_of(table.empty)
        self._album = album
        self._make_look = make_look
        self._look: Look | None = None
        self._learn = learn
        self._seconds = seconds
        self._first = True
        self._doing: Doing | None = None
        self._lock = Lock()

    @property
    def doing(self) -> Doing | None:
        """What a look that is under way is about, None when there is none."""
        with self._lock:
            return self._doing

    def __call__(
        self, picture: Picture, table: Table, followed: Sequence[Piece] = ()
    ) -> Observation:
        why = judge_frame(picture, reference=self._normal)
        if why is not None:
            return Observation(blind=why)
        self._album.hold()
        try:
            if self._first:
                self._begin(say("Sightline gets to know the pieces of this table (step 1 of 2)."))
                self._learn(table)
                self._begin(say("Sightline reads the board for the first time (step 2 of 2)."))
            else:
                self._begin(say("Sightline reads the board."))
            look = self._look = self._look or self._make_look()
            seen = look(picture, table, followed)
        except BaseException:
            self._look = None
            raise
        finally:
            with self._lock:
                self._doing = None
        self._first = False
        return seen

    def _begin(self, words: str) -> None:
        with self._lock:
            self._doing = Doing(words=words, since_s=self._seconds(), first=self._first)
