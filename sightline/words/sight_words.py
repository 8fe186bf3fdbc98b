"""How well the table can be seen, in words, and why it cannot."""

from rules.said import Said, said_again, say
from vision import reasons

STOPPED = say("Sightline was stopped")
OUT_OF_ORDER = say("the camera's pictures come out of order")
NO_PICTURE = say("no picture came for {seconds} s")
FAULT = say("Sightline has a fault of its own ({error})")
NOBODY_WATCHES = say("no camera is watched")

_WHY = (*reasons.REASONS, STOPPED, OUT_OF_ORDER, NO_PICTURE, FAULT, NOBODY_WATCHES)

STILL = say("The table is still.")
HAND = say("A hand is over the table.")
COMING_TO_REST = say("Waiting for the table to come to rest.")
MOVING = say("The pieces are moving.")
SEES_AGAIN = say("Sightline sees the table again.")
LOOKS_AGAIN = say("Sightline looks at the table again.")
TOO_BUSY = say("Sightline is too busy to look at the table.")
NOT_YET = say("Waiting for the first picture of the table.")


def log_trouble(error: str) -> Said:
    return say("The match log cannot be written: {error}", error=error)


def is_log_trouble(words: str) -> bool:
    return words.startswith(log_trouble(""))


def why_words(why: str) -> str:
    """Return the reason of a `SightLost` as one that can be translated, where it is known."""
    return said_again(why, _WHY)


def cannot_see(why: str) -> Said:
    return say("Sightline cannot see the table: {why}.", why=why_words(why))
