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
    say("ivory"),
    say("queen"),
)
"""Words that come as values, from boards and options, and are said through `rules.said.word`."""

BOARDS = (say("Q-Square, built-in board"), say("Carrom, built-in board"))
"""The boards that come with Sightline and are called otherwise than their games."""

KINDS = (
    (say("cue-puck"), say("cue-pucks")),
    (say("puck"), say("pucks")),
    (say("queen"), say("queens")),
    (say("striker"), say("strikers")),
    (say("carromman"), say("carrommen")),
    (say("stick"), say("sticks")),
    (say("chip"), say("chips")),
    (say("blocker"), say("blockers")),
    (say("peg"), say("pegs")),
    (say("ball"), say("balls")),
    (say("single"), say("singles")),
    (say("double"), say("doubles")),
    (say("triple"), say("triples")),
    (say("quarterback"), say("quarterbacks")),
)
"""The kinds of pieces on the boards that come with Sightline: one, and several."""


def possessive(name: str) -> str:
    return say("{name}’" if name.endswith("s") else "{name}’s", name=name)


def counted(count: int, what: str) -> str:
    """Return "two blue pucks" of 2 and "blue puck"."""
    return f"{number(count)} {what}{'' if count == 1 else 's'}"
