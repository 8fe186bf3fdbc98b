"""Where the light comes from, read off the shadows that the pieces cast.

The light is a handful of distant lamps, each by the way its shadows run: `lean` is how far along
x and y the ray to the lamp moves for each millimetre of height, at the board's middle. Nearer the
lamp shadows are shorter, so every lamp stands at one common height. How much of the board's light
each gives is a non-negative least squares fit to the darkness around the pieces (inverse lighting
from cast shadows, Sato, Sato & Ikeuchi 2003).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from calibration.camera import Floats
from calibration.silhouette import Body, Rays

Floats32 = NDArray[np.float32]


def _grid() -> Floats:
    leans = []
    for n, reach in enumerate((0.2, 0.45, 0.8, 1.3, 2.0, 3.2)):
        angles = np.arange(12) * np.pi / 6 + (np.pi / 12 if n % 2 else 0.0)
        leans.append(reach * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(leans)


LEANS = _grid()
NEARNESS = (0.0, 4e-4, 7e-4, 1.1e-3)
"""One over the lamps' height above the board, per mm, that are tried."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Light:
    """Lamps by `lean` (K, 2) and the `share` (K,) of the board's light that each gives.

    What the shares leave of one comes from everywhere. `nearness` is one over the lamps' height.
    """

    lean: Floats
    share: Floats
    nearness: float

    def lean_at(self, x_mm: float, y_mm: float) -> Floats:
        """(K, 2) leans as they are at a place on the board."""
        return self.lean - self.nearness * np.array([x_mm, y_mm])

    @property
    def everywhere(self) -> float:
        return float(max(0.0, 1.0 - self.share.sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A piece of form `body` that stands at (x_mm, y_mm)."""

    body: Body
    x_mm: float
    y_mm: float


DIFFUSE = Light(lean=np.zeros((0, 2)), share=np.zeros(0), nearness=0.0)


def cover(reach: NDArray[np.floating], sigma: NDArray[np.floating] | float) -> Floats:
    """A soft step from 1 (inside, reach < 0) to 0, near enough to the normal distribution's."""
    z = np.asarray(reach, dtype=np.float64) / sigma
    return 0.5 - 0.5 * np.tanh(z * (0.7978845608 + 0.0356774081 * z * z))


def shadow(foot: Floats, piece: Standing, lean: Floats, soft_mm: float = 0.6) -> Floats:
    """(N,) how much of a lamp the piece hides from board points `foot` (N, 2)."""
    body = piece.body
    qx, qy = foot[:, 0] - piece.x_mm, foot[:, 1] - piece.y_mm
    t = body.thickness_mm
    lx, ly = float(lean[0]), float(lean[1])
    # A lamp is not a point, and stands for those between it and the next one of the grid.
    spread = max(0.12, 0.22 * float(np.hypot(lx, ly)))
    s = np.clip(-(qx * lx + qy * ly) / (lx * lx + ly * ly + 1e-12), 0, t)
    hidden = cover(
        np.hypot(qx + s * lx, qy + s * ly) - body.radius_mm,
        np.sqrt(soft_mm**2 + (s * spread) ** 2),
    )
    if body.hole_mm > 0:
        wide = float(np.hypot(soft_mm, t * spread))
        foot_in = cover(np.hypot(qx, qy) - body.hole_mm, soft_mm)
        mouth_in = cover(np.hypot(qx + t * lx, qy + t * ly) - body.hole_mm, wide)
        hidden = hidden - np.minimum(foot_in, mouth_in)
    return np.clip(hidden, 0, 1)


def shade(foot: Floats, pieces: Sequence[Standing], light: Light) -> Floats:
    """(N,) how much of its light the board keeps beside `pieces`; the first one sets the leans."""
    kept = np.ones(len(foot))
    if not len(light.share):
        return kept
    leans = light.lean_at(pieces[0].x_mm, pieces[0].y_mm)
    for lean, share in zip(leans, light.share, strict=True):
        hidden = np.zeros(len(foot))
        for piece in pieces:
            hidden = np.maximum(hidden, shadow(foot, piece, lean))
        kept -= share * hidden
    return np.clip(kept, 0.02, 1.5)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """The board around one piece: light `seen` over light expected of the empty board, (N,) each.

    `foot` (N, 2): board points that the camera sees beside the piece; `weight` (N,).
    """

    pieces: tuple[Standing, ...]
    foot: Floats
    seen: Floats
    weight: Floats


def estimate_light(around: Sequence[Surroundings]) -> Light:
    """The light that best explains the darkness around the pieces; DIFFUSE where nothing is known."""
    around = [a for a in around if len(a.seen) >= 40]
    if len(around) < 2:
        return DIFFUSE
    best: tuple[float, Light] | None = None
    for nearness in NEARNESS:
        cost, light = _solve(around, LEANS, nearness)
        if best is None or cost < best[0]:
            best = (cost, light)
    assert best is not None
    return best[1]


def _solve(around: Sequence[Surroundings], leans: Floats, nearness: float) -> tuple[float, Light]:
    lamps, places = len(leans), len(around)
    count = sum(len(a.seen) for a in around)
    matrix = np.zeros((count, lamps + places))
    target = np.zeros(count)
    row = 0
    for n, a in enumerate(around):
        rows = slice(row, row + len(a.seen))
        row += len(a.seen)
        here = leans - nearness * np.array([a.pieces[0].x_mm, a.pieces[0].y_mm])
        for k in range(lamps):
            hidden = shadow(a.foot, a.pieces[0], here[k])
            for piece in a.pieces[1:]:
                hidden = np.maximum(hidden, shadow(a.foot, piece, here[k]))
            matrix[rows, k] = -hidden * a.weight
        matrix[rows, lamps + n] = a.weight
        target[rows] = a.seen * a.weight
    normal = matrix.T @ matrix
    normal[np.arange(lamps), np.arange(lamps)] += 2e-5 * count
    normal += 1e-9 * np.eye(lamps + places)
    lower = np.linalg.cholesky(normal)
    solution, _ = nnls(lower.T, np.linalg.solve(lower, matrix.T @ target), maxiter=3000)
    off = np.abs(target - matrix @ solution)
    gain = float(np.median(solution[lamps:])) or 1.0
    share = solution[:lamps] / gain
    strong = share > 0.004
    light = Light(lean=leans[strong], share=share[strong], nearness=nearness)
    return float(np.mean(np.minimum(off, 0.1))), light


def near_points(rays: Rays, step: int) -> Floats:
    """Every `step`-th foot point of a box of rays, (N, 2)."""
    return rays.foot[::step, ::step].reshape(-1, 2)
