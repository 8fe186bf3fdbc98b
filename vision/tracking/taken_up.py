"""What a hand takes up that had come to rest: the shot ended where it lay."""

from collections.abc import Sequence
from math import hypot

from vision.tracking.body import Body, Sample
from vision.tracking.sent_off import has_run

_RESTED_MS, _SAME_MM = 100.0, 1.0
_LEFT_S = 0.45  # sooner no cue is there to lead or to strike one again
_FAR_MM = 30.0  # a finger that sets a piece moves it by less, now and then
_GONE_S = 2.0  # lost for so long, nothing runs any more


def all_rested(bodies: Sequence[Body], *, frame_s: float) -> bool:
    """Whether men ran, and all have come to rest, whatever a hand may do with them since.

    What may be struck moves alone when a hand brings it to where it is to be struck; it ran where
    it has sent a man off, though nobody saw him run, and where it was seen to run far by itself.
    """
    ran = any(
        body.moved and _went_far(body) and (not body.cued or has_run(body, bodies))
        for body in bodies
    )
    return ran and all(_rested(body, frame_s) for body in bodies)


def all_in_sight(bodies: Sequence[Body], *, frame_s: float) -> bool:
    """Whether pieces ran, and each of them has been seen to lie still for a while."""
    moved = [body for body in bodies if body.moved]
    still = (body.still * frame_s >= _LEFT_S and not body.lost for body in moved if not body.gone)
    return all(still) and any(_went_far(body) for body in moved)


def leave_to_hands(bodies: Sequence[Body]) -> None:
    """Take what a hand has taken up as lying where it had come to rest."""
    for body in bodies:
        if not body.moved or body.gone or not (free := _free(body)):
            continue
        del body.samples[len(free) :]
        body.x_mm, body.y_mm = body.last
        body.seal = None


def _rested(body: Body, frame_s: float) -> bool:
    if not body.moved or body.gone:
        return True
    if (free := _free(body)) and _stood(free):
        return True
    return body.lost * frame_s > _GONE_S and not body.samples[-1].in_hand


def _went_far(body: Body) -> bool:
    return any(body.away_mm(s) > _FAR_MM and not s.in_hand for s in body.samples)


def _free(body: Body) -> Sequence[Sample]:
    """Its places before a hand was about it, to the last."""
    count = len(body.samples)
    while count and body.samples[count - 1].in_hand:
        count -= 1
    return body.samples[:count]


def _stood(samples: Sequence[Sample]) -> bool:
    """Whether a piece lay still where it was seen last."""
    last = samples[-1]
    for sample in reversed(samples):
        if hypot(sample.x_mm - last.x_mm, sample.y_mm - last.y_mm) > _SAME_MM:
            return False
        if last.at_ms - sample.at_ms >= _RESTED_MS:
            return True
    return False
