"""Whether a piece may have been pushed: by what runs, or just ran, close to where it was seen."""

from collections.abc import Sequence
from math import hypot

from vision.motion.body import Body
from vision.motion.fitting import Fix
from vision.motion.following import sets_off

_CLOSE_MM = 12.0
_SURELY = 1.5  # times what it is seen to run in a frame: nobody knows when it set off


def push_on(body: Body, found: Sequence[tuple[Body, Fix]], frame_s: float) -> float:
    """The speed of the fastest piece near enough to have pushed `body`, mm/s; 0: there is none.

    `found` are pieces with the places they were found at in this frame, of `frame_s` seconds.
    """
    fastest = 0.0
    for other, fix in found:
        if other is body or not (other.moved or sets_off(fix, other)):
            continue  # a piece at rest that flutters a little pushes nothing
        last = other.last
        run = hypot(fix.x_mm - last[0], fix.y_mm - last[1]) / frame_s
        # nobody knows when within the frame it was struck itself
        speed = max(run if other.runs > 1 else _SURELY * run, other.pace)
        away = hypot(fix.x_mm - body.last[0], fix.y_mm - body.last[1])
        if away < _touching_mm(body, other) + _SURELY * speed * frame_s:
            fastest = max(fastest, speed)
    return fastest


def near_mover(body: Body, others: Sequence[Body], frame_s: float) -> bool:
    """Whether a moving piece is, or just was, close enough to have pushed `body`."""
    for other in others:
        if other is body or not other.moved or other.gone:
            continue
        ran_mm = _SURELY * other.speed * frame_s * min(body.lost + 1, 4)
        if body.away_mm(other) < _touching_mm(body, other) + ran_mm:
            return True
    return False


def _touching_mm(body: Body, other: Body) -> float:
    """How far apart the middles of two pieces are that nearly touch."""
    return body.known.radius_mm + other.known.radius_mm + _CLOSE_MM
