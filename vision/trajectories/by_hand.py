"""Telling what a hand carried or took up from what was struck."""

from collections.abc import Iterator, Sequence
from math import dist, hypot

import numpy as np

from rules.board import Board
from vision.strikers import CUED, FLICKED, is_flicked
from vision.tracking.drags import (
    AMISS_MM,
    AT_ONCE_MM_S,
    STROKE_MM_S,
    carried,
    gathers_speed,
    runs_faster,
    speeds_mm_s,
    usual_mm_s,
)
from vision.tracking.track import Floats, Track
from vision.trajectories.breaks import Knock, leads_to
from vision.trajectories.paths import Stretch
from vision.trajectories.timeline import Timeline

_ROUGH_MM, _SEEMS_MM = 2.0, 4.0
_UNSEEN_S, _MOSTLY = 0.3, 0.6  # so long at once, and so much of the way
_HIDES_MM = 200.0  # of a way, for a hand to hide
_CUSHION = 0.6  # at the least so much of a speed a cushion leaves
_FREELY = 4  # places on a path that surely is a free one
_PLAINLY_MM, _SHARPLY = 28.0, 0.5  # twice what a place is amiss; cosine
_STEP_MM, _ALIKE = 5.0, 0.15  # of a step: a raised piece seems to go farther
_BRIEFLY_S = 0.1  # since it was seen to lie
_FASTEST_MM_S = 8000.0  # as no finger flicks
_RISING = 1.7  # so much faster at the most what flies seems to run than when it was hit


def by_hand(lines: Sequence[Timeline], knocks: Sequence[Knock], board: Board) -> set[int]:
    """The numbers of the pieces that a hand carried.

    What is lost on the surface while nothing else moved, but by that hand, was taken up if it was
    mostly slower than any stroke, or hardly seen, or seen no sooner than long after it lay, and
    what ran faster once than before and came off the surface neither into a pocket nor in flight.
    So was what went the same way as another that gathered speed so, or was lost beside others that
    were taken up, and was seen on no free path. What is seen again was laid down, if its way there
    was as slow and mostly hidden, or slow until it came farther unseen than a hand hides, or if it
    lay still before friction can have stopped it. So was what only a finger can have struck and was
    not seen to run out, if it came in sight as far from home as that, or faster than any finger
    sends it, or ran faster once than before, or turned where nothing was. The hand that takes it
    moves all else that moves then. Where nothing was struck that may be, nothing can have hit a man
    that ran ever faster, nor one that set off by itself and was lost, nor, where fingers strike and
    so hide men, one that was seen on no free path.
    """
    moved = [who for who, line in enumerate(lines) if line.moved]
    # what flies from its first knock on seems to gather speed as it rises towards the camera
    found = {who for who in moved if not _flies(lines[who]) and _gathers_speed(lines[who])}
    found |= {
        who for who in moved if lines[who].track.kind in FLICKED and _came_at_once(lines[who])
    }
    found |= {who for who in moved if any(_go_together(lines[who], lines[k]) for k in found)}
    found |= _the_one_left(lines, found, knocks, board)
    if any(lines[who].track.kind in CUED for who in moved if who not in found):
        return found
    if any(lines[who].track.kind in FLICKED for who in found):
        return found | {*moved}
    found |= {who for who in moved if not _flies(lines[who]) and runs_faster(lines[who].track)}
    fingers = is_flicked(board)
    return found | {
        k.a
        for k in knocks
        if k.kind == "strike"
        and (_lost_on_surface(lines[k.a]) or (fingers and not _ran_freely(lines[k.a])))
    }


def _the_one_left(
    lines: Sequence[Timeline], found: set[int], knocks: Sequence[Knock], board: Board
) -> set[int]:
    """The number of the one piece that left its place, but for those of `found`, if carried too."""
    # beside a hand that half hides it, what lies may seem to shift by a trace or to run on
    ran = {
        who
        for who, line in enumerate(lines)
        if line.moved and line.track.is_off().any() and not _lies_as_before(line)
    }
    if len(ran - found) != 1:
        return set()
    [who] = ran - found
    stayed = lines[who].ending.on_surface and not lines[who].track.lost
    taken_too = bool(ran & found) and not stayed and not _ran_freely(lines[who])
    return {who} if taken_too or _alone_was_carried(lines[who], who, knocks, board) else set()


