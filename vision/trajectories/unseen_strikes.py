"""Strikes that a hand hid: what the struck piece set running bounds when it can have set off."""

from collections.abc import Sequence, Set
from dataclasses import replace
from math import hypot, inf, sqrt

import numpy as np

from rules.board import Board
from vision.strikers import CUED
from vision.trajectories.breaks import Knock, comes_from_home
from vision.trajectories.gone import Ending
from vision.trajectories.paths import resting
from vision.trajectories.sent import (
    BESIDE_MM,
    BY_NO_HAND_MM_S,
    gap_mm,
    has_sent,
    least_mm_s,
    rim_towards,
)
from vision.trajectories.spread import spread
from vision.trajectories.timeline import Timeline

_KEEPS = 0.6  # at the least a piece comes at so much of the speed at which it sends others off
_FEWEST = 4  # places seen where it came to rest
_LIES_MM = 2.0  # so near to each other
_IN_SIGHT = 1.5  # frames from one place to the next, of what came to rest in sight
_AT_ONCE, _AT_ONCE_MM = 1.5, 60.0  # frames; between two pictures a blow goes no farther


def with_unseen_strikes(lines: Sequence[Timeline], board: Board, frame_s: float) -> list[Timeline]:
    """`lines`, in which what a cue or a finger strikes lay no longer than it can have.

    A piece that came in sight only after it had set others running was on its way to them before:
    slower than they ran at first, about, it cannot have come. One that came in sight only when it
    lay still again had run, if meanwhile others set off as they do when it comes from where it lay.
    """
    lines = [_with_unseen_run(line, lines, board, frame_s) for line in lines]
    return [_since_it_can_have_left(line, lines, board, frame_s) for line in lines]


def struck_before_touching(knocks: Sequence[Knock], lines: Sequence[Timeline]) -> list[Knock]:
    """`knocks`, in which no piece that lay at rest touches another before it is struck.

    Such a strike was between when the piece lay still and when it touched. One of a piece that
    was seen only where it lies still again was as fast as it must be for what it sent off.
    """
    return sorted((_before_touching(k, knocks, lines) for k in knocks), key=lambda k: k.t_s)


def sent_beneath_a_hand(knocks: Sequence[Knock], lines: Sequence[Timeline]) -> list[Knock]:
    """`knocks`, and the touches of men who lie elsewhere and set off at nobody knows when.

    What a hand hid beside them set off meanwhile: the struck piece has sent them there.
    """
    cued = [who for who, line in enumerate(lines) if line.moved and line.track.kind in CUED]
    pushed = {who for k in knocks if k.kind != "cushion" for who in (k.a, k.b)}
    found = [*knocks]
    for other, man in enumerate(lines):
        if not man.moved or other in pushed or other in cued:
            continue
        touches = (_hit_unseen(who, lines[who], other, man) for who in cued)
        found += [touch for touch in touches if touch is not None][:1]
    return sorted(found, key=lambda knock: knock.t_s)


def sent_at_once(
    knocks: Sequence[Knock], lines: Sequence[Timeline], struck: Set[int], frame_s: float
) -> list[Knock]:
    """`knocks`, and the touches of men that set off at once with what was pushed close by.

    `struck` are the numbers of what was struck. No hand sends a man off so fast, just then: the
    blow went on to him, or to one that he touched, between two pictures.
    """
    found = [*knocks]
    left = {who for who, line in enumerate(lines) if line.moved and line.track.kind not in CUED}
    while True:
        pushed = pushed_on(found, struck)
        fast = (who for who in left - pushed if _is_sent(pushed_on(found, {who}), lines))
        pairs = [
            (gap_mm(lines[who], lines[by]), who, by)
            for who in fast
            for by in pushed
            if lines[by].moved and _left_at_once(lines[who], lines[by], frame_s)
        ]
        near_mm, who, by = min(pairs, default=(inf, -1, -1))
        if near_mm > _AT_ONCE_MM:
            return sorted(found, key=lambda knock: knock.t_s)
        man, other = lines[who], lines[by]
        low, high = max(man.phases[0].last_s, other.phases[0].last_s), man.left_by_s
        x, y = rim_towards(man, other)
        found.append(
            Knock("contact", (low + high) / 2, (high - low) / sqrt(12.0), by, who, x_mm=x, y_mm=y)
        )


def pushed_on(knocks: Sequence[Knock], numbers: Set[int]) -> set[int]:
    """Those `numbers`, and of what these pushed, from one to the next."""
    touching = [{k.a, k.b} for k in knocks if k.kind == "contact"]
    return spread(numbers, set().union(*touching), lambda i, k: {i, k} in touching)


def _is_sent(numbers: Set[int], lines: Sequence[Timeline]) -> bool:
    """Whether one of those that pushed each other on went off faster than a hand pushes aside."""
    runs = (lines[who].phases[1] for who in numbers if lines[who].moved)
    return any(hypot(*run.speed_at(run.first_s)) > BY_NO_HAND_MM_S for run in runs)


def _left_at_once(man: Timeline, other: Timeline, frame_s: float) -> bool:
    """Whether a man left when another had, or may have, and no later than a frame or so."""
    lay_s = man.phases[0].last_s - other.phases[0].last_s
    return abs(lay_s) < _AT_ONCE * frame_s and man.left_by_s > other.phases[0].last_s


