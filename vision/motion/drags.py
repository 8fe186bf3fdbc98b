"""Telling a piece that is brought along by a cue from one that was struck and ran free.

A struck piece is fastest at once and slows down steadily; one that the cue stays at gathers speed
over tenths of a second. Slower than a stroke it must be as well (Q-Square, QS-X.1: 300 mm/s).
"""

from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.motion.timeline import Track

STROKE_MM_S = 300.0
_WINDOW_S = 0.1
_EARLY_S = 0.12
_EARLY_SHARE = 0.12
_LEAST_S = 0.2
_MOVED_MM = 2.0
_GATHERS = 0.8


@dataclass(frozen=True, slots=True)
class Drag:
    """A piece that was brought along, and how fast it was at its fastest."""

    piece: str
    peak_mm_s: float


def dragged(track: Track) -> Drag | None:
    """The drag that a track shows, None where the piece ran free or hardly moved."""
    t, x, y = track.t, track.x, track.y
    if len(t) < 6 or track.lost:
        return None
    out = np.hypot(x - track.home[0], y - track.home[1]) > _MOVED_MM
    left = np.hypot(x - x[-1], y - y[-1]) > _MOVED_MM
    if not out.any() or not left.any():
        return None
    first, last = int(np.argmax(out)), int(len(t) - 1 - np.argmax(left[::-1]))
    if t[last] - t[first] < _LEAST_S:
        return None
    takes_s = float(t[last] - t[first])
    window_s = min(_WINDOW_S, 0.15 * takes_s)
    speeds = _speeds(track, float(t[first]) - window_s / 2, float(t[last]), window_s)
    if len(speeds) < 3:
        return None
    peak = max(speed for _, speed in speeds)
    early_s = min(_EARLY_S, _EARLY_SHARE * takes_s)
    early = [speed for at_s, speed in speeds if at_s <= speeds[0][0] + early_s]
    if peak >= STROKE_MM_S or sum(early) / len(early) > _GATHERS * peak:
        return None
    return Drag(track.name, peak)


def _speeds(
    track: Track, start_s: float, end_s: float, window_s: float
) -> list[tuple[float, float]]:
    """(time, speed) over windows long enough that a place's error hardly matters."""
    found = []
    for k in range(len(track.t)):
        if not start_s <= track.t[k] <= end_s:
            continue
        j = int(np.searchsorted(track.t, track.t[k] + window_s - 1e-6))
        if j >= len(track.t) or track.t[j] - track.t[k] > 4 * _WINDOW_S:
            continue
        way = hypot(track.x[j] - track.x[k], track.y[j] - track.y[k])
        taken = float(track.t[j] - track.t[k])
        found.append((float(track.t[k]) + taken / 2, float(way) / taken))
    return found
