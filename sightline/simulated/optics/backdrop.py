"""The empty table as reflectance: floor, frame, surface, lines, pockets, markers."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.ndimage import map_coordinates

from rules.board import Board, Fiducial, Line
from sightline.simulated.optics.places import paint_lattices
from sightline.simulated.optics.rays import Box, Floats, Rays, coverage, slope_px
from sightline.simulated.optics.tones import from_rgb

FLOOR_MM = -740.0
FRAME_DEPTH_MM = 55.0
POCKET_DEPTH_MM = 38.0

PAINTS = {
    "black": (26, 25, 27),
    "red": (168, 30, 34),
    "blue": (30, 50, 140),
    "white": (226, 224, 218),
    "green": (30, 110, 60),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """What the table is made of: sRGB colours, and how strong its grain is."""

    surface: tuple[int, int, int] = (206, 170, 122)
    frame: tuple[int, int, int] = (104, 58, 38)
    floor: tuple[int, int, int] = (74, 72, 70)
    grain: float = 0.10
    seed: int = 11
    line: tuple[int, int, int] = (26, 25, 27)


OAK = Finish()
BIRCH = Finish(surface=(222, 200, 160), frame=(64, 44, 34), floor=(86, 92, 96), grain=0.06, seed=5)
MELAMINE = Finish(
    surface=(214, 210, 198), frame=(44, 44, 48), floor=(60, 74, 70), grain=0.02, seed=7
)
CHERRY = Finish(surface=(158, 100, 66), frame=(104, 66, 46), floor=(128, 124, 116), grain=0.07)
WALNUT = Finish(surface=(126, 84, 58), frame=(92, 66, 54), floor=(150, 150, 152), seed=13)
TURF = Finish(
    surface=(48, 104, 62),
    frame=(120, 84, 56),
    floor=(92, 80, 74),
    grain=0.03,
    seed=17,
    line=(214, 222, 210),
)
FINISHES = {
    "oak": OAK,
    "birch": BIRCH,
    "melamine": MELAMINE,
    "cherry": CHERRY,
    "walnut": WALNUT,
    "turf": TURF,
}


def paint_backdrop(
    board: Board,
    rays: Rays,
    finish: Finish,
    tints: Mapping[str, tuple[int, int, int]],
) -> Floats:
    """(H, W, 3) linear reflectance of the empty table as `rays` see it.

    `tints` are the sRGB colours of cells of a lattice that are printed otherwise than the surface.
    """
    whole = rays.whole
    blur = rays.blur_px
    half_x, half_y = board.width_mm / 2, board.height_mm / 2
    wide, high = board.border_width_mm, board.border_height_mm
    x0, y0 = rays.plane(0.0, whole)
    xt, yt = rays.plane(high, whole)

    picture = _floor(rays, finish)
    outer_top = _cover(_beyond(xt, yt, half_x + wide, half_y + wide), blur)
    xb, yb = rays.plane(-FRAME_DEPTH_MM, whole)
    outer_wall = _cover(_beyond(xb, yb, half_x + wide, half_y + wide), blur)
    frame = from_rgb(finish.frame)
    _lay(picture, frame * 0.45, outer_wall)

    top = frame * _grain(x0, y0, finish, 0.12, along_x=np.abs(yt) > np.abs(xt))
    _lay(picture, top, outer_top)

    inner_top = _cover(_beyond(xt, yt, half_x, half_y), blur)
    wall_tone = np.where(np.abs(xt) > np.abs(yt), np.sign(-xt) * 0.10, np.sign(-yt) * 0.12)
    wall = frame * (0.62 + wall_tone)[..., None]
    _lay(picture, wall.astype(np.float32), inner_top)

    surface = from_rgb(finish.surface) * _grain(x0, y0, finish, finish.grain, along_x=None)
    paint_lattices(surface, board, rays, tints)
    _paint_lines(surface, board, rays, finish)
    _dig_pockets(surface, board, rays)
    on_surface = _cover(_beyond(x0, y0, half_x, half_y), blur)
    _lay(picture, surface, np.minimum(on_surface, inner_top))
    for fiducial in board.fiducials:
        _stick_marker(picture, fiducial, board, rays)
    return picture


def _beyond(x: Floats, y: Floats, half_x: float, half_y: float) -> Floats:
    return np.maximum(np.abs(x) - np.float32(half_x), np.abs(y) - np.float32(half_y))


def _cover(outside_mm: Floats, blur_px: float) -> Floats:
    return coverage(outside_mm / slope_px(outside_mm), blur_px)


def _lay(picture: Floats, colour: Floats, share: Floats) -> None:
    picture += (colour - picture) * share[..., None]


def _grain(
    x: Floats, y: Floats, finish: Finish, strength: float, along_x: np.ndarray | None
) -> Floats:
    """(h, w, 1) factor of a wood's streaks along x, or across where `along_x` is false."""
    wood = _wood(finish.seed)
    size = wood.shape[0]
    if along_x is not None:
        x, y = np.where(along_x, x, y + 311), np.where(along_x, y, x + 173)
    u = np.mod(x + size / 2, size - 1).astype(np.float32)
    v = np.mod(y + size / 2, size - 1).astype(np.float32)
    streaks = cv2.remap(wood, u, v, cv2.INTER_LINEAR)
    return np.asarray(1 + strength * streaks, dtype=np.float32)[..., None]


