"""Where exactly a piece stands: its picture is rendered and compared, and moved until it fits.

How bright the regions of the model are is solved linearly for every place tried (variable
projection, Golub & Pereyra 1973), with priors on what the light does not explain; the place is
found by Gauss-Newton steps. Weights fall off early (a Cauchy loss, Holland & Welsch 1977): glints,
reflections and the edges of shadows are no noise, and what one side says wrongly must not outvote
the rest. Cast shadows darken the board of the model but do not pull unless asked to: their outline
tells more of the lamp than of the piece.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.appearance.gloss import gloss_of
from vision.appearance.light import Light, Standing
from vision.appearance.nudged import Nudged, nudges, slopes
from vision.appearance.patch import Patch, reach_mm
from vision.appearance.rendering import TIED, Model
from vision.appearance.scene import BLUR_PX
from vision.appearance.shading import Shading, shaded_top
from vision.appearance.view import View

_SHADED = 0.96
HUB = 1.0
"""From how many noises on a pixel counts for less, once the place is known to half a pixel."""

WIDE_HUB = 3.0
"""The same while it is not."""

BESIDE_PX = 1.5
"""From how far beside a piece on shadows tell of the lamp more than of the piece."""

_ENOUGH_MM = 0.004


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Where a piece stands: `covariance` (2, 2) in mm², of noise alone.

    `noise` is the residual's sigma; `explained` the share of what the board alone leaves
    unexplained that the piece explains, `left` what it leaves over, root mean square, in codes;
    `visible` the share of it that could be seen; `blur_px` how blurred it looks, `blur_plain`
    whether that shows plainly.
    """

    x_mm: float
    y_mm: float
    covariance: Floats
    noise: float
    explained: float
    left: float
    visible: float
    blur_px: float = BLUR_PX
    blur_plain: bool = False


def fit(
    view: View,
    patch: Patch,
    piece: Standing,
    others: Sequence[Standing],
    light: Light,
    *,
    rounds: int = 4,
    blur_times: float = 1.0,
    pull: bool = False,
    may: Floats = TIED,
    hub: float = HUB,
    beside_px: float = BESIDE_PX,
) -> Fit:
    """Move `piece` until the rendered patch fits the seen one best.

    `pull`: let the cast shadows' outlines pull as well (for first places, where the light is not
    known well and the piece may have been mistaken for its shadow). `may`: see
    `vision.appearance.rendering.design`. `hub`: from how many noises on a pixel counts for less;
    `beside_px`: from how far beside the piece on a pixel in shadow does; `blur_times`: by how much
    it is drawn more blurred than what is in focus.
    """
    blur_px = blur_times * patch.blur_px
    patch = shaded_top(view, patch, piece, light)
    shading = Shading(view, patch, piece, others, light)
    nudged = Nudged(patch, gloss_of(patch, piece, shading))
    first = patch.weight
    weight = first
    noise = 1.0
    normal = np.eye(2)
    residual = patch.seen
    here = piece
    for turn in range(rounds):
        kept = shading.kept(here, everywhere=False)
        if turn == 0 and not pull:
            reach_px = reach_mm(patch.foot, patch.drift, patch.origin, here) * view.scale
            first = weight = out_of_shadow(first, reach_px, kept, beside_px)
        aside = [shading.kept(at, everywhere=False) for at in nudges(here)] if pull else [kept] * 2
        model, moved = nudged.drawn(here, light, [kept, *aside], blur_px, may=may)
        rows = model.rows
        amounts, inner = solved(model, patch.seen, weight, noise)
        residual = patch.seen - amounts.astype(np.float32) @ rows
        noise = noise_of(residual * first)
        weight = doubted(first, residual, noise, hub)
        if turn == 0:
            amounts, inner = solved(model, patch.seen, weight, noise)
            residual = patch.seen - amounts.astype(np.float32) @ rows
        slope = slopes(amounts, rows, moved)
        squared = weight * weight
        slope -= (np.linalg.solve(inner, (rows * squared) @ slope.T).T).astype(np.float32) @ rows
        weighed = slope * squared
        normal = (weighed @ slope.T).astype(np.float64) + 1e-9 * np.eye(2)
        step = np.clip(np.linalg.solve(normal, weighed @ residual), -1.0, 1.0)
        here = here.at(here.x_mm + float(step[0]), here.y_mm + float(step[1]))
        if float(np.hypot(*step)) < _ENOUGH_MM:
            break
    explained, left = _explained(patch, shading.beside(), residual, first, noise)
    return Fit(
        x_mm=here.x_mm,
        y_mm=here.y_mm,
        covariance=np.asarray(np.linalg.inv(normal) * noise**2, dtype=np.float64),
        noise=noise,
        explained=explained,
        left=left,
        visible=patch.share,
        blur_px=patch.blur_px,
    )


def out_of_shadow(
    weight: Floats32, reach_px: Floats32, kept: Floats32, beside_px: float = BESIDE_PX
) -> Floats32:
    """(N,) `weight`, less where a cast shadow is what is seen: its outline tells of the lamp."""
    shaded = (reach_px > beside_px) & (kept < _SHADED)
    return np.asarray(np.where(shaded, np.float32(0.2) * weight, weight), dtype=np.float32)


def noise_of(residual: Floats32) -> float:
    """Sigma of weighed residuals, by their median, and not below what codes can show."""
    return max(1.4826 * float(np.median(np.abs(residual))), 0.2)


def doubted(first: Floats32, residual: Floats32, noise: float, hub: float) -> Floats32:
    """(N,) Cauchy weights: `first`, less the farther a pixel is from what the model says."""
    far = residual * first / np.float32(hub * noise)
    return np.asarray(first / np.sqrt(1 + far**2), dtype=np.float32)


def solved(model: Model, seen: Floats32, weight: Floats32, noise: float) -> tuple[Floats, Floats]:
    """How much light each of the model's M rows takes, (M,), and the normal matrix (M, M)."""
    rows, usual = model.rows, model.usual.astype(np.float32)
    weighed = rows * (weight * weight)
    normal = (weighed @ rows.T).astype(np.float64)
    normal[np.diag_indices_from(normal)] += (noise / model.sd) ** 2 + 1e-6
    departs = np.linalg.solve(normal, weighed @ (seen - usual @ rows))
    return np.asarray(model.usual + departs, dtype=np.float64), np.asarray(normal)


def _explained(
    patch: Patch, beside: Floats32, residual: Floats32, weight: Floats32, noise: float
) -> tuple[float, float]:
    """How much of what the board without the piece leaves over the piece explains, 0..1.

    With it, what is left over then, root mean square, in codes.
    `beside` (N,): the light that the board would keep without the piece.
    """
    rows = np.stack([patch.board * beside, patch.board, np.ones_like(patch.board)])
    rows = rows.astype(np.float64)
    weighed = rows * weight**2
    bare = np.linalg.solve(weighed @ rows.T + 1e-4 * np.eye(3), weighed @ patch.seen)
    most = (12 * noise) ** 2
    alone = float(np.minimum(((patch.seen - bare @ rows) * weight) ** 2, most).mean())
    left = float(np.minimum((residual * weight) ** 2, most).mean())
    return 1 - left / max(alone, 1e-9), float(np.sqrt(left))
