"""What paths tell of pockets: when a piece fell, and that it came out again unseen."""

from dataclasses import replace
from itertools import pairwise
from math import hypot

import numpy as np

from rules.board import Board
from vision.trajectories.gone import Ending
from vision.trajectories.timeline import Timeline

_MOUTH_MM = 4.0  # so far inside a mouth a path must lead to have been in it


def fall_by_path(line: Timeline, board: Board, frame_s: float) -> Ending:
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


def with_unseen_rebounds(line: Timeline, board: Board) -> tuple[tuple[float, str], ...]:
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
