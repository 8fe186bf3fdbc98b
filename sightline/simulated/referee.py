"""The referee as the people at the simulated table know it: what it asks, what it hears."""

from dataclasses import dataclass
from typing import Protocol

from rules.facts import Declared
from rules.rulings import Outcome, Question, Scoreboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An open question, and the entry that asked it."""

    seq: int
    question: Question


class Referee(Protocol):
    """Whoever keeps the match: the running match behind its page, or the bare rules in a test."""

    def scoreboard(self) -> Scoreboard: ...

    def outcome(self) -> Outcome | None: ...

    def questions(self) -> tuple[Asked, ...]: ...

    def settled_ms(self) -> float:
        """The match time of the last Settled it knows of; below 0 where there is none."""
        ...

    def declare(self, fact: Declared) -> None: ...

    def answer(self, asked: Asked, key: str) -> None: ...
