"""A browser for the page tests: Debian's chromium, started once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from testkit.browser import installed_browser
from testkit.devices import PATIENCE_MS, TABLET, Devices
from testkit.page_watch import PageWatch

ARGUMENTS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def devices(chromium: Browser) -> Iterator[Devices]:
    devices = Devices(chromium)
    yield devices
    devices.close()


@pytest.fixture
def page(devices: Devices) -> Iterator[Page]:
    """A tablet's page. Afterwards: no script failed, nothing was asked of any other site."""
    page = devices.open(TABLET)
    watch = PageWatch(page)
    yield page
    page.close()
    watch.check()
