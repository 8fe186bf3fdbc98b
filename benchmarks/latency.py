"""From the end of motion to the ruling in the log.

    python benchmarks/latency.py --tables FOLDER [--clips N] [--slow | --reckoned [--slower TIMES]]

Plays the clips of reference tables into a running match with its log on disk, at the speed of a
camera. With --slow each frame waits for the one before, so that a machine too slow for the frame
rate still shows the delay of one ruling. With --reckoned nobody waits, and the delay is reckoned
from the processor time that each frame took, as it is where a core is free for it: frames queue
then as they would; waiting for the disk is not counted. --slower counts all that time so many
times, as on a slower machine; there the first look may take as long as it takes.

Pictures are decoded by a thread of their own and wait in a queue, as a live camera's do; as there,
a reader who is late leaves out those beyond 60 a second. A clip's
first still pictures are shown for 20 s before it: the first look, which takes seconds, is over
then and the frames that waited for it are caught up; its last ones are shown on until the table has
rested for long enough. Printed: how long after its due time (1.0 s after the end of motion) each
`Settled` was judged, on disk and on the page; with --reckoned also the longest that a frame had to
wait.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread
from time import monotonic, thread_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402

from calibration.table import Table, load_table  # noqa: E402
from rules.facts import Settled  # noqa: E402
from rules.game import Setup  # noqa: E402
from rules.registry import find_game  # noqa: E402
from sightline.clock import SystemClock  # noqa: E402
from sightline.match_log.log import MatchHeader, Store  # noqa: E402
from sightline.run import watch_of  # noqa: E402
from sightline.running.album import Album  # noqa: E402
from sightline.running.match import Change, Match  # noqa: E402
from vision.frame import Frame  # noqa: E402
from vision.sources import Ended, open_source  # noqa: E402
from vision.sources.catching_up import CatchingUp  # noqa: E402
from vision.sources.source import Readable  # noqa: E402

LEAD_S = 20.0
REST_S = 1.7
STILL_FRAMES = 5
BACKLOG = 64


class Stretched(Readable):
    """A clip whose last pictures are shown on for a while, at the speed of a camera."""

    expected: int | None = None
    ended: Ended | None = None

    def __init__(self, clip: Path, pace: str, slower: float = 1.0) -> None:
        """`pace` is "camera", "slow" or "reckoned"; `slower`: how many times time is counted."""
        self.name = str(clip)
        self.shown_s: list[tuple[float, float]] = []
        """Each frame's own time in ms, and when it was there."""
        self.done_s: list[float] = []
        """When each frame was dealt with, had it had a core of its own; "reckoned" only."""
        self._decoded: Queue[Frame | None] = Queue(maxsize=BACKLOG)
        self._following: Frame | None = None
        self._closed = Event()
        Thread(target=self._decode, args=(clip,), daemon=True).start()
        self._pace = pace
        self._slower = slower
        self._worked_s = 0.0
        self._began_s: float | None = None
        self._catching_up = CatchingUp()
        self._wait = Event()

    def _decode(self, clip: Path) -> None:
        for frame in chain(self._all(clip), (None,)):
            while not self._closed.is_set():
                try:
                    self._decoded.put(frame, timeout=0.2)
                    break
                except Full:
                    pass

    def _all(self, clip: Path) -> Iterator[Frame]:
        with open_source(clip, gray=True) as source:
            self.fps = source.fps
            yield from self._lengthened(iter(source))

    def _lengthened(self, clip: Iterator[Frame]) -> Iterator[Frame]:
        first = [frame for frame, _ in zip(clip, range(STILL_FRAMES), strict=False)]
        step_ms = first[1].at_ms - first[0].at_ms
        lead = round(LEAD_S * 1000 / step_ms)
        for n in range(lead):
            yield replace(first[_to_and_fro(n)], number=n, at_ms=n * step_ms)
        last: list[Frame] = []
        for frame in chain(first, clip):
            later = replace(frame, number=frame.number + lead, at_ms=frame.at_ms + lead * step_ms)
            last = [*last, later][-STILL_FRAMES:]
            yield later
        for n in range(1, round(REST_S * 1000 / step_ms)):
            again = last[-1 - _to_and_fro(n)]
            number, at_ms = last[-1].number + n, last[-1].at_ms + n * step_ms
            yield replace(again, number=number, at_ms=at_ms)

    def _read(self, timeout_s: float) -> Frame | Ended:
        worked_s, self._worked_s = self._worked_s, thread_time()
        if self.shown_s:
            self._deal_with(self._slower * (self._worked_s - worked_s))
        frame = self._next()
        while frame is not None and not self._is_taken(frame):
            self._show(frame)
            self._deal_with(0.0)
            frame = self._next()
        if frame is None:
            return Ended(at_ms=0.0, frames=len(self.shown_s))
        self._show(frame)
        if self._pace == "camera":
            self._wait.wait(max(0.0, self.shown_s[-1][1] - monotonic()))
        return frame

    def _next(self) -> Frame | None:
        """The next frame of all; the one that follows it is known from then on."""
        frame = self._following if self.shown_s else self._decoded.get()
        if frame is not None:
            self._following = self._decoded.get()
        return frame

    def _is_taken(self, frame: Frame) -> bool:
        """Whether a reader who is as late as this one takes this frame, or goes on."""
        next_ms = None if self._following is None else self._following.at_ms
        newest_ms = frame.at_ms
        if self._began_s is not None and self._pace != "slow":
            now_s = monotonic() if self._pace == "camera" else self.done_s[-1]
            newest_ms = 1000 * (now_s - self._began_s)
        return self._catching_up.takes(frame.at_ms, next_ms=next_ms, newest_ms=newest_ms)

    def _show(self, frame: Frame) -> None:
        """Note when a frame is there: at its time, or when it is asked for."""
        now_s = monotonic()
        if self._began_s is None:
            self._began_s = now_s - frame.at_ms / 1000
        due_s = self._began_s + frame.at_ms / 1000
        self.shown_s.append((frame.at_ms, now_s if self._pace == "slow" else due_s))

    def _deal_with(self, took_s: float) -> None:
        """Note when the last frame was dealt with: it had to wait for those before it."""
        shown_s = self.shown_s[-1][1]
        ready_s = self.done_s[-1] if self.done_s and shown_s > self._playing_s else shown_s
        self.done_s.append(max(shown_s, ready_s) + took_s)

    @property
    def _playing_s(self) -> float:
        """From when on frames wait for one another: the first look is over, which all await."""
        return self.shown_s[0][1] + LEAD_S * 0.9

    @property
    def longest_wait_ms(self) -> float:
        """How late the most delayed frame was dealt with, after the first look."""
        late = [
            done - due
            for (_, due), done in zip(self.shown_s, self.done_s, strict=False)
            if due > self._playing_s
        ]
        return 1000 * max(late, default=0.0)

    def dealt_with_s(self, at_ms: float) -> float:
        """When the first picture made at or after `at_ms` had been dealt with; "reckoned" only."""
        number = next(n for n, (ms, _) in enumerate(self.shown_s) if ms >= at_ms - 1e-6)
        return self.done_s[number]

    def due_s(self, at_ms: float) -> float:
        """When the first picture was there that was made at or after `at_ms`."""
        return next(shown_s for ms, shown_s in self.shown_s if ms >= at_ms - 1e-6)

    def close(self) -> None:
        self._closed.set()


