"""Telling a piece that is brought along by a cue from one that was struck and ran free.

A struck piece is fastest at once and slows down steadily; one that the cue stays at gathers speed
over tenths of a second, or runs on long after friction would have stopped it. Slower than a stroke
it must be as well (Q-Square, QS-X.1: 300 mm/s).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from vision.strikers import BY_CUE, CUED
from vision.tracking.track import Floats, Track

STROKE_MM_S = 300.0
AT_ONCE_MM_S = 1500.0  # as no hand sets off
PUSHED_OFF_MM_S = 2 * STROKE_MM_S  # a man, at the most, by what is dragged
_WINDOW_S = 0.1
_EARLY_S = 0.12
_EARLY_SHARE = 0.12
_LEAST_S = 0.2
_SHORT_S = 1.0
_WILD, _CLEARLY = 36.0, 12.0
_BESIDE, _BESIDE_MM = 5.0, 1.5
_FEWEST = 4
_STRAIGHT = 0.85  # of the places, for the way to be straight
_MOVED_MM = 2.0
_GATHERS = 0.8
_GAINS, _MOSTLY, _CARRIED_MM = 4, 0.8, 80.0  # so often, and over such a way
_STEP_S, _AT_A_BLOW = 1 / 30, 0.5  # so much of all that is gained a blow gives at once
_FEW_GAINS = 3  # of a man, whom one piece after another may hit
AMISS_MM = 14.0  # so much a place that a hand half hides may be
_FASTER = 1.4
_FREE = 4.0  # sd: so far off a place on a free run may be
_LASTS = 3  # places in a row that are not amiss all alike
_MORE, _RISES = 0.15, 0.9  # a blow within a window takes half of it
_AMISS_S = 0.04  # so much the time of a blow may be
_STANDS_MM_S = 30.0  # slower, it may lie still: it may be set running again by another
_LEAST_SLOWING_MM_S2 = 200.0  # the smoothest surface there is
_ALIKE = np.linspace(0.75, 1.25, 11)  # by such parts friction differs from shot to shot


@dataclass(frozen=True, slots=True)
class Drag:
    """A piece that was brought along, and how fast it was at its fastest."""

    piece: str
    peak_mm_s: float


def dragged(track: Track, slowing_mm_s2: float | None = None) -> Drag | None:
    """The drag that a track shows, None where the piece ran free or hardly moved.

    `slowing_mm_s2` is what earlier shots on this surface lost to friction, where any were seen.
    """
    t = track.t
    if len(t) < 6 or track.lost:
        return None
    ends = _ends(track)
    if ends is None:
        return None
    first, last = ends
    if _ran_at_once(track, first, last):
        return None
    if (
        t[last] - t[first] < _SHORT_S
        and (short := _short(track, first, last, slowing_mm_s2)) is not None
    ):
        return short
    if t[last] - t[first] < _LEAST_S:
        return None
    track = _on_way(track, first, last)
    t = track.t
    first, last = _ends(track) or (0, 0)
    if t[last] - t[first] < _LEAST_S:
        return None
    takes_s = float(t[last] - t[first])
    window_s = min(_WINDOW_S, 0.15 * takes_s)
    speeds = _speeds(track, float(t[first]) - window_s / 2, float(t[last]), window_s)
    if len(speeds) < 3:
        return None
    runs = [speed for _, speed in speeds if speed > _STANDS_MM_S]
    usual = float(np.percentile(runs, 90)) if runs else 0.0
    slows = max(_LEAST_SLOWING_MM_S2, float(_ALIKE[0]) * (slowing_mm_s2 or 0.0))
    if usual < STROKE_MM_S and _runs_s(track, first, last) > usual / slows:
        return Drag(track.name, usual)  # running free, it would long have lain still
    peak = max(speed for _, speed in speeds)
    early_s = min(_EARLY_S, _EARLY_SHARE * takes_s)
    early = [speed for at_s, speed in speeds if at_s <= speeds[0][0] + early_s]
    slow_first = sum(early) / len(early) <= _GATHERS * peak
    if peak >= STROKE_MM_S or not (slow_first or _gathers(track, speeds, window_s)):
        return None
    if track.away_mm()[first] > track.radius_mm:
        return None  # how it set off was not seen
    return Drag(track.name, peak)


def outruns_drags(track: Track, since_s: float) -> bool:
    """Whether a man went farther since then than any that a dragged piece pushes off."""
    late_s = track.t - since_s + _AMISS_S
    return bool(((late_s > 0) & (track.away_mm() > PUSHED_OFF_MM_S * late_s)).any())


def carried(track: Track, *, left: bool = False) -> bool:
    """Whether a piece ran ever faster over some way: a hand carried it.

    What is struck runs ever slower. What a cue or a finger pushes on may gather speed as well, but
    it is not lost, nor has it `left` the board so.
    """
    cued, off = track.kind in CUED, track.lost or left
    if cued and not off:
        return False
    far, speed = _steps(track)
    if not len(speed):
        return False
    fastest = int(np.argmax(speed))
    gains = int((np.diff(speed[: fastest + 1]) > 0).sum())
    few = 1 if cued else _FEW_GAINS
    if off and few <= gains == fastest == len(speed) - 1 and runs_faster(track):
        return True  # lost within a few frames, while it gathered speed
    return (
        gains >= max(_GAINS, _MOSTLY * fastest)
        and float(far[:fastest].sum()) > _CARRIED_MM
        and float(speed[fastest]) > STROKE_MM_S
    )


def gathers_speed(track: Track) -> bool:
    """Whether a piece surely ran faster from step to step, over more steps than a blow takes.

    So does what a fingertip leads along; what it has flicked is fastest at once.
    """
    often = max(round(_STEP_S / float(np.median(np.diff(track.t)))), 1) if len(track.t) > 1 else 1
    far, speed = _steps(track.part(slice(None, None, often)))
    if not len(speed):
        return False
    fastest = int(np.argmax(speed))
    rises = np.diff(speed[: fastest + 1])
    if (rises > 0).sum() < max(_GAINS, _MOSTLY * fastest):
        return False
    took_s = far[1 : fastest + 1] / np.maximum(speed[1 : fastest + 1], 1.0)
    gained = float((far[1 : fastest + 1] - speed[0] * took_s).sum())
    at_once = float(rises.max()) > _AT_A_BLOW * float(speed[fastest] - speed[0])
    return gained > AMISS_MM and not at_once


def runs_faster(track: Track, board: Board | None = None) -> bool:
    """Whether a piece surely ran faster once than it had before, as none does that runs free.

    A place that a hand half hides is a few millimetres amiss, and both steps with it. Where a
    cushion of the `board` may have turned it between two places, it was not as slow as it seems.
    """
    far, speed = _steps(track)
    if not len(speed):
        return False
    seems = speed if board is None else np.where(_may_turn(track, board), np.inf, speed)
    slowest = np.minimum.accumulate(seems)
    gained = (speed - slowest) * far / np.maximum(speed, 1.0)  # mm, in as long a time
    faster = (speed > _FASTER * slowest) & (gained > AMISS_MM) & (speed > STROKE_MM_S)
    return bool(faster.any())


def _may_turn(track: Track, board: Board) -> NDArray[np.bool_]:
    """(n,) whether a cushion may lie between one place that is not home and the next."""
    far, speed = _steps(track)
    from_x, from_y = (place[-len(far) - 1 : -1] for place in (track.x, track.y))
    room = np.minimum(board.width_mm / 2 - np.abs(from_x), board.height_mm / 2 - np.abs(from_y))
    came = np.concatenate([speed[:1], speed[:-1]])
    return np.asarray(room - track.radius_mm < came * np.diff(track.t)[-len(far) :] + AMISS_MM)


def speeds_mm_s(track: Track) -> Floats:
    """(n,) how fast it was from one place to the next, once it had left home."""
    return _steps(track)[1]


def usual_mm_s(track: Track) -> float:
    """How fast it mostly was from one place to the next, once it had left home."""
    speed = speeds_mm_s(track)
    return float(np.median(speed)) if len(speed) else 0.0


def _steps(track: Track) -> tuple[Floats, Floats]:
    """(n,) mm and (n,) mm/s from each place that is not home to the next."""
    off = np.flatnonzero(track.is_off())
    run = track.part(slice(int(off[0]) if len(off) else len(track.t), None))
    far = np.hypot(np.diff(run.x), np.diff(run.y))
    return far, far / np.maximum(np.diff(run.t), 1e-6)


def _gathers(track: Track, speeds: Sequence[tuple[float, float]], window_s: float) -> bool:
    """Whether it surely runs faster and faster, and not at a blow: `speeds` over `window_s`."""
    start = speeds[0][1]
    peak_s, peak = max(speeds, key=lambda one: one[1])
    gathered = peak - start
    error = 1.5 * float(np.median(track.sigma)) / window_s
    if gathered < max(_MORE * peak, 6.0 * error):
        return False
    rise = [one for one in speeds if one[0] <= peak_s]
    slow_s = max(at_s for at_s, speed in rise if speed <= start + 0.25 * gathered)
    fast_s = min(at_s for at_s, speed in rise if speed >= start + 0.75 * gathered)
    return fast_s - slow_s > _RISES * window_s


def _ends(track: Track) -> tuple[int, int] | None:
    """The first place that is not home, and the last before it lies where it is left."""
    out = track.away_mm() > _MOVED_MM
    left = np.hypot(track.x - track.x[-1], track.y - track.y[-1]) > _MOVED_MM
    if not out.any() or not left.any():
        return None
    return int(np.argmax(out)), int(len(track.t) - 1 - np.argmax(left[::-1]))


def _ran_at_once(track: Track, first: int, last: int) -> bool:
    """Whether it surely was as fast as a stroke on the first places that are not home.

    However slow it was for the rest of the time: another may have stopped it, and a third have set
    it running again, or a cushion close by have turned it. A place that the cue half hides is
    amiss, but the next ones are not far off.
    """
    if _came_out_at_once(track, first):
        return True
    far = np.hypot(track.x - track.x[first], track.y - track.y[first])
    for k in range(first + _LASTS - 1, last - _LASTS + 2):
        took_s = float(track.t[k] - track.t[first])
        if took_s > _EARLY_S:
            break
        if float(far[k : k + _LASTS].min()) > STROKE_MM_S * took_s + AMISS_MM:
            return True
    if track.kind not in BY_CUE:
        return False
    for k in range(first + _LASTS, last + 1):
        took_s = float(track.t[k] - track.t[first])
        if took_s > 2 * _EARLY_S:
            break
        if _turned_way_mm(track, first, k) > STROKE_MM_S * took_s + AMISS_MM:
            return True
    return False


def _came_out_at_once(track: Track, first: int) -> bool:
    """Whether it was seen to lie at home so shortly before it was so far out that no hand takes it
    there, and stayed out for some places."""
    lay_s = track.lay_s if track.lay_s is not None else track.seen_s
    if lay_s is None or not lay_s < track.t[first]:
        return False
    out_mm = float(track.away_mm()[first : first + _LASTS].min())
    return out_mm > AT_ONCE_MM_S * float(track.t[first] - lay_s) + AMISS_MM


def _turned_way_mm(track: Track, first: int, last: int) -> float:
    """How far it surely went from one place to another if something turned it once in between.

    A place that is amiss is alone so far out: the one before the corner, or after it, is as well.
    """
    x, y = track.x[first : last + 1], track.y[first : last + 1]
    by = np.hypot(x - x[0], y - y[0]) + np.hypot(x - x[-1], y - y[-1])
    return float(np.minimum(by[1:], by[:-1]).max())


def _on_way(track: Track, first: int, last: int) -> Track:
    """A track without the few places beside a straight way, at which the cue half hid the piece."""
    x, y = track.rests_at()
    far = max(track.way_mm((x, y)), 1.0)
    way_x, way_y = (x - track.home[0]) / far, (y - track.home[1]) / far
    beside = np.abs((track.x - track.home[0]) * way_y - (track.y - track.home[1]) * way_x)
    on_way = beside < np.maximum(_BESIDE * np.maximum(track.sigma, 0.1), _BESIDE_MM)
    if on_way[first : last + 1].mean() < _STRAIGHT:
        return track
    return track.part(np.flatnonzero(on_way))


def _short(track: Track, first: int, last: int, slowing: float | None) -> Drag | None:
    """A drag too short for speeds to tell: places that fit bringing clearly better than sliding.

    Sliding begins at full speed and slows evenly, as friction does it where that is known; a hand
    begins and ends slowly (Flash & Hogan 1985). Either has its beginning and how long it takes to
    be fitted.
    """
    t = track.t
    end = (float(np.median(track.x[last:])), float(np.median(track.y[last:])))
    far = track.way_mm(end)
    took = float(t[last] - t[first])
    frame = float(np.median(np.diff(t)))
    slow = 2 * frame + 0.35 * took  # so long it may take to be seen to move, or to have stopped
    before, after = t[first] - t[max(first - 1, 0)], t[min(last + 1, len(t) - 1)] - t[last]
    if track.kind not in BY_CUE:  # a hand hides what it flicks anyway
        before = after = 0.0
    since = float(t[first]) - max(slow, float(before))
    until = float(t[last]) + max(slow, float(after))
    if far < 2 * _MOVED_MM:
        return None
    way = (end[0] - track.home[0]) / far, (end[1] - track.home[1]) / far
    away_x, away_y = track.x - track.home[0], track.y - track.home[1]
    sigma = np.maximum(track.sigma, 0.1)
    # what lies beside the way was half hidden by the cue
    beside = np.abs(away_x * way[1] - away_y * way[0])
    on_way = beside < np.maximum(_BESIDE * sigma, _BESIDE_MM)
    part = on_way & (t >= since) & (t <= until)
    if part.sum() < _FEWEST:
        return None
    runs = (t >= t[first]) & (t <= t[last])
    along = away_x * way[0] + away_y * way[1]
    turned = (runs & (beside > track.radius_mm)).sum() > (runs & on_way).sum()
    if turned or (runs & (along < -track.radius_mm)).sum() >= _FEWEST:
        return None  # it came there by another way: a cushion or another piece turned it
    behind = along[first] < -max(_BESIDE * float(sigma[first]), _BESIDE_MM)
    if behind and _runs_out(t[runs], along[runs], sigma[runs], slowing):
        return None  # what turned it back lay beyond its home
    run, sigma = along[part], sigma[part]
    begins = np.linspace(since, float(t[first]), 17)
    takes = np.linspace(max(took - frame, frame), until - since, 33)
    slides = takes if slowing is None else np.sqrt(2 * far / (slowing * _ALIKE))
    costs = []
    for by_hand, lasts in ((True, takes), (False, slides)):
        share = (t[part] - begins[:, None, None]) / lasts[None, :, None]
        share = np.clip(share, 0.0, 1.0)
        shape = share * share * (3 - 2 * share) if by_hand else share * (2 - share)
        # a place half hidden by the cue says nothing
        miss = np.minimum(((far * shape - run) / sigma) ** 2, _WILD).sum(axis=2)
        costs.append((float(miss.min()), int(np.argmin(miss.min(axis=0)))))
    (brought, k), (slid, _) = costs
    peak = 1.5 * far / float(takes[k])
    fits = brought < max(_WILD + 4 * part.sum(), 0.5 * slid)
    if peak >= STROKE_MM_S or not fits or brought + _CLEARLY > slid:
        return None
    return Drag(track.name, peak)


def _runs_out(t: Floats, along: Floats, sigma: Floats, slowing: float | None) -> bool:
    """Whether all places lie on one free run to rest, as only friction slows it."""
    if len(t) < _FEWEST + 3:
        return False
    since = t - t[0]
    bend, speed, start = np.polyfit(since, along, 2, w=1.0 / sigma)
    slows, left = -2 * float(bend), float(speed + 2 * bend * since[-1])
    least, most = float(_ALIKE[0]) * (slowing or 0.0), float(_ALIKE[-1]) * (slowing or np.inf)
    if not max(_LEAST_SLOWING_MM_S2, least) <= slows <= most or left < -_STANDS_MM_S:
        return False
    misses = (np.polyval([bend, speed, start], since) - along) / sigma
    return bool((np.abs(misses) < _FREE).all())


def _runs_s(track: Track, first: int, last: int) -> float:
    """For how long the piece was on its way: it may have lain still in between."""
    taken = np.diff(track.t[first : last + 1])
    far = np.hypot(np.diff(track.x[first : last + 1]), np.diff(track.y[first : last + 1]))
    return float(taken[far > _STANDS_MM_S * taken].sum())


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
