"""What the human referee says. Orders, appended to the log like facts; nothing is ever edited."""

from dataclasses import dataclass

from rules.facts import Fact
from rules.rulings import Question, Ruling, RulingId


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend:
    """The fact of entry `seq` was seen wrongly: it was `fact`; None strikes it out."""

    seq: int
    fact: Fact | None
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert:
    """The camera missed `fact`; it belongs right after entry `after` (0: before all)."""

    after: int
    fact: Fact
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrule:
    """Ruling `ruling`, which said `was`, is waived, or becomes `becomes`."""

    ruling: RulingId
    was: Ruling
    becomes: Ruling | None = None
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """The referee has looked at ruling `ruling`, which says `was`: it is right and stands.

    It changes no score; but where a correction makes another ruling of it, it goes to review.
    """

    ruling: RulingId
    was: Ruling
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The referee's answer to an open question that the step of entry `seq` asked.

    `was` is the question as it was asked; where it has become another since, the answer does not
    count and goes to review. None: whatever is asked there under that key.
    """

    seq: int
    question: str
    answer: str
    reason: str = ""
    by: str = ""
    was: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """The decision of entry `seq` is taken back."""

    seq: int
    reason: str = ""
    by: str = ""


Decision = Amend | Confirm | Insert | Overrule | Reply | Withdraw
