"""Free paths: a track cut into stretches on which nothing touched the piece.

A sliding or rolling disc that nothing touches runs straight and slows evenly (Coulomb friction), so
a stretch is `p + v t + a t² / 2`. The cuts are found by dynamic programming over all ways to cut
(Mann, Jepson & El-Maraghi 2002), each stretch then fitted with its slowing along its own way.
"""

from dataclasses import dataclass
from math import hypot

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_AT_ONCE = 32  # ends of stretches that are tried together: their arrays stay small
_GAP = 1.5  # frames

_EYE_2, _LEAST_3, _LEAST_6 = np.eye(2), 1e-12 * np.eye(3), 1e-12 * np.eye(6)
_HALVES = np.ix_([2, 5], [2, 5])  # half the acceleration along x and along y


@dataclass(frozen=True, slots=True)
class Stretch:
    """A free path around `t0_s`, in seconds and millimetres, from `first_s` to `last_s`."""

    t0_s: float
    x: tuple[float, float, float]  # place, speed, half the acceleration
    y: tuple[float, float, float]
    covariance: Floats  # (3, 3) of (place, speed, half acceleration), per axis
    first_s: float
    last_s: float
    count: int

    @property
    def stop_s(self) -> float:
        """When it would come to rest, or infinity."""
        slowing = -(self.x[1] * self.x[2] + self.y[1] * self.y[2]) * 2
        square = self.x[1] ** 2 + self.y[1] ** 2
        if slowing <= 1e-9 or square <= 1e-9:
            return float("inf")
        return self.t0_s + square / slowing

    def at(self, t_s: float) -> tuple[float, float]:
        tau = min(t_s, max(self.stop_s, self.first_s)) - self.t0_s
        return (
            self.x[0] + tau * (self.x[1] + tau * self.x[2]),
            self.y[0] + tau * (self.y[1] + tau * self.y[2]),
        )

    def back_to(self, t_s: float) -> tuple[float, float]:
        """Where it would have come from at `t_s`, before its first sample."""
        tau = t_s - self.t0_s
        return (
            self.x[0] + tau * (self.x[1] + tau * self.x[2]),
            self.y[0] + tau * (self.y[1] + tau * self.y[2]),
        )

    def speed_at(self, t_s: float) -> tuple[float, float]:
        if t_s >= self.stop_s:
            return 0.0, 0.0
        tau = t_s - self.t0_s
        return self.x[1] + 2 * tau * self.x[2], self.y[1] + 2 * tau * self.y[2]

    def error_at(self, t_s: float) -> float:
        """One sd of the place at `t_s`, per axis."""
        tau = min(t_s, max(self.stop_s, self.first_s)) - self.t0_s
        basis = np.array([1.0, tau, tau * tau])
        return float(np.sqrt(max(basis @ self.covariance @ basis, 0.0)))


def resting(x_mm: float, y_mm: float, error_mm: float, first_s: float, last_s: float) -> Stretch:
    covariance = np.zeros((3, 3))
    covariance[0, 0] = error_mm**2
    return Stretch(first_s, (x_mm, 0.0, 0.0), (y_mm, 0.0, 0.0), covariance, first_s, last_s, 1)


def cut(
    t: Floats, x: Floats, y: Floats, sigma: Floats, *, penalty: float = 45.0, brief: float = 0.0
) -> list[slice]:
    """Slices of samples, one for each free stretch, in order.

    (n,) seconds, millimetres, and one sd per axis. Each stretch costs the `penalty`, one of two
    samples, which lie on some path anyhow, `brief` more. A sample whose exposure spans a knock fits
    neither side: it may be left out, at most one between two stretches.
    """
    n = len(t)
    if n <= 2:
        return [slice(0, n)] if n else []
    scale = max(float(np.median(np.diff(t))), 1e-4)
    tt = (t - t[0]) / scale
    weight = 1.0 / sigma**2
    powers = np.stack([tt**k for k in range(5)]) * weight
    sums = np.concatenate([np.zeros((5, 1)), np.cumsum(powers, axis=1)], axis=1)
    x0, y0 = float(x.mean()), float(y.mean())
    rights = []
    squares = np.zeros(n + 1)
    for z in (x - x0, y - y0):
        rights.append(
            np.concatenate(
                [np.zeros((3, 1)), np.cumsum(np.stack([z * tt**k for k in range(3)]) * weight, 1)],
                axis=1,
            )
        )
        squares[1:] += np.cumsum(z * z * weight)
    # Curvature is held near none: 2 m/s² of slowing is usual, 20 is not.
    ridge = 1.0 / (0.5 * 3000.0 * scale**2) ** 2
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    back: list[tuple[int, int]] = [(0, 0)] * (n + 1)
    skip = 14.0
    costs: Floats = np.zeros((0, 0))
    for j in range(2, n + 1):
        row = (j - 2) % _AT_ONCE
        if row == 0:
            ends = np.arange(j, min(j + _AT_ONCE, n + 1))
            costs = _misfit(sums, rights, squares, ends, tt, ridge)
        starts = np.arange(0, j - 1)
        cost = costs[row, : j - 1]
        origin = best[starts].copy()
        skipped = np.zeros(len(starts), dtype=int)
        earlier = np.maximum(starts - 1, 0)
        with_skip = np.where(starts >= 1, best[earlier] + skip, np.inf)
        use = with_skip < origin
        origin[use] = with_skip[use]
        skipped[use] = 1
        total = origin + cost + penalty
        total[-1] += brief
        if tt[j - 1] - tt[j - 2] > _GAP:  # two places with frames unseen between are hardly a path
            total[-1] += 2 * skip
        k = int(np.argmin(total))
        best[j] = total[k]
        back[j] = (int(starts[k]), int(skipped[k]))
    end = n
    if best[n - 1] + skip < best[n]:
        end = n - 1
    slices: list[slice] = []
    while end > 0:
        start, left_out = back[end]
        slices.append(slice(start, end))
        end = start - left_out
    return slices[::-1]


