"""Putting a match right after its end: what was seen, what a correction would change."""

from collections.abc import Callable

from flask import Blueprint, Response, abort, request

from rules.decisions import Decision
from rules.said import say, told_by
from web.context import here, json_answer
from web.deciding import decision_of
from web.desk import Stale
from web.forms import Envelope, Refused, parse_decision
from web.library import Library, NotThere
from web.looking import moment_json, preview_json
from web.review import found_in_library, match_asked_for, number_asked_for
from web.taps import refusal, signed

bp = Blueprint("revising", __name__, url_prefix="/review")


@bp.get("/moment.json")
def moment() -> Response:
    """What was seen from one settled board to the next, around entry `seq`."""
    seq = number_asked_for("seq")
    return json_answer(
        moment_json(found_in_library(lambda library: library.moment(match_asked_for(), seq)))
    )


@bp.post("/previews")
def preview() -> Response:
    """Say what a decision on an ended match would change; nothing is decided."""

    def look(library: Library, decision: Decision, _: Envelope) -> Response:
        return json_answer({"changed": preview_json(library.preview(match_asked_for(), decision))})

    return _on_the_tap(look)


@bp.post("/decisions")
def decide() -> Response:
    """Decide on an ended match; everything after it is reckoned anew."""
    context = here()
    receipts = context.receipts

    def keep(library: Library, decision: Decision, envelope: Envelope) -> Response:
        match = match_asked_for()
        changed = preview_json(library.preview(match, decision))
        seq = library.decide(match, decision, seen=envelope.seen, key=envelope.key)
        receipts.put(f"{match}/{envelope.key}", seq)
        return json_answer({"ok": True, "seq": seq, "changed": changed}, 201)

    with receipts.lock:
        return _on_the_tap(keep, known=lambda key: receipts.find(f"{match_asked_for()}/{key}"))


def _on_the_tap(
    act: Callable[[Library, Decision, Envelope], Response],
    known: Callable[[str], int | None] = lambda key: None,
) -> Response:
    """Read the tap, make its decision of the match as it stands, and `act` on it."""
    library = here().library
    if library is None:
        abort(404, say("This Sightline keeps no matches."))
    try:
        envelope, tap = parse_decision(request.get_data())
        envelope = signed(envelope)
        seq = known(envelope.key)
        if seq is not None:
            return json_answer({"ok": True, "seq": seq, "changed": None}, 201)
        shelf = library.shelf(match_asked_for())
        if envelope.seen != shelf.seq:
            raise Stale(say("This match has been decided on since the page was drawn."))
        return act(library, decision_of(tap, envelope, shelf), envelope)
    except NotThere as err:
        abort(404, told_by(err))
    except Refused as err:
        return refusal(err.reasons)
    except Stale as err:
        return json_answer({"error": "stale", "words": told_by(err)}, 409)
    except ValueError as err:
        return refusal((told_by(err) or say("this cannot be decided"),))
