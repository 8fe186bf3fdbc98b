"""Several knocks within a frame or two: played through, and kept where they lead to what was seen.

Where a piece is hit, meets the cushion and is hit again before two samples of each free path exist,
no path can be fitted between. But the paths before are known, and so is what follows: pieces are
played from the one to the other with several bounces, and the knocks of the play that ends like the
picture are taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from rules.board import Board
from rules.geometry import Seat
from vision.motion.foresight import Foreseen, Runner, foresee
from vision.motion.knocks import Knock
from vision.motion.timeline import Timeline

_BOUNCES = (0.95, 0.88, 0.8)
_CUSHIONS = (0.85, 0.75, 0.62, 0.5)
_NEAR_MM = 260.0


@dataclass(frozen=True, slots=True)
class _Change:
    who: int
    k: int
    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class _Play:
    misfit: float
    told: tuple[Foreseen, ...]
    cast: tuple[int, ...]
    start_s: float
    ways: tuple[tuple[float, float], ...]


def fill_in(
    lines: Sequence[Timeline], knocks: Sequence[Knock], board: Board, frame_s: float
) -> list[Knock]:
    """`knocks` with those of crowded moments set right."""
    result = list(knocks)
    changes = [c for who, line in enumerate(lines) for c in _changes(who, line)]
    changes.sort(key=lambda c: c.lo)
    for group in _groups(changes, frame_s):
        if all(_plain(change, result, lines, frame_s) for change in group):
            continue
        play = _best(group, _firm(group, result, frame_s), lines, board, frame_s)
        if play is not None:
            result = _merge(result, group, play, lines, frame_s)
    result.sort(key=lambda knock: knock.t_s)
    return result


def _changes(who: int, line: Timeline) -> list[_Change]:
    found = []
    for k in range(len(line.phases) - 1):
        lo, hi = line.phases[k].last_s, line.phases[k + 1].first_s
        found.append(_Change(who, k, lo, max(hi, lo)))
    return found


def _groups(changes: list[_Change], frame_s: float) -> list[list[_Change]]:
    groups: list[list[_Change]] = []
    end = -1e9
    for change in changes:
        if groups and change.lo < end + 0.3 * frame_s:
            groups[-1].append(change)
        else:
            groups.append([change])
        end = max(end if len(groups[-1]) > 1 else -1e9, change.hi)
    return groups


def _plain(
    change: _Change, knocks: Sequence[Knock], lines: Sequence[Timeline], frame_s: float
) -> bool:
    """Whether one known knock accounts for this change."""
    line = lines[change.who]
    after = line.phases[change.k + 1]
    if hypot(*after.speed_at(after.first_s)) < 15:
        return True
    mine = [
        knock
        for knock in knocks
        if change.who in (knock.a, knock.b)
        and knock.error_s < 0.9 * frame_s
        and change.lo - 0.7 * frame_s <= knock.t_s <= change.hi + 0.7 * frame_s
    ]
    if not mine:
        return False
    if any(knock.kind == "strike" for knock in mine):
        return line.track.kind in ("cue-puck", "striker")
    return change.hi - change.lo < 1.4 * frame_s or (change.k == 0 and len(mine) == 1)


def _firm(group: list[_Change], knocks: Sequence[Knock], frame_s: float) -> list[Knock]:
    """The contacts among a group that are certain without any play."""
    who = {change.who for change in group}
    lo, hi = min(c.lo for c in group), max(c.hi for c in group)
    return [
        knock
        for knock in knocks
        if knock.kind == "contact"
        and knock.error_s < 0.12 * frame_s
        and lo - 0.3 * frame_s <= knock.t_s <= hi + 0.3 * frame_s
        and (knock.a in who or knock.b in who)
    ]


def _tells(play: _Play, firm: Sequence[Knock], frame_s: float) -> bool:
    """Whether a play has all the contacts that are certain anyway."""
    return all(
        any(
            event.b >= 0
            and {play.cast[event.a], play.cast[event.b]} == {knock.a, knock.b}
            and abs(play.start_s + event.at_s - knock.t_s) < frame_s
            for event in play.told
        )
        for knock in firm
    )


def _best(
    group: list[_Change],
    firm: Sequence[Knock],
    lines: Sequence[Timeline],
    board: Board,
    frame_s: float,
) -> _Play | None:
    start = min(c.lo for c in group)
    end = max(c.hi for c in group)
    if end - start > 5 * frame_s:
        return None
    changed = {c.who: c for c in group}
    cast = [
        who
        for who, line in enumerate(lines)
        if who in changed or _stands_near(line, group, lines, start)
    ]
    best: _Play | None = None
    for bounce in _BOUNCES:
        for cushion in _CUSHIONS:
            play = _play(cast, changed, lines, board, start, end, bounce, cushion)
            if (best is None or play.misfit < best.misfit) and _tells(play, firm, frame_s):
                best = play
    return best if best is not None and best.misfit < 4.0 and best.told else None


def _stands_near(
    line: Timeline, group: list[_Change], lines: Sequence[Timeline], at_s: float
) -> bool:
    if line.ending.kind in ("pocketed", "off_board") and line.ending.t_s < at_s:
        return False
    x, y = line.phases[line.phase_at(at_s)].at(at_s)
    for change in group:
        px, py = lines[change.who].phases[change.k].at(at_s)
        if hypot(px - x, py - y) < _NEAR_MM:
            return True
    return False


def _play(
    cast: list[int],
    changed: dict[int, _Change],
    lines: Sequence[Timeline],
    board: Board,
    start: float,
    end: float,
    bounce: float,
    cushion: float,
) -> _Play:
    runners = []
    for who in cast:
        line = lines[who]
        phase = line.phases[changed[who].k if who in changed else line.phase_at(start)]
        x, y = phase.at(start)
        vx, vy = phase.speed_at(0.5 * (start + end)) if phase.count > 1 else (0.0, 0.0)
        runners.append(Runner(x, y, vx, vy, line.track.radius_mm, line.track.mass))
    told = foresee(
        runners,
        end - start,
        board.width_mm / 2,
        board.height_mm / 2,
        bounce=bounce,
        cushion=cushion,
    )
    total, count = 0.0, 0
    for runner, who in zip(runners, cast, strict=True):
        line = lines[who]
        if who in changed:
            phase = line.phases[changed[who].k + 1]
        else:
            phase = line.phases[line.phase_at(start)]
        x, y = phase.at(end)
        vx, vy = phase.speed_at(end)
        speed = hypot(vx, vy)
        far = hypot(runner.x_mm - x, runner.y_mm - y)
        turn = hypot(runner.vx_mm_s - vx, runner.vy_mm_s - vy)
        if who in changed or far > 2:
            total += (far / (2.5 + 0.1 * speed * (end - start))) ** 2
            total += (turn / (60 + 0.15 * speed)) ** 2
            count += 2
    ways = tuple((r.x_mm, r.y_mm) for r in runners)
    return _Play(total / max(count, 1), tuple(told), tuple(cast), start, ways)


def _merge(
    knocks: list[Knock],
    group: list[_Change],
    play: _Play,
    lines: Sequence[Timeline],
    frame_s: float,
) -> list[Knock]:
    """The play's knocks, each with the time of a measured one where there is such."""
    who = {change.who for change in group}
    lo = min(c.lo for c in group) - 0.7 * frame_s
    hi = max(c.hi for c in group) + 0.7 * frame_s
    kept: list[Knock] = []
    old: list[Knock] = []
    for knock in knocks:
        inside = lo <= knock.t_s <= hi and (knock.a in who or knock.b in who)
        (old if inside else kept).append(knock)
    for event in play.told:
        if event.speed_mm_s < 5:
            continue
        new = _knock(event, play, lines, frame_s)
        same = [
            k
            for k in old
            if (k.kind, k.a, k.b, k.wall) == (new.kind, new.a, new.b, new.wall)
            and abs(k.t_s - new.t_s) < frame_s
            and k.error_s < 0.9 * frame_s
        ]
        if same:
            old.remove(same[0])
            kept.append(same[0])
        else:
            kept.append(new)
    # a strike by the cue stays: the play begins with pieces already running
    kept += [
        k for k in old if k.kind == "strike" and lines[k.a].track.kind in ("cue-puck", "striker")
    ]
    return kept


def _knock(event: Foreseen, play: _Play, lines: Sequence[Timeline], frame_s: float) -> Knock:
    t = play.start_s + event.at_s
    a = play.cast[event.a]
    x, y = lines[a].phases[lines[a].phase_at(t)].at(t)
    error = 0.2 * frame_s
    if event.b < 0:
        wall = (Seat.E if x > 0 else Seat.W) if event.b == -1 else (Seat.N if y > 0 else Seat.S)
        return Knock("cushion", t, error, a, -1, wall, x, y, event.speed_mm_s)
    b = play.cast[event.b]
    low, high = sorted((a, b))
    return Knock("contact", t, error, low, high, None, x, y, event.speed_mm_s)
