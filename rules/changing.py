"""A value like another but for some fields, as `dataclasses.replace` makes it, only sooner.

Every fact makes several such values, of up to twenty fields. `dataclasses.replace` asks of every
field what it is and sets each by name; here each class is asked once.
"""

from collections.abc import Callable
from dataclasses import fields
from dataclasses import replace as built_anew
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # which fields there are, and of which types, is known for this name
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """`value` (a dataclass with slots) with `changes`; TypeError for a field it has not."""
        copier = _COPIERS.get(type(value))
        if copier is None:
            copier = _COPIERS[type(value)] = _copier(type(value))
        if copier.read is None:
            return built_anew(value, **changes)
        new = object.__new__(type(value))
        for write, kept in zip(copier.writes, copier.read(value), strict=True):
            write(new, kept)
        for name, changed in changes.items():
            write = copier.by_name.get(name)
            if write is None:
                raise TypeError(f"{type(value).__name__} has no field {name!r}")
            write(new, changed)
        return new


class _Copier(NamedTuple):
    """How the fields of a class are read and written; `read` is None where it has to be built."""

    read: Callable[[Any], tuple[Any, ...]] | None
    writes: tuple[Callable[[Any, Any], None], ...]
    by_name: dict[str, Callable[[Any, Any], None]]


def _copier(kind: type) -> _Copier:
    names = [one.name for one in fields(kind)]
    slots = [getattr(kind, name, None) for name in names]
    plain = all(isinstance(slot, MemberDescriptorType) for slot in slots)
    checks = hasattr(kind, "__post_init__") or not all(one.init for one in fields(kind))
    if checks or not plain or len(names) < 2:
        return _Copier(None, (), {})
    writes = tuple(slot.__set__ for slot in slots if isinstance(slot, MemberDescriptorType))
    return _Copier(attrgetter(*names), writes, dict(zip(names, writes, strict=True)))


_COPIERS: dict[type, _Copier] = {}
