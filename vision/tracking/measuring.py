"""The places of all pieces that move, or may be about to, in one frame: who is found where."""

from collections.abc import Sequence
from functools import partial
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.tracking.covered import is_aside, keep
from vision.tracking.falling import Mouths, seen_in_mouth, stays_in_mouth
from vision.tracking.finding import find
from vision.tracking.flying import look_past_border
from vision.tracking.following import follow, intact, is_gone, lose, reseal, sets_off
from vision.tracking.instant import Instant
from vision.tracking.pushing import push_on
from vision.tracking.seeking import fit_on, reach_of
from vision.tracking.shutter import Shutter
from vision.tracking.smear import fitted_as_smeared, misfit
from vision.tracking.twins import alike

Gray = NDArray[np.uint8]
_ONE_MOUTH, _JUST_LOST_S = 3.0, 0.15  # radii: so near, what is left of one may seem another
_FAST_PX = 14  # in a frame: slower, and the lens blurs more than the shutter


def measure(now: Instant, shutter: Shutter, *, time_shutter: bool) -> None:
    """Give each awake piece one sample more; `time_shutter` where nobody tells the exposure."""
    awake = now.awake
    now.fixes = {
        k: seal.fix
        for k, body in enumerate(awake)
        if (seal := intact(body, now.picture, now.ground))
    }
    fresh = [k for k in range(len(awake)) if k not in now.fixes]
    if fresh:
        find(now, fresh)
        for k in now.fixes:
            awake[k].sinks = awake[k].sank = False
        _refine(now, fresh)
        _smear(now, fresh)
        _find_sinking(now, fresh)
        if time_shutter and not shutter.sure:
            _time_shutter(now, shutter, fresh)
        for k in fresh:  # what sets another off has lost speed by the frame after
            found, body = now.fixes.get(k), awake[k]
            if found is not None and not body.moved and sets_off(found, body):
                body.push = max(body.push, push_on(body, now.found(), now.frame_s))
    for k, body in enumerate(awake):
        found = now.fixes.get(k)
        if found is None:
            lose(body, now.runners[k], now.board, frame_s=now.frame_s)
        else:
            runner = now.runners[k]
            follow(body, found, now.at_ms, now.frame, frame_s=now.frame_s, foreseen=runner)
            reseal(body, found, now.picture, now.ground)
        if k not in now.fixes and k in now.half_seen:
            keep(body, now.half_seen[k], now.at_ms, now.frame)
        body.aside = body.aside + 1 if is_aside(body, now.at_ms) else 0
        if body.lost and not body.flew and (body.moved or body.push > 0):
            look_past_border(
                now.ground,
                now.picture,
                body,
                now.board,
                now.at_ms,
                now.frame,
                reach_mm=reach_of(body, now.frame_s),
                twin_lost=now.twin_is_lost(k),
                in_colour=now.in_colour,
            )
        body.gone = body.flew is not None or is_gone(body, now.board, now.frame_s)


def _find_sinking(now: Instant, fresh: Sequence[int]) -> None:
    """Look into the pockets for what was just lost; of two alike nobody knows which it is."""
    before, awake = now.ground.begun, now.awake
    if before is None or before.ndim != 3 or now.in_colour is None:
        return
    for k in (k for k in fresh if k not in now.fixes):
        body = awake[k]
        if not (body.moved or body.push > 0):
            continue
        mouths = Mouths(
            ground=now.ground,
            board=now.board,
            before=before,
            now=now.in_colour,
            others=now.discs(k),
        )
        if not body.lost and not _like_is_near(now, k, body.last):
            body.sank |= stays_in_mouth(mouths, body)
        if now.twin_is_lost(k):
            continue
        found = seen_in_mouth(mouths, body, reach_mm=reach_of(body, now.frame_s))
        if found is not None and not _like_is_near(now, k, (found.x_mm, found.y_mm)):
            now.fixes[k], body.sinks = found, True
            body.sank |= body.moved  # in the air it would still look like itself


def _like_is_near(now: Instant, k: int, place: tuple[float, float]) -> bool:
    """Whether what is seen in a mouth may be a part of another piece that looks like this one."""
    body = now.awake[k]
    return any(
        hypot(x - place[0], y - place[1]) < _ONE_MOUTH * body.known.radius_mm
        for i, other in enumerate(now.awake)
        if i != k and alike(other, body) and other.lost * now.frame_s < _JUST_LOST_S
        for x, y in [now.place(i)]
    )


def _refine(now: Instant, fresh: Sequence[int]) -> None:
    """Neighbours once more, each with the other where it was now found."""
    for k in fresh:
        old = now.fixes.get(k)
        if old is None:
            continue
        body = now.awake[k]
        near = [
            i
            for i, other in now.fixes.items()
            if i != k
            and hypot(other.x_mm - old.x_mm, other.y_mm - old.y_mm)
            < 1.4 * (body.known.radius_mm + now.awake[i].known.radius_mm) + 8
        ]
        if not near:
            continue
        place = (old.x_mm, old.y_mm)
        blur = now.blur(body, now.runners[k], old)
        others = tuple(now.cover(i) for i in near)
        new = fit_on(now, body, place, blur_mm=blur, others=others)
        close = hypot(new.x_mm - place[0], new.y_mm - place[1]) < 0.5 * body.known.radius_mm
        if close and new.share > old.share - 0.05:
            now.fixes[k] = new


def _smear(now: Instant, fresh: Sequence[int]) -> None:
    """Fit what was at rest in the frame before as smeared as it looks."""
    for k in fresh:
        found, body = now.fixes.get(k), now.awake[k]
        if found is not None and not body.moved and sets_off(found, body):
            now.fixes[k] = fitted_as_smeared(
                body,
                now.picture,
                now.ground.backdrop,
                found,
                now.blur(body, body, found),
                others=tuple(now.cover(i) for i in now.fixes if i != k),
                exposure_s=now.exposure_s,
            )


def _time_shutter(now: Instant, shutter: Shutter, fresh: Sequence[int]) -> None:
    """Let fast pieces that run free tell by their blur how long the shutter was open."""
    for k in fresh:
        found, body = now.fixes.get(k), now.awake[k]
        run = body.speed * now.frame_s / now.ground.pitch
        if found is None or body.runs < 2 or run < _FAST_PX or found.share < 0.8 or body.lost:
            continue
        before = body.samples[-1]
        way = (found.x_mm - before.x_mm, found.y_mm - before.y_mm)
        speed = (way[0] / now.frame_s, way[1] / now.frame_s)
        if hypot(speed[0] - body.vx_mm_s, speed[1] - body.vy_mm_s) > 0.12 * body.speed:
            continue
        others = tuple(now.cover(i) for i in now.fixes if i != k)
        of_one = now.period_s / now.frame_s  # frames may have been left out
        way = (of_one * way[0], of_one * way[1])
        shutter.learn(partial(misfit, body, now.picture, now.ground.backdrop, found, way, others))
