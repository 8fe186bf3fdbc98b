"""Which of several things stands at each place, by likelihood ratio, learning from the picture.

Every thing (and the empty place) is expected to look as it was taught, give or take what light does
to it. Light does the same to all places of one picture: from the places that are clear already it
is learned how each thing really looks in it, and all are judged again (expectation maximisation
with the taught look as a prior).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.lattice.medians import median

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prior:
    """How much a class is expected to vary: the matrix that `whitens` (D, D) deviations, and its
    `volume`, the log determinant of their covariance."""

    whitens: Floats
    volume: float

    @classmethod
    def of(cls, covariance: Floats) -> "Prior":
        """Of a covariance (D, D); LinAlgError where that is none."""
        root = np.linalg.cholesky(covariance)
        volume = 2 * float(np.log(np.diag(root)).sum())
        return cls(whitens=np.asarray(np.linalg.inv(root)), volume=volume)


def judge(
    away: Floats, priors: Sequence[Prior], group: Ints, covered: NDArray[np.bool_], rounds: int = 3
) -> Judged:
    """Judge places by `away` (C, D, P), how each deviates from each class, in its own units.

    Deviations are of brightness, red against blue, and green, part after part (D = 3 K); the three
    are independent in the `priors`, one of each class. `group` (P,), ascending, says which places
    light treats alike (say, all grooves of one direction). Nothing is learned from `covered` (P,)
    ones.
    """
    classes, size, places = away.shape
    white = np.empty_like(away)
    for prior, rest, into in zip(priors, away, white, strict=True):
        np.matmul(prior.whitens, rest, out=into)
    taught = np.square(white).sum(axis=1)
    fit, off = -0.5 * taught, taught.copy()
    bounds = np.searchsorted(group, np.arange(group[-1] + 2)).tolist()
    groups = [slice(a, b) for a, b in pairwise(bounds) if a < b]
    close = (taught < 12.0 * size) & ~covered
    before: NDArray[np.bool_] | None = None
    for _ in range(rounds):
        odds = np.exp(np.maximum(fit - fit.max(axis=0), -40.0))
        clear = (odds >= 0.9 * odds.sum(axis=0)) & close
        if before is not None and (clear == before).all():
            break  # what is learned from the same places is the same
        for mine in groups:
            for c, prior in enumerate(priors):
                if before is not None and (clear[c, mine] == before[c, mine]).all():
                    continue
                seen = clear[c, mine].nonzero()[0]
                off[c, mine], volume = _relearned(away[c, :, mine], white[c, :, mine], seen, prior)
                fit[c, mine] = -0.5 * (off[c, mine] + volume)
        before = clear
    order = np.sort(fit, axis=0)
    best = fit.argmax(axis=0)
    chosen = best, np.arange(places)
    far = np.sqrt(np.minimum(taught[chosen], off[chosen]) / size)
    ahead = order[-1] - order[-2] if classes > 1 else np.full(places, np.inf)
    return Judged(best=best, ahead=ahead, off=far)


_WEIGHT = 4.0
"""As many places does the taught look count for."""
_FLOOR = np.array([0.15, 0.6, 0.6])
"""A class spreads at least by this part of what was expected, in variance: of brightness, and of
colour, which cameras and their compression spoil here and there."""


def _relearned(away: Floats, white: Floats, seen: Ints, prior: Prior) -> tuple[Floats, float]:
    """(N,) squared Mahalanobis distances from a class as the places `seen`, which clearly are of
    it, show it, and its log determinant. `away` (D, N) are the deviations, `white` whitened.

    Light moves a class as a whole, and may make it tighter than expected, never wider: what would
    need that is another class, or unknown.
    """
    count, size = len(seen), len(away)
    if count == 0:
        return np.square(white).sum(axis=0), prior.volume
    shift = median(away.take(seen, axis=1)) * (count / (count + 0.5 * _WEIGHT))
    square = np.square(white - (prior.whitens @ shift)[:, None])
    by_kind = square.reshape(-1, 3, square.shape[1]).sum(axis=0)
    ratio = np.minimum(by_kind.take(seen, axis=1).sum(axis=1) / (count * (size // 3)), 1.0)
    part = np.maximum((_WEIGHT + count * ratio) / (_WEIGHT + count), _FLOOR)
    return (1 / part) @ by_kind, prior.volume + size // 3 * float(np.log(part).sum())
