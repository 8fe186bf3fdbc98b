"""Men who all set off at once as a struck piece comes to them: they were hit, nobody saw how.

In a rack that a fast striker scatters, more happens between two pictures than their paths can tell.
"""

from collections.abc import Sequence, Set
from math import hypot

import numpy as np

from rules.board import Board
from rules.geometry import Point
from vision.strikers import BY_CUE, CUED
from vision.tracking.drags import PUSHED_OFF_MM_S, outruns_drags
from vision.trajectories.spread import spread
from vision.trajectories.timeline import Timeline

MANY = 4  # men: a hand does not push so many, that lie together, in one instant
TOGETHER_S = 0.1  # after it was last seen at home
_NEAR_MM, _AHEAD = 12.0, 2.0  # of a touch; frames beyond where the path of what hit them was seen


def scattered_unseen(
    lines: Sequence[Timeline], pushed: Set[int], cued: Set[int], board: Board, frame_s: float
) -> frozenset[int]:
    """The numbers of those men of a burst of whom no cause was seen.

    `pushed` are the numbers of those whose cause is known, `cued` of what was struck.
    """
    men = [k for k, line in enumerate(lines) if line.track.kind not in CUED]
    moved = [k for k in men if lines[k].moved]
    hit = {
        k
        for k in moved
        if k in pushed or any(_comes_to(lines[cue], lines[k], frame_s) for cue in cued)
    }
    # a blow passes through what does not move
    heap = spread(hit, men, lambda i, k: _touch(lines[i], lines[k]))
    found = spread(hit, heap.intersection(moved), lambda i, k: _left_together(lines[i], lines[k]))
    sent = len(found) >= MANY or any(_outruns_a_hand(lines, k, cued, board) for k in found - pushed)
    return frozenset(found - pushed if sent else ())


def _outruns_a_hand(lines: Sequence[Timeline], man: int, cued: Set[int], board: Board) -> bool:
    """Whether a man went faster than anything brought with a cue, or by it, sends one."""
    line = lines[man]
    since_s = [lines[k].phases[0].last_s for k in cued if lines[k].track.kind in BY_CUE]
    return any(outruns_drags(line.track, t) or _fell_too_soon(line, t, board) for t in since_s)


def _fell_too_soon(line: Timeline, since_s: float, board: Board) -> bool:
    """Whether it was in a pocket before anything brought with a cue could have sent it there."""
    if line.ending.kind != "pocketed":
        return False
    pocket = next(p for p in board.pockets if p.id == line.ending.pocket)
    far_mm = pocket.centre.distance_mm(Point(*line.track.home)) - pocket.radius_mm
    return far_mm > PUSHED_OFF_MM_S * (line.ending.t_s + line.ending.error_s - since_s)


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


def _touch(man: Timeline, other: Timeline) -> bool:
    x, y = (a - b for a, b in zip(man.track.home, other.track.home, strict=True))
    return hypot(x, y) < man.track.radius_mm + other.track.radius_mm + _NEAR_MM


def _left_together(man: Timeline, other: Timeline) -> bool:
    between_s = max(man.phases[0].last_s - other.left_by_s, other.phases[0].last_s - man.left_by_s)
    return between_s < TOGETHER_S
