"""What simulated people do wrong, and how often: so that sooner or later every clause comes up."""

from dataclasses import dataclass
from typing import ClassVar

from sightline.simulated.habits import Habits


@dataclass(frozen=True, slots=True, kw_only=True)
class Slips(Habits):
    """The chance of each slip, per turn (of `put_back`, per piece put back).

    To put the cue-puck right once more before a stroke (`adjusts`) is none, but as human; so it is
    to bring it home as soon as all lies still (`hastens`).
    """

    APART: ClassVar[frozenset[str]] = frozenset({"put_back", "adjusts", "hastens"})

    over_line: float = 0.035
    on_the_line: float = 0.02
    hand_over: float = 0.03
    idle_hand: float = 0.02
    brush: float = 0.03
    not_brought_home: float = 0.02
    weak: float = 0.03
    wrong_player: float = 0.015
    miscue: float = 0.03
    not_tip: float = 0.01
    concede: float = 0.0015
    wild: float = 0.06
    own_puck: float = 0.05
    queen: float = 0.04
    dead_puck: float = 0.06
    hard: float = 0.08
    put_back: float = 0.08
    adjusts: float = 0.3
    hastens: float = 0.25


FLAWLESS = Slips.flawless()
