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

    Deviations are of brightness, red against blue, and green, part after part (D = 3 K); the three
    are independent in the `priors` (C, D, D), the covariances expected beforehand. `group` (P,)
    says which places light treats alike (say, all grooves of one direction). Nothing is learned
    from `covered` (P,) ones.
    """
    places, classes, size = away.shape
    groups = int(group.max()) + 1
    shift = np.zeros((groups, classes, size))
    members = [np.flatnonzero(group == g) for g in range(groups)]
    roots = [_Root.of(prior) for prior in priors]
    spreads = [list(roots) for _ in range(groups)]
    taught, _ = _distance(away, shift, spreads, members)
    fit = -0.5 * taught
    off = taught
    for _ in range(rounds):
        odds = np.exp(np.maximum(fit - fit.max(axis=1, keepdims=True), -40.0))
        share = odds / odds.sum(axis=1, keepdims=True)
        for g in range(groups):
            mine = (group == g) & ~covered
            for c in range(classes):
                clear = mine & (share[:, c] >= 0.9) & (taught[:, c] < 12.0 * size)
                shift[g, c], spreads[g][c] = _learned(away[clear, c], roots[c])
        off, volume = _distance(away, shift, spreads, members)
        fit = -0.5 * (off + volume)
    order = np.sort(fit, axis=1)
    best = fit.argmax(axis=1)
    chosen = np.arange(places), best
    far = np.sqrt(np.minimum(taught[chosen], off[chosen]) / size)
    return Judged(best=best, ahead=order[:, -1] - order[:, -2], off=far)


_WEIGHT = 4.0
"""As many places does the taught look count for."""
_FLOOR = np.array([0.15, 0.6, 0.6])
"""A class spreads at least by this part of what was expected, in variance: of brightness, and of
colour, which cameras and their compression spoil here and there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Root:
    """A covariance by the matrix that `whitens` (D, D) deviations, and its log determinant."""

    whitens: Floats
    volume: float

    @classmethod
    def of(cls, covariance: Floats) -> "_Root":
        root = np.linalg.cholesky(covariance)
        volume = 2 * float(np.log(np.diag(root)).sum())
        return cls(whitens=np.asarray(np.linalg.inv(root).T), volume=volume)

    def times(self, part: Floats) -> "_Root":
        """That of the covariance with each kind of deviation's share times `part` (3,)."""
        each = np.resize(part, len(self.whitens))
        volume = self.volume + float(np.log(each).sum())
        return _Root(whitens=self.whitens / np.sqrt(each)[:, None], volume=volume)

    def distances(self, rest: Floats) -> Floats:
        """(N,) squared Mahalanobis distances of (N, D) deviations."""
        white = rest @ self.whitens
        return np.asarray(np.einsum("nd,nd->n", white, white))

    def ratios(self, rest: Floats) -> Floats:
        """(3,) how widely (N, D) deviations vary against what was expected, in variance."""
        white = np.square(rest @ self.whitens).reshape(len(rest), -1, 3)
        return np.asarray(white.mean(axis=(0, 1)))


def _learned(seen: Floats, prior: _Root) -> tuple[Floats, _Root]:
    """Middle deviation and covariance of a class, from (N, D) deviations of clear examples.

    Light moves a class as a whole, and may make it tighter than expected, never wider: what would
    need that is another class, or unknown.
    """
    count, size = seen.shape
    if count == 0:
        return np.zeros(size), prior
    shift = np.median(seen, axis=0) * count / (count + 0.5 * _WEIGHT)
    ratio = np.minimum(prior.ratios(seen - shift), 1.0)
    part = (_WEIGHT + count * ratio) / (_WEIGHT + count)
    return shift, prior.times(np.maximum(part, _FLOOR))


def _distance(
    away: Floats, shift: Floats, spreads: list[list[_Root]], members: list[Ints]
) -> tuple[Floats, Floats]:
    """(P, C) squared Mahalanobis distances, and log determinants; `members` of each group."""
    distance = np.empty(away.shape[:2])
    volume = np.empty(away.shape[:2])
    for g, mine in enumerate(members):
        for c, root in enumerate(spreads[g]):
            distance[mine, c] = root.distances(away[mine, c] - shift[g, c])
            volume[mine, c] = root.volume
    return distance, volume
