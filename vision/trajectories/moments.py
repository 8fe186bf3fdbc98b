"""A moment in which more happened than one knock: how pieces come into it and leave it.

Only what was seen before anything happened tells how a piece came, and only what was seen after
all was over how it left: places in between may lie on either side of a knock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.trajectories.paths import Stretch, fit
from vision.trajectories.timeline import Timeline

Cast = Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Moment:
    """`changed`: for each piece the phases before and after; `near`: others it may involve."""

    changed: Cast
    near: tuple[int, ...]


def way_in(moment: Moment, who: int, line: Timeline, start_s: float) -> Stretch:
    """The path on which a piece comes to a moment that begins at `start_s`."""
    if who not in moment.changed:
        return line.phases[line.phase_at(start_s)]
    path = line.phases[moment.changed[who][0]]
    times = line.track.t
    pick = (times >= path.first_s - 1e-6) & (times <= start_s + 1e-6)
    if path.last_s <= start_s + 1e-6 or path.count <= 1 or pick.sum() < 2:
        return path
    return _fitted(line, pick)


def way_out(line: Timeline, phase: int, end_s: float) -> tuple[Stretch, float]:
    """The path on which a piece leaves, and from when on: after `end_s`, if it can be told."""
    path, times = line.phases[phase], line.track.t
    pick = (times >= end_s - 1e-6) & (times <= path.last_s + 1e-9)
    if path.first_s >= end_s - 1e-6 or pick.sum() < 2 or path.count <= 1:
        # between two places alone a knock may hide
        return path, path.last_s if path.count == 2 else path.first_s
    left = _fitted(line, pick)
    return left, left.first_s


def blows(
    moment: Moment,
    who: int,
    lines: Sequence[Timeline],
    exits: Mapping[int, tuple[Stretch, float]],
) -> list[tuple[float, float]]:
    """What the cue may have given its piece, mm/s: by all that ran afterwards, and by its own way.

    The one is wrong where a cushion took its share, the other where that way came later.
    """
    mass = lines[who].track.mass
    total = np.zeros(2)
    for other, (first, _) in moment.changed.items():
        before, (after, at) = lines[other].phases[first], exits[other]
        gained = np.array(after.speed_at(at))
        if first:
            gained = gained - np.array(before.speed_at(before.last_s))
        total += lines[other].track.mass * gained
    first, last = moment.changed[who]
    line = lines[who]
    run = line.phases[first + 1]
    found = [(float(total[0] / mass), float(total[1] / mass))]
    if line.left_by_s < run.first_s:
        found.append(_flung(line))
    elif last > first + 1 and run.count >= 2:
        found.append(run.speed_at(run.first_s))
    return found


def _flung(line: Timeline) -> tuple[float, float]:
    """How fast a piece may have set off that was seen once before it ran on a path, mm/s."""
    track, seen_s = line.track, line.left_by_s
    k = int(np.searchsorted(track.t, seen_s - 1e-6))
    took_s = 0.5 * max(seen_s - line.phases[0].last_s, 1e-3)
    away = float(track.x[k]) - track.home[0], float(track.y[k]) - track.home[1]
    return away[0] / took_s, away[1] / took_s


def _fitted(line: Timeline, pick: NDArray[np.bool_]) -> Stretch:
    """The free path through some places of a piece."""
    part = line.track.part(np.flatnonzero(pick))
    slowing, error = line.slowing, line.slowing_error
    return fit(part.t, part.x, part.y, part.sigma, slowing=slowing, slowing_error=error)
