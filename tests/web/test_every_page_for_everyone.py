"""Every page on the smallest phone, in every language and both themes: axe is content, all fits."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from testkit.devices import SMALL, Devices
from testkit.page_watch import PageWatch
from testkit.played import NAME, play
from testkit.sample_match import question_ruling, sample_desk

from sightline.review.library import LogLibrary
from sightline.serving.serve import Address, serving
from web.languages import COOKIE, LANGUAGES

pytestmark = pytest.mark.browser
WIDER = "() => document.documentElement.scrollWidth - innerWidth"
PAGES = {
    "": "#headline",
    "scoreboard": "#headline",
    "review/": ".match-line",
    f"review/match?match={quote(NAME)}": ".moment",
    "health": ".finding",
    "devices": "h1",
    "join": "h1",
    "nowhere": "h1",
}
WHOLLY: dict[str, object] = {}
BY_COLOUR = {"runOnly": ["color-contrast"]}  # all that a theme can change
BY_WORDS = {"runOnly": ["cat.language", "cat.name-role-value", "cat.text-alternatives"]}
"""What the words of another language can change."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    desk = sample_desk()
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))
    desk.push(lambda view: replace(view, warnings=("Recording has stopped: 0.9 GB are free.",)))
    with play(tmp_path_factory.mktemp("small") / "matches.db", video=False) as store:
        library = LogLibrary(store)
        with serving(desk, port=0, max_streams=3, beat_s=0.2, library=library) as address:
            yield address
        library.close()


@pytest.mark.parametrize(
    ("theme", "rules", "language"),
    [
        pytest.param("dark", WHOLLY, "en", id="dark"),
        pytest.param("light", BY_COLOUR, "en", id="light"),
        *(pytest.param("dark", BY_WORDS, tag, id=tag) for tag in LANGUAGES if tag != "en"),
    ],
)
def test_each_page_is_for_everyone_and_fits(
    devices: Devices, address: Address, language: str, theme: str, rules: dict[str, object]
) -> None:
    phone = devices.open(SMALL, theme)
    watch = PageWatch(phone)
    phone.context.add_cookies([{"name": COOKIE, "value": language, "url": address.url}])
    amiss = {}
    for path, there in PAGES.items():
        phone.goto(address.url + path)
        expect(phone.locator("html")).to_have_attribute("lang", language)
        expect(phone.locator(there).first).to_be_visible()
        found = [each["id"] for each in Axe().run(phone, options=rules).response["violations"]]
        wider = phone.evaluate(WIDER)
        if found or wider > 0:
            amiss[path] = (found, wider)
    phone.close()
    watch.check()
    assert amiss == {}
