"""Whether the board about a piece is seen as sharply as in its own picture.

A piece as pale as the board has edges that tell little of the focus, and looks blurred where its
rims are lit a little otherwise than they are drawn. Grain and painted lines beside it tell more.
"""

from collections.abc import Sequence
from math import sqrt

import cv2
import numpy as np

from calibration.silhouette import Floats32
from vision.appearance.scene import Scene

_ABOUT_MM = 150.0
_CLEAR = 2.2
"""So many radii about a piece shadows and walls may change the board."""

_MORE = 1.15
"""How much blur is looked for, in what the camera has: with it that becomes half as much again."""

_GRAIN_PX = 2.5
"""What is finer than this tells of focus; what is coarser, light changes as well."""

_SHARP = 0.2
"""The board is sharp where it surely shows less than this part of what so much blur changes."""

_SIGMAS, _PATCH_PX = 2.0, 9.0
"""How surely; so many pixels beside each other err alike."""

_PLAIN = 4.0
"""So many codes of it must be changed for a pixel to count: less may be noise of the empty board's
own picture, which would look like a board that has lost it."""

_LEAST_PX = 60

Disc = tuple[float, float, float]


def board_is_sharp(scene: Scene, pieces: Sequence[Disc], x_mm: float, y_mm: float) -> bool:
    """Whether the board about a place is plainly seen as sharp as when it was empty.

    `pieces`: x, y and radius (mm) of all that stands there. False also where a board without grain
    or lines tells nothing, or nothing of it shows.
    """
    camera, scale, box = scene.view.table.camera, scene.view.scale, scene.relit.box
    u, v = camera.project(np.array([[x_mm, y_mm, 0.0]]))[0] - (box.u0, box.v0)
    reach = _ABOUT_MM * scale
    height, width = scene.seen.shape
    top, left = int(min(max(v - reach, 0), height)), int(min(max(u - reach, 0), width))
    part = slice(top, int(max(v + reach, 0)) + 1), slice(left, int(max(u + reach, 0)) + 1)
    free = (scene.view.surface[part] & ~scene.hidden[part]).astype(np.uint8)
    if not free.any():
        return False
    feet = camera.project(np.array([(x, y, 0.0) for x, y, _ in pieces]).reshape(-1, 3))
    for (foot_u, foot_v), (_, _, radius_mm) in zip(feet, pieces, strict=True):
        at = round(foot_u - box.u0 - left), round(foot_v - box.v0 - top)
        cv2.circle(free, at, round(_CLEAR * radius_mm * scale), 0, -1)
    margin = 2 * round(1.5 * _GRAIN_PX) + 1
    bare = cv2.erode(free, np.ones((margin, margin), dtype=np.uint8), borderValue=0) > 0
    seen, board = _grain(scene.seen[part]), _grain(scene.board[part])
    change = _grain(_blurred(scene.board[part], _MORE * scene.blur_px)) - board
    plain = bare & (np.abs(change) > _PLAIN)
    if int(plain.sum()) < _LEAST_PX:
        return False
    change, left = change[plain], (seen - board)[plain]
    tells = float(change @ change)
    part_of_it = float(left @ change) / tells
    error = float(left.std()) * sqrt(_PATCH_PX / tells)
    return part_of_it + _SIGMAS * error < _SHARP


def _grain(codes: Floats32) -> Floats32:
    """What of (h, w) codes changes within a few pixels."""
    return codes - _blurred(codes, _GRAIN_PX)


def _blurred(codes: Floats32, by_px: float) -> Floats32:
    return np.asarray(cv2.GaussianBlur(codes, (0, 0), by_px), dtype=np.float32)
