"""One piece's shot as a row of phases: at rest, free stretches, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot, inf

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.motion.body import FLICKED
from vision.motion.gone import Ending, until_gone
from vision.motion.paths import Stretch, cut, fit, resting
from vision.motion.track import Track

UNKNOWN_MM_S2 = 1000.0  # one sd of friction where no long path shows it
_LONG = 8
_AT_HOME_MM = 0.4
_AT_REST = 3  # places that surely make a stretch of rest
_AT_ONCE = 0.5  # of its radius from home where it is first seen off it: no hand hauls it so fast
_BRIEF = 3.0  # so much worse are two places than three that lie on a path
_AWAY_MM, _LEFT_MM = 2.0, 1.0
_SOON = 2.5  # frames: so soon what throws a shadow on a piece hits it
_BRIEF_S, _FINGER_S = 0.25, 0.4  # a finger hides what it has flicked until it has gone
_BEYOND = 4.0  # so many times as far as it is seen to have come
_MOUTH_MM = 4.0  # so far inside a mouth a path must lead to have been in it


@dataclass(frozen=True, slots=True)
class Timeline:
    """`came_unseen`: it came to lie elsewhere, and no run of it was seen."""

    track: Track
    phases: tuple[Stretch, ...]
    ending: Ending
    rebounds: tuple[tuple[float, str], ...] = ()
    slowing: float = 1500.0  # what is known of friction, mm/s², and one sd of it
    slowing_error: float = 1500.0
    came_unseen: bool = False

    @property
    def moved(self) -> bool:
        return len(self.phases) > 1

    @property
    def lay_until_s(self) -> float:
        """When a piece, whether it moved or not, was last seen to lie at home."""
        if self.moved:
            return self.phases[0].last_s
        lain = [*self.track.t[~self.track.is_off()]]
        return max(lain if self.track.lay_s is None else [*lain, self.track.lay_s], default=-inf)

    @property
    def left_by_s(self) -> float:
        """When a piece that moved was first seen off its rest, on a path or not."""
        track, run = self.track, self.phases[1]
        off = (track.t > self.phases[0].last_s + 1e-9) & track.is_off()
        return min([run.first_s, *(float(t) for t in track.t[off][:1])])

    def phase_at(self, t_s: float) -> int:
        """Which phase holds at `t_s`: the last that had begun."""
        found = 0
        for k, phase in enumerate(self.phases):
            if phase.first_s <= t_s:
                found = k
        return found

    def final_place(self) -> tuple[float, float]:
        last = self.phases[-1]
        return last.at(max(last.last_s, last.first_s))


def timelines(
    tracks: Sequence[Track], board: Board, frame_s: float, end_s: float
) -> list[Timeline]:
    """Cut every track; what the long stretches say of friction holds the short ones."""
    tracks = [_since_it_lay(track) for track in tracks]
    parts = [_parts(track, board, frame_s) for track in tracks]
    found = []
    for part in parts:
        for stretch in part.stretches(1500.0, 1200.0):
            size = hypot(stretch.x[1], stretch.y[1])
            if stretch.count >= _LONG and size > 150:
                way = -(stretch.x[1] * stretch.x[2] + stretch.y[1] * stretch.y[2]) * 2 / size
                error = 2 * float(np.sqrt(stretch.covariance[2, 2]))
                if error < 400:
                    found.append(way)
    slowing = float(np.clip(np.median(found), 200, 5000)) if found else 1500.0
    hold = max(0.08 * slowing, 60.0) if found else UNKNOWN_MM_S2
    done = []
    for track, part in zip(tracks, parts, strict=True):
        stretches = part.stretches(slowing, hold)
        line = _timeline(part.used, track, stretches, part.ending, part.rebounds, frame_s, end_s)
        line = replace(line, slowing=slowing, slowing_error=hold)
        line = replace(line, ending=_fall(line, board, frame_s))
        done.append(replace(line, rebounds=_with_unseen(line, board)))
    return done


def _since_it_lay(track: Track) -> Track:
    """A track without what came before the piece was last seen lying at home.

    What only seemed to move, half hidden by a cue, is back at its place; what ran never is.
    """
    home = track.away_mm() < _AT_HOME_MM + 2 * track.sigma
    lay = home[2:] & home[1:-1] & home[:-2]
    if not lay.any():
        return track
    first = int(np.flatnonzero(lay)[-1])
    if home[:first].all():
        return track
    return track.part(slice(first, None))


@dataclass(frozen=True, slots=True)
class _Parts:
    """The part of a track on the surface, cut into `pieces`, and how it left, if it did."""

    used: Track
    pieces: tuple[slice, ...]
    ending: Ending | None
    rebounds: tuple[tuple[float, str], ...]

    def stretches(self, slowing: float, hold: float) -> list[Stretch]:
        """The free paths of a piece that friction slows by about so much, mm/s²."""
        return [_fitted(self.used, piece, slowing, hold) for piece in self.pieces]


def _parts(track: Track, board: Board, frame_s: float) -> _Parts:
    if not len(track.t):
        return _Parts(track, (), None, ())
    used, ending, rebounds = until_gone(track, board, frame_s)
    return _Parts(used, _pieces(used), ending, rebounds)


def _pieces(track: Track) -> tuple[slice, ...]:
    """Slices of a track's places, one for each free stretch.

    A piece that is seen at home but once or twice before it is off at once had lain there: of so
    few places none would be told from its run.
    """
    home = track.at_home()
    seen = len(home) if home.all() else int(np.argmin(home))
    brief = len(home) >= 3 and 0 < seen < _AT_REST and seen < len(home)
    if not brief or track.away_mm()[seen] <= _AT_ONCE * track.radius_mm:
        return tuple(cut(track.t, track.x, track.y, track.sigma))
    earlier = (track.t[1] - track.t[0]) * np.arange(-_AT_REST, 0)
    lay = replace(
        track,
        t=np.concatenate([track.t[0] + earlier, track.t]),
        x=np.concatenate([np.full(_AT_REST, track.x[0]), track.x]),
        y=np.concatenate([np.full(_AT_REST, track.y[0]), track.y]),
        sigma=np.concatenate([np.full(_AT_REST, track.sigma[0]), track.sigma]),
    )
    return tuple(
        slice(max(found.start - _AT_REST, 0), found.stop - _AT_REST)
        for found in cut(lay.t, lay.x, lay.y, lay.sigma, brief=_BRIEF)
        if found.stop > _AT_REST
    )


def _fall(line: Timeline, board: Board, frame_s: float) -> Ending:
    """A fall timed by the path that led over the rim, where one did.

    The place seen after it may lie on a way turned by the pocket's walls.
    """
    ending, last = line.ending, line.phases[-1]
    if ending.kind != "pocketed" or not line.moved:
        return ending
    broad = replace(ending, error_s=max(ending.error_s, 0.25 * frame_s))
    pocket = next(p for p in board.pockets if p.id == ending.pocket)
    times = np.linspace(last.last_s - 0.2 * frame_s, last.last_s + 1.6 * frame_s, 55)
    ways = [last.at(float(t)) for t in times] if last.count >= 2 else []
    away = np.array([hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm) for x, y in ways])
    over = np.flatnonzero(away < pocket.radius_mm)
    if not len(over) or over[0] == 0:
        return broad
    k = int(over[0])
    part = (away[k - 1] - pocket.radius_mm) / (away[k - 1] - away[k])
    when = float(times[k - 1] + part * (times[k] - times[k - 1]))
    apart = abs(when - ending.t_s)
    if apart > 1.2 * frame_s:
        return broad
    inwards = float(away[k - 1] - away[k]) / float(times[k] - times[k - 1])
    return replace(
        ending, t_s=when, error_s=hypot(hypot(last.error_at(when), 0.2) / inwards, 0.25 * apart)
    )


def _timeline(
    track: Track,
    whole: Track,
    stretches: list[Stretch],
    ending: Ending | None,
    rebounds: tuple[tuple[float, str], ...],
    frame_s: float,
    end_s: float,
) -> Timeline:
    shifted = _lies_elsewhere(track)
    moving = _moving(track, stretches, frame_s, shifted=shifted)
    if moving and (sooner := _shifted_before(track, moving[0])):
        stretches = [*sooner, *stretches[stretches.index(moving[0]) :]]
        moving = [sooner[0], *moving]
    if not moving and ending is None and _flung(track):
        ending = Ending("lost", float(track.t[-1]), frame_s)
    if not moving and ending is not None and ending.kind != "rest":
        return _swept_away(track, whole, ending, rebounds, frame_s)
    short = not moving or (len(moving) == 1 and _hardly_left(track, moving[0]))
    if short and shifted and ending is None and (brief := _brief_run(track)):
        moving, stretches = brief[:1], brief
    if not moving or float(track.away_mm().max()) <= _LEFT_MM:
        rest = resting(*track.home, track.home_error_mm, -1e9, end_s)
        unseen = shifted and ending is None
        ended = ending or Ending("rest", 0.0, 0.0)
        return Timeline(track, (rest,), ended, rebounds, came_unseen=unseen)
    first = stretches.index(moving[0])
    after = len(stretches) - stretches[::-1].index(moving[-1])
    runs, tail = stretches[first:after], stretches[after:]
    runs[0] = _since_it_left(track, runs[0])
    lay_until_s = _lain_until_s(track, runs[0].first_s, frame_s)
    phases = [resting(*track.home, track.home_error_mm, -1e9, lay_until_s), *runs]
    if ending is None:
        ending = _ending(track, runs[-1], tail, frame_s, end_s)
        if ending.kind == "rest":
            phases.append(_rest_after(runs[-1], tail, ending, end_s))
    return Timeline(track, tuple(phases), ending, rebounds)


def _moving(
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


def _lain_until_s(track: Track, run_s: float, frame_s: float) -> float:
    """Until when a piece is known to have lain at home that was first seen to run at `run_s`."""
    off = track.is_off()
    before = track.t[(track.t < run_s - 1e-9) & ~off]
    left_s = min([run_s, *(float(t) for t in track.t[off][:1])])  # by then, on a path or not
    lain = [float(before[-1])] if len(before) else []
    if track.lay_s is not None and track.lay_s < left_s - 1e-9:
        lain.append(track.lay_s)
    return max(lain, default=left_s - frame_s)


def _rest_after(run: Stretch, tail: Sequence[Stretch], ending: Ending, end_s: float) -> Stretch:
    """The rest after the last run: where it is seen to lie, or else where that led."""
    x, y = tail[-1].at(tail[-1].last_s) if tail else run.at(ending.t_s)
    error = float(np.sqrt(tail[-1].covariance[0, 0])) if tail else 0.2
    begin = tail[0].first_s if tail else ending.t_s
    return resting(x, y, error, max(begin, run.last_s), end_s)


def _brief_run(track: Track) -> list[Stretch]:
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
        run = _fitted(track, slice(left - 1, arrived + 1), 0.0, 1.0)
    else:
        run = _fitted(track, slice(left, max(arrived, left + 2)))
    run = replace(run, first_s=float(track.t[left]))
    return [run, _fitted(track, slice(arrived, len(track.t)))]


def _shifted_before(track: Track, run: Stretch) -> list[Stretch]:
    """The brief run to where it lay for a while before its first long one, and that rest.

    Empty where it set off from home.
    """
    before = track.part(slice(int(np.searchsorted(track.t, run.first_s - 1e-9))))
    return _brief_run(before) if _lies_elsewhere(before) else []


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


def _fitted(
    track: Track, which: slice | NDArray[np.intp], slowing: float = 1500.0, hold: float = 1500.0
) -> Stretch:
    part = track.part(which)
    return fit(part.t, part.x, part.y, part.sigma, slowing=slowing, slowing_error=hold)


def _flung(track: Track) -> bool:
    """Whether it was seen once on its way from home, and then no more."""
    if not track.lost or not len(track.t):
        return False
    return float(track.away_mm()[-1]) > _AWAY_MM + 4 * float(track.sigma[-1])


def _swept_away(
    track: Track,
    whole: Track,
    ending: Ending,
    rebounds: tuple[tuple[float, str], ...],
    frame_s: float,
) -> Timeline:
    """A piece that fell or flew off within a frame or two of being hit: no free path was seen.

    From its home place to where it was next seen it ran somehow; when it set off is not known.
    """
    home = track.home
    left = np.nonzero(whole.away_mm() > _AWAY_MM + 4 * whole.sigma)[0]
    if not len(left):
        rest = resting(*home, track.home_error_mm, -1e9, ending.t_s)
        return Timeline(track, (rest,), ending, rebounds)
    k = int(left[0])
    known = float(whole.t[k - 1]) if k else float(whole.t[k]) - frame_s
    seen, begun = float(whole.t[k]), 0.5 * (known + float(whole.t[k]))
    vx, vy = (
        (float(p[k]) - h) / (seen - begun) for p, h in ((whole.x, home[0]), (whole.y, home[1]))
    )
    spread = np.diag([10.0**2, (0.5 * hypot(vx, vy)) ** 2, 1000.0**2])
    x, y = float(whole.x[k]), float(whole.y[k])
    run = Stretch(seen, (x, vx, 0.0), (y, vy, 0.0), spread, seen, max(seen, ending.t_s), 1)
    rest = resting(*home, track.home_error_mm, -1e9, known)
    return Timeline(track, (rest, run), ending, rebounds)


def _ending(
    track: Track, last: Stretch, tail: list[Stretch], frame_s: float, end_s: float
) -> Ending:
    if tail:
        begin = tail[0].first_s
        stop = last.stop_s
        when = stop if last.last_s - frame_s <= stop <= begin + frame_s else begin - frame_s / 2
        return Ending("rest", when, frame_s / 4)
    stop = last.stop_s
    seen_until = float(track.t[-1])
    if stop <= seen_until + 1.5 * frame_s:
        return Ending("rest", min(stop, seen_until + frame_s), frame_s / 3)
    if track.lost and seen_until < end_s - 2.5 * frame_s:
        return Ending("lost", seen_until, frame_s)
    return Ending("running", seen_until, frame_s)


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
    return runs and far < _BEYOND * max(hypot(x2 - x0, y2 - y0), _AWAY_MM)


def _crept(first: Stretch, second: Stretch, frame_s: float) -> bool:
    slow = hypot(*first.speed_at(first.first_s))
    if second.first_s - first.last_s > _SOON * frame_s:
        return False
    return slow < 150 and slow < 0.3 * hypot(*second.speed_at(second.first_s))


def _hardly_left(track: Track, path: Stretch) -> bool:
    """Whether all places of a path but one are home: it says nothing of how the piece ran."""
    of_it = (track.t >= path.first_s - 1e-9) & (track.t <= path.last_s + 1e-9)
    return int(np.count_nonzero(of_it & ~track.at_home())) <= 1


def _since_it_left(track: Track, path: Stretch) -> Stretch:
    """A first path without the places at which a piece pushed slowly still lay at home."""
    mine = np.nonzero((track.t >= path.first_s - 1e-9) & (track.t <= path.last_s + 1e-9))[0]
    home = np.nonzero(track.at_home()[mine])[0]
    far = track.away_mm()[mine] > _AT_ONCE * track.radius_mm
    if len(home) and far[: int(home[-1])].any():
        return path  # a cushion led it back over its home
    left = mine[int(home[-1]) + 1 :] if len(home) else mine
    if len(left) == len(mine):
        return path
    if not len(left):
        after = int(mine[-1]) + 1
        if after >= len(track.t):
            return path
        found = _fitted(track, slice(after - 1, after + 1))
        return replace(found, first_s=float(track.t[after]))
    if len(left) == 1:
        return replace(path, first_s=float(track.t[left[0]]))
    return _fitted(track, left)


def _lies_elsewhere(track: Track) -> bool:
    """Whether its last places are not those where it lay: what only seems to move comes back."""
    if len(track.t) < 5:
        return False
    off = track.way_mm(track.rests_at())
    return off > _LEFT_MM + 2 * float(np.median(track.sigma))


def _with_unseen(line: Timeline, board: Board) -> tuple[tuple[float, str], ...]:
    """The rebounds, with those from pockets that were left again before the next frame.

    Both paths, the one in and the one out, then lead through the mouth.
    """
    rebounds = list(line.rebounds)
    for before, after in pairwise(line.phases[1:]):
        if min(before.count, after.count) < 2:
            continue
        way_in = np.linspace(before.last_s, after.first_s, 25)
        for pocket in board.pockets:
            inside = pocket.radius_mm - _MOUTH_MM
            x, y = pocket.centre.x_mm, pocket.centre.y_mm
            deep = [hypot(p[0] - x, p[1] - y) < inside for p in map(before.at, way_in.tolist())]
            back = [hypot(p[0] - x, p[1] - y) < inside for p in map(after.back_to, way_in.tolist())]
            known = any(pocket.id == name for _, name in rebounds)
            if any(deep) and any(back) and not known:
                rebounds.append((float(way_in[deep.index(True)]), pocket.id))
    if line.ending.kind == "pocketed":
        # the fall itself is no rebound
        rebounds = [
            r for r in rebounds if r[1] != line.ending.pocket or r[0] < line.ending.t_s - 0.05
        ]
    return tuple(sorted(rebounds))
