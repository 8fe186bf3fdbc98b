"""How a track ends on the surface: in a pocket, or over the border."""

from dataclasses import dataclass
from math import hypot

import numpy as np

from rules.board import Board, Pocket
from vision.tracking.flying import clears_border
from vision.tracking.track import Floats, Track

_STOPPED, _ERROR_MM = 0.4, 3.0  # of its way in a mouth: so far behind, it was stopped there
_SIGMAS = 2.0
_CAME = 3  # places: a cushion just before the mouth takes a part of the speed
_ALOFT_MM = 8.0  # so far amiss a place is seen of what flies, nobody knows how high


@dataclass(frozen=True, slots=True)
class Ending:
    """`kind` is "rest", "pocketed", "off_board", "left", "lost" or "running".

    "left": into `pocket` or through the air over it, nobody saw which. `inferred`: it was not seen
    to go there, its way alone tells.
    """

    kind: str
    t_s: float
    error_s: float
    pocket: str = ""
    inferred: bool = False

    @property
    def on_surface(self) -> bool:
        """Whether it lies on the surface still, or runs on there."""
        return self.kind in ("rest", "running")

    @property
    def off_surface(self) -> bool:
        """Whether it lies on the surface no more."""
        return self.kind in ("pocketed", "off_board", "left")


def until_gone(
    track: Track, board: Board, frame_s: float
) -> tuple[Track, Ending | None, tuple[tuple[float, str], ...]]:
    """The part of a track on the surface, and how it left it, if it did."""
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    rebounds: list[tuple[float, str]] = []
    if track.flew is not None:
        return _flown(track, track.flew, (half_x, half_y))
    over = np.maximum(np.abs(track.x) - half_x, np.abs(track.y) - half_y)
    for pocket in board.pockets:
        away = np.hypot(track.x - pocket.centre.x_mm, track.y - pocket.centre.y_mm)
        inside = away < pocket.radius_mm
        if not inside.any():
            continue
        # in for good from the first sample after which it never comes clear of the mouth
        clear = np.nonzero(away > pocket.radius_mm + 0.8 * track.radius_mm)[0]
        last_clear = int(clear[-1]) if len(clear) else -1
        later = np.nonzero(inside[last_clear + 1 :])[0]
        # back on the surface: what flies over a mouth and the border beside it does not come back
        back = clear[over[clear] <= 0]
        surely = away + _SIGMAS * track.sigma < pocket.radius_mm
        visits = np.nonzero(surely[: int(back[-1]) if len(back) else 0])[0]
        if len(visits):
            rebounds.append((float(track.t[visits[0]]), pocket.id))
        if len(later):
            k = last_clear + 1 + int(later[0])
            if k == 0:
                continue
            end = _crossing(track, k, away, pocket.radius_mm, frame_s)
            fell = track.sank or not _may_have_flown(track, k, pocket, board, frame_s)
            kind = "pocketed" if fell else "left"
            return track.part(slice(k)), Ending(kind, *end, pocket.id), tuple(rebounds)
    out = np.nonzero(over > 0)[0]
    if len(out):
        k = int(out[0])
        if k > 0 and over[-1] > 0:
            end = _crossing(track, k, -over, 0.0, frame_s)
            return track.part(slice(k)), Ending("off_board", *end), tuple(rebounds)
    return track, None, tuple(rebounds)


def _may_have_flown(track: Track, k: int, pocket: Pocket, board: Board, frame_s: float) -> bool:
    """Whether what was seen in a mouth from sample `k` on may have run across it and out.

    What falls is stopped by the pocket's walls; what is slow would be seen in the mouth once more,
    and what came too slowly to clear the border cannot have come out over it.
    """
    came = slice(max(k - _CAME, 0), k + 1)
    ran_mm = np.hypot(np.diff(track.x[came]), np.diff(track.y[came]))
    if not clears_border(float((ran_mm / np.diff(track.t[came])).max()), board):
        return False
    taken_s = float(track.t[k] - track.t[k - 1])
    vx, vy = (float(p[k] - p[k - 1]) / taken_s for p in (track.x, track.y))
    x, y = float(track.x[-1]), float(track.y[-1])
    since_s = float(track.t[-1] - track.t[k])
    way_mm = hypot(vx, vy) * since_s
    ahead_mm = hypot(track.x[k] + vx * since_s - x, track.y[k] + vy * since_s - y)
    if ahead_mm > _STOPPED * way_mm + _ERROR_MM:
        return False
    next_mm = x + vx * frame_s - pocket.centre.x_mm, y + vy * frame_s - pocket.centre.y_mm
    return hypot(*next_mm) > pocket.radius_mm


def _flown(
    track: Track, flew: tuple[float, float, float], half: tuple[float, float]
) -> tuple[Track, Ending, tuple[tuple[float, str], ...]]:
    """A track that ends in the air: it left where the way there leads over the border."""
    used = track.part(slice(int(np.searchsorted(track.t, flew[0]))))
    if not len(used.t):
        return used, Ending("off_board", flew[0], 0.01), ()
    x, y, t = float(used.x[-1]), float(used.y[-1]), float(used.t[-1])
    ways = [
        ((h - abs(a)) / (abs(b) - abs(a)), abs(b) - abs(a))
        for h, a, b in ((half[0], x, flew[1]), (half[1], y, flew[2]))
        if abs(b) > h and abs(b) > abs(a)
    ]
    part, out_mm = min(ways, default=(0.5, _ALOFT_MM))
    gap = flew[0] - t
    when = t + min(max(part, 0.0), 1.0) * gap
    return used, Ending("off_board", when, max(min(_ALOFT_MM / out_mm, 1.0) * gap, 0.0005)), ()


def _crossing(
    track: Track, k: int, away: Floats, level: float, frame_s: float
) -> tuple[float, float]:
    """When `away` fell to `level` before sample `k`, between the samples; and one sd."""
    a, b = float(away[k - 1]), float(away[k])
    part = (a - level) / (a - b) if a > b else 0.5
    gap = float(track.t[k] - track.t[k - 1])
    return float(track.t[k - 1]) + min(max(part, 0.0), 1.0) * gap, max(0.1 * gap, 0.0005)
