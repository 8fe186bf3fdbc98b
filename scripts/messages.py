"""Brings the page's catalogues up to date with its texts: `python scripts/messages.py`.

New texts come without a translation, texts that are gone go. A test sees that none is missing.
"""

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "web" / "locale"
LANGUAGES = ("de", "fr")
_SOURCES = (
    ("web/templates", "*.html", "jinja2.ext:babel_extract", {"_": None}),
    ("web/static/js", "*.js", "javascript", {"t": None}),
)


def texts() -> dict[str, str]:
    """Return every text of templates and scripts, and the first file it is in."""
    found: dict[str, str] = {}
    for folder, pattern, method, keywords in _SOURCES:
        for path in sorted((ROOT / folder).glob(pattern)):
            source = BytesIO(path.read_bytes())
            options = (
                {"newstyle_gettext": "true"}
                if "jinja2" in method
                else {"parse_template_string": "true"}
            )
            for _, text, _, _ in extract(method, source, keywords, options=options):
                if isinstance(text, str) and text:
                    found.setdefault(text, f"{folder}/{path.name}")
    return found


def read_catalogue(language: str) -> Catalog:
    path = LOCALE / language / "LC_MESSAGES" / "sightline.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def main() -> None:
    wanted = texts()
    for language in LANGUAGES:
        old = read_catalogue(language)
        new = Catalog(locale=language, project="Sightline", fuzzy=False)
        for text, place in sorted(wanted.items(), key=lambda each: (each[1], each[0])):
            known = old.get(text)
            new.add(text, known.string if known is not None else "", locations=[(place, None)])
        path = LOCALE / language / "LC_MESSAGES" / "sightline.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = BytesIO()
        write_po(content, new, width=100, omit_header=True)
        head = f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
        head += '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        path.write_bytes(head.encode() + content.getvalue().lstrip())
        missing = sum(not message.string for message in new if message.id)
        print(f"{language}: {len(wanted)} texts, {missing} without a translation", file=sys.stderr)


if __name__ == "__main__":
    main()
