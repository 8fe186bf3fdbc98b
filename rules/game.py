"""What a game owes the referee, and what a log is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from rules.board import Board
from rules.decisions import Decision
from rules.facts import Fact
from rules.geometry import Seat
from rules.rulings import Outcome, Ruling, RulingId, Scoreboard

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    seat: Seat
    name: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was agreed before the match: the board, who sits where, and the game's named options."""

    game: str
    board: Board
    players: tuple[Player, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One clause of a rulebook: its id, what it says in our words, and where it comes from."""

    code: str
    section: str
    words: str
    exceptions: str = ""


class Game(Protocol[S]):
    """A game's rules. `judge` says what the rulebook says, `advance` what then stands.

    They are separate because the referee stands between them: a game never learns of overrules.
    Neither ever raises for a fact it did not expect: an impossible board is described, not refused.
    `start` raises ValueError for a setup the rulebook refuses, and names what is allowed.

    A ruling that is OPEN carries a question. When the referee answers it, the engine takes the
    state that `advance` made of the OPEN ruling, asks `answer` for the rulings that replace all
    OPEN ones of that fact (firm ones stay), and calls `advance` once more, with that state, the
    same fact and only those new rulings.
    """

    name: str
    title: str

    def start(self, setup: Setup) -> S: ...
    def judge(self, state: S, fact: Fact) -> tuple[Ruling, ...]: ...
    def advance(self, state: S, fact: Fact, rulings: tuple[Ruling, ...]) -> S: ...
    def answer(self, state: S, question: str, answer: str) -> tuple[Ruling, ...]: ...
    def score(self, state: S) -> Mapping[str, int]: ...
    def outcome(self, state: S) -> Outcome | None: ...
    def scoreboard(self, state: S) -> Scoreboard: ...
    def clauses(self) -> tuple[Clause, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the match log. `evidence` names pictures and clips kept beside the log."""

    seq: int
    at_ms: float
    body: Fact | Decision
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """A question that was answered: the ruling that asked it, and the decision that answered."""

    seq: int
    id: RulingId
    asked: Ruling
    answer: str


class Step(Struct, Generic[S], frozen=True, kw_only=True):
    """One fact as it stands after all decisions, its rulings, and the state that follows.

    `seq` is that of the entry which brought the fact (for an inserted fact, of the `Insert`).
    `rulings` are those that stand, and those the referee waived, marked OVERRULED; `ids` names
    them, `judged` is what the rulebook said in their place, and `overruled_by` the decision that
    changed it (None: nobody did), `confirmed_by` the one that says it is right. `replies` are the
    questions of this step that were answered.
    `fault` is not empty where the game failed on this fact or on an earlier one; nothing is ruled
    from there on.
    """

    seq: int
    fact: Fact
    rulings: tuple[Ruling, ...]
    ids: tuple[RulingId, ...]
    state: S
    judged: tuple[Ruling, ...] = ()
    overruled_by: tuple[int | None, ...] = ()
    confirmed_by: tuple[int | None, ...] = ()
    replies: tuple[Replied, ...] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Generic[S]):
    """The fold of a log. `to_review`: decisions that no longer fit what they decided on."""

    start: S
    steps: tuple[Step[S], ...]
    to_review: tuple[int, ...] = ()

    @property
    def state(self) -> S:
        return self.steps[-1].state if self.steps else self.start