def _lies_as_before(line: Timeline) -> bool:
    """Whether a man lies at the end where he lay, as far as can be seen beside a hand."""
    stays = line.ending.on_surface and not line.track.lost and line.track.kind not in CUED
    return stays and line.track.way_mm(line.track.rests_at()) < _SEEMS_MM


def _came_at_once(line: Timeline) -> bool:
    """Whether a piece came farther in the time in which nobody saw it than any stroke sends it."""
    gaps_s, far_mm = _first_step(line)
    return bool((far_mm > _FASTEST_MM_S * gaps_s).any())


def _go_together(line: Timeline, other: Timeline) -> bool:
    """Whether two pieces went the same ways at the same times, as what one hand moves does."""
    a, b = line.track, other.track
    _, i, k = np.intersect1d(a.t, b.t, assume_unique=True, return_indices=True)
    x, y = np.diff(a.x[i]), np.diff(a.y[i])
    off_mm = np.hypot(x - np.diff(b.x[k]), y - np.diff(b.y[k]))
    far_mm = np.hypot(x, y)
    went = far_mm > _STEP_MM
    alike = off_mm[went] < _ALIKE * far_mm[went] + _ROUGH_MM
    return bool(went.any() and alike.all())


def _ran_freely(line: Timeline) -> bool:
    """Whether a piece was seen on a path that surely is a free one."""
    return any(phase.count >= _FREELY for phase in line.phases[1:])


def _gathers_speed(line: Timeline) -> bool:
    return carried(line.track, left=line.ending.kind == "off_board")


def _alone_was_carried(line: Timeline, who: int, knocks: Sequence[Knock], board: Board) -> bool:
    """Whether a hand carried the one piece that left its place."""
    if (_hardly_ran(line.track) or _set_off_unseen(line)) and _lost_on_surface(line):
        return True
    return (
        _was_taken_off(line)
        or _was_hidden(line)
        or _was_laid_down(line, board)
        or _stopped_at_once(line, who, knocks)
    )


def _hardly_ran(track: Track) -> bool:
    """Whether its places are mostly nearer to each other than a stroke would have them.

    A single one says so only if it is rough: what runs in sight is seen better than that. One that
    the hand half hides is some millimetres amiss.
    """
    error_mm = track.sigma[track.is_off()]
    if len(error_mm) < 2:
        return bool((error_mm > _ROUGH_MM).all())
    return usual_mm_s(track) < STROKE_MM_S


def _set_off_unseen(line: Timeline) -> bool:
    """Whether a piece was seen neither where it lay nor on its way for longer than a hand hides it.

    A stroke takes it out from under the hand at once.
    """
    return line.phases[1].first_s - line.phases[0].last_s > _UNSEEN_S


def _was_taken_off(line: Timeline) -> bool:
    """Whether a piece, which nothing can have hit, ran faster and was seen to rest nowhere.

    What a cue or a finger pushes on may gather speed as well, but it stays on the surface, or is
    pushed into a pocket.
    """
    ending = line.ending
    pushed = ending.on_surface or ending.kind == "pocketed"
    return not pushed and not _flew(line) and runs_faster(line.track)


def _was_hidden(line: Timeline) -> bool:
    """Whether a piece was slower than any stroke on its way, and mostly nobody saw it there.

    So it is where a finger strikes, if it was that slow as long as it was seen, and then came
    farther unseen than a hand can hide all of its way: what runs comes in sight.
    """
    track = line.track
    x, y = track.rests_at()
    off = track.is_off()
    far = np.hypot(track.x - x, track.y - y) > _ROUGH_MM
    seen = np.flatnonzero(off & far)
    flicked = track.kind in FLICKED
    if not len(seen):
        return flicked and bool(off.any()) and _is_slow(*_first_step(line))
    on_way = track.part(slice(int(seen[0]), int(np.flatnonzero(far)[-1]) + 2))
    gaps_s, far_mm = np.diff(on_way.t), np.hypot(np.diff(on_way.x), np.diff(on_way.y))
    first_s, first_mm = _first_step(line)
    return _is_slow(gaps_s, far_mm) or (
        flicked and _came_far(np.append(first_s, gaps_s), np.append(first_mm, far_mm))
    )


