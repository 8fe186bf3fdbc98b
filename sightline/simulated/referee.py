"""The referee as the people at the simulated table know it: what it asks, what it hears.

Two of them: one fed with the truth, kept in memory, and one behind the page of a running match.
"""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

from rules.decisions import Reply
from rules.engine import Fold
from rules.facts import Batch, Cleared, Declared, Emptied, Fact, Filled, Piece, Settled
from rules.game import Entry, Game, Setup, Step
from rules.rulings import Outcome, Question, Ruling, RulingKind, Scoreboard, Standing
from sightline.running.match import Change, Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An open question, and the entry that asked it."""

    seq: int
    question: Question


class Referee(Protocol):
    """Whoever keeps the match."""

    def scoreboard(self) -> Scoreboard: ...

    def outcome(self) -> Outcome | None: ...

    def questions(self) -> tuple[Asked, ...]: ...

    def settled_ms(self) -> float:
        """The match time of the last Settled it knows of; below 0 where there is none."""
        ...

    def changed_ms(self) -> float:
        """The match time of the last change on a lattice it knows of; below 0: there is none."""
        ...

    def lying(self) -> tuple[Piece, ...]:
        """What lay on the surface at the last Settled, by the referee's own names."""
        ...

    def would(self, fact: Fact) -> tuple[Ruling, ...]:
        """What it would say of a fact now: players know their rules, too."""
        ...

    def declare(self, fact: Declared) -> None: ...

    def answer(self, asked: Asked, key: str) -> None: ...


class FoldedReferee:
    """A match kept in memory: facts and answers in, rulings out."""

    def __init__(self, game: Game[Any], setup: Setup) -> None:
        self.game = game
        self.fold: Fold[Any] = Fold(game, setup)
        self._settled_ms = -1.0
        self._changed_ms = -1.0
        self._lying: tuple[Piece, ...] = ()

    @property
    def steps(self) -> Sequence[Step[Any]]:
        return self.fold.steps

    def take(self, entries: Iterable[Entry]) -> None:
        """Folds entries as they are."""
        for entry in entries:
            if isinstance(entry.body, Settled):
                self._settled_ms = entry.body.at_ms
                self._lying = entry.body.pieces
            elif isinstance(entry.body, Filled | Emptied | Cleared | Batch):
                self._changed_ms = entry.body.at_ms
            self.fold.append(entry)

    def see(self, fact: Fact) -> None:
        """Judges one more fact."""
        self._append(fact, fact.at_ms)

    def _append(self, body: Fact | Reply, at_ms: float) -> None:
        seq = self.fold.entries[-1].seq + 1 if self.fold.entries else 1
        self.take((Entry(seq=seq, at_ms=at_ms, body=body),))

    def scoreboard(self) -> Scoreboard:
        return self.game.scoreboard(self.fold.state)

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.fold.state)

    def would(self, fact: Fact) -> tuple[Ruling, ...]:
        return self.game.judge(self.fold.state, fact)

    def questions(self) -> tuple[Asked, ...]:
        return tuple(
            Asked(seq=step.seq, question=ruling.question)
            for step in self.fold.steps[-60:]
            for ruling in step.rulings
            if ruling.standing is Standing.OPEN and ruling.question is not None
        )

    def settled_ms(self) -> float:
        return self._settled_ms

    def lying(self) -> tuple[Piece, ...]:
        return self._lying

    def changed_ms(self) -> float:
        return self._changed_ms

    def declare(self, fact: Declared) -> None:
        self._append(fact, fact.at_ms)

    def answer(self, asked: Asked, key: str) -> None:
        reply = Reply(seq=asked.seq, question=asked.question.key, answer=key, was=asked.question)
        self._append(reply, max(0.0, self._settled_ms, self._changed_ms))


class PageReferee:
    """The running match, used as its page uses it. Pass `heard` to the match as a listener."""

    def __init__(self, game: Game[Any], setup: Setup) -> None:
        self.mirror = FoldedReferee(game, setup)
        self._match: Match | None = None
        self._taps = 0

    def bind(self, match: Match) -> None:
        """Says which match it is; before anything else."""
        self._match = match

    def heard(self, change: Change) -> None:
        self.mirror.take(change.entries)

    @property
    def match(self) -> Match:
        if self._match is None:
            raise ValueError("expected a bound match, got none")
        return self._match

    def scoreboard(self) -> Scoreboard:
        return self.match.view().scoreboard

    def outcome(self) -> Outcome | None:
        return self.match.view().outcome

    def would(self, fact: Fact) -> tuple[Ruling, ...]:
        self.match.sync()
        return self.mirror.would(fact)

    def questions(self) -> tuple[Asked, ...]:
        return self.mirror.questions()

    def settled_ms(self) -> float:
        self.match.sync()
        return self.mirror.settled_ms()

    def lying(self) -> tuple[Piece, ...]:
        self.match.sync()
        return self.mirror.lying()

    def changed_ms(self) -> float:
        self.match.sync()
        return self.mirror.changed_ms()

    def declare(self, fact: Declared) -> None:
        self.match.declare(fact, seen=self.match.view().version, key=self._key())

    def answer(self, asked: Asked, key: str) -> None:
        reply = Reply(
            seq=asked.seq,
            question=asked.question.key,
            answer=key,
            was=asked.question,
            by="the simulated referee",
        )
        self.match.decide(reply, seen=self.match.view().version, key=self._key())

    def _key(self) -> str:
        self._taps += 1
        return f"simulated-{self._taps}"


