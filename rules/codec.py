"""Facts, decisions, rulings, setups and log entries to plain JSON values and back (docs/json.md).

One codec for all of them, read from the types themselves: a value becomes an object whose fields
are named as in the type, points become `[x_mm, y_mm]`, a field that holds its default is left out.
What is one of several kinds says which in its first field: `{"fact": "settled", ...}`.
A ruling's `effect` is the game's own and is never written. Decoding is strict: an unknown field,
a missing one or one of the wrong type raises `Malformed`, which names the field and what was
expected.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct

from rules.board import Board
from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.facts import Fact
from rules.game import Entry, Setup
from rules.geometry import Point
from rules.parts import has_parts, parts_of
from rules.rulings import Outcome, Ruling, RulingId, Scoreboard

VERSION = 1
"""The version of this vocabulary. It grows when an older reader would misread a newer text."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Malformed(ValueError):
    """A value that does not fit its place: `path` says where, `expected` what belongs there."""

    def __init__(self, path: str, expected: str, got: object) -> None:
        super().__init__(path, expected, got)
        self.path = path
        self.expected = expected
        self.got = got

    def __str__(self) -> str:
        if self.got is UNSET:
            return f"{self.path}: missing, expected {self.expected}"
        got = repr(self.got)
        shown = got if len(got) <= 60 else got[:57] + "..."
        return f"{self.path or 'value'}: expected {self.expected}, got {shown}"


class NewerVersion(ValueError):
    """Written by a newer Sightline than this one; nothing of it was read."""

    def __init__(self, found: int) -> None:
        super().__init__(
            f"this was written in version {found} of Sightline's format and this Sightline "
            f"reads versions up to {VERSION}: install a newer Sightline to read it"
        )
        self.found = found


class _Codec(Struct, frozen=True):
    """How one type is written and read. `read(value, path)` raises `Malformed`."""

    write: Callable[[Any], Json]
    read: Callable[[Any, str], Any]


def check_version(found: object) -> int:
    """Return the version a header claims; raises NewerVersion, or Malformed where it is none."""
    if isinstance(found, bool) or not isinstance(found, int) or found < 1:
        raise Malformed("version", "a whole number from 1 on", found)
    if found > VERSION:
        raise NewerVersion(found)
    return found


def fact_to_json(fact: Fact) -> dict[str, Json]:
    return _written(Fact, fact)


def fact_from_json(value: object, path: str = "") -> Fact:
    return cast(Fact, _read(Fact, value, path))


def decision_to_json(decision: Decision) -> dict[str, Json]:
    return _written(Decision, decision)


def decision_from_json(value: object, path: str = "") -> Decision:
    return cast(Decision, _read(Decision, value, path))


def body_to_json(body: Fact | Decision) -> dict[str, Json]:
    """Return a fact or a decision as an entry of the log holds it."""
    return _written(Fact | Decision, body)


def body_from_json(value: object, path: str = "") -> Fact | Decision:
    return cast(Fact | Decision, _read(Fact | Decision, value, path))


def ruling_to_json(ruling: Ruling) -> dict[str, Json]:
    """Return a ruling without its effect."""
    return _written(Ruling, ruling)


def ruling_from_json(value: object, path: str = "") -> Ruling:
    return cast(Ruling, _read(Ruling, value, path))


def setup_to_json(setup: Setup) -> dict[str, Json]:
    return _written(Setup, setup)


def setup_from_json(value: object, path: str = "") -> Setup:
    return cast(Setup, _read(Setup, value, path))


def board_to_json(board: Board) -> dict[str, Json]:
    return _written(Board, board)


def board_from_json(value: object, path: str = "") -> Board:
    return cast(Board, _read(Board, value, path))


def scoreboard_to_json(scoreboard: Scoreboard) -> dict[str, Json]:
    return _written(Scoreboard, scoreboard)


def outcome_to_json(outcome: Outcome) -> dict[str, Json]:
    return _written(Outcome, outcome)


def entry_to_json(entry: Entry) -> dict[str, Json]:
    """Return one line of a log: `{"seq": 1, "at_ms": 0.0, "body": {"fact": ...}, "evidence"?}`."""
    return _written(Entry, entry)


def entry_from_json(value: object, path: str = "") -> Entry:
    return cast(Entry, _read(Entry, value, path))


