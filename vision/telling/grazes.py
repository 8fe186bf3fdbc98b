"""Touches in passing, so thin that what was touched hardly moved: the struck piece ran on.

Nothing else shifts a resting piece by a few tenths of a millimetre, away from what has just run by
at no distance: its place before and after is measured in the same way many times over, and so is
known much better than from one picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np

from rules.facts import Contacted, Fact
from vision.telling.passed_by import passed_by, touch_from
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_SHIFTED_MM, _SPREADS = 0.3, 4.0  # so far, and so many sd of its places, for it to have moved
_SHADED_MM = 0.8  # so far, where something stands by it that throws a shadow on it
_ALONG = 0.7  # of its shift leads away from what ran by
_GAP_MM, _SIGMAS = 0.8, 3.0  # a path that is turned a little is fitted as one that is not
_CLEAR_MM = 20.0  # so far off, a piece throws no shadow on another
_FEW = 3  # places after it
_STEP_S = 0.0005


@dataclass(frozen=True, slots=True)
class _Pass:
    """How a running piece passed a resting one: the gap and its sd, in mm, when, where it was, and
    how fast, in mm/s."""

    gap_mm: float
    error_mm: float
    at_s: float
    place: tuple[float, float]
    speed_mm_s: float


def grazes(spell: Spell, facts: Sequence[Fact]) -> list[Contacted]:
    """The touches of struck pieces and those that they shifted in passing, not told in `facts`."""
    found = (_graze(line, other, spell) for line, other in passed_by(spell, facts))
    return [touch for touch in found if touch is not None]


def _graze(line: Timeline, other: Timeline, spell: Spell) -> Contacted | None:
    away = other.track.away_mm()
    if len(away) < _FEW or float(np.median(away[-_FEW:])) < _SHIFTED_MM:
        return None
    near = _nearest(line, other)
    if near is None or near.gap_mm > _GAP_MM + _SIGMAS * near.error_mm:
        return None
    if not _shifted_away(other, near, spell):
        return None
    rivals = [_nearest(each, other) for each in spell.lines if each.moved and each is not line]
    if any(rival is not None and rival.gap_mm < near.gap_mm for rival in rivals):
        return None  # that one has touched it
    # a gap that is known so badly may have been closed so far before and after the nearest place
    reach_mm = line.track.radius_mm + other.track.radius_mm
    way_mm = sqrt(2 * reach_mm * hypot(near.error_mm, _GAP_MM / 2))
    error_ms = 1000 * way_mm / near.speed_mm_s
    return touch_from(line, near.place, other, at_ms=1000 * near.at_s, error_ms=error_ms)


def _nearest(line: Timeline, other: Timeline) -> _Pass | None:
    """The nearest that a piece came to where another lay, while it ran on past it."""
    u, v = other.track.home
    reach_mm = line.track.radius_mm + other.track.radius_mm
    found: _Pass | None = None
    for k, run in enumerate(line.phases[1:], 1):
        # on to the next path, though between frames: it may have turned there
        next_s = line.phases[k + 1].first_s if k + 1 < len(line.phases) else run.last_s
        until_s = min(max(next_s, run.last_s), run.stop_s)
        for t in np.arange(line.phases[k - 1].last_s, until_s, _STEP_S).tolist():
            x, y = run.at(t) if t >= run.first_s else run.back_to(t)
            gap_mm = hypot(x - u, y - v) - reach_mm
            if found is None or gap_mm < found.gap_mm:
                speed = hypot(*run.speed_at(max(t, run.first_s)))
                found = _Pass(gap_mm, run.error_at(t), t, (x, y), max(speed, 1.0))
    return found


def _shifted_away(other: Timeline, near: _Pass, spell: Spell) -> bool:
    """Whether a piece lies a little farther from where another passed than it lay before."""
    track = other.track
    after = track.t > near.at_s
    clear = np.array([_stands_clear(other, float(t), spell) for t in track.t], dtype=bool) & after
    shaded = np.count_nonzero(clear) < _FEW
    used = after if shaded else clear
    if np.count_nonzero(used) < _FEW:
        return False
    x, y = track.x[used], track.y[used]
    dx, dy = float(np.median(x)) - track.home[0], float(np.median(y)) - track.home[1]
    spread = hypot(float(x.std()), float(y.std())) / sqrt(len(x))
    shift = hypot(dx, dy)
    if shift < max(_SHADED_MM if shaded else _SHIFTED_MM, _SPREADS * spread):
        return False
    nx, ny = track.home[0] - near.place[0], track.home[1] - near.place[1]
    return (dx * nx + dy * ny) / hypot(nx, ny) > _ALONG * shift


def _stands_clear(other: Timeline, t_s: float, spell: Spell) -> bool:
    """Whether no piece that has moved is so near at a time that it throws a shadow on this one."""
    u, v = other.track.home
    for line in spell.lines:
        if not line.moved or (line.ending.off_surface and line.ending.t_s < t_s):
            continue
        x, y = line.phases[line.phase_at(t_s)].at(t_s)
        if hypot(x - u, y - v) < line.track.radius_mm + other.track.radius_mm + _CLEAR_MM:
            return False
    return True
