"""The few lamps behind a light that was first read as many.

A grid of lamps (`vision.appearance.light`) explains shadows by a score of lamps of which most are
not there: between them they blur the shadow of the one that is. Lamps that lie together are taken
for one here; then where each is, how wide it is, what it gives and how high all hang is moved
until the darkness about all pieces fits best (Levenberg-Marquardt steps, a Cauchy loss).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats
from vision.appearance.light import (
    ALL_FROM_LAMPS,
    AROUND,
    FEWEST_POINTS,
    USUAL_NEARNESS,
    Cushions,
    Floats32,
    Light,
    Surroundings,
    hidden_by,
)

_TOGETHER = 0.2
"""Lamps whose leans differ by less are one, where lamps hang; farther out it is more."""

_ROUNDS = 8
_SURPRISING = 0.03  # from what share of the board's light on a point counts for less
_FAINTEST = 0.01  # a lamp that gives less is none
_WORTH_TRYING = 0.03
_NARROWEST, _WIDEST = 0.01, 0.9
_STEP_LEAN, _STEP_WIDE, _STEP_NEARNESS = 0.01, 0.1, 5e-5
_FARTHEST_LEAN, _FARTHEST_WIDE = 0.3, 0.7
_NEAREST, _NEARNESS_SD = 1.5e-3, 3e-4
_PER_NEARNESS = 1e-3
_PRIOR = 3e-4
_ENOUGH = 5e-4
_TRIES = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Lamps:
    """`wide` (K,) is the logarithm of the lamps' spread; the rest is as in `Light`."""

    lean: Floats
    wide: Floats
    share: Floats
    nearness: float

    def moved(self, by: Floats) -> "_Lamps":
        """`by` (4 K + 1,): along x, along y, wider, brighter, all nearer."""
        k = len(self.share)
        lean = np.clip(by[: 2 * k], -_FARTHEST_LEAN, _FARTHEST_LEAN).reshape(2, k).T
        wide = self.wide + np.clip(by[2 * k : 3 * k], -_FARTHEST_WIDE, _FARTHEST_WIDE)
        return _Lamps(
            lean=self.lean + lean,
            wide=np.clip(wide, np.log(_NARROWEST), np.log(_WIDEST)),
            share=np.maximum(self.share + by[3 * k : 4 * k], 0.0),
            nearness=float(np.clip(self.nearness + _PER_NEARNESS * by[-1], 0.0, _NEAREST)),
        )

    def bright(self) -> "_Lamps":
        keep = self.share > _FAINTEST
        return _Lamps(
            lean=self.lean[keep],
            wide=self.wide[keep],
            share=self.share[keep],
            nearness=self.nearness,
        )


def gathered(around: Sequence[Surroundings], cushions: Cushions, light: Light) -> Light:
    """`light` as few lamps that explain the darkness `around` at least as well; else as it is."""
    around = [a for a in around if len(a.seen) >= FEWEST_POINTS]
    if len(around) < 2 or not len(light.share):
        return light
    dark = _Darkness(around, cushions)
    many = _Lamps(
        lean=light.lean, wide=np.log(light.spread), share=light.share, nearness=light.nearness
    )
    few = _settled(dark, _together(light))
    if not len(few.share) or dark.misfit(few, dark.kept(few)) > dark.misfit(many, dark.kept(many)):
        return light
    return Light(lean=few.lean, spread=np.exp(few.wide), share=few.share, nearness=few.nearness)


def _together(light: Light) -> _Lamps:
    """One lamp for each bundle of those of `light`, the brightest bundle first."""
    left = np.ones(len(light.share), dtype=np.bool_)
    apart = np.hypot(*(light.lean[:, None] - light.lean[None]).transpose(2, 0, 1))
    near = apart < _TOGETHER * (0.5 + np.hypot(*light.lean.T))[:, None]
    lean, wide, share = [], [], []
    while left.any():
        bundles = (near & left) @ light.share
        first = int(np.argmax(np.where(left, bundles, -1.0)))
        of = near[first] & left
        left &= ~of
        weight = light.share[of] / light.share[of].sum()
        middle = weight @ light.lean[of]
        scatter = weight @ ((light.lean[of] - middle) ** 2).sum(axis=1) / 2
        lean.append(middle)
        wide.append(0.5 * np.log(max(scatter + weight @ light.spread[of] ** 2, _NARROWEST**2)))
        share.append(float(light.share[of].sum()))
    keep = [n for n, s in enumerate(share) if s > _WORTH_TRYING] or [int(np.argmax(share))]
    return _Lamps(
        lean=np.array(lean)[keep],
        wide=np.array(wide)[keep],
        share=np.array(share)[keep],
        nearness=light.nearness,
    )


