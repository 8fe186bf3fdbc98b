"""Two pieces of one look: which of them was found, where one may have pushed the other on."""

from collections.abc import Sequence
from itertools import combinations
from math import hypot

from rules.geometry import off_segment_mm
from vision.tracking.body import Body, Placed
from vision.tracking.fitting import Fix
from vision.tracking.foresight import Runner

Offer = tuple[float, int, Fix]
_REACH = 1.4  # radii: two lie two apart where they touch
_SAME = 0.3  # of a radius: places so near are one
_AS_WELL = 0.05  # of a share: by so much less a piece looks as much like itself


def alike(a: Body, b: Body) -> bool:
    """Whether nothing but their places tells two pieces apart."""
    return (a.known.kind, a.known.colour) == (b.known.kind, b.known.colour)


def seems_pushed(found: Fix, runner: Body, other: Body) -> bool:
    """Whether `other`, not `runner`, is to be expected at a place found for the runner.

    So it is where the way there leads through the place where its like lay: the runner cannot have
    come through, and sent that one on instead. It may have touched it a moment ago, beside a
    cushion, and then runs to the other side.
    """
    lies = not other.moved or (other.has_just_set_off and other.may_lie_at(other))
    if other is runner or not (lies and runner.moved) or not alike(runner, other):
        return False
    off_mm = off_segment_mm(other.home, runner.last, (found.x_mm, found.y_mm))
    return off_mm < _REACH * other.known.radius_mm


def untwined(
    fixes: dict[int, Fix],
    offers: Sequence[Offer],
    bodies: Sequence[Body],
    runners: Sequence[Runner],
) -> dict[int, Fix]:
    """`fixes` with each of two runners of one look at the place that its way leads to.

    Both look there like themselves; which of the two looks a trace better says nothing. `offers`
    are (how good, number, where) of the places where pieces were found, `runners` where each was
    foreseen.
    """
    told = _lost_last(_runners_first(fixes, offers, bodies), offers, bodies, runners)
    found = sorted({k for _, k, _ in offers if k in told and bodies[k].runs and not bodies[k].lost})
    for i, j in combinations(found, 2):
        if not alike(bodies[i], bodies[j]):
            continue
        here, there = (
            _offered(offers, k, told[other], told[k], bodies[k]) for k, other in ((i, j), (j, i))
        )
        if here is None or there is None:
            continue
        as_found = _off_mm2(told[i], runners[i]) + _off_mm2(told[j], runners[j])
        if _off_mm2(here, runners[i]) + _off_mm2(there, runners[j]) < as_found:
            told[i], told[j] = here, there
    return told


def _runners_first(
    fixes: dict[int, Fix], offers: Sequence[Offer], bodies: Sequence[Body]
) -> dict[int, Fix]:
    """`fixes`, where what lies at home still does, and not where its like on its way was lost.

    The one at rest looks as much like itself at the place that the other has come to.
    """
    told = dict(fixes)
    lost = {k for _, k, _ in offers if bodies[k].moved and k not in told}
    for i in sorted(told):
        body = bodies[i]
        if body.moved or body.away_mm(told[i]) < body.known.radius_mm:
            continue
        home = _offered(offers, i, body, told[i], body)
        if home is None:
            continue
        for j in sorted(j for j in lost - told.keys() if alike(body, bodies[j])):
            there = _offered(offers, j, told[i], told[i], bodies[j])
            if there is not None:
                told[i], told[j] = home, there
                break
    return told


def _lost_last(
    fixes: dict[int, Fix],
    offers: Sequence[Offer],
    bodies: Sequence[Body],
    runners: Sequence[Runner],
) -> dict[int, Fix]:
    """`fixes`, where what has been lost does not take the place that its like has run on to.

    So a man in a pocket's mouth seems to come out where the next one runs in, and one that was
    knocked in as that set off to have gone there.
    """
    told = dict(fixes)
    running = sorted(
        {k for _, k, _ in offers if bodies[k].runs and not bodies[k].lost} - told.keys()
    )
    for i in sorted(i for i in fixes if bodies[i].lost):
        for j in running:
            if not alike(bodies[i], bodies[j]):
                continue
            there = _offered(offers, j, told[i], told[i], bodies[j])
            if there is not None and _off_mm2(there, runners[j]) < _off_mm2(told[i], runners[i]):
                del told[i]
                told[j] = there
                running.remove(j)
                break
    return told


def _offered(offers: Sequence[Offer], k: int, place: Placed, chosen: Fix, body: Body) -> Fix | None:
    """The best fit of piece `k` at a place found for another, if it is as good as the chosen."""
    near_mm = _SAME * body.known.radius_mm
    fits = [
        fix
        for _, number, fix in offers
        if number == k and hypot(fix.x_mm - place.x_mm, fix.y_mm - place.y_mm) < near_mm
    ]
    best = max(fits, key=lambda fix: fix.share, default=None)
    return best if best is not None and best.share > chosen.share - _AS_WELL * body.best else None


def _off_mm2(fix: Fix, runner: Runner) -> float:
    return (fix.x_mm - runner.x_mm) ** 2 + (fix.y_mm - runner.y_mm) ** 2
