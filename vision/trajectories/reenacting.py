"""One crowded moment played again until it leads from what was seen before to what was seen after.

Unknown are how each piece came (within the errors of its path), where each one at rest lay (within
its own), when and how the cue struck, how much of a speed a knock leaves, and what friction takes.
They are fitted by least squares to the paths after and to the places in between; the knocks of the
best play are taken and its spread gives their errors. Orders that the errors do not fix come out
with errors as long as they are apart.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

import numpy as np

from rules.board import Board
from rules.geometry import Seat
from vision.strikers import CUED
from vision.tracking.track import SMEARED
from vision.trajectories.breaks import Knock
from vision.trajectories.moments import Moment, blows, way_in, way_out
from vision.trajectories.paths import Floats, Stretch
from vision.trajectories.playing import Field, Knocked, Runner, State, play
from vision.trajectories.timeline import Timeline

_BOUNCE, _BOUNCE_SD = 0.88, 0.06
_CUSHION, _CUSHION_SD = 0.75, 0.12
_SMOOTHEST_MM_S2 = 100.0
_UNEVEN = 0.03  # of a change of speed: what smooth discs do not account for
_HOME_MM = 0.1
_TELL_MM_S = 5.0
_TRIES, _POLISHED, _ROUNDS, _DRAWS = 18, 3, 5, 24
_STRIDE = 1.5  # frames that a fit is led on by, where a moment is long
_BLOWS = 9
_RATTLES_S = 1e-3  # pressed between two, one touches both again and again: that is one touch
_FITS = 6.0  # misfit a condition, beyond which a play explains nothing

Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Goal:
    """What a play must lead to: a place, and a speed where a path tells it; with one sd each."""

    who: int
    t_s: float
    place: tuple[float, float]
    place_mm: float
    speed: tuple[float, float] | None = None
    speed_mm_s: float = 0.0


@dataclass(frozen=True, slots=True)
class _Try:
    z: Floats
    rows: Floats
    told: tuple[Knocked, ...]

    @property
    def cost(self) -> float:
        return float(self.rows @ self.rows)


def reenacted(
    moment: Moment, lines: Sequence[Timeline], board: Board, *, frame_s: float, exposure_s: float
) -> list[Knock] | None:
    """The knocks of a moment, with errors; None where no play leads to what was seen."""
    return _Stage(moment, lines, board, frame_s, exposure_s).knocks()


class _Stage:
    def __init__(
        self,
        moment: Moment,
        lines: Sequence[Timeline],
        board: Board,
        frame_s: float,
        exposure_s: float,
    ) -> None:
        self.moment, self.lines, self.board = moment, lines, board
        self.frame_s, self.exposure_s = frame_s, exposure_s
        self.cast = (*moment.changed, *moment.near)
        self.end = max(lines[w].phases[k].first_s for w, (_, k) in moment.changed.items())
        self.slowing = float(np.median([lines[w].slowing for w in self.cast]))
        self.slowing_sd = float(np.median([lines[w].slowing_error for w in self.cast]))
        self.struck = [
            w for w, (k, _) in moment.changed.items() if k == 0 and lines[w].track.kind in CUED
        ]
        self.start = min(
            self._lay_until(w) if w in self.struck else lines[w].phases[k].last_s
            for w, (k, _) in moment.changed.items()
        )
        self.struck_within = [self._struck_within(w) for w in self.struck]
        self.before = {w: way_in(moment, w, lines[w], self.start) for w in self.cast}
        self.exits = {w: way_out(lines[w], k, self.end) for w, (_, k) in moment.changed.items()}
        self.goals = self._goals()
        self.times = self._times()
        self.mean, self.spread = self._entrances()
        self.size = len(self.mean) + 3 * len(self.struck) + 3
        self.blows = (
            blows(moment, self.struck[0], lines, self.exits) if self.struck else [(0.0, 0.0)]
        )
        self.rough_blow = 100 + 0.5 * max(hypot(*blow) for blow in self.blows)
        self.until = inf
        self.random = np.random.default_rng(1000 + len(self.cast))

    # -- what is known -----------------------------------------------------------------------

    def _struck_within(self, who: int) -> tuple[float, float]:
        """When the cue struck, from and to: before what lay still set off, if nothing else ran."""
        before, after = self.lines[who].phases[:2]
        lain = [w for w, (k, _) in self.moment.changed.items() if k == 0 and w not in self.struck]
        if len(self.struck) > 1 or len(lain) < len(self.moment.changed) - 1:
            return self._lay_until(who), after.first_s
        off = min((self.lines[w].phases[1].first_s for w in lain), default=inf)
        return self._lay_until(who), max(min(after.first_s, off), before.last_s)

    def _lay_until(self, who: int) -> float:
        """When a struck piece surely lay: the cue may have come while the shutter was open."""
        return self.lines[who].phases[0].last_s - 0.5 * self.exposure_s

    def _goals(self) -> list[_Goal]:
        goals = []
        for who in self.cast:
            line = self.lines[who]
            if who not in self.moment.changed:
                path = self.before[who]
                until = self.end if path is line.phases[-1] else min(self.end, path.last_s)
                rest = 0.3 + 2 * path.error_at(until)
                goals.append(_Goal(who, max(until, self.start), path.at(until), rest))
                continue
            before = self.before[who]
            after, at = self.exits[who]
            came, goes = np.array(before.speed_at(before.last_s)), np.array(after.speed_at(at))
            change = float(np.hypot(*(goes - came)))
            place, speed = _spread(after, at)
            # a path of two places may hide a knock between them: the places alone count
            short = after.count <= 2
            goals += self._between(who, before.last_s, after.last_s + 2e-6 if short else at, change)
            if not short:
                rough = hypot(_UNEVEN * change, 8.0)
                goals.append(
                    _Goal(
                        who,
                        at,
                        after.at(at),
                        hypot(place, 0.15 + _UNEVEN * change * (at - before.last_s)),
                        (float(goes[0]), float(goes[1])),
                        hypot(speed, rough),
                    )
                )
        return goals

    def _between(self, who: int, after_s: float, before_s: float, change: float) -> list[_Goal]:
        """Places measured while it was turned: each a mean over its exposure."""
        track = self.lines[who].track
        inside = (track.t > after_s + 1e-6) & (track.t < before_s - 1e-6)
        return [
            _Goal(who, float(t), (float(x), float(y)), hypot(s, 0.15 * self.exposure_s * change))
            for t, x, y, s in zip(
                track.t[inside],
                track.x[inside],
                track.y[inside],
                track.sigma[inside],
                strict=True,
            )
        ]

    def _times(self) -> list[float]:
        grid = np.linspace(
            self.start,
            self.end,
            max(2, round((self.end - self.start) / (0.5 * self.frame_s)) + 1),
        )
        return sorted({*grid.tolist(), *(goal.t_s for goal in self.goals)})

    def _entrances(self) -> tuple[Floats, Floats]:
        """How each piece enters: (4,) place and speed each, and their covariances' roots."""
        means, roots = [], []
        for who in self.cast:
            path = self.before[who]
            if path.count <= 1 and hypot(*path.speed_at(self.start)) < 1:
                means.append(np.array([*path.at(self.start), 0.0, 0.0]))
                roots.append(np.diag([_HOME_MM, _HOME_MM, 0.0, 0.0]))
                continue
            x, y = path.back_to(self.start)
            tau = self.start - path.t0_s
            vx, vy = path.x[1] + 2 * tau * path.x[2], path.y[1] + 2 * tau * path.y[2]
            if self.start >= path.stop_s:
                (x, y), (vx, vy) = path.at(self.start), (0.0, 0.0)
            basis = np.array([[1.0, tau, tau * tau], [0.0, 1.0, 2 * tau]])
            cov = basis @ path.covariance @ basis.T + np.diag([0.03**2, 2.0**2])
            root = np.linalg.cholesky(cov)
            both = np.zeros((4, 4))
            both[np.ix_([0, 2], [0, 2])] = root
            both[np.ix_([1, 3], [1, 3])] = root
            means.append(np.array([x, y, vx, vy]))
            roots.append(both)
        whole = np.zeros((4 * len(means), 4 * len(means)))
        for i, root in enumerate(roots):
            whole[4 * i : 4 * i + 4, 4 * i : 4 * i + 4] = root
        used = np.flatnonzero(whole.any(axis=0))
        self._used = used
        flat = np.concatenate(means)
        self._flat, self._root = flat, whole[:, used]
        return np.zeros(len(used)), whole

    # -- plays -------------------------------------------------------------------------------

    def _runners(self, z: Floats) -> tuple[list[Runner], Field]:
        enter = self._flat + self._root @ z[: len(self._used)]
        runners = []
        for i, who in enumerate(self.cast):
            x, y, vx, vy = enter[4 * i : 4 * i + 4]
            track = self.lines[who].track
            runners.append(Runner(x, y, vx, vy, track.radius_mm, track.mass))
        for n, who in enumerate(self.struck):
            part = z[len(self._used) + 3 * n :][:3]
            bx, by = self.blows[0] if n == 0 else (0.0, 0.0)
            lo, hi = self.struck_within[n]
            when = min(max(0.5 * (lo + hi) + float(part[0]) * (hi - lo), lo), hi)
            i = self.cast.index(who)
            rough = self.rough_blow
            runners[i].blow = (when, bx + float(part[1]) * rough, by + float(part[2]) * rough)
        field = Field(
            self.board.width_mm / 2,
            self.board.height_mm / 2,
            max(self.slowing + self.slowing_sd * float(z[-3]), _SMOOTHEST_MM_S2),
            float(np.clip(_BOUNCE + _BOUNCE_SD * z[-2], 0.3, 1.0)),
            float(np.clip(_CUSHION + _CUSHION_SD * z[-1], 0.2, 1.0)),
        )
        return runners, field

    def _try(self, z: Floats) -> _Try:
        runners, field = self._runners(z)
        states, told = play(runners, field, self.start, self.times)
        rows = np.concatenate([z, self._misses(states)])
        return _Try(z, rows, tuple(k for k in told if self._belongs(k)))

    def _misses(self, states: Sequence[Sequence[State]]) -> Floats:
        at = {t: k for k, t in enumerate(self.times)}
        rows: list[float] = []
        for goal in self.goals:
            if goal.t_s > self.until:
                rows += [0.0] * (2 if goal.speed is None else 4)
                continue
            x, y, vx, vy = states[at[goal.t_s]][self.cast.index(goal.who)]
            rows += [(x - goal.place[0]) / goal.place_mm, (y - goal.place[1]) / goal.place_mm]
            if goal.speed is not None:
                rows += [
                    (vx - goal.speed[0]) / goal.speed_mm_s,
                    (vy - goal.speed[1]) / goal.speed_mm_s,
                ]
        return np.array(rows)

    def _belongs(self, knock: Knocked) -> bool:
        """Whether a knock lies where the paths of those it concerns were open."""
        if knock.speed_mm_s < _TELL_MM_S:
            return False
        for i in (knock.a, knock.b):
            change = self.moment.changed.get(self.cast[i]) if i >= 0 else None
            if change is not None and knock.at_s > self.exits[self.cast[i]][1] + 1e-9:
                return False
        return True

    def _starts(self) -> list[Floats]:
        tries = []
        entrance = len(self._used)
        for k in range(_TRIES):
            z = np.zeros(self.size)
            if k:
                z = 0.7 * self.random.standard_normal(self.size)
                z[:entrance] = np.clip(z[:entrance], -1.5, 1.5)
            if self.struck:
                (bx, by), (ox, oy) = self.blows[k // _BLOWS % len(self.blows)], self.blows[0]
                z[entrance] = (k % _BLOWS + 0.5) / _BLOWS - 0.5
                z[entrance + 1] = 0.15 * z[entrance + 1] + (bx - ox) / self.rough_blow
                z[entrance + 2] = 0.15 * z[entrance + 2] + (by - oy) / self.rough_blow
            tries.append(z)
        return tries

    def _polish(self, found: _Try) -> tuple[_Try, Floats]:
        """Gauss-Newton with damping: (the play it comes to, the rows' slopes there)."""
        damp = 1e-2
        slopes = self._slopes(found)
        for _ in range(_ROUNDS):
            normal = slopes.T @ slopes
            step = -np.linalg.solve(
                normal + damp * np.diag(np.diag(normal) + 1e-6), slopes.T @ found.rows
            )
            size = float(np.abs(step).max())
            new = self._try(found.z + step * min(1.0, 3.0 / max(size, 1e-9)))
            if new.cost < found.cost:
                done = found.cost - new.cost < 0.02
                found, damp = new, damp * 0.3
                if done:
                    break
                slopes = self._slopes(found)
            else:
                damp = damp * 10 + 0.1
                if damp > 50:
                    break
        return found, slopes

    def _slopes(self, found: _Try) -> Floats:
        slopes = np.empty((len(found.rows), self.size))
        for n in range(self.size):
            z = found.z.copy()
            z[n] += 0.02
            slopes[:, n] = (self._try(z).rows - found.rows) / 0.02
        return slopes

    # -- the answer --------------------------------------------------------------------------

    def knocks(self) -> list[Knock] | None:
        fresh = self._starts()
        starts: list[Floats] = []
        # what follows early knocks can only be fitted once those are: lead on through time
        strides = max(1, round((self.end - self.start) / (_STRIDE * self.frame_s)) - 1)
        for n in range(1, strides + 1):
            self.until = self.start + (self.end - self.start) * n / strides if n < strides else inf
            # a play that led to what came early may be a poor start for what came later
            tries = sorted((self._try(z) for z in [*starts, *fresh]), key=lambda t: t.cost)
            polished = [self._polish(t) for t in tries[:_POLISHED]]
            starts = [t.z for t, _ in polished]
        best, slopes = min(polished, key=lambda p: p[0].cost)
        free = len(best.rows) - self.size
        misfit = best.cost / max(free, 1)
        if misfit > _FITS or not best.told:
            return None
        grow = max(1.0, misfit) ** 0.5
        root = np.linalg.cholesky(
            np.linalg.inv(slopes.T @ slopes + 1e-6 * np.eye(self.size)) * grow**2
        )
        plays = [best]
        for _ in range(_DRAWS):
            z = best.z + root @ np.clip(self.random.standard_normal(self.size), -2.5, 2.5)
            plays.append(self._try(z))
        limit = best.cost + 8 * grow**2 + 2.0 * self.size
        alike = [p for p in plays if p.cost < limit]
        return self._told(best, alike)

    def _told(self, best: _Try, plays: Sequence[_Try]) -> list[Knock]:
        times: dict[Key, list[float]] = defaultdict(list)
        for one in plays:
            for key, knock in _keyed(one.told):
                times[key].append(knock.at_s)
        found = []
        last_s: dict[tuple[int, int], float] = defaultdict(lambda: -inf)
        for key, knock in _keyed(best.told):
            pair = (knock.a, knock.b)
            rattles, last_s[pair] = knock.at_s - last_s[pair] < _RATTLES_S, knock.at_s
            if rattles:
                continue
            seen = np.array(times[key])
            if len(seen) < 0.5 * len(plays) and knock.speed_mm_s < 150:
                continue
            spread = float(np.sqrt(np.mean((seen - knock.at_s) ** 2))) if len(seen) > 1 else 0.0
            if len(seen) < 0.5 * len(plays):
                spread = max(spread, 0.3 * self.frame_s)
            found.append(self._knock(knock, hypot(1.3 * spread, SMEARED * self.exposure_s)))
        for who in self.struck:
            found.append(self._strike(best, plays, who))
        return found

    def _strike(self, best: _Try, plays: Sequence[_Try], who: int) -> Knock:
        i = self.cast.index(who)
        blows = [self._runners(p.z)[0][i].blow for p in plays]
        blow = self._runners(best.z)[0][i].blow
        assert blow is not None
        times = [b[0] for b in blows if b is not None]
        spread = float(np.sqrt(np.mean((np.array(times) - blow[0]) ** 2)))
        track = self.lines[who].track
        speed = hypot(blow[1], blow[2])
        at_s, error_s = float(blow[0]), hypot(1.3 * spread, 5e-5)
        return Knock("strike", at_s, error_s, who, -1, None, *track.home, speed, True)

    def _knock(self, knock: Knocked, error_s: float) -> Knock:
        a = self.cast[knock.a]
        x, y, speed = float(knock.x_mm), float(knock.y_mm), float(knock.speed_mm_s)
        at_s = float(knock.at_s)
        if knock.b < 0:
            seats = (Seat.E, Seat.W) if knock.b == -1 else (Seat.N, Seat.S)
            wall = seats[0] if (x if knock.b == -1 else y) > 0 else seats[1]
            return Knock("cushion", at_s, error_s, a, -1, wall, x, y, speed, True)
        low, high = sorted((a, self.cast[knock.b]))
        return Knock("contact", at_s, error_s, low, high, None, x, y, speed, True)


def _keyed(told: Sequence[Knocked]) -> list[tuple[Key, Knocked]]:
    """Each knock with who met whom, and for the how manieth time."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    keyed = []
    for knock in told:
        pair = (knock.a, knock.b)
        keyed.append(((*pair, counts[pair]), knock))
        counts[pair] += 1
    return keyed


def _spread(path: Stretch, t_s: float) -> tuple[float, float]:
    """One sd of place and speed at `t_s`, per axis."""
    tau = t_s - path.t0_s
    place = np.array([1.0, tau, tau * tau])
    speed = np.array([0.0, 1.0, 2 * tau])
    return (
        float(np.sqrt(max(place @ path.covariance @ place, 0.0))),
        float(np.sqrt(max(speed @ path.covariance @ speed, 0.0))),
    )
