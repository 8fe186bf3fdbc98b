"""Brings the catalogues up to date with the texts: `python scripts/messages.py`.

`sightline.po` holds the page's own texts; the other catalogues what the referee says
(docs/decisions/0005-said.md): one for each game, `referee.po` for what is not one game's alone. New
texts come without a translation, texts that are gone go, a text that two games share moves. The
notes at the head of a catalogue stay. A test sees that nothing is missing.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import takewhile
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "web" / "locale"
LANGUAGES = ("de", "fr")
PAGE = "sightline"
SHARED = "referee"
SPEAKING = ("rules", "sightline", "vision", "web")
"""The packages whose words are made by `rules.said`."""
MAKER = ROOT / "rules" / "said.py"
_SOURCES = (
    ("web/templates", "*.html", "jinja2.ext:babel_extract", {"_": None}),
    ("web/static/js", "*.js", "javascript", {"t": None}),
)
_WORDLESS = re.compile(r"\{[^}]*\}|\b[A-Z]{1,3}-[\w.]+|\b[A-Z]\d+\b|[^a-zA-Z’]")
"""A text that is made of these alone needs no translation: "QS-2.7, QS-8d", "{first}, {rest}"."""
_CLAUSE = ("section", "words", "exceptions")
_PLURAL = ("one", "many", "none")


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


def said_in(path: Path) -> Iterator[str]:
    """Yield each template that a module fills, and each text of its clauses and phases.

    ValueError for a template that is not written where it is filled.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="say"), args=[template, *_]):
                yield from _literals(template, path)
            case ast.Call(func=ast.Name(id="plural"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg in _PLURAL:
                        yield from _literals(keyword.value, path)
            case ast.Call(func=ast.Name(id="Clause"), keywords=keywords):
                for keyword in keywords:
                    if keyword.arg in _CLAUSE:
                        yield from _literals(keyword.value, path)
            case ast.ClassDef(name="Phase", body=body) if ROOT / "rules" in path.parents:
                for line in body:
                    if isinstance(line, ast.Assign):
                        yield from _literals(line.value, path)


def _literals(node: ast.expr, path: Path) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            if _WORDLESS.sub("", text):
                yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _literals(one, path)
            yield from _literals(other, path)
        case _ if path != MAKER:
            raise ValueError(f"{path}:{node.lineno}: expected a template written out here")


def said() -> dict[str, dict[str, str]]:
    """Return by catalogue each text that the referee says, and the first file it is in."""
    homes: dict[str, set[str]] = {}
    places: dict[str, str] = {}
    for package in SPEAKING:
        for path in sorted((ROOT / package).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            parts = path.relative_to(ROOT).parts
            home = parts[2] if parts[:2] == ("rules", "games") and len(parts) > 3 else SHARED
            for text in said_in(path):
                homes.setdefault(text, set()).add(home)
                places.setdefault(text, place)
    found: dict[str, dict[str, str]] = {}
    for text, among in homes.items():
        home = next(iter(among)) if len(among) == 1 else SHARED
        found.setdefault(home, {})[text] = places[text]
    return found


def path_of(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read_catalogue(language: str, domain: str = PAGE) -> Catalog:
    path = path_of(language, domain)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _notes(path: Path) -> str:
    """Return the comment at the head of a catalogue: its glossary."""
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(takewhile(lambda line: line.startswith("#"), lines))


def _write(language: str, domain: str, wanted: Mapping[str, str], known: Mapping[str, str]) -> int:
    """Write a catalogue; return how many of its texts have no translation."""
    new = Catalog(locale=language, project="Sightline", fuzzy=False)
    for text, place in sorted(wanted.items(), key=lambda each: (each[1], each[0])):
        new.add(text, known.get(text, ""), locations=[(place, None)])
    path = path_of(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = BytesIO()
    write_po(content, new, width=100, omit_header=True)
    head = f'{_notes(path)}msgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
    head += '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    path.write_bytes(head.encode() + content.getvalue().lstrip())
    return sum(not message.string for message in new if message.id)


def main() -> None:
    wanted = {PAGE: texts(), **said()}
    for language in LANGUAGES:
        known = {
            message.id: message.string
            for domain in wanted
            if domain != PAGE
            for message in read_catalogue(language, domain)
            if message.id and message.string
        }
        page = {m.id: m.string for m in read_catalogue(language) if m.id and m.string}
        for domain, of_domain in wanted.items():
            missing = _write(language, domain, of_domain, page if domain == PAGE else known)
            print(
                f"{language}/{domain}: {len(of_domain)} texts, {missing} without a translation",
                file=sys.stderr,
            )


if __name__ == "__main__":
    main()