def _wood(seed: int) -> Floats:
    """(1400, 1400) streaks, 1 px a millimetre, mean 0 and sd about 1."""
    rng = np.random.default_rng(seed)
    # along the grain everything is broad: an eighth of the points is enough there
    noise = rng.standard_normal((2, 1400, 175)).astype(np.float32)
    broad = cv2.GaussianBlur(noise[0], (0, 0), sigmaX=20, sigmaY=9)
    fine = cv2.GaussianBlur(noise[1], (0, 0), sigmaX=5.6, sigmaY=1.6)
    mixed = broad / broad.std() * 0.7 + fine / fine.std() * 0.6
    wood = cv2.resize(mixed, (1400, 1400), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(wood, -2.5, 2.5), dtype=np.float32)


def _floor(rays: Rays, finish: Finish) -> Floats:
    x, y = rays.plane(FLOOR_MM, rays.whole)
    planks = _grain(0.6 * y, 0.6 * x, finish, 0.14, along_x=None)
    seams = 1 - 0.35 * (np.mod(x + 90, 190) < 3)
    return np.asarray(from_rgb(finish.floor) * planks * seams[..., None], dtype=np.float32)


def _paint_lines(surface: Floats, board: Board, rays: Rays, finish: Finish) -> None:
    for line in board.lines:
        colour = from_rgb(PAINTS.get(line.colour, finish.line))
        for box, share in _line_shares(line, rays):
            part = surface[box.top : box.bottom, box.left : box.right]
            part += (colour - part) * share[..., None]


