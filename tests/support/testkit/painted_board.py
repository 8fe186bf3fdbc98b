"""Pictures of a painted board with exact truth: lines, markers, tone curve, noise, JPEG.

Lines are drawn from their exact distance to every pixel, blurred by a Gaussian; markers are
supersampled. Enough to hold calibration to account, at a few tens of milliseconds a picture.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.camera import Camera, Floats, Lens
from calibration.strokes import Stroke, strokes_of
from rules.board import Board, Fiducial, Line, Zone
from rules.geometry import Point

GROUND = np.array([0.20, 0.33, 0.50])
PAINT = {"black": np.array([0.02, 0.02, 0.02]), "red": np.array([0.03, 0.03, 0.30])}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the picture is taken."""

    blur_px: float = 0.6
    noise: float = 2.0
    gain: float = 1.0
    jpeg: int | None = 92


def square_board(*, markers: bool = True) -> Board:
    """A 400 mm board with two home lines, a central square, a circle and a quarter-circle."""
    lines = (
        _line("home-S", "black", 2.4, (-200, -140), (200, -140)),
        _line("home-W", "black", 2.4, (-140, 200), (-140, -200)),
        _line("central", "red", 2.0, (-60, -60), (60, -60), (60, 60), (-60, 60), (-60, -60)),
        Line(id="ring", colour="black", width_mm=1.8, centre=Point(0, 0), radius_mm=100.0),
        Line(id="corner", colour="black", width_mm=2.0, centre=Point(200, 200), radius_mm=70.0),
    )
    south = (Point(-200, -200), Point(200, -200), Point(200, -140), Point(-200, -140))
    square = (Point(-60, -60), Point(60, -60), Point(60, 60), Point(-60, 60))
    zones = (
        Zone(id="home-S", kind="home", polygon=south, bounded_by=("home-S",)),
        Zone(id="central", kind="central", polygon=square, bounded_by=("central",)),
        Zone(
            id="corner",
            kind="pocket-zone",
            centre=Point(200, 200),
            radius_mm=70.0,
            corner="NE",
            bounded_by=("corner",),
        ),
    )
    places = [(-222.0, -222.0), (222.0, -222.0), (222.0, 222.0), (-222.0, 222.0)]
    marks = tuple(
        Fiducial(dictionary="DICT_4X4_50", id=n, centre=Point(x, y), z_mm=8.0, size_mm=30.0)
        for n, (x, y) in enumerate(places)
    )
    return Board(
        game="qsquare",
        name="test board",
        width_mm=400.0,
        height_mm=400.0,
        border_width_mm=45.0,
        border_height_mm=8.0,
        lines=lines,
        zones=zones,
        fiducials=marks if markers else (),
    )


def small_lens() -> Lens:
    return Lens(
        width=600,
        height=480,
        fx=660.0,
        fy=662.0,
        cx=303.0,
        cy=236.0,
        dist=(-0.09, 0.012, 0.0004, -0.0005, 0.0),
    )


