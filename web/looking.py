"""Looking into a match: what was seen around an entry, and what to draw over a picture."""

from collections.abc import Callable
from dataclasses import asdict

from flask import Blueprint, Response, abort, request

from rules.codec import fact_to_json
from rules.facts import Piece
from rules.said import say, told_by
from web.context import here, json_answer
from web.present import Json
from web.study import Doubt, LatticeBoard, Moment, Outline, Overlay, Preview, Spot, Study

bp = Blueprint("looking", __name__)


@bp.get("/moments/<int:seq>")
def moment(seq: int) -> Response:
    """What was seen from one settled board to the next, around entry `seq`."""
    try:
        return json_answer(moment_json(_study().moment(seq)))
    except ValueError as err:
        abort(404, told_by(err))


@bp.get("/overlays/<name>")
def overlay(name: str) -> Response:
    """What to draw over a picture that the ruling `ruling` rests on."""
    wanted = request.args.get("ruling", "")
    for ruled in here().desk.view().rulings:
        if str(ruled.id) == wanted and name in ruled.evidence:
            found = _study().overlay(ruled, name)
            return json_answer({"overlay": None if found is None else overlay_json(found)})
    return abort(404, say("No ruling of that id rests on a picture of that name."))


def preview_json(preview: Preview) -> Json:
    return dict(asdict(preview))


def overlay_json(overlay: Overlay) -> Json:
    return {
        "outlines": [_outline_json(outline) for outline in overlay.outlines],
        "focus": None if overlay.focus is None else _spot_json(overlay.focus),
        "reach": round(overlay.reach, 5),
        "words": overlay.words,
    }


def _study() -> Study:
    study = here().study
    if study is None:
        abort(404, say("This Sightline cannot look into its matches."))
    return study


def _outline_json(outline: Outline) -> Json:
    return {
        "kind": outline.kind,
        "name": outline.name,
        "named": outline.named,
        "points": [_spot_json(spot) for spot in outline.points],
    }


def _spot_json(spot: Spot) -> list[float]:
    return [round(spot.x, 5), round(spot.y, 5)]


def moment_json(moment: Moment) -> Json:
    return {
        "facts": [
            {"seq": f.seq, "at_ms": round(f.at_ms, 1), "words": f.words, "body": f.body}
            for f in moment.facts
        ],
        "settled_seq": moment.settled_seq,
        "settled": None if moment.settled is None else fact_to_json(moment.settled),
        "doubts": [_doubt_json(doubt) for doubt in moment.doubts],
        "names": list(moment.names),
        "known": {piece.name: _piece_json(piece) for piece in moment.known},
        "pockets": list(moment.pockets),
        "seats": list(moment.seats),
        "lattice": None if moment.lattice is None else _lattice_json(moment.lattice),
    }


def _lattice_json(board: LatticeBoard) -> Json:
    return {
        "seq": board.seq,
        "fact": board.fact,
        "pieces": [_standing_json(piece) for piece in board.pieces],
        "doubts": [_doubt_json(doubt, _standing_json) for doubt in board.doubts],
        "names": dict(board.names),
        "looks": [asdict(look) for look in board.looks],
    }


def _standing_json(piece: Piece) -> Json:
    """Return a piece with the place that it stands on, by which it is called."""
    return {**_piece_json(piece), "place": piece.name.partition("/")[0]}


def _doubt_json(doubt: Doubt, piece_json: Callable[[Piece], Json] | None = None) -> Json:
    return {
        "name": doubt.name,
        "words": doubt.words,
        "likely": doubt.likely,
        "runners": [
            {
                "words": runner.words,
                "piece": None
                if runner.piece is None
                else (piece_json or _piece_json)(runner.piece),
            }
            for runner in doubt.runners
        ],
    }


def _piece_json(piece: Piece) -> Json:
    """Return a piece as facts write it."""
    written: Json = {
        "name": piece.name,
        "kind": piece.kind,
        "colour": piece.colour,
        "at": [piece.at.x_mm, piece.at.y_mm],
    }
    if piece.error_mm:
        written["error_mm"] = piece.error_mm
    if piece.visible != 1.0:
        written["visible"] = piece.visible
    return written
