"""What is left of the video when Sightline is killed: how far does it play, in a browser?

    python benchmarks/video_after_kill.py [--kills 10] [--fps 30]

A running table (`running_table.py`) is killed with SIGKILL at a random moment, with a camera of
1280x720 running and recorded; then Chromium plays the newest file of the recording to its end.
Printed: how long before the kill the last picture was made that it shows.
"""

import argparse
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests" / "support")]

from playwright.sync_api import Page, sync_playwright  # noqa: E402
from running_table import running_table  # noqa: E402
from testkit.browser import installed_browser  # noqa: E402

PLAY = """
async () => {
  const video = document.querySelector("video");
  let shown = -1;
  const note = (now, about) => { shown = about.mediaTime; video.requestVideoFrameCallback(note); };
  video.requestVideoFrameCallback(note);
  await new Promise((done, failed) => {
    video.onended = done;
    video.onerror = () => failed(new Error(video.error.message));
    video.muted = true;
    video.playbackRate = 4;
    video.play().catch(failed);
  });
  await new Promise((done) => setTimeout(done, 300));
  return { shown, end: video.currentTime };
}
"""


def played_to_s(page: Page, video: Path) -> float:
    """The video's time at which Chromium has played it to its end."""
    room = video.with_name("play.html")
    room.write_text(f'<!doctype html><video src="{video.name}"></video>', encoding="utf-8")
    page.goto(room.as_uri())
    told = page.evaluate(PLAY)
    return float(max(told["shown"], told["end"]))


def lost_s(page: Page, folder: Path, fps: float, seconds: float) -> float:
    """How much of the end a kill has cost, after the table ran for so long."""
    with running_table(folder, fps=fps) as table:
        time.sleep(seconds)
        killed_s = time.monotonic() - table.zero_s
        os.kill(table.process.pid, signal.SIGKILL)
        table.process.wait()
    video = max(folder.glob("**/video/*.mp4"))
    begun_s = float(video.with_suffix(".index").read_text(encoding="ascii").split()[0]) / 1000
    return killed_s - (begun_s + played_to_s(page, video))


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("--kills", type=int, default=10)
    ask.add_argument("--fps", type=float, default=30.0)
    ask.add_argument("--seed", type=int, default=1)
    given = ask.parse_args()
    chance = random.Random(given.seed)
    lost: list[float] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=installed_browser(),
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
        )
        page = browser.new_page()
        for _ in range(given.kills):
            with tempfile.TemporaryDirectory() as folder:
                lost.append(lost_s(page, Path(folder), given.fps, chance.uniform(3.0, 7.0)))
                print(f"  {lost[-1]:.2f} s", flush=True)
        browser.close()
    print(
        f"{len(lost)} kills at {given.fps:.0f} frames a second: the video ends"
        f" {statistics.median(lost):.2f} s before the kill (median; worst {max(lost):.2f})"
    )


if __name__ == "__main__":
    main()
