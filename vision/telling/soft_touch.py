"""Touches too soft to be seen to move anything: the struck piece came to rest against another.

A piece that runs on past another without moving it has not touched it. One that stops there may
have, with a few millimetres a second left: where the two lie tells, as far as it is measured.
"""

from collections.abc import Sequence
from math import hypot

from rules.facts import Contacted, Fact, Unclear
from rules.said import written
from rules.unseen import NO_PIECE, STOPPED_BESIDE
from vision.telling.passed_by import passed_by, touch_from
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_RAN_MM = 5.0  # at the least, and nearer to the other by as much
_RADII_MM = 0.2  # one sd of both radii, and of what a neighbour's shadow shifts
_SIGMAS = 1.96
_SOFT_MM_S = 30.0  # about as fast as what came may have been, and as far may its time be amiss


def soft_touches(spell: Spell, facts: Sequence[Fact]) -> list[Contacted | Unclear]:
    """The touches, sure or to be asked, of struck pieces and those beside which they stopped."""
    found = (
        _touch(line, other) for line, other in passed_by(spell, facts) if line.ending.kind == "rest"
    )
    return [touch for touch in found if touch is not None]


def _touch(line: Timeline, other: Timeline) -> Contacted | Unclear | None:
    (x, y), (u, v) = line.final_place(), other.track.home
    room_mm = line.track.radius_mm + other.track.radius_mm
    gap_mm = hypot(x - u, y - v) - room_mm
    before_mm = other.track.way_mm(line.track.home) - room_mm
    last = line.phases[-1]
    error_mm = _SIGMAS * hypot(last.error_at(last.last_s), other.track.home_error_mm, _RADII_MM)
    if gap_mm > error_mm or min(line.track.way_mm((x, y)), before_mm - gap_mm) < _RAN_MM:
        return None
    error_ms = 1000 * (line.ending.error_s + (abs(gap_mm) + error_mm) / _SOFT_MM_S)
    touch = touch_from(line, (x, y), other, at_ms=1000 * line.ending.t_s, error_ms=error_ms)
    if gap_mm < -error_mm:
        return touch  # it lies where the other lay
    return Unclear(
        at_ms=touch.at_ms,
        question=written(STOPPED_BESIDE, piece=line.track.name, other=other.track.name),
        answers=((touch,), ()),
        words=(other.track.name, written(NO_PIECE)),
    )
