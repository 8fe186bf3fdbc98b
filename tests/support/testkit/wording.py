"""What a match says, word for word, and which of it nobody could say in another language."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rules.engine import Fold
from rules.game import Step
from rules.rulings import Ruling, Scoreboard
from rules.said import Said

SENTENCE = re.compile(r"[a-z]{2}.*\s")


def words_of_match(fold: Fold[Any]) -> Iterator[str]:
    """Yield all that a match says: its rulings and questions, and the scoreboard at each step."""
    for step in fold.steps:
        yield from words_of_step(step)
        yield from words_of_scoreboard(fold.game.scoreboard(step.state))
        outcome = fold.game.outcome(step.state)
        if outcome is not None:
            yield outcome.words


def words_of_step(step: Step[Any]) -> Iterator[str]:
    for ruling in (*step.rulings, *step.judged, *(reply.asked for reply in step.replies)):
        yield from words_of_ruling(ruling)


def words_of_ruling(ruling: Ruling) -> Iterator[str]:
    yield ruling.words
    if ruling.question is not None:
        yield ruling.question.words
        for answer in ruling.question.answers:
            yield answer.words
            yield answer.consequence


def words_of_scoreboard(board: Scoreboard) -> Iterator[str]:
    yield board.phase
    yield board.headline
    for side in board.sides:
        for label, value in side.items:
            yield label
            yield value
    for each in (*board.tasks, *board.announcements, *board.marks):
        yield each.words


def unsayable(texts: Iterable[str]) -> list[str]:
    """Return, once each, the texts that hold words which are no `Said`, however deep."""
    return sorted({plain for text in texts for plain in _plain(text, outermost=True)})


def _plain(text: str, outermost: bool = False) -> Iterator[str]:
    if isinstance(text, Said):
        for value in text.values.values():
            if isinstance(value, str):
                yield from _plain(value)
    elif re.search(r"[A-Za-z][a-z]", text) if outermost else SENTENCE.search(text):
        yield text
