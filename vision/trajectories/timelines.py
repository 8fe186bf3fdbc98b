"""From the tracks of a spell of motion to timelines, all slowed by the same friction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from rules.board import Board
from vision.tracking.track import Track
from vision.trajectories.gone import Ending, until_gone
from vision.trajectories.paths import Stretch, cut, resting
from vision.trajectories.pocketed import fall_by_path, with_unseen_rebounds
from vision.trajectories.runs import (
    AT_ONCE,
    AWAY_MM,
    LEFT_MM,
    brief_run,
    fitted,
    hardly_left,
    lies_elsewhere,
    moving_stretches,
    shifted_before,
    since_it_left,
)
from vision.trajectories.timeline import Timeline

UNKNOWN_MM_S2 = 1000.0  # one sd of friction where no long path shows it
_LONG = 8
_AT_HOME_MM = 0.4
_AT_REST = 3  # places that surely make a stretch of rest
_BRIEF = 3.0  # so much worse are two places than three that lie on a path


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
        line = replace(line, ending=fall_by_path(line, board, frame_s))
        done.append(replace(line, rebounds=with_unseen_rebounds(line, board)))
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
        return [fitted(self.used, piece, slowing, hold) for piece in self.pieces]


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
    if not brief or track.away_mm()[seen] <= AT_ONCE * track.radius_mm:
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


def _timeline(
    track: Track,
    whole: Track,
    stretches: list[Stretch],
    ending: Ending | None,
    rebounds: tuple[tuple[float, str], ...],
    frame_s: float,
    end_s: float,
) -> Timeline:
    shifted = lies_elsewhere(track)
    moving = moving_stretches(track, stretches, frame_s, shifted=shifted)
    if moving and (sooner := shifted_before(track, moving[0])):
        stretches = [*sooner, *stretches[stretches.index(moving[0]) :]]
        moving = [sooner[0], *moving]
    if not moving and ending is None and _flung(track):
        ending = Ending("lost", float(track.t[-1]), frame_s)
    if not moving and ending is not None and ending.kind != "rest":
        return _swept_away(track, whole, ending, rebounds, frame_s)
    short = not moving or (len(moving) == 1 and hardly_left(track, moving[0]))
    if short and shifted and ending is None and (brief := brief_run(track)):
        moving, stretches = brief[:1], brief
    if not moving or float(track.away_mm().max()) <= LEFT_MM:
        rest = resting(*track.home, track.home_error_mm, -1e9, end_s)
        unseen = shifted and ending is None
        ended = ending or Ending("rest", 0.0, 0.0)
        return Timeline(track, (rest,), ended, rebounds, came_unseen=unseen)
    first = stretches.index(moving[0])
    after = len(stretches) - stretches[::-1].index(moving[-1])
    runs, tail = stretches[first:after], stretches[after:]
    runs[0] = since_it_left(track, runs[0])
    lay_until_s = _lain_until_s(track, runs[0].first_s, frame_s)
    phases = [resting(*track.home, track.home_error_mm, -1e9, lay_until_s), *runs]
    if ending is None:
        ending = _ending(track, runs[-1], tail, frame_s, end_s)
        if ending.kind == "rest":
            phases.append(_rest_after(runs[-1], tail, ending, end_s))
    return Timeline(track, tuple(phases), ending, rebounds)


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


def _flung(track: Track) -> bool:
    """Whether it was seen once on its way from home, and then no more."""
    if not track.lost or not len(track.t):
        return False
    return float(track.away_mm()[-1]) > AWAY_MM + 4 * float(track.sigma[-1])


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
    left = np.nonzero(whole.away_mm() > AWAY_MM + 4 * whole.sigma)[0]
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
