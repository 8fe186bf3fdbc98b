"""Where the simulated camera hangs, and through what lens it looks."""

from math import cos, radians, sin

import cv2
import numpy as np

from calibration.camera import Camera, Lens
from rules.board import Board


def hang_camera(
    board: Board,
    size: tuple[int, int],
    *,
    height_mm: float = 1350.0,
    aside_mm: tuple[float, float] = (55.0, -90.0),
    turn_deg: float = 1.5,
    dist: tuple[float, float, float, float, float] = (-0.12, 0.022, 0.0006, -0.0004, -0.001),
    margin: float = 0.03,
) -> Camera:
    """A camera of `size` (width, height) px that looks down at the whole board.

    It hangs `height_mm` above the surface, `aside_mm` off the board's middle, aimed at that middle,
    turned by `turn_deg` about its axis; the focal length is chosen so that the frame around the
    board fits with `margin` of the picture to spare on each side.
    """
    width, height = size
    eye = np.array([aside_mm[0], aside_mm[1], height_mm])
    ahead = -eye / np.linalg.norm(eye)
    north = np.array([sin(radians(turn_deg)), cos(radians(turn_deg)), 0.0])
    down = -(north - ahead * (north @ ahead))
    down /= np.linalg.norm(down)
    right = np.cross(down, ahead)
    rotation = np.stack([right, down, ahead])
    vector = cv2.Rodrigues(rotation)[0].ravel()
    shift = -rotation @ eye

    def camera(focal: float) -> Camera:
        return Camera(
            lens=Lens(
                width=width,
                height=height,
                fx=focal,
                fy=focal,
                cx=width / 2 + 0.004 * width,
                cy=height / 2 - 0.006 * height,
                dist=dist,
            ),
            rotation=(float(vector[0]), float(vector[1]), float(vector[2])),
            translation_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
        )

    half_x = board.width_mm / 2 + board.border_width_mm
    half_y = board.height_mm / 2 + board.border_width_mm
    rim = np.array(
        [
            (x * half_x, y * half_y, board.border_height_mm)
            for x in (-1, 0, 1)
            for y in (-1, 0, 1)
            if x or y
        ]
    )

    def fits(focal: float) -> bool:
        u, v = camera(focal).project(rim).T
        spare_u, spare_v = margin * width, margin * height
        return bool(
            u.min() > spare_u
            and u.max() < width - spare_u
            and v.min() > spare_v
            and v.max() < height - spare_v
        )

    low, high = 0.1 * width, 4.0 * width
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if fits(middle) else (low, middle)
    return camera(round(low, 2))
