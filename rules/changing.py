"""A value like another but for some fields, as `dataclasses.replace` makes it, only sooner.

Every fact makes several such values, of up to twenty fields. `dataclasses.replace` asks of every
field what it is and sets each by name past the frozen class's guard; here each class is asked once,
and a copy is made as an unfrozen twin of the class, which then becomes one of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, make_dataclass
from dataclasses import replace as built_anew
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # which fields there are, and of which types, is known for this name
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """`value` (a dataclass with slots) with `changes`; TypeError for a field it has not."""
        kind = type(value)
        copier = _COPIERS.get(kind)
        if copier is None:
            copier = _COPIERS[kind] = _copier(kind)
        if copier.read is None:
            return built_anew(value, **changes)
        new = copier.twin(*copier.read(value))
        for name, changed in changes.items():
            if name not in copier.names:
                raise TypeError(f"{kind.__name__} has no field {name!r}")
            setattr(new, name, changed)
        new.__class__ = kind
        return new


@dataclass(frozen=True, slots=True)
class _Copier:
    """How values of a class are read and made; None where they have to be built anew."""

    names: tuple[str, ...]
    read: Callable[[Any], tuple[Any, ...]] | None = None
    twin: Callable[..., Any] | None = None


def _copier(kind: type) -> _Copier:
    known = fields(kind)
    names = tuple(one.name for one in known)
    plain = len(names) > 1 and vars(kind).get("__slots__") == names
    if not plain or hasattr(kind, "__post_init__") or not all(one.init for one in known):
        return _Copier(names)
    twin = make_dataclass(kind.__name__, names, slots=True, eq=False, repr=False)
    try:
        twin(*names).__class__ = kind
    except TypeError:  # there is more to it than its fields
        return _Copier(names)
    return _Copier(names, attrgetter(*names), twin)


_COPIERS: dict[type, _Copier] = {}
