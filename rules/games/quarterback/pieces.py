"""The pieces: a letter for each kind, capital for the attacking side and small for the defending.

Single S, Double D, Triple T, quarterback Q; `*` is the ball where changes on the board are written.
"""

from collections.abc import Mapping

ATTACK, DEFENCE = "A", "D"
BALL = "*"
KINDS: Mapping[str, str] = {"S": "single", "D": "double", "T": "triple", "Q": "quarterback"}
LETTER_OF: Mapping[str, str] = {kind: letter for letter, kind in KINDS.items()}
STRENGTH: Mapping[str, int] = {
    letter: strength
    for upper, strength in {"S": 3, "D": 2, "T": 1, "Q": 1}.items()
    for letter in (upper, upper.lower())
}
"""Blocking strengths (QB-5.1)."""

MOVEMENT: Mapping[str, str] = {"S": "QB-3.1", "D": "QB-3.2", "T": "QB-3.3", "Q": "QB-3.4"}
"""The clause that says how far a kind moves."""


def side_of(letter: str) -> str:
    """The side that plays a piece."""
    return ATTACK if letter.isupper() else DEFENCE


def other(side: str) -> str:
    return DEFENCE if side == ATTACK else ATTACK


def opposed(letter: str, other_letter: str) -> bool:
    """Whether two pieces are of different sides."""
    return letter.isupper() != other_letter.isupper()
