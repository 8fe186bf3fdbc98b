"""The page itself, and the pictures it shows."""

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from rules.said import say
from web.board_drawing import draw_board
from web.context import here, json_answer
from web.desk import HAND_STAYS_S
from web.guard import role_here
from web.languages import language
from web.present import clauses_json

bp = Blueprint("pages", __name__)


@bp.get("/")
def match() -> ResponseReturnValue:
    """The referee's page: the board is drawn here, what lies on it comes with the events."""
    context = here()
    view = context.desk.view()
    return render_template(
        "match.html",
        view=view,
        drawing=draw_board(context.desk.board(), language()),
        role=role_here(),
        hand_stays_s=HAND_STAYS_S,
    )


@bp.get("/clauses")
def clauses() -> ResponseReturnValue:
    """The rulebook, clause by clause, for looking up the code of a ruling."""
    return json_answer({"clauses": clauses_json(here().desk.clauses())})


@bp.get("/evidence/<path:name>")
def evidence(name: str) -> ResponseReturnValue:
    """A picture that a ruling of the newest view rests on; no other name is even looked for."""
    desk = here().desk
    if not any(name in ruled.evidence for ruled in desk.view().rulings):
        abort(404, say("No ruling rests on a picture of that name."))
    picture = desk.evidence(name)
    if picture is None:
        abort(404, say("This picture is no longer kept."))
    response = _jpeg(picture)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@bp.get("/live.jpg")
def live() -> ResponseReturnValue:
    """The newest frame. The page asks again when it has shown one, so none can pile up."""
    picture = here().desk.live()
    if picture is None:
        abort(404, say("There is no picture now."))
    return _jpeg(picture)


def _jpeg(picture: bytes) -> Response:
    return Response(picture, mimetype="image/jpeg")
