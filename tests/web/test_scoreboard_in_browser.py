"""The scoreboard and the overlay: large, legible, transparent where it must be."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from testkit.devices import PHONE, UPRIGHT, WALL, Device, Devices
from testkit.fake_desk import FakeDesk
from testkit.page_watch import PageWatch
from testkit.sample_match import final_view, sample_desk

from rules.rulings import Ruling, RulingKind
from sightline.serving.serve import Address, serving
from web.desk import Sight

pytestmark = pytest.mark.browser


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def address(desk: FakeDesk) -> Iterator[Address]:
    with serving(desk, port=0, max_streams=4, beat_s=0.2) as address:
        yield address


def opened(devices: Devices, device: Device, url: str) -> tuple[Page, PageWatch]:
    page = devices.open(device)
    watch = PageWatch(page)
    page.goto(url)
    expect(page.locator(".show-side")).to_have_count(2)
    return page, watch


@pytest.mark.parametrize("device", [WALL, UPRIGHT, PHONE], ids=lambda d: d.name)
@pytest.mark.parametrize("path", ["scoreboard", "overlay"])
def test_score_and_turn_are_shown_within_the_screen_and_to_everybody(
    devices: Devices, address: Address, device: Device, path: str
) -> None:
    page, watch = opened(devices, device, address.url + path)
    expect(page.locator(".is-turn .show-name")).to_have_text("Anna")
    expect(page.locator(".is-turn .show-turn")).to_contain_text("To play")
    expect(page.locator(".show-value").first).to_have_text("6")
    expect(page.locator("#headline")).to_have_text("Anna to shoot")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert Axe().run(page).response["violations"] == []
    page.close()
    watch.check()


def test_the_score_is_read_from_five_metres(devices: Devices, address: Address) -> None:
    """On a screen 60 cm high at 1080 lines: 25 mm of figure height, by the rule of 1 in 200."""
    page, watch = opened(devices, WALL, address.url + "scoreboard")
    px = page.locator(".show-value").first.evaluate("v => parseFloat(getComputedStyle(v).fontSize)")
    figure_mm = 0.7 * px * 600 / 1080
    assert figure_mm >= 5000 / 200
    page.close()
    watch.check()


def test_a_side_is_told_without_its_colour(devices: Devices, address: Address) -> None:
    page, watch = opened(devices, WALL, address.url + "scoreboard")
    hrefs = [one.get_attribute("href") for one in page.locator(".show-piece use").all()]
    letters = [page.locator(f"{href} .letter").text_content() for href in hrefs]
    assert letters == ["R", "B"]
    page.close()
    watch.check()


def test_the_overlay_lets_the_picture_through_and_tells_a_ruling_as_it_comes(
    devices: Devices, address: Address, desk: FakeDesk
) -> None:
    page, watch = opened(devices, WALL, address.url + "overlay")
    ground = "getComputedStyle(document.{}).backgroundColor"
    for part in ("documentElement", "body"):
        assert page.evaluate(ground.format(part)) == "rgba(0, 0, 0, 0)"
    expect(page.locator("#latest")).to_be_empty()
    desk.rule(Ruling(code="QS-2.2", words="Anna pocketed a black puck.", kind=RulingKind.POCKET))
    expect(page.locator("#latest")).to_have_text("Anna pocketed a black puck.")
    page.goto(address.url + "overlay?key=00ff00")
    expect(page.locator("html")).to_have_css("background-color", "rgb(0, 255, 0)")
    page.close()
    watch.check()


def test_a_screen_says_when_nothing_is_seen_and_who_has_won(
    devices: Devices, address: Address, desk: FakeDesk
) -> None:
    page, watch = opened(devices, WALL, address.url + "scoreboard")
    desk.push(lambda view: replace(view, sight=Sight.BLIND))
    expect(page.locator("#trouble")).to_contain_text("cannot see the table")
    desk.push(lambda view: final_view())
    expect(page.locator("#trouble")).to_be_empty()
    expect(page.locator("#headline")).to_have_text("Anna wins the match, 2 games to 0")
    expect(page.locator(".is-turn")).to_have_count(0)
    page.close()
    watch.check()


def test_a_screen_that_has_lost_sightline_says_so(devices: Devices, desk: FakeDesk) -> None:
    with serving(desk, port=0, max_streams=2, beat_s=0.2) as address:
        page, watch = opened(devices, WALL, address.url + "scoreboard")
    expect(page.locator("#trouble")).to_contain_text("has lost Sightline")
    page.close()
    watch.check()
