"""Which pixels show which part of a thing at a place, in the plane where that part is."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.silhouette import RayMap
from calibration.table import Table
from rules.board import PieceSpec, Shape
from vision.lattice.places import Layer

Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Window:
    """The pixels about one place: rays relative to it, `(h, w)` each, mm.

    `x`, `y` where each ray meets the surface, `dx`, `dy` its way sideways for 1 mm of height.
    """

    rows: slice
    columns: slice
    x: Floats
    y: Floats
    dx: Floats
    dy: Floats

    def at_height(self, z_mm: float) -> tuple[Floats, Floats]:
        """Where the rays pass the plane `z_mm`, relative to the place."""
        return self.x + z_mm * self.dx, self.y + z_mm * self.dy

    def off_axis(self, height_mm: float, x_mm: float = 0.0, y_mm: float = 0.0) -> Floats:
        """How near each ray comes to an upright of that height, mm."""
        x, y = self.x - x_mm, self.y - y_mm
        length = np.maximum(self.dx**2 + self.dy**2, 1e-12)
        z = np.clip(-(x * self.dx + y * self.dy) / length, 0.0, height_mm)
        return np.asarray(np.hypot(x + z * self.dx, y + z * self.dy), dtype=np.float64)

    def outside(self, spec: PieceSpec, turn: int, x_mm: float = 0.0, y_mm: float = 0.0) -> Floats:
        """How far each ray passes outside of a piece at (x_mm, y_mm), mm; negative inside."""
        if spec.shape is not Shape.STICK:
            return self.off_axis(spec.thickness_mm, x_mm, y_mm) - spec.diameter_mm / 2
        inside = []
        for z in (0.0, spec.thickness_mm):
            x, y = self.at_height(z)
            a, b = (x - x_mm, y - y_mm) if turn == 0 else (y - y_mm, x - x_mm)
            inside.append(
                np.maximum(np.abs(a) - spec.length_mm / 2, np.abs(b) - spec.diameter_mm / 2)
            )
        return np.asarray(np.minimum(inside[0], inside[1]), dtype=np.float64)


def window(table: Table, rays: RayMap, at: Floats, reach_mm: float, height_mm: float) -> Window:
    """The window of all that a thing of that height may cover within `reach_mm` of `at`."""
    x, y = float(at[0]), float(at[1])
    corners = [
        (x + i * reach_mm, y + j * reach_mm, z)
        for i in (-1, 1)
        for j in (-1, 1)
        for z in (0.0, height_mm)
    ]
    px = table.camera.project(np.array(corners))
    width, height = rays.size
    u0, v0 = np.floor(px.min(axis=0)).astype(int)
    u1, v1 = np.ceil(px.max(axis=0)).astype(int) + 1
    rows = slice(max(int(v0), 0), min(int(v1), height))
    columns = slice(max(int(u0), 0), min(int(u1), width))
    part = rays.planes[:, rows, columns].astype(np.float64)
    return Window(rows=rows, columns=columns, x=part[0] - x, y=part[1] - y, dx=part[2], dy=part[3])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Regions:
    """For every place of a layer and every part of it, the numbers of its pixels in the picture.

    `pixels` (P, N) are indices into the flattened picture; part `k` is the columns `parts[k]`,
    the last part is the bare board around the place.
    """

    pixels: Ints
    parts: tuple[slice, ...]
    ring: slice


def regions_of(table: Table, rays: RayMap, layer: Layer) -> Regions:
    """The parts of every place of a layer of pegs or sticks: see `_peg_parts`, `_stick_parts`."""
    tallest = max(layer.specs, key=lambda s: s.thickness_mm)
    widest = max(layer.specs, key=lambda s: s.diameter_mm)
    cut = _stick_parts if tallest.shape is Shape.STICK else _peg_parts
    long_mm = max(tallest.length_mm, widest.diameter_mm)
    reach_mm = 0.5 * max(layer.pitch_mm, long_mm) + widest.diameter_mm
    gap_mm = max(0.12 * widest.diameter_mm, 1.5 if tallest.shape is Shape.STICK else 0.0)
    chosen: list[list[Ints]] = []
    for number, at in enumerate(layer.at):
        view = window(table, rays, at, reach_mm, tallest.thickness_mm)
        clear = view.outside(tallest, int(layer.turn[number]))
        for other in _near(layer, number, 2.0 * reach_mm):
            x, y = layer.at[other] - at
            away = view.outside(tallest, int(layer.turn[other]), float(x), float(y))
            clear = np.minimum(clear, away)
        measures = [*cut(view, tallest, widest, int(layer.turn[number]))]
        near = view.outside(tallest, int(layer.turn[number]))
        measures.append(np.where(clear > gap_mm, near, np.inf))
        flat = _flat(view, rays)
        chosen.append([_nearest_first(m, flat) for m in measures])
    return _even(chosen)


def _near(layer: Layer, number: int, reach_mm: float) -> list[int]:
    off = np.abs(layer.at - layer.at[number]).max(axis=1)
    return [int(n) for n in np.flatnonzero(off < reach_mm) if n != number]


def _peg_parts(view: Window, tallest: PieceSpec, widest: PieceSpec, turn: int) -> list[Floats]:
    """The hole; the peg's shaft half way up; its top. 0 where a pixel belongs to the part."""
    radius = widest.diameter_mm / 2
    hole = np.hypot(view.x, view.y) - 0.56 * radius
    middle = np.hypot(*view.at_height(0.5 * tallest.thickness_mm)) - 0.5 * radius
    top = np.hypot(*view.at_height(0.85 * tallest.thickness_mm)) - 0.66 * radius
    return [np.where(m <= 0, m, np.inf) for m in (hole, middle, top)]


