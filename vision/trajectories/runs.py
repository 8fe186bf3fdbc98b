"""Which stretches of a track are true motion, and where the first of them begins."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np
from numpy.typing import NDArray

from vision.strikers import FLICKED
from vision.tracking.track import Track
from vision.trajectories.paths import Stretch, fit

AT_ONCE = 0.5  # of its radius from home where it is first seen off it: no hand hauls it so fast
AWAY_MM, LEFT_MM = 2.0, 1.0
_SOON = 2.5  # frames: so soon what throws a shadow on a piece hits it
_BRIEF_S, _FINGER_S = 0.25, 0.4  # a finger hides what it has flicked until it has gone
_BEYOND = 4.0  # so many times as far as it is seen to have come


def moving_stretches(
    track: Track, stretches: Sequence[Stretch], frame_s: float, *, shifted: bool
) -> list[Stretch]:
    """The stretches of true motion, without what shadows feign before the first of them."""
    moving = [s for s in stretches if _runs(s)]
    while moving and track.way_mm(moving[0].at(moving[0].last_s)) < 1.5:
        if shifted and len(moving) == 1:
            break
        moving.pop(0)  # a shadow passing over it
    while len(moving) > 1 and moving[0].count <= 3 and _crept(moving[0], moving[1], frame_s):
        moving.pop(0)  # the shadow of what is about to hit it
    return moving


def brief_run(track: Track) -> list[Stretch]:
    """A run too short to be told from rest by its form: the way, and the rest after it.

    Its places show it nonetheless where they lead without a gap from home to where it now lies.
    Empty where they do not.
    """
    track = _with_home(track)
    end = track.rests_at()
    home = track.at_home()
    there = np.hypot(track.x - end[0], track.y - end[1]) < 3.0 * track.sigma
    if not home.any() or there.all():
        return []
    left, arrived = int(np.flatnonzero(home)[-1]) + 1, int(np.flatnonzero(~there)[-1]) + 1
    if arrived < left:
        return []  # a place after its arrival passes for home as well: when it left is not known
    brief_s = _FINGER_S if track.kind in FLICKED else _BRIEF_S
    if len(track.t) - arrived < 4 or track.t[arrived] - track.t[left - 1] > brief_s:
        return []
    if arrived == left:  # seen nowhere on its way, it ran straight from the one to the other
        run = fitted(track, slice(left - 1, arrived + 1), 0.0, 1.0)
    else:
        run = fitted(track, slice(left, max(arrived, left + 2)))
    run = replace(run, first_s=float(track.t[left]))
    return [run, fitted(track, slice(arrived, len(track.t)))]


def shifted_before(track: Track, run: Stretch) -> list[Stretch]:
    """The brief run to where it lay for a while before its first long one, and that rest.

    Empty where it set off from home.
    """
    before = track.part(slice(int(np.searchsorted(track.t, run.first_s - 1e-9))))
    return brief_run(before) if lies_elsewhere(before) else []


def _with_home(track: Track) -> Track:
    """A track with its home as a place, when it surely lay there for the last time."""
    if track.lay_s is None or not len(track.t) or track.lay_s in track.t:
        return track
    k = int(np.searchsorted(track.t, track.lay_s))
    return replace(
        track,
        t=np.insert(track.t, k, track.lay_s),
        x=np.insert(track.x, k, track.home[0]),
        y=np.insert(track.y, k, track.home[1]),
        sigma=np.insert(track.sigma, k, track.home_error_mm),
    )


def fitted(
    track: Track, which: slice | NDArray[np.intp], slowing: float = 1500.0, hold: float = 1500.0
) -> Stretch:
    part = track.part(which)
    return fit(part.t, part.x, part.y, part.sigma, slowing=slowing, slowing_error=hold)


def _runs(stretch: Stretch) -> bool:
    """Whether a stretch is real motion, not the flutter of a piece at rest.

    Of a piece that a hand hid between two places, a run that friction would have ended far beyond
    the second is none.
    """
    x0, y0 = stretch.at(stretch.first_s)
    x1, y1 = stretch.at(stretch.last_s)
    x2, y2 = stretch.back_to(stretch.last_s)
    far = hypot(x1 - x0, y1 - y0)
    vx, vy = stretch.speed_at(stretch.first_s)
    wx, wy = stretch.speed_at(stretch.last_s)
    runs = far > 0.5 and max(hypot(vx, vy), hypot(wx, wy)) > 15.0
    return runs and far < _BEYOND * max(hypot(x2 - x0, y2 - y0), AWAY_MM)


def _crept(first: Stretch, second: Stretch, frame_s: float) -> bool:
    slow = hypot(*first.speed_at(first.first_s))
    if second.first_s - first.last_s > _SOON * frame_s:
        return False
    return slow < 150 and slow < 0.3 * hypot(*second.speed_at(second.first_s))


def hardly_left(track: Track, path: Stretch) -> bool:
    """Whether all places of a path but one are home: it says nothing of how the piece ran."""
    of_it = (track.t >= path.first_s - 1e-9) & (track.t <= path.last_s + 1e-9)
    return int(np.count_nonzero(of_it & ~track.at_home())) <= 1


def since_it_left(track: Track, path: Stretch) -> Stretch:
    """A first path without the places at which a piece pushed slowly still lay at home."""
    mine = np.nonzero((track.t >= path.first_s - 1e-9) & (track.t <= path.last_s + 1e-9))[0]
    home = np.nonzero(track.at_home()[mine])[0]
    far = track.away_mm()[mine] > AT_ONCE * track.radius_mm
    if len(home) and far[: int(home[-1])].any():
        return path  # a cushion led it back over its home
    left = mine[int(home[-1]) + 1 :] if len(home) else mine
    if len(left) == len(mine):
        return path
    if not len(left):
        after = int(mine[-1]) + 1
        if after >= len(track.t):
            return path
        found = fitted(track, slice(after - 1, after + 1))
        return replace(found, first_s=float(track.t[after]))
    if len(left) == 1:
        return replace(path, first_s=float(track.t[left[0]]))
    return fitted(track, left)


def lies_elsewhere(track: Track) -> bool:
    """Whether its last places are not those where it lay: what only seems to move comes back."""
    if len(track.t) < 5:
        return False
    off = track.way_mm(track.rests_at())
    return off > LEFT_MM + 2 * float(np.median(track.sigma))
