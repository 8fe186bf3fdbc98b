"""What the referee and the players say, from the page into the log.

Each tap names what it is about as the page showed it. Where that no longer stands the tap is
refused (409) with the newest view, so that nobody decides on something else than he saw.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from flask import Blueprint, Response, request

from rules.decisions import Decision
from rules.facts import Declared
from rules.said import joined, say, told_by
from web.context import Context, here, json_answer
from web.deciding import decision_of
from web.desk import Stale, View
from web.forms import DeclareTap, Envelope, Refused, parse_decision, parse_declaration
from web.guard import device_here
from web.looking import preview_json
from web.present import Json, snapshot

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
    envelope = signed(envelope)
    return _Read(envelope=envelope, body=lambda: decision_of(tap, envelope, context.desk.view()))


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
            return refusal(reasons)
        case Stale():
            view = snapshot(context.desk.view(), context.boot)
            words = told_by(err) or say("The match has moved on since this page was drawn.")
            return json_answer({"error": "stale", "words": words, "view": view}, 409)
        case _:
            return refusal((told_by(err) or say("this cannot be decided"),))


def refusal(reasons: tuple[str, ...]) -> Response:
    """Return the answer to what makes no sense (400)."""
    return json_answer(
        {"error": "refused", "words": joined(reasons, "; "), "reasons": reasons}, 400
    )


def signed(envelope: Envelope) -> Envelope:
    """Return the envelope with who taps: where devices join, their name and not what they say."""
    device = device_here()
    if device is None:
        return envelope
    return replace(envelope, by=f"{device.name} ({device.role})")


def _check_run(envelope: Envelope, context: Context) -> None:
    if envelope.boot is not None and envelope.boot != context.boot:
        raise Stale(say("Sightline was started again since this page was drawn."))


def _declared(tap: DeclareTap, view: View) -> Declared:
    offered = {(said.what, said.side, said.value) for said in view.scoreboard.announcements}
    if (tap.what, tap.side, tap.value) not in offered:
        raise Stale(say("This can no longer be announced."))
    return Declared(at_ms=view.now_ms, what=tap.what, side=tap.side, value=tap.value)
