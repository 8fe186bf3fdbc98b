"""Where the light comes from, read off the shadows that the pieces cast.

The light is a handful of distant lamps, each by the way its shadows run: `lean` is how far along
x and y the ray to the lamp moves for each millimetre of height, at the board's middle. Nearer the
lamp shadows are shorter, so every lamp stands at one common height. How much of the board's light
each gives is a non-negative least squares fit to the darkness around the pieces (inverse lighting
from cast shadows, Sato, Sato & Ikeuchi 2003).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from calibration.camera import Floats
from calibration.rings import Rings
from calibration.silhouette import Body

Floats32 = NDArray[np.float32]


def _grid() -> Floats:
    leans = []
    for n, reach in enumerate((0.2, 0.45, 0.8, 1.3, 2.0, 3.2)):
        angles = np.arange(12) * np.pi / 6 + (np.pi / 12 if n % 2 else 0.0)
        leans.append(reach * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(leans)


LEANS = _grid()
SPREADS = np.maximum(0.12, 0.22 * np.hypot(*LEANS.T))
"""How wide each is: it stands for all lamps between it and the next ones."""

NEARNESS = (0.0, 4e-4, 7e-4, 1.1e-3)
"""One over the lamps' height above the board, per mm, that are tried."""

USUAL_NEARNESS = 6e-4
_UNUSUAL = 3e-4
ALL_FROM_LAMPS = 1e-3
"""Where shadows tell little (of lamps above, they hide beneath their pieces), lamps hang as high as
they mostly do, and together they give all light there is."""


FEWEST_POINTS = 40
"""Of the board about a piece, to tell of light."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cushions:
    """The raised border about the surface, which casts a shadow too."""

    half_x_mm: float
    half_y_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """Lamps by `lean` (K, 2), their `spread` (K,) in lean and the `share` (K,) of light they give.

    What the shares leave of one comes from everywhere. `nearness` is one over the lamps' height.
    """

    lean: Floats
    spread: Floats
    share: Floats
    nearness: float

    def lean_at(self, x_mm: float, y_mm: float) -> Floats:
        """(K, 2) leans as they are at a place on the board."""
        return self.lean - self.nearness * np.array([x_mm, y_mm])

    @property
    def everywhere(self) -> float:
        return float(max(0.0, 1.0 - self.share.sum()))


BLACK = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A piece of form `body` that stands at (x_mm, y_mm), with the rings turned into its top.

    `paint`: the share of light that it throws back, blue, green and red.
    """

    body: Body
    x_mm: float
    y_mm: float
    rings: Rings | None = None
    paint: tuple[float, float, float] = BLACK

    def at(self, x_mm: float, y_mm: float) -> "Standing":
        """The same piece, standing at (x_mm, y_mm)."""
        return replace(self, x_mm=x_mm, y_mm=y_mm)


DIFFUSE = Light(lean=np.zeros((0, 2)), spread=np.zeros(0), share=np.zeros(0), nearness=0.0)


class Foot(NamedTuple):
    """How soft a shadow begins, and how far from a piece's foot any point is held to be."""

    soft_mm: float
    beside_mm: float


LOOKED_AT = Foot(0.25, 0.45)
"""What the camera sees of the board at a foot lies beside it, though a pixel's middle may not."""

AROUND = Foot(0.6, 0.0)
"""All of the board about a foot, with the dark of the corner where the two meet."""

_HOLE_MM = 2.5


_Reals = NDArray[np.floating[Any]]


def length_of(x: _Reals, y: _Reals) -> Floats32:
    """What `np.hypot` gives, several times faster, for numbers whose squares are numbers too."""
    square = x * x
    square += y * y
    return np.asarray(np.sqrt(square, out=square), dtype=np.float32)


def cover(reach: Floats32, sigma: Floats32 | float) -> Floats32:
    """A soft step from 1 (inside, reach < 0) to 0, within 3e-4 of the normal distribution's."""
    z = reach / np.float32(sigma) if isinstance(sigma, float) else reach / sigma
    step = z * z
    step *= _PHI_3
    step += _PHI_1
    step *= z
    np.tanh(step, out=step)
    step *= np.float32(-0.5)
    step += np.float32(0.5)
    return np.asarray(step, dtype=np.float32)


_PHI_1, _PHI_3 = np.float32(0.7978845608), np.float32(0.0356774081)


