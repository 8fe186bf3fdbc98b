"""What stands out along a table's edge: samples in three rings, compared with the empty picture.

How much differs is usual is told by each side itself, on which light may change, but smoothly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.crossings import edge_of
from vision.frame import Picture
from vision.lattice.medians import median
from vision.lattice.shade import LOG
from vision.lattice.shrunk import Part, shrunk

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

_LOG = LOG.reshape(1, -1)
_HALF = 2
_LEAST, _MOST = 0.08, 0.35
_TIMES = 4.0
"""A sample stands out by so many times what is usual on its side, in log codes at least by this
and at most by that: on a full board pieces along the edge are usual, and an arm is one all the
same."""
_ROUNDS, _SOME = 2, 40
"""The smooth change along a side is fitted so often; so many of its stations tell what is usual."""
_STEADY = np.float32(1e-3) * np.eye(3, dtype=np.float32)
_SHADES, _PER_SHADE = 8, 64
"""So many shades are told apart by about so many samples each, to see what the camera did to them.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rings:
    """One ring of samples along the table's edge or several: S sides of n stations of K samples,
    the four sides of the first ring, of the second, and so on.

    `samples` (S, n, K) are indices into the flattened half of the picture's part, `inside`
    (S, n, K) whether they lie in it, `empty` (S, n, 3K) which of all codes of all rings' channels
    they have on the empty picture. `shades` (R, 3, _SHADES, M) are of each ring and channel codes
    of that half, flattened, from its darkest to its brightest on the empty picture, `then` their
    logarithms there, `levels` (3R, _SHADES) each shade's.
    """

    samples: NDArray[np.intp]
    inside: Bools
    empty: NDArray[np.intp]
    shades: NDArray[np.intp]
    then: Floats32
    levels: Floats32

    def change(self, half: Picture, sides: NDArray[np.intp]) -> Floats32:
        """(Q, n, 3K) how log codes on Q `sides` differ from the empty picture's, but for what the
        camera does to every shade alike: exposure, white balance, its tone curve, codes that end.
        """
        usual = median(np.take(LOG, np.take(half.reshape(-1), self.shades)) - self.then)
        each = zip(self.levels, usual.reshape(self.levels.shape), strict=True)
        alike = np.array([LOG + np.interp(LOG, *told) for told in each], dtype=np.float32)
        samples, empty = self.samples, self.empty
        if len(sides) < len(samples):
            samples, empty = samples[sides], empty[sides]
        codes = cv2.LUT(np.take(half.reshape(-1, 3), samples, axis=0), _LOG)
        return np.asarray(codes.reshape(empty.shape) - np.take(alike, empty), dtype=np.float32)

    @classmethod
    def of(cls, rings: Sequence["Rings"]) -> "Rings":
        """Several rings of as many stations together."""
        before = [n * rings[0].levels.shape[0] * len(LOG) for n in range(len(rings))]
        return cls(
            samples=np.concatenate([ring.samples for ring in rings]),
            inside=np.concatenate([ring.inside for ring in rings]),
            empty=np.concatenate([r.empty + n for r, n in zip(rings, before, strict=True)]),
            shades=np.concatenate([ring.shades for ring in rings]),
            then=np.concatenate([ring.then for ring in rings]),
            levels=np.concatenate([ring.levels for ring in rings]),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shore:
    """The table's edge: stations in three rings, on its `border`, and inside it and beside it
    (`both`).

    `station` (4, n) are the numbers of each side's stations, the last one repeated on shorter
    sides; `count` (4,) how many each has; `side` (N,) is each station's side, `at` (N, 2) where it
    is, mm.
    """

    border: Rings
    both: Rings
    station: NDArray[np.intp]
    count: NDArray[np.intp]
    side: NDArray[np.intp]
    at: Floats

    def by_station(self, shares: Floats, sides: NDArray[np.intp]) -> Floats:
        """(N,) what the stations of Q sides (Q, n) have, in the stations' order; else nothing."""
        found = np.zeros(len(self.side))
        for mine, side in zip(shares, sides.tolist(), strict=True):
            count = int(self.count[side])
            first = int(self.station[side, 0])
            found[first : first + count] = mine[:count]
        return found


def shore_of(table: Table, part: Part) -> Shore:
    """The rings of `table`, in that `part` of its pictures."""
    edge = edge_of(table)
    small = shrunk(table.empty, part).half
    origin = np.array(part.origin, dtype=np.float32)
    count = np.bincount(edge.side, minlength=4)
    each = np.minimum(np.arange(count.max())[None], count[:, None] - 1)
    station = each + np.concatenate([[0], np.cumsum(count)[:-1]])[:, None]
    inside, beside = (_ring(at - origin, small, station) for at in (edge.inside, edge.beside))
    return Shore(
        border=_ring(edge.border - origin, small, station),
        both=Rings.of((inside, beside)),
        station=station,
        count=count,
        side=edge.side,
        at=edge.at,
    )


def _ring(points_px: NDArray[np.float32], half: Picture, station: NDArray[np.intp]) -> Rings:
    height, width = half.shape[:2]
    at = np.round((points_px + 0.5) / _HALF - 0.5).astype(np.intp)
    inside = np.asarray(((at >= 1) & (at < (width - 1, height - 1))).all(axis=2))
    at = np.clip(at, 0, (width - 1, height - 1))
    samples = (at[..., 1] * width + at[..., 0])[station]
    codes = half.reshape(-1, 3)[samples]
    flat = codes.reshape(-1, 3)
    once = np.flatnonzero(np.concatenate([[True], np.diff(station.ravel()) > 0]))
    own = (once[:, None] * samples.shape[2] + np.arange(samples.shape[2])).ravel()
    many = len(own) // _SHADES
    step = max(many // _PER_SHADE, 1)
    shades, then = [], []
    for channel in range(3):
        order = own[np.argsort(flat[own, channel], kind="stable")]
        mine = order[: many * _SHADES].reshape(_SHADES, many)[:, ::step]
        shades.append(3 * samples.ravel()[mine] + channel)
        then.append(LOG[flat[mine, channel]])
    return Rings(
        samples=samples,
        inside=inside[station],
        empty=(codes + len(LOG) * np.arange(3)).reshape(*station.shape, -1),
        shades=np.array(shades)[None],
        then=np.array(then)[None],
        levels=np.median(then, axis=2).astype(np.float32),
    )


def standing_out(change: Floats32, inside: Bools, count: NDArray[np.intp]) -> Floats:
    """(Q, n) the share of each station's samples that stand out on their side; 1 out of sight.

    `change` (Q, n, 3K) is that of Q sides, of which the first `count` (Q,) stations are their own;
    of the samples those `inside` (Q, n, K) are in sight.
    """
    rest = _unusual(change, count)
    some = _smooth(tuple(count.tolist()), change.shape[1])[1]
    usual = median(rest[np.arange(len(rest))[:, None], some].reshape(len(rest), -1))
    bar = np.minimum(np.maximum(_TIMES * usual, _LEAST), _MOST).astype(np.float32)
    seen = inside.sum(axis=2)
    out = ((rest > bar[:, None, None]) & inside).sum(axis=2)
    return np.asarray(np.where(seen >= 4, out / np.maximum(seen, 1), 1.0))


def _unusual(change: Floats32, count: NDArray[np.intp]) -> Floats32:
    """(Q, n, K) how far (Q, n, 3K) changes are from what runs smoothly along each side.

    Of each side's stations the first `count` (Q,) are its own.
    """
    basis, some = _smooth(tuple(count.tolist()), change.shape[1])
    each, side = basis.swapaxes(1, 2), np.arange(len(count))[:, None]
    fit = median(np.ascontiguousarray(change[side, some].swapaxes(1, 2)))[:, None]
    mean = np.full(change.shape[2], 1 / change.shape[2], dtype=np.float32)
    for _ in range(_ROUNDS):
        off = np.subtract(change, fit)
        off = np.abs(off, out=off) @ mean
        usual = np.maximum(np.float32(1.5) * median(off[side, some]), np.float32(0.02))
        off /= usual[:, None]
        weight = np.asarray(1 / (1 + np.square(np.square(off))), dtype=np.float32)
        scaled = np.asarray(basis * weight[:, None], dtype=np.float32)
        fit = each @ _solved(scaled @ each + _STEADY, scaled @ change)
    rest = change - fit
    last = np.arange(len(rest)), count - 1
    end = rest[last]
    # an arm is broader than noise
    rest[:, 1:-1] = np.float32(0.25) * (rest[:, :-2] + 2 * rest[:, 1:-1] + rest[:, 2:])
    rest[last] = end
    np.abs(rest, out=rest)
    by_sample = rest.reshape(*rest.shape[:2], -1, 3)
    most = np.maximum(np.maximum(by_sample[..., 0], by_sample[..., 1]), by_sample[..., 2])
    return np.asarray(most, dtype=np.float32)


def _solved(normal: NDArray[np.floating], wanted: NDArray[np.floating]) -> Floats32:
    """(Q, 3, m) what solves (Q, 3, 3) equations; for few, faster than NumPy's way."""
    both = zip(normal, wanted, strict=True)
    each = [cv2.solve(a, b, flags=cv2.DECOMP_CHOLESKY)[1] for a, b in both]
    return np.array(each, dtype=np.float32)


@cache
def _smooth(count: tuple[int, ...], stations: int) -> tuple[Floats32, NDArray[np.intp]]:
    """(Q, 3, n) what runs smoothly along sides of so many stations, nothing beyond their own, and
    (Q, _SOME) the stations that tell what is usual on each."""
    basis = np.zeros((len(count), 3, stations), dtype=np.float32)
    for number, n in enumerate(count):
        x = np.linspace(-1, 1, n)
        basis[number, :, :n] = np.stack([np.ones_like(x), x, x * x])
    some = [np.linspace(0, n - 1, _SOME).round() for n in count]
    return basis, np.array(some, dtype=np.intp)
