"""What carrom players do wrong, and how often."""

from dataclasses import dataclass
from typing import ClassVar

from sightline.simulated.habits import Habits


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerSlips(Habits):
    """The chance of each slip, per turn (of `careless`, per piece put back).

    To push the striker along the base line before it is flicked (`adjusts`) is none, but usual; so
    it is to take it up as soon as all lies still (`hastens`).
    """

    APART: ClassVar[frozenset[str]] = frozenset({"careless", "adjusts", "hastens"})

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
    adjusts: float = 0.5
    hastens: float = 0.3


STEADY = FingerSlips.flawless()
