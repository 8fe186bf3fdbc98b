"""One picture made ready for measuring: beside the empty board in its light, halos taken off."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import Relit
from calibration.sharpening import Sharpness, unsharpened
from calibration.silhouette import Floats32
from vision.appearance.colours import GRAY
from vision.appearance.light import DIFFUSE, Light
from vision.appearance.view import View

BLUR_PX = 0.65
"""The lens's and the pixel's blur together, one standard deviation, before the camera sharpens, as
it mostly is."""

_ABOUT_MM = 250.0  # what is seen to be hidden is not all that fingers hide


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """`seen`, `board` (h, w): gray codes of the picture and of the relit empty board over
    `relit.box`; `hidden` (h, w): pixels that a hand or stick covers; `empty_light`: where the
    light of the empty board's own picture came from; `hand`: one is over the surface, though what
    it hides may not be told from wood; `blur_px`: how blurred what is in focus is, one standard
    deviation."""

    view: View
    relit: Relit
    seen: NDArray[np.float32]
    board: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    empty_light: Light = DIFFUSE
    hand: bool = False
    blur_px: float = BLUR_PX

    def hand_about(self, x_mm: float, y_mm: float) -> bool:
        """Whether a hand may be near (`x_mm`, `y_mm`): anywhere, where it is not told from wood."""
        if not self.hand or not self.hidden.any():
            return self.hand
        at = self.view.table.camera.project(np.array([[x_mm, y_mm, 0.0]]))[0]
        v, u = np.nonzero(self.hidden)
        away_px = np.hypot(u + self.relit.box.u0 - at[0], v + self.relit.box.v0 - at[1]).min()
        return bool(away_px < _ABOUT_MM * self.view.scale)


def scene_of(
    view: View,
    relit: Relit,
    hidden: NDArray[np.bool_],
    *,
    sharpness: Sharpness,
    empty_light: Light = DIFFUSE,
    hand: bool = False,
) -> Scene:
    """`relit` made ready, as a camera of that `sharpness` took it."""
    return Scene(
        view=view,
        relit=relit,
        seen=unsharpened(_gray(relit.picture), sharpness.amount),
        board=unsharpened(_gray(relit.board), sharpness.amount),
        hidden=hidden,
        empty_light=empty_light,
        hand=hand,
        blur_px=sharpness.blur_px,
    )


def _gray(codes: Floats32) -> Floats32:
    """(h, w, 3) codes -> (h, w) gray codes."""
    return np.asarray(cv2.transform(codes, GRAY[None]), dtype=np.float32)
