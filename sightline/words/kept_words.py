"""What was said, kept as JSON so that a page can still say it in another language.

A text that remembers how it was made is an object: its template under "say", and what filled it
under "with". Any other text is a string. A file holds no language this way.
"""

import re
from collections.abc import Mapping
from string import Formatter

from rules.codec import Json
from rules.said import Said, remade

_NAME = re.compile(r"[A-Za-z_]\w*\Z")
_DEEPEST = 12


def kept(text: object) -> Json:
    """Return a text as JSON: its template and values, where it remembers them."""
    if isinstance(text, Said):
        if not text.values:
            return {"say": text.template}
        return {"say": text.template, "with": {n: kept(v) for n, v in text.values.items()}}
    return text if isinstance(text, int | float | str) and not isinstance(text, bool) else str(text)


def unkept(written: object) -> str:
    """Return the text that `kept` wrote. ValueError where it wrote no such thing."""
    value = _unkept(written, _DEEPEST)
    if not isinstance(value, str):
        raise ValueError(f"expected words, got {value!r}")
    return value


def _unkept(written: object, deepest: int) -> str | int | float:
    if deepest == 0:
        raise ValueError("words are nested too deeply")
    match written:
        case {"say": str(template), **more}:
            values = more.get("with", {})
            if not isinstance(values, Mapping):
                raise ValueError(f"expected what fills the words, got {values!r}")
            if values and not _is_plain(template):
                raise ValueError(f"these are no words of Sightline: {template!r}")
            filled = {str(name): _unkept(value, deepest - 1) for name, value in values.items()}
            try:
                return remade(template, filled)
            except (KeyError, IndexError, TypeError, ValueError) as err:
                raise ValueError(f"these words cannot be filled: {template!r}") from err
        case str() | int() | float():
            return written
    raise ValueError(f"expected words, got {written!r}")


def _is_plain(template: str) -> bool:
    """Say whether a template takes values by their names alone: a file is not to reach further."""
    return all(
        name is None
        or (_NAME.match(name) is not None and not conversion and "{" not in (form or ""))
        for _, name, form, conversion in Formatter().parse(template)
    )
