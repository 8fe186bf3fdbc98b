"""How soon the page says that Sightline cannot see, and that it has lost Sightline.

    python benchmarks/blind.py [--times 5]

A camera on a loopback address sends sound pictures to a running match in a process of its own
(real source, real judge of frames, real server; nothing is read from the pictures), whose page
Debian's chromium shows. Then the camera falls silent, hangs up, freezes, goes black, sends half
pictures or noise, and at last the process itself is stopped or killed. Printed: the time from that
instant to the warning on the page, and from the end of a fault to the warning's end.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Literal

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import numpy as np  # noqa: E402
from playwright.sync_api import Locator, Page, sync_playwright  # noqa: E402
from testkit.browser import installed_browser  # noqa: E402
from testkit.clips import jpeg, scene  # noqa: E402
from testkit.mjpeg_camera import MjpegCamera, serving  # noqa: E402

FAULTS = ("silent", "gone", "frozen", "black", "half", "noise")
SIZE = {"width": 640, "height": 480}
PATIENCE_MS = 20_000


@dataclass
class MoodyCamera(MjpegCamera):
    """A camera whose pictures can be spoiled while it runs: `mood` is "sound" or a fault."""

    mood: str = "sound"

    def part(self, number: int) -> bytes:
        while self.mood == "silent":
            time.sleep(0.005)
        if self.mood == "gone":
            raise OSError("the cable is out")
        spoiled = {"black": 1, "half": 2, "noise": 3}.get(self.mood, 0)
        turn = 0 if self.mood == "frozen" else number % len(SOUND)
        return super().part(turn + spoiled * len(SOUND))


def _half(number: int) -> bytes:
    picture = scene(number, **SIZE).copy()
    picture[SIZE["height"] // 2 :] = 128
    return jpeg(picture)


def _noise(number: int) -> bytes:
    shape = (SIZE["height"], SIZE["width"], 3)
    return jpeg(np.random.default_rng(number).integers(0, 256, shape).astype(np.uint8))


SOUND = range(12)


def pictures() -> list[bytes]:
    """What the camera has to send: sound, black, half and noisy pictures, as many of each."""
    black = np.zeros((SIZE["height"], SIZE["width"], 3), np.uint8)
    return [
        *(jpeg(scene(n, **SIZE)) for n in SOUND),
        *(jpeg(black + np.uint8(n % 3)) for n in SOUND),
        *(_half(n) for n in SOUND),
        *(_noise(n) for n in SOUND),
    ]


def referee(address: str) -> None:
    """The child: watches the camera until it is killed."""
    import cv2
    from testkit.toy import SETUP, Toy

    from sightline.clock import SystemClock
    from sightline.match_log.log import MatchHeader, Store
    from sightline.running.album import Album
    from sightline.running.match import Match
    from sightline.running.watching import Watch
    from sightline.serving.serve import serving as serving_pages
    from vision.frame_judge import FrameJudge
    from vision.sources import open_source

    class Idle:
        def feed(self, frame: object) -> tuple[()]:
            return ()

        lose = finish = lambda self, *_: ()

    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "m.db") as store:
        log = store.create(MatchHeader(name="final", setup=SETUP, started="2026-11-21T15:00:00Z"))
        album = Album()
        clock = SystemClock()
        with (
            open_source(address, gray=True) as source,
            Match(log, Toy(), clock=clock, live=album.live) as match,
            serving_pages(match, port=0) as page,
        ):
            print(page.url, flush=True)
            health = FrameJudge(scene(100, **SIZE), live=True)
            Watch(source, Idle, match, album, health=health, clock=clock).run()


def until(
    start: Callable[[], object], banner: Locator, state: Literal["visible", "hidden"]
) -> float:
    """Return the seconds from `start` until the banner is seen, or is not."""
    began = time.monotonic()
    start()
    banner.wait_for(state=state, timeout=PATIENCE_MS)
    return time.monotonic() - began


def of_the_camera(page: Page, camera: MoodyCamera, fault: str) -> tuple[float, float]:
    def become(mood: str) -> Callable[[], None]:
        return lambda: setattr(camera, "mood", mood)

    blind = page.locator("#banner-blind")
    went_s = until(become(fault), blind, "visible")
    time.sleep(1.0)
    came_s = until(become("sound"), blind, "hidden")
    time.sleep(1.0)
    return went_s, came_s


@contextmanager
def refereed(camera: MoodyCamera) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A process that watches the camera, and the address of its page."""
    child = subprocess.Popen(
        [sys.executable, __file__, "--referee", camera.address],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        yield child, child.stdout.readline().strip()
    finally:
        child.kill()
        child.wait()


def opened(page: Page, url: str) -> None:
    """Have the page show a match that is seen well."""
    page.goto(url)
    for banner in ("#banner-lost", "#banner-blind"):
        page.locator(banner).wait_for(state="hidden", timeout=PATIENCE_MS)
    time.sleep(2.0)


def measure(times: int) -> None:
    went: dict[str, list[float]] = {}
    came: dict[str, list[float]] = {}
    with sync_playwright() as playwright, serving(MoodyCamera(pictures(), "repeat")) as camera:
        assert isinstance(camera, MoodyCamera)
        browser = playwright.chromium.launch(executable_path=installed_browser())
        page = browser.new_page()
        lost = page.locator("#banner-lost")
        with refereed(camera) as (child, url):
            opened(page, url)
            for _ in range(times):
                for fault in FAULTS:
                    went_s, came_s = of_the_camera(page, camera, fault)
                    went.setdefault(fault, []).append(went_s)
                    came.setdefault(fault, []).append(came_s)
                for mark, state, times_s in (
                    (signal.SIGSTOP, "visible", went),
                    (signal.SIGCONT, "hidden", came),
                ):
                    seconds = until(partial(child.send_signal, mark), lost, state)
                    times_s.setdefault("stopped", []).append(seconds)
                    time.sleep(2.0)
        for _ in range(times):
            with refereed(camera) as (child, url):
                opened(page, url)
                went.setdefault("killed", []).append(until(child.kill, lost, "visible"))
        browser.close()
    print("                    said after: median, worst    withdrawn after: median, worst")
    for fault, seconds in went.items():
        print(f"{fault:<18}  {_summary(seconds)}             {_summary(came.get(fault, []))}")


def _summary(seconds: list[float]) -> str:
    if not seconds:
        return "      –       – "
    return f"{median(seconds):6.2f} s {max(seconds):6.2f} s"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--times", type=int, default=5)
    ask.add_argument("--referee", help=argparse.SUPPRESS)
    given = ask.parse_args()
    if given.referee:
        referee(given.referee)
    else:
        measure(given.times)


if __name__ == "__main__":
    main()
