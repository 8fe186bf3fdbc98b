"""Looking at a recording again with other settings, from the review room."""

from dataclasses import asdict
from pathlib import PurePath

from flask import Blueprint, Response, abort, request

from rules.said import say, told_by
from web.context import here, json_answer
from web.forms import Form, Refused, read_object
from web.library import LookAgain, NotThere
from web.present import Json
from web.review import found_in_library, match_asked_for
from web.taps import refusal

bp = Blueprint("again", __name__, url_prefix="/review")


@bp.get("/again.json")
def again() -> Response:
    """The tables to look with, the match's own first, and the look that runs or was the last."""
    tables = found_in_library(lambda library: library.tables(match_asked_for()))
    look = found_in_library(lambda library: library.second_look())
    mine = look is not None and look.match == match_asked_for()
    return json_answer(
        {
            "tables": [PurePath(table).name for table in tables],
            "busy": look is not None and look.state == "running",
            "look": _look_json(look) if look is not None and mine else None,
        }
    )


@bp.post("/again")
def look_again() -> Response:
    """Begin to look again at what led to entry `seq`, with the table of that number."""
    library = here().library
    if library is None:
        abort(404, say("This Sightline keeps no matches."))
    try:
        form = Form(read_object(request.get_data()))
        seq, number = form.number("seq"), form.number("table")
        form.finish()
        tables = library.tables(match_asked_for())
        if number >= len(tables):
            raise Refused(say("table: expected a number below {count}", count=len(tables)))
        library.look_again(match_asked_for(), seq, tables[number])
    except NotThere as err:
        abort(404, told_by(err))
    except Refused as err:
        return refusal(err.reasons)
    except ValueError as err:
        return json_answer({"error": "busy", "words": told_by(err)}, 409)
    return json_answer({"ok": True}, 202)


def _look_json(look: LookAgain) -> Json:
    return dict(asdict(look))
