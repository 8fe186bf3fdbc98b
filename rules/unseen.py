"""What the camera asks where it could not see: facts hold it in plain English, people are told."""

from rules.facts import Unclear
from rules.said import said_again, say

TURNED_UNSEEN = say("The {piece} turned where it could not be seen. What did it touch?")
STOPPED_BESIDE = say("The {piece} stopped right beside {other}. What did it touch?")
PERHAPS_STRUCK = say(
    "The {piece} and others lie elsewhere, and it was not seen how. Was it struck?"
)
FELL_UNSEEN = say(
    "The {piece} lay over pocket {pocket}, and fell in where it was not seen. Was it struck?"
)
NO_PIECE = say("no piece")
STRUCK = say("It was struck")
STRUCK_FIRST = say("It was struck, and touched {piece} first")
BY_HAND = say("They were moved")
NOT_STRUCK = say("It was not struck")


def question_words(fact: Unclear) -> str:
    return said_again(fact.question, (TURNED_UNSEEN, STOPPED_BESIDE, PERHAPS_STRUCK, FELL_UNSEEN))


def answer_words(fact: Unclear) -> tuple[str, ...]:
    known = (NO_PIECE, STRUCK, STRUCK_FIRST, BY_HAND, NOT_STRUCK)
    return tuple(said_again(each, known) for each in fact.words)
