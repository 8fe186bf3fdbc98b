"""Frozen dataclasses whose values are made as soon as those of unfrozen ones.

A frozen dataclass sets each field by name, past its own guard: of all that making a value takes,
that takes longest, and the rules make several values for every fact. Here a value is made as one of
an unfrozen twin of its class, with the same fields, which then becomes one of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields, make_dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
_ABSENT: Any = object()


@cache
def twin_of(kind: type) -> type | None:
    """Return an unfrozen class whose values can become ones of `kind`; None where none can.

    Its values are made of all fields in their order. None can where `kind` has no slots of its own,
    or something else to do when a value is made.
    """
    known = fields(kind)
    names = tuple(one.name for one in known)
    plain = len(names) > 1 and vars(kind).get("__slots__") == names
    if not plain or hasattr(kind, "__post_init__") or not all(one.init for one in known):
        return None
    bases = getattr(kind, "__orig_bases__", kind.__bases__)
    twin = make_dataclass(kind.__name__, names, bases=bases, slots=True, eq=False, repr=False)
    try:
        twin(*names).__class__ = kind
    except TypeError:  # there is more to it than its fields
        return None
    return twin


def quickly_made(kind: type[T]) -> type[T]:
    """Let a frozen dataclass with slots make its values by its twin. TypeError where none can be.

    What may be given, what must be and what stands for the rest stay as the dataclass says.
    """
    known: type = kind
    twin = twin_of(known)
    if twin is None:
        raise TypeError(f"{kind.__name__} has no twin: it needs slots, and no __post_init__")
    setattr(kind, "__init__", _init(kind, twin))  # noqa: B010
    return kind


def _init(kind: type, twin: type) -> Callable[..., None]:
    """Return what fills a new value of `kind` while it is one of `twin`."""
    known = fields(kind)
    names: dict[str, Any] = {"_twin": twin, "_become": object.__setattr__, "_ABSENT": _ABSENT}
    placed = [_parameter(one, names) for one in known if not one.kw_only]
    named = [_parameter(one, names) for one in known if one.kw_only]
    heads = ", ".join(["self", *placed, *(["*", *named] if named else [])])
    sets = "".join(f"    self.{one.name} = {_value(one)}\n" for one in known)
    source = (
        f"def __init__({heads}):\n"
        "    _own = self.__class__\n"
        '    _become(self, "__class__", _twin)\n'
        f"{sets}"
        "    self.__class__ = _own\n"
    )
    made = _written(source, "__init__", names)
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _parameter(one: "Field[Any]", names: dict[str, Any]) -> str:
    """Return a field as a parameter; what stands for it is put among `names`."""
    if one.default is not MISSING:
        names[f"_default_{one.name}"] = one.default
        return f"{one.name}=_default_{one.name}"
    if one.default_factory is not MISSING:
        names[f"_make_{one.name}"] = one.default_factory
        return f"{one.name}=_ABSENT"
    return one.name


def _value(one: "Field[Any]") -> str:
    if one.default_factory is MISSING:
        return one.name
    return f"_make_{one.name}() if {one.name} is _ABSENT else {one.name}"


def copier(kind: type, changed: Sequence[str]) -> Callable[..., Any] | None:
    """Return what makes of a value of `kind`, and new values of the fields `changed`, another.

    None where `kind` has no twin.
    """
    twin = twin_of(kind)
    if twin is None:
        return None
    given = {name: f"_{number}" for number, name in enumerate(changed)}
    each = [one.name for one in fields(kind)]
    sets = "".join(f"    new.{name} = {given.get(name, f'value.{name}')}\n" for name in each)
    source = (
        f"def copied({', '.join(['value', *given.values()])}):\n"
        "    new = _blank(_twin)\n"
        f"{sets}"
        "    new.__class__ = _kind\n"
        "    return new\n"
    )
    return _written(source, "copied", {"_blank": object.__new__, "_twin": twin, "_kind": kind})


def _written(source: str, name: str, names: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of that name which `source`, made of the names of fields, defines."""
    exec(source, names)
    made: Callable[..., Any] = names[name]
    return made
