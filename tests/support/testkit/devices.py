"""The devices that a page is looked at on."""

from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE_MS = 45_000  # a busy machine must not fail a test; figures are for benchmarks/page.py


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A screen, and whether it is touched or pointed at."""

    name: str
    width: int
    height: int
    touch: bool = True


SMALL = Device(name="small phone", width=320, height=640)
PHONE = Device(name="phone", width=390, height=844)
UPRIGHT = Device(name="upright tablet", width=768, height=1024)
TABLET = Device(name="tablet", width=1024, height=768)
DESKTOP = Device(name="desktop", width=1440, height=900, touch=False)
WALL = Device(name="wall screen", width=1920, height=1080, touch=False)


class Devices:
    """One browser context for each device and theme, made when it is first asked for."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: dict[tuple[Device, str], BrowserContext] = {}

    def open(self, device: Device, theme: str = "dark") -> Page:
        """Open a page that knows nothing of earlier choices.

        What a page stores belongs to its server's port; cookies belong to the host, so they go
        with the last page of a device.
        """
        context = self._contexts.get((device, theme))
        if context is None:
            context = self._browser.new_context(
                viewport={"width": device.width, "height": device.height},
                has_touch=device.touch,
                is_mobile=device.touch,
                reduced_motion="reduce",
            )
            context.set_default_timeout(PATIENCE_MS)
            if theme != "dark":
                context.add_init_script(f"localStorage.setItem('sightline.theme', '{theme}')")
            self._contexts[device, theme] = context
        if not context.pages:
            context.clear_cookies()
        return context.new_page()

    def close(self) -> None:
        for context in self._contexts.values():
            context.close()
