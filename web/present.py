"""Views as JSON: pure functions, no Flask. docs/page.md describes the shapes.

A page holds the whole view and gets, after a first snapshot, only what changed: everything but the
rulings is small and sent whole; of the rulings (thousands in a long match) a message says how many
of the leading ones stand as they were (`keep`) and sends the rest (`tail`).
"""

import json
from collections.abc import Sequence
from hashlib import blake2s

from rules.facts import Piece
from rules.game import Clause
from rules.geometry import Point
from rules.rulings import Mark, Outcome, Question, Scoreboard, SideScore, Standing, Task, Timer
from rules.said import Said, word
from web.desk import Ruled, Sight, View

RECENT_RULINGS = 200
"""How many of the newest rulings a snapshot carries; older ones are asked for in pages."""

Json = dict[str, object]


def snapshot(view: View, boot: str) -> Json:
    """Return the message that brings a page from nothing to `view`."""
    keep = max(0, len(view.rulings) - RECENT_RULINGS)
    return _message(view, boot, since=None, keep=keep)


def change(before: View, after: View, boot: str) -> Json:
    """Return the message that brings a page from `before` to `after`."""
    keep = 0
    for old, new in zip(before.rulings, after.rulings, strict=False):
        if old is not new and old != new:
            break
        keep += 1
    return _message(after, boot, since=before.version, keep=keep)


def older_rulings(view: View, before: int, count: int = RECENT_RULINGS) -> Json:
    """Return up to `count` rulings that come right before position `before`, oldest first."""
    end = max(0, min(before, len(view.rulings)))
    start = max(0, end - count)
    return {
        "version": view.version,
        "start": start,
        "rulings": [ruled_json(ruled) for ruled in view.rulings[start:end]],
    }


def open_questions(view: View) -> tuple[Ruled, ...]:
    """Return the rulings that still ask the referee something, oldest first."""
    return tuple(ruled for ruled in view.rulings if is_open(ruled))


def is_open(ruled: Ruled) -> bool:
    return (
        ruled.ruling.question is not None
        and ruled.ruling.standing is Standing.OPEN
        and ruled.answered is None
        and ruled.overruled_by is None
    )


def mark_of(ruled: Ruled) -> str:
    """Return a short fingerprint of what a ruling says, to tell whether a tap was about this one.

    The id alone does not tell: after an amendment the same id may say something else.
    """
    ruling = ruled.ruling
    said = (ruling.code, ruling.words, ruling.kind.value, ruling.side, ruling.standing.value)
    return blake2s(
        repr((*said, ruled.overruled_by, ruled.confirmed_by)).encode(), digest_size=6
    ).hexdigest()


def clauses_json(clauses: Sequence[Clause]) -> list[Json]:
    return [
        {
            "code": clause.code,
            "section": word(clause.section),
            "words": word(clause.words),
            "exceptions": word(clause.exceptions),
        }
        for clause in clauses
    ]


