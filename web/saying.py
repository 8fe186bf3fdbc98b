"""What the rules say in other languages: templates looked up in the catalogues, and filled anew.

The page's own texts are in `sightline.po`, what the referee says is in the other catalogues: one
for each game, `referee.po` for what games share (docs/decisions/0005-said.md).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel.messages.pofile import read_po

from rules.phrases import KINDS, WORDS
from rules.said import Said, capitalised

ENGLISH = "en"
PAGE = "sightline"
_FOLDER = Path(__file__).parent / "locale"
_DECIMAL_COMMA = frozenset({"de", "fr"})


def domains(language: str) -> tuple[str, ...]:
    """Return the names of the catalogues that there are in a language."""
    return tuple(sorted(path.stem for path in (_FOLDER / language / "LC_MESSAGES").glob("*.po")))


@cache
def catalogue(language: str, domain: str = PAGE) -> Mapping[str, str]:
    """Return what stands for each English text in `language`; nothing where it is English."""
    path = _FOLDER / language / "LC_MESSAGES" / f"{domain}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        messages = read_po(file)
    return {
        message.id: message.string
        for message in messages
        if isinstance(message.id, str)
        and message.id
        and isinstance(message.string, str)
        and message.string
        and not message.fuzzy
    }


@cache
def templates(language: str) -> Mapping[str, str]:
    """Return what stands for each template that the referee fills, whichever its game."""
    return {
        template: said
        for domain in domains(language)
        if domain != PAGE
        for template, said in catalogue(language, domain).items()
    }


@cache
def rule_words(language: str) -> Mapping[str, str]:
    """Return the words that boards give a page as values: colours, and kinds of pieces."""
    several = (kind for kinds in KINDS for kind in kinds)
    return {str(each): in_language(each, language) for each in (*WORDS, *several)}


def in_language(said: Said, language: str) -> str:
    """Return what was said, in `language`; where that has no words for it, in English."""
    if language == ENGLISH:
        return str(said)
    template = templates(language).get(said.template, said.template)
    if not said.values:
        return template
    return _Filling(language).vformat(template, (), said.values)


def translated(message: object, language: str) -> object:
    """Return a message, JSON still to be written, with all that was said in it in `language`."""
    if language == ENGLISH:
        return message
    return _translated(message, language)


def _translated(message: object, language: str) -> object:
    match message:
        case Said():
            return in_language(message, language)
        case dict():
            return {key: _translated(value, language) for key, value in message.items()}
        case list() | tuple():
            return [_translated(value, language) for value in message]
        case _:
            return message


class _Filling(Formatter):
    """Fills a translated template: values that were said are said in its language too."""

    def __init__(self, language: str) -> None:
        self._language = language

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        name = str(key)
        small = name[:1].lower() + name[1:]
        value = kwargs[name if name in kwargs else small]
        if isinstance(value, Said):
            value = in_language(value, self._language)
        return value if name in kwargs else capitalised(str(value))

    def format_field(self, value: Any, format_spec: str) -> str:
        text = str(format(value, format_spec))
        if isinstance(value, float) and self._language in _DECIMAL_COMMA:
            return text.replace(".", ",")
        return text
