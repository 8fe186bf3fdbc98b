"""Takes the pictures of docs/page.md: run it from the project's root, `python docs/images/make.py`.

It needs Debian's chromium and the packages of the `test` extra. Nothing is drawn by hand: the pages
are the real ones, served from the sample match that the tests use.
"""

import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from playwright.sync_api import Page, expect, sync_playwright  # noqa: E402
from testkit.devices import DESKTOP, PHONE, TABLET, UPRIGHT, WALL, Device, Devices  # noqa: E402
from testkit.fake_desk import FakeDesk  # noqa: E402
from testkit.fake_study import FakeStudy  # noqa: E402
from testkit.played import NAME  # noqa: E402
from testkit.played import play as play_match  # noqa: E402
from testkit.sample_match import question_ruling, sample_desk, service_scoreboard  # noqa: E402

from sightline.library import LogLibrary  # noqa: E402
from sightline.recording import Recorder  # noqa: E402
from sightline.serve import serving  # noqa: E402
from sightline.sight_words import HAND, cannot_see  # noqa: E402
from vision.sources import open_source  # noqa: E402
from web.desk import Sight  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
LIMIT_BYTES = 450_000
CLIP = ROOT / "tests" / "data" / "tables" / "qsquare-oak-720" / "clips" / "001.mp4"


def play(_: FakeDesk) -> None:
    """The match as it stands."""


def question(desk: FakeDesk) -> None:
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))
    desk.push(
        lambda view: replace(
            view, scoreboard=replace(view.scoreboard, headline="The referee is asked", turn="N")
        )
    )


def service(desk: FakeDesk) -> None:
    desk.push(
        lambda view: replace(
            view,
            scoreboard=service_scoreboard(),
            sight=Sight.HAND,
            sight_words=HAND,
            sight_since_ms=view.now_ms - 2000,
        )
    )


def blind(desk: FakeDesk) -> None:
    desk.push(
        lambda view: replace(
            view,
            sight=Sight.BLIND,
            sight_words=cannot_see("the lens is covered"),
            sight_since_ms=view.now_ms - 12_000,
        )
    )


def stay(_: Page) -> None:
    """The page as it opens."""


def correct(page: Page) -> None:
    page.get_by_role("button", name="Correct what was seen at 05:01").click()
    page.get_by_role("button", name="It was black-8").click()
    expect(page.locator("#correct-keep")).to_be_enabled()


def look_back(page: Page) -> None:
    page.locator("#outlines-on").click()
    page.get_by_role("button", name="Next ruling").click()
    page.get_by_role("button", name="Next ruling").click()
    expect(page.locator("#stage")).to_have_attribute("data-shown", re.compile(r"\d+"))


SHOTS: list[tuple[str, Device, str, Callable[[FakeDesk], None], str, Callable[[Page], None]]] = [
    ("page-desktop", DESKTOP, "dark", play, "", stay),
    ("page-tablet-question", TABLET, "dark", question, "", stay),
    ("page-upright-service", UPRIGHT, "light", service, "", stay),
    ("page-phone-question", PHONE, "dark", question, "", stay),
    ("page-phone-blind", PHONE, "dark", blind, "", stay),
    ("page-correct", TABLET, "dark", play, "", correct),
    ("scoreboard", WALL, "dark", play, "scoreboard", stay),
    ("review", DESKTOP, "dark", play, f"review/match?match={quote(NAME)}", look_back),
]


def recorded(folder: Path) -> LogLibrary:
    """The golden match with a reference clip for its recording."""
    store = play_match(folder / "matches.db", video=False)
    recorder = Recorder(store.evidence(NAME).folder / "video", shift_ms=lambda: 100.0)
    with open_source(str(CLIP)) as source:
        for frame in source:
            recorder.heard(frame)
            if frame.number % 40 == 39:
                drain(recorder)
    drain(recorder)
    return LogLibrary(store)


def drain(recorder: Recorder) -> None:
    recorder.start()
    recorder.close()
    recorder._closing = False


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--disable-gpu"])
        devices = Devices(browser)
        library = recorded(Path(folder))
        for name, device, theme, scene, where, act in SHOTS:
            desk = sample_desk()
            scene(desk)
            with serving(
                desk, port=0, max_streams=2, study=FakeStudy(), library=library
            ) as address:
                page = devices.open(device, theme)
                page.goto(address.url + where)
                expect(page.locator(".moment, .show-side").first).to_be_attached()
                act(page)
                page.wait_for_timeout(700)
                path = ROOT / "docs" / "images" / f"{name}.png"
                page.screenshot(path=path)
                page.close()
            size = path.stat().st_size
            print(f"{path.relative_to(ROOT)}: {size / 1000:.0f} kB")
            if size > LIMIT_BYTES:
                raise SystemExit(f"{path} is larger than {LIMIT_BYTES / 1000:.0f} kB")
        devices.close()
        browser.close()


if __name__ == "__main__":
    main()
