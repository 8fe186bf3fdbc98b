"""The pages' Flask app. It holds nothing but the desk it is given; importing it starts nothing."""

from collections.abc import Collection
from pathlib import Path
from secrets import token_hex

from flask import Flask, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from rules.said import Said, say
from web import door, feed, health, looking, pages, review, revising, scoreboard, second_looks, taps
from web.access import Access
from web.context import Context, json_answer
from web.desk import Desk
from web.guard import install_guard
from web.languages import install_languages
from web.library import Library
from web.streams import BEAT_S, Messages, StreamCap
from web.study import Study
from web.wellbeing import Wellbeing

MAX_STREAMS = 224
_NAMES = {
    400: say("Not understood"),
    403: say("Not allowed"),
    404: say("Not found"),
    405: say("Not possible"),
    409: say("Not possible now"),
    413: say("Too large"),
    415: say("Not understood"),
    500: say("A fault of Sightline"),
}
"""What a page calls an error; programs read its name in English."""
_USUAL = {
    404: say("There is no page of this address."),
    405: say("Nothing of this kind can be done here."),
    413: say("What was sent is larger than anything that Sightline takes."),
    500: say("Sightline has a fault of its own. What was decided before is on disk; try again."),
}
"""What is said of errors for which no route of ours had words."""


def create_app(
    desk: Desk,
    *,
    allowed_hosts: Collection[str] = (),
    access: Access | None = None,
    bases: Collection[str] = (),
    study: Study | None = None,
    wellbeing: Wellbeing | None = None,
    library: Library | None = None,
    authority: Path | None = None,
    max_streams: int = MAX_STREAMS,
    boot: str | None = None,
    beat_s: float = BEAT_S,
) -> Flask:
    """Return the app that shows `desk`.

    `allowed_hosts` are the names and addresses it answers to besides the loopback ones. With
    `access` devices must join before they see or do anything; without it whoever reaches the
    server may do all. `bases` are the addresses ("http://10.0.0.5:8460/") that invitations lead
    to. `study` lets the page look into facts and show what a tap would change, `wellbeing` the page
    Health know more than the state of sight, `library` is what the review room looks at,
    `authority` the certificate (PEM) that devices install to trust ours.

    At most `max_streams` pages get live events, further ones a 503 and then ask by themselves.
    `boot` names this run of the server: versions
    count within it. A stream that has nothing to say gives a sign of life every `beat_s`; a page
    that hears none for 2.5 s says that it has lost Sightline.
    """
    app = Flask("web")
    messages = Messages(boot or token_hex(4))
    Context(
        desk=desk,
        messages=messages,
        cap=StreamCap(max_streams),
        beat_s=beat_s,
        bases=tuple(bases),
        study=study,
        wellbeing=wellbeing,
        library=library,
        authority=authority,
    ).keep_in(app.extensions)
    install_guard(app, allowed_hosts, access)
    install_languages(app)
    app.register_blueprint(pages.bp)
    app.register_blueprint(feed.bp)
    app.register_blueprint(taps.bp)
    app.register_blueprint(looking.bp)
    app.register_blueprint(health.bp)
    app.register_blueprint(scoreboard.bp)
    app.register_blueprint(review.bp)
    app.register_blueprint(revising.bp)
    app.register_blueprint(second_looks.bp)
    app.register_blueprint(door.bp)
    app.register_error_handler(HTTPException, _explain)
    return app


def _explain(error: HTTPException) -> ResponseReturnValue:
    """Say what went wrong: to a person as a page, to a program as JSON."""
    status = error.code or 500
    ours = error.description if isinstance(error.description, Said) else _USUAL.get(status)
    words = ours or error.description or error.name
    if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        return render_template(
            "error.html", status=status, name=_NAMES.get(status, error.name), words=words
        ), status
    return json_answer({"error": error.name, "words": words}, status)
