"""Pictures of rings on a plain board, drawn by sampling rays: a truth apart from `vision`.

Every pixel is the mean of SUB x SUB rays through it. A ray sees a piece's top where it passes the
plane of the tops inside the ring, its side wall where it comes within the radius below that, the
inside of the hole where it enters the hole and does not reach the board through it, else the board.
The rays' mean is blurred by the lens, given noise, and coded as a camera does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.silhouette import Body

SUB = 6
RIM_MM = 0.6
Light = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A piece to be drawn: its top sends back `light` (0..1, gray), its wall `wall` times that.

    A wall with `gloss` mirrors the board too, by Fresnel's law; its rounded rim mirrors the room.
    """

    body: Body
    x_mm: float
    y_mm: float
    light: float
    wall: float = 0.6
    gloss: float = 1.0


def photograph(
    camera: Camera,
    box: tuple[int, int, int, int],
    pieces: Sequence[Drawn],
    *,
    board: float = 0.4,
    blur_px: float = 0.45,
    noise: float = 1.0,
    seed: int = 0,
) -> NDArray[np.uint8]:
    """(v1 - v0, u1 - u0) gray picture of the pixels u0 <= u < u1, v0 <= v < v1 of `camera`.

    `box` is (u0, v0, u1, v1); `board` the board's light; `noise` in 8-bit steps.
    """
    u0, v0, u1, v1 = box
    light = np.full((v1 - v0) * SUB * (u1 - u0) * SUB, board)
    for piece in pieces:
        foot, drift = _rays(camera, box)
        leans_mm = piece.body.thickness_mm * float(np.hypot(*drift.T).max())
        beside_mm = np.abs(foot - (piece.x_mm, piece.y_mm)).max(axis=1)
        near = np.flatnonzero(beside_mm <= piece.body.radius_mm + leans_mm)
        there = light[near]
        _draw(piece, foot[near], drift[near], there, board)
        light[near] = there
    picture = light.reshape(v1 - v0, SUB, u1 - u0, SUB).mean(axis=(1, 3))
    if blur_px > 0:
        picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    code = 255 * np.where(
        picture <= 0.0031308, 12.92 * picture, 1.055 * np.maximum(picture, 0) ** (1 / 2.4) - 0.055
    )
    rng = np.random.default_rng(seed)
    coded = np.rint(code + rng.normal(0, noise, code.shape))
    return np.clip(coded, 0, 255).astype(np.uint8)


@lru_cache(maxsize=2)
def _rays(camera: Camera, box: tuple[int, int, int, int]) -> tuple[Light, Light]:
    """(N, 2) where the rays meet the board in mm, and how they drift for each mm of height."""
    u0, v0, u1, v1 = box
    within = (np.arange(SUB) + 0.5) / SUB - 0.5
    us = (np.arange(u0, u1)[:, None] + within[None]).ravel()
    vs = (np.arange(v0, v1)[:, None] + within[None]).ravel()
    grid = np.stack(np.meshgrid(us, vs), axis=-1).reshape(-1, 2)
    foot = camera.to_plane(grid, 0.0)
    return foot, (camera.to_plane(grid, 10.0) - foot) / 10


def _draw(piece: Drawn, foot: Light, drift: Light, light: Light, board: float) -> None:
    body = piece.body
    height = body.thickness_mm
    steps = np.linspace(0.0, height, 13)
    offset = foot - (piece.x_mm, piece.y_mm)
    away = np.stack([np.hypot(*(offset + z * drift).T) for z in steps])
    top = away[-1] <= body.radius_mm
    mouth = away[-1] < body.hole_mm
    through = (away < body.hole_mm).all(axis=0) if body.hole_mm > 0 else np.zeros(len(foot), bool)
    touched = (away <= body.radius_mm).any(axis=0)
    met = steps[len(steps) - 1 - np.argmax((away <= body.radius_mm)[::-1], axis=0)]
    normal = (offset + met[:, None] * drift) / body.radius_mm
    towards = np.clip((normal * drift).sum(axis=1) / np.sqrt(1 + (drift**2).sum(axis=1)), 0, 1)
    mirrored = board * (0.04 + 0.96 * (1 - towards) ** 5) * piece.gloss
    mirrored[met > height - RIM_MM] = 0.0
    light[touched & ~top] = (piece.light * piece.wall + mirrored)[touched & ~top]
    light[top & ~mouth] = piece.light
    light[mouth & ~through] = piece.light * piece.wall
