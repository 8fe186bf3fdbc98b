"""What a lattice board has before a piece stands on it: holes, dots and grooves, printed cells."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rules.board import Board, Lattice, Shape
from sightline.simulated.optics.rays import Floats, Rays, coverage, slope_px
from sightline.simulated.optics.tones import from_rgb

BORE = 0.58  # a hole is that much of its peg's width
BARE_MM = 2.3  # between a printed cell and what bounds it
BRASS = (176, 140, 66)
INK = (34, 27, 24)


def paint_lattices(
    surface: Floats, board: Board, rays: Rays, tints: Mapping[str, tuple[int, int, int]]
) -> None:
    """Paints the places of the board's lattices on its surface (H, W, 3), in place."""
    width = {spec.shape: spec.diameter_mm for spec in board.pieces}
    x, y = rays.plane(0.0, rays.whole)
    for lattice in sorted(board.lattices, key=lambda lattice: lattice.id):  # cells before dots
        if lattice.id == "holes":
            away, _, _ = _nearest(lattice, x, y)
            bore = BORE * width.get(Shape.PEG, 0.4 * lattice.pitch_x_mm) / 2
            _lay(surface, from_rgb(INK), _cover(away - np.float32(bore), rays.blur_px))
        elif lattice.id == "dots":
            groove = width.get(Shape.STICK, 0.1 * lattice.pitch_x_mm) + 0.4
            _grooves(surface, lattice, x, y, groove, rays.blur_px)
        elif lattice.id == "cells" and tints:
            _cells(surface, lattice, x, y, tints, rays.blur_px)


def _nearest(
    lattice: Lattice, x: Floats, y: Floats
) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    """For each pixel the distance in mm to the nearest place, and its column and row."""
    col = np.clip(np.rint((x - lattice.origin.x_mm) / lattice.pitch_x_mm), 0, lattice.cols - 1)
    row = np.clip(np.rint((y - lattice.origin.y_mm) / lattice.pitch_y_mm), 0, lattice.rows - 1)
    dx = x - (lattice.origin.x_mm + col * lattice.pitch_x_mm)
    dy = y - (lattice.origin.y_mm + row * lattice.pitch_y_mm)
    return np.hypot(dx, dy).astype(np.float32), col.astype(np.intp), row.astype(np.intp)


def _grooves(
    surface: Floats, lattice: Lattice, x: Floats, y: Floats, width_mm: float, blur_px: float
) -> None:
    """Grooves from dot to dot, a shade darker than the wood, and the dots."""
    half = np.float32(width_mm / 2)
    away, col, row = _nearest(lattice, x, y)
    x0, y0 = lattice.origin.x_mm, lattice.origin.y_mm
    across = np.abs(x - (x0 + col * lattice.pitch_x_mm))
    along = np.abs(y - (y0 + row * lattice.pitch_y_mm))
    mid_x = x0 + (lattice.cols - 1) * lattice.pitch_x_mm / 2
    mid_y = y0 + (lattice.rows - 1) * lattice.pitch_y_mm / 2
    beyond = np.maximum(np.abs(x - mid_x) - (mid_x - x0), np.abs(y - mid_y) - (mid_y - y0))
    off = np.maximum(np.minimum(across, along), beyond).astype(np.float32)
    sunk = _cover(off - half, blur_px)
    surface *= 1 - np.float32(0.38) * sunk[..., None]
    _lay(surface, from_rgb(BRASS), 0.85 * _cover(away - np.float32(0.42 * width_mm), blur_px))


def _cells(
    surface: Floats,
    lattice: Lattice,
    x: Floats,
    y: Floats,
    tints: Mapping[str, tuple[int, int, int]],
    blur_px: float,
) -> None:
    """Cells printed in colours of their own, the wood's grain showing through a little."""
    _, col, row = _nearest(lattice, x, y)
    dx = np.abs(x - (lattice.origin.x_mm + col * lattice.pitch_x_mm))
    dy = np.abs(y - (lattice.origin.y_mm + row * lattice.pitch_y_mm))
    out = np.maximum(dx - lattice.pitch_x_mm / 2, dy - lattice.pitch_y_mm / 2) + BARE_MM
    share = _cover(out.astype(np.float32), blur_px)
    colours = np.zeros((lattice.cols, lattice.rows, 3), np.float32)
    printed = np.zeros((lattice.cols, lattice.rows), np.float32)
    for place, rgb in tints.items():
        layer, _, pair = place.partition(":")
        c, _, r = pair.partition(",")
        if layer == lattice.id:
            colours[int(c), int(r)] = from_rgb(rgb)
            printed[int(c), int(r)] = 1.0
    grain = surface / np.maximum(np.mean(surface, axis=(0, 1)), 1e-3)
    _lay(surface, colours[col, row] * (0.75 + 0.25 * grain), 0.92 * share * printed[col, row])


def _cover(outside_mm: Floats, blur_px: float) -> Floats:
    return coverage(outside_mm / slope_px(outside_mm), blur_px)


def _lay(surface: Floats, colour: Floats, share: Floats) -> None:
    surface += (colour - surface) * share[..., None]
