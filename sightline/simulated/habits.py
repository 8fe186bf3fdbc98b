"""How often people do what they should not: one table of chances for each kind of play."""

import random
from dataclasses import dataclass, fields
from typing import ClassVar, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """The chance of each slip at a turn, one a field; `APART` are chances of other occasions."""

    APART: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def flawless(cls) -> Self:
        """Those of people who never slip."""
        return cls(**{field.name: 0.0 for field in fields(cls)})

    def draw(self, draw: random.Random) -> str:
        """The slip of this turn, "" for none; at most one."""
        point = draw.random()
        for field in fields(self):
            if field.name in self.APART:
                continue
            chance: float = getattr(self, field.name)
            if point < chance:
                return field.name
            point -= chance
        return ""
