"""Places of a piece that a cue half hides: believed once it is seen clear, and lies there.

What is half hidden seems to shift a little, so such a place alone is no motion. Where the piece is
found just there when the cue has gone, it had come there by then, and was not carried later.
"""

from collections.abc import Sequence
from math import hypot

from vision.motion.body import Body, Sample
from vision.motion.fitting import Fix

_KEPT = 300
_SAME_MM, _SAME, _PART = 0.5, 3.0, 0.25  # so many sd, and at most so much of the way from home


def keep(body: Body, places: Sequence[Fix], at_ms: float, frame: int) -> None:
    """Remember where a piece at rest may lie, all `places` at which half of it shows.

    Of a cue that stays for long, the beginning tells.
    """
    near = [p for p in places if body.may_lie_at(p)]
    if near and not body.moved and len(body.covered) < _KEPT:
        body.covered.append(
            tuple(Sample(at_ms, frame, p.x_mm, p.y_mm, p.error_mm, p.share) for p in near)
        )


def borne_out(body: Body, clear: Fix) -> list[Sample]:
    """The last of the places kept, as far back as they are the one where it now shows `clear`.

    What was kept is forgotten.
    """
    most = _PART * body.away_mm(clear)
    kept: list[Sample] = []
    for places in reversed(body.covered):
        best = min(places, key=lambda s: hypot(s.x_mm - clear.x_mm, s.y_mm - clear.y_mm))
        same = min(max(_SAME_MM, _SAME * hypot(best.error_mm, clear.error_mm)), most)
        if hypot(best.x_mm - clear.x_mm, best.y_mm - clear.y_mm) > same:
            break
        kept.append(best)
    body.covered.clear()
    return kept[::-1]
