"""The course of a simulated match: the players wait for the referee, answer it, and play on."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol

from rules.board import Board
from rules.facts import Declared
from rules.game import Setup
from rules.rulings import Announcement, Scoreboard
from sightline.simulated.referee import Asked, Referee
from sightline.simulated.stage import Stage

PATIENCE_S = 4.0
CONSIDERS_S = 0.6
"""So long whoever is asked looks at the table: what is seen there is sometimes told before it is
true, as when a hand is seen to leave a moment early."""
Truly = Callable[[Asked], str]


class Host(ABC):
    """Goes through a match on a stage; a game's players act in `_act`.

    What the referee makes of what was done nobody knows before the referee says it; only where the
    referee asks a person does the truth answer (`truly`), as the human referee who was watching.
    """

    def __init__(self, stage: Stage, referee: Referee, *, truly: Truly | None = None) -> None:
        self.stage = stage
        self.referee = referee
        self.truly = truly
        self.shots = 0
        self._waited_s = 0.0
        self._now_ms = 0.0
        self._considers = False

    def go_on(self, at_s: float) -> bool:
        """Adds what happens next to the stage; False when the match is over.

        `at_s` is the time now. While the referee has not yet seen the last act to its end, nothing
        happens but waiting, for `PATIENCE_S` at most.
        """
        stage = self.stage
        self._now_ms = 1000 * at_s
        if stage.end_s < at_s:
            stage.rest(at_s - stage.end_s)
        if not self._seen_all() and self._waited_s < PATIENCE_S:
            stage.rest(0.1)
            self._waited_s += 0.1
            return True
        self._waited_s = 0.0
        questions = self.referee.questions()
        self._considers = bool(questions) and not self._considers
        if self._considers:
            stage.rest(CONSIDERS_S)
            return True
        if questions:
            for asked in questions:
                self.referee.answer(asked, self._answer(asked))
            stage.rest(0.3)
            return True
        if self.referee.outcome() is not None:
            return False
        before = stage.end_s
        self._act(self.referee.scoreboard())
        if stage.end_s == before:
            stage.rest(0.4)
        return True

    def tally(self) -> str:
        """How much was played, in words."""
        return f"{self.shots} shots"

    @abstractmethod
    def _seen_all(self) -> bool:
        """Whether the referee knows of all that was done so far."""

    @abstractmethod
    def _act(self, board: Scoreboard) -> None:
        """Does what comes next, or nothing."""

    # saying

    def _declare(
        self, board: Scoreboard, what: str, side: str | None = None, value: str | None = None
    ) -> bool:
        """Says what only people know, if the referee can hear it now."""
        for offer in board.announcements:
            mine = side is None or offer.side is None or side in offer.side
            if offer.what == what and mine and value in (None, offer.value):
                self._say(offer)
                return True
        return False

    def _say(self, offer: Announcement) -> None:
        self.stage.rest(0.3)
        fact = Declared(at_ms=self._now_ms, what=offer.what, side=offer.side, value=offer.value)
        self.stage.say(fact)
        self.referee.declare(fact)

    def _answer(self, asked: Asked) -> str:
        if self.truly is not None:
            return self.truly(asked)
        return asked.question.answers[0].key


class Agreement(Protocol):
    """What the players of one game agree on before they begin, and who then plays."""

    @property
    def game(self) -> str: ...

    def setup(self, board: Board) -> Setup: ...

    def players(
        self, stage: Stage, referee: Referee, *, seed: int, truly: Truly | None, **habits: Any
    ) -> Host:
        """The players; `habits` (skill, slips) are the game's own, as usual where None."""
        ...
