"""The people at a simulated table take their time: one who is asked looks before answering."""

from testkit.carrom_table import board

from rules.board import Board
from rules.facts import Declared, Fact, Piece
from rules.rulings import Answer, Outcome, Question, Ruling, Scoreboard
from sightline.simulated.playing import CONSIDERS_S, Host
from sightline.simulated.referee import Asked
from sightline.simulated.stage import Stage


class Asking:
    """A referee with one question open until it has an answer."""

    def __init__(self) -> None:
        answers = (Answer(key="yes", words="Yes"), Answer(key="no", words="No"))
        question = Question(key="on-line", words="On the line?", answers=answers)
        self._open = [Asked(seq=1, question=question)]
        self.heard: list[str] = []

    def scoreboard(self) -> Scoreboard:
        raise AssertionError("nobody plays on while a question is open")

    def outcome(self) -> Outcome | None:
        return None

    def questions(self) -> tuple[Asked, ...]:
        return tuple(self._open)

    def settled_ms(self) -> float:
        return -1.0

    def changed_ms(self) -> float:
        return -1.0

    def lying(self) -> tuple[Piece, ...]:
        return ()

    def would(self, fact: Fact) -> tuple[Ruling, ...]:
        return ()

    def declare(self, fact: Declared) -> None:
        raise AssertionError("nobody says anything")

    def answer(self, asked: Asked, key: str) -> None:
        self._open.remove(asked)
        self.heard.append(key)


class Watching(Host):
    """Somebody who has seen all there is to see, and does nothing."""

    def _seen_all(self) -> bool:
        return True

    def _act(self, board: Scoreboard) -> None:
        """Nothing comes next."""


def watching(board: Board, *, known_s: float) -> tuple[Watching, Asking]:
    """Somebody who is asked at once, of what shows only after so many seconds."""
    stage, referee = Stage(board=board), Asking()
    return Watching(
        stage, referee, truly=lambda asked: "no" if stage.end_s >= known_s else "yes"
    ), referee


def test_one_who_is_asked_looks_before_answering() -> None:
    people, referee = watching(board(), known_s=CONSIDERS_S)
    assert people.go_on(0.0)
    assert referee.heard == []
    assert people.go_on(people.stage.end_s)
    assert referee.heard == ["no"]
