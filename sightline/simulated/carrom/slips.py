"""What carrom players do wrong, and how often."""

import random
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerSlips:
    """The chance of each slip, per turn (of `careless`, per piece put back)."""

    off_line: float = 0.03
    touched: float = 0.02
    reached_over: float = 0.02
    wrong_player: float = 0.015
    weak: float = 0.02
    wild: float = 0.06
    hard: float = 0.06
    pushed: float = 0.02
    jerked: float = 0.01
    careless: float = 0.08

    def draw(self, draw: random.Random) -> str:
        """The slip of this turn, "" for none; at most one."""
        point = draw.random()
        for field in fields(self):
            if field.name == "careless":
                continue
            chance: float = getattr(self, field.name)
            if point < chance:
                return field.name
            point -= chance
        return ""


STEADY = FingerSlips(**{field.name: 0.0 for field in fields(FingerSlips)})
