"""Words that remember how they were made, so that a page can say them in another language.

A `Said` is the English text: equal to it, hashed like it, written to JSON as it. Beside the text it
keeps its template and what was filled in, which may be `Said` in turn. Who shows it looks the
template up and fills it anew; the rules know no language (docs/decisions/0005-said.md).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from string import Formatter


class _Capitals(dict[str, object]):
    """What fills a template. `{Name}` asks for what `{name}` is, with a capital."""

    def __missing__(self, key: str) -> str:
        small = key[:1].lower() + key[1:]
        if small == key:
            raise KeyError(key)
        return capitalised(str(self[small]))


class Said(str):
    """An English text, its template, and the values by name that filled it; made by `say`."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        return remade, (self.template, dict(self.values))


def say(template: str, /, **values: object) -> Said:
    """Return `template` filled with `values` as `str.format` does; KeyError where one is missing.

    Without values the template is the text, braces and all. A placeholder that begins with a
    capital ("{Who} to shoot") is filled by the value of the small name, its first letter made big.
    """
    if not values:
        return word(template)
    try:
        said = Said(template.format_map(values))
    except KeyError:
        said = Said(template.format_map(_Capitals(values)))
    said.template, said.values = template, values
    return said


def plural(count: int, /, *, one: str, many: str, none: str = "", **values: object) -> Said:
    """Return the template that fits a count, filled; `{count}` is the count in words.

    `none` is for 0 and may be left out where 0 does not occur or reads like many.
    """
    template = one if count == 1 else none if count == 0 and none else many
    return say(template, count=number(count), **values)


@cache
def word(text: str) -> Said:
    """Return a word that comes as a value (a colour of the board) as one that can be translated.

    It is found in the catalogues only where `rules.phrases.WORDS` lists it.
    """
    said = Said(text)
    said.template, said.values = text, _NOTHING
    return said


def listed(names: Iterable[str]) -> str:
    """Return "a, b and c"."""
    parts = list(names)
    if not parts:
        return ""
    said = parts[-1]
    for place in range(len(parts) - 2, -1, -1):
        first = parts[place]
        if place == len(parts) - 2:
            said = say("{first} and {last}", first=first, last=said)
        else:
            said = say("{first}, {rest}", first=first, rest=said)
    return said


def joined(parts: Iterable[str], between: str = " ") -> str:
    """Return parts with `between` between them: sentences, or clauses with "; "."""
    said = ""
    for part in parts:
        said = say("{before}" + between + "{after}", before=said, after=part) if said else part
    return said


def number(count: int) -> str:
    """Return "two"; above ten, and below nothing, in digits."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def written(template: Said, **values: object) -> str:
    """Return a template filled, as the plain text that facts and logs hold."""
    return template.template.format(**values) if values else str(template)


def said_again(text: str, templates: Iterable[Said]) -> str:
    """Return a plain text as one that can be translated, where it was `written` from a template.

    A text that none of `templates` makes, or more than one, stays as it is.
    """
    found = [
        (each.template, values.groupdict())
        for each in templates
        if (values := _pattern(each.template).fullmatch(text)) is not None
    ]
    return say(found[0][0], **found[0][1]) if len(found) == 1 else text


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = (
        re.escape(before) + (f"(?P<{name}>.+?)" if name else "")
        for before, name, _, _ in Formatter().parse(template)
    )
    return re.compile("".join(parts), re.DOTALL)


def told_by(error: BaseException) -> str:
    """Return what an error says, as one that can be translated where it was `say`d."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, str) else str(error)


def remade(template: str, values: Mapping[str, object]) -> Said:
    """Return what `say` made once, from its template and values."""
    return say(template, **values)


_NOTHING: Mapping[str, object] = {}
NUMBERS = (
    say("no"),
    say("one"),
    say("two"),
    say("three"),
    say("four"),
    say("five"),
    say("six"),
    say("seven"),
    say("eight"),
    say("nine"),
    say("ten"),
)
