"""Men who all set off at once as a struck piece comes to them: they were hit, nobody saw how.

In a rack that a fast striker scatters, more happens between two pictures than their paths can tell.
"""

from collections.abc import Sequence, Set
from math import hypot

import numpy as np

from vision.motion.body import CUED
from vision.motion.breaks import Knock
from vision.motion.timeline import Timeline

MANY = 4  # men: a hand does not push so many, that lie together, in one instant
_TOGETHER_S = 0.1
_NEAR_MM, _AHEAD = 12.0, 2.0  # of a touch; frames beyond where the path of what hit them was seen


def burst(
    lines: Sequence[Timeline], pushed: Set[int], cued: Set[int], frame_s: float
) -> list[Knock]:
    """A guessed strike for each man of a burst of whom no cause was seen.

    `pushed` are the numbers of those whose cause is known, `cued` of what was struck.
    """
    men = [k for k, line in enumerate(lines) if line.track.kind not in CUED]
    moved = [k for k in men if lines[k].moved]
    found = {
        k
        for k in moved
        if k in pushed or any(_comes_to(lines[cue], lines[k], frame_s) for cue in cued)
    }
    heap = _lying_together(lines, men, found)
    while joined := {
        k
        for k in heap.intersection(moved) - found
        if any(_left_together(lines[k], lines[i]) for i in found)
    }:
        found |= joined
    if len(found) < MANY:
        return []
    return [_strike(who, lines[who], frame_s) for who in sorted(found - pushed)]


def _strike(who: int, line: Timeline, frame_s: float) -> Knock:
    lay_s, left_s = line.phases[0].last_s, line.left_by_s
    return Knock("strike", (lay_s + left_s) / 2, max(frame_s, left_s - lay_s), who)


def _comes_to(cue: Timeline, man: Timeline, frame_s: float) -> bool:
    """Whether what was struck came to a man as he left, on a path seen or a little beyond."""
    x, y = man.track.home
    reach_mm = cue.track.radius_mm + man.track.radius_mm + _NEAR_MM
    from_s, until_s = man.phases[0].last_s - frame_s, man.left_by_s + frame_s
    for run in cue.phases[1:]:
        first_s = max(run.first_s - frame_s, from_s)
        last_s = min(run.last_s + _AHEAD * frame_s, until_s)
        places = [run.at(float(t)) for t in np.linspace(first_s, max(first_s, last_s), 20)]
        if last_s >= first_s and min(hypot(u - x, v - y) for u, v in places) < reach_mm:
            return True
    return False


def _lying_together(lines: Sequence[Timeline], men: Sequence[int], those: Set[int]) -> set[int]:
    """`those`, and the men beside them, and so on: a blow passes through what does not move."""
    found = {*those}
    while joined := {
        k for k in men if k not in found and any(_touch(lines[k], lines[i]) for i in found)
    }:
        found |= joined
    return found


def _touch(man: Timeline, other: Timeline) -> bool:
    x, y = (a - b for a, b in zip(man.track.home, other.track.home, strict=True))
    return hypot(x, y) < man.track.radius_mm + other.track.radius_mm + _NEAR_MM


def _left_together(man: Timeline, other: Timeline) -> bool:
    between_s = max(man.phases[0].last_s - other.left_by_s, other.phases[0].last_s - man.left_by_s)
    return between_s < _TOGETHER_S
