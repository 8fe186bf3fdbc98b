"""The review room: what was ruled and why, frame by frame, then and now."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flask import Blueprint, Response, abort, render_template, request, send_file
from flask.typing import ResponseReturnValue

from rules.said import say, told_by
from web.board_drawing import draw_board
from web.context import here, json_answer
from web.guard import role_here
from web.languages import language
from web.library import Library, NotThere, Shelf
from web.looking import overlay_json
from web.present import Json, ruled_json

bp = Blueprint("review", __name__, url_prefix="/review")

T = TypeVar("T")
_MAX_Z_MM = 500.0


@bp.get("/")
def matches() -> str:
    """All matches of the log, the newest first."""
    library = here().library
    return render_template("matches.html", matches=() if library is None else library.matches())


@bp.get("/match")
def match() -> str:
    """One match: its timeline beside what the camera saw."""
    shelf = found_in_library(lambda library: library.shelf(match_asked_for()))
    return render_template(
        "review.html", shelf=shelf, drawing=draw_board(shelf.board, language()), role=role_here()
    )


@bp.get("/match.json")
def shelf() -> Response:
    """The timeline: rulings, decisions, what is ruled otherwise now, the times of all frames."""
    return json_answer(
        _shelf_json(found_in_library(lambda library: library.shelf(match_asked_for())))
    )


@bp.get("/still.jpg")
def still() -> ResponseReturnValue:
    """Exactly the frame of number `n`."""
    number = number_asked_for("n")
    picture = found_in_library(lambda library: library.still(match_asked_for(), number))
    if picture is None:
        abort(404, say("This frame is not kept."))
    response = Response(picture, mimetype="image/jpeg")
    response.headers["X-Frame-Number"] = str(number)
    return response


@bp.get("/picture.jpg")
def picture() -> ResponseReturnValue:
    """A picture that a ruling rests on, by the name in the log."""
    name = request.args.get("name", "")
    jpeg = found_in_library(lambda library: library.picture(match_asked_for(), name))
    if jpeg is None:
        abort(404, say("The log of this match names no such picture, or it is no longer kept."))
    response = Response(jpeg, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@bp.get("/overlay.json")
def overlay() -> Response:
    """What the settled board of entry `seq` looked like, to be drawn over a frame."""
    seq = number_asked_for("seq")
    found = found_in_library(lambda library: library.overlay(match_asked_for(), seq))
    return json_answer({"overlay": None if found is None else overlay_json(found)})


@bp.get("/measure.json")
def measure() -> Response:
    """The millimetres between two places of the picture, on the plane `z` above the surface."""
    x1, y1, x2, y2 = (_fraction(name) for name in ("x1", "y1", "x2", "y2"))
    z_mm = _real("z", -_MAX_Z_MM, _MAX_Z_MM)
    found = found_in_library(
        lambda library: library.measure(match_asked_for(), (x1, y1), (x2, y2), z_mm)
    )
    return json_answer({"mm": None if found is None else round(found, 3)})


@bp.get("/protest.zip")
def protest() -> ResponseReturnValue:
    """The match with its evidence as one file that proves itself."""
    folder = Path(tempfile.mkdtemp(prefix="sightline-protest-"))
    try:
        path = found_in_library(
            lambda library: library.protest(match_asked_for(), folder, language())
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    response = send_file(
        path, mimetype="application/zip", as_attachment=True, download_name="protest.zip"
    )
    response.call_on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    return response


def match_asked_for() -> str:
    """Return the name of the match that the request is about."""
    return request.args.get("match", "")


def found_in_library(look: Callable[[Library], T]) -> T:
    """Return what `look` finds; where it is not there the answer is 404, with words."""
    library = here().library
    if library is None:
        abort(404, say("This Sightline keeps no matches."))
    try:
        return look(library)
    except (NotThere, ValueError) as err:
        abort(404, told_by(err))


def number_asked_for(name: str) -> int:
    """Return a whole number of the request's query; else the answer is 400."""
    text = request.args.get(name, "")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        abort(400, say("{name}: expected a whole number of at least 0.", name=name))
    return int(text)


def _fraction(name: str) -> float:
    return _real(name, 0.0, 1.0)


def _real(name: str, least: float, most: float) -> float:
    try:
        number = float(request.args.get(name, "0"))
    except ValueError:
        abort(400, say("{name}: expected a number.", name=name))
    if not least <= number <= most:
        abort(
            400,
            say(
                "{name}: expected a number from {least:g} to {most:g}.",
                name=name,
                least=least,
                most=most,
            ),
        )
    return number


def _shelf_json(shelf: Shelf) -> Json:
    return {
        "match": shelf.name,
        "title": shelf.title,
        "started": shelf.started,
        "outcome": shelf.outcome,
        "running": shelf.running,
        "seq": shelf.seq,
        "undoable": [{"seq": undo.seq, "words": undo.words} for undo in shelf.undoable],
        "to_review": list(shelf.to_review),
        "rulings": [ruled_json(ruled) for ruled in shelf.rulings],
        "decisions": [
            {"seq": d.seq, "at_ms": round(d.at_ms, 1), "words": d.words} for d in shelf.decisions
        ],
        "changed": [
            {"seq": c.seq, "at_ms": round(c.at_ms, 1), "then": list(c.then), "now": list(c.now)}
            for c in shelf.changed
        ],
        "boards": [[seq, round(at_ms, 1)] for seq, at_ms in shelf.boards],
        "stills_ms": [round(at_ms, 1) for at_ms in shelf.stills_ms],
        "thicknesses": sorted({piece.thickness_mm for piece in shelf.board.pieces}),
    }
