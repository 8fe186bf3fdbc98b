"""A whole Sightline in a process of its own, for benchmarks: started, told what to do, and killed.

    python benchmarks/running_table.py FOLDER [--size 1280x720] [--fps 30] [--tls]

A simulated table at rest is filmed by a camera that sends JPEGs at the camera's pace. They are
decoded, judged, followed and recorded as those of any camera, by the parts that `sightline watch`
is made of; the log lies in FOLDER, on whatever disk that is. Each JPEG carries the time (monotonic
seconds) at which it was sent, in a comment. With `--tls` its pages speak HTTPS.

It prints a JSON line when it runs (`port`, and `zero_s`: when match time was zero), and
understands on its standard input: `rule N RATE` (hand in N facts, RATE a second), `stop`. Each
answer is a JSON line.
"""

import argparse
import http.client
import json
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

PLAYS = ROOT / "tests" / "data" / "qsquare_plays.jsonl"
PICTURES = 12
PATIENCE_S = 300.0
_MARK = b"sent "


def stamped(jpeg: bytes, sent_s: float) -> bytes:
    """A JPEG with the time of its sending in a comment."""
    comment = _MARK + f"{sent_s:.6f}".encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def sent_s(jpeg: bytes) -> float:
    """When such a JPEG was sent. Raises ValueError where it does not say."""
    at = jpeg.index(_MARK) + len(_MARK)
    return float(jpeg[at : jpeg.index(b"\xff", at)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A table that runs in another process; `trust` is what its HTTPS is believed by, if any."""

    process: "subprocess.Popen[str]"
    port: int
    zero_s: float
    trust: ssl.SSLContext | None = None

    def connected(self) -> socket.socket:
        """Return a connection to its pages, of whichever kind they speak."""
        one = socket.create_connection(("127.0.0.1", self.port))
        return (
            one if self.trust is None else self.trust.wrap_socket(one, server_hostname="localhost")
        )

    def link(self, timeout_s: float) -> http.client.HTTPConnection:
        """Return the same for whole requests."""
        if self.trust is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=timeout_s, context=self.trust
        )

    def ask(self, words: str) -> dict[str, Any]:
        """Give an order and wait for its answer."""
        self.tell(words)
        return self.answer()

    def tell(self, words: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline()))


@contextmanager
def running_table(
    folder: Path, *, fps: float = 30.0, size: str = "1280x720", tls: bool = False
) -> Iterator[Running]:
    """Run a table until the block ends; what is left of it then is killed."""
    how = ["--fps", str(fps), "--size", size, *(["--tls"] if tls else [])]
    process = subprocess.Popen(
        [sys.executable, __file__, str(folder), *how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        trust = ssl.create_default_context(cafile=said["authority"]) if tls else None
        yield Running(process=process, port=said["port"], zero_s=said["zero_s"], trust=trust)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


class _PacedCamera:
    """A connection to a camera that sends these JPEGs to and fro, at its pace."""

    def __init__(self, jpegs: list[bytes], fps: float) -> None:
        self._jpegs = jpegs
        self._step_s = 1.0 / fps
        self._due_s = time.monotonic()
        self._count = 0
        self._closed = Event()

    def receive(self, timeout_s: float) -> Any:
        from vision.sources.live import Parcel

        left_s = self._due_s - time.monotonic()
        if left_s > 0:
            self._closed.wait(min(left_s, timeout_s))
            if left_s > timeout_s:
                return None
        jpeg = self._jpegs[self._count % len(self._jpegs)]
        self._count += 1
        now_s = time.monotonic()
        self._due_s = max(self._due_s + self._step_s, now_s - 1.0)
        return Parcel(at_s=now_s, jpeg=stamped(jpeg, now_s))

    def close(self) -> None:
        self._closed.set()


def _film(table: Any) -> list[bytes]:
    """Pictures of a table with twelve pieces at rest, as a camera would send them."""
    import cv2

    from sightline.simulated.scene import Body, Scene

    looks = {spec.colour: spec for spec in table.board.pieces}
    colours = [c for c in looks if c in ("red", "blue")]
    bodies = tuple(
        Body(
            name=f"{colours[n % 2]}-{n // 2 + 1}",
            spec=looks[colours[n % 2]],
            x_mm=-300.0 + 200.0 * (n % 4),
            y_mm=-200.0 + 200.0 * (n // 4),
        )
        for n in range(12)
    )
    scene = Scene(bodies=bodies, limbs=())
    pictures = [
        table.photographer.frame(lambda at_s: scene, n / 30, 0.006) for n in range(PICTURES)
    ]
    coded = [cv2.imencode(".jpg", each, [cv2.IMWRITE_JPEG_QUALITY, 85])[1] for each in pictures]
    return [each.tobytes() for each in coded]


def _facts() -> Iterator[Any]:
    """Facts of plays that were thought out for the rules, one play after another, for ever."""
    from rules.codec import fact_from_json

    plays = [json.loads(line) for line in PLAYS.read_text().splitlines()]
    while True:
        for play in plays:
            if len(play["players"]) == 2:
                yield from (fact_from_json(each) for each in play["facts"] if "fact" in each)


def serve(folder: Path, size: tuple[int, int], fps: float, *, tls: bool) -> None:
    """The child."""
    import cv2

    from calibration.table import load_table
    from rules.game import Player, Setup
    from rules.geometry import Seat
    from rules.registry import find_game
    from sightline.clock import SystemClock
    from sightline.heap import set_apart
    from sightline.match_log.log import MatchHeader, Store
    from sightline.rooms import Rooms
    from sightline.run import watch_of
    from sightline.running.album import Album
    from sightline.running.match import Change, Match, Seen
    from sightline.serving.certificates import club_certificate
    from sightline.serving.serve import serving
    from sightline.simulated.table import set_up_table, write_table
    from vision.sources.live import LiveCamera
    from web.desk import Sight

    cv2.setNumThreads(1)
    simulated = set_up_table(size)
    with tempfile.TemporaryDirectory() as drawn:
        write_table(simulated, Path(drawn))
        table = load_table(Path(drawn))
    jpegs = _film(simulated)
    game = find_game("qsquare")
    players = tuple(
        Player(name=name, seat=seat, colour=colour)
        for name, seat, colour in (("Ann", Seat.S, "red"), ("Ben", Seat.N, "blue"))
    )
    setup = Setup(game=game.name, board=table.measured_board(), players=players)
    handed: dict[float, float] = {}
    logged: dict[int, float] = {}

    def heard(change: Change) -> None:
        for entry in change.entries:
            since_s = handed.get(getattr(entry.body, "at_ms", -1.0))
            if since_s is not None:
                logged[entry.seq] = since_s

    certificate = club_certificate(folder / "tls", ("localhost", "127.0.0.1")) if tls else None
    with ExitStack() as stack:
        store = stack.enter_context(Store(folder / "matches.db"))
        log = store.create(MatchHeader(name="live", setup=setup, started="2026-11-21T15:00:00Z"))
        album = Album()
        stack.callback(album.close)
        camera = LiveCamera("camera", lambda: _PacedCamera(jpegs, fps), gray=True)
        stack.callback(camera.close)
        rooms = Rooms(store, log, game, table, video=True)
        clock = SystemClock()
        match = stack.enter_context(
            Match(log, game, clock=clock, live=album.live, listeners=(*rooms.listeners, heard))
        )
        rooms.overhear(camera)
        watch = watch_of(camera, table, match, album, clock=clock)
        opened = rooms.open(stack, match, lambda: watch.shift_ms)
        address = stack.enter_context(serving(match, port=0, certificate=certificate, **opened))
        watcher = Thread(target=watch.run)
        watcher.start()
        stack.callback(watcher.join)
        stack.callback(watch.stop)
        until_s = time.monotonic() + PATIENCE_S
        while match.view().sight is not Sight.STILL:
            if time.monotonic() > until_s:
                raise SystemExit(f"the table was not seen at rest: {match.view().sight_words}")
            time.sleep(0.05)
        zero_s = time.monotonic() - match.now_ms() / 1000
        said = {"port": address.port, "zero_s": zero_s}
        if certificate is not None:
            said["authority"] = str(certificate.authority)
        print(json.dumps(said), flush=True)
        facts = _facts()
        set_apart()
        for line in sys.stdin:
            words = line.split()
            if words[0] == "stop":
                break
            count, rate = int(words[1]), float(words[2])
            began_s, first = time.monotonic(), opened["wellbeing"].numbers()
            for n in range(count):
                time.sleep(max(0.0, began_s + n / rate - time.monotonic()))
                now_s = time.monotonic()
                fact = replace(next(facts), at_ms=float(round(match.now_ms() * 1000) / 1000))
                handed[fact.at_ms] = now_s
                match.take((Seen(fact=fact, evidence=(album.live,)),))
            match.sync()
            last = opened["wellbeing"].numbers()
            span_s = time.monotonic() - began_s
            print(
                json.dumps(
                    {
                        "logged": logged,
                        "rulings": [str(ruled.id) for ruled in match.view().rulings],
                        "camera_fps": (last["frames"] - first["frames"]) / span_s,
                        "dropped": last["frames_dropped"] - first["frames_dropped"],
                        "memory_mb": int(Path("/proc/self/statm").read_text().split()[1]) / 256,
                    }
                ),
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--fps", type=float, default=30.0)
    parser.add_argument("--tls", action="store_true")
    given = parser.parse_args()
    width, height = (int(side) for side in given.size.split("x"))
    serve(given.folder, (width, height), given.fps, tls=given.tls)


if __name__ == "__main__":
    main()
