"""Where a piece's free path breaks off, when it did, and what it may have met there."""

from dataclasses import dataclass
from math import hypot, inf, sqrt

from rules.geometry import Seat
from vision.trajectories.paths import Stretch
from vision.trajectories.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Knock:
    """What a piece met. `kind` is "strike", "contact" or "cushion"; `a`, `b` number timelines."""

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

    def concerns(self, who: int) -> bool:
        """Whether it is a knock of timeline `who`."""
        return who in (self.a, self.b)

    def other(self, who: int) -> int:
        """What timeline `who` touched."""
        return self.b if self.a == who else self.a


@dataclass(frozen=True, slots=True)
class Break:
    """The change from phase `k` to `k + 1` of piece `who`, somewhere in [lo, hi]."""

    who: int
    k: int
    lo: float
    hi: float


@dataclass(frozen=True, slots=True)
class Cause:
    """One knock that would explain a break: the lower its cost, the better."""

    cost: float
    knock: Knock


def breaks(who: int, line: Timeline, frame_s: float) -> list[Break]:
    """Where a piece's free paths end without having run out, in order."""
    found = []
    for k in range(len(line.phases) - 1):
        before, after = line.phases[k], line.phases[k + 1]
        size = hypot(*before.speed_at(before.last_s))
        slow_end = k + 1 == len(line.phases) - 1 and hypot(*after.speed_at(after.first_s)) < 15
        slows = size < 120 or before.stop_s <= after.first_s + 0.5 * frame_s
        if k > 0 and slow_end and slows and leads_to(before, after):
            continue  # it merely ran out
        by_s = after.first_s if k else line.left_by_s
        found.append(Break(who, k, before.last_s, max(by_s, before.last_s)))
    return found


def leads_to(before: Stretch, after: Stretch) -> bool:
    """Whether a path ends about where the next one begins."""
    t = after.first_s
    (x, y), (u, v) = before.at(t), after.at(t)
    return hypot(u - x, v - y) < 1.5 + 4 * before.error_at(t)


def leaves(line: Timeline, brk: Break, frame_s: float) -> tuple[float, float]:
    """When a piece at rest was set moving: when its path after leads back home, and one sd."""
    # else it was turned once more in between
    return _came_from_home(line, brk, frame_s) or ((brk.lo + brk.hi) / 2, frame_s)


def comes_from_home(line: Timeline, frame_s: float) -> bool:
    """Whether the first path of a piece that moved leads back to where and when it last lay."""
    lay, run = line.phases[:2]
    return _came_from_home(line, Break(-1, 0, lay.last_s, run.first_s), frame_s) is not None


def turns(line: Timeline, brk: Break, frame_s: float) -> tuple[float, float]:
    """When the paths before and after cross, and one sd."""
    if brk.k == 0:
        return leaves(line, brk, frame_s)
    before, after = line.phases[brk.k], line.phases[brk.k + 1]
    middle = (brk.lo + brk.hi) / 2
    t = middle
    error, spread = inf, 0.1
    for _ in range(3):
        vx, vy = raw_speed(before, t)
        wx, wy = raw_speed(after, t)
        jx, jy = wx - vx, wy - vy
        square = jx * jx + jy * jy
        if square < 100:
            return middle, frame_s
        px, py = _raw(before, t)
        qx, qy = _raw(after, t)
        t -= ((qx - px) * jx + (qy - py) * jy) / square
        t = min(max(t, brk.lo - frame_s), brk.hi + frame_s)
        spread = hypot(before.error_at(t), after.error_at(t))
        error = max(spread, 0.1) / sqrt(square)
    px, py = _raw(before, t)
    qx, qy = _raw(after, t)
    late_s = max(brk.lo - t, t - brk.hi)
    far = late_s > max(4 * error, 0.3 * frame_s)
    if far or hypot(qx - px, qy - py) > 1.5 + 4 * spread:
        return middle, frame_s  # they do not cross: more than one knock lies between
    return t, error


def _came_from_home(line: Timeline, brk: Break, frame_s: float) -> tuple[float, float] | None:
    """When the path after a break leads through the place before it, and one sd; else None."""
    path = line.phases[brk.k + 1]
    x, y = line.phases[brk.k].at(brk.lo)
    sigma = path.error_at(path.first_s)
    t = path.first_s
    for _ in range(4):
        vx, vy = raw_speed(path, t)
        square = vx * vx + vy * vy
        if square < 1:
            break
        px, py = _raw(path, t)
        t += ((x - px) * vx + (y - py) * vy) / square
    px, py = _raw(path, t)
    low, high = brk.lo - 0.75 * frame_s, brk.hi + 0.75 * frame_s
    if hypot(x - px, y - py) > 1.5 + 4 * sigma or not low <= t <= high:
        return None
    return t, max(sigma, 0.1) / max(hypot(*raw_speed(path, t)), 1.0)


def _raw(path: Stretch, t: float) -> tuple[float, float]:
    """The path without its stop, so that it can be followed backwards past its beginning."""
    tau = t - path.t0_s
    return (
        path.x[0] + tau * (path.x[1] + tau * path.x[2]),
        path.y[0] + tau * (path.y[1] + tau * path.y[2]),
    )


def raw_speed(path: Stretch, t: float) -> tuple[float, float]:
    """The velocity on `_raw`, in mm/s."""
    tau = t - path.t0_s
    return path.x[1] + 2 * tau * path.x[2], path.y[1] + 2 * tau * path.y[2]


def join(estimates: list[tuple[float, float]]) -> tuple[float, float]:
    """Weighted mean of (time, sd); what lies far from the surest is left out."""
    surest = min(estimates, key=lambda e: e[1])
    kept = [e for e in estimates if abs(e[0] - surest[0]) < 4 * hypot(e[1], surest[1]) + 1e-4]
    weight = [1.0 / max(e[1], 1e-5) ** 2 for e in kept]
    mean = sum(w * e[0] for w, e in zip(weight, kept, strict=True)) / sum(weight)
    return mean, 1.0 / sqrt(sum(weight))