def _is_slow(gaps_s: Floats, far_mm: Floats) -> bool:
    """Whether nobody saw most of a way that is shorter than a stroke's in as long a time."""
    return _mostly_unseen(gaps_s) and float(far_mm.sum()) < STROKE_MM_S * float(gaps_s.sum())


def _came_far(gaps_s: Floats, far_mm: Floats) -> bool:
    """Whether no stroke was seen on a way that no hand can have hidden where nobody saw it.

    The first step is the one from home.
    """
    unseen = 1 + np.flatnonzero((gaps_s[1:] > _UNSEEN_S) & (far_mm[1:] > _HIDES_MM))
    return bool(len(unseen)) and (
        _never_fast(gaps_s, far_mm) or any(_slow_until(int(k), gaps_s, far_mm) for k in unseen)
    )


def _never_fast(gaps_s: Floats, far_mm: Floats) -> bool:
    """Whether no step that was seen, but the one from home, was as fast as a stroke."""
    seen = gaps_s[1:] <= _UNSEEN_S
    return bool((far_mm[1:][seen] < STROKE_MM_S * gaps_s[1:][seen]).all())


def _slow_until(step: int, gaps_s: Floats, far_mm: Floats) -> bool:
    """Whether a way was slower than a stroke, in all and step by step, before nobody saw it.

    What was so slow cannot have come far by itself after that, whatever is seen then.
    """
    gaps_s, far_mm = gaps_s[:step], far_mm[:step]
    seen = np.flatnonzero(gaps_s[1:] <= _UNSEEN_S) + 1
    roughly = far_mm[seen] < STROKE_MM_S * gaps_s[seen] + AMISS_MM
    return step > 1 and bool(far_mm.sum() < STROKE_MM_S * gaps_s.sum() and roughly.all())


def _mostly_unseen(gaps_s: Floats) -> bool:
    return float(gaps_s[gaps_s > _UNSEEN_S].sum()) > _MOSTLY * float(gaps_s.sum())


def _was_laid_down(line: Timeline, board: Board) -> bool:
    """Whether a piece that is flicked ran as none does: ever faster, or it was not seen to run out.

    The finger is off it at once, so that it only slows down, and comes in sight before a hand has
    hidden all of a long way; a cue may stay behind what it pushes.
    """
    if line.track.kind not in FLICKED or line.ending.kind != "rest" or len(line.phases) < 3:
        return False
    if gathers_speed(line.track):
        return True
    if _ran_out(*line.phases[-2:]):
        return False
    gaps_s, far_mm = _first_step(line)
    out_of_hand = gaps_s[0] > _UNSEEN_S and far_mm[0] > _HIDES_MM
    return (
        bool(out_of_hand) or runs_faster(line.track, board) or _turned_by_nothing(line.track, board)
    )


def _first_step(line: Timeline) -> tuple[Floats, Floats]:
    """(1,) s and (1,) mm from home, where it was seen last, to the first place that is not home."""
    track = line.track
    first = np.flatnonzero(track.is_off())[:1]
    return track.t[first] - line.phases[0].last_s, track.away_mm()[first]