def _line_shares(line: Line, rays: Rays) -> list[tuple[Box, Floats]]:
    """Boxes that together hold the line, each with the share of its pixels that are painted."""
    half = np.float32(line.width_mm / 2)
    if line.centre is not None and line.radius_mm is not None:
        cx, cy, r = line.centre.x_mm, line.centre.y_mm, line.radius_mm
        rim = [rays.pixel(cx + a * r, cy + b * r, 0.0) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        box = rays.box_around(rim, 6.0)
        if box.empty:
            return []
        x, y = rays.near(0.0, box, cx, cy)
        return [(box, _stripe(np.hypot(x, y) - np.float32(r), half, rays.blur_px))]
    box = rays.box_around([rays.pixel(p.x_mm, p.y_mm, 0.0) for p in line.points], 14.0)
    if box.empty:
        return []
    share = np.zeros((box.bottom - box.top, box.right - box.left), np.float32)
    for a, b in zip(line.points, line.points[1:], strict=False):
        long = a.distance_mm(b)
        ux, uy = (b.x_mm - a.x_mm) / long, (b.y_mm - a.y_mm) / long
        x, y = rays.near(0.0, box, a.x_mm, a.y_mm)
        along = x * np.float32(ux) + y * np.float32(uy)
        aside = y * np.float32(ux) - x * np.float32(uy)
        # each stretch reaches half its width past its ends, so that corners close
        reach = np.abs(along - np.float32(long / 2)) - (np.float32(long / 2) + half)
        stretch = _stripe(aside, half, rays.blur_px) * _cover(reach, rays.blur_px)
        share = np.maximum(share, stretch)
    return [(box, share)]


def _stripe(aside_mm: Floats, half_mm: np.float32, blur_px: float) -> Floats:
    """The share of each pixel in a stripe, from the signed distance to its centre line."""
    per_px = slope_px(aside_mm)
    share = coverage((aside_mm - half_mm) / per_px, blur_px)
    return share - coverage((aside_mm + half_mm) / per_px, blur_px)


def _dig_pockets(surface: Floats, board: Board, rays: Rays) -> None:
    for pocket in board.pockets:
        cx, cy, r = pocket.centre.x_mm, pocket.centre.y_mm, pocket.radius_mm
        rim = [rays.pixel(cx + a * r, cy + b * r, 0.0) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        box = rays.box_around(rim, 6.0)
        if box.empty:
            continue
        x, y = rays.near(0.0, box, cx, cy)
        opening = _cover(np.hypot(x, y) - np.float32(r), rays.blur_px)
        xd, yd = rays.near(-POCKET_DEPTH_MM, box, cx, cy)
        deep = _cover(np.hypot(xd, yd) - np.float32(r), rays.blur_px)
        net = 0.75 + 0.25 * np.cos(xd * 0.9) * np.cos(yd * 0.9)
        bottom = from_rgb((58, 60, 62)) * net[..., None]
        side = from_rgb((52, 36, 26))
        inside = side + (bottom - side) * deep[..., None]
        part = surface[box.top : box.bottom, box.left : box.right]
        part += (inside - part) * opening[..., None]


def _stick_marker(picture: Floats, fiducial: Fiducial, board: Board, rays: Rays) -> None:
    """Prints one marker with its white margin, averaged over 5 × 5 points in each pixel."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, fiducial.dictionary))
    modules = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, fiducial.id, modules).astype(np.float32) / 255
    white = min(board.border_width_mm, fiducial.size_mm * (1 + 2 / modules)) / 2
    cx, cy = fiducial.centre.x_mm, fiducial.centre.y_mm
    corners = [
        rays.pixel(cx + a * white * 1.5, cy + b * white * 1.5, fiducial.z_mm)
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    box = rays.box_around(corners, 6.0)
    if box.empty:
        return
    x, y = rays.near(fiducial.z_mm, box, cx, cy)
    n = 5
    rows = (np.arange(x.shape[0] * n) + 0.5) / n - 0.5
    columns = (np.arange(x.shape[1] * n) + 0.5) / n - 0.5
    at = np.meshgrid(rows, columns, indexing="ij")
    xs = map_coordinates(x, at, order=1, mode="nearest")
    ys = map_coordinates(y, at, order=1, mode="nearest")
    yaw = np.deg2rad(fiducial.yaw_deg)
    across = xs * np.cos(yaw) + ys * np.sin(yaw)
    up = -xs * np.sin(yaw) + ys * np.cos(yaw)
    column = np.floor((across / fiducial.size_mm + 0.5) * modules).astype(int)
    row = np.floor((0.5 - up / fiducial.size_mm) * modules).astype(int)
    printed = (column >= 0) & (column < modules) & (row >= 0) & (row < modules)
    tone = np.where(
        printed, bits[np.clip(row, 0, modules - 1), np.clip(column, 0, modules - 1)], 1.0
    )
    paper = ((np.abs(across) <= white) & (np.abs(up) <= white)).astype(np.float32)
    blur = n * float(np.sqrt(max(rays.blur_px**2 - 1 / 12, 0.01)))
    ink = (0.03 + 0.75 * tone).astype(np.float32) * paper

    def averaged(field: Floats) -> Floats:
        soft = cv2.GaussianBlur(field.astype(np.float32), (0, 0), blur)
        return np.asarray(soft.reshape(x.shape[0], n, x.shape[1], n).mean(axis=(1, 3)))

    part = picture[box.top : box.bottom, box.left : box.right]
    part *= 1 - averaged(paper)[..., None]
    part += averaged(ink)[..., None]
