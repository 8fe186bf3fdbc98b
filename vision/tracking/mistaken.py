"""Ways that were no piece's: a hand that looks somewhat like it was followed, or another piece."""

from collections.abc import Sequence
from math import hypot

from rules.geometry import Point
from vision.frame import SeenPiece
from vision.tracking.body import Body, Known, Sample
from vision.tracking.hands import HandWatch
from vision.tracking.twins import alike

_SETTLES_MS, _LATER, _WANDERS_MM = 50.0, 4, 4.0
_LOST_S = 0.3
_SAME_MM, _AWAY_MM = 1.0, 2.0
_ITSELF = 0.95
_LONG = 4  # samples


def wanders(body: Body, still_since_ms: float) -> bool:
    """Whether a piece seems to run on while the picture stands still."""
    since = [s for s in body.samples if s.at_ms > still_since_ms + _SETTLES_MS]
    if len(since) < _LATER or not body.moved:
        return False
    x, y = [s.x_mm for s in since], [s.y_mm for s in since]
    return hypot(max(x) - min(x), max(y) - min(y)) > _WANDERS_MM


def follows_a_hand(body: Body, others: Sequence[Body], hands: HandWatch, *, frame_s: float) -> bool:
    """Whether a piece that is lost was never seen like itself, while a hand was over the surface.

    Places at which one of `others` lies all the while were that one's.
    """
    if not body.moved or body.gone or body.inside or body.lost * frame_s < _LOST_S:
        return False
    since_s = (hands.glimpses[-1].at_ms - body.samples[0].at_ms) / 1000 if body.samples else 0.0
    if not hands.was_over(since_s):
        return False
    lying = [o for o in others if o is not body and not (o.moved or o.gone or o.lost)]
    away = [s for s in body.samples if not body.may_lie_at(s)]
    own = [s for s in away if not any(_is_there(other, s) for other in lying)]
    return not any(body.like_itself(s.share) for s in own)


def as_seen(known: Known) -> SeenPiece:
    """A piece seen where it is known to lie."""
    at = Point(known.x_mm, known.y_mm)
    return SeenPiece(kind=known.kind, colour=known.colour, at=at, error_mm=known.error_mm)


def never_left(body: Body, seen: Sequence[SeenPiece], others: Sequence[Body]) -> bool:
    """Whether a piece that seems to have moved is `seen` lying just where it lay all the same.

    What was pushed by a little may have come back, if it was seen looking like itself off home. And
    one of the `others` that looks like it may have come to lie there since: of two alike that a
    hand hid, one half, nobody can say which of them ran.
    """
    if not (body.moved or body.gone):
        return False
    itself = _was_itself_off_home(body)
    if body.may_lie_at(body) and (body.cued or itself):
        return False
    if itself and any(_has_come_to(other, body) for other in others):
        return False
    known = body.known
    return any(
        (piece.kind, piece.colour) == (known.kind, known.colour)
        and hypot(piece.at.x_mm - known.x_mm, piece.at.y_mm - known.y_mm) < _SAME_MM
        for piece in seen
    )


def taken_for_each_other(bodies: Sequence[Body]) -> set[str]:
    """The names of those that have come to lie just where one of their likes lay, while another of
    them has come to where they lay: a hand hid them, and each was found where its like lies still.
    """
    return {
        body.known.name
        for body in bodies
        if any(_has_come_to(other, body) for other in bodies)
        and any(_has_come_to(body, other) for other in bodies)
    }


def _has_come_to(other: Body, body: Body) -> bool:
    """Whether another that looks like a piece has come to rest just where that lay."""
    if other is body or not other.moved or other.gone or other.lost or not other.still:
        return False
    x, y = other.last
    lay = body.home, (body.known.x_mm, body.known.y_mm)  # as followed, and as looked at closely
    return alike(other, body) and any(hypot(x - u, y - v) < _SAME_MM for u, v in lay)


def _was_itself_off_home(body: Body) -> bool:
    off = (s for s in body.samples if body.away_mm(s) > _AWAY_MM)
    return any(s.share > _ITSELF * body.best for s in off)


def disown(body: Body) -> None:
    """Take a piece as not seen since it lay where it lay."""
    body.samples.clear()
    body.moved, body.runs, body.still, body.lost = False, 0, 0, 1
    body.gone, body.flew = False, None
    body.x_mm, body.y_mm = body.home
    body.vx_mm_s = body.vy_mm_s = body.speed = body.pace = 0.0


def cut_off(body: Body, still_since_ms: float) -> None:
    """Take a piece as not seen since it last looked like itself off home, if it did for long.

    What it was followed to after that was something else, and so was what ran on while the picture
    stood still.
    """
    own = [
        k
        for k, s in enumerate(body.samples)
        if s.at_ms <= still_since_ms and body.away_mm(s) > _AWAY_MM and body.like_itself(s.share)
    ]
    if len(own) < _LONG:
        disown(body)
        return
    body.lost += len(body.samples) - own[-1] - 1
    del body.samples[own[-1] + 1 :]
    body.x_mm, body.y_mm = body.last
    body.runs, body.still, body.seal = 0, 0, None
    body.vx_mm_s = body.vy_mm_s = body.speed = body.pace = 0.0


def let_go_of_hands(bodies: Sequence[Body], still_since_ms: float) -> None:
    """Look no more for a piece that a finger may flick in the hand that was taken for it.

    So it is where it seems to wander while the picture stands still, unlike itself. Nobody knows
    where the hand has it, nor when that strikes it.
    """
    for body in bodies:
        if not (body.flicked and body.moved and body.samples) or body.gone or body.lost:
            continue
        if not body.like_itself(body.samples[-1].share) and wanders(body, still_since_ms):
            disown(body)
            body.held = True


def _is_there(other: Body, sample: Sample) -> bool:
    """Whether a place is one at which two pieces cannot lie: half over another."""
    return other.away_mm(sample) < other.known.radius_mm
