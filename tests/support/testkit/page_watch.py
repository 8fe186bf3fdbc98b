"""Watches a browser page for what must never happen on ours."""

from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page

_OURS = {"127.0.0.1", "localhost"}
_EXPECTED = ("Failed to load resource", "net::ERR_")  # a server that is away, or says no


class PageWatch:
    """Gathers script errors, broken policies and requests to other sites."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.foreign: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)
        page.on("request", lambda request: self._look(request.url))

    def check(self) -> None:
        assert self.errors == [], self.errors
        assert self.foreign == [], self.foreign

    def _hear(self, message: ConsoleMessage) -> None:
        expected = any(words in message.text for words in _EXPECTED)
        if message.type in {"error", "assert"} and not expected:
            self.errors.append(message.text)

    def _look(self, url: str) -> None:
        if urlsplit(url).hostname not in _OURS:
            self.foreign.append(url)
