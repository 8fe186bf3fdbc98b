"""Every page as a picture for docs/: `PICTURES=docs/images ./check tests/web/test_pictures.py`.

Nothing is drawn by hand: the pages are the real ones, served from the matches that the tests use.
Without PICTURES one of each kind is taken, and thrown away.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import cv2
import pytest
from playwright.sync_api import Page, expect
from testkit.devices import DESKTOP, PHONE, TABLET, UPRIGHT, WALL, Device, Devices
from testkit.fake_desk import FakeDesk
from testkit.fake_study import FakeStudy
from testkit.page_watch import PageWatch
from testkit.played import NAME
from testkit.played import play as play_match
from testkit.reference_tables import TABLES
from testkit.sample_match import question_ruling, sample_desk, service_scoreboard

from sightline.review.library import LogLibrary
from sightline.review.recording import Recorder
from sightline.running.wellbeing import MatchWellbeing
from sightline.serving.serve import Address, PageServer
from sightline.words.sight_words import HAND, cannot_see
from vision.sources import open_source
from web.access import Access, Role
from web.desk import Sight

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
CLIP = TABLES / "qsquare-oak-720" / "clips" / "001.mp4"
DATA = Path("/home/club/.local/share/sightline")
MOST_BYTES = 450_000


def as_it_is(_: FakeDesk) -> None:
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


def invite(page: Page) -> None:
    page.get_by_role("button", name="Referee").first.click()
    expect(page.locator(".invited-pin")).to_be_visible()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A page, of what, on which device, after what was tapped; `there` shows that it is ready."""

    device: Device
    where: str = ""
    there: str = ".moment"
    theme: str = "dark"
    scene: Callable[[FakeDesk], None] = as_it_is
    act: Callable[[Page], None] = stay
    joined: bool = False


SHOTS = {
    "page-desktop": Shot(device=DESKTOP),
    "page-tablet-question": Shot(device=TABLET, scene=question),
    "page-upright-service": Shot(device=UPRIGHT, theme="light", scene=service),
    "page-phone-question": Shot(device=PHONE, scene=question),
    "page-phone-blind": Shot(device=PHONE, scene=blind),
    "page-correct": Shot(device=TABLET, act=correct),
    "scoreboard": Shot(device=WALL, where="scoreboard", there=".show-side"),
    "overlay": Shot(device=WALL, where="overlay?key=00ff00", there="#headline", scene=question),
    "health": Shot(device=TABLET, where="health", there=".finding", scene=blind),
    "matches": Shot(device=TABLET, where="review/", there=".match-line"),
    "review": Shot(
        device=DESKTOP, where=f"review/match?match={quote(NAME)}", there=".moment", act=look_back
    ),
    "devices": Shot(device=TABLET, where="devices", there=".device", act=invite, joined=True),
    "join": Shot(device=PHONE, where="join", there="#pin"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogLibrary]:
    """The golden match with a reference clip for its recording."""
    folder = tmp_path_factory.mktemp("pictures")
    with play_match(folder / "matches.db", video=False) as store:
        recorder = Recorder(store.evidence(NAME).folder / "video", shift_ms=lambda: 100.0)
        with open_source(str(CLIP)) as source:
            for frame in source:
                recorder.heard(frame)
                if frame.number % 40 == 39:
                    record(recorder)
        record(recorder)
        library = LogLibrary(store)
        yield library
        library.close()


def record(recorder: Recorder) -> None:
    """Record what waits."""
    recorder.start()
    recorder.close()
    recorder._closing = False


@pytest.fixture
def server(request: pytest.FixtureRequest, library: LogLibrary) -> Iterator[tuple[Address, Access]]:
    """A server of the match as the shot wants it, which the browser has joined if it is to."""
    shot = SHOTS[request.node.callspec.params["name"]]
    desk = sample_desk()
    shot.scene(desk)
    access = Access()
    asks = shot.joined or shot.where == "join"
    server = PageServer(
        desk,
        host="0.0.0.0" if asks else "127.0.0.1",
        port=0,
        max_streams=2,
        study=FakeStudy(),
        library=library,
        wellbeing=MatchWellbeing(desk.view, DATA, free_bytes=lambda path: 73_800_000_000),
        access=access if asks else None,
    )
    yield Address(host="127.0.0.1", port=server.start().port), access
    server.stop()


WANTED = "PICTURES" in os.environ
ONE_OF_EACH_KIND = (
    "page-tablet-question",
    "page-correct",
    "scoreboard",
    "review",
    "devices",
    "join",
)


@pytest.mark.parametrize("name", SHOTS if WANTED else ONE_OF_EACH_KIND)
def test_a_picture_of_each_page_is_taken(
    devices: Devices, server: tuple[Address, Access], name: str, tmp_path: Path
) -> None:
    shot = SHOTS[name]
    address, access = server
    page = devices.open(shot.device, shot.theme)
    watch = PageWatch(page)
    if shot.joined:
        referee = access.invite(Role.REFEREE, minutes=60)
        access.join_by_secret(referee.secret, name="Marta’s tablet", browser="Chrome on Android")
        page.goto(f"{address.url}join#{access.invite(Role.OWNER, minutes=60).secret}")
        page.get_by_role("button", name="Join").click()
        expect(page.locator(shot.there).first).to_be_visible()
    page.goto(address.url + shot.where)
    expect(page.locator(shot.there).first).to_be_attached()
    shot.act(page)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_load_state("networkidle" if shot.where in ("join", "health") else "load")
    path = Path(os.environ.get("PICTURES", tmp_path)) / f"{name}.png"
    page.screenshot(path=path)
    page.close()
    watch.check()
    picture = cv2.imread(str(path))
    assert picture is not None
    assert picture.shape[:2] == (shot.device.height, shot.device.width)
    assert path.stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("name", SHOTS)
def test_each_picture_is_shown_in_the_docs(name: str) -> None:
    words = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    assert f"](images/{name}.png)" in words
    assert (ROOT / "docs" / "images" / f"{name}.png").is_file()
