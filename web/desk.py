"""All that pages may know and do.

`sightline.running.match` implements it; tests use a small fake.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rules.board import Board
from rules.decisions import Decision
from rules.facts import Fact, Piece
from rules.game import Clause, Player
from rules.rulings import Outcome, Ruling, RulingId, Scoreboard


class Sight(StrEnum):
    """The state of sight, as a club reads it on the page."""

    SETTLING = "settling"
    STILL = "still"
    HAND = "hand"
    BLIND = "blind"


HAND_STAYS_S = 30
"""What is taken for a hand over the table for so long is none, or is in the way."""


class Stale(Exception):
    """The match has moved on since the page was drawn; the tap is refused (HTTP 409)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A ruling as the page shows it: its id, when, on which pictures, and what became of it."""

    id: RulingId
    at_ms: float
    ruling: Ruling
    evidence: tuple[str, ...] = ()
    overruled_by: int | None = None
    confirmed_by: int | None = None
    answered: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undoable:
    """A decision that can be withdrawn, and what it was, in words."""

    seq: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One immutable picture of the match. `version` grows with every change of anything in it.

    `warnings` are sentences on what does not work beside sight and log: the recording, say.
    """

    version: int
    seq: int
    match: str
    game: str
    title: str
    sight: Sight
    sight_words: str
    sight_since_ms: float
    now_ms: float
    scoreboard: Scoreboard
    players: tuple[Player, ...] = ()
    pieces: tuple[Piece, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    to_review: tuple[int, ...] = ()
    undoable: tuple[Undoable, ...] = ()
    outcome: Outcome | None = None
    live_picture: bool = False
    warnings: tuple[str, ...] = ()


class Desk(Protocol):
    """What `create_app` needs."""

    def view(self) -> View: ...

    def board(self) -> Board: ...

    def clauses(self) -> Sequence[Clause]: ...

    def wait(self, after: int, timeout_s: float) -> View | None:
        """The newest view as soon as its version exceeds `after`; None when the time is over."""
        ...

    def decide(self, decision: Decision, *, seen: int, key: str) -> int:
        """Append a decision made on the page of version `seen`; its seq.

        The same `key` twice is one tap. Raises `Stale` where what it decides on no longer stands,
        ValueError where it makes no sense.
        """
        ...

    def declare(self, fact: Fact, *, seen: int, key: str) -> int:
        """Append what a person said; as `decide`."""
        ...

    def evidence(self, name: str) -> bytes | None:
        """The JPEG of a named piece of evidence, None where there is none.

        Names come from views only.
        """
        ...

    def live(self) -> bytes | None:
        """The newest frame as JPEG."""
        ...
