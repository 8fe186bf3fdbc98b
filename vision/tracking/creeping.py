"""How what a hand half hides came to where it lies now, some millimetres from home: pushed there by
the hand as it takes aim, which is no stroke, or sent by a finger.

What is sent is slowed by friction at once, and is there within the time in which that stops it; an
aiming hand takes longer.
"""

from math import sqrt

from vision.tracking.body import Body
from vision.tracking.covered import UNMOVED_MM

STILL_MM = 0.35  # so far apart it may be seen in two frames while it lies still
_SLOWS_MM_S2 = 600.0  # smooth boards slow it by more than that


def took_long(body: Body, away_mm: float) -> bool | None:
    """Whether it was on its way to where it lies now, so far from home, for longer than what is
    sent there; None where it was not seen on its way."""
    on_way = [
        sample for sample in body.nudged if UNMOVED_MM < body.away_mm(sample) < away_mm - STILL_MM
    ]
    if not on_way:
        return None
    lasted_ms = on_way[-1].at_ms - on_way[0].at_ms
    return lasted_ms > 1000 * sqrt(2 * max(map(body.away_mm, on_way)) / _SLOWS_MM_S2)
