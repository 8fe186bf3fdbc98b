"""Short exact phrases for players."""

from rules.geometry import Seat
from rules.said import number, say

BORDERS = {Seat.S: say("south"), Seat.E: say("east"), Seat.N: say("north"), Seat.W: say("west")}

WORDS = (
    say("black"),
    say("blue"),
    say("green"),
    say("natural"),
    say("red"),
    say("white"),
    say("yellow"),
    say("queen"),
)
"""Words that come as values, from boards and options, and are said through `rules.said.word`."""


def possessive(name: str) -> str:
    return say("{name}’" if name.endswith("s") else "{name}’s", name=name)


def counted(count: int, what: str) -> str:
    """Return "two blue pucks" of 2 and "blue puck"."""
    return f"{number(count)} {what}{'' if count == 1 else 's'}"
