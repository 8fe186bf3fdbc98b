"""The page on every device and for everyone: nothing cut off, targets to hit, names for readers."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from testkit.devices import DESKTOP, PHONE, SMALL, TABLET, UPRIGHT, WALL, Device, Devices
from testkit.fake_desk import FakeDesk
from testkit.page_watch import PageWatch
from testkit.sample_match import question_ruling, sample_desk, service_scoreboard

from sightline.serving.serve import Address, serving
from web.desk import Sight

pytestmark = pytest.mark.browser

Scene = Callable[[FakeDesk], None]
Visit = Callable[..., Page]


def named(device: Device) -> str:
    return device.name


def play(_: FakeDesk) -> None:
    """The match as it stands."""


def question(desk: FakeDesk) -> None:
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))


def service(desk: FakeDesk) -> None:
    desk.push(lambda view: replace(view, scoreboard=service_scoreboard(), sight=Sight.HAND))


def blind(desk: FakeDesk) -> None:
    desk.push(lambda view: replace(view, sight=Sight.BLIND, sight_words="The lens is covered"))


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def address(desk: FakeDesk) -> Iterator[Address]:
    with serving(desk, port=0, max_streams=3, beat_s=0.2) as address:
        yield address


@pytest.fixture
def visit(devices: Devices, address: Address, desk: FakeDesk) -> Iterator[Visit]:
    watches = []

    def go(device: Device, scene: Scene = play, theme: str = "dark") -> Page:
        scene(desk)
        page = devices.open(device, theme)
        watches.append((page, PageWatch(page)))
        page.goto(address.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        expect(page.locator(".moment").first).to_be_attached()
        return page

    yield go
    for page, watch in watches:
        page.close()
        watch.check()


@pytest.mark.parametrize(
    ("device", "scene", "theme"),
    [
        (PHONE, question, "dark"),
        (UPRIGHT, blind, "dark"),
        (TABLET, question, "light"),
        (WALL, service, "light"),
    ],
    ids=["phone", "upright tablet", "tablet in the light", "wall"],
)
def test_axe_finds_nothing_amiss(visit: Visit, device: Device, scene: Scene, theme: str) -> None:
    page = visit(device, scene, theme)
    found = Axe().run(page)
    assert found.response["violations"] == []


def test_axe_finds_nothing_amiss_in_the_sheets(visit: Visit) -> None:
    page = visit(TABLET)
    for opener in (".code", ".thumb", ".ruling [data-key$='!']"):
        page.locator(opener).first.click()
        assert Axe().run(page, context="dialog[open]").response["violations"] == []
        page.keyboard.press("Escape")


@pytest.mark.parametrize("device", [SMALL, PHONE, UPRIGHT, TABLET, DESKTOP, WALL], ids=named)
def test_nothing_is_wider_than_the_screen(visit: Visit, device: Device, desk: FakeDesk) -> None:
    page = visit(device, question)
    service(desk)
    blind(desk)
    expect(page.locator("#banner-blind")).to_be_visible()
    expect(page.locator(".task")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    clipped = page.evaluate(
        """() => [...document.querySelectorAll("button, .headline, .score, .ruling-words, .sight")]
            .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.className + ": " + one.textContent)"""
    )
    assert clipped == []


@pytest.mark.parametrize("device", [PHONE, UPRIGHT, TABLET], ids=named)
def test_every_target_is_large_enough_for_a_thumb(visit: Visit, device: Device) -> None:
    page = visit(device, question)
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input, a[href]")]
            .filter((one) => one.offsetParent !== null && !one.matches(".skip"))
            .map((one) => [one.textContent.trim(), one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 47.5 || box.height < 47.5)
            .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
    )
    assert small == []


@pytest.mark.parametrize("device", [UPRIGHT, TABLET], ids=named)
def test_a_referees_main_targets_on_a_tablet_are_larger_still(visit: Visit, device: Device) -> None:
    page = visit(device, question)
    for selector in (".answer", ".say .button"):
        for box in [one.bounding_box() for one in page.locator(selector).all()]:
            assert box["height"] >= 64


@pytest.mark.parametrize("device", [TABLET, DESKTOP, WALL], ids=named)
def test_board_headline_and_both_answers_are_seen_without_scrolling(
    visit: Visit, device: Device
) -> None:
    page = visit(device, question)
    for selector in ("#board", "#headline", ".answer >> nth=0", ".answer >> nth=1", "#sight"):
        box = page.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= device.height


def test_the_board_stays_in_sight_while_rulings_are_read(visit: Visit) -> None:
    page = visit(TABLET)
    before = page.locator("#board").bounding_box()
    page.locator(".moment").last.scroll_into_view_if_needed()
    assert page.locator("#board").bounding_box() == before


def test_a_reader_hears_what_a_ruling_is_before_its_words(visit: Visit) -> None:
    page = visit(PHONE)
    words = page.locator(".moment").first.locator(".ruling-words").first
    assert words.text_content().startswith("Penalty: The cue-puck hit black")


def test_an_error_page_leads_back_to_the_match(visit: Visit, address: Address) -> None:
    page = visit(PHONE)
    page.goto(address.url + "nowhere")
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("link", name="To the match").click()
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
