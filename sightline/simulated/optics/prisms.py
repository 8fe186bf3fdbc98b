"""Sticks and square blocks as the camera sees them: upright prisms over a turned rectangle."""

from math import cos, radians, sin

import cv2
import numpy as np

from rules.board import PieceSpec, Shape
from sightline.simulated.optics.light import Light
from sightline.simulated.optics.rays import Box, Floats, Rays, coverage
from sightline.simulated.optics.tones import from_rgb
from sightline.simulated.scene import Body

Corners = tuple[tuple[float, float], ...]


def is_prism(spec: PieceSpec) -> bool:
    """Whether a piece is drawn as a prism, not as a disc."""
    return spec.shape in (Shape.STICK, Shape.SQUARE)


def reach_mm(spec: PieceSpec) -> float:
    """How far a piece of any shape reaches from its middle."""
    if is_prism(spec):
        along, aside = _halves(spec)
        return float(np.hypot(along, aside))
    return spec.diameter_mm / 2


def prism_cover(body: Body, rays: Rays, box: Box) -> tuple[Floats, Floats]:
    """The shares (h, w) of each pixel of `box` that the whole prism covers, and its top alone."""
    foot, top = body.lift_mm, body.lift_mm + body.spec.thickness_mm
    on_top = _rectangle(body, rays, box, top)
    eye = rays.eye
    grow = (eye[2] - foot) / (eye[2] - top)
    corners = _corners(body)
    shown = [
        (eye[0] + (body.x_mm + x - eye[0]) * grow, eye[1] + (body.y_mm + y - eye[1]) * grow)
        for x, y in corners
    ]
    points = np.array([*corners, *((x - body.x_mm, y - body.y_mm) for x, y in shown)])
    around = cv2.convexHull(points.astype(np.float32), returnPoints=False)
    hull = points[around.ravel()]
    whole = _convex(body, rays, box, foot, tuple((float(x), float(y)) for x, y in hull))
    return np.maximum(whole, on_top), on_top


def prism_shade(body: Body, rays: Rays, light: Light, box: Box, soft_mm: float) -> Floats:
    """What is left of the light (h, w) on the surface around a prism."""
    middle = body.lift_mm + 0.5 * body.spec.thickness_mm
    keep = np.ones((box.bottom - box.top, box.right - box.left), np.float32)
    for dx, dy in light.shade_mm:
        away = _outside(body, rays, box, dx * middle / 10, dy * middle / 10)
        keep *= 1 - np.float32(light.shade) * coverage(away, soft_mm)
    return keep


def _halves(spec: PieceSpec) -> tuple[float, float]:
    long = spec.length_mm if spec.shape is Shape.STICK and spec.length_mm else spec.diameter_mm
    return long / 2, spec.diameter_mm / 2


def _axes(body: Body) -> tuple[float, float]:
    turn = radians(body.turn_deg)
    return cos(turn), sin(turn)


def _corners(body: Body) -> Corners:
    """Its four corners about its middle, counter-clockwise."""
    along, aside = _halves(body.spec)
    ux, uy = _axes(body)
    return tuple(
        (a * along * ux - b * aside * uy, a * along * uy + b * aside * ux)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


def _rectangle(body: Body, rays: Rays, box: Box, z_mm: float) -> Floats:
    """Coverage of the rectangle at `z_mm`; right for one that is thinner than the blur, too."""
    along, aside = _halves(body.spec)
    ux, uy = _axes(body)
    x, y = rays.near(z_mm, box, body.x_mm, body.y_mm)
    share = np.ones_like(x)
    for half, nx, ny in ((along, ux, uy), (aside, -uy, ux)):
        per_px = np.float32(_per_px(body, rays, z_mm, nx, ny))
        off = ((x * np.float32(nx) + y * np.float32(ny)) / per_px).astype(np.float32)
        edge = np.float32(half / per_px)
        inside: Floats = coverage(off - edge, rays.blur_px) - coverage(off + edge, rays.blur_px)
        share *= inside
    return share


def _convex(body: Body, rays: Rays, box: Box, z_mm: float, hull: Corners) -> Floats:
    """Coverage of a convex outline, counter-clockwise about the body's middle, at `z_mm`."""
    x, y = rays.near(z_mm, box, body.x_mm, body.y_mm)
    out = np.full_like(x, -1e6)
    for (ax, ay), (bx, by) in zip(hull, (*hull[1:], hull[0]), strict=True):
        long = float(np.hypot(bx - ax, by - ay))
        if long < 1e-6:
            continue
        nx, ny = (by - ay) / long, -(bx - ax) / long
        far = (x - np.float32(ax)) * np.float32(nx) + (y - np.float32(ay)) * np.float32(ny)
        out = np.maximum(out, far / np.float32(_per_px(body, rays, z_mm, nx, ny)))
    return coverage(out, rays.blur_px)


def _per_px(body: Body, rays: Rays, z_mm: float, nx: float, ny: float) -> float:
    """How many millimetres along (nx, ny) a pixel spans at the body."""
    fall = abs(z_mm - rays.eye[2])
    a, b, c, d = (s * fall for s in rays.steps(*rays.pixel(body.x_mm, body.y_mm, z_mm)))
    return max(float(np.hypot(nx * a + ny * c, nx * b + ny * d)), 1e-6)


def _outside(body: Body, rays: Rays, box: Box, dx: float, dy: float) -> Floats:
    """The distance in mm from the rectangle on the surface, shifted by (dx, dy); negative: in."""
    along, aside = _halves(body.spec)
    ux, uy = _axes(body)
    x, y = rays.near(0.0, box, body.x_mm + dx, body.y_mm + dy)
    p = np.abs(x * np.float32(ux) + y * np.float32(uy)) - np.float32(along)
    q = np.abs(-x * np.float32(uy) + y * np.float32(ux)) - np.float32(aside)
    inside = np.minimum(np.maximum(p, q), 0)
    away: Floats = np.hypot(np.maximum(p, 0), np.maximum(q, 0)) + inside
    return away


def prism_light(body: Body, lamp: Floats, shine: Floats, whole: Floats, on_top: Floats) -> Floats:
    """The light (h, w, 3) of its top and sides, where they are."""
    colour = from_rgb(body.spec.rgb)
    face = colour * lamp + shine
    side = colour * lamp * np.float32(0.58)
    light = face * on_top[..., None] + side * np.maximum(whole - on_top, 0)[..., None]
    return np.asarray(light, dtype=np.float32)
