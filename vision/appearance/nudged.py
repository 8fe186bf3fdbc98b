"""A piece drawn where it stands and a hair aside, all at once: how its picture hangs on its place.

A patch holds few pixels, so that drawing three of them as one takes hardly longer than one.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.appearance.gloss import Gloss
from vision.appearance.light import Light, Standing
from vision.appearance.patch import Patch
from vision.appearance.rendering import Model, design

STEP_MM = 0.05
_NUDGES = ((STEP_MM, 0.0), (0.0, STEP_MM))


def nudges(piece: Standing) -> list[Standing]:
    """The piece one step along x, and one along y."""
    return [piece.at(piece.x_mm + x_mm, piece.y_mm + y_mm) for x_mm, y_mm in _NUDGES]


class Nudged:
    """Draws a piece into its patch, where it stands and in both places of `nudges`."""

    def __init__(self, patch: Patch, gloss: Gloss) -> None:
        self._pixels = len(patch.foot)
        # a piece one step aside is what board one step to the other side would see
        feet = [patch.foot, *(patch.foot - np.array(by, dtype=np.float32) for by in _NUDGES)]
        self._patch = replace(
            patch,
            foot=np.concatenate(feet),
            drift=np.tile(patch.drift, (len(feet), 1)),
            board=np.tile(patch.board, len(feet)),
            top_lit=np.tile(patch.top_lit, len(feet)),
        )
        self._gloss = Gloss(*(np.tile(one, len(feet)) for one in gloss))

    def drawn(
        self,
        piece: Standing,
        light: Light,
        kept: Sequence[Floats32],
        blur_px: float,
        *,
        may: Floats,
    ) -> tuple[Model, Floats32]:
        """The model (M, N) of `piece`, and its rows (2, M, N) when it is nudged.

        `kept`: three times (N,), how much of its light the board keeps in each case; for the rest
        see `vision.appearance.rendering.design`.
        """
        whole = np.concatenate(kept)
        model = design(self._patch, piece, light, whole, self._gloss, blur_px, may=may)
        rows = model.rows.reshape(len(model.rows), -1, self._pixels).transpose(1, 0, 2)
        return Model(np.ascontiguousarray(rows[0]), model.usual, model.sd), rows[1:]


def slopes(amounts: Floats, rows: Floats32, moved: Floats32) -> Floats32:
    """(2, N) change of the picture per mm that the piece moves along x and y.

    `amounts` (M,) of the model's `rows` (M, N), which are `moved` (2, M, N) once it is nudged.
    """
    much = amounts.astype(np.float32)
    return np.asarray((much @ moved - much @ rows) / np.float32(STEP_MM), dtype=np.float32)
