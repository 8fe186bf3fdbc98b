"""What a finger has surely flicked: it was seen to run far, or has sent off a man whom nobody saw.

A man who was hit and gone before he was seen anywhere is known by the bare place that he left.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from vision.tracking.body import Body
from vision.tracking.drags import STROKE_MM_S
from vision.tracking.instant import Instant

_UNSEEN_S = 0.09
_FAR_MM, _NEXT_S = 250.0, 0.07
_EARLY_S = 0.1  # what sends another off may be seen to set off so much later


def notice_sent_off(now: Instant) -> None:
    """Note which men are not seen any more where they lay, though no hand is there to hide them."""
    for man in now.awake:
        if man.cued or man.moved or man.lost * now.frame_s < _UNSEEN_S:
            man.sent_ms = None
        elif man.sent_ms is None and not _hidden(now, man):
            man.sent_ms = now.at_ms - 1000 * man.lost * now.frame_s


def has_run(piece: Body, bodies: Sequence[Body]) -> bool:
    """Whether what may be struck has run by itself, as no hand leads it along."""
    return _has_sent_one_off(piece, bodies) or (piece.flicked and _ran_far(piece))


def _has_sent_one_off(piece: Body, bodies: Sequence[Body]) -> bool:
    """Whether a man has gone so since a `piece`, which may have hit him, left its own place."""
    if not piece.samples:
        return False
    left_ms = piece.samples[0].at_ms if piece.bare_ms is None else piece.bare_ms
    return any(
        man.sent_ms is not None and man.sent_ms >= left_ms - 1000 * _EARLY_S and not man.gone
        for man in bodies
    )


def _ran_far(piece: Body) -> bool:
    """Whether it was seen to run, farther than a hand leads it along, in sight all the way and as
    fast as a stroke."""
    far_mm = 0.0
    for one, other in pairwise(piece.samples):
        way_mm = hypot(other.x_mm - one.x_mm, other.y_mm - one.y_mm)
        took_s = (other.at_ms - one.at_ms) / 1000
        in_sight = took_s < _NEXT_S and not (one.in_hand or other.in_hand)
        far_mm = far_mm + way_mm if in_sight and way_mm > STROKE_MM_S * took_s else 0.0
        if far_mm > _FAR_MM:
            return True
    return False


def _hidden(now: Instant, man: Body) -> bool:
    return now.hands.share_over(now.ground.box_of(*man.home, man.known, 1.0)) > 0.0
