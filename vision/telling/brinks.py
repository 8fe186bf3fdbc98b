"""Falls of men that lay at the brink of a pocket and were knocked into it: nobody saw them run.

Such a man is gone by the next frame, and a dark one hardly shows as it sinks. Where what hit it
sent it straight into the mouth, a rim's breadth away, it cannot have gone anywhere else.
"""

from collections.abc import Collection
from math import cos, hypot, radians, sin, sqrt

from rules.board import Board, Pocket
from rules.facts import Pocketed
from vision.tracking.flying import clears_border
from vision.trajectories.breaks import Knock
from vision.trajectories.shots import Spell
from vision.trajectories.timeline import Timeline

_NEAR = 0.5  # of its radius: no farther from the mouth lies what is at its brink
_AMISS = radians(10.0)  # so far aside of where it was sent it may have gone
_JUST = 1.6  # frames: it was seen at rest until so shortly before it was hit


def knocked_in(
    spell: Spell, missing: Collection[str], board: Board, frame_s: float
) -> tuple[Pocketed, ...]:
    """The falls of those of the `missing` that were knocked into a mouth at whose brink they lay.

    The next still picture must bear them out. What was hit so hard that it may have flown over the
    mouth and the border is none of them.
    """
    return tuple(
        fall
        for who, line in enumerate(spell.lines)
        if line.track.name in missing and not line.moved
        if (knock := _first_touch(spell, who)) is not None
        if (fall := _fall(line, knock, spell.lines[knock.other(who)], board, frame_s)) is not None
    )


def _first_touch(spell: Spell, who: int) -> Knock | None:
    touches = (k for k in spell.knocks if k.kind == "contact" and k.concerns(who))
    return min(touches, key=lambda k: k.t_s, default=None)


def _fall(
    line: Timeline, knock: Knock, by: Timeline, board: Board, frame_s: float
) -> Pocketed | None:
    mine, theirs = line.track, by.track
    fastest_mm_s = 2 * theirs.mass / (mine.mass + theirs.mass) * knock.speed_mm_s
    if mine.lay_s is None or knock.t_s - mine.lay_s > _JUST * frame_s:
        return None
    if not knock.speed_mm_s or clears_border(fastest_mm_s, board):
        return None
    x, y = mine.home
    dx, dy = x - knock.x_mm, y - knock.y_mm
    for pocket in board.pockets:
        ways = [
            _way_mm(pocket, x, y, dx * cos(a) - dy * sin(a), dx * sin(a) + dy * cos(a))
            for a in (-_AMISS, 0.0, _AMISS)
        ]
        if all(way is not None and way < _NEAR * mine.radius_mm for way in ways):
            return Pocketed(
                at_ms=1000 * (knock.t_s + 0.5 * frame_s),
                piece=mine.name,
                pocket=pocket.id,
                error_ms=1000 * hypot(0.5 * frame_s, knock.error_s),
            )
    return None


def _way_mm(pocket: Pocket, x: float, y: float, dx: float, dy: float) -> float | None:
    """How far it is from a place along a direction to where a mouth begins; None: it is not met."""
    size = hypot(dx, dy)
    if not size:
        return None
    px, py = pocket.centre.x_mm - x, pocket.centre.y_mm - y
    ahead, aside = (px * dx + py * dy) / size, (px * dy - py * dx) / size
    half_sq = pocket.radius_mm**2 - aside**2
    if half_sq <= 0 or ahead <= 0:
        return None
    return max(ahead - sqrt(half_sq), 0.0)
