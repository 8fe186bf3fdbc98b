"""Racks: tests that a rack has to pass, too close ones asked of the referee, refusals said once."""

from collections.abc import Sequence

from msgspec import Struct

from rules.case import Case
from rules.doubts import Doubt
from rules.rulings import RulingKind
from rules.said import joined, say
from rules.verdicts import Verdict, verdict


class Check(Struct, frozen=True, kw_only=True):
    """One test of a rack: passed where `margin_mm` is not negative."""

    code: str
    words: str
    margin_mm: float
    error_mm: float = 0.0
    pieces: tuple[str, ...] = ()


def failed(checks: Sequence[Check]) -> list[Check]:
    """Return the tests that are not passed, too close ones left aside."""
    return [c for c in checks if verdict(c.margin_mm, c.error_mm) is Verdict.NO]


def doubted(case: Case, checks: Sequence[Check]) -> list[Check]:
    """Return the tests too close to call if the referee refuses the rack for them, else none."""
    close = [c for c in checks if verdict(c.margin_mm, c.error_mm) is Verdict.CLOSE]
    if close and case.oracle.yes(
        Doubt(
            key="rack",
            words=say(
                "Is the rack good? Too close to call: {checks}.",
                checks=joined((c.words for c in close), "; "),
            ),
            answers=(("yes", say("Yes, accepted")), ("no", say("No, rack again"))),
            piece=close[0].pieces[0] if close[0].pieces else None,
            margin_mm=close[0].margin_mm,
            error_mm=close[0].error_mm,
        )
    ):
        return []
    return close


def refuse(case: Case, checks: Sequence[Check], said: str) -> str:
    """Refuse a rack for `checks`, unless that is what was `said` last; return what is said now."""
    words = " | ".join(check.words for check in checks)
    if words == said:
        return said
    for check in checks:
        case.rule(
            check.code,
            say("Rack refused: {why}.", why=check.words),
            RulingKind.REFUSED,
            pieces=check.pieces,
            margin_mm=check.margin_mm if check.error_mm else None,
            error_mm=check.error_mm or None,
        )
    return words
