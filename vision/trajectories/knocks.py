"""What set a piece moving or turned its way, and when: from free paths to knocks.

Every change of a piece's free path must have a cause that was there: another piece whose rim its
rim reached, a cushion, or (for a piece at rest) a cue. The time is where the paths before meet at
the sum of the radii, joined with where each piece's own paths before and after cross, weighted by
what each is worth. Whoever moved first was struck.
"""

from collections.abc import Sequence
from math import hypot, sqrt

import numpy as np

from rules.board import Board
from vision.strikers import CUED
from vision.trajectories.breaks import Break, Cause, Knock, breaks, join, leaves, raw_speed, turns
from vision.trajectories.cushions import cushions_at, turned_from
from vision.trajectories.paths import Stretch
from vision.trajectories.timeline import Timeline

_RADIUS_ERROR_MM = 0.15


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
        self.board = board
        self.frame_s = frame_s
        self.breaks = breaks

    # -- a piece leaves its rest -------------------------------------------------------------

    def push(self, brk: Break) -> list[Knock]:
        line = self.lines[brk.who]
        after = line.phases[1]
        start = leaves(line, brk, self.frame_s)
        direct: list[Cause] = []
        chained: list[Cause] = []
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

    def _root_elsewhere(self, brk: Break, cause: Cause) -> bool:
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

    # -- two pieces --------------------------------------------------------------------------

    def _pair(self, brk: Break, other: int) -> list[Cause]:
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
        silent = left and path.last_s <= brk.lo + 0.1 * frame
        if not theirs and brk.k > 0 and not silent:
            # they did not answer, though seen since: only a heavy or unmoved piece may keep still
            answer = size * me.track.mass / them.track.mass
            if answer > 60:
                return []
        if rate <= 2 and not (brk.k == 0 and theirs):
            return []
        estimates = [(t, sigma / max(rate, 30.0))] if rate > 2 else []
        estimates.append(self._turns(brk))
        if theirs and window[0] <= (turn := self._turns(theirs[0]))[0] <= window[1]:
            estimates.append(turn)  # else it was turned by another, later or before
        when, error = join(estimates)
        cost = (max(gap, 0) / (1 + sigma)) ** 2 + 3 * (1 - push) + (0.0 if theirs else 2.0)
        if rate <= 2:
            cost += 100
        return [Cause(cost, self._contact(brk.who, other, when, error, before, path, rate))]

    def _turns(self, brk: Break) -> tuple[float, float]:
        return turns(self.lines[brk.who], brk, self.frame_s)

    def _ends(self, brk: Break) -> float:
        """The latest that the path before this break can have held."""
        t, error = self._turns(brk)
        return t + max(4 * error, 0.2 * self.frame_s)

    def _chain(
        self, brk: Break, other: int, theirs: list[Break], gap: float, reach: float
    ) -> list[Cause]:
        """They broke in the same frame, ran a little unseen, and touched this piece."""
        if not theirs:
            return []
        after = self.lines[brk.who].phases[1]
        near = self.lines[other].phases[theirs[0].k].at(brk.lo)
        mine = self.lines[brk.who].phases[0].at(brk.lo)
        vx, vy = raw_speed(after, after.first_s)
        size = hypot(vx, vy)
        nx, ny = _unit(mine, near)
        push = (vx * nx + vy * ny) / max(size, 1e-6)
        if gap > 4 * size * self.frame_s + 3 or size < 20 or push < 0.2:
            return []
        when, error = leaves(self.lines[brk.who], brk, self.frame_s)
        x = near[0] + (mine[0] - near[0]) * 0.5
        y = near[1] + (mine[1] - near[1]) * 0.5
        a, b = sorted((brk.who, other))
        knock = Knock("contact", when, max(error, self.frame_s / 10), a, b, None, x, y, size)
        return [Cause(100 + gap / 10 + 5 * (1 - push), knock)]

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

    # -- a moving piece turns ----------------------------------------------------------------

    def turn(self, brk: Break, known: list[Knock]) -> list[Knock]:
        explained = [
            knock
            for knock in known
            if knock.kind == "contact"
            and knock.concerns(brk.who)
            and brk.lo - 0.8 * self.frame_s <= knock.t_s <= brk.hi + 0.8 * self.frame_s
        ]
        line = self.lines[brk.who]
        walls = cushions_at(line, brk, self.board, self.frame_s)
        if explained:
            # a cushion as well only where the way after the contact shows one of its own
            return [c.knock for c in walls if c.cost < 0.6 and turned_from(line, brk, c.knock)]
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


def _gap(a: Stretch, b: Stretch, t: float, reach: float) -> float:
    ax, ay = a.at(t)
    bx, by = b.at(t)
    return hypot(ax - bx, ay - by) - reach


def _unit(to: tuple[float, float], origin: tuple[float, float]) -> tuple[float, float]:
    dx, dy = to[0] - origin[0], to[1] - origin[1]
    size = hypot(dx, dy)
    return (dx / size, dy / size) if size > 0 else (0.0, 0.0)