def _to_and_fro(n: int) -> int:
    """0, 1 ... up to the last still frame, and back, and so on."""
    return abs((n + STILL_FRAMES - 1) % (2 * STILL_FRAMES - 2) - (STILL_FRAMES - 1))


def delays_ms(
    table: Table, clip: Path, db: Path, pace: str, slower: float
) -> tuple[list[float], float]:
    """How late each ruling of a settled board was in this clip, and the longest wait of a frame."""
    game = find_game(table.board.game)
    source = Stretched(clip, pace, slower)
    found: list[tuple[float, float, float]] = []
    wrote_s = [0.0]

    def heard(change: Change) -> None:
        now_s, worked_s = monotonic(), thread_time()
        took_s, wrote_s[0] = worked_s - wrote_s[0], worked_s
        found.extend(
            (e.body.at_ms, now_s, took_s) for e in change.entries if isinstance(e.body, Settled)
        )

    setup = Setup(game=game.name, board=table.board)
    header = MatchHeader(name=str(clip), setup=setup, started="")
    album = Album()
    clock = SystemClock()
    with Store(db) as store:
        log = store.create(header)
        with Match(log, game, clock=clock, live=album.live, listeners=(heard,)) as match:
            watch = watch_of(source, table, match, album, clock=clock)
            watch.run()
            shift_ms = watch.shift_ms or 0.0
    album.close()
    if pace == "reckoned":
        ended_s = [source.dealt_with_s(ms - shift_ms) + slower * took_s for ms, _, took_s in found]
    else:
        ended_s = [now_s for _, now_s, _ in found]
    due_s = [source.due_s(ms - shift_ms) for ms, _, _ in found]
    delays = [1000 * (end - due) for end, due in zip(ended_s, due_s, strict=True)]
    return delays, source.longest_wait_ms


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--tables", type=Path, required=True)
    ask.add_argument("--clips", type=int, default=8)
    pace = ask.add_mutually_exclusive_group()
    pace.add_argument("--slow", dest="pace", action="store_const", const="slow")
    pace.add_argument("--reckoned", dest="pace", action="store_const", const="reckoned")
    ask.set_defaults(pace="camera")
    ask.add_argument("--slower", type=float, default=1.0, metavar="TIMES")
    given = ask.parse_args()
    if given.slower != 1.0 and given.pace != "reckoned":
        ask.error("--slower is for --reckoned alone")
    cv2.setNumThreads(1)
    delays: list[float] = []
    clips = sorted(given.tables.glob("**/clips/*.mp4"))
    with tempfile.TemporaryDirectory() as folder:
        for clip in clips[: given.clips]:
            table = load_table(clip.parents[1])
            if table.board.lattices:
                continue
            db = Path(folder) / "matches.db"
            found, wait_ms = delays_ms(table, clip, db, given.pace, given.slower)
            waited = f"; a frame waited up to {wait_ms:.0f} ms" if wait_ms else ""
            print(f"{clip}: " + ", ".join(f"{ms:.0f} ms" for ms in found) + waited, flush=True)
            delays += found[1:] or found
    if not delays:
        raise SystemExit(f"no clip under {given.tables} came to rest")
    delays.sort()
    print(f"rulings after a shot    {len(delays):>6}")
    print(f"median                  {delays[len(delays) // 2]:>6.0f} ms after the due time")
    print(f"worst                   {delays[-1]:>6.0f} ms after the due time")


if __name__ == "__main__":
    main()
