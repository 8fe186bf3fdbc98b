"""Values of which some fields do not count when two are compared."""

from typing import ClassVar

from msgspec import Struct


class PartlyCompared(Struct, frozen=True):
    """A value that is equal to another of its class where all fields but those `aside` are.

    Those are left out of its hash, and of what it says of itself, as well.
    """

    aside: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartlyCompared) or type(other) is not type(self):
            return NotImplemented
        return self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    def __repr__(self) -> str:
        told = zip(self._counting, self._compared, strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in told)})"

    @property
    def _counting(self) -> tuple[str, ...]:
        return tuple(name for name in self.__struct_fields__ if name not in self.aside)

    @property
    def _compared(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._counting)
