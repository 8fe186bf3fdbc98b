"""What people do wrong with pegs, sticks and chips, and how often."""

from dataclasses import dataclass
from typing import ClassVar

from sightline.simulated.habits import Habits


@dataclass(frozen=True, slots=True, kw_only=True)
class PegSlips(Habits):
    """The chance of each slip at a turn of King Square."""

    APART: ClassVar[frozenset[str]] = frozenset({"plays_on"})

    wrong_player: float = 0.03
    wrong_colour: float = 0.015
    two_pegs: float = 0.02
    both_sides: float = 0.02
    moved: float = 0.02
    taken_out: float = 0.015
    touched: float = 0.03
    reached_over: float = 0.03
    swept: float = 0.004
    plays_on: float = 0.1  # after a King-Square, and while a foul stands


@dataclass(frozen=True, slots=True, kw_only=True)
class StickSlips(Habits):
    """The chance of each slip at a turn of Squarin' Off."""

    APART: ClassVar[frozenset[str]] = frozenset(
        {"plays_on", "late_chip", "wrong_chip", "stick_and_chip"}
    )

    wrong_player: float = 0.02
    two_sticks: float = 0.015
    moved: float = 0.015
    taken_out: float = 0.01
    touched: float = 0.02
    reached_over: float = 0.02
    bad_blocker: float = 0.01
    late_chip: float = 0.12
    wrong_chip: float = 0.02
    stick_and_chip: float = 0.25  # no slip: both in one go
    plays_on: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSlips(Habits):
    """The chance of each slip at an action of Quarterback."""

    wrong_player: float = 0.03
    too_far: float = 0.04
    taken_off: float = 0.02
    touched: float = 0.03


NO_PEG_SLIPS = PegSlips.flawless()
NO_STICK_SLIPS = StickSlips.flawless()
NO_FIELD_SLIPS = FieldSlips.flawless()
