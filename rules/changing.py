"""A value like another but for some fields, as `dataclasses.replace` makes it, only sooner.

Every fact makes several such values, of up to twenty fields. `dataclasses.replace` asks of every
field what it is and sets each by name past the frozen class's guard; here that is asked once for
each class and each choice of fields, and the copy is made by code that does just that.
"""

from collections.abc import Callable
from dataclasses import fields
from dataclasses import replace as built_anew
from functools import partial
from typing import TYPE_CHECKING, Any

from rules.quickly import copier

if TYPE_CHECKING:  # which fields there are, and of which types, is known for this name
    from dataclasses import replace as replace
else:

    def replace(value, /, **changes):
        """`value` (a dataclass with slots) with `changes`; TypeError for a field it has not."""
        sort = (value.__class__, *changes)
        copy = _COPIERS.get(sort)
        if copy is None:
            copy = _COPIERS[sort] = _copier(*sort)
        return copy(value, *changes.values())


def _copier(kind: type, *changed: str) -> Callable[..., Any]:
    """Return what makes of a value of `kind`, and new values of the fields `changed`, another."""
    names = {one.name for one in fields(kind)}
    unknown = [name for name in changed if name not in names]
    if unknown:
        raise TypeError(f"{kind.__name__} has no field {unknown[0]!r}")
    return copier(kind, changed) or partial(_built_anew, changed)


def _built_anew(changed: tuple[str, ...], value: Any, *new: Any) -> Any:
    return built_anew(value, **dict(zip(changed, new, strict=True)))


_COPIERS: dict[tuple[Any, ...], Callable[..., Any]] = {}
