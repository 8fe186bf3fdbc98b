"""What set a piece moving or turned its way, and when: from free paths to knocks.

Every change of a piece's free path must have a cause that was there: another piece whose rim its
rim reached, a cushion, or (for a piece at rest) a cue. The time is where the paths before meet at
the sum of the radii, joined with where each piece's own paths before and after cross, weighted by
what each is worth. Whoever moved first was struck.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt

import numpy as np

from rules.board import Board
from rules.geometry import Seat
from vision.motion.body import CUED
from vision.motion.paths import Stretch
from vision.motion.timeline import Timeline

_RADIUS_ERROR_MM = 0.15
_WALLS = (
    (Seat.E, 0, 1.0),
    (Seat.W, 0, -1.0),
    (Seat.N, 1, 1.0),
    (Seat.S, 1, -1.0),
)


@dataclass(frozen=True, slots=True)
class Knock:
    """`kind` is "strike", "contact" or "cushion"; `a`, `b` number the timelines."""

    kind: str
    t_s: float
    error_s: float
    a: int
    b: int = -1
    wall: Seat | None = None
    x_mm: float = 0.0
    y_mm: float = 0.0
    speed_mm_s: float = 0.0
    played: bool = False  # it comes from a moment that was played again, time and error too


@dataclass(frozen=True, slots=True)
class Break:
    """The change from phase `k` to `k + 1` of piece `who`, somewhere in [lo, hi]."""

    who: int
    k: int
    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class _Cause:
    cost: float
    knock: Knock


def find_knocks(lines: Sequence[Timeline], board: Board, frame_s: float) -> list[Knock]:
    """All knocks among `lines`, in order of time."""
    found = [b for who, line in enumerate(lines) for b in breaks(who, line, frame_s)]
    found.sort(key=lambda b: (b.lo + b.hi) / 2)
    finder = _Finder(lines, board, frame_s, found)
    knocks: list[Knock] = []
    # pieces that leave their rest tell most clearly who touched whom: they go first
    for brk in sorted(found, key=lambda b: (b.k != 0, b.lo)):
        for knock in finder.push(brk) if brk.k == 0 else finder.turn(brk, knocks):
            _add(knocks, knock, frame_s)
    knocks.sort(key=lambda knock: knock.t_s)
    return knocks


def breaks(who: int, line: Timeline, frame_s: float) -> list[Break]:
    """Where a piece's free paths end without having run out, in order."""
    found = []
    for k in range(len(line.phases) - 1):
        before, after = line.phases[k], line.phases[k + 1]
        size = hypot(*before.speed_at(before.last_s))
        slow_end = k + 1 == len(line.phases) - 1 and hypot(*after.speed_at(after.first_s)) < 15
        slows = size < 120 or before.stop_s <= after.first_s + 0.5 * frame_s
        if k > 0 and slow_end and slows and _leads_to(before, after):
            continue  # it merely ran out
        by_s = after.first_s if k else line.left_by_s
        found.append(Break(who, k, before.last_s, max(by_s, before.last_s)))
    return found


def _leads_to(before: Stretch, after: Stretch) -> bool:
    """Whether a path ends about where the next one begins."""
    t = after.first_s
    (x, y), (u, v) = before.at(t), after.at(t)
    return hypot(u - x, v - y) < 1.5 + 4 * before.error_at(t)


def _add(knocks: list[Knock], new: Knock, frame_s: float) -> None:
    for k, old in enumerate(knocks):
        if old.kind != new.kind or old.wall != new.wall:
            continue
        if {old.a, old.b} == {new.a, new.b} and abs(old.t_s - new.t_s) < 2.2 * frame_s:
            if new.error_s < old.error_s:
                knocks[k] = new
            return
    knocks.append(new)


