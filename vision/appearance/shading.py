"""How much of its light the board keeps about a piece that moves among others that stay."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import Floats32
from vision.appearance.colours import gray_light
from vision.appearance.light import AROUND, Light, Standing, cushion_shade, hidden_by, shadows
from vision.appearance.patch import Patch, reach_mm
from vision.appearance.view import View

_LEFT = (0.02, 1.5)
_SOFT_MM = 2.5
"""No edge of a piece is so soft that the board shows so far inside it."""

_WALL_TO_WALL = 0.3
"""What a wall sees of light where another piece stands in the way of the board."""


_BY_BORDER_MM = 60.0


def shaded_top(view: View, patch: Patch, piece: Standing, light: Light) -> Patch:
    """`patch` with the border's shadow on the top of `piece`, where it reaches so high."""
    cushions = view.cushions
    above_mm = cushions.height_mm - piece.body.thickness_mm
    free_mm = min(cushions.half_x_mm - abs(piece.x_mm), cushions.half_y_mm - abs(piece.y_mm))
    if above_mm <= 0 or free_mm > _BY_BORDER_MM:
        return patch
    top = patch.foot + np.float32(piece.body.thickness_mm) * patch.drift
    edge = replace(cushions, height_mm=above_mm)
    return replace(patch, top_lit=cushion_shade(top, patch.origin, light, edge))


class Shading:
    """How much light the board keeps in a patch, for a piece that moves among others that stay."""

    def __init__(
        self, view: View, patch: Patch, piece: Standing, others: Sequence[Standing], light: Light
    ) -> None:
        self.light = light
        self.board_share = float(gray_light(view.albedo))
        self._patch = patch
        self._neighbours = others
        self._cushions = view.cushions
        self._leans = light.lean_at(piece.x_mm, piece.y_mm)
        self._share = light.share.astype(np.float32)
        self._others: Floats32 | None = None
        if len(self._share):
            self._others = hidden_by(
                patch.foot, patch.origin, others, self._leans, light.spread, view.cushions, AROUND
            )

    def kept(self, piece: Standing, *, everywhere: bool = True) -> Floats32:
        """(N,) with `piece` standing where it says; else than `everywhere` where board is seen."""
        patch = self._patch
        if self._others is None:
            return np.ones(len(patch.foot), dtype=np.float32)
        seat = np.array(
            [piece.x_mm - patch.origin[0], piece.y_mm - patch.origin[1]], dtype=np.float32
        )
        n: slice | NDArray[np.intp] = slice(None)
        if not everywhere:
            n = np.flatnonzero(_shows_board(patch, piece, seat))
        mine = shadows(patch.foot[n] - seat, piece.body, self._leans, self.light.spread)
        hidden = self._others.copy()
        hidden[:, n] = np.maximum(mine, hidden[:, n])
        return self._left(hidden)

    def at(self, points: Floats32, piece: Standing) -> Floats32:
        """(K,) at `points` (K, 2) of the board, counted from the patch's origin."""
        if self._others is None:
            return np.ones(len(points), dtype=np.float32)
        hidden = hidden_by(
            points,
            self._patch.origin,
            [piece, *self._neighbours],
            self._leans,
            self.light.spread,
            self._cushions,
            AROUND,
        )
        left = np.clip(1 - self._share @ hidden, *_LEFT)
        for other in self._neighbours:
            aside = np.array(
                [other.x_mm - self._patch.origin[0], other.y_mm - self._patch.origin[1]]
            )
            under = np.hypot(*(points - aside.astype(np.float32)).T) < other.body.radius_mm
            left = np.where(under, _WALL_TO_WALL * left, left)
        return np.asarray(left, dtype=np.float32)

    def beside(self) -> Floats32:
        """(N,) without the piece."""
        if self._others is None:
            return np.ones(len(self._patch.foot), dtype=np.float32)
        return self._left(self._others)

    def _left(self, hidden: Floats32) -> Floats32:
        left = np.clip(1 - self._share @ hidden, *_LEFT)
        return np.asarray(np.where(self._patch.apart, 1, left), dtype=np.float32)


def _shows_board(patch: Patch, piece: Standing, seat: Floats32) -> NDArray[np.bool_]:
    """(N,) whether any of a pixel shows board: beside the piece or through its hole."""
    shows = reach_mm(patch.foot, patch.drift, patch.origin, piece) > -_SOFT_MM
    if piece.body.hole_mm > 0:
        top = patch.foot - seat + np.float32(piece.body.thickness_mm) * patch.drift
        shows |= np.hypot(top[:, 0], top[:, 1]) < piece.body.hole_mm + _SOFT_MM
    return np.asarray(shows, dtype=np.bool_)
