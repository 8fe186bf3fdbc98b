"""The simulated camera as a source of frames: the match goes on as its frames are read."""

from collections.abc import Callable

from sightline.simulated.playing import Host
from sightline.simulated.stage import Stage
from sightline.simulated.table import SimulatedTable
from vision.frame import Frame
from vision.sources.source import Ended, Event, Readable

TAIL_S = 1.5


class SimulatedSource(Readable):
    """Frames of a match that is being played. Ends a little after the match does.

    Each frame is drawn when it is read, and what happens next is decided then, by what the referee
    has made of the frames before.
    """

    def __init__(
        self,
        table: SimulatedTable,
        stage: Stage,
        director: Host,
        *,
        fps: float = 30.0,
        exposure_ms: float = 6.0,
        before: Callable[[float], object] = lambda at_s: None,
        most_s: float = 7200.0,
    ) -> None:
        """`before` is called with each frame's time (s) before it is drawn."""
        self._table = table
        self._stage = stage
        self._director = director
        self._fps = fps
        self._exposure_s = min(exposure_ms / 1000, 0.95 / fps)
        self._before = before
        self._most_s = most_s
        self._count = 0
        self._over_s: float | None = None
        self._ended: Ended | None = None

    @property
    def name(self) -> str:
        return "the simulated table"

    @property
    def expected(self) -> int | None:
        return None

    @property
    def fps(self) -> float | None:
        return self._fps

    @property
    def ended(self) -> Ended | None:
        return self._ended

    def _read(self, timeout_s: float) -> Event | None:
        at_s = self._count / self._fps
        if self._ended is None and (
            at_s > self._most_s or (self._over_s is not None and at_s > self._over_s + TAIL_S)
        ):
            self._ended = Ended(at_ms=1000 * at_s, why=None, frames=self._count)
        if self._ended is not None:
            return self._ended
        self._before(at_s)
        while self._over_s is None and self._stage.end_s <= at_s + self._exposure_s:
            if not self._director.go_on(at_s):
                self._over_s = at_s
        picture = self._table.photographer.frame(self._stage.scene, at_s, self._exposure_s)
        frame = Frame(
            image=picture,
            at_ms=1000 * at_s,
            number=self._count,
            exposure_ms=1000 * self._exposure_s,
        )
        self._count += 1
        return frame

    def close(self) -> None:
        """Nothing is open."""
