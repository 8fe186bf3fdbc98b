"""What the referee and the players say, from the page into the log.

Each tap names what it is about as the page showed it. Where that no longer stands the tap is
refused (409) with the newest view, so that nobody decides on something else than he saw.
"""

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, Response, request

from rules.decisions import Amend, Decision, Overrule, Reply, Withdraw
from rules.facts import Declared
from web.context import Context, here, json_answer
from web.desk import Ruled, Stale, View
from web.forms import (
    DeclareTap,
    Envelope,
    OverruleTap,
    Refused,
    ReplyTap,
    StrikeTap,
    Tap,
    WithdrawTap,
    parse_decision,
    parse_declaration,
)
from web.guard import device_here
from web.present import mark_of, open_questions, snapshot

bp = Blueprint("taps", __name__)


@bp.post("/decisions")
def decisions() -> Response:
    """Overrule a ruling, answer a question, take a decision back, strike out a fact."""

    def append(context: Context) -> tuple[str, Callable[[], int]]:
        envelope, tap = parse_decision(request.get_data())
        envelope = _signed(envelope)

        def decide() -> int:
            decision = _decision(tap, envelope, context.desk.view())
            return context.desk.decide(decision, seen=envelope.seen, key=envelope.key)

        _check_run(envelope, context)
        return envelope.key, decide

    return _answer(append)


@bp.post("/declarations")
def declarations() -> Response:
    """Say something that no camera sees: one of the announcements of the view."""

    def append(context: Context) -> tuple[str, Callable[[], int]]:
        envelope, tap = parse_declaration(request.get_data())

        def declare() -> int:
            fact = _declared(tap, context.desk.view())
            return context.desk.declare(fact, seen=envelope.seen, key=envelope.key)

        _check_run(envelope, context)
        return envelope.key, declare

    return _answer(append)


def _answer(read: Callable[[Context], tuple[str, Callable[[], int]]]) -> Response:
    context = here()
    try:
        key, append = read(context)
        with context.receipts.lock:
            seq = context.receipts.find(key)
            if seq is None:
                seq = append()
                context.receipts.put(key, seq)
    except Refused as refused:
        return _refusal(refused.reasons)
    except Stale as stale:
        view = snapshot(context.desk.view(), context.boot)
        words = str(stale) or "The match has moved on since this page was drawn."
        return json_answer({"error": "stale", "words": words, "view": view}, 409)
    except ValueError as err:
        return _refusal((str(err) or "this cannot be decided",))
    return json_answer({"ok": True, "seq": seq}, 201)


def _refusal(reasons: tuple[str, ...]) -> Response:
    return json_answer({"error": "refused", "words": "; ".join(reasons), "reasons": reasons}, 400)


def _signed(envelope: Envelope) -> Envelope:
    """Return the envelope with who taps: where devices join, their name and not what they say."""
    device = device_here()
    if device is None:
        return envelope
    return replace(envelope, by=f"{device.name} ({device.role})")


def _check_run(envelope: Envelope, context: Context) -> None:
    if envelope.boot is not None and envelope.boot != context.boot:
        raise Stale("Sightline was started again since this page was drawn.")


def _decision(tap: Tap, envelope: Envelope, view: View) -> Decision:
    match tap:
        case OverruleTap():
            ruled = _marked(tap.ruling, tap.mark, view)
            return Overrule(ruling=ruled.id, was=ruled.ruling, reason=tap.reason, by=envelope.by)
        case ReplyTap():
            asking = _asking(tap.ruling, tap.question, view)
            question = asking.ruling.question
            assert question is not None
            if tap.answer not in {answer.key for answer in question.answers}:
                raise Refused("answer: not one of the answers to this question")
            return Reply(
                seq=asking.id.seq,
                question=tap.question,
                answer=tap.answer,
                reason=tap.reason,
                by=envelope.by,
            )
        case WithdrawTap():
            if tap.seq not in {undo.seq for undo in view.undoable}:
                raise Stale("This decision has been taken back already.")
            return Withdraw(seq=tap.seq, reason=tap.reason, by=envelope.by)
        case StrikeTap():
            if not 1 <= tap.seq <= view.seq:
                raise Refused(f"seq: the log has no entry {tap.seq}")
            return Amend(seq=tap.seq, fact=None, reason=tap.reason, by=envelope.by)


def _marked(ruling: str, mark: str, view: View) -> Ruled:
    """Return the ruling that says what the page showed; an answered question may share its id."""
    found = [ruled for ruled in view.rulings if str(ruled.id) == ruling]
    for ruled in found:
        if mark_of(ruled) == mark:
            return ruled
    if found:
        raise Stale("This ruling has changed since the page was drawn.")
    raise Stale("This ruling no longer stands.")


def _asking(ruling: str, question: str, view: View) -> Ruled:
    for ruled in open_questions(view):
        asked = ruled.ruling.question
        if str(ruled.id) == ruling and asked is not None and asked.key == question:
            return ruled
    raise Stale("This question is no longer open.")


def _declared(tap: DeclareTap, view: View) -> Declared:
    offered = {(said.what, said.side, said.value) for said in view.scoreboard.announcements}
    if (tap.what, tap.side, tap.value) not in offered:
        raise Stale("This can no longer be announced.")
    return Declared(at_ms=view.now_ms, what=tap.what, side=tap.side, value=tap.value)
