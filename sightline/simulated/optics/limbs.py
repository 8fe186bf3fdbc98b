"""Cues and hands: drawn as filled outlines at their own height, with the shadow they throw."""

from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from sightline.simulated.optics.light import Light
from sightline.simulated.optics.rays import Box, Floats, Rays
from sightline.simulated.optics.sprites import Sprite, each_channel
from sightline.simulated.optics.tones import to_light
from sightline.simulated.scene import Limb, Stick

Solid = tuple[float, float, float]
_SHIFT = 4
_WOOD = (92, 142, 196)
_WOOD_DARK = (52, 84, 122)
_BUTT = (38, 40, 70)
_FERRULE = (222, 226, 228)
_LEATHER = (150, 110, 60)


@dataclass(frozen=True, slots=True)
class Part:
    """A tapered limb from one point in space to another; its colour is blue, green, red."""

    start: Solid
    end: Solid
    start_radius_mm: float
    end_radius_mm: float
    colour: tuple[int, int, int]


def stick_parts(stick: Stick) -> tuple[Part, ...]:
    """A cue: leather tip, white ferrule, a wooden shaft with a bright ridge, a dark butt."""
    tip, butt = stick.tip_mm, stick.butt_mm
    thin, thick = stick.tip_radius_mm, stick.butt_radius_mm
    long = max(1.0, hypot(*(b - a for a, b in zip(tip, butt, strict=True))))

    def part(
        a_mm: float, b_mm: float, colour: tuple[int, int, int], fat: float = 1.0, up: float = 0.0
    ) -> Part:
        a, b = min(1.0, a_mm / long), min(1.0, b_mm / long)

        def at(s: float) -> Solid:
            x, y, z = (p + (q - p) * s for p, q in zip(tip, butt, strict=True))
            return (x, y, z + up)

        return Part(
            at(a),
            at(b),
            fat * (thin + (thick - thin) * a),
            fat * (thin + (thick - thin) * b),
            colour,
        )

    return (
        part(0, long, _WOOD_DARK),
        part(24, long, _WOOD, 0.62, 2.0),
        part(0.62 * long, long, _BUTT, 0.98),
        part(6, 24, _FERRULE, 0.95),
        part(0, 6, _LEATHER),
    )


def limb_parts(limb: Limb) -> tuple[Part, ...]:
    """A hand with four fingers and a thumb, a forearm, a sleeve."""
    (x, y), (ex, ey) = limb.reach_mm, limb.elbow_mm
    far = max(1.0, hypot(x - ex, y - ey))
    ux, uy = (x - ex) / far, (y - ey) / far
    skin = tuple(int(255 * c ** (1 / 2.2)) for c in limb.tone[::-1])
    dark = tuple(int(0.86 * c) for c in skin)
    cloth = tuple(int(255 * c ** (1 / 2.2)) for c in limb.sleeve[::-1])
    z = limb.height_mm

    def at(back_mm: float, aside_mm: float, up_mm: float) -> Solid:
        return (x - ux * back_mm - uy * aside_mm, y - uy * back_mm + ux * aside_mm, z + up_mm)

    knuckles, wrist = 62.0, 125.0
    parts = [
        Part(at(wrist + 130, 0, 50), (ex, ey, z + 120), 46, 58, cloth),  # type: ignore[arg-type]
        Part(at(wrist, 0, 22), at(wrist + 150, 0, 54), 28, 38, dark),  # type: ignore[arg-type]
        Part(at(wrist, 0, 22), at(knuckles + 8, 0, 16), 30, 38, skin),  # type: ignore[arg-type]
        Part(at(wrist - 12, -30, 14), at(34, -44, 0), 13, 8, dark),  # type: ignore[arg-type]
    ]
    for aside, back in ((-27.0, 12.0), (-9.0, 0.0), (9.0, 4.0), (27.0, 18.0)):
        for fat, colour in ((1.18, dark), (1.0, skin)):
            parts.append(
                Part(
                    at(knuckles - 8, 0.9 * aside, 16),
                    at(back, aside, 0),
                    fat * 9.5,
                    fat * 7.5,
                    colour,  # type: ignore[arg-type]
                )
            )
    return tuple(parts)


