"""Joining and showing out, in a real browser: an owner, a referee's tablet, an overlay."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from testkit.devices import PATIENCE_MS
from testkit.page_watch import PageWatch
from testkit.sample_match import sample_desk

from sightline.serving.serve import Address, PageServer
from web.access import Access, Role

pytestmark = pytest.mark.browser


@pytest.fixture
def server() -> Iterator[PageServer]:
    """A server that devices must join, reached by the loopback as a browser here can."""
    server = PageServer(
        sample_desk(), host="0.0.0.0", port=0, max_streams=4, beat_s=0.2, access=Access()
    )
    yield server
    server.stop()


@pytest.fixture
def address(server: PageServer) -> Address:
    started = server.start()
    return Address(host="127.0.0.1", port=started.port, joining=started.joining)


@pytest.fixture
def screen(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(
        viewport={"width": 1024, "height": 768}, reduced_motion="reduce", locale="en"
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context
    context.close()


@pytest.fixture
def owner(screen: BrowserContext, address: Address) -> Iterator[Page]:
    page = screen.new_page()
    watch = PageWatch(page)
    assert address.joining is not None
    page.goto(address.joining)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(address.url + "devices")
    yield page
    watch.check()


def invite(owner: Page, role: str) -> str:
    """Invite as the owner does; return the PIN that is shown."""
    owner.get_by_role("button", name=role).first.click()
    pin = owner.locator(".invited-pin")
    expect(pin).to_be_visible()
    return pin.inner_text()


def test_the_owners_link_makes_one_browser_the_owner(owner: Page, address: Address) -> None:
    expect(owner.locator(".device")).to_have_count(1)
    expect(owner.locator(".device")).to_contain_text("this one")
    assert Axe().run(owner).response["violations"] == []
    assert address.joining is not None
    second = owner.context.browser.new_page()
    second.goto(address.joining)
    second.get_by_role("button", name="Join").click()
    expect(second.locator("#problem")).to_contain_text("no longer, open")
    expect(second.locator("#pin")).to_be_hidden()
    second.close()


def test_a_tablet_joins_by_pin_and_is_shown_out_again(
    owner: Page, address: Address, chromium: Browser
) -> None:
    pin = invite(owner, "Referee")
    expect(owner.locator(".qr path")).to_have_count(1)
    assert Axe().run(owner, context="dialog[open]").response["violations"] == []
    owner.keyboard.press("Escape")
    tablet = chromium.new_page()
    tablet.goto(address.url)
    expect(tablet).to_have_url(address.url + "join")
    assert Axe().run(tablet).response["violations"] == []
    tablet.locator("#pin").fill("12")
    tablet.get_by_role("button", name="Join").click()
    expect(tablet.locator("#problem")).to_have_text("A PIN has six digits.")
    tablet.locator("#pin").fill(pin)
    tablet.locator("#name").fill("Marta’s tablet")
    tablet.get_by_role("button", name="Join").click()
    expect(tablet.locator("#link")).to_have_attribute("data-state", "live")
    row = owner.locator(".device", has_text="Marta’s tablet")
    expect(row.locator("select")).to_have_value("referee")
    row.get_by_role("button", name="Shut out Marta’s tablet").click()
    expect(row).to_have_count(0)
    expect(tablet).to_have_url(address.url + "join")
    tablet.close()


def test_nobody_can_press_join_before_the_page_listens(
    screen: BrowserContext, address: Address
) -> None:
    page = screen.new_page()
    page.route("**/join.js", lambda route: route.abort())
    page.goto(address.url + "join")
    expect(page.get_by_role("button", name="Join")).to_be_disabled()


def test_one_joins_in_english_where_a_pages_words_do_not_arrive(
    screen: BrowserContext, address: Address
) -> None:
    page = screen.new_page()
    page.route("**/words.js*", lambda route: route.abort())
    page.goto(address.url + "join?lang=fr")
    page.locator("#pin").fill("12")
    page.locator("button[type=submit]").click()
    expect(page.locator("#problem")).to_have_text("A PIN has six digits.")


def test_a_role_is_changed_by_the_owner(
    owner: Page, server: PageServer, address: Address, chromium: Browser
) -> None:
    access = server.access
    assert access is not None
    secret = access.invite(Role.VIEWER, minutes=10).secret
    phone = chromium.new_page()
    phone.goto(f"{address.url}join#{secret}")
    phone.locator("#name").fill("Phone")
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator("#headline")).to_have_text("Anna to shoot")
    owner.locator(".device", has_text="Phone").locator("select").select_option("referee")
    expect(phone.locator("body")).to_have_attribute("data-role", "referee")
    assert {device.role for device in access.devices()} == {Role.OWNER, Role.REFEREE}
    phone.close()