class _Darkness:
    """What is seen of the board about all pieces, and what lamps make of it."""

    def __init__(self, around: Sequence[Surroundings], cushions: Cushions) -> None:
        self._around = around
        self._cushions = cushions
        self._seen = np.concatenate([a.seen for a in around])
        self._weight = np.concatenate([a.weight for a in around])
        self._of = np.repeat(np.arange(len(around)), [len(a.seen) for a in around])

    def __len__(self) -> int:
        return len(self._seen)

    def hidden(self, lean: Floats, wide: Floats, nearness: float) -> Floats32:
        """(K, N) how much of each lamp is hidden from each point."""
        parts = []
        for a in self._around:
            origin = (a.pieces[0].x_mm, a.pieces[0].y_mm)
            here = lean - nearness * np.array(origin)
            parts.append(
                hidden_by(a.foot, origin, a.pieces, here, np.exp(wide), self._cushions, AROUND)
            )
        return np.concatenate(parts, axis=1)

    def kept(self, lamps: _Lamps) -> Floats:
        """(N,) light that each point keeps."""
        return 1 - lamps.share @ self.hidden(lamps.lean, lamps.wide, lamps.nearness)

    def left(self, kept: Floats) -> tuple[Floats, Floats, Floats]:
        """(N,) what is left over, its weights, and the level of each point's surroundings."""
        weight = self._weight**2
        level, off = self._level(kept, weight)
        for _ in range(2):
            weight = self._weight**2 / (1 + (off * self._weight / _SURPRISING) ** 2)
            level, off = self._level(kept, weight)
        return off, weight, level

    def misfit(self, lamps: _Lamps, kept: Floats) -> float:
        off = self.left(kept)[0] * self._weight
        hang = ((lamps.nearness - USUAL_NEARNESS) / _NEARNESS_SD) ** 2
        give = ((lamps.share.sum() - 1) / _SURPRISING) ** 2
        prior = (_PRIOR * hang + ALL_FROM_LAMPS * give) * len(self)
        return float(np.log1p((off / _SURPRISING) ** 2).sum() + prior)

    def level_free(self, slopes: Floats, kept: Floats, weight: Floats) -> Floats:
        """`slopes` (M, N), each without what another level of its surroundings would do."""
        count = len(self._around)
        per = np.maximum(np.bincount(self._of, weight * kept * kept, count), 1e-9)
        along = np.stack([np.bincount(self._of, s * weight * kept, count) for s in slopes])
        return np.asarray(slopes - (along / per)[:, self._of] * kept, dtype=np.float64)

    def _level(self, kept: Floats, weight: Floats) -> tuple[Floats, Floats]:
        count = len(self._around)
        seen = np.bincount(self._of, weight * self._seen * kept, count)
        per = np.maximum(np.bincount(self._of, weight * kept * kept, count), 1e-9)
        level = (seen / per)[self._of]
        return level, self._seen - level * kept


def _settled(dark: _Darkness, lamps: _Lamps) -> _Lamps:
    """`lamps` moved to where they explain the darkness best."""
    kept = dark.kept(lamps)
    misfit = dark.misfit(lamps, kept)
    damping = 1e-3
    for _ in range(_ROUNDS):
        normal, right = _equations(dark, lamps)
        for _ in range(_TRIES):
            damped = normal + damping * np.diag(np.diag(normal)) + 1e-9 * np.eye(len(normal))
            other = lamps.moved(np.asarray(np.linalg.solve(damped, right), dtype=np.float64))
            kept = dark.kept(other)
            now = dark.misfit(other, kept)
            if now < misfit:
                break
            damping *= 5
        else:
            return lamps
        enough = misfit - now < _ENOUGH * misfit
        lamps, misfit, damping = other, now, max(damping / 5, 1e-6)
        if (lamps.share <= _FAINTEST).any():
            lamps = lamps.bright()
            misfit = dark.misfit(lamps, dark.kept(lamps)) if len(lamps.share) else 0.0
        if enough or not len(lamps.share):
            break
    return lamps


def _equations(dark: _Darkness, lamps: _Lamps) -> tuple[Floats, Floats]:
    """Normal matrix (M, M) and right side (M,) for `_Lamps.moved`."""
    lean, wide, near, share = lamps.lean, lamps.wide, lamps.nearness, lamps.share[:, None]
    hidden = dark.hidden(lean, wide, near)
    kept = np.asarray(1 - lamps.share @ hidden, dtype=np.float64)
    off, weight, level = dark.left(kept)
    ahead = np.eye(2) * _STEP_LEAN
    nearer = dark.hidden(lean, wide, near + _STEP_NEARNESS) - hidden
    slopes = -np.concatenate(
        [
            share * (dark.hidden(lean + ahead[0], wide, near) - hidden) / _STEP_LEAN,
            share * (dark.hidden(lean + ahead[1], wide, near) - hidden) / _STEP_LEAN,
            share * (dark.hidden(lean, wide + _STEP_WIDE, near) - hidden) / _STEP_WIDE,
            hidden,
            (share * nearer).sum(axis=0, keepdims=True) * (_PER_NEARNESS / _STEP_NEARNESS),
        ]
    )
    free = dark.level_free(slopes * level, kept, weight)
    normal = (free * weight) @ free.T
    right = (free * weight) @ off
    k = len(lamps.share)
    held = _PRIOR * len(dark) * _SURPRISING**2
    normal[range(2 * k, 3 * k), range(2 * k, 3 * k)] += held  # a lamp widens reluctantly
    all_given = ALL_FROM_LAMPS * len(dark)
    normal[3 * k : 4 * k, 3 * k : 4 * k] += all_given
    right[3 * k : 4 * k] -= all_given * (lamps.share.sum() - 1)
    per = _PER_NEARNESS / _NEARNESS_SD
    normal[-1, -1] += held * per**2
    right[-1] -= held * per * (near - USUAL_NEARNESS) / _NEARNESS_SD
    return np.asarray(normal, dtype=np.float64), np.asarray(right, dtype=np.float64)
