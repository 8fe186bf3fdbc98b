"""Takes the pictures of docs/page.md: run it from the project's root, `python docs/images/make.py`.

It needs Debian's chromium and the packages of the `test` extra. Nothing is drawn by hand: the pages
are the real ones, served from the sample match that the tests use.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from playwright.sync_api import expect, sync_playwright  # noqa: E402
from testkit.devices import DESKTOP, PHONE, TABLET, UPRIGHT, Device, Devices  # noqa: E402
from testkit.fake_desk import FakeDesk  # noqa: E402
from testkit.sample_match import question_ruling, sample_desk, service_scoreboard  # noqa: E402

from sightline.serve import serving  # noqa: E402
from web.desk import Sight  # noqa: E402

CHROMIUM = "/usr/bin/chromium"
LIMIT_BYTES = 300_000


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
            sight_words="A hand is over the table.",
            sight_since_ms=view.now_ms - 2000,
        )
    )


def blind(desk: FakeDesk) -> None:
    desk.push(
        lambda view: replace(
            view,
            sight=Sight.BLIND,
            sight_words="Sightline cannot see the table: the lens is covered.",
            sight_since_ms=view.now_ms - 12_000,
        )
    )


SHOTS: list[tuple[str, Device, str, Callable[[FakeDesk], None]]] = [
    ("page-desktop", DESKTOP, "dark", play),
    ("page-tablet-question", TABLET, "dark", question),
    ("page-upright-service", UPRIGHT, "light", service),
    ("page-phone-question", PHONE, "dark", question),
    ("page-phone-blind", PHONE, "dark", blind),
]


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--disable-gpu"])
        devices = Devices(browser)
        for name, device, theme, scene in SHOTS:
            desk = sample_desk()
            scene(desk)
            with serving(desk, port=0, max_streams=2) as address:
                page = devices.open(device, theme)
                page.goto(address.url)
                expect(page.locator(".moment").first).to_be_attached()
                page.wait_for_timeout(400)
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
