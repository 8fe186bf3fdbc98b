"""The fields of a value, be it of a dataclass or of a Struct, as text forms need to know them."""

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct, structs


class Part(NamedTuple):
    """A field: its name, whether it must be given, and what stands for it where it is not."""

    name: str
    required: bool
    default: Any


def has_parts(kind: Any) -> bool:
    """Whether `kind` is a class whose values have fields."""
    return isinstance(kind, type) and (issubclass(kind, Struct) or dataclasses.is_dataclass(kind))


def parts_of(kind: type[Any]) -> tuple[Part, ...]:
    """Return a class's fields in their order."""
    return tuple(_of_struct(kind) if issubclass(kind, Struct) else _of_dataclass(kind))


def _of_struct(kind: type[Struct]) -> Iterator[Part]:
    for one in structs.fields(kind):
        made = one.default_factory is not NODEFAULT
        yield Part(one.name, one.required, one.default_factory() if made else one.default)


def _of_dataclass(kind: type[Any]) -> Iterator[Part]:
    for one in dataclasses.fields(kind):
        if one.default_factory is not dataclasses.MISSING:
            yield Part(one.name, required=False, default=one.default_factory())
        else:
            yield Part(one.name, one.default is dataclasses.MISSING, one.default)