def _turned_by_nothing(track: Track, board: Board) -> bool:
    """Whether a piece alone on its way turned sharply too far from any cushion to come from it."""
    off = np.flatnonzero(track.is_off())
    if not len(off):
        return False
    run = track.part(slice(max(int(off[0]) - 1, 0), None))
    places = list(zip(run.x.tolist(), run.y.tolist(), run.t.tolist(), strict=True))
    room = board.width_mm / 2 - track.radius_mm, board.height_mm / 2 - track.radius_mm
    for (x, y, t), (u, v, begun), (z, w, end) in zip(places, places[1:], places[2:], strict=False):
        came, went = hypot(u - x, v - y), hypot(z - u, w - v)
        if min(came, went) < _PLAINLY_MM or not _turns((x, y), (u, v), (z, w)):
            continue
        before_mm = went / (end - begun) * (begun - t) / _CUSHION + _PLAINLY_MM
        if any(
            hypot(u - a, v - b) < before_mm and not _turns((a, b), (u, v), (z, w))
            for a, b in _mirrored((x, y), room)
        ):
            continue  # it had been turned just before
        by_cushion = min(hypot(a - u, b - v) for a, b in _mirrored((z, w), room))
        if by_cushion > came / (begun - t) * (end - begun) + _PLAINLY_MM:
            return True
    return False


def _turns(origin: tuple[float, float], at: tuple[float, float], to: tuple[float, float]) -> bool:
    """Whether the way by three places turns sharply."""
    came, went = (at[0] - origin[0], at[1] - origin[1]), (to[0] - at[0], to[1] - at[1])
    return came[0] * went[0] + came[1] * went[1] <= _SHARPLY * hypot(*came) * hypot(*went)


def _mirrored(
    place: tuple[float, float], room: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """Where a place seems to lie by way of each cushion; `room` is how far out a piece can be."""
    x, y = place
    for side in (-1, 1):
        yield side * 2 * room[0] - x, y
        yield x, side * 2 * room[1] - y


def _ran_out(run: Stretch, rest: Stretch) -> bool:
    """Whether a free path was seen that leads to where the piece lies.

    What lies beside a hand may seem to shift by a trace.
    """
    far_mm = dist(run.at(run.first_s), run.at(run.last_s))
    return run.count >= _FREELY and far_mm > _SEEMS_MM and leads_to(run, rest)


def _stopped_at_once(line: Timeline, who: int, knocks: Sequence[Knock]) -> bool:
    """Whether a piece that touched no other lay still while it would have run as fast as a stroke.

    A hand that hides most of its way shows it here and there, as if it ran from one to the next.
    """
    if line.ending.kind != "rest" or len(line.phases) < 3:
        return False
    run, rest = line.phases[-2:]
    met = [k for k in knocks if k.concerns(who) and run.first_s < k.t_s <= rest.first_s]
    if any(k.kind == "contact" for k in met):
        return False
    left = _CUSHION ** len(met)
    slows = (line.slowing + line.slowing_error) * (rest.first_s - run.last_s)
    return left * hypot(*run.speed_at(run.last_s)) - slows > STROKE_MM_S


def _flies(line: Timeline) -> bool:
    """Whether a piece was seen to fly, or a man left the board who was at once as fast as no hand
    is: he need not be seen past the border."""
    if _flew(line):
        return True
    speeds = speeds_mm_s(line.track)
    if line.track.kind in CUED or line.ending.kind != "off_board" or not len(speeds):
        return False
    gaps_s, _ = _first_step(line)
    return bool(speeds[0] > AT_ONCE_MM_S and gaps_s[0] < _BRIEFLY_S) and _only_rises(line)


def _flew(line: Timeline) -> bool:
    """Whether a piece was seen in the air past the border, where it came as pieces fly.

    What a hand carries over the border is seen there as well, but it sets off slowly.
    """
    return line.track.flew is not None and _only_rises(line)


def _only_rises(line: Timeline) -> bool:
    """Whether a piece was as fast at once as it was later, but for what it seems to gain as it
    rises towards the camera."""
    speeds = speeds_mm_s(line.track)
    return not len(speeds) or bool(speeds.max() < _RISING * max(speeds[0], 1.0))


def _lost_on_surface(line: Timeline) -> bool:
    """Whether a piece was lost, and neither in a pocket nor in the air past the border."""
    return line.track.lost and not _flew(line) and line.ending.kind != "pocketed"