def _written(kind: object, value: object) -> dict[str, Json]:
    return cast(dict[str, Json], _of(kind).write(value))


def _read(kind: object, value: object, path: str) -> object:
    try:
        return _of(kind).read(value, path)
    except RecursionError:
        raise Malformed(path, "less nesting", type(value).__name__) from None


# Codecs, one maker for each sort of type


@cache
def _of(kind: Any) -> _Codec:
    if kind is Point:
        return _Codec(lambda at: [_write_number(at.x_mm), _write_number(at.y_mm)], _read_point)
    if kind is RulingId:
        return _Codec(str, _read_ruling_id)
    if kind in _PLAIN:
        return _PLAIN[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _either(arguments)
    if origin is tuple:
        return _tuple(arguments)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(arguments[1])
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    if has_parts(kind):
        return _fields(kind)
    raise TypeError(f"expected a type that goes into JSON, got {kind!r}")


def _read_number(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed(path, "a number", value)
    try:
        number = float(value)
    except OverflowError:
        raise Malformed(path, "a finite number", value) from None
    if not isfinite(number):
        raise Malformed(path, "a finite number", value)
    return number


def _read_whole(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _WHOLE_MAX:
        raise Malformed(path, "a whole number", value)
    return value


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise Malformed(path, "a text", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed(path, "a text of whole characters", value) from None
    return value


def _read_truth(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise Malformed(path, "true or false", value)
    return value


def _read_list(value: object, path: str, expected: str = "a list") -> list[object]:
    if not isinstance(value, list | tuple):
        raise Malformed(path, expected, value)
    return list(value)


def _read_point(value: object, path: str) -> Point:
    numbers = _read_list(value, path, "[x_mm, y_mm]")
    if len(numbers) != 2:
        raise Malformed(path, "[x_mm, y_mm]", value)
    return Point(_read_number(numbers[0], f"{path}[0]"), _read_number(numbers[1], f"{path}[1]"))


def _read_ruling_id(value: object, path: str) -> RulingId:
    """Read "41/QS-8a.1/0": the entry, the clause, the how-manieth."""
    parts = _read_text(value, path).split("/")
    if len(parts) != 3 or not (parts[0].isdecimal() and parts[1] and parts[2].isdecimal()):
        raise Malformed(path, 'a ruling such as "41/QS-8a.1/0"', value)
    return RulingId(int(parts[0]), parts[1], int(parts[2]))


def _copy(value: object, path: str) -> Json:
    """Read or write any JSON value."""
    match value:
        case None | bool():
            return value
        case str():
            return _read_text(value, path)
        case int():
            return _read_whole(value, path)
        case float():
            return _read_number(value, path)
        case list() | tuple():
            return [_copy(v, f"{path}[{i}]") for i, v in enumerate(value)]
        case Mapping():
            return {_read_text(k, path): _copy(v, _join(path, str(k))) for k, v in value.items()}
    raise Malformed(path, "a JSON value", value)


def _write_number(value: Any) -> Json:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"expected a finite number to write, got {value!r}")
    return number


_WHOLE_MAX = 2**53
_PLAIN: dict[Any, _Codec] = {
    float: _Codec(_write_number, _read_number),
    int: _Codec(int, _read_whole),
    str: _Codec(str, _read_text),
    bool: _Codec(bool, _read_truth),
    object: _Codec(lambda value: _copy(value, "extra"), _copy),
}


def _enum(kind: type[Enum]) -> _Codec:
    known = {member.value: member for member in kind}
    expected = "one of " + ", ".join(map(str, known))

    def read(value: object, path: str) -> Enum:
        if not isinstance(value, str) or value not in known:
            raise Malformed(path, expected, value)
        return known[value]

    return _Codec(lambda member: member.value, read)


def _tuple(arguments: tuple[Any, ...]) -> _Codec:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        each = _of(arguments[0])
        return _Codec(
            lambda values: [each.write(v) for v in values],
            lambda value, path: tuple(
                each.read(v, f"{path}[{i}]") for i, v in enumerate(_read_list(value, path))
            ),
        )
    parts = tuple(_of(a) for a in arguments)

    def read(value: object, path: str) -> tuple[Any, ...]:
        values = _read_list(value, path, f"a list of {len(parts)}")
        if len(values) != len(parts):
            raise Malformed(path, f"a list of {len(parts)}", value)
        return tuple(
            part.read(v, f"{path}[{i}]")
            for i, (part, v) in enumerate(zip(parts, values, strict=True))
        )

    return _Codec(
        lambda values: [part.write(v) for part, v in zip(parts, values, strict=True)], read
    )


def _mapping(kind: Any) -> _Codec:
    each = _of(kind)

    def read(value: object, path: str) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise Malformed(path, "an object", value)
        return {_read_text(k, path): each.read(v, _join(path, str(k))) for k, v in value.items()}

    return _Codec(lambda values: {k: each.write(v) for k, v in values.items()}, read)


def _either(options: tuple[Any, ...]) -> _Codec:
    if NoneType in options:
        rest = tuple(o for o in options if o is not NoneType)
        some = _of(rest[0]) if len(rest) == 1 else _of(Union[rest])  # noqa: UP007 - made at run time
        return _Codec(
            lambda value: None if value is None else some.write(value),
            lambda value, path: None if value is None else some.read(value, path),
        )
    return _kinds({family: _named(family, options) for family in FAMILIES})


def _named(family: str, options: tuple[Any, ...]) -> dict[str, Any]:
    return {snake(kind.__name__): kind for kind in options if kind in FAMILIES[family]}


def _kinds(named: dict[str, dict[str, Any]]) -> _Codec:
    """Return the codec of several kinds, where `{family: name}` says which one it is."""
    known = {family: kinds for family, kinds in named.items() if kinds}
    tags = {kind: (f, name) for f, kinds in known.items() for name, kind in kinds.items()}
    expected = " or ".join(f'"{family}"' for family in known)

    def write(value: Any) -> Json:
        family, name = tags[type(value)]
        return {family: name, **_written(type(value), value)}

    def read(value: object, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise Malformed(path, f"an object with {expected}", value)
        family = next((family for family in known if family in value), None)
        if family is None:
            raise Malformed(path, f"an object with {expected}", value)
        name = value[family]
        if not isinstance(name, str) or name not in known[family]:
            raise Malformed(_join(path, family), "one of " + ", ".join(known[family]), name)
        rest = {k: v for k, v in value.items() if k != family}
        return _of(known[family][name]).read(rest, path)

    return _Codec(write, read)


class _Field(Struct, frozen=True):
    name: str
    codec: _Codec
    required: bool
    default: object


def _fields(kind: type[Any]) -> _Codec:
    hints = get_type_hints(kind)
    parts = tuple(
        _Field(name, _late(hints[name]), required, default)
        for name, required, default in parts_of(kind)
        if (kind, name) not in _UNWRITTEN
    )
    names = frozenset(part.name for part in parts)

    def write(value: Any) -> Json:
        written: dict[str, Json] = {}
        for part in parts:
            held = getattr(value, part.name)
            if part.required or held != part.default:
                written[part.name] = part.codec.write(held)
        return written

    def read(value: object, path: str) -> Any:
        if not isinstance(value, Mapping):
            raise Malformed(path, "an object", value)
        given: dict[str, Any] = {}
        for part in parts:
            if part.name in value:
                given[part.name] = part.codec.read(value[part.name], _join(path, part.name))
            elif part.required:
                raise Malformed(_join(path, part.name), "a value here", UNSET)
        for name in value:
            if name not in names:
                expected = "no such field (known: " + ", ".join(p.name for p in parts) + ")"
                raise Malformed(_join(path, str(name)), expected, value[name])
        return kind(**given)

    return _Codec(write, read)


def _late(kind: Any) -> _Codec:
    """Return the codec of a field's type, looked up at its first use: facts hold facts."""
    return _Codec(
        lambda value: _of(kind).write(value), lambda value, path: _of(kind).read(value, path)
    )


@cache
def snake(name: str) -> str:
    """Return the name a kind has in JSON and transcripts: "HandEntered" is "hand_entered"."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


FAMILIES: dict[str, tuple[Any, ...]] = {
    "decision": (Amend, Confirm, Insert, Overrule, Reply, Withdraw),
    "fact": get_args(Fact),
}
"""The kinds that say in JSON and in transcripts which one they are; decisions may hold a fact."""

_UNWRITTEN = frozenset({(Ruling, "effect")})
