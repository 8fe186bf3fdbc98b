"""Men that were hit and gone before they were seen anywhere: the bare place they left tells."""

from collections.abc import Sequence

from vision.motion.body import Body
from vision.motion.instant import Instant

_UNSEEN_S = 0.09
_EARLY_S = 0.1  # what sends another off may be seen to set off so much later


def notice_sent_off(now: Instant) -> None:
    """Note which men are not seen any more where they lay, though no hand is there to hide them."""
    for man in now.awake:
        if man.cued or man.moved or man.lost * now.frame_s < _UNSEEN_S:
            man.sent_ms = None
        elif man.sent_ms is None and not _hidden(now, man):
            man.sent_ms = now.at_ms - 1000 * man.lost * now.frame_s


def has_sent_one_off(piece: Body, bodies: Sequence[Body]) -> bool:
    """Whether a man has gone so since a `piece`, which may have hit him, left its own place."""
    if not piece.samples:
        return False
    left_ms = piece.samples[0].at_ms if piece.bare_ms is None else piece.bare_ms
    return any(
        man.sent_ms is not None and man.sent_ms >= left_ms - 1000 * _EARLY_S and not man.gone
        for man in bodies
    )


def _hidden(now: Instant, man: Body) -> bool:
    return now.hands.share_over(now.ground.box_of(*man.home, man.known, 1.0)) > 0.0
