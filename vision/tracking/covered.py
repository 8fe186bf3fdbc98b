"""Places of a piece that a cue half hides: believed once what is seen later bears them out.

What is half hidden seems to shift a little, so such a place alone is no motion. Where the piece is
found just there when the cue has gone, it had come there by then, and was not carried later. Where
several lead on from home to a place too far off for a shift, it was pushed along them: straight, or
round something, no faster than a cue leads what it does not strike.
"""

from collections.abc import Sequence
from math import hypot

from vision.tracking.body import Body, Sample
from vision.tracking.drags import STROKE_MM_S
from vision.tracking.fitting import Fix

_KEPT = 300
UNMOVED_MM = 0.5
_SAME, _PART = 3.0, 0.35  # so many sd, and at most so much of the way from home
_ASIDE_MM = 1.0  # so far amiss a place may lie of which half is hidden
_BY_HOME, _BY_HOME_MM = 0.1, 1.0  # of its way, and at most: so near home it sets off
_STEPS = 2  # a single place on the way may be a shift, unless it lies just on it
_IN_LINE_MM, _MIDWAY = 0.3, 0.15  # so near the straight line, and of the way from either end
_SHIFTED_MM, _SHIFTED, _ITSELF = 1.0, 8.0, 0.85  # so many sd; and of what explains it at home
_ODD = 1  # so many in a row may lie off among others that do not
_UNSEEN_S, _UNEVEN_MM = 0.15, 2.0  # so long it may show nowhere while it is led, and so evenly

Kept = Sequence[Sequence[Sample]]
"""For each frame, in order of time, the places at which half of a piece showed."""


def keep(body: Body, places: Sequence[Fix], at_ms: float, frame: int) -> None:
    """Remember where a piece at rest may lie, all `places` at which half of it shows.

    Of a cue that stays for long, the beginning tells.
    """
    near = [p for p in places if body.may_lie_at(p) or body.showed_near(p)]
    if near and not body.moved and len(body.covered) < _KEPT:
        body.covered.append(tuple(Sample.of(place, at_ms, frame) for place in near))


def unmoved_until(body: Body) -> float | None:
    """Until when a piece at rest had surely not been pushed, not even by a little.

    All that showed of it, since something came near, was where it lay.
    """
    until_ms = body.unmoved_ms
    for places in body.covered:
        if until_ms is not None and places[0].at_ms <= until_ms:
            continue
        if min(body.away_mm(place) for place in places) > UNMOVED_MM:
            break
        until_ms = places[0].at_ms
    return until_ms


def is_aside(body: Body, at_ms: float) -> bool:
    """Whether a piece that has not been seen to move looks like itself now, but a little aside.

    A hand may have shifted it by less than what counts as motion.
    """
    if body.moved or body.cued:
        return False
    now = [s for s in body.samples[-1:] if s.at_ms == at_ms]
    now = now or [s for s in (body.covered[-1] if body.covered else ()) if s.at_ms == at_ms]
    if not now:
        return False
    best = max(now, key=lambda sample: sample.share)
    x, y = body.seems or body.home
    off_mm = hypot(best.x_mm - x, best.y_mm - y)
    return off_mm > max(_SHIFTED_MM, _SHIFTED * best.error_mm) and best.share > _ITSELF * body.best


def borne_out(home: tuple[float, float], kept: Kept, found: Fix, at_ms: float) -> list[Sample]:
    """Those of the places `kept` that hold of a piece `found` away from home, in order of time."""
    return (
        _led_on(home, kept, found)
        or _led_round(home, kept, found, at_ms)
        or _arrived(home, kept, found)
    )


def _led_on(home: tuple[float, float], covered: Kept, found: Fix) -> list[Sample]:
    """The places on a straight way from home to where it is found, none farther back than before.

    None of them where they do not reach back to its home, or hardly any lies between, or several in
    a row lie beside it. One between is enough only where it lies midway, and just in line.
    """
    to_x, to_y = found.x_mm - home[0], found.y_mm - home[1]
    away = far = hypot(to_x, to_y)
    x, y = to_x / far, to_y / far
    kept: list[Sample] = []
    between = odd = 0
    in_line = False
    for places in reversed(covered):
        on_way = []
        for sample in places:
            dx, dy = sample.x_mm - home[0], sample.y_mm - home[1]
            along, aside, same = dx * x + dy * y, abs(dx * y - dy * x), _within(sample, found)
            if aside < max(_ASIDE_MM, same) and -same < along < far + same:
                on_way.append((sample.share, along, aside, sample))
        odd = 0 if on_way else odd + 1
        if odd > _ODD:
            return []
        if odd:
            continue
        _, far, aside, best = max(on_way, key=lambda one: one[0])
        kept.append(best)
        if far < max(_within(best, found), min(_BY_HOME * away, _BY_HOME_MM)):
            return kept[::-1] if between >= (1 if in_line else _STEPS) else []
        between += far < away - _within(best, found)
        in_line |= aside < _IN_LINE_MM and _MIDWAY * away < far < (1 - _MIDWAY) * away
    return []


def _led_round(home: tuple[float, float], covered: Kept, found: Fix, at_ms: float) -> list[Sample]:
    """The places on a way that bends, each no farther from the next than it may have been led.

    None of them where they do not reach back to its home, or hardly any lies between, or several in
    a row lie elsewhere.
    """
    kept: list[Sample] = []
    next_x, next_y, next_ms = found.x_mm, found.y_mm, at_ms
    pace: float | None = None
    between = odd = 0
    for places in reversed(covered):
        span_s = (next_ms - places[0].at_ms) / 1000
        led = []
        for sample in places:
            step = hypot(sample.x_mm - next_x, sample.y_mm - next_y)
            slow = step < STROKE_MM_S * span_s + _within(sample, found)
            if slow and (pace is None or abs(step - pace * span_s) < _UNEVEN_MM):
                led.append((sample.share, step, sample))
        odd = 0 if led else odd + 1
        if odd > _ODD or span_s > _UNSEEN_S:
            return []
        if odd:
            continue
        _, step, best = max(led, key=lambda one: one[0])
        pace = step / span_s
        next_x, next_y, next_ms = best.x_mm, best.y_mm, best.at_ms
        kept.append(best)
        if hypot(best.x_mm - home[0], best.y_mm - home[1]) < _within(best, found):
            return kept[::-1] if between >= _STEPS else []
        between += hypot(best.x_mm - found.x_mm, best.y_mm - found.y_mm) > _within(best, found)
    return []


def _arrived(home: tuple[float, float], covered: Kept, found: Fix) -> list[Sample]:
    """The last places, as far back as they are the one where it now is."""
    most = _PART * hypot(found.x_mm - home[0], found.y_mm - home[1])
    kept: list[Sample] = []
    odd = 0
    for places in reversed(covered):
        best = min(places, key=lambda s: hypot(s.x_mm - found.x_mm, s.y_mm - found.y_mm))
        off_mm = hypot(best.x_mm - found.x_mm, best.y_mm - found.y_mm)
        odd = odd + 1 if off_mm > most else 0
        if off_mm > _within(best, found) or odd > _ODD:
            break
        if not odd:
            kept.append(best)
    return kept[::-1]


def _within(sample: Sample, found: Fix) -> float:
    """How near two places are that may be one, mm."""
    return max(UNMOVED_MM, _SAME * hypot(sample.error_mm, found.error_mm))
