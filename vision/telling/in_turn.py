"""Which touch of a struck piece was its first, by where its way leads, where times do not tell.

Before its first touch nothing runs but the struck piece itself, along a way that is well known,
and where the others lie is known as well. Two touches close in time, or one of which only the frame
is known, may still be plain in order: of two that lie on that way, it comes to one before the other
by so many millimetres. An error along the way shifts both touches alike.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import hypot, inf, sqrt

import numpy as np

from rules.facts import Contacted, Fact
from rules.verdicts import SIGMAS, Verdict, order
from vision.telling.first_touch import line_of, partner, struck_in
from vision.telling.ways import comes_to_mm
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_KNOWN_MS = 1.5  # one sd of a touch whose time was seen
_ASIDE_MM, _HOME_MM, _RADII_MM = 0.1, 0.1, 0.1  # one sd at the least; of the sum of two radii
_SURELY = 3.0  # sd
_CLEAR_MM = 2.0  # from all that it passed on other ways before
_STEPS = 24  # on each way before, at which it is looked how near that came
_AND_SOME = 1.05  # times what puts two touches in an order

Place = tuple[float, float]


def in_turn(spell: Spell, facts: Sequence[Fact]) -> list[Fact]:
    """`facts`, in which what was surely touched after the first touch is told to be so."""
    struck = struck_in(spell, facts)
    if struck is None or struck.dragged:
        return list(facts)
    cue = line_of(spell, struck.piece)
    touches = [f for f in facts if isinstance(f, Contacted) and struck.piece in (f.a, f.b)]
    known = [touch for touch in touches if touch.error_ms < _KNOWN_MS]
    first = min(known, key=lambda touch: touch.at_ms, default=None)
    if first is None or not _came_straight_to(first, cue, spell):
        return list(facts)
    later = {
        touch: told
        for touch in touches
        if touch is not first
        and order(first.at_ms, first.error_ms, touch.at_ms, touch.error_ms) is Verdict.CLOSE
        and (told := _told_later(first, touch, cue, spell)) is not None
    }
    told_so = [later.get(f, f) if isinstance(f, Contacted) else f for f in facts]
    return sorted(told_so, key=lambda fact: fact.at_ms)


def _came_straight_to(first: Contacted, cue: Timeline, spell: Spell) -> bool:
    """Whether the struck piece was seen on the way that led it there, and nothing else ran yet."""
    at_s = first.at_ms / 1000
    if not cue.moved or cue.phase_at(at_s) < 1:
        return False
    return not any(line is not cue and line.moved and line.left_by_s < at_s for line in spell.lines)


def _told_later(
    first: Contacted, touch: Contacted, cue: Timeline, spell: Spell
) -> Contacted | None:
    """The same touch, told so late that it is after the `first`; None: that is not certain."""
    one, other = (line_of(spell, partner(each, cue)) for each in (first, touch))
    at_s = first.at_ms / 1000
    if one is other or _passed_near(other, cue, at_s):
        return None
    ahead_mm = _ahead_mm(one, other, cue, at_s)
    if ahead_mm <= 0.0:
        return None
    speed = hypot(*cue.phases[cue.phase_at(at_s)].speed_at(at_s))
    after_ms = 1000 * ahead_mm / speed if ahead_mm < inf else 0.0
    apart = _AND_SOME * SIGMAS
    gap_ms = max(touch.at_ms - first.at_ms, after_ms, sqrt(2) * apart * first.error_ms)
    error_ms = sqrt(max((gap_ms / apart) ** 2 - first.error_ms**2, 0.0))
    return replace(touch, at_ms=first.at_ms + gap_ms, error_ms=min(touch.error_ms, error_ms))


def _passed_near(other: Timeline, cue: Timeline, until_s: float) -> bool:
    """Whether the struck piece may have touched one that lay there on the ways before its last."""
    last = cue.phase_at(until_s)
    room_mm = cue.track.radius_mm + other.track.radius_mm + _CLEAR_MM
    places = (
        path.at(t)
        for path, following in zip(cue.phases[1:last], cue.phases[2:], strict=False)
        for t in np.linspace(path.first_s, following.first_s, _STEPS)
    )
    return any(other.track.way_mm(place) < room_mm for place in places)


def _ahead_mm(one: Timeline, other: Timeline, cue: Timeline, at_s: float) -> float:
    """By how much the struck piece comes to `one` before it comes to `other`, at the least.

    Infinite where its way does not lead to the other at all.
    """
    path = cue.phases[cue.phase_at(at_s)]
    x, y = path.at(at_s)
    vx, vy = path.speed_at(at_s)
    speed = hypot(vx, vy)
    if not speed:
        return -inf
    ux, uy = vx / speed, vy / speed

    def off(line: Timeline) -> tuple[Place, float, float]:
        dx, dy = line.track.home[0] - x, line.track.home[1] - y
        room_mm = cue.track.radius_mm + line.track.radius_mm
        error_mm = hypot(max(line.track.home_error_mm, _HOME_MM), _RADII_MM)
        return (dx * ux + dy * uy, dx * uy - dy * ux), room_mm, error_mm

    aside_mm = max(path.error_at(at_s), _ASIDE_MM)
    (mine, my_room, my_error), (theirs, their_room, their_error) = off(one), off(other)
    least = inf
    shifts = (-_SURELY, 0.0, _SURELY)
    for both, a, b in product(shifts, shifts, shifts):
        if hypot(both, a, b) > sqrt(2) * _SURELY + 1e-9:
            continue
        near = comes_to_mm(mine[0], mine[1] + both * aside_mm + a * my_error, my_room)
        far = comes_to_mm(theirs[0], theirs[1] + both * aside_mm + b * their_error, their_room)
        if near == inf:
            return -inf
        least = min(least, far - near)
    return least - _SURELY * hypot(my_error, their_error)