class _Finder:
    def __init__(
        self, lines: Sequence[Timeline], board: Board, frame_s: float, breaks: list[Break]
    ) -> None:
        self.lines = lines
        self.half = (board.width_mm / 2, board.height_mm / 2)
        self.frame_s = frame_s
        self.breaks = breaks

    # -- a piece leaves its rest -------------------------------------------------------------

    def push(self, brk: Break) -> list[Knock]:
        line = self.lines[brk.who]
        after = line.phases[1]
        start = self._leaves(brk)
        direct: list[_Cause] = []
        chained: list[_Cause] = []
        for other in range(len(self.lines)):
            if other == brk.who or not self.lines[other].moved:
                continue
            for cause in self._pair(brk, other):
                (chained if cause.cost >= 100 else direct).append(cause)
        causes = direct or chained
        struck = self._strike(brk, after, start)
        if not causes:
            cue = line.track.kind in CUED
            if not cue and (loose := self._nearest(brk, start[0])) is not None:
                return [loose]
            return [struck] if cue or struck.speed_mm_s > 150 else []
        best = min(causes, key=lambda c: c.cost)
        if best.cost >= 100 and not self._root_elsewhere(brk, best):
            return [struck]
        return [best.knock]

    def _nearest(self, brk: Break, t: float) -> Knock | None:
        """The running piece that alone was near enough to have pushed this one, time uncertain."""
        me = self.lines[brk.who]
        home = me.phases[0].at(t)
        best: tuple[float, Knock] | None = None
        for other, line in enumerate(self.lines):
            if other == brk.who or not line.moved or line.phases[0].last_s >= brk.hi:
                continue
            if line.ending.off_surface and line.ending.t_s < brk.lo:
                continue
            reach = me.track.radius_mm + line.track.radius_mm
            for when in np.linspace(brk.lo - self.frame_s, brk.hi + self.frame_s, 13):
                phase = line.phases[line.phase_at(float(when))]
                x, y = phase.at(float(when))
                speed = hypot(*phase.speed_at(float(when)))
                gap = hypot(x - home[0], y - home[1]) - reach
                if gap < 8 + 0.5 * speed * self.frame_s and (best is None or gap < best[0]):
                    a, b = sorted((brk.who, other))
                    middle = ((x + home[0]) / 2, (y + home[1]) / 2)
                    knock = Knock("contact", t, self.frame_s, a, b, None, *middle, speed)
                    best = (gap, knock)
        return None if best is None else best[1]

    def _root_elsewhere(self, brk: Break, cause: _Cause) -> bool:
        """In a chain of pieces that all leave rest in one frame, the cue's piece is the root."""
        mine = self.lines[brk.who].track.kind in CUED
        other = cause.knock.a if cause.knock.b == brk.who else cause.knock.b
        theirs = self.lines[other].track.kind in CUED
        if mine != theirs:
            return theirs
        return self.lines[other].phases[0].last_s <= brk.lo

    def _strike(self, brk: Break, after: Stretch, start: tuple[float, float]) -> Knock:
        track = self.lines[brk.who].track
        t, error = start
        speed = hypot(*after.speed_at(max(t, after.first_s - self.frame_s)))
        return Knock("strike", t, error, brk.who, -1, None, *track.home, speed)

    def _leaves(self, brk: Break) -> tuple[float, float]:
        """When the path after leads back to the home place."""
        line = self.lines[brk.who]
        after = line.phases[brk.k + 1]
        home = line.phases[brk.k].at(brk.lo)
        return self._meets(after, home, brk, after.error_at(after.first_s))

    def _meets(
        self, path: Stretch, place: tuple[float, float], brk: Break, sigma: float
    ) -> tuple[float, float]:
        t = path.first_s
        for _ in range(4):
            vx, vy = _raw_speed(path, t)
            square = vx * vx + vy * vy
            if square < 1:
                break
            px, py = _raw(path, t)
            t += ((place[0] - px) * vx + (place[1] - py) * vy) / square
        px, py = _raw(path, t)
        miss = hypot(place[0] - px, place[1] - py)
        low, high = brk.lo - 0.75 * self.frame_s, brk.hi + 0.75 * self.frame_s
        if miss > 1.5 + 4 * sigma or not low <= t <= high:
            return (brk.lo + brk.hi) / 2, self.frame_s  # it was turned once more in between
        speed = hypot(*_raw_speed(path, t))
        return t, max(sigma, 0.1) / max(speed, 1.0)

    # -- two pieces --------------------------------------------------------------------------

    def _pair(self, brk: Break, other: int) -> list[_Cause]:
        me, them = self.lines[brk.who], self.lines[other]
        reach = me.track.radius_mm + them.track.radius_mm
        before = me.phases[brk.k]
        after = me.phases[brk.k + 1]
        frame = self.frame_s
        window = (brk.lo - 0.6 * frame, brk.hi + 0.6 * frame)
        theirs = [
            b
            for b in self.breaks
            if b.who == other and b.lo <= brk.hi + 0.6 * frame and b.hi >= brk.lo - 0.6 * frame
        ]
        index = theirs[0].k if theirs else them.phase_at(brk.lo)
        left = them.ending.off_surface
        if not theirs and left and them.ending.t_s < brk.lo - frame:
            return []
        path = them.phases[index]
        # a path before a knock says nothing of the time after it
        late = min([window[1], *(self._ends(b) for b in (brk, *theirs[:1]))])
        times = np.linspace(min(window[0], late - 0.002), late, 49)
        gaps = np.array([_gap(before, path, float(t), reach) for t in times])
        k = int(np.argmin(gaps))
        # the first touch, not the deepest overlap
        under = np.nonzero(gaps <= 0)[0]
        if len(under):
            k = int(under[0])
        t, gap = float(times[k]), float(gaps[k])
        sigma = sqrt(before.error_at(t) ** 2 + path.error_at(t) ** 2 + 2 * _RADIUS_ERROR_MM**2)
        vx, vy = after.speed_at(max(after.first_s, t))
        ux, uy = before.speed_at(min(before.last_s, t))
        jump = (vx - ux, vy - uy)
        size = hypot(*jump)
        if gap > 1.5 + 3 * sigma:
            return self._chain(brk, other, theirs, gap, reach) if brk.k == 0 else []
        if k > 0 and gaps[k - 1] > 0 >= gap:
            part = gaps[k - 1] / (gaps[k - 1] - gap)
            t = float(times[k - 1] + part * (times[k] - times[k - 1]))
        nx, ny = _unit(before.at(t), path.at(t))
        push = (jump[0] * nx + jump[1] * ny) / max(size, 1e-6)
        through = brk.k == 0 and float(gaps.min()) < -2.0 - 3 * sigma
        if size > 20 and push < 0.3 and not through:
            return []
        rate = (_gap(before, path, t - 1e-4, reach) - _gap(before, path, t + 1e-4, reach)) / 2e-4
        if not theirs and brk.k > 0:
            # they did not answer: only a heavy or unmoved piece may keep still
            answer = size * me.track.mass / them.track.mass
            if answer > 60:
                return []
        if rate <= 2 and not (brk.k == 0 and theirs):
            return []
        estimates = [(t, sigma / max(rate, 30.0))] if rate > 2 else []
        estimates.append(self._turns(brk))
        if theirs and window[0] <= (turn := self._turns(theirs[0]))[0] <= window[1]:
            estimates.append(turn)  # else it was turned by another, later or before
        when, error = _join(estimates)
        cost = (max(gap, 0) / (1 + sigma)) ** 2 + 3 * (1 - push) + (0.0 if theirs else 2.0)
        if rate <= 2:
            cost += 100
        return [_Cause(cost, self._contact(brk.who, other, when, error, before, path, rate))]

    def _ends(self, brk: Break) -> float:
        """The latest that the path before this break can have held."""
        t, error = self._turns(brk)
        return t + max(4 * error, 0.2 * self.frame_s)

    def _chain(
        self, brk: Break, other: int, theirs: list[Break], gap: float, reach: float
    ) -> list[_Cause]:
        """They broke in the same frame, ran a little unseen, and touched this piece."""
        if not theirs:
            return []
        after = self.lines[brk.who].phases[1]
        near = self.lines[other].phases[theirs[0].k].at(brk.lo)
        mine = self.lines[brk.who].phases[0].at(brk.lo)
        vx, vy = _raw_speed(after, after.first_s)
        size = hypot(vx, vy)
        nx, ny = _unit(mine, near)
        push = (vx * nx + vy * ny) / max(size, 1e-6)
        if gap > 4 * size * self.frame_s + 3 or size < 20 or push < 0.2:
            return []
        when, error = self._leaves(brk)
        x = near[0] + (mine[0] - near[0]) * 0.5
        y = near[1] + (mine[1] - near[1]) * 0.5
        a, b = sorted((brk.who, other))
        knock = Knock("contact", when, max(error, self.frame_s / 10), a, b, None, x, y, size)
        return [_Cause(100 + gap / 10 + 5 * (1 - push), knock)]

    def _contact(
        self,
        who: int,
        other: int,
        t: float,
        error: float,
        mine: Stretch,
        theirs: Stretch,
        rate: float,
    ) -> Knock:
        px, py = mine.at(t)
        qx, qy = theirs.at(t)
        r, s = self.lines[who].track.radius_mm, self.lines[other].track.radius_mm
        part = r / (r + s)
        x, y = px + (qx - px) * part, py + (qy - py) * part
        a, b = sorted((who, other))
        return Knock("contact", t, error, a, b, None, x, y, max(rate, 0.0))

    def _turns(self, brk: Break) -> tuple[float, float]:
        """When the paths before and after cross, and one sd."""
        before = self.lines[brk.who].phases[brk.k]
        after = self.lines[brk.who].phases[brk.k + 1]
        if brk.k == 0:
            return self._leaves(brk)
        middle = (brk.lo + brk.hi) / 2
        t = middle
        error, spread = inf, 0.1
        for _ in range(3):
            vx, vy = _raw_speed(before, t)
            wx, wy = _raw_speed(after, t)
            jx, jy = wx - vx, wy - vy
            square = jx * jx + jy * jy
            if square < 100:
                return middle, self.frame_s
            px, py = _raw(before, t)
            qx, qy = _raw(after, t)
            t -= ((qx - px) * jx + (qy - py) * jy) / square
            t = min(max(t, brk.lo - self.frame_s), brk.hi + self.frame_s)
            spread = hypot(before.error_at(t), after.error_at(t))
            error = max(spread, 0.1) / sqrt(square)
        px, py = _raw(before, t)
        qx, qy = _raw(after, t)
        late_s = max(brk.lo - t, t - brk.hi)
        far = late_s > max(4 * error, 0.3 * self.frame_s)
        if far or hypot(qx - px, qy - py) > 1.5 + 4 * spread:
            return middle, self.frame_s  # they do not cross: more than one knock lies between
        return t, error

    # -- a moving piece turns ----------------------------------------------------------------

    def turn(self, brk: Break, known: list[Knock]) -> list[Knock]:
        explained = [
            knock
            for knock in known
            if knock.kind == "contact"
            and brk.who in (knock.a, knock.b)
            and brk.lo - 0.8 * self.frame_s <= knock.t_s <= brk.hi + 0.8 * self.frame_s
        ]
        walls = self._walls(brk)
        if explained:
            # a cushion as well only where the way after the contact shows one of its own
            return [c.knock for c in walls if c.cost < 0.6 and self._twice(brk, c, explained)]
        causes = list(walls)
        for other in range(len(self.lines)):
            if other != brk.who:
                causes += self._pair(brk, other)
        causes = [c for c in causes if c.cost < 30]
        if not causes:
            return []
        best = min(causes, key=lambda c: c.cost)
        found = [best.knock]
        corner = [
            c.knock
            for c in walls
            if c.knock.wall != best.knock.wall and c.cost < 1.5 and best.knock.kind == "cushion"
        ]
        return found + corner

    def _twice(self, brk: Break, wall: _Cause, contacts: list[Knock]) -> bool:
        after = self.lines[brk.who].phases[brk.k + 1]
        before = self.lines[brk.who].phases[brk.k]
        _, axis, sign = next(w for w in _WALLS if w[0] is wall.knock.wall)
        out_before = sign * before.speed_at(before.last_s)[axis]
        out_after = sign * after.speed_at(after.first_s)[axis]
        return out_before > 50 and out_after < -0.25 * out_before

    def _walls(self, brk: Break) -> list[_Cause]:
        line = self.lines[brk.who]
        before, after = line.phases[brk.k], line.phases[brk.k + 1]
        radius = line.track.radius_mm
        causes = []
        for seat, axis, sign in _WALLS:
            out = sign * before.speed_at(brk.lo)[axis]
            back = sign * after.speed_at(after.first_s)[axis]
            if out < 5 or back > 0.25 * out + 5:
                continue
            room = self.half[axis] - radius
            times = np.linspace(brk.lo - 0.6 * self.frame_s, brk.hi + 0.6 * self.frame_s, 49)
            gaps = np.array([room - sign * before.at(float(t))[axis] for t in times])
            under = np.nonzero(gaps <= 0)[0]
            k = int(under[0]) if len(under) else int(np.argmin(gaps))
            t, gap = float(times[k]), float(gaps[k])
            sigma = hypot(before.error_at(t), 0.3)
            if gap > 2.0 + 3 * sigma:
                continue
            first = abs(float(gaps[0])) if gaps[0] < 0 else 0.0
            if first > 4 + 3 * sigma:
                continue
            cross, error = self._turns(brk)
            if abs(out) > 30:
                when, error = _join([(t, sigma / out), (cross, error)])
            else:
                when = cross
            jump = hypot(
                after.speed_at(after.first_s)[0] - before.speed_at(brk.lo)[0],
                after.speed_at(after.first_s)[1] - before.speed_at(brk.lo)[1],
            )
            normal = (out - back) / max(jump, 1e-6)
            cost = (max(gap, 0) / (1 + sigma)) ** 2 + 3 * (1 - normal) + (first / 3) ** 2
            knock = Knock("cushion", when, error, brk.who, -1, seat, *before.at(when), out)
            causes.append(_Cause(cost, knock))
        return causes


