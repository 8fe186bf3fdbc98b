"""A piece as the camera sees it: its top, the side wall that height shows, its hole, its shadow."""

from dataclasses import dataclass
from math import hypot
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Pocket
from sightline.simulated.optics.light import Light
from sightline.simulated.optics.prisms import (
    is_prism,
    prism_cover,
    prism_light,
    prism_shade,
    reach_mm,
)
from sightline.simulated.optics.rays import Box, Floats, Rays, coverage
from sightline.simulated.optics.tones import from_rgb
from sightline.simulated.scene import Body

BEVEL_MM = 0.5
"""How far a turned piece's rims are rounded off."""

Shares = NDArray[np.integer[Any] | np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Sprite:
    """What to do with the pixels of `box`: keep a share of what lies beneath, add own light."""

    box: Box
    keep: Floats  # (h, w, 3)
    add: Floats | None  # (h, w, 3), None for a shadow

    def on(self, patch: Floats, patch_box: Box) -> None:
        """Lays the piece on a patch of the picture, in place."""
        box = self.box.within(patch_box)
        if box.empty:
            return
        own = box.seen_from(self.box)
        part = box.seen_from(patch_box).of(patch)
        part *= own.of(self.keep)
        if self.add is not None:
            part += own.of(self.add)


def each_channel(share: Shares) -> Floats:
    """(h, w, 3) a share (h, w) of each channel: what is even in memory is worked on faster."""
    return np.asarray(cv2.merge([share, share, share]), dtype=np.float32)


def body_sprite(
    body: Body, rays: Rays, gain: Floats, glare: Floats, pockets: tuple[Pocket, ...]
) -> Sprite:
    """The piece itself. `gain` and `glare` are the light's maps of the whole picture.

    The silhouette is the hull of the foot's circle and that of the belt, where the rounded rim
    begins, as they project on the plane of the foot; the flat of the top is a smaller circle on its
    own plane; through the hole the board shows as far as the hole's lower rim lets it.
    """
    spec = body.spec
    foot, top = body.lift_mm, body.lift_mm + spec.thickness_mm
    radius = reach_mm(spec)
    u0, v0 = rays.pixel(body.x_mm, body.y_mm, foot)
    u1, v1 = rays.pixel(body.x_mm, body.y_mm, top)
    step = _step(rays, u1, v1, top)
    box = rays.box_around([(u0, v0), (u1, v1)], radius / step + 4 * rays.blur_px + 1)
    if box.empty:
        return Sprite(box, np.ones((0, 0, 3), np.float32), None)

    lamp, shine = _at(gain, u1, v1), np.float32(0.6) * _at(glare, u1, v1)
    if is_prism(spec):
        whole, on_top = prism_cover(body, rays, box)
        light = prism_light(body, lamp, shine, whole, on_top)
        return Sprite(box, each_channel(1 - whole), light)
    bevel = min(BEVEL_MM, 0.2 * spec.thickness_mm)
    on_top = _disc(rays, box, body, top, radius - bevel, u1, v1)
    belt = np.maximum(on_top, _disc(rays, box, body, top - bevel, radius, u1, v1))
    whole = np.maximum(belt, _silhouette(rays, box, body, foot, top - bevel, radius, u0, v0))
    mouth = hole = through = np.zeros_like(on_top)
    if spec.hole_mm > 0:
        mouth = _disc(rays, box, body, top, spec.hole_mm / 2 + bevel, u1, v1)
        hole = np.minimum(mouth, _disc(rays, box, body, top - bevel, spec.hole_mm / 2, u1, v1))
        through = np.minimum(hole, _disc(rays, box, body, foot, spec.hole_mm / 2, u0, v0))

    colour = from_rgb(spec.rgb)
    x, y = rays.near(top, box, body.x_mm, body.y_mm)
    ring = np.hypot(x, y) / np.float32(radius)
    lathe = np.float32(1.0) - np.float32(0.10) * np.clip(ring, 0, 1) ** 4
    dark = 1.0 if foot >= 0 else max(0.25, 1 + foot / 40)
    face = (colour * lamp * dark + shine) * lathe[..., None]
    rim = 0.85 * face
    side = colour * lamp * (dark * 0.55)
    bore = colour * lamp * (dark * 0.35)
    add = (
        face * (on_top - mouth)[..., None]
        + rim * (belt - on_top + mouth - hole)[..., None]
        + side * (whole - belt)[..., None]
        + bore * (hole - through)[..., None]
    )
    keep = 1 - whole + np.float32(0.8) * through
    if foot < 0:
        seen = _mouth(rays, box, body, pockets)
        add *= seen[..., None]
        keep = 1 - seen * (1 - keep)
    return Sprite(box, each_channel(keep), add.astype(np.float32))


def outer_box(body: Body, rays: Rays, light: Light) -> Box:
    """A box that holds the piece and its shadow, found without drawing either."""
    radius, top = reach_mm(body.spec), body.lift_mm + body.spec.thickness_mm
    u, v = rays.pixel(body.x_mm, body.y_mm, body.lift_mm)
    step = _step(rays, u, v, body.lift_mm)
    points = [(u, v), rays.pixel(body.x_mm, body.y_mm, top)]
    soft = 0.0
    if body.lift_mm >= 0:
        middle, soft = _shadow_height(body), _softness(body)
        points += [
            rays.pixel(body.x_mm + dx * middle / 10, body.y_mm + dy * middle / 10, 0.0)
            for dx, dy in light.shade_mm
        ]
    return rays.box_around(points, (radius + 3 * soft) * 1.03 / step + 4 * rays.blur_px + 3)


def _shadow_height(body: Body) -> float:
    return body.lift_mm + 0.5 * body.spec.thickness_mm


def _softness(body: Body) -> float:
    return 2.0 + 0.35 * body.lift_mm + 0.12 * body.spec.thickness_mm


def shadow_sprite(body: Body, rays: Rays, light: Light) -> Sprite | None:
    """The soft shadows on the surface, None for a piece in a pocket."""
    if body.lift_mm < 0:
        return None
    radius = reach_mm(body.spec)
    middle = _shadow_height(body)
    ways = [(dx * middle / 10, dy * middle / 10) for dx, dy in light.shade_mm]
    places = [(body.x_mm + dx, body.y_mm + dy) for dx, dy in ways]
    soft = _softness(body)
    pixels = [rays.pixel(px, py, 0.0) for px, py in places]
    step = _step(rays, *pixels[0], 0.0)
    box = rays.box_around(pixels, (radius + 3 * soft) / step + 2)
    if box.empty:
        return None
    if is_prism(body.spec):
        left = prism_shade(body, rays, light, box, soft)
        return Sprite(box, each_channel(left), None)
    keep = np.ones((box.bottom - box.top, box.right - box.left), np.float32)
    for px, py in places:
        x, y = rays.near(0.0, box, px, py)
        away = np.hypot(x, y) - np.float32(radius)
        keep *= 1 - np.float32(light.shade) * coverage(away, soft)
    if body.lift_mm < 1:
        # close to the foot less of the sky reaches the board
        x, y = rays.near(0.0, box, body.x_mm, body.y_mm)
        close = np.exp(-np.maximum(np.hypot(x, y) - np.float32(radius), 0) / np.float32(2.5))
        keep *= 1 - np.float32(0.18) * close
    return Sprite(box, each_channel(keep), None)


def _step(rays: Rays, u: float, v: float, z_mm: float) -> float:
    """About how many millimetres a pixel spans there."""
    a, b, c, d = rays.steps(u, v)
    return float(abs(a * d - b * c) ** 0.5 * abs(z_mm - rays.eye[2]))


def _disc(
    rays: Rays, box: Box, body: Body, z_mm: float, radius_mm: float, u: float, v: float
) -> Floats:
    """The share of each pixel that a flat disc at `z_mm` about the body's axis covers."""
    x, y = rays.near(z_mm, box, body.x_mm, body.y_mm)
    return _round(rays, x, y, np.hypot(x, y), radius_mm, z_mm, u, v)


def _round(
    rays: Rays,
    nx: Floats,
    ny: Floats,
    away: Floats,
    radius_mm: float | Floats,
    z_mm: float,
    u: float,
    v: float,
) -> Floats:
    """Coverage inside a rim of `radius_mm`, where (nx, ny) points outwards with length `away`."""
    fall = abs(z_mm - rays.eye[2])
    a, b, c, d = (s * fall for s in rays.steps(u, v))
    safe = np.maximum(away, np.float32(1e-3))
    per_px = np.hypot(nx * a + ny * c, nx * b + ny * d) / safe
    # where away is 0 there is no direction; any step serves far from the rim
    per_px = np.maximum(per_px, np.float32(0.3 * abs(a * d - b * c) ** 0.5))
    out = (away - radius_mm) / per_px
    # a small disc blurred looks smaller: the rim's own curvature
    bend = per_px * (np.float32(0.5 * rays.blur_px**2) / radius_mm)
    return coverage(out + bend, rays.blur_px)


def _silhouette(
    rays: Rays,
    box: Box,
    body: Body,
    foot_mm: float,
    top_mm: float,
    radius_mm: float,
    u: float,
    v: float,
) -> Floats:
    """Coverage of the hull of the foot's circle and the top's, both on the plane of the foot.

    Seen from the camera, the top's circle falls on that plane as a circle a little larger and
    farther out. Their hull is an uneven capsule, whose distance is exact (Quilez, "2D distance
    functions").
    """
    eye = rays.eye
    grow = (top_mm - foot_mm) / (eye[2] - top_mm)
    shift_x, shift_y = (body.x_mm - eye[0]) * grow, (body.y_mm - eye[1]) * grow
    r1, r2 = radius_mm, radius_mm * (1 + grow)
    length = hypot(shift_x, shift_y)
    x, y = rays.near(foot_mm, box, body.x_mm, body.y_mm)
    if length <= r2 - r1 + 1e-6:
        return _disc(rays, box, body, top_mm, radius_mm, *rays.pixel(body.x_mm, body.y_mm, top_mm))
    ux, uy = shift_x / length, shift_y / length
    along = x * np.float32(ux) + y * np.float32(uy)
    aside = -x * np.float32(uy) + y * np.float32(ux)
    lean = (r1 - r2) / length
    flat = float(np.sqrt(max(0.0, 1 - lean * lean)))
    side = np.sign(aside)
    reach = along * np.float32(flat) - np.abs(aside) * np.float32(lean)
    # three parts: round the foot, round the top, and the straight flank between them
    at_top = reach > flat * length
    at_foot = reach < 0
    nx = np.where(at_top, along - np.float32(length), np.where(at_foot, along, np.float32(lean)))
    ny = np.where(at_top | at_foot, aside, side * np.float32(flat))
    flank = np.abs(aside) * np.float32(flat) + along * np.float32(lean)
    away = np.where(
        at_top,
        np.hypot(along - np.float32(length), aside),
        np.where(at_foot, np.hypot(x, y), flank),
    )
    size = np.where(at_top, np.float32(r2), np.float32(r1))
    scale = np.where(at_top | at_foot, np.float32(1), np.maximum(away, np.float32(1e-3)))
    bx = (nx * np.float32(ux) - ny * np.float32(uy)) * scale
    by = (nx * np.float32(uy) + ny * np.float32(ux)) * scale
    return _round(
        rays,
        bx.astype(np.float32),
        by.astype(np.float32),
        away.astype(np.float32),
        size,
        foot_mm,
        u,
        v,
    )


def _mouth(rays: Rays, box: Box, body: Body, pockets: tuple[Pocket, ...]) -> Floats:
    """How much of what lies below the surface each pixel sees through the nearest mouth."""
    pocket = min(pockets, key=lambda p: hypot(p.centre.x_mm - body.x_mm, p.centre.y_mm - body.y_mm))
    mouth = Body(name="", spec=body.spec, x_mm=pocket.centre.x_mm, y_mm=pocket.centre.y_mm)
    u, v = rays.pixel(mouth.x_mm, mouth.y_mm, 0.0)
    return _disc(rays, box, mouth, 0.0, pocket.radius_mm, u, v)


def _at(field: Floats, u: float, v: float) -> Floats:
    row = min(max(round(v), 0), field.shape[0] - 1)
    column = min(max(round(u), 0), field.shape[1] - 1)
    return np.asarray(field[row, column])
