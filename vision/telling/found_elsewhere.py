"""What a hand hid from a flick on until it lay still again: the next still picture shows where."""

from collections.abc import Sequence
from math import hypot

from vision.frame import Observation, SeenPiece
from vision.tracking.body import Body

_SAME_MM, _AWAY_MM = 1.0, 2.0
_LONG = 4  # samples of a run in plain sight


def found_elsewhere(
    bodies: Sequence[Body], still: Observation | None
) -> dict[str, tuple[float, float]]:
    """Where `still` shows each flicked piece of which nothing was seen since a hand lay by it.

    A hand may have laid it there as well. Only where a man was sent off meanwhile is it worth to
    ask whether that one was sent as a strike would have sent him: one that ran in plain sight, and
    has come to where the still picture shows his like.
    """
    if still is None or still.blind is not None or still.hand:
        return {}
    unseen = [
        body
        for body in bodies
        if body.flicked and body.held and body.lost and not (body.moved or body.gone)
    ]
    if not (unseen and any(_was_sent_off(body, still) for body in bodies)):
        return {}
    return {
        body.known.name: (seen[0].at.x_mm, seen[0].at.y_mm)
        for body in unseen
        if len(seen := _like(body, still)) == 1
    }


def _was_sent_off(body: Body, still: Observation) -> bool:
    """Whether a man was seen like himself on his way, and he or his like lies at its end.

    One that has left the surface lies nowhere; neither lies where he set off.
    """
    if body.cued or not body.moved:
        return False
    run = [s for s in body.samples if body.away_mm(s) > _AWAY_MM]
    if sum(body.like_itself(s.share) for s in run) < _LONG:
        return False
    like = _like(body, still)
    if any(_off_mm(piece, body.home) < body.known.radius_mm for piece in like):
        return False
    return body.gone or any(_off_mm(piece, body.last) < _SAME_MM for piece in like)


def _like(body: Body, still: Observation) -> list[SeenPiece]:
    look = body.known.kind, body.known.colour
    return [piece for piece in still.pieces if (piece.kind, piece.colour) == look]


def _off_mm(piece: SeenPiece, place: tuple[float, float]) -> float:
    return hypot(piece.at.x_mm - place[0], piece.at.y_mm - place[1])
