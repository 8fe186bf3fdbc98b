"""The bare rules, fed with the truth: the referee that sees everything, for comparison and tests."""

from collections.abc import Callable
from typing import Any

from rules.decisions import Reply
from rules.engine import Fold
from rules.facts import Declared, Fact, Settled
from rules.game import Entry, Game, Setup, Step
from rules.rulings import Outcome, Scoreboard, Standing
from sightline.simulated.referee import Asked


class FoldedReferee:
    """A match kept in memory: facts and answers in, the scoreboard out. `now_ms` is the time."""

    def __init__(self, game: Game[Any], setup: Setup, now_ms: Callable[[], float]) -> None:
        self.fold: Fold[Any] = Fold(game, setup)
        self._game = game
        self._now_ms = now_ms
        self._settled_ms = -1.0

    def see(self, fact: Fact) -> tuple[Step[Any], ...]:
        """Judges one more fact; the step it made."""
        if isinstance(fact, Settled):
            self._settled_ms = fact.at_ms
        kept = self._append(fact)
        return tuple(self.fold.steps[kept:])

    def _append(self, body: Fact | Reply) -> int:
        seq = self.fold.entries[-1].seq + 1 if self.fold.entries else 1
        return self.fold.append(Entry(seq=seq, at_ms=self._now_ms(), body=body))

    def scoreboard(self) -> Scoreboard:
        return self._game.scoreboard(self.fold.state)

    def outcome(self) -> Outcome | None:
        return self._game.outcome(self.fold.state)

    def questions(self) -> tuple[Asked, ...]:
        return tuple(
            Asked(seq=step.seq, question=ruling.question)
            for step in self.fold.steps[-40:]
            for ruling in step.rulings
            if ruling.standing is Standing.OPEN and ruling.question is not None
        )

    def settled_ms(self) -> float:
        return self._settled_ms

    def declare(self, fact: Declared) -> None:
        self._append(fact)

    def answer(self, asked: Asked, key: str) -> None:
        self._append(
            Reply(seq=asked.seq, question=asked.question.key, answer=key, was=asked.question)
        )