Answering = Callable[[Asked], str]

_TABLES = (Settled, Filled, Emptied, Cleared, Batch)
_ALIKE_MS = 1000.0
"""So far apart in time the same table may be told as it is seen and as it truly was. It is certain
that it rests as soon as the next act begins, though the rest time is not over."""


def answers_from(truth: FoldedReferee, asking: FoldedReferee) -> Answering:
    """The human referee who was watching: the answer that makes the rulings what is true.

    What is true is what the truth ruled from the table before the fact in question on, up to the
    one after it. Where one answer raises the next question, it is the answer from which the truth
    can be reached. Of two that make the rulings as true it is the one after which they play who
    truly do.
    """

    def answer(asked: Asked) -> str:
        tables = [step for step in asking.steps if isinstance(step.fact, _TABLES)]
        before = max((t.fact.at_ms for t in tables if t.seq < asked.seq), default=-inf)
        after = min((t for t in tables if t.seq >= asked.seq), key=lambda t: t.seq, default=None)
        until_ms = inf if after is None else after.fact.at_ms
        since_ms, until_ms = _truly(truth, before), _truly(truth, until_ms)
        told = [step for step in truth.steps if step.fact.at_ms <= until_ms]
        wanted = _Wanted(
            codes=_codes(step for step in told if step.fact.at_ms > since_ms),
            turn=truth.game.scoreboard(told[-1].state).turn if told else None,
        )
        keys = [a.key for a in asked.question.answers]
        until = asking.steps[-1].seq if after is None else after.seq
        return max(keys, key=lambda key: _likeness(asking.fold, asked, key, wanted, until))

    return answer


def _truly(truth: FoldedReferee, at_ms: float) -> float:
    """When the table that was seen at `at_ms` was told in truth; `at_ms` where none was then."""
    tables = [step.fact.at_ms for step in truth.steps if isinstance(step.fact, _TABLES)]
    near = [t for t in tables if abs(t - at_ms) < _ALIKE_MS]
    return min(near, key=lambda t: abs(t - at_ms), default=at_ms)


WEIGHTY = (
    RulingKind.TURN,
    RulingKind.POCKET,
    RulingKind.FOUL,
    RulingKind.PENALTY,
    RulingKind.PLACE,
    RulingKind.WIN,
)
"""Rulings that count or decide something."""

_Code = tuple[str, str | None, RulingKind, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is true: what was ruled, and whose turn it then was."""

    codes: Set[_Code]
    turn: str | None


def _likeness(
    fold: Fold[Any], asked: Asked, key: str, wanted: _Wanted, until: int
) -> tuple[int, int, int, bool]:
    """How like the truth the rulings of a step, and of those `until` the next table, can become
    once its question has this answer.

    First what counts or decides something, then whatever is said; where that is the same, it counts
    of how many pieces they speak, and then whose turn it is.
    """
    then = fold.fork()
    last = fold.entries[-1]
    reply = Reply(seq=asked.seq, question=asked.question.key, answer=key, was=asked.question)
    then.append(Entry(seq=last.seq + 1, at_ms=last.at_ms, body=reply))
    step, *later = (step for step in then.steps if asked.seq <= step.seq <= until)
    for ruling in step.rulings:
        if ruling.standing is Standing.OPEN and ruling.question is not None:
            following = Asked(seq=asked.seq, question=ruling.question)
            keys = [a.key for a in ruling.question.answers]
            return max(_likeness(then, following, key, wanted, until) for key in keys)
    numbered = _codes((step, *later))
    found, true = ({code[:3] for code in codes} for codes in (numbered, wanted.codes))
    weighty = {code for code in found if code[2] in WEIGHTY}
    return (
        len(weighty & true) - len(weighty - true),
        len(found & true) - len(found - true),
        len(numbered & wanted.codes),
        fold.game.scoreboard(then.state).turn == wanted.turn,
    )


def _codes(steps: Iterable[Step[Any]]) -> set[_Code]:
    """Clause, side and kind of each ruling, and of how many pieces it speaks."""
    return {(r.code, r.side, r.kind, len(r.pieces)) for step in steps for r in step.rulings}
