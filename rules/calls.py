"""What lattice games share: calls in a rulebook's own terms, facts kept back, a match's moves.

A game of pegs, sticks or chips judges a fact as a row of calls ("OK", "TURN 2", "FOUL hole-taken"),
each with an effect on its state. While a foul stands, later facts are kept back until it is undone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from msgspec import Struct, field

from rules.facts import Batch, Emptied, Fact, Filled

S = TypeVar("S")


class Called(Struct, Generic[S], frozen=True):
    """One call, its clause and effect, made in the state `before`; `detail` is for its words."""

    call: str
    code: str
    effect: object
    before: S
    detail: Mapping[str, str] = field(default_factory=dict)

    @property
    def verb(self) -> str:
        return self.call.partition(" ")[0]

    @property
    def reason(self) -> str:
        return self.call.partition(" ")[2]


class Moves(Struct, frozen=True):
    """A match's moves, newest first: a match has thousands, and every state holds them all."""

    last: str
    before: "Moves | None" = None

    def in_order(self) -> list[str]:
        """Every move, the first one first."""
        moves: list[str] = []
        link: Moves | None = self
        while link is not None:
            moves.append(link.last)
            link = link.before
        return moves[::-1]

    def noting(self, what: str) -> "Moves":
        """The same with `what` added to the newest move."""
        return Moves(self.last + what, self.before)


def kept_with(kept: tuple[Fact, ...], fact: Fact) -> tuple[Fact, ...]:
    """The facts kept back once `fact` came too: one that undoes a kept fact drops out with it.

    What came in one frame stays together, so that it can be taken in a legal order later.
    """
    if not isinstance(fact, Batch):
        left = _undone(kept, fact)
        return (*kept, fact) if left is None else left
    fresh: list[Fact] = []
    for part in fact.facts:
        left = _undone(kept, part)
        if left is None:
            fresh.append(part)
        else:
            kept = left
    return (*kept, *_together(fact, fresh))


def is_kept(kept: Iterable[Fact], place: str) -> bool:
    """Whether something that came to `place`, alone or with others, is kept back."""
    return any(
        is_kept(fact.facts, place)
        if isinstance(fact, Batch)
        else isinstance(fact, Filled) and fact.place == place
        for fact in kept
    )


class InTurn(ABC):
    """What judges facts one after the other, and keeps back what comes while a foul stands."""

    @property
    @abstractmethod
    def fouled(self) -> bool:
        """Whether a foul stands."""

    @abstractmethod
    def judge(self, fact: Fact) -> None:
        """Judge one fact, or all of one frame."""

    @abstractmethod
    def undoes(self, fact: Fact) -> bool:
        """Whether a fact undoes the foul that stands."""

    @abstractmethod
    def mends(self, fact: Fact) -> bool:
        """Whether a fact undoes the foul that stands, or a part of it, or says so."""

    @abstractmethod
    def keep_back(self, batch: Batch) -> None:
        """Keep what came in one frame until the foul that stands is undone."""

    def one_by_one(self, facts: Sequence[Fact], *, ordered: bool) -> None:
        """Judge facts in turn; what comes after a foul is kept back as the one frame it was."""
        for n, fact in enumerate(facts):
            if self.fouled:
                self.judge(Batch(at_ms=fact.at_ms, facts=tuple(facts[n:]), ordered=ordered))
                return
            self.judge(fact)

    def one_frame_while_fouled(self, batch: Batch) -> None:
        """Judge what undoes the foul that stands first; then the rest, if it stands no more."""
        later: list[Fact] = []
        for part in sorted(batch.facts, key=lambda part: not self.undoes(part)):
            if self.fouled and self.mends(part):
                self.judge(part)
            else:
                later.append(part)
        rest = replace(batch, facts=tuple(later))
        if self.fouled:
            self.keep_back(rest)
        else:
            self.judge(rest)


def _undone(kept: tuple[Fact, ...], fact: Fact) -> tuple[Fact, ...] | None:
    """The facts kept back without the newest that `fact` undoes; None: it undoes none."""
    for at in range(len(kept) - 1, -1, -1):
        held = kept[at]
        if isinstance(held, Batch):
            parts = _undone(held.facts, fact)
            if parts is not None:
                return (*kept[:at], *_together(held, parts), *kept[at + 1 :])
        elif _reverses(held, fact):
            return kept[:at] + kept[at + 1 :]
    return None


def _together(batch: Batch, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """What is left of a batch: several are still one, and one alone needs no order."""
    return (replace(batch, facts=tuple(facts)),) if len(facts) > 1 else tuple(facts)


def _reverses(kept: Fact, fact: Fact) -> bool:
    match kept, fact:
        case Filled(place=a, kind=old), Emptied(place=b, kind=new):
            return a == b and old == new
        case Emptied(place=a, kind=old, colour=was), Filled(place=b, kind=new, colour=now):
            return a == b and old == new and was in ("", now)
        case _:
            return False
