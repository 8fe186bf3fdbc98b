"""A game of strokes: what happens while one runs is noted, and ruled when all lies still.

What the rulebook says of a fact is worked out by a court (`rules/case.py`), under every answer that
is open.
"""

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar, runtime_checkable

from rules.case import Court, Pending
from rules.facts import Declared, Fact, Settled
from rules.rulings import Ruling


@runtime_checkable
class StrokedState(Protocol):
    """The state of such a game."""

    @property
    def runs(self) -> bool:
        """Whether a stroke is running."""


S = TypeVar("S", bound=StrokedState)
_NONE: tuple[Ruling, ...] = ()
_RULED_AT_ONCE = (Settled, Declared)


class StrokedGame(ABC, Generic[S]):
    """What such games share. `court` is how the game judges."""

    court: Court[S]

    def judge(self, state: S, fact: Fact) -> tuple[Ruling, ...]:
        """Return what the rulebook says of `fact`; most facts of a stroke wait for its end."""
        if self._waits(state, fact):
            self.court.remember(state, fact, _NONE, self._noted(state, fact))
            return _NONE
        return self.court.judge(state, fact)

    def advance(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S:
        """Return the state that follows when `rulings` stand of what was judged or answered."""
        after = self.court.remembered(state, fact, rulings)
        if after is not None:  # as nearly always: all that was just judged stands
            return after
        if not rulings and self._waits(state, fact):
            return self._noted(state, fact)
        return self.court.advance(state, fact, rulings)

    def answer(self, state: S, question: str, answer: str) -> tuple[Ruling, ...]:
        """Return the rulings that replace an OPEN one once the referee has answered it."""
        return self.court.answer(self._pending(state), question, answer)

    def _waits(self, state: S, fact: Fact) -> bool:
        return state.runs and not isinstance(fact, _RULED_AT_ONCE)

    @abstractmethod
    def _noted(self, state: S, fact: Fact) -> S:
        """Return the state of a running stroke with one more fact noted."""

    @abstractmethod
    def _pending(self, state: S) -> Pending[S] | None:
        """Return the question that the state waits for an answer to."""
