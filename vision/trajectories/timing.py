"""When each knock was, and how sure that is: all that the paths around it say, put together.

A knock lies where a piece's paths before and after it cross, for both pieces at the same instant,
and where their rims (or rim and cushion) are then just touching. Those conditions are solved for
the time by least squares with their covariances; where they contradict each other, the error grows
with the contradiction. A place measured while the knock fell into its exposure is a mixture of both
paths and left out. Where several knocks share one gap between two paths, only what was before the
first and after the last of them counts.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.geometry import Seat
from vision.trajectories.breaks import Knock
from vision.trajectories.paths import Floats, Stretch, fit
from vision.trajectories.timeline import Timeline
from vision.trajectories.turned import Side, had_touched, ran_unseen, turned_on_the_way

_RADIUS_MM = 0.15  # how well the sum of two radii, or a cushion's place, is known
_HOME_MM = 0.12
_FRICTION_MM_S2 = 300.0  # known so well, it leaves a path no bend of its own
_FEW = 3
_FLOOR_S = 3e-5
_ANEW, _SAME_S = 2, 1e-4
_LEAVES_MM_S = 30.0
_RIM = 0.3  # of a frame
_SURE = 0.1  # of a frame: a knock whose time is known so well spoils places
_OUTWARDS = {Seat.E: (0, 1.0), Seat.W: (0, -1.0), Seat.N: (1, 1.0), Seat.S: (1, -1.0)}


@dataclass(frozen=True, slots=True)
class _Way:
    """A path near a knock: places, speeds and one sd per axis at any time, stops ignored."""

    path: Stretch
    inflated: float

    def at(self, t_s: float) -> Floats:
        return np.array(self.path.back_to(t_s))

    def speed(self, t_s: float) -> Floats:
        tau = t_s - self.path.t0_s
        return np.array(
            [self.path.x[1] + 2 * tau * self.path.x[2], self.path.y[1] + 2 * tau * self.path.y[2]]
        )

    def variance(self, t_s: float) -> float:
        tau = t_s - self.path.t0_s
        basis = np.array([1.0, tau, tau * tau])
        return float(basis @ self.path.covariance @ basis) * self.inflated**2


Ways = dict[tuple[int, int, bytes], _Way]
"""Paths of a piece through some of its places: its number, that of its path, and which places."""


def timed(
    knocks: Sequence[Knock],
    lines: Sequence[Timeline],
    board: Board,
    *,
    frame_s: float,
    exposure_s: float,
) -> list[Knock]:
    """`knocks` with their times and errors worked out anew, in order of time."""
    sides = [_sides(knock, lines, frame_s) for knock in knocks]
    shared: dict[Side, list[int]] = defaultdict(list)
    for k, mine in enumerate(sides):
        for side in mine:
            shared[side].append(k)
    unsure = {
        (who, k + 1)
        for knock, mine in zip(knocks, sides, strict=True)
        for who, k in mine[:1]
        if turned_on_the_way(knock, mine, knocks, lines, 0.5 * exposure_s)
        or had_touched(knock, mine, lines, 0.5 * frame_s)
        or ran_unseen(knock, mine, lines)
    }

    def first_by(knock: Knock, mine: Sequence[Side]) -> bool:
        """Whether it is the first touch of a struck piece, on a way that nobody knows."""
        ways = unsure & set(mine)
        earliest = all(knock.t_s <= knocks[i].t_s for way in ways for i in shared[way])
        seen_coarsely = knock.kind == "contact" and not knock.played
        return seen_coarsely and len(mine) == 2 and bool(ways) and earliest

    found: list[Knock] = []
    ways: Ways = {}
    for _ in range(2):  # a knock that a path hides spoils the places after it for its neighbours
        clock = _Clock(lines, board, frame_s, exposure_s, found, ways)
        now = []
        for knock, mine in zip(knocks, sides, strict=True):
            if not mine:
                now.append(knock)
            elif knock.kind == "strike" and (knock.a, mine[0][1] + 1) in unsure:
                now.append(clock.before_it_was_seen(knock, mine))
            elif first_by(knock, mine):
                now.append(clock.since_the_strike(knock, mine))
            elif all(len(shared[side]) == 1 for side in mine):
                now.append(clock.alone(knock, mine))
            elif knock.played:
                last = all(knock.t_s >= knocks[i].t_s for side in mine for i in shared[side])
                leaves = last and not _over_mouth(knock, board)
                now.append(clock.left_from(knock, mine) if leaves else knock)
            else:
                ranks = [[knocks[i].t_s for i in shared[side]] for side in mine]
                first = all(knock.t_s <= min(times) for times in ranks)
                now.append(clock.among(knock, mine, first))
        found = now
    rim_s = _RIM * frame_s
    found = [
        replace(k, error_s=hypot(k.error_s, rim_s)) if _over_mouth(k, board) else k for k in found
    ]
    found.sort(key=lambda knock: knock.t_s)
    return found


def _over_mouth(knock: Knock, board: Board) -> bool:
    """Whether a cushion was met over a pocket: its rim takes a part of the speed, unseen."""
    return knock.kind == "cushion" and any(
        hypot(knock.x_mm - pocket.centre.x_mm, knock.y_mm - pocket.centre.y_mm) < pocket.radius_mm
        for pocket in board.pockets
    )


def _neighbours(who: int, t_s: float, known: Sequence[Knock], sure_s: float) -> tuple[float, float]:
    """When that piece was last knocked before `t_s`, and next after it, as far as that is known."""
    times = [k.t_s for k in known if k.concerns(who) and k.error_s < sure_s]
    earlier = [t for t in times if t < t_s - _SAME_S]
    return max(earlier, default=-inf), min((t for t in times if t > t_s + _SAME_S), default=inf)


def _sides(knock: Knock, lines: Sequence[Timeline], frame_s: float) -> list[Side]:
    """For each piece of a knock that changed its path by it: which path it left."""
    found = []
    for who in (knock.a, knock.b):
        if who < 0:
            continue
        phases = lines[who].phases
        best: tuple[float, int] | None = None
        for k in range(len(phases) - 1):
            lo, hi = phases[k].last_s, phases[k + 1].first_s
            off = max(lo - knock.t_s, knock.t_s - hi, 0.0)
            if off < 0.8 * frame_s and (best is None or off < best[0]):
                best = (off, k)
        if best is not None:
            found.append((who, best[1]))
    return found


class _Clock:
    def __init__(
        self,
        lines: Sequence[Timeline],
        board: Board,
        frame_s: float,
        exposure_s: float,
        known: Sequence[Knock],
        ways: Ways,
    ) -> None:
        """`known` are knocks as they were timed before, `ways` what was fitted already."""
        self.lines = lines
        self.known = known
        self._ways = ways
        self.half = (board.width_mm / 2, board.height_mm / 2)
        self.frame_s = frame_s
        self.exposure_s = exposure_s

    def alone(self, knock: Knock, sides: Sequence[Side]) -> Knock:
        """A knock that has its gaps between paths to itself.

        Which places its exposure spoils is known when it is timed: then it is timed anew.
        """
        found = self._alone(knock, sides)
        for _ in range(_ANEW):
            last_s, found = found.t_s, self._alone(replace(knock, t_s=found.t_s), sides)
            if abs(found.t_s - last_s) < _SAME_S:
                break
        return found

    def _alone(self, knock: Knock, sides: Sequence[Side]) -> Knock:
        ways = {
            who: (
                self._way(who, k, knock.t_s, before=True),
                self._way(who, k + 1, knock.t_s, before=False),
            )
            for who, k in sides
        }
        for who in (knock.a, knock.b):
            if who >= 0 and who not in ways:  # it did not turn: its path runs on
                k = self.lines[who].phase_at(knock.t_s)
                way = self._way(who, k, knock.t_s, before=True)
                ways[who] = (way, way)
        window = self._window(sides)
        turns = [who for who, _ in sides if self._cross(ways[who], window)]
        solved = self._solve(knock, ways, window, turns=turns)
        return self._placed(knock, solved, ways, window)

    def before_it_was_seen(self, knock: Knock, sides: Sequence[Side]) -> Knock:
        """A strike of which only is known that the piece lay still before, and ran after."""
        low, high = self._window(sides)
        low -= 0.5 * self.exposure_s
        return replace(knock, t_s=0.5 * (low + high), error_s=(high - low) / sqrt(12.0))

    def since_the_strike(self, knock: Knock, sides: Sequence[Side]) -> Knock:
        """A touch of which only is known that one was struck before, and both turned after."""
        low = max(self.lines[who].phases[0].last_s for who, _ in sides)
        high = min(self.lines[who].phases[k + 1].first_s for who, k in sides)
        if high <= low:
            return self.alone(knock, sides)
        return replace(knock, t_s=0.5 * (low + high), error_s=(high - low) / sqrt(12.0))

    def left_from(self, knock: Knock, sides: Sequence[Side]) -> Knock:
        """A played cushion, the last knock in its gap: the path after it leads back there, too.

        A play is held to that path loosely, as the knocks before it take some unevenly.
        """
        if knock.wall is None or len(sides) != 1:
            return knock
        who, k = sides[0]
        if self.lines[who].phases[k + 1].count < _FEW:
            return knock
        way = self._way(who, k + 1, knock.t_s, before=False)
        axis, sign = _OUTWARDS[knock.wall]
        room_mm = self.half[axis] - self.lines[who].track.radius_mm - sign * way.at(knock.t_s)[axis]
        back_mm_s = -sign * float(way.speed(knock.t_s)[axis])
        if back_mm_s < _LEAVES_MM_S:
            return knock
        late_s = room_mm / back_mm_s  # so long after the cushion it would be where it was played
        error_s = sqrt(way.variance(knock.t_s) + _RADIUS_MM**2) / back_mm_s
        both = hypot(error_s, knock.error_s)
        share = (knock.error_s / both) ** 2
        if abs(late_s) > self.frame_s:
            return replace(knock, error_s=hypot(knock.error_s, self.frame_s / sqrt(12.0)))
        grow = max(1.0, abs(late_s) / both)
        joined_s = grow * error_s * knock.error_s / both
        return replace(knock, t_s=knock.t_s - share * late_s, error_s=joined_s)

    def _cross(self, ways: tuple[_Way, _Way], window: tuple[float, float]) -> bool:
        """Whether the paths before and after meet at all: else more lies between than one knock."""
        before, after = ways
        t = 0.5 * (window[0] + window[1])
        for _ in range(4):
            gap, rate = before.at(t) - after.at(t), before.speed(t) - after.speed(t)
            square = float(rate @ rate)
            if square < 1:
                return True
            t -= min(max(float(gap @ rate) / square, -self.frame_s), self.frame_s)
        inside = window[0] - 0.8 * self.frame_s < t < window[1] + 0.8 * self.frame_s
        spread = sqrt(before.variance(t) + after.variance(t))
        return inside and float(np.hypot(*(before.at(t) - after.at(t)))) < 1.5 + 4 * spread

    def among(self, knock: Knock, sides: Sequence[Side], first: bool) -> Knock:
        """One of several knocks between the same two paths."""
        window = self._window(sides)
        broad = max(knock.error_s, (window[1] - window[0]) / sqrt(12.0), 0.1 * self.frame_s)
        if not first or knock.kind == "strike":
            return replace(knock, error_s=broad)
        ways = {}
        for who in (knock.a, knock.b):
            if who < 0:
                continue
            k = next((k for w, k in sides if w == who), self.lines[who].phase_at(knock.t_s))
            way = self._way(who, k, knock.t_s, before=True)
            ways[who] = (way, way)
        solved = self._solve(knock, ways, window, turns=[])
        if solved is None or solved[1] > broad:
            return replace(knock, error_s=broad)
        return self._placed(knock, solved, ways, window)

    def _window(self, sides: Sequence[Side]) -> tuple[float, float]:
        los, his = [], []
        for who, k in sides:
            line = self.lines[who]
            los.append(line.phases[k].last_s)
            his.append(line.phases[k + 1].first_s if k else line.left_by_s)
        lo, hi = max(los), min(his)
        return (lo, hi) if lo <= hi else (min(lo, hi), max(lo, hi))

    def _placed(
        self,
        knock: Knock,
        solved: tuple[float, float] | None,
        ways: dict[int, tuple[_Way, _Way]],
        window: tuple[float, float],
    ) -> Knock:
        frame = self.frame_s
        if solved is None or not window[0] - frame < solved[0] < window[1] + frame:
            broad = max(knock.error_s, (window[1] - window[0]) / sqrt(12.0), 0.1 * frame)
            return replace(knock, error_s=broad)
        t, error = solved
        if knock.kind == "strike":
            return replace(knock, t_s=t, error_s=error)
        place = ways[knock.a][0].at(t)
        if knock.b >= 0:
            r, s = (self.lines[who].track.radius_mm for who in (knock.a, knock.b))
            place = place + (ways[knock.b][0].at(t) - place) * r / (r + s)
        return replace(knock, t_s=t, error_s=error, x_mm=float(place[0]), y_mm=float(place[1]))

    def _way(self, who: int, k: int, t_s: float, *, before: bool) -> _Way:
        """A path fitted without the places whose exposure a knock at `t_s` falls into."""
        line = self.lines[who]
        path = line.phases[k]
        track = line.track
        if path.count <= 1:
            spread = path.covariance.copy()
            spread[0, 0] = max(spread[0, 0], _HOME_MM**2)
            return _Way(replace(path, covariance=spread), 1.0)
        guard = 0.5 * self.exposure_s + 2e-4
        near = (track.t < t_s - guard) if before else (track.t > t_s + guard)
        mine = (track.t >= path.first_s - 1e-9) & (track.t <= path.last_s + 1e-9)
        earlier, later = _neighbours(who, t_s, self.known, _SURE * self.frame_s)
        pick = mine & near & (track.t > earlier + guard) & (track.t < later - guard)
        if pick.sum() < 2:
            pick = mine & near
        if pick.sum() < 2:
            pick = mine
        key = who, k, pick.tobytes()
        if key not in self._ways:
            self._ways[key] = _fitted(line, pick)
        return self._ways[key]

    def _solve(
        self,
        knock: Knock,
        ways: dict[int, tuple[_Way, _Way]],
        window: tuple[float, float],
        *,
        turns: Sequence[int],
    ) -> tuple[float, float] | None:
        """(time, one sd) from all conditions; None where they say nothing."""
        t = knock.t_s
        low, high = window[0] - 1.2 * self.frame_s, window[1] + 1.2 * self.frame_s
        touch = knock.kind != "strike"
        for _ in range(8):
            rows, slopes, cov = self._conditions(knock, ways, turns, t, touch)
            if not len(rows):
                return None
            weight = np.linalg.inv(cov + 1e-9 * np.eye(len(rows)))
            power = float(slopes @ weight @ slopes)
            if power <= 1e-6:
                return None
            step = -float(slopes @ weight @ rows) / power
            step = min(max(step, -self.frame_s), self.frame_s)
            t = min(max(t + step, low), high)
            if abs(step) < 1e-7:
                break
        rows, slopes, cov = self._conditions(knock, ways, turns, t, touch)
        weight = np.linalg.inv(cov + 1e-9 * np.eye(len(rows)))
        power = float(slopes @ weight @ slopes)
        chi = float(rows @ weight @ rows)
        grow = max(1.0, sqrt(chi / (len(rows) - 1))) if len(rows) > 1 else 1.2
        return t, hypot(grow / sqrt(power), _FLOOR_S)

    def _conditions(
        self,
        knock: Knock,
        ways: dict[int, tuple[_Way, _Way]],
        turns: Sequence[int],
        t: float,
        touch: bool,
    ) -> tuple[Floats, Floats, Floats]:
        """What must be 0 at the knock's time, how it changes with time, and its covariance."""
        count = 2 * len(turns) + (1 if touch else 0)
        rows, slopes, cov = np.zeros(count), np.zeros(count), np.zeros((count, count))
        for i, who in enumerate(turns):
            before, after = ways[who]
            part = slice(2 * i, 2 * i + 2)
            rows[part] = before.at(t) - after.at(t)
            slopes[part] = before.speed(t) - after.speed(t)
            cov[part, part] = np.eye(2) * (before.variance(t) + after.variance(t))
        if not touch:
            return rows, slopes, cov
        mine = ways[knock.a][0]
        if knock.b >= 0:
            theirs = ways[knock.b][0]
            apart = mine.at(t) - theirs.at(t)
            far = max(float(np.hypot(*apart)), 1e-6)
            normal = apart / far
            reach = sum(self.lines[who].track.radius_mm for who in (knock.a, knock.b))
            rows[-1] = far - reach
            slopes[-1] = float(normal @ (mine.speed(t) - theirs.speed(t)))
            cov[-1, -1] = mine.variance(t) + theirs.variance(t) + 2 * _RADIUS_MM**2
            signs = {knock.a: 1.0, knock.b: -1.0}
        else:
            assert knock.wall is not None
            axis, sign = _OUTWARDS[knock.wall]
            normal = np.zeros(2)
            normal[axis] = -sign
            rows[-1] = (
                self.half[axis] - self.lines[knock.a].track.radius_mm - sign * mine.at(t)[axis]
            )
            slopes[-1] = -sign * mine.speed(t)[axis]
            cov[-1, -1] = mine.variance(t) + _RADIUS_MM**2
            signs = {knock.a: 1.0}
        for i, who in enumerate(turns):
            shared = signs[who] * normal * ways[who][0].variance(t)
            cov[2 * i : 2 * i + 2, -1] = cov[-1, 2 * i : 2 * i + 2] = shared
        return rows, slopes, cov


def _fitted(line: Timeline, pick: NDArray[np.bool_]) -> _Way:
    """The path through some places of a piece, and by how much their errors were too small."""
    track = line.track
    t, x, y, sigma = track.t[pick], track.x[pick], track.y[pick], track.sigma[pick]
    fitted = fit(t, x, y, sigma, slowing=line.slowing, slowing_error=line.slowing_error)
    tau = t - fitted.t0_s
    miss_x = x - (fitted.x[0] + tau * (fitted.x[1] + tau * fitted.x[2]))
    miss_y = y - (fitted.y[0] + tau * (fitted.y[1] + tau * fitted.y[2]))
    chi = float(((miss_x**2 + miss_y**2) / sigma**2).sum())
    free = 2 * len(t) - (4 if line.slowing_error < _FRICTION_MM_S2 else 5)
    least = 1.0 if len(t) > _FEW else 1.3
    return _Way(fitted, max(least, sqrt(chi / free)) if free > 1 else least)