def shadows(
    foot: Floats32, body: Body, leans: Floats, spreads: Floats, foot_of: Foot = LOOKED_AT
) -> Floats32:
    """(K, N) how much of each lamp a piece hides from board points.

    `foot` (N, 2): the points, counted from the piece's own place; `leans` (K, 2) and
    `spreads` (K,) of the lamps; `foot_of`: how light meets the piece's foot.
    """
    soft_mm = foot_of.soft_mm
    qx, qy = foot[:, 0], foot[:, 1]
    length = np.maximum(length_of(qx, qy), np.float32(1e-3))
    beside = np.float32(body.radius_mm + foot_of.beside_mm)
    at_foot = (length < beside) & (length > body.hole_mm + (_HOLE_MM if body.hole_mm > 0 else -1))
    outward = np.where(at_foot, beside / length, np.float32(1))
    qx, qy = qx * outward, qy * outward
    lean = leans.astype(np.float32)
    lx, ly = lean[:, :1], lean[:, 1:]
    t = np.float32(body.thickness_mm)
    spread = spreads.astype(np.float32)[:, None]
    # where on its way to the lamp light passes the piece's axis most closely, and how far off
    back = -1 / (lx * lx + ly * ly + np.float32(1e-9))
    s = (lx * back) * qx
    s += (ly * back) * qy
    np.clip(s, 0, t, out=s)
    reach = length_of(qx + s * lx, qy + s * ly)
    reach -= np.float32(body.radius_mm)
    s *= spread
    s *= s
    s += np.float32(soft_mm**2)
    hidden = cover(reach, np.sqrt(s, out=s))
    if body.hole_mm > 0:
        inside = length_of(qx, qy) - np.float32(body.hole_mm)
        near = np.flatnonzero(inside < _HOLE_MM)
        if len(near):
            px, py = qx[near] + t * lx, qy[near] + t * ly
            mouth = cover(
                length_of(px, py) - np.float32(body.hole_mm),
                np.hypot(np.float32(soft_mm), t * spread),
            )
            sole = cover(inside[near], soft_mm)[None]
            hidden[:, near] -= np.minimum(sole, mouth)
    return np.clip(hidden, 0, 1, out=hidden)


def lit(cos: Floats32, sin: Floats32, up: float, light: Light, leans: Floats32) -> Floats32:
    """Light on faces that look along (cos, sin) and `up`, against that on the board."""
    out = np.float32(np.sqrt(1 - up * up))
    even = np.float32(light.everywhere * (1 + up) / 2 + 0.35 * (1 - up) / 2)
    if not len(leans):
        return np.full_like(cos, even)
    faces = leans[:, :1] * cos[None] + leans[:, 1:] * sin[None]
    lamps = light.share.astype(np.float32) @ np.maximum(0, out * faces + np.float32(up))
    return np.asarray(even + lamps, dtype=np.float32)


def hidden_by(
    foot: Floats32,
    origin: tuple[float, float],
    pieces: Sequence[Standing],
    leans: Floats,
    spreads: Floats,
    cushions: Cushions,
    foot_of: Foot = LOOKED_AT,
) -> Floats32:
    """(K, N) how much of each lamp any of `pieces` hides; `foot` (N, 2) counts from `origin`."""
    hidden = np.zeros((len(leans), len(foot)), dtype=np.float32)
    hide_behind_cushions(hidden, foot, origin, leans, spreads, cushions)
    for piece in pieces:
        shift = np.array([piece.x_mm - origin[0], piece.y_mm - origin[1]], dtype=np.float32)
        shade = shadows(foot - shift, piece.body, leans, spreads, foot_of)
        np.maximum(hidden, shade, out=hidden)
    return hidden


def hide_behind_cushions(
    hidden: Floats32,
    foot: Floats32,
    origin: tuple[float, float],
    leans: Floats,
    spreads: Floats,
    cushions: Cushions,
) -> None:
    """Raise `hidden` (K, N) to how much of each lamp the border hides from board points."""
    half = (cushions.half_x_mm, cushions.half_y_mm)
    wide = np.hypot(0.6, cushions.height_mm * spreads).astype(np.float32)[:, None]
    for axis in (0, 1):
        reached = foot[None, :, axis] + np.float32(origin[axis])
        reached = reached + (cushions.height_mm * leans[:, axis]).astype(np.float32)[:, None]
        gap = np.float32(half[axis]) - np.abs(reached)
        near = np.flatnonzero(gap.min(axis=1) < 3 * wide[:, 0])
        if len(near):
            hidden[near] = np.maximum(hidden[near], cover(gap[near], wide[near]))


