"""Where a piece went that was lost while it ran towards a pocket or over the border."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

import numpy as np

from rules.board import Board, Pocket
from vision.tracking.flying import clears_border
from vision.trajectories.gone import Ending
from vision.trajectories.paths import Stretch
from vision.trajectories.timeline import Timeline

_CUSHION = 0.75  # about what a cushion leaves of a speed
_PATH = 3  # places that a path needs to lead anywhere
_ALONG = 0.2  # of its speed across the border
_AWAY = 0.08  # of its speed along the border: more than its direction is known amiss
_BESIDE_MM = 60.0  # so far from a mouth what a cushion turns is in it before it is seen again
_ONCE = 2.0  # times as fast as it must have been: it set off about half way between two frames
_JUST_S = 0.2  # followed no longer than that out of a mouth, it may be another of its look


def lost_into(timeline: Timeline, board: Board, frame_s: float) -> Timeline:
    """A piece lost while it ran towards a pocket or over the border went there.

    What is too slow to clear the border turned at the cushion, and fell where a pocket is near.
    Only a free path that leads straight into a mouth is sure: whatever else is `inferred`. What
    came to the border beside a pocket may have gone either way, and stays lost; so does what is so
    fast that it may have flown over the mouth, and the border, between two frames. What ran away
    from that pocket along the border would not have been turned into it. What seemed to come back
    out of a mouth just before it was lost may have sunk there, while its like was followed: its
    way from there does not tell of a jump. One that was seen once since it lay may have set off
    just before, and have been faster than it seems.
    """
    if timeline.ending.kind != "lost":
        return timeline
    last, radius = _last_way(timeline), timeline.track.radius_mm
    straight = last is timeline.phases[-1] and last.count >= _PATH
    stop = min(last.stop_s, timeline.ending.t_s + 8 * frame_s)
    half = (board.width_mm / 2, board.height_mm / 2)
    once_mm_s = _seen_once_mm_s(timeline)
    fastest_mm_s = max(hypot(*last.speed_at(last.last_s)), _ONCE * (once_mm_s or 0.0))
    turned = flies = clears_border(fastest_mm_s, board)
    after = last.at(last.last_s + frame_s)
    for t in np.linspace(last.last_s, stop, 60):
        x, y = last.at(float(t))
        pocket = _pocket_over(board.pockets, x, y)
        if flies and pocket is not None and (once_mm_s or _is_past(pocket, *after)):
            return timeline
        if pocket is not None:
            ending = Ending("pocketed", float(t), frame_s / 2, pocket.id, inferred=not straight)
            return replace(timeline, ending=ending)
        if not turned and (abs(x) > half[0] - radius or abs(y) > half[1] - radius):
            turned = True
            fall = _off_cushion(last, float(t), stop + 2 * frame_s, board, radius)
            if fall is not None:
                ending = Ending("pocketed", fall[0], frame_s, fall[1], inferred=True)
                return replace(timeline, ending=ending)
        if abs(x) > half[0] or abs(y) > half[1]:
            beside = _pocket_over(board.pockets, x, y, _BESIDE_MM)
            if beside is not None and not _runs_away(beside, (x, y), last.speed_at(float(t)), half):
                return timeline
            if _just_rebounded(timeline) or (once_mm_s and _grazes(last, float(t), half)):
                return timeline
            return replace(timeline, ending=Ending("off_board", float(t), frame_s, inferred=True))
    return timeline


def _seen_once_mm_s(timeline: Timeline) -> float | None:
    """How fast a piece must have been at the least that was seen once since it lay.

    When it set off is not known. None: it was seen more often.
    """
    off = np.flatnonzero(timeline.track.is_off())
    if len(off) != 1:
        return None
    far_mm, lay_s = timeline.track.away_mm()[off[0]], timeline.phases[0].last_s
    return float(far_mm / max(timeline.track.t[off[0]] - lay_s, 1e-3))


def _grazes(way: Stretch, at_s: float, half: tuple[float, float]) -> bool:
    """Whether a way hardly leads over the border that it has come to: it may lead along it."""
    speed, across = way.speed_at(at_s), 1 if abs(way.at(at_s)[1]) > half[1] else 0
    return abs(speed[across]) < _ALONG * hypot(*speed)


def _just_rebounded(timeline: Timeline) -> bool:
    """Whether a piece was seen in a mouth, and for a moment only since."""
    since_s = timeline.track.t[-1] - _JUST_S if len(timeline.track.t) else 0.0
    return any(t > since_s for t, _ in timeline.rebounds)


def _runs_away(
    pocket: Pocket, at: tuple[float, float], speed: tuple[float, float], half: tuple[float, float]
) -> bool:
    """Whether what comes over a border at a place beside a mouth runs away from it along that."""
    along = 1 if abs(at[0]) > half[0] else 0
    centre = (pocket.centre.x_mm, pocket.centre.y_mm)[along]
    off_mm = at[along] - centre
    away_mm_s = speed[along] if off_mm > 0 else -speed[along]
    return abs(off_mm) > pocket.radius_mm and away_mm_s > _AWAY * hypot(*speed)


def _is_past(pocket: Pocket, x: float, y: float) -> bool:
    """Whether a place is over none of a mouth: seen next there, a piece is not seen in it."""
    return hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm) > pocket.radius_mm


def _last_way(timeline: Timeline) -> Stretch:
    """The last path, or the way to where it was seen once more after it had been turned."""
    last, track = timeline.phases[-1], timeline.track
    if len(track.t) < 2 or track.t[-1] <= last.last_s + 1e-9:
        return last
    at, before = float(track.t[-1]), float(track.t[-2])
    x, y = float(track.x[-1]), float(track.y[-1])
    vx, vy = ((a - float(b)) / (at - before) for a, b in ((x, track.x[-2]), (y, track.y[-2])))
    return replace(last, t0_s=at, x=(x, vx, 0.0), y=(y, vy, 0.0), first_s=at, last_s=at, count=1)


def _off_cushion(
    path: Stretch, from_s: float, until_s: float, board: Board, radius_mm: float
) -> tuple[float, str] | None:
    """(when, into which pocket) a piece falls that turns at the cushion at `from_s`, if it does."""
    x, y = path.at(from_s)
    vx, vy = path.speed_at(from_s)
    if abs(x) > board.width_mm / 2 - radius_mm:
        vx *= -_CUSHION
    if abs(y) > board.height_mm / 2 - radius_mm:
        vy *= -_CUSHION
    for t in np.linspace(from_s, until_s, 60):
        pocket = _pocket_over(board.pockets, x + vx * (t - from_s), y + vy * (t - from_s))
        if pocket is not None:
            return float(t), pocket.id
    return None


def _pocket_over(
    pockets: Sequence[Pocket], x: float, y: float, beside_mm: float = 0.0
) -> Pocket | None:
    for pocket in pockets:
        away_mm = hypot(x - pocket.centre.x_mm, y - pocket.centre.y_mm)
        if away_mm < pocket.radius_mm + beside_mm:
            return pocket
    return None