def dumps(message: object) -> str:
    """Return JSON in one line; a number that JSON cannot say is a fault of ours, never sent."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def ruled_json(ruled: Ruled) -> Json:
    ruling = ruled.ruling
    return {
        "id": str(ruled.id),
        "seq": ruled.id.seq,
        "at_ms": _rounded(ruled.at_ms, 1),
        "mark": mark_of(ruled),
        "code": ruling.code,
        "words": ruling.words,
        "kind": ruling.kind.value,
        "side": ruling.side,
        "standing": ruling.standing.value,
        "pieces": list(ruling.pieces),
        "margin_mm": _rounded(ruling.margin_mm, 5),
        "error_mm": _rounded(ruling.error_mm, 5),
        "margin_ms": _rounded(ruling.margin_ms, 5),
        "error_ms": _rounded(ruling.error_ms, 5),
        "question": None if ruling.question is None else _question_json(ruling.question),
        "evidence": list(ruled.evidence),
        "overruled_by": ruled.overruled_by,
        "confirmed_by": ruled.confirmed_by,
        "answered": ruled.answered,
    }


def _message(view: View, boot: str, *, since: int | None, keep: int) -> Json:
    return {
        "boot": boot,
        "since": since,
        "version": view.version,
        "seq": view.seq,
        "match": view.match,
        "game": view.game,
        "title": view.title,
        "now_ms": _rounded(view.now_ms, 1),
        "sight": {
            "state": view.sight.value,
            "words": view.sight_words,
            "more": _more_of(view),
            "since_ms": _rounded(view.sight_since_ms, 1),
        },
        "scoreboard": _scoreboard_json(view.scoreboard),
        "players": [{"seat": player.seat.value, "name": player.name} for player in view.players],
        "pieces": [_piece_json(piece) for piece in view.pieces],
        "questions": [ruled_json(ruled) for ruled in open_questions(view)],
        "rulings": {
            "keep": keep,
            "of": len(view.rulings),
            "tail": [ruled_json(ruled) for ruled in view.rulings[keep:]],
        },
        "to_review": list(view.to_review),
        "undoable": [{"seq": undo.seq, "words": undo.words} for undo in view.undoable],
        "outcome": _outcome_json(view.outcome),
        "live_picture": view.live_picture,
        "warnings": list(view.warnings),
    }


def _more_of(view: View) -> str:
    """Return what is told of sight beside its state: why nothing is seen, what is awaited."""
    words = view.sight_words
    if view.sight in (Sight.STILL, Sight.HAND):
        return ""
    why = words.values.get("why") if isinstance(words, Said) else None
    return why if isinstance(why, str) else words


def _scoreboard_json(board: Scoreboard) -> Json:
    return {
        "phase": board.phase,
        "headline": board.headline,
        "turn": board.turn,
        "sides": [_side_json(side) for side in board.sides],
        "tasks": [_task_json(task) for task in board.tasks],
        "announcements": [
            {"what": said.what, "words": said.words, "side": said.side, "value": said.value}
            for said in board.announcements
        ],
        "seat": None if board.seat is None else board.seat.value,
        "marks": [_mark_json(mark) for mark in board.marks],
        "timer": None if board.timer is None else _timer_json(board.timer),
    }


def _timer_json(timer: Timer) -> Json:
    return {
        "left_ms": _rounded(timer.left_ms, 1),
        "at_ms": _rounded(timer.at_ms, 1),
        "running": timer.running,
    }


def _mark_json(mark: Mark) -> Json:
    return {
        "kind": mark.kind,
        "places": list(mark.places),
        "side": mark.side,
        "label": mark.label,
        "words": mark.words,
    }


def _side_json(side: SideScore) -> Json:
    return {
        "side": side.side,
        "name": side.name,
        "colour": str(side.colour),
        "colour_words": word(side.colour),
        "items": [{"label": label, "value": value} for label, value in side.items],
        "seats": [seat.value for seat in side.seats],
    }


def _task_json(task: Task) -> Json:
    return {
        "words": task.words,
        "kind": task.kind,
        "colour": str(task.colour),
        "at": _point_json(task.at),
        "tolerance_mm": _rounded(task.tolerance_mm, 1),
        "done": task.done,
        "place": task.place,
        "away": task.away,
        "lies": _point_json(task.lies),
    }


def _piece_json(piece: Piece) -> Json:
    return {
        "name": piece.name,
        "kind": piece.kind,
        "colour": piece.colour,
        "at": _point_json(piece.at),
        "error_mm": _rounded(piece.error_mm, 3),
        "visible": _rounded(piece.visible, 2),
        "turn_deg": _rounded(piece.turn_deg, 1),
    }


def _question_json(question: Question) -> Json:
    return {
        "key": question.key,
        "words": question.words,
        "answers": [
            {"key": answer.key, "words": answer.words, "consequence": answer.consequence}
            for answer in question.answers
        ],
        "piece": question.piece,
        "line": question.line,
        "at": _point_json(question.at),
    }


def _outcome_json(outcome: Outcome | None) -> Json | None:
    return None if outcome is None else {"winner": outcome.winner, "words": outcome.words}


def _point_json(point: Point | None) -> list[float | None] | None:
    return None if point is None else [_rounded(point.x_mm, 3), _rounded(point.y_mm, 3)]


def _rounded(number: float | None, digits: int) -> float | None:
    """Return a number that JSON can say: one that is not finite is left out."""
    if number is None or number != number or number in (float("inf"), float("-inf")):
        return None
    return round(float(number), digits)