def camera_over(lens: Lens, rng: np.random.Generator) -> Camera:
    """A camera somewhere above the board, looking about at its middle, turned a little."""
    place = np.array([rng.uniform(-90, 90), rng.uniform(-120, 120), rng.uniform(760, 820)])
    forward = np.array([rng.uniform(-8, 8), rng.uniform(-8, 8), 0.0]) - place
    forward /= np.linalg.norm(forward)
    turn = np.radians(rng.uniform(-6, 6))
    up = np.array([np.sin(turn), np.cos(turn), 0.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    matrix = np.stack([right, np.cross(forward, right), forward])
    rotation = np.asarray(cv2.Rodrigues(matrix)[0], dtype=np.float64).ravel()
    move = -matrix @ place
    return Camera(
        lens=lens,
        rotation=(float(rotation[0]), float(rotation[1]), float(rotation[2])),
        translation_mm=(float(move[0]), float(move[1]), float(move[2])),
    )


def photograph(
    board: Board, camera: Camera, rng: np.random.Generator, look: Look | None = None
) -> NDArray[np.uint8]:
    """(H, W, 3) BGR uint8 picture of the empty board."""
    look = look or Look()
    width, height = camera.lens.width, camera.lens.height
    rays = _rays(camera.lens) @ camera.rotation_matrix
    centre = camera.centre_mm
    flat = centre[:2] - rays[:, :2] * (centre[2] / rays[:, 2:3])
    mm_per_px = np.linalg.norm(camera.translation_mm) / camera.lens.fx
    light = np.tile(GROUND, (len(flat), 1))
    on_board = np.all(np.abs(flat) <= (board.width_mm / 2, board.height_mm / 2), axis=1)
    light[~on_board] = (0.05, 0.06, 0.10)
    strokes = strokes_of(board)
    blur_mm = look.blur_px * mm_per_px
    for number, line in enumerate(board.lines):
        ink = np.zeros(len(flat))
        half = line.width_mm / 2
        for stroke in strokes:
            if stroke.line == number:
                far = _distance(stroke, flat)
                close = np.flatnonzero((far < half + 6 * blur_mm) & on_board)
                near = far[close]
                mine = ndtr((near + half) / blur_mm) - ndtr((near - half) / blur_mm)
                ink[close] = np.maximum(ink[close], mine)
        light += ink[:, None] * (PAINT[line.colour] - light)
    picture = light.reshape(height, width, 3)
    for mark in board.fiducials:
        _stick(picture, mark, camera, look.blur_px)
    shown = 255 * np.clip(picture * look.gain, 0, 1) ** (1 / 2.2)
    shown += rng.normal(0, look.noise, shown.shape)
    taken = np.clip(np.round(shown), 0, 255).astype(np.uint8)
    return taken if look.jpeg is None else reopened(taken, look.jpeg)


@lru_cache(maxsize=2)
def _rays(lens: Lens) -> Floats:
    """(H * W, 3) the ray of every pixel in the camera's frame."""
    v, u = np.mgrid[0 : lens.height, 0 : lens.width]
    normal = lens.undistort(np.column_stack([u.ravel(), v.ravel()]).astype(np.float64))
    return np.column_stack([normal, np.ones(len(normal))])


def jpeg_bytes(picture: NDArray[np.uint8], quality: int = 95) -> bytes:
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(coded).tobytes()


def reopened(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    coded = np.frombuffer(jpeg_bytes(picture, quality), dtype=np.uint8)
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def repainted(board: Board, id: str, *, dx_mm: float = 0.0, dy_mm: float = 0.0) -> Board:
    """The board with the line `id` painted beside its drawing."""
    lines = []
    for line in board.lines:
        if line.id == id:
            points = tuple(Point(p.x_mm + dx_mm, p.y_mm + dy_mm) for p in line.points)
            at = line.centre and Point(line.centre.x_mm + dx_mm, line.centre.y_mm + dy_mm)
            line = replace(line, points=points, centre=at)
        lines.append(line)
    return replace(board, lines=tuple(lines))


def _line(id: str, colour: str, width_mm: float, *points: tuple[float, float]) -> Line:
    return Line(
        id=id, colour=colour, width_mm=width_mm, points=tuple(Point(x, y) for x, y in points)
    )


def _distance(stroke: Stroke, places: Floats) -> Floats:
    """How far each place lies from a stroke's centre line (round ends)."""
    if stroke.along is not None and stroke.start is not None:
        reach = (places - stroke.start) @ stroke.along
        nearest = stroke.start + np.clip(reach, 0, stroke.end_mm)[:, None] * stroke.along
        return np.asarray(np.hypot(*(places - nearest).T))
    return np.asarray(np.abs(np.hypot(*(places - stroke.centre).T) - stroke.radius_mm))


def _stick(picture: Floats, mark: Fiducial, camera: Camera, blur_px: float) -> None:
    """Draw a marker with its white margin, supersampled 5 by 5."""
    bits = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, mark.dictionary)), mark.id, 6
    )
    margin = mark.size_mm * 8 / 12
    around = [
        (mark.centre.x_mm + sx * margin, mark.centre.y_mm + sy * margin, mark.z_mm)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    seen = camera.project(np.array(around))
    (u0, v0), (u1, v1) = (
        np.floor(seen.min(axis=0)).astype(int) - 3,
        np.ceil(seen.max(axis=0)).astype(int) + 4,
    )
    u0, v0 = max(u0, 0), max(v0, 0)
    u1, v1 = min(u1, picture.shape[1]), min(v1, picture.shape[0])
    sub = (np.arange(5) - 2) / 5
    u = (np.arange(u0, u1)[:, None] + sub).ravel()
    v = (np.arange(v0, v1)[:, None] + sub).ravel()
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    at = camera.to_plane(grid, mark.z_mm) - (mark.centre.x_mm, mark.centre.y_mm)
    on_card = np.all(np.abs(at) <= margin, axis=1)
    column = np.floor((at[:, 0] / mark.size_mm + 0.5) * 6).astype(int)
    row = np.floor((0.5 - at[:, 1] / mark.size_mm) * 6).astype(int)
    inside = (column >= 0) & (column < 6) & (row >= 0) & (row < 6)
    shade = np.full(len(at), 0.8)
    shade[inside] = np.where(bits[row[inside], column[inside]] > 0, 0.8, 0.03)
    shape = (v1 - v0, 5, u1 - u0, 5)
    card = np.where(on_card, shade, 0.0).reshape(shape).mean(axis=(1, 3))
    cover = on_card.astype(np.float64).reshape(shape).mean(axis=(1, 3))
    sigma = float(np.sqrt(max(blur_px**2 - 1 / 12, 0.01)))
    card = cv2.GaussianBlur(card, (0, 0), sigma)
    cover = cv2.GaussianBlur(cover, (0, 0), sigma)
    box = picture[v0:v1, u0:u1]
    box[:] = box * (1 - cover[..., None]) + card[..., None]
