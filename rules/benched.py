"""A game that judges facts on a bench: a row of calls, each with its effect, and the state after.

The bench works on a state of its own, so that a call made late in a fact rests on those before it.
Where every ruling stands, the state that the bench came to is the one that follows.
"""

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar

from rules.calls import Called
from rules.facts import Fact
from rules.rulings import Ruling

S = TypeVar("S")


class Bench(Protocol[S]):
    """Judges facts in turn: `calls` is what it said of them, `state` what they come to."""

    state: S
    calls: list[Called[S]]

    def judge(self, fact: Fact) -> None: ...


class BenchedGame(ABC, Generic[S]):
    """What such games share. None of them asks: a place of a lattice was seen, or it was not."""

    def __init__(self) -> None:
        self._judged: tuple[S, tuple[Ruling, ...], S] | None = None

    def judge(self, state: S, fact: Fact) -> tuple[Ruling, ...]:
        """Return what the rulebook says of a fact."""
        bench = self._bench(state)
        bench.judge(fact)
        rulings = tuple(map(self._ruling, bench.calls))
        self._judged = state, rulings, bench.state
        return rulings

    def advance(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S:
        """Return the state that follows when these rulings stand."""
        judged = self._judged
        if judged is not None and judged[0] is state and judged[1] is rulings:
            return judged[2]
        return self._standing(state, fact, rulings)

    def answer(self, state: S, question: str, answer: str) -> tuple[Ruling, ...]:
        return ()

    @abstractmethod
    def _bench(self, state: S) -> Bench[S]:
        """Return a bench at which the next fact is judged."""

    @abstractmethod
    def _ruling(self, call: Called[S]) -> Ruling:
        """Return a call as it is given to the players."""

    @abstractmethod
    def _standing(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S:
        """Return the state after the effects of those rulings alone that stand."""
