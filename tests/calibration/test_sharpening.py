"""How strongly a camera sharpens, measured on drawn lines, and taken back."""

from functools import cache

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, Lens
from calibration.relight import to_code
from calibration.sharpening import RADIUS_PX, USUAL, measure_sharpness, unsharpened
from rules.board import Board, Line
from rules.geometry import Point

CAMERA = Camera(
    lens=Lens(width=640, height=480, fx=600.0, fy=600.0, cx=320.0, cy=240.0, dist=(0.0,) * 5),
    rotation=(3.14159 - 0.05, 0.03, 0.02),
    translation_mm=(3.0, -4.0, 700.0),
)
SUB = 4
PIXEL_PX = 12**-0.5


def board(width_mm: float) -> Board:
    lines = tuple(
        Line(
            id=f"line-{n}",
            colour="black",
            width_mm=width_mm,
            points=(Point(-180.0, y_mm), Point(180.0, y_mm + 7.0)),
        )
        for n, y_mm in enumerate((-120.0, -40.0, 40.0, 120.0))
    )
    return Board(
        game="qsquare",
        name="drawn",
        width_mm=400.0,
        height_mm=400.0,
        border_width_mm=40.0,
        border_height_mm=10.0,
        lines=lines if width_mm else (),
    )


@cache
def light(width_mm: float) -> np.ndarray:
    """What the board sends back, at SUB by SUB places in each pixel."""
    within = (np.arange(SUB) + 0.5) / SUB - 0.5
    us = (np.arange(640)[:, None] + within).ravel()
    vs = (np.arange(480)[:, None] + within).ravel()
    grid = np.stack(np.meshgrid(us, vs), axis=-1).reshape(-1, 2)
    foot = CAMERA.to_plane(grid, 0.0)
    sent = np.full(len(foot), 0.45)
    for line in board(width_mm).lines:
        a, b = (np.array([p.x_mm, p.y_mm]) for p in line.points)
        along = (b - a) / np.hypot(*(b - a))
        off = foot - a
        run = np.clip(off @ along, 0, np.hypot(*(b - a)))
        sent[np.hypot(*(off - run[:, None] * along).T) < line.width_mm / 2] = 0.03
    return sent.reshape(480 * SUB, 640 * SUB)


def photograph(width_mm: float, amount: float, blur_px: float = 0.53) -> np.ndarray:
    """(480, 640, 3) picture: blurred in light, coded, then sharpened as cameras do."""
    blurred = cv2.GaussianBlur(light(width_mm), (0, 0), blur_px * SUB)
    code = to_code(blurred.reshape(480, SUB, 640, SUB).mean(axis=(1, 3)))
    sharp = code + amount * (code - cv2.GaussianBlur(code, (0, 0), RADIUS_PX))
    noise = np.random.default_rng(1).normal(0, 1.0, code.shape)
    gray = np.clip(np.rint(sharp + noise), 0, 255).astype(np.uint8)
    return np.repeat(gray[:, :, None], 3, axis=2)


@pytest.mark.parametrize("amount", [0.0, 0.3, 0.6])
def test_the_amount_is_read_off_the_lines(amount: float) -> None:
    found = measure_sharpness(photograph(3.0, amount), board(3.0), CAMERA)
    assert found.amount == pytest.approx(amount, abs=0.15)


@pytest.mark.parametrize(
    ("lens_px", "amount", "times"),
    [(0.4, 0.3, 0.8), (0.53, 0.3, 1.0), (0.53, 0.6, 1.0), (0.8, 0.3, 1.25), (0.8, 0.6, 1.25)],
)
def test_how_blurred_pieces_are_is_read_off_the_lines_however_much_they_are_sharpened(
    lens_px: float, amount: float, times: float
) -> None:
    """`times`: as blurred as by a usual camera."""
    found = measure_sharpness(photograph(3.0, amount, lens_px), board(3.0), CAMERA)
    assert found.blur_px == pytest.approx(times * USUAL.blur_px, rel=0.08)


def test_a_board_without_lines_is_taken_to_be_seen_by_a_usual_camera() -> None:
    assert measure_sharpness(photograph(0.0, 0.9), board(0.0), CAMERA) == USUAL


@pytest.mark.parametrize("amount", [0.2, 0.45, 1.0])
def test_sharpening_is_taken_back(amount: float) -> None:
    rng = np.random.default_rng(2)
    was = cv2.GaussianBlur(rng.uniform(0, 255, (120, 160)).astype(np.float32), (0, 0), 0.8)
    sharp = was + amount * (was - cv2.GaussianBlur(was, (0, 0), RADIUS_PX))
    back = unsharpened(sharp, amount)
    assert np.abs(back - was)[8:-8, 8:-8].max() < 0.02 * np.ptp(was)
    assert np.abs(back - was)[8:-8, 8:-8].max() < 0.2 * np.abs(sharp - was).max()


def test_no_sharpening_leaves_the_picture_as_it_is() -> None:
    codes = np.random.default_rng(4).uniform(0, 255, (20, 30)).astype(np.float32)
    assert unsharpened(codes, 0.0) is codes
