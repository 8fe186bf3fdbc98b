"""Which browser pages are looked at in."""

import shutil

WITHOUT_WINDOWS = "chromium-headless-shell"
"""Debian's chromium, that opens no windows: a page takes it two thirds of the time."""


def installed_browser() -> str | None:
    """Where the system's chromium is; None: the one that Playwright brought.

    Tests cannot drive Ubuntu's, which is a snap.
    """
    found = shutil.which(WITHOUT_WINDOWS) or shutil.which("chromium")
    return None if found is None or found.startswith("/snap/") else found