def _stick_parts(view: Window, tallest: PieceSpec, widest: PieceSpec, turn: int) -> list[Floats]:
    """Strips along the groove, side by side from one flank to the other."""
    x, y = view.at_height(0.5 * tallest.thickness_mm)
    along, across = (x, y) if turn == 0 else (y, x)
    bounds = np.linspace(-0.5, 0.5, STRIPS + 1) * tallest.diameter_mm
    inside = np.abs(along) < 0.42 * tallest.length_mm
    strips = []
    for low, high in pairwise(bounds):
        strip = inside & (across >= low) & (across < high)
        if strip.sum() < _FEW:  # in a small picture a strip may lie between two rows of pixels
            off = np.where(inside, np.abs(across - 0.5 * (low + high)), np.inf)
            strip = inside & (off <= np.sort(off, axis=None)[min(_FEW, off.size) - 1])
        strips.append(np.where(strip, np.abs(along) - 1e3, np.inf))
    return strips


STRIPS = 5
_FEW = 6


def _flat(view: Window, rays: RayMap) -> Ints:
    rows = np.arange(view.rows.start, view.rows.stop)
    columns = np.arange(view.columns.start, view.columns.stop)
    return np.asarray((rows[:, None] * rays.size[0] + columns[None]), dtype=np.intp)


def _nearest_first(measure: Floats, flat: Ints) -> Ints:
    order = np.argsort(measure, axis=None, kind="stable")
    return np.asarray(flat.ravel()[order][: int(np.isfinite(measure).sum())], dtype=np.intp)


PLENTY = 28
"""No more pixels than these are drawn of a part."""


def _even(chosen: list[list[Ints]]) -> Regions:
    """Give every place equally many pixels for each part: the nearest, or evenly drawn of many."""
    columns: list[Ints] = []
    parts: list[slice] = []
    done = 0
    for k in range(len(chosen[0])):
        lists = [place[k] for place in chosen]
        count = max(min(PLENTY, int(np.quantile([len(p) for p in lists], 0.1))), 3)
        last = k == len(chosen[0]) - 1
        drawn = [_draw(p if not last else p[: 3 * count], count) for p in lists]
        columns.append(np.stack(drawn))
        parts.append(slice(done, done + count))
        done += count
    return Regions(pixels=np.concatenate(columns, axis=1), parts=tuple(parts[:-1]), ring=parts[-1])


def _draw(pixels: Ints, count: int) -> Ints:
    if len(pixels) == 0:
        raise ValueError(
            "expected every place of the lattice in the picture, large enough to be made out: "
            "see that the camera shows the whole board, or take larger pictures"
        )
    at = np.linspace(0, len(pixels) - 1, count).round().astype(np.intp)
    return np.asarray(pixels[at], dtype=np.intp)


def bare_board(table: Table, rays: RayMap, layers: tuple[Layer, ...]) -> Bools:
    """(H, W) the pixels that no peg and no stick can hide, wherever such stand."""
    width, height = rays.size
    bare = np.ones((height, width), dtype=np.bool_)
    for layer in layers:
        if layer.id == "cells":
            continue
        tallest = max(layer.specs, key=lambda s: s.thickness_mm)
        reach = max(tallest.length_mm, tallest.diameter_mm) / 2 + 2.0
        for at, turn in zip(layer.at, layer.turn, strict=True):
            view = window(table, rays, at, reach, tallest.thickness_mm)
            bare[view.rows, view.columns] &= view.outside(tallest, int(turn)) > 1.0
    return bare
