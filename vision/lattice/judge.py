"""Which of several things stands at each place, by likelihood ratio, learning from the picture.

Every thing (and the empty place) is expected to look as it was taught, give or take what light does
to it. Light does the same to all places of one picture: from the places that are clear already it
is learned how each thing really looks in it, and all are judged again (expectation maximisation
with the taught look as a prior).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judged:
    """`best` (P,) the number of the likeliest class, `ahead` (P,) by how much in natural logarithm
    of the likelihood ratio to the next, `off` (P,) how far the look is from that class's: the root
    mean square of its deviation in standard deviations."""

    best: Ints
    ahead: Floats
    off: Floats


def judge(
    away: Floats, priors: Floats, group: Ints, covered: NDArray[np.bool_], rounds: int = 3
) -> Judged:
    """Judge places by `away` (P, C, D), how each deviates from each class, in its own units.

    `priors` (C, D, D) are the covariances expected beforehand, `group` (P,) says which places light
    treats alike (say, all grooves of one direction). Nothing is learned from `covered` (P,) ones.
    """
    places, classes, size = away.shape
    groups = int(group.max()) + 1
    shift = np.zeros((groups, classes, size))
    spread = np.broadcast_to(priors, (groups, classes, size, size)).copy()
    taught, _ = _distance(away, shift, spread, group)
    fit = -0.5 * taught
    off = taught
    for _ in range(rounds):
        odds = np.exp(np.maximum(fit - fit.max(axis=1, keepdims=True), -40.0))
        share = odds / odds.sum(axis=1, keepdims=True)
        for g in range(groups):
            mine = (group == g) & ~covered
            for c in range(classes):
                clear = mine & (share[:, c] >= 0.9) & (taught[:, c] < 12.0 * size)
                shift[g, c], spread[g, c] = _learned(away[clear, c], priors[c])
        off, volume = _distance(away, shift, spread, group)
        fit = -0.5 * (off + volume)
    order = np.sort(fit, axis=1)
    best = fit.argmax(axis=1)
    chosen = np.arange(places), best
    far = np.sqrt(np.minimum(taught[chosen], off[chosen]) / size)
    return Judged(best=best, ahead=order[:, -1] - order[:, -2], off=far)


_WEIGHT = 4.0
"""As many places does the taught look count for."""
_FLOOR = 0.15
"""A class spreads at least by this part of what was expected, in variance."""


def _learned(seen: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Middle deviation and covariance of a class, from (N, D) deviations of clear examples.

    Light moves a class as a whole, and may make it tighter than expected, never wider: what would
    need that is another class, or unknown.
    """
    count = len(seen)
    if count == 0:
        return np.zeros(len(prior)), prior
    shift = np.median(seen, axis=0) * count / (count + 0.5 * _WEIGHT)
    rest = seen - shift
    ratio = float((rest @ np.linalg.inv(prior) * rest).sum(axis=1).mean() / len(prior))
    part = (_WEIGHT + count * min(ratio, 1.0)) / (_WEIGHT + count)
    return shift, prior * max(part, _FLOOR)


def _distance(away: Floats, shift: Floats, spread: Floats, group: Ints) -> tuple[Floats, Floats]:
    """(P, C) squared Mahalanobis distances, and log determinants."""
    distance = np.empty(away.shape[:2])
    volume = np.empty(away.shape[:2])
    for g in range(len(shift)):
        mine = group == g
        for c in range(away.shape[1]):
            rest = away[mine, c] - shift[g, c]
            root = np.linalg.cholesky(spread[g, c])
            white = np.linalg.solve(root, rest.T)
            distance[mine, c] = (white**2).sum(axis=0)
            volume[mine, c] = 2 * np.log(np.diag(root)).sum()
    return distance, volume