def _misfit(
    sums: Floats,
    rights: list[Floats],
    squares: Floats,
    ends: NDArray[np.int64],
    tt: Floats,
    ridge: float,
) -> Floats:
    """(J, S) chi square of a quadratic through samples start..end-1, for J `ends` and S starts, all
    before the last end; nothing is said where there are fewer than two such samples."""
    starts = np.arange(ends[-1] - 1)
    s = sums[:, ends, None] - sums[:, None, starts]
    m = 0.5 * (tt[starts] + tt[ends - 1, None])
    # moments about the middle of each stretch, so that the 3 x 3 systems stay well behaved
    c0 = s[0]
    c1 = s[1] - m * s[0]
    c2 = s[2] - 2 * m * s[1] + m**2 * s[0]
    c3 = s[3] - 3 * m * s[2] + 3 * m**2 * s[1] - m**3 * s[0]
    c4 = s[4] - 4 * m * s[3] + 6 * m**2 * s[2] - 4 * m**3 * s[1] + m**4 * s[0]
    c4 += ridge
    # the 3 x 3 systems of all starts, by their cofactors
    k0, k1, k2 = c2 * c4 - c3 * c3, c2 * c3 - c1 * c4, c1 * c3 - c2 * c2
    k11, k12, k22 = c0 * c4 - c2 * c2, c1 * c2 - c0 * c3, c0 * c2 - c1 * c1
    whole = np.maximum(c0 * k0 + c1 * k1 + c2 * k2, 1e-12)
    even = np.maximum(k22, 1e-9)
    cost = squares[ends, None] - squares[starts]
    curved, straight, faster = cost.copy(), cost.copy(), np.zeros_like(cost)
    for right in rights:
        s0, s1, s2 = right[:, ends, None] - right[:, None, starts]
        r0, r1, r2 = s0, s1 - m * s0, s2 - 2 * m * s1 + m**2 * s0
        place = (k0 * r0 + k1 * r1 + k2 * r2) / whole
        speed = (k1 * r0 + k11 * r1 + k12 * r2) / whole
        half = (k2 * r0 + k12 * r1 + k22 * r2) / whole
        curved -= r0 * place + r1 * speed + r2 * half
        straight -= (c2 * r0**2 - 2 * c1 * r0 * r1 + c0 * r1**2) / even
        faster += speed * half
    # Nothing speeds up by itself: such a stretch is judged as running evenly.
    return np.asarray(np.maximum(np.where(faster > 0, straight, curved), 0.0))


def fit(
    t: Floats,
    x: Floats,
    y: Floats,
    sigma: Floats,
    *,
    slowing: float = 1500.0,
    slowing_error: float = 1500.0,
) -> Stretch:
    """The free path through samples, slowing by `slowing` mm/s² where they say little."""
    t0 = float(t.mean())
    tau = t - t0
    weight = 1.0 / sigma**2
    basis = np.stack([np.ones_like(tau), tau, tau**2], axis=1)
    weighed = (basis * weight[:, None]).T
    normal = weighed @ basis
    vector = np.concatenate([weighed @ x, weighed @ y])
    prior = 1.0 / (0.5 * slowing_error) ** 2
    speed = np.zeros(2)
    if len(t) >= 2:
        root = np.sqrt(weight)[:, None]
        speed = np.linalg.lstsq(basis[:, :2] * root, np.stack([x, y], 1) * root, rcond=None)[0][1]
    held = normal.copy()
    held[2, 2] += prior
    if len(t) < 2:
        held[1, 1] += 1.0 / 3000.0**2
    both = np.zeros((6, 6))
    both[:3, :3] = both[3:, 3:] = normal
    if len(t) < 2:
        both[[1, 4], [1, 4]] += 1.0 / 3000.0**2
    across = 1.0 / (0.5 * 60.0) ** 2
    found = np.zeros((3, 2))
    for _ in range(3):
        size = hypot(float(speed[0]), float(speed[1]))
        way = speed / size if size > 1e-6 else np.zeros(2)
        # the part of the acceleration across the way is held at none, along it near -slowing
        aim = -0.5 * slowing * way
        along = way[:, None] * way
        hold = prior * along + across * (_EYE_2 - along) if size > 1e-6 else prior * _EYE_2
        full, pull = both.copy(), vector.copy()
        full[_HALVES] += hold
        pull[2::3] += hold @ aim
        solved = np.linalg.solve(full + _LEAST_6, pull)
        found = solved.reshape(2, 3).T
        speed = found[1]
    covariance = np.linalg.inv(held + _LEAST_3)
    return Stretch(
        t0,
        (float(found[0, 0]), float(found[1, 0]), float(found[2, 0])),
        (float(found[0, 1]), float(found[1, 1]), float(found[2, 1])),
        np.asarray(covariance, dtype=np.float64),
        float(t[0]),
        float(t[-1]),
        len(t),
    )
