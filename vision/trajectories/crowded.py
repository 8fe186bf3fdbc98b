"""Moments in which more happened than one knock: found, played again, and set right.

Where a piece is hit, meets the cushion and is hit again before two samples of each free path exist,
no path can be fitted between; where pieces lie in a cluster, several part at once. Such a moment is
known by paths that no single knock accounts for. `reenacting` plays it; its knocks replace those
found pair by pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from rules.board import Board
from vision.strikers import CUED
from vision.trajectories.breaks import Knock, breaks
from vision.trajectories.moments import Moment
from vision.trajectories.reenacting import reenacted
from vision.trajectories.timeline import Timeline

_SHORT = 2  # samples: a path so short is no path, but places on the way
_LONGEST = 10  # frames
_MOST = 9  # pieces
_ROOM_MM = 10.0
_GUESSED = 0.9  # frames
_NEARLY = 0.7  # of a frame
_ASIDE, _ASIDE_MM_S = 0.12, 30.0


@dataclass(frozen=True, slots=True)
class _Change:
    """One or more breaks of one piece with no path worth the name between them."""

    who: int
    first: int
    last: int
    lo: float
    hi: float


def fill_in(
    lines: Sequence[Timeline],
    knocks: Sequence[Knock],
    board: Board,
    frame_s: float,
    exposure_s: float = 0.0,
) -> list[Knock]:
    """`knocks` with those of crowded moments set right."""
    result = list(knocks)
    changes = [c for who, line in enumerate(lines) for c in _changes(who, line, frame_s)]
    for group in _groups(changes, lines, frame_s):
        if all(_plain(change, result, lines, frame_s) for change in group):
            continue
        moment = _moment(group, lines, frame_s)
        if moment is None:
            continue
        told = reenacted(moment, lines, board, frame_s=frame_s, exposure_s=exposure_s)
        if told is not None:
            kept = [k for k in result if not _retold(k, told, result, group, lines, frame_s)]
            result = kept + told
    result.sort(key=lambda knock: knock.t_s)
    return result


def _changes(who: int, line: Timeline, frame_s: float) -> list[_Change]:
    found: list[_Change] = []
    for brk in breaks(who, line, frame_s):
        old = found[-1] if found else None
        # where it was seen off its path before that began, it was turned once more
        hi = max(brk.hi, line.phases[brk.k + 1].first_s)
        if old is not None and old.last == brk.k and line.phases[brk.k].count <= _SHORT:
            found[-1] = _Change(who, old.first, brk.k + 1, old.lo, hi)
        else:
            found.append(_Change(who, brk.k, brk.k + 1, brk.lo, hi))
    return found


def _groups(
    changes: Sequence[_Change], lines: Sequence[Timeline], frame_s: float
) -> list[list[_Change]]:
    """Changes that may be of one cause: at one time and near each other."""
    groups: list[list[_Change]] = []
    for change in sorted(changes, key=lambda c: c.lo):
        joined = [
            group
            for group in groups
            if any(_meet(change, other, lines, frame_s) for other in group)
        ]
        whole = [change, *(other for group in joined for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append(whole)
    return groups


def _meet(a: _Change, b: _Change, lines: Sequence[Timeline], frame_s: float) -> bool:
    if a.who == b.who or a.lo > b.hi + 0.3 * frame_s or b.lo > a.hi + 0.3 * frame_s:
        return False
    reach = lines[a.who].track.radius_mm + lines[b.who].track.radius_mm + _ROOM_MM
    reach += _run(a, lines) + _run(b, lines)
    ax, ay = lines[a.who].phases[a.first].at(a.lo)
    bx, by = lines[b.who].phases[b.first].at(b.lo)
    return hypot(ax - bx, ay - by) < reach


def _run(change: _Change, lines: Sequence[Timeline]) -> float:
    """How far a piece may have run while nothing of its path is known."""
    phases = lines[change.who].phases
    before, after = phases[change.first], phases[change.last]
    x, y = before.at(change.lo)
    u, v = after.at(after.first_s)
    fastest = max(
        hypot(*before.speed_at(change.lo)), hypot(*after.speed_at(after.first_s)), key=abs
    )
    return max(hypot(u - x, v - y), fastest * (change.hi - change.lo))


def _plain(
    change: _Change, knocks: Sequence[Knock], lines: Sequence[Timeline], frame_s: float
) -> bool:
    """Whether one known knock accounts for this change, in time, place and direction."""
    phases = lines[change.who].phases
    before, after = phases[change.first], phases[change.last]
    if hypot(*after.speed_at(after.first_s)) < 15:
        return True
    mine = [knock for knock in knocks if _of(knock, change, frame_s)]
    if change.last > change.first + 1 or len(mine) != 1 or mine[0].error_s > _GUESSED * frame_s:
        return False
    knock = mine[0]
    if knock.kind == "strike":
        return lines[change.who].track.kind in CUED
    x, y = before.at(min(knock.t_s, change.hi))
    bx, by = after.back_to(knock.t_s)
    spread = hypot(before.error_at(knock.t_s), after.error_at(after.first_s))
    if hypot(bx - x, by - y) > 1.5 + 4 * spread:
        return False
    ux, uy = before.speed_at(change.lo)
    vx, vy = after.speed_at(after.first_s)
    jump = (vx - ux, vy - uy)
    nx, ny = (x - knock.x_mm, y - knock.y_mm)
    if knock.wall is not None:
        nx, ny = (1.0, 0.0) if knock.wall.value in "EW" else (0.0, 1.0)
    size = hypot(nx, ny) or 1.0
    aside = abs(jump[0] * ny - jump[1] * nx) / size
    return aside < _ASIDE * hypot(*jump) + _ASIDE_MM_S


def _of(knock: Knock, change: _Change, frame_s: float) -> bool:
    """Whether a knock may be of a change; a strike is of the first, whenever it was taken to be."""
    if knock.kind == "strike":
        return change.who == knock.a and change.first == 0
    return (
        knock.concerns(change.who)
        and change.lo - _NEARLY * frame_s <= knock.t_s <= change.hi + _NEARLY * frame_s
    )


def _retold(
    knock: Knock,
    told: Sequence[Knock],
    known: Sequence[Knock],
    group: Sequence[_Change],
    lines: Sequence[Timeline],
    frame_s: float,
) -> bool:
    """Whether a knock found pair by pair gives way to those of the play.

    Of a piece that moved and that the play left where it lay, what was found stands, if it is more
    than the guess that something near by pushed it; and even that, where the piece left its rest
    and nothing else of all that is `known` set it off.
    """
    pieces = {knock.a, knock.b} & {change.who for change in group}
    played = {who for k in told for who in (k.a, k.b)}
    others = {who for k in known if k != knock and k.wall is None for who in (k.a, k.b)}
    until_s = knock.t_s - _NEARLY * frame_s
    left = {c.who for c in group if c.first == 0 or until_s <= lines[c.who].phases[1].first_s}
    guessed = knock.error_s > _GUESSED * frame_s and not (pieces - played - others) & left
    return _within(knock, group, frame_s) and (pieces <= played or guessed)


def _within(knock: Knock, group: Sequence[_Change], frame_s: float) -> bool:
    until = max(change.hi for change in group)
    return any(
        _of(knock, change, frame_s)
        or (knock.concerns(change.who) and change.lo < knock.t_s < until)
        for change in group
    )


def _moment(group: Sequence[_Change], lines: Sequence[Timeline], frame_s: float) -> Moment | None:
    """The group with all that stands near, None where it is too much to be played."""
    lo, hi = min(c.lo for c in group), max(c.hi for c in group)
    changed: dict[int, tuple[int, int]] = {}
    for c in group:
        first, last = changed.get(c.who, (c.first, c.last))
        changed[c.who] = (min(first, c.first), max(last, c.last))
    if hi - lo > _LONGEST * frame_s or len(changed) > _MOST:
        return None
    near = [
        who
        for who, line in enumerate(lines)
        if who not in changed and _stands_near(line, group, lines, lo)
    ]
    return Moment(changed, tuple(near))


def _stands_near(
    line: Timeline, group: Sequence[_Change], lines: Sequence[Timeline], at_s: float
) -> bool:
    if line.ending.off_surface and line.ending.t_s < at_s:
        return False
    x, y = line.phases[line.phase_at(at_s)].at(at_s)
    for change in group:
        other = lines[change.who]
        px, py = other.phases[change.first].at(change.lo)
        reach = line.track.radius_mm + other.track.radius_mm + _ROOM_MM + _run(change, lines)
        if hypot(px - x, py - y) < reach:
            return True
    return False