def _raw(path: Stretch, t: float) -> tuple[float, float]:
    """The path without its stop, so that it can be followed backwards past its beginning."""
    tau = t - path.t0_s
    return (
        path.x[0] + tau * (path.x[1] + tau * path.x[2]),
        path.y[0] + tau * (path.y[1] + tau * path.y[2]),
    )


def _raw_speed(path: Stretch, t: float) -> tuple[float, float]:
    tau = t - path.t0_s
    return path.x[1] + 2 * tau * path.x[2], path.y[1] + 2 * tau * path.y[2]


def _gap(a: Stretch, b: Stretch, t: float, reach: float) -> float:
    ax, ay = a.at(t)
    bx, by = b.at(t)
    return hypot(ax - bx, ay - by) - reach


def _unit(to: tuple[float, float], origin: tuple[float, float]) -> tuple[float, float]:
    dx, dy = to[0] - origin[0], to[1] - origin[1]
    size = hypot(dx, dy)
    return (dx / size, dy / size) if size > 0 else (0.0, 0.0)


def _join(estimates: list[tuple[float, float]]) -> tuple[float, float]:
    """Weighted mean of (time, sd); what lies far from the surest is left out."""
    surest = min(estimates, key=lambda e: e[1])
    kept = [e for e in estimates if abs(e[0] - surest[0]) < 4 * hypot(e[1], surest[1]) + 1e-4]
    weight = [1.0 / max(e[1], 1e-5) ** 2 for e in kept]
    mean = sum(w * e[0] for w, e in zip(weight, kept, strict=True)) / sum(weight)
    return mean, 1.0 / sqrt(sum(weight))
