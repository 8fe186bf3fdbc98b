"""What the referee and the players say, from the page into the log.

Each tap names what it is about as the page showed it. Where that no longer stands the tap is
refused (409) with the newest view, so that nobody decides on something else than he saw.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from flask import Blueprint, Response, request

from rules.decisions import Amend, Confirm, Decision, Insert, Overrule, Reply, Withdraw
from rules.facts import Declared
from web.context import Context, here, json_answer
from web.desk import Ruled, Stale, View
from web.forms import (
    AmendTap,
    ConfirmTap,
    DeclareTap,
    Envelope,
    InsertTap,
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
from web.looking import preview_json
from web.present import Json, mark_of, open_questions, snapshot

bp = Blueprint("taps", __name__)


@bp.post("/decisions")
def decisions() -> Response:
    """Overrule or confirm a ruling, answer a question, correct a fact, take a decision back."""
    return _answer(_read_decision)


@bp.post("/declarations")
def declarations() -> Response:
    """Say something that no camera sees: one of the announcements of the view."""
    return _answer(_read_declaration)


@bp.post("/previews/decisions")
def preview_decision() -> Response:
    """Say what a decision would change; nothing is decided."""
    return _preview(_read_decision)


@bp.post("/previews/declarations")
def preview_declaration() -> Response:
    """Say what an announcement would change; nothing is announced."""
    return _preview(_read_declaration)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A tap as read: its envelope, and how to make of it what would be appended now."""

    envelope: Envelope
    body: Callable[[], Decision | Declared]


def _read_decision(context: Context) -> _Read:
    envelope, tap = parse_decision(request.get_data())
    envelope = _signed(envelope)
    return _Read(envelope=envelope, body=lambda: _decision(tap, envelope, context.desk.view()))


def _read_declaration(context: Context) -> _Read:
    envelope, tap = parse_declaration(request.get_data())
    return _Read(envelope=envelope, body=lambda: _declared(tap, context.desk.view()))


def _answer(read: Callable[[Context], _Read]) -> Response:
    context = here()
    changed: Json | None = None
    try:
        tap = read(context)
        envelope = tap.envelope
        _check_run(envelope, context)
        with context.receipts.lock:
            seq = context.receipts.find(envelope.key)
            if seq is None:
                body = tap.body()
                changed = _changes(context, body)
                desk = context.desk
                if isinstance(body, Declared):
                    seq = desk.declare(body, seen=envelope.seen, key=envelope.key)
                else:
                    seq = desk.decide(body, seen=envelope.seen, key=envelope.key)
                context.receipts.put(envelope.key, seq)
    except (Refused, Stale, ValueError) as err:
        return _not_done(context, err)
    return json_answer({"ok": True, "seq": seq, "changed": changed}, 201)


def _preview(read: Callable[[Context], _Read]) -> Response:
    context = here()
    try:
        tap = read(context)
        _check_run(tap.envelope, context)
        body = tap.body()
        if context.study is None:
            return json_answer({"changed": None})
        return json_answer({"changed": preview_json(context.study.preview(body))})
    except (Refused, Stale, ValueError) as err:
        return _not_done(context, err)


def _changes(context: Context, body: Decision | Declared) -> Json | None:
    """Return what `body` is about to change; None where nobody can say."""
    if context.study is None:
        return None
    try:
        return preview_json(context.study.preview(body))
    except ValueError:
        return None  # it will be refused, with its reason


def _not_done(context: Context, err: Exception) -> Response:
    match err:
        case Refused(reasons=reasons):
            return _refusal(reasons)
        case Stale():
            view = snapshot(context.desk.view(), context.boot)
            words = str(err) or "The match has moved on since this page was drawn."
            return json_answer({"error": "stale", "words": words, "view": view}, 409)
        case _:
            return _refusal((str(err) or "this cannot be decided",))


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
        case ConfirmTap():
            ruled = _marked(tap.ruling, tap.mark, view)
            return Confirm(ruling=ruled.id, was=ruled.ruling, reason=tap.reason, by=envelope.by)
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
        case AmendTap():
            if not 1 <= tap.seq <= view.seq:
                raise Refused(f"seq: the log has no entry {tap.seq}")
            return Amend(seq=tap.seq, fact=tap.fact, reason=tap.reason, by=envelope.by)
        case InsertTap():
            if not 0 <= tap.after <= view.seq:
                raise Refused(f"after: the log has no entry {tap.after}")
            return Insert(after=tap.after, fact=tap.fact, reason=tap.reason, by=envelope.by)


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
