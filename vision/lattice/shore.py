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
from vision.detection.crossings import edge_of
from vision.frame import Picture
from vision.lattice.medians import median
from vision.lattice.sampled import Samples
from vision.lattice.shade import LOG

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]

_LOG = LOG.reshape(1, -1)
_HALF, _FOUR = 2, ((0, 0), (1, 0), (0, 1), (1, 1))
LEAST, _MOST = 0.08, 0.35
_TIMES = 4.0
"""A sample stands out by so many times what is usual on its side, in log codes at least by this
and at most by that: on a full board pieces along the edge are usual, and an arm is one all the
same."""
AROUND = 12
"""So many stations to either side of a stretch may tell of what comes in there."""
Run = tuple[int, int]
"""The first station of a stretch, and the one after its last."""
_ROUNDS, _SOME = 2, 40
"""The smooth change along a side is fitted so often; so many of its stations tell what is usual."""
_STEADY = np.float32(1e-3) * np.eye(3, dtype=np.float32)
_SHADES, _PER_SHADE = 8, 64
"""So many shades are told apart by about so many samples each, to see what the camera did to them.
"""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rings:
    """One ring of samples along the table's edge or several: S sides of n stations of K samples,
    the four sides of the first ring, of the second, and so on. A sample is the mean of two by two
    pixels.

    `pixels` (4, S*n*K) draw the four of each, `inside` (S, n, K) says whether they lie in the
    picture, `empty` (S, n, 3K) which of all codes of all rings' channels samples have on the empty
    picture. `shades` (R, 3, _SHADES, M) are of each ring and channel codes of samples, flattened,
    from its darkest to its brightest on the empty picture, `then` their logarithms there;
    `between` (3R, 256, _SHADES) is how much each shade says of each code.
    """

    pixels: Samples
    inside: Bools
    empty: NDArray[np.intp]
    shades: NDArray[np.intp]
    then: Floats32
    between: Floats32

    def logs(self, picture: Picture) -> Floats32:
        """(S, n, 3K) log codes of the samples in a picture (H, W, 3), BGR."""
        logs = cv2.LUT(_means(picture, self.pixels), _LOG)
        return np.asarray(logs, dtype=np.float32).reshape(self.empty.shape)

    def change(self, logs: Floats32, sides: NDArray[np.intp]) -> Floats32:
        """(Q, n, 3K) how `logs` on Q `sides` differ from the empty picture's, but for what the
        camera does to every shade alike: exposure, white balance, its tone curve, codes that end.
        """
        usual = median(logs.reshape(-1).take(self.shades) - self.then)
        alike = LOG + np.matmul(self.between, usual.reshape(len(self.between), -1, 1))[..., 0]
        empty = self.empty
        if len(sides) < len(empty):
            logs, empty = logs[sides], empty[sides]
        return np.asarray(logs - alike.reshape(-1).take(empty), dtype=np.float32)

    def tint(self, logs: Floats32, sides: NDArray[np.intp]) -> Floats32:
        """(Q, n, 3K) how the colour of `logs` on Q `sides` differs from the empty picture's: of
        each sample's three changes what is left without their mean, as light and shade change all
        alike, be it with a sharp edge."""
        logs = logs[sides]
        change = (logs - _LOG[0, self.empty[sides] % len(LOG)]).reshape(*logs.shape[:2], -1, 3)
        change -= change.mean(axis=3, keepdims=True)
        return np.asarray(change.reshape(logs.shape), dtype=np.float32)

    def then_on(self, side: int) -> Floats32:
        """(n, 3K) log codes of a side's samples on the empty picture."""
        return np.asarray(_LOG[0, self.empty[side] % len(LOG)], dtype=np.float32)

    @classmethod
    def of(cls, rings: Sequence["Rings"]) -> "Rings":
        """Several rings of as many stations together."""
        before = [n * rings[0].between.shape[0] * len(LOG) for n in range(len(rings))]
        shades = [ring.shades + n * ring.empty.size for n, ring in enumerate(rings)]
        return cls(
            pixels=Samples(at=np.concatenate([ring.pixels.at for ring in rings], axis=1)),
            inside=np.concatenate([ring.inside for ring in rings]),
            empty=np.concatenate([r.empty + n for r, n in zip(rings, before, strict=True)]),
            shades=np.concatenate(shades),
            then=np.concatenate([ring.then for ring in rings]),
            between=np.concatenate([ring.between for ring in rings]),
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

    def side_of(self, run: Run) -> tuple[int, int, int]:
        """The side on which a stretch lies, the number of its first station and how many it has."""
        side = int(self.side[run[0]])
        return side, int(self.station[side, 0]), int(self.count[side])

    def by_station(self, shares: Floats, sides: NDArray[np.intp]) -> Floats:
        """(N,) what the stations of Q sides (Q, n) have, in the stations' order; else nothing."""
        found = np.zeros(len(self.side))
        for mine, side in zip(shares, sides.tolist(), strict=True):
            count = int(self.count[side])
            first = int(self.station[side, 0])
            found[first : first + count] = mine[:count]
        return found


def shore_of(table: Table) -> Shore:
    """The rings of `table`."""
    edge = edge_of(table)
    count = np.bincount(edge.side, minlength=4)
    each = np.minimum(np.arange(count.max())[None], count[:, None] - 1)
    station = each + np.concatenate([[0], np.cumsum(count)[:-1]])[:, None]
    inside, beside = (_ring(at, table.empty, station) for at in (edge.inside, edge.beside))
    return Shore(
        border=_ring(edge.border, table.empty, station),
        both=Rings.of((inside, beside)),
        station=station,
        count=count,
        side=edge.side,
        at=edge.at,
    )


def _ring(points_px: NDArray[np.float32], picture: Picture, station: NDArray[np.intp]) -> Rings:
    height, width = picture.shape[0] // _HALF, picture.shape[1] // _HALF
    at = np.round((points_px + 0.5) / _HALF - 0.5).astype(np.intp)
    inside = np.asarray(((at >= 1) & (at < (width - 1, height - 1))).all(axis=2))
    at = np.clip(at, 0, (width - 1, height - 1))[station]
    first = _HALF * at.reshape(-1, 2)
    pixels = Samples(at=np.stack([first + off for off in _FOUR]).astype(np.int16))
    flat = _means(picture, pixels).reshape(-1, 3)
    once = np.flatnonzero(np.concatenate([[True], np.diff(station.ravel()) > 0]))
    own = (once[:, None] * points_px.shape[1] + np.arange(points_px.shape[1])).ravel()
    many = len(own) // _SHADES
    step = max(many // _PER_SHADE, 1)
    shades, then = [], []
    for channel in range(3):
        order = own[np.argsort(flat[own, channel], kind="stable")]
        mine = order[: many * _SHADES].reshape(_SHADES, many)[:, ::step]
        shades.append(3 * mine + channel)
        then.append(LOG[flat[mine, channel]])
    return Rings(
        pixels=pixels,
        inside=inside[station],
        empty=(flat + len(LOG) * np.arange(3)).reshape(*station.shape, -1),
        shades=np.array(shades)[None],
        then=np.array(then)[None],
        between=np.array([_between(level) for level in np.median(then, axis=2)]),
    )


def _means(picture: Picture, pixels: Samples) -> Codes:
    """(1, N, 3) the means of four pixels each (4, N), rounded."""
    drawn = pixels.codes(picture)
    whole = cv2.reduce(drawn.reshape(len(drawn), -1), 0, cv2.REDUCE_SUM, dtype=cv2.CV_32S)
    means = np.asarray(whole, dtype=np.int32) + 2 >> 2
    return np.asarray(means.reshape(1, -1, 3), dtype=np.uint8)


def _between(levels: Floats32) -> Floats32:
    """(256, _SHADES) how much shades of these `levels`, ascending, say of each code: the two it
    lies between, or the one at the end."""
    each = [np.interp(LOG, levels, shade) for shade in np.eye(len(levels))]
    return np.array(each, dtype=np.float32).T


def standing_out(
    change: Floats32, inside: Bools, count: NDArray[np.intp], least: float = LEAST
) -> tuple[Floats, Floats32]:
    """(Q, n) the share of each station's samples that stand out on their side, 1 out of sight; and
    (Q,) how far samples usually are from what runs smoothly along each.

    `change` (Q, n, 3K) is that of Q sides, of which the first `count` (Q,) stations are their own;
    of the samples those `inside` (Q, n, K) are in sight. What stands out does by `least`.
    """
    rest = _unusual(change, count)
    some = _smooth(tuple(count.tolist()), change.shape[1])[1]
    usual = median(rest[np.arange(len(rest))[:, None], some].reshape(len(rest), -1))
    bar = np.minimum(np.maximum(_TIMES * usual, least), _MOST).astype(np.float32)
    seen = inside.sum(axis=2)
    out = ((rest > bar[:, None, None]) & inside).sum(axis=2)
    return np.asarray(np.where(seen >= 4, out / np.maximum(seen, 1), 1.0)), usual


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
