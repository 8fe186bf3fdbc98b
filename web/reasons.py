"""The reasons that the page offers for a decision. A tap brings the English ones, and the log keeps
them: each page says them in its own language."""

from rules.said import Said, said_again, say

REASONS: tuple[Said, ...] = (
    say("Not what happened"),
    say("Both players agree"),
    say("Referee’s discretion"),
)


def reason_words(reason: str) -> str:
    """Return a decision's reason as one that can be translated, where the page offered it."""
    return said_again(reason, REASONS)