def cushion_shade(
    foot: Floats32, origin: tuple[float, float], light: Light, cushions: Cushions
) -> Floats32:
    """(N,) how much of its light the bare board keeps beside the border."""
    if not len(light.share):
        return np.ones(len(foot), dtype=np.float32)
    hidden = np.zeros((len(light.share), len(foot)), dtype=np.float32)
    leans = light.lean_at(*origin)
    hide_behind_cushions(hidden, foot, origin, leans, light.spread, cushions)
    lost = light.share.astype(np.float32) @ hidden
    return np.asarray(np.clip(1 - lost, 0.1, 1.5), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """The board around one piece: light `seen` over light expected of the empty board, (N,) each.

    `foot` (N, 2): board points that the camera sees beside the piece, counted from it; `weight`
    (N,).
    """

    pieces: tuple[Standing, ...]
    foot: Floats32
    seen: Floats
    weight: Floats


def estimate_light(
    around: Sequence[Surroundings], cushions: Cushions, like: Light | None = None
) -> Light:
    """The light that best explains the darkness around the pieces; DIFFUSE where nothing is known.

    `like` is an earlier estimate for the same picture: its lamps' height is taken over.
    """
    around = [a for a in around if len(a.seen) >= FEWEST_POINTS]
    if len(around) < 2:
        return DIFFUSE
    cost, best = np.inf, DIFFUSE
    heights = NEARNESS if like is None or not len(like.share) else (like.nearness,)
    for nearness in heights:
        found = _solve(around, LEANS, SPREADS, nearness, cushions)
        if found[0] < cost:
            cost, best = found
    if not len(best.share):
        return best
    for part in (0.5, 0.25):
        leans, spreads = _finer(best, part)
        now = best.nearness
        for nearness in (now, max(now - 4e-4 * part, 0.0), now + 4e-4 * part):
            found = _solve(around, leans, spreads, nearness, cushions)
            if found[0] < cost:
                cost, best = found
    return best


def _finer(light: Light, part: float) -> tuple[Floats, Floats]:
    """Lamps of `part` the spread about the stronger ones of `light`, which stay as well."""
    strong = np.argsort(-light.share)[:6]
    lean, spread = light.lean[strong], light.spread[strong]
    angles = 2 * np.pi * np.arange(6) / 6
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    around = lean[:, None] + 1.1 * spread[:, None, None] * ring[None]
    leans = np.concatenate([lean, lean, around.reshape(-1, 2)])
    least = 0.03
    spreads = np.concatenate(
        [spread, np.maximum(spread * part, least), np.maximum(spread * part, least).repeat(6)]
    )
    return leans, spreads


def _solve(
    around: Sequence[Surroundings],
    leans: Floats,
    spreads: Floats,
    nearness: float,
    cushions: Cushions,
) -> tuple[float, Light]:
    lamps, places = len(leans), len(around)
    count = sum(len(a.seen) for a in around)
    matrix = np.zeros((count, lamps + places), dtype=np.float32)
    target = np.zeros(count, dtype=np.float32)
    row = 0
    for n, a in enumerate(around):
        rows = slice(row, row + len(a.seen))
        row += len(a.seen)
        origin = (a.pieces[0].x_mm, a.pieces[0].y_mm)
        here = leans - nearness * np.array(origin)
        matrix[rows, :lamps] = -(
            hidden_by(a.foot, origin, a.pieces, here, spreads, cushions) * a.weight
        ).T
        matrix[rows, lamps + n] = a.weight
        target[rows] = a.seen * a.weight
    normal = (matrix.T @ matrix).astype(np.float64)
    normal[np.arange(lamps), np.arange(lamps)] += 2e-5 * count
    normal += 1e-6 * np.eye(lamps + places)
    given = (matrix.T @ target).astype(np.float64)
    normal[:lamps, :lamps] += ALL_FROM_LAMPS * count
    given[:lamps] += ALL_FROM_LAMPS * count
    lower = np.linalg.cholesky(normal)
    solution, _ = nnls(lower.T, np.linalg.solve(lower, given), maxiter=3000)
    off = np.abs(target - matrix @ solution)
    gain = float(np.median(solution[lamps:])) or 1.0
    share = solution[:lamps] / gain
    strong = share > 0.012
    light = Light(
        lean=leans[strong], spread=spreads[strong], share=share[strong], nearness=nearness
    )
    unusual = abs(np.log((nearness + 1e-4) / USUAL_NEARNESS))
    return float(np.mean(np.minimum(off, 0.1))) + _UNUSUAL * unusual, light
