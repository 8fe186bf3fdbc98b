"""The score for everyone: a board to be read from across the hall, and an overlay for a stream."""

from flask import Blueprint, render_template

from web.board_drawing import draw_board
from web.context import here
from web.languages import language

bp = Blueprint("scoreboard", __name__)


@bp.get("/scoreboard")
def board() -> str:
    """The score, whose turn it is and what was ruled last, large."""
    return _page("board")


@bp.get("/overlay")
def overlay() -> str:
    """The same as a strip on a transparent ground, for streaming software; `?key=00ff00` fills the
    ground with a colour to be keyed out."""
    return _page("overlay")


def _page(kind: str) -> str:
    desk = here().desk
    return render_template(
        "scoreboard.html", view=desk.view(), drawing=draw_board(desk.board(), language()), kind=kind
    )
