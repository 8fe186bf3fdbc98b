"""A match of the simulated table for the pages: its camera's own frames, its facts from the truth.

What vision would say of the frames is told as it truly was, as sure as vision would be: so that a
call that was close is asked, and the same in every run.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event as Flag

from calibration.table import load_table
from rules.facts import Contacted, Cushioned, Declared, Fact, Settled, Struck
from rules.registry import find_game
from rules.rulings import Standing
from sightline.clock import FrameClock
from sightline.match_log.log import MatchHeader, Store
from sightline.rooms import Rooms
from sightline.running.album import Album
from sightline.running.match import Match, Seen
from sightline.serving.serve import Address, serving
from sightline.simulated.boards import club_board
from sightline.simulated.matches import Agreement, Evening, play_truly
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from vision.frame import Frame
from vision.sources import Ended, Event
from vision.sources.source import Readable
from web.desk import Ruled, Sight

NAME = "friday, table 3"
SIZE = (640, 480)
FPS = 30.0
EXPOSURE_S = 0.006
ERROR_MM = 0.1
ERROR_MS = 1.0
_MOST_WAITING = 40


class TruthCamera(Readable):
    """The simulated camera over a match that has been played, from `from_s` on."""

    def __init__(self, table: SimulatedTable, evening: Evening, from_s: float) -> None:
        self._table = table
        self._evening = evening
        self._number = round(from_s * FPS)

    name = "the simulated table"
    expected: int | None = None
    fps: float | None = FPS
    ended: Ended | None = None

    @property
    def at_s(self) -> float:
        """When the next frame is taken."""
        return self._number / FPS

    def frame(self, number: int) -> Frame:
        """Take one frame; the same number gives the same picture."""
        at_s = number / FPS
        stage = self._evening.stage
        picture = self._table.photographer.frame(stage.scene, at_s, EXPOSURE_S)
        return Frame(image=picture, at_ms=1000 * at_s, number=number)

    def _read(self, timeout_s: float) -> Event | None:
        self._number += 1
        return self.frame(self._number - 1)

    def close(self) -> None:
        """Nothing is open."""


class FilmedMatch:
    """A match under way. `play_to` lets it go on: frames are recorded, facts come with pictures."""

    def __init__(
        self, stack: ExitStack, folder: Path, *, film_from_s: float, most_s: float
    ) -> None:
        board = club_board("qsquare", SIZE)
        simulated = set_up_table(SIZE, board=board)
        write_table(simulated, folder / "table")
        table = load_table(folder / "table")
        self.evening = play_truly(table.board, Agreement(pucks=4), most_s=most_s)
        self.camera = TruthCamera(simulated, self.evening, film_from_s)
        self._facts = self._told()
        self._next: Fact | None = next(self._facts)
        game = find_game("qsquare")
        self.store = stack.enter_context(Store(folder / "matches.db"))
        log = self.store.create(
            MatchHeader(
                name=NAME,
                setup=self.evening.setup,
                started="2026-11-21T19:00:00+00:00",
                table=str(folder / "table"),
            )
        )
        rooms = Rooms(self.store, log, game, table, video=True)
        self._album = Album()
        stack.callback(self._album.close)
        self._clock = FrameClock()
        self.match = stack.enter_context(
            Match(log, game, clock=self._clock, live=self._album.live, listeners=rooms.listeners)
        )
        rooms.overhear(self.camera)
        self.camera.overhear(self._see)
        self._opened = rooms.open(stack, self.match, lambda: 0.0)
        self._recorded = 0
        self._hand_in(film_from_s)
        self.match.look(Sight.STILL, "The pieces lie still.")

    def serve(self, stack: ExitStack) -> Address:
        """Serve its pages until `stack` closes."""
        return stack.enter_context(serving(self.match, port=0, beat_s=0.2, **self._opened))

    def play_to(self, until_s: float) -> None:
        """Go on to a time of the match; stop before it where the referee is asked something."""
        while self.camera.at_s < until_s and not self.asked():
            self.camera.read()
            self._recorded += 1
            self._wait_for_recorder()

    def asked(self) -> tuple[Ruled, ...]:
        """The rulings that wait for the referee's answer."""
        return tuple(
            ruled
            for ruled in self.match.view().rulings
            if ruled.ruling.standing is Standing.OPEN and ruled.answered is None
        )

    def _see(self, event: Event) -> None:
        assert isinstance(event, Frame)
        self._album.add(event)
        self._clock.reach(event.at_ms)
        self._hand_in(event.at_ms / 1000)

    def _hand_in(self, until_s: float) -> None:
        """Tell all that happened by then."""
        while self._next is not None and self._next.at_ms <= 1000 * until_s:
            fact, self._next = self._next, next(self._facts, None)
            self._clock.reach(fact.at_ms)
            if isinstance(fact, Declared):
                self.match.declare(fact, seen=self.match.view().version, key="")
            else:
                self.match.take((Seen(fact=fact, evidence=self._album.evidence(fact, ())),))
        self.match.sync()

    def _told(self) -> Iterator[Fact]:
        for fact in self.evening.stage.truth:
            match fact:
                case Settled(pieces=pieces):
                    measured = tuple(replace(piece, error_mm=ERROR_MM) for piece in pieces)
                    yield replace(fact, pieces=measured)
                case Struck():
                    yield replace(fact, error_mm=ERROR_MM, error_ms=ERROR_MS)
                case Contacted() | Cushioned():
                    yield replace(fact, error_ms=ERROR_MS)
                case _:
                    yield fact

    def _wait_for_recorder(self) -> None:
        """Recording leaves out what comes faster than it can: here nothing is to be left out."""
        numbers = self._opened["wellbeing"].numbers
        while self._recorded - numbers()["recorded_frames"] > _MOST_WAITING:
            Flag().wait(0.005)
