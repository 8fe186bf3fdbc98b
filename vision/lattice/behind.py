"""What a tall piece in a square hides of the grooves beside it, as the camera sees it.

A block leans outwards in the picture by its height, over part of a groove or all of it. What shows
of such a groove is read; where hardly anything does, the groove is unknown.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from vision.lattice.medians import median
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
_HEIGHTS = 3


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
    hid = _hid(solids[:, which], behind.rays[:, beside], behind.soft_mm)
    places, number = np.unique(beside, return_inverse=True)
    pixels = np.zeros((len(places), hid.shape[1]), dtype=np.bool_)
    np.logical_or.at(pixels, number, hid)
    some = pixels.any(axis=1)
    if not some.any():
        return None
    places, pixels = places[some], pixels[some]
    shows = [(~pixels[:, part]).sum(axis=1) for part in behind.regions.parts]
    return Hides(places=places, pixels=pixels, parts=np.stack(shows, axis=1) < _LEAST)


def fill_in(logs: Floats32, regions: Regions, hidden: Hides) -> None:
    """Give hidden ones of places' log codes (N, P, 3) the mean of what shows of their part."""
    mine, seen = logs[:, hidden.places], ~hidden.pixels.T[:, :, None]
    for part in regions.parts:
        there = seen[part]
        count = np.maximum(there.sum(axis=0), 1)
        mean = (mine[part] * there).sum(axis=0) / count
        mine[part] = np.where(there, mine[part], mean)
    logs[:, hidden.places] = mine


def fill_in_around(change: Floats32, regions: Regions, hidden: Hides) -> None:
    """Give hidden pixels around places the median of the change (N, P, 3) of those that show."""
    ring = hidden.pixels[:, regions.ring]
    for number in np.flatnonzero(ring.any(axis=1) & ~ring.all(axis=1)):
        place, seen = hidden.places[number], ~ring[number]
        change[~seen, place] = median(np.ascontiguousarray(change[seen, place].T))


def as_beside(away: Floats, hidden: Hides) -> Floats:
    """The same deviations (C, K, 3, P), each hidden part's as that of the nearest that shows."""
    away = away.copy()
    for place, parts in zip(hidden.places, hidden.parts, strict=True):
        showing = np.flatnonzero(~parts)
        for part in np.flatnonzero(parts) if len(showing) else ():
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
    x, y, foot_mm, top_mm, half_mm, cos_, sin_ = solids[:, :, None]
    square = (cos_ != 0) | (sin_ != 0)
    hid = np.zeros(rays.shape[1:], dtype=np.bool_)
    for share in np.linspace(0, 1, _HEIGHTS):
        z = foot_mm + share * (top_mm - foot_mm)
        a, b = rays[0] + z * rays[2] - x, rays[1] + z * rays[3] - y
        off = np.maximum(np.abs(a * cos_ + b * sin_), np.abs(b * cos_ - a * sin_))
        hid |= np.where(square, off, np.hypot(a, b)) < half_mm + soft_mm
    return hid
