"""The ways that a struck piece may have run, from where it lay, to what it touched first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, hypot, inf, sin, sqrt

import numpy as np

from vision.trajectories.paths import Stretch
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

MOST = 6  # pieces that a question offers
FASTEST_MM_S = 6000.0
_SEEN_MM = 2.0  # how far aside of its way a piece seen once or twice may have been
_BOUNCED, _TURNED = 0.04, 0.3  # radians: after a cushion; first seen after it had been turned
_FEW, _CREEPS_MM_S = 2, 50.0  # places, and a speed, that tell no direction


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A straight way from `at`, its direction known to `error` radians, seen for `far_mm`."""

    at: tuple[float, float]
    turn: float
    error: float
    far_mm: float
    since_s: float
    seen_s: float = inf


def way_to_first_touch(cue: Timeline, spell: Spell) -> Way:
    """The last free way of the struck piece before it first touched any other.

    It had done so by when any other is gone from where that lay, whatever touches are told.
    """
    who = spell.lines.index(cue)
    touched = [k.t_s for k in spell.knocks if k.kind == "contact" and k.concerns(who)]
    touched += [line.left_by_s for line in spell.lines if line is not cue and line.moved]
    turns = [k.t_s for k in spell.knocks if k.kind == "cushion" and k.a == who]
    turns = [t for t in turns if t < min(touched, default=inf)]
    if turns:
        runs = cue.phases[1:]
        begun = next((r for r in runs if r.first_s + r.last_s > 2 * turns[-1]), runs[-1])
        vx, vy = begun.speed_at(begun.first_s)
        at = begun.at(begun.first_s)
        return Way(at=at, turn=atan2(vy, vx), error=_BOUNCED, far_mm=0.0, since_s=begun.first_s)
    return way_from_home(cue)


def way_from_home(cue: Timeline) -> Way:
    """The way from where the struck piece lay to where it was first seen, on a path or not."""
    seen_s = cue.left_by_s
    way = straight(cue.track.home, first_seen(cue), cue.phases[0].last_s, seen_s)
    turned = seen_s == cue.phases[1].first_s and goes_elsewhere(cue.phases[1], way)
    return replace(way, far_mm=inf) if turned else way


def straight(
    home: tuple[float, float], seen: tuple[float, float], since_s: float, seen_s: float
) -> Way:
    """The way from where a piece lay to a place where it was `seen` next."""
    dx, dy = seen[0] - home[0], seen[1] - home[1]
    far, turn = hypot(dx, dy), atan2(dy, dx)
    error = min(_SEEN_MM / max(far, 1.0), _TURNED)
    return Way(at=home, turn=turn, error=error, far_mm=far, since_s=since_s, seen_s=seen_s)


def first_seen(cue: Timeline) -> tuple[float, float]:
    """Where a piece that moved was first seen off its rest, on a path or not."""
    track = cue.track
    for k in np.flatnonzero(np.abs(track.t - cue.left_by_s) < 1e-6):
        return float(track.x[k]), float(track.y[k])
    return cue.phases[1].at(cue.left_by_s)


def goes_elsewhere(path: Stretch, way: Way) -> bool:
    """Whether a piece does not run on as it must have come: it has been turned since it lay."""
    vx, vy = path.speed_at(path.first_s)
    speed = hypot(vx, vy)
    if path.count <= _FEW or speed < _CREEPS_MM_S:
        return False
    return cos(_TURNED) * speed > vx * cos(way.turn) + vy * sin(way.turn)


def reaches(cue: Timeline, others: Sequence[Timeline], way: Way) -> list[tuple[float, float]]:
    """How far the struck piece runs to each other: (nearest, farthest) of the ways it may take."""
    turns = [way.turn + 2 * way.error * part / 4 for part in range(-4, 5)]
    found = []
    for other in others:
        x, y = other.track.home[0] - way.at[0], other.track.home[1] - way.at[1]
        room = cue.track.radius_mm + other.track.radius_mm
        reach = []
        for turn in turns:
            along, aside = x * cos(turn) + y * sin(turn), x * sin(turn) - y * cos(turn)
            reach.append(comes_to_mm(along, aside, room) if along > 0 else inf)
        found.append((min(reach), max(reach)))
    return found


def comes_to_mm(along_mm: float, aside_mm: float, room_mm: float) -> float:
    """How far a piece runs until its rim meets another's, whose middle lies so far ahead and aside,
    and `room_mm` off when they touch; infinite where it passes by."""
    if abs(aside_mm) >= room_mm:
        return inf
    return along_mm - sqrt(room_mm**2 - aside_mm**2)


def as_wide(way: Way, *, turned: bool) -> Way:
    """`way`, as wide as where the piece was first seen after something had `turned` it."""
    return replace(way, error=_TURNED) if turned else way


def lie_first(cue: Timeline, others: Sequence[Timeline], way: Way) -> tuple[list[Timeline], bool]:
    """Those that may lie first on a way, the nearest first, and whether it had been turned already
    where the struck piece was first seen."""
    turned = any(near < way.far_mm for near, _ in reaches(cue, others, way))
    reach = reaches(cue, others, as_wide(way, turned=turned))
    latest = min((last for _, last in reach), default=inf)
    near = [(r[0], o) for r, o in zip(reach, others, strict=True) if r[0] <= latest and r[0] < inf]
    return [other for _, other in sorted(near, key=lambda found: found[0])][:MOST], turned


def way_by_mm(cue: Timeline, line: Timeline, to: tuple[float, float]) -> float:
    """How far the struck piece runs from where it lay to another, and on to a place."""
    there = line.track.home
    room = cue.track.radius_mm + line.track.radius_mm
    ends = cue.track.home, to
    return sum(max(hypot(x - there[0], y - there[1]) - room, 0.0) for x, y in ends)


def is_in_reach(cue: Timeline, line: Timeline) -> bool:
    """Whether the struck piece may have gone there and come to where it was first seen."""
    run_s = cue.left_by_s - cue.phases[0].last_s
    return way_by_mm(cue, line, first_seen(cue)) < FASTEST_MM_S * run_s
