"""A language that is English in wide letters: whatever still reads in narrow ones is left over.

Every text of the catalogues is "translated" letter by letter, placeholders stay. A page asked for
in it shows narrow letters only where a text went past the catalogues, and in names.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from playwright.sync_api import Page

from web import languages, saying

WIDE = "xx"
_SCRIPTS = Path(__file__).parents[3] / "scripts"
_STAYS = re.compile(r"\{[^}]*\}|%\(\w+\)s")
_WORD = re.compile(r"[A-Za-z][A-Za-z’']{2,}")
_NAMES = re.compile(
    r"\b[A-Z]{1,3}-\w[\w.]*"  # clauses
    r"|\b[a-z]+(?:-[a-z]+)*-\d+\b|\bcue-puck\b|\bstriker\b|\bqueen\b"  # pieces
    r"|\bv?home-[SENW]\b|\bcentral-[a-z]+\b|\b\w+-line-[SENW]\b"  # painted lines
    r"|\b(?:QR|PIN|UTC|JSON|HTTP|GB|min|JavaScript|Sightline|Deutsch|English|Français)\b"
    r"|\{[^}]*\}"  # sets of places, in the words of clauses
    r"|--lan|sightline \w+(?: FILE)?|[\w./-]*/[\w./-]+|\bqsquare-oak\b|\bX-Sightline\b"
)


def wide(text: str) -> str:
    """Return a text in wide letters, but for what is filled in."""
    parts, end = [], 0
    for stays in _STAYS.finditer(text):
        parts += [_widened(text[end : stays.start()]), stays.group()]
        end = stays.end()
    return "".join([*parts, _widened(text[end:])])


def _widened(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalpha() else c for c in text)


@contextmanager
def spoken(folder: Path) -> Iterator[None]:
    """Let pages speak it; its catalogues are made in `folder`."""
    sys.path.insert(0, str(_SCRIPTS))
    from messages import PAGE, said, texts

    sys.path.remove(str(_SCRIPTS))
    place = folder / WIDE / "LC_MESSAGES"
    place.mkdir(parents=True)
    for domain, of_domain in {PAGE: dict.fromkeys(texts()), **said()}.items():
        catalogue = Catalog(locale="en")
        for text in of_domain:
            catalogue.add(text, wide(text))
        content = BytesIO()
        write_po(content, catalogue)
        (place / f"{domain}.po").write_bytes(content.getvalue())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saying, "_FOLDER", folder)
        patch.setitem(languages.LANGUAGES, WIDE, "wide")
        _forget()
        yield
    _forget()


def _forget() -> None:
    for cached in (saying.catalogue, saying.templates, saying.rule_words):
        cached.cache_clear()


def left_over(page: Page, *names: str) -> list[str]:
    """Return the texts of a page, hidden ones too, in which narrow words stand; `names` may."""
    texts = page.evaluate(
        """() => {
          const found = [document.title];
          const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const text = walk.currentNode.textContent.trim();
            const parent = walk.currentNode.parentElement;
            if (!parent.closest("script, style, noscript, code, #language")) found.push(text);
          }
          for (const one of document.querySelectorAll("*"))
            for (const name of ["aria-label", "title", "alt", "placeholder", "aria-valuetext"])
              if (one.getAttribute(name)) found.push(one.getAttribute(name));
          return [...new Set(found)];
        }"""
    )
    return [text for text in texts if narrow(text, *names)]


def narrow(text: str, *names: str) -> list[str]:
    """Return the words of a text that are in narrow letters, and no names."""
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = text.replace(name, " ")
    return _WORD.findall(_NAMES.sub(" ", text))
