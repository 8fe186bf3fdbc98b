"""What may be struck, pushed by some millimetres by the hand that half hides it as it takes aim.

That is no stroke, if it took longer than one that goes no farther (`creeping.py`).
"""

from math import hypot

from vision.tracking.body import Body, Sample
from vision.tracking.covered import UNMOVED_MM
from vision.tracking.creeping import STILL_MM, took_long
from vision.tracking.fitting import Fix
from vision.tracking.instant import Instant
from vision.tracking.set_down import BY_COLOUR_ERROR_PX, lay, men_run

_NUDGED_PX = 0.8  # by less, a hand that hides half of it may make it seem so
_CREEPS_MM, _SAME_MM, _MOST_SHOWS = 0.4, 0.8, 0.7  # the like of what was nudged just before
_KEPT = 120  # frames: how it set off tells


def about_where_it_lay(body: Body) -> bool:
    """Whether no hand has brought it farther than by its radius."""
    if body.brought is None:
        return True
    was = body.brought.home
    return hypot(body.home[0] - was[0], body.home[1] - was[1]) < body.known.radius_mm


def nudged(now: Instant, body: Body, fix: Fix) -> bool:
    """Take it as lying where its colours show it beside a hand, which has pushed it there by a
    little; True if that was just done, as it lies still there. Where they show it where it lay, it
    has not been moved until now, whatever it looked like in gray as the hand came."""
    away_mm = body.away_mm(fix)
    if away_mm < UNMOVED_MM:
        body.unmoved_ms = now.at_ms
        body.nudged.clear()
    before = body.nudged[-1] if body.nudged else None
    if len(body.nudged) == _KEPT:
        body.nudged.pop()
    body.nudged.append(Sample.of(fix, now.at_ms, now.frame))
    if before is None or before.frame < now.frame - 1 or men_run(now):
        return False
    if hypot(before.x_mm - fix.x_mm, before.y_mm - fix.y_mm) > STILL_MM:
        return False
    error_mm, least = (n * now.ground.pitch for n in (BY_COLOUR_ERROR_PX, _NUDGED_PX))
    creeps = body.brought is not None and body.known.error_mm >= error_mm and away_mm < least
    if creeps:  # it is not known better there, and was perhaps on its way still
        least = _CREEPS_MM if fix.share > _MOST_SHOWS * body.best else _SAME_MM
    if away_mm < least or not (creeps or took_long(body, away_mm)):
        return False
    lay(now, body, (fix.x_mm, fix.y_mm), error_mm, in_part=True)
    return True
