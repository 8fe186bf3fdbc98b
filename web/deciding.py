"""From a tap to the decision that it makes on a match as the page showed it."""

from typing import Protocol

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.said import say
from web.desk import Ruled, Stale, Undoable
from web.forms import (
    AmendTap,
    ConfirmTap,
    Envelope,
    InsertTap,
    OverruleTap,
    Refused,
    ReplyTap,
    StrikeTap,
    Tap,
    WithdrawTap,
)
from web.present import is_open, mark_of


class Decidable(Protocol):
    """What a page shows that can be decided on: a running match's view, an ended match's shelf."""

    @property
    def seq(self) -> int: ...

    @property
    def rulings(self) -> tuple[Ruled, ...]: ...

    @property
    def undoable(self) -> tuple[Undoable, ...]: ...


def decision_of(tap: Tap, envelope: Envelope, view: Decidable) -> Decision:
    """Return the decision that a tap on `view` makes.

    Raises Stale where what it decides on no longer stands there, Refused where it makes no sense.
    """
    match tap:
        case OverruleTap():
            ruled = _marked(tap.ruling, tap.mark, view)
            return Overrule(ruling=ruled.id, was=ruled.ruling, reason=tap.reason, by=envelope.by)
        case ConfirmTap():
            ruled = _marked(tap.ruling, tap.mark, view)
            return Confirm(ruling=ruled.id, was=ruled.ruling, reason=tap.reason, by=envelope.by)
        case ReplyTap():
            asking = _asking(tap.ruling, tap.question, view)
            question = asking.ruling.question
            assert question is not None
            if tap.answer not in {answer.key for answer in question.answers}:
                raise Refused(say("this is not one of the answers to this question"))
            return Reply(
                seq=asking.id.seq,
                question=tap.question,
                answer=tap.answer,
                reason=tap.reason,
                by=envelope.by,
            )
        case WithdrawTap():
            if tap.seq not in {undo.seq for undo in view.undoable}:
                raise Stale(say("This decision has been taken back already."))
            return Withdraw(seq=tap.seq, reason=tap.reason, by=envelope.by)
        case StrikeTap():
            if not 1 <= tap.seq <= view.seq:
                raise Refused(say("the log has no entry {number}", number=tap.seq))
            return Amend(seq=tap.seq, fact=None, reason=tap.reason, by=envelope.by)
        case AmendTap():
            if not 1 <= tap.seq <= view.seq:
                raise Refused(say("the log has no entry {number}", number=tap.seq))
            return Amend(seq=tap.seq, fact=tap.fact, reason=tap.reason, by=envelope.by)
        case InsertTap():
            if not 0 <= tap.after <= view.seq:
                raise Refused(say("the log has no entry {number}", number=tap.after))
            return Insert(after=tap.after, fact=tap.fact, reason=tap.reason, by=envelope.by)


def _marked(ruling: str, mark: str, view: Decidable) -> Ruled:
    """Return the ruling that says what the page showed; an answered question may share its id."""
    found = [ruled for ruled in view.rulings if str(ruled.id) == ruling]
    for ruled in found:
        if mark_of(ruled) == mark:
            return ruled
    if found:
        raise Stale(say("This ruling has changed since the page was drawn."))
    raise Stale(say("This ruling no longer stands."))


def _asking(ruling: str, question: str, view: Decidable) -> Ruled:
    for ruled in filter(is_open, view.rulings):
        asked = ruled.ruling.question
        if str(ruled.id) == ruling and asked is not None and asked.key == question:
            return ruled
    raise Stale(say("This question is no longer open."))
