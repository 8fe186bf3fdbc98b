"""Facts and decisions as one readable line each, printed and parsed (docs/json.md).

    @731.25 contacted cue-puck red-3 (12.5,-3.25) error_ms=1.2
    @2300 settled [{red-3 puck red (40,0.5) error_mm=0.05}]
    amend 4 - reason="a sleeve hid it"

A fact opens with its time, then its kind; then come the fields that every such fact has, in the
order of the type, then those that are not as usual, by name. A point is `(x,y)`, a list `[...]`, a
value with fields `{...}`, nothing is `-`, a text with blanks or brackets stands in quotes. Rulings
follow their fact on indented lines of their own, which the parser passes over like empty lines and
those that begin with `#`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from rules.codec import FAMILIES, snake
from rules.decisions import Decision
from rules.facts import Fact
from rules.game import Step
from rules.geometry import Point
from rules.parts import has_parts, parts_of
from rules.rulings import Ruling, RulingId, Standing

_WORD = r'[^\s\[\]{}()="\\@][^\s\[\]{}()="\\]*'
_BARE = re.compile(rf"{_WORD}\Z")
_TOKEN = re.compile(
    rf'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[\[\]{{}}()=@])|(?P<word>{_WORD})|(?P<end>\Z))'
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\Z")
_KINDS = {snake(kind.__name__): kind for kinds in FAMILIES.values() for kind in kinds}
_FACTS = frozenset(FAMILIES["fact"])


class NotATranscript(ValueError):
    """A line that cannot be read; the words say where and what was expected."""


def fact_line(body: Fact | Decision) -> str:
    """Return a fact or a decision as one line."""
    return _tagged(body)


def parse_line(line: str) -> Fact | Decision:
    """Return what a line says. Raises NotATranscript."""
    try:
        reader = _Reader(line)
        body = reader.tagged(_KINDS)
        reader.expect_end()
    except RecursionError:
        raise NotATranscript("expected less nesting") from None
    return cast(Fact | Decision, body)


def ruling_line(ruling: Ruling) -> str:
    """Return a ruling as one line: clause, side, what is said, and how it stands if not firm."""
    side = "" if ruling.side is None else f" {ruling.side}"
    standing = "" if ruling.standing is Standing.FIRM else f" ({ruling.standing})"
    words = " ".join(ruling.words.split())
    margin = "" if ruling.margin_mm is None else f" [{ruling.margin_mm:+.2f} mm"
    if margin:
        margin += "]" if ruling.error_mm is None else f" ±{ruling.error_mm:.2f}]"
    return f"{ruling.code}{side}: {words}{margin}{standing}"


def transcript(steps: Iterable[Step[Any]]) -> str:
    """Return facts as they stand, each with its rulings below it."""
    lines = []
    for step in steps:
        lines.append(fact_line(step.fact))
        lines += [f"    {ruling_line(ruling)}" for ruling in step.rulings]
    return "".join(f"{line}\n" for line in lines)


def parse_transcript(text: str) -> Iterator[Fact | Decision]:
    """Yield the facts and decisions of a transcript. NotATranscript names the line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line[0] in "# \t":
            continue
        try:
            yield parse_line(line)
        except NotATranscript as err:
            raise NotATranscript(f"line {number}: {err}") from None


# Printing


def _tagged(value: Any) -> str:
    name = snake(type(value).__name__)
    if type(value) in _FACTS:
        return f"@{_number(value.at_ms)} {name}{_rest(value, skip='at_ms')}"
    return f"{name}{_rest(value)}"


def _rest(value: Any, skip: str = "") -> str:
    kind: Any = type(value)
    parts = []
    for name, required, default, _ in _layout(kind):
        held = getattr(value, name)
        if name == skip:
            continue
        if required:
            parts.append(_text_of(held))
        elif held != default:
            parts.append(f"{name}={_text_of(held)}")
    return "".join(f" {part}" for part in parts)