def overlay(parts: tuple[Part, ...], rays: Rays, gain: Floats, light: Light) -> tuple[Sprite, ...]:
    """The parts as drawn, with the shadow they throw; empty where the picture shows none of them.

    They come in strips: a slanting arm leaves most of its box as it is.
    """
    hulls, shadows = _hulls(parts, rays, light.shade_mm[0])
    outlines = list(zip(parts, hulls, strict=True))
    points = np.concatenate(hulls + shadows)
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    box = rays.box_around([(left, top), (right, bottom)], 6.0)
    if box.empty:
        return ()
    size = (box.bottom - box.top, box.right - box.left)
    origin = np.array([box.left, box.top], dtype=np.float64)
    colours = np.zeros((*size, 3), np.uint8)
    hides = np.zeros(size, np.uint8)
    for drawn, outline in outlines:
        shape = _fixed(outline - origin)
        cv2.fillPoly(colours, [shape], drawn.colour, cv2.LINE_8, _SHIFT)
        cv2.fillPoly(hides, [shape], 255, cv2.LINE_AA, _SHIFT)
    shadow = np.zeros(size, np.uint8)
    for outline in shadows:
        cv2.fillPoly(shadow, [_fixed(outline - origin)], 255, cv2.LINE_AA, _SHIFT)
    # the colours reach a little beyond the outline, so that its soft edge does not darken
    wide = cv2.dilate(colours, np.ones((5, 5), np.uint8))
    cv2.copyTo(wide, cv2.inRange(colours, (0, 0, 0), (0, 0, 0)), colours)
    soft_colours = cv2.GaussianBlur(colours, (3, 3), rays.blur_px)
    share = cv2.GaussianBlur(hides, (3, 3), rays.blur_px)
    shade = cv2.blur(cv2.blur(shadow, (7, 7)), (7, 7))
    dark = np.float32(light.shade * 1.4 / 255)
    strips = []
    for top in range(0, size[0], _STRIP_PX):
        rows = slice(top, top + _STRIP_PX)
        left, first, width, height = cv2.boundingRect(cv2.max(share[rows], shade[rows]))
        part = (slice(top + first, top + first + height), slice(left, left + width))
        at_top, at_left = box.top + top + first, box.left + left
        strip = Box(at_left, at_top, at_left + width, at_top + height)
        if not strip.empty:
            hidden = np.float32(1 / 255) * share[part]
            keep = (1 - dark * shade[part]) * (1 - hidden)
            shown = to_light(np.asarray(soft_colours[part], dtype=np.uint8)) * strip.of(gain)
            shown *= each_channel(hidden)
            strips.append(Sprite(strip, each_channel(keep), shown))
    return tuple(strips)


_STRIP_PX = 40
_TURN = np.linspace(0, 2 * np.pi, 12, endpoint=False)
_ROUND = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


def _hulls(
    parts: tuple[Part, ...], rays: Rays, way: tuple[float, float]
) -> tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]]:
    """Each part's outline (N, 2) px, the hull of its ends, and its shadow's, thrown along `way`."""
    ends = np.array([solid for part in parts for solid in (part.start, part.end)])
    sizes = np.array(
        [size for part in parts for size in (part.start_radius_mm, part.end_radius_mm)]
    )
    thrown = np.zeros_like(ends)
    thrown[:, :2] = ends[:, :2] + np.array(way) * ends[:, 2:] / 10
    rings = np.repeat(np.concatenate([ends, thrown])[:, None], len(_ROUND), axis=1)
    rings[..., :2] += _ROUND * np.concatenate([sizes, sizes])[:, None, None]
    pixels = rays.camera.project(rings.reshape(-1, 3)).astype(np.float32)
    found = [
        np.asarray(cv2.convexHull(ring).reshape(-1, 2), dtype=np.float64)
        for ring in pixels.reshape(2 * len(parts), -1, 2)
    ]
    return found[: len(parts)], found[len(parts) :]


def _fixed(points_px: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(points_px * 2**_SHIFT), dtype=np.int32)