def _hit_unseen(who: int, line: Timeline, other: int, man: Timeline) -> Knock | None:
    """How the piece of `line` hit a man, both out of sight; None: it cannot have, or need not."""
    if gap_mm(line, man) > BESIDE_MM:
        return None
    if not man.ending.off_surface and man.track.way_mm(man.track.rests_at()) < man.track.radius_mm:
        return None
    low = max(line.phases[0].last_s, man.phases[0].last_s)
    high = min(line.left_by_s, man.left_by_s)
    if high <= low:
        return None
    x, y = rim_towards(man, line)
    t_s, error_s = (low + high) / 2, (high - low) / sqrt(12.0)
    return Knock("contact", t_s, error_s, who, other, x_mm=x, y_mm=y)


def _before_touching(knock: Knock, knocks: Sequence[Knock], lines: Sequence[Timeline]) -> Knock:
    if knock.kind != "strike" or lines[knock.a].track.kind not in CUED:
        return knock
    touches = [k for k in knocks if k.kind == "contact" and k.concerns(knock.a)]
    first = min(touches, key=lambda k: k.t_s, default=None)
    if first is None:
        return knock
    line, other = lines[knock.a], lines[first.other(knock.a)]
    if knock.speed_mm_s == 0.0 and other.moved:
        knock = replace(knock, speed_mm_s=least_mm_s(line, other))
    first_s, lay_s = first.t_s, line.phases[0].last_s
    if not lay_s < first_s <= knock.t_s:
        return knock
    error_s = hypot((first_s - lay_s) / sqrt(12.0), first.error_s)
    return replace(knock, t_s=(lay_s + first_s) / 2, error_s=error_s)


def _with_unseen_run(
    line: Timeline, lines: Sequence[Timeline], board: Board, frame_s: float
) -> Timeline:
    """`line` of a piece that lay still where it was seen next, or came to lie there just then, with
    the run that it had made."""
    track = line.track
    if line.moved or track.kind not in CUED:
        return line
    off = track.is_off()
    if off.sum() < _FEWEST or not off[-1]:
        return line  # it is at home again, or hardly seen elsewhere
    x, y = track.rests_at()
    # what the hand has pushed on first, before it hid it, was seen off home already
    before = np.flatnonzero(~off | (np.hypot(track.x - x, track.y - y) > _LIES_MM))
    first = int(before[-1]) + 1 if len(before) else 0
    while first and off[first - 1] and track.t[first] - track.t[first - 1] < _IN_SIGHT * frame_s:
        first -= 1
    if len(track.t) - first < _FEWEST:
        return line
    lain = [float(t) for t in track.t[first - 1 : first]]
    lain += [] if track.lay_s is None else [track.lay_s]
    lay_s, seen_s = max(lain, default=inf), float(track.t[first])
    if not any(has_sent(line, o, lay_s, seen_s, board) for o in lines):
        return line
    home = resting(*track.home, track.home_error_mm, -1e9, lay_s)
    there = resting(x, y, float(track.sigma[first]), seen_s, float(track.t[-1]))
    ending = Ending("rest", seen_s, (seen_s - lay_s) / sqrt(12.0))
    own = np.flatnonzero(~off | (np.arange(len(off)) >= first))
    return replace(line, track=track.part(own), phases=(home, there), ending=ending)


def _since_it_can_have_left(
    line: Timeline, lines: Sequence[Timeline], board: Board, frame_s: float
) -> Timeline:
    if not line.moved or line.track.kind not in CUED or line.track.lay_s is None:
        return line
    lay, run = line.phases[0], line.phases[1]
    earlier = _sent_while_it_seemed_to_lie(line, lines, board, frame_s)
    others = earlier or [
        o for o in lines if o.moved and o.track.kind not in CUED and o.phases[0].last_s > lay.last_s
    ]
    first = min(others, key=lambda o: o.phases[0].last_s, default=None)
    if first is None or (not earlier and run.first_s - lay.last_s < 1.5 * frame_s):
        return line
    lain, begun = first.phases[0], first.phases[1]
    if lain.last_s > run.first_s:
        return line
    gap = max(gap_mm(line, first), 0.0)
    pace = max(_KEEPS * hypot(*begun.speed_at(begun.first_s)), 1.0)
    until = lain.last_s - gap / pace
    if not earlier:
        until = max(lay.last_s, until)
    return replace(line, phases=(replace(lay, last_s=until), *line.phases[1:]))


def _sent_while_it_seemed_to_lie(
    line: Timeline, lines: Sequence[Timeline], board: Board, frame_s: float
) -> list[Timeline]:
    """Those that ran as sent by the piece of `line` while a hand looked as if it still lay there.

    The way it came in sight by tells: it does not lead from where it lay. One that was seen only
    where it lies still again was seen on no such way. A cushion may lead it back over its home;
    then it tells that nothing had moved before that set off, and that it was not measured at home
    since.
    """
    seemed_s = line.phases[0].last_s
    sent = [o for o in lines if o is not line and has_sent(line, o, -inf, seemed_s, board)]
    if not comes_from_home(line, frame_s) or _was_seen_only_at_rest(line):
        return sent
    lain = line.track.t[~line.track.is_off()]
    since_s = max((float(t) for t in lain if t < seemed_s + 1e-9), default=-inf)
    first_s = min((o.phases[0].last_s for o in lines if o.moved and o is not line), default=inf)
    return [o for o in sent if since_s <= o.phases[0].last_s <= first_s]


def _was_seen_only_at_rest(line: Timeline) -> bool:
    """Whether a piece that left home was next seen where it came to rest."""
    run, last = line.phases[1], line.phases[-1]
    return len(line.phases) == 3 and line.ending.kind == "rest" and run.first_s >= last.first_s