def _text_of(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case str():
            plain = _BARE.match(value) and value != "-" and value.isprintable()
            return value if plain else json.dumps(value, ensure_ascii=not value.isprintable())
        case int() | float():
            return _number(value)
        case Point():
            return f"({_number(value.x_mm)},{_number(value.y_mm)})"
        case RulingId():
            return _text_of(str(value))
        case tuple():
            return "[" + " ".join(map(_text_of, value)) + "]"
    if snake(type(value).__name__) in _KINDS:
        return "{" + _tagged(value) + "}"
    return "{" + _rest(value).lstrip() + "}"


def _number(value: float) -> str:
    text = repr(float(value)) if isinstance(value, float) else str(int(value))
    return text.removesuffix(".0")


@cache
def _layout(kind: Any) -> tuple[tuple[str, bool, object, Any], ...]:
    """Return (name, whether it must be there, default, type) of each field that is printed."""
    hints = get_type_hints(kind)
    return tuple(
        (name, required, default, hints[name])
        for name, required, default in parts_of(kind)
        if (kind, name) != (Ruling, "effect")
    )


# Parsing


class _Reader:
    """Reads values of known types from one line."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0

    def tagged(self, kinds: dict[str, type[Any]]) -> object:
        given: dict[str, object] = {}
        if self._peek() == "@":
            self._take()
            given["at_ms"] = self._number()
        name = self._word("a kind of fact or decision")
        kind = kinds.get(name)
        if kind is None or (kind in _FACTS) != bool(given):
            raise self._wrong("a fact that opens with @time and its kind, or a decision", name)
        return self._fields(kind, given)

    def expect_end(self) -> None:
        if self._peek() != "":
            raise self._wrong("the end of the line", self._peek())

    def _fields(self, kind: Any, given: dict[str, object]) -> object:
        layout = {name: (required, hint) for name, required, _, hint in _layout(kind)}
        for name, (required, hint) in layout.items():
            if required and name not in given:
                given[name] = self._value(hint)
        while self._peek() not in ("", "}"):
            name = self._word("the name of a field")
            if name not in layout or name in given:
                raise self._wrong("a field of " + snake(kind.__name__), name)
            self._expect("=")
            given[name] = self._value(layout[name][1])
        return kind(**given)

    def _value(self, kind: Any) -> object:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return self._either(arguments)
        if origin is tuple:
            self._expect("[")
            values = []
            while self._peek() != "]":
                values.append(self._value(arguments[0]))
            self._expect("]")
            return tuple(values)
        if kind is str:
            return self._word("a text")
        if kind is float:
            return self._number()
        if kind is int:
            return self._whole()
        if kind is bool:
            return self._member({"yes": True, "no": False})
        if kind is Point:
            return self._point()
        if kind is RulingId:
            return self._ruling_id()
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self._member({str(member.value): member for member in kind})
        if has_parts(kind):
            self._expect("{")
            value = self._fields(kind, {})
            self._expect("}")
            return value
        raise TypeError(f"expected a type that goes into a transcript, got {kind!r}")

    def _either(self, kinds: tuple[Any, ...]) -> object:
        rest = [kind for kind in kinds if kind is not NoneType]
        if len(rest) < len(kinds) and self._peek() == "-":
            self._take()
            return None
        if len(rest) == 1:
            return self._value(rest[0])
        self._expect("{")
        value = self.tagged({snake(kind.__name__): kind for kind in rest})
        self._expect("}")
        return value

    def _point(self) -> Point:
        self._expect("(")
        x_mm, y_mm = [*self._word("x,y").split(","), ""][:2]
        self._expect(")")
        return Point(self._to_number(x_mm), self._to_number(y_mm))

    def _ruling_id(self) -> RulingId:
        word = self._word("a ruling such as 41/QS-8a.1/0")
        parts = word.split("/")
        if len(parts) != 3 or not (parts[0].isdecimal() and parts[2].isdecimal()):
            raise self._wrong("a ruling such as 41/QS-8a.1/0", word)
        return RulingId(int(parts[0]), parts[1], int(parts[2]))

    def _member(self, known: dict[str, Any]) -> object:
        word = self._word("one of " + ", ".join(known))
        if word not in known:
            raise self._wrong("one of " + ", ".join(known), word)
        return known[word]

    def _whole(self) -> int:
        word = self._word("a whole number")
        if not re.match(r"-?\d{1,16}\Z", word):
            raise self._wrong("a whole number", word)
        return int(word)

    def _number(self) -> float:
        return self._to_number(self._word("a number"))

    def _to_number(self, word: str) -> float:
        number = float(word) if _NUMBER.match(word) else float("nan")
        if not isfinite(number):
            raise self._wrong("a number", word)
        return number

    def _word(self, expected: str) -> str:
        token = self._take()
        if token.startswith('"'):
            try:
                return cast(str, json.loads(token))
            except ValueError:
                raise self._wrong("a text in quotes as JSON writes it", token) from None
        if not token or token in "[]{}()=@":
            raise self._wrong(expected, token)
        return token

    def _expect(self, mark: str) -> None:
        token = self._take()
        if token != mark:
            raise self._wrong(f"{mark!r}", token)

    def _peek(self) -> str:
        at = self._at
        token = self._take()
        self._at = at
        return token

    def _take(self) -> str:
        found = _TOKEN.match(self._line, self._at)
        if found is None:
            raise self._wrong("a word, a number or a bracket", self._line[self._at :])
        self._at = found.end()
        return found[0].strip()

    def _wrong(self, expected: str, got: str) -> NotATranscript:
        shown = got if len(got) <= 40 else got[:37] + "..."
        return NotATranscript(f"column {self._at}: expected {expected}, got {shown or 'nothing'!r}")
