"""What a tall piece in a square hides of the grooves beside it, as the camera sees it.

A block leans outwards in the picture by its height, over part of a groove or all of it. What shows
of such a groove is read; where hardly anything does, the groove is unknown.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from vision.lattice.places import Layer
from vision.lattice.regions import Regions

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

_SOFT_PX, _OFF_MM = 0.75, 1.2
"""An outline is soft in a picture, and its place not known exactly: so much more is not read."""
_LEAST, _MOST = 3, 0.5
"""Of a part that shows at all so many pixels must; of a place so much may be hidden, in parts."""
_HEIGHTS, _NIL = 3, 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Behind:
    """The rays of the pixels that places are read from: `rays` (4, P, N), mm, foot x, y on the
    surface and drift x, y for 1 mm of height, the longest of a place's being `lean` (P,).
    Within `soft_mm` of a piece nothing is read; places are `half_mm` wide from their middle."""

    layer: Layer
    regions: Regions
    rays: Floats32
    lean: Floats
    soft_mm: float
    half_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hides:
    """Places that are partly hidden, `places` (A,), which of their pixels are, `pixels` (A, N), and
    which of their parts, `parts` (A, K)."""

    places: Ints
    pixels: Bools
    parts: Bools

    def only(self, places: Ints) -> "Hides":
        """The same of some `places` (B,), ascending, each numbered as it comes among these."""
        number = np.searchsorted(places, self.places)
        kept = np.append(places, -1)[number] == self.places
        return Hides(places=number[kept], pixels=self.pixels[kept], parts=self.parts[kept])

    @property
    def unread(self) -> Ints:
        """(U,) the places of which too little shows to be read."""
        return np.asarray(self.places[self.parts.mean(axis=1) > _MOST])


def behind_of(rays: RayMap, layer: Layer, regions: Regions) -> Behind:
    """What it takes to tell what pieces hide of the places of `layer`, read from `regions`."""
    drawn = rays.planes.reshape(4, -1)[:, regions.pixels]
    across = np.hypot(*np.diff(rays.planes[:2], axis=2))
    return Behind(
        layer=layer,
        regions=regions,
        rays=np.ascontiguousarray(drawn),
        lean=np.hypot(*drawn[2:]).max(axis=1).astype(np.float64),
        soft_mm=_OFF_MM + _SOFT_PX * float(np.median(across)),
        half_mm=max(spec.diameter_mm for spec in layer.specs) / 2,
    )


def hides(solids: Floats, behind: Behind) -> Hides | None:
    """What pieces (7, F), see `Contents`, hide of the places of a layer; None: nothing."""
    which, beside = np.nonzero(_reaches(solids, behind))
    if not len(which):
        return None
    hid = _hid(solids.take(which, axis=1), behind.rays.take(beside, axis=1), behind.soft_mm)
    some = np.flatnonzero(hid.any(axis=1))
    if not len(some):
        return None
    order = some[np.argsort(beside[some], kind="stable")]
    first = np.flatnonzero(np.diff(beside[order], prepend=-1))
    pixels = np.logical_or.reduceat(hid[order], first, axis=0)
    shows = [np.count_nonzero(~pixels[:, part], axis=1) for part in behind.regions.parts]
    return Hides(places=beside[order[first]], pixels=pixels, parts=np.stack(shows, axis=1) < _LEAST)


def shown_of_parts(logs: Floats32, means: Floats32, hidden: Hides) -> Floats32:
    """(K, A, 3) the means of what shows of the parts of partly hidden places, of the log codes
    (N, P, 3) of all; 0 where nothing does. `means` (K, N) take those of whole parts."""
    shows = np.ascontiguousarray(~hidden.pixels.T, dtype=np.float32)
    mine = logs.take(hidden.places, axis=1)
    mine *= shows[:, :, None]
    whole = (means @ mine.reshape(len(mine), -1)).reshape(len(means), -1, 3)
    return np.asarray(whole / np.maximum(means @ shows, _NIL)[:, :, None], dtype=np.float32)


def shown_around(change: Floats32, regions: Regions, hidden: Hides) -> Floats:
    """(3, A) the medians of the change (N, P, 3) of the pixels that show around partly hidden
    places; of all of them where none does."""
    ring = hidden.pixels[:, regions.ring]
    ring = ring & ~ring.all(axis=1, keepdims=True)
    mine = np.where(ring.T[:, :, None], np.float32(np.inf), change[:, hidden.places])
    ordered = np.sort(np.ascontiguousarray(mine.transpose(2, 1, 0)), axis=2)
    count = np.count_nonzero(~ring, axis=1)
    low, high = ((count - 1) // 2)[None, :, None], (count // 2)[None, :, None]
    middle = [np.take_along_axis(ordered, np.repeat(at, 3, axis=0), axis=2) for at in (low, high)]
    return np.asarray(0.5 * (middle[0] + middle[1])[:, :, 0], dtype=np.float64)


def as_beside(away: Floats, hidden: Hides) -> Floats:
    """The same deviations (C, K, 3, P), each hidden part's as that of the nearest that shows."""
    away = away.copy()
    for number in np.flatnonzero(hidden.parts.any(axis=1) & ~hidden.parts.all(axis=1)).tolist():
        place, parts = hidden.places[number], hidden.parts[number]
        showing = np.flatnonzero(~parts)
        for part in np.flatnonzero(parts).tolist():
            nearest = showing[np.abs(showing - part).argmin()]
            away[:, part, :, place] = away[:, nearest, :, place]
    return away


def _reaches(solids: Floats, behind: Behind) -> Bools:
    """(F, P) which pieces may reach in the picture over which places."""
    x, y, _, top_mm, half_mm, cos_, sin_ = solids[:, :, None]
    at, turn = behind.layer.at, behind.layer.turn
    dx, dy = at[:, 0] - x, at[:, 1] - y
    across, along = np.where(turn == 0, (dy, dx), (dx, dy))
    wide = np.maximum(np.abs(cos_) + np.abs(sin_), 1.0) * half_mm
    reach = wide + top_mm * behind.lean + behind.half_mm + behind.soft_mm
    return np.asarray((np.abs(across) < reach) & (np.abs(along) < behind.layer.pitch_mm))


def _hid(solids: Floats, rays: Floats32, soft_mm: float) -> Bools:
    """(M, N) which `rays` (4, M, N) pass their solid (7, M), or come within `soft_mm` of it."""
    x, y, foot_mm, top_mm, half_mm, cos_, sin_ = solids.astype(np.float32)[:, :, None]
    z = foot_mm + np.linspace(0, 1, _HEIGHTS, dtype=np.float32)[:, None, None] * (top_mm - foot_mm)
    a, b = rays[0] - x + z * rays[2], rays[1] - y + z * rays[3]
    reach = half_mm + np.float32(soft_mm)
    hid = (a * a + b * b < reach * reach).any(axis=0)
    square = np.flatnonzero((cos_ != 0) | (sin_ != 0))
    if len(square):
        a, b, c, s = a[:, square], b[:, square], cos_[square], sin_[square]
        off = np.maximum(np.abs(a * c + b * s), np.abs(b * c - a * s))
        hid[square] = (off < reach[square]).any(axis=0)
    return np.asarray(hid)
