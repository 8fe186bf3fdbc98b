"""Whether a piece may have been pushed: by what runs, or just ran, close to where it was seen."""

from collections.abc import Iterator, Sequence
from math import hypot

from vision.tracking.body import Body
from vision.tracking.fitting import Fix
from vision.tracking.following import sets_off

_CLOSE_MM = 12.0
_FOLLOWED_MM = 6.0  # so near to the way of what is followed it may touch
_STRUCK_MM_S = 4000.0  # so fast a piece may be struck at one that it nearly touches
_SURELY = 1.5  # times what it is seen to run in a frame: nobody knows when it set off


def push_on(body: Body, found: Sequence[tuple[Body, Fix]], frame_s: float) -> float:
    """The speed of the fastest piece near enough to have pushed `body`, mm/s; 0: there is none.

    `found` are pieces with the places they were found at in this frame, of `frame_s` seconds.
    """
    return max((speed for _, speed in _pushers(body, found, frame_s)), default=0.0)


def pusher_of(
    body: Body, found: Sequence[tuple[Body, Fix]], frame_s: float
) -> tuple[float, float] | None:
    """Where the fastest piece that may have pushed `body` was in the frame before, mm."""
    pushers = [(speed, *other.last) for other, speed in _pushers(body, found, frame_s)]
    return max(pushers)[1:] if pushers else None


def _pushers(
    body: Body, found: Sequence[tuple[Body, Fix]], frame_s: float
) -> Iterator[tuple[Body, float]]:
    """The pieces near enough to have pushed `body`, and their speeds, mm/s."""
    for other, fix in found:
        if other is body or not (other.moved or sets_off(fix, other)):
            continue  # a piece at rest that flutters a little pushes nothing
        last = other.last
        run = hypot(fix.x_mm - last[0], fix.y_mm - last[1]) / frame_s
        # nobody knows when within the frame it was struck itself
        speed = max(run if other.runs > 1 else _SURELY * run, other.pace)
        away = hypot(fix.x_mm - body.last[0], fix.y_mm - body.last[1])
        if other.cued and other.runs <= 1 and away < _touching_mm(body, other):
            speed = max(speed, _STRUCK_MM_S)  # it may have come and been turned back meanwhile
        reach_mm = _SURELY * speed * frame_s
        if _is_followed(other):  # to it and back, or on: no farther than it runs in a frame
            there = hypot(last[0] - body.last[0], last[1] - body.last[1])
            touching = away + there < 2 * _radii_mm(body, other) + _CLOSE_MM + reach_mm
        else:
            touching = away < _touching_mm(body, other) + reach_mm
        if touching:
            yield other, speed


def near_mover(body: Body, others: Sequence[Body], frame_s: float) -> bool:
    """Whether a moving piece is, or just was, close enough to have pushed `body`."""
    for other in others:
        if other is body or not other.moved or other.gone:
            continue
        ran_mm = _SURELY * other.speed * frame_s
        if _is_followed(other):
            lately = other.samples[-1 - body.lost :]
            away_mm = min([body.away_mm(other), *(body.away_mm(place) for place in lately)])
            near = away_mm < _radii_mm(body, other) + _FOLLOWED_MM + ran_mm
        else:
            ran_mm *= min(body.lost + 1, 4)
            near = body.away_mm(other) < _touching_mm(body, other) + ran_mm
        if near:
            return True
    return False


def _is_followed(other: Body) -> bool:
    """Whether it has been seen on its way for long enough to know where it ran, and how fast."""
    return other.runs_by_itself and not other.lost


def _radii_mm(body: Body, other: Body) -> float:
    """How far apart the middles of two pieces are that touch."""
    return body.known.radius_mm + other.known.radius_mm


def _touching_mm(body: Body, other: Body) -> float:
    """How far apart the middles of two pieces are that nearly touch."""
    return _radii_mm(body, other) + _CLOSE_MM
