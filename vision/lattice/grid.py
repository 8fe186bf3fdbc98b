"""Where a layer's cells are sampled in a picture: on a small grid in the plane of the tops."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from calibration.table import Table
from vision.lattice.places import Layer
from vision.lattice.sampled import Samples, samples_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]

SIDE, FINE = 17, 25
"""Samples along the side of a cell's middle, and of all of it, margin included."""
_MARGIN = 1.12
_FINELY = 0.0467
"""Squares are summed up as if samples lay so far apart, in pitches."""
_BETWEEN_GROOVES = 0.3735
_OPEN = 0.41
"""How far from a cell's middle the samples count, in pitches: with sticks around, or without."""
CHROMA = 3.0
"""Colour counts for more than brightness, which light changes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellGrid:
    """The samples of a layer of cells.

    `pixels` (P, N) are indices into the flattened picture, `samples` draw them; `offset` (N, 2)
    is where each sample lies from the cell's middle, mm, in the plane `z_mm`; `drift` (P, 2) is how
    far the rays of a cell move sideways for 1 mm of height; `step_mm` is from one sample to the
    next, `weight` what each counts for.
    """

    pixels: Ints
    samples: Samples
    offset: Floats32
    z_mm: float
    drift: Floats
    step_mm: float
    weight: float

    @property
    def chroma(self) -> float:
        """What a sample's colour counts for."""
        return self.weight * CHROMA


def cell_grid(table: Table, rays: RayMap, layer: Layer, grooves: bool) -> CellGrid:
    """The grid of every cell's middle; ValueError where a cell lies outside the picture.

    `grooves` says that sticks lie between the cells.
    """
    half = (_BETWEEN_GROOVES if grooves else _OPEN) * layer.pitch_mm
    return _grid(table, rays, layer, half, SIDE)


def fine_grid(table: Table, rays: RayMap, layer: Layer) -> CellGrid:
    """The grid of all of each cell, to tell colours; ValueError where one is not in the picture."""
    return _grid(table, rays, layer, 0.5 * _MARGIN * layer.pitch_mm, FINE)


def _grid(table: Table, rays: RayMap, layer: Layer, half: float, side: int) -> CellGrid:
    z = float(np.median([s.thickness_mm for s in layer.specs]))
    steps = np.linspace(-half, half, side)
    x, y = np.meshgrid(steps, steps)
    offset = np.stack([x.ravel(), y.ravel()], axis=1)
    points = (layer.at[:, None, :] + offset[None]).reshape(-1, 2)
    px = table.camera.project(np.column_stack([points, np.full(len(points), z)]))
    width, height = rays.size
    u, v = np.round(px[:, 0]).astype(np.intp), np.round(px[:, 1]).astype(np.intp)
    inside = (u >= 0) & (u < width) & (v >= 0) & (v < height)
    if inside.mean() < 0.98:
        raise ValueError("expected every cell of the lattice in the picture")
    u, v = np.clip(u, 0, width - 1), np.clip(v, 0, height - 1)
    middle = table.camera.project(np.column_stack([layer.at, np.full(len(layer.at), z)]))
    m = np.round(middle).astype(np.intp)
    drift = rays.planes[2:, np.clip(m[:, 1], 0, height - 1), np.clip(m[:, 0], 0, width - 1)].T
    pixels = (v * width + u).reshape(len(layer.at), -1)
    return CellGrid(
        pixels=pixels,
        samples=samples_of(pixels, width),
        offset=offset.astype(np.float32),
        z_mm=z,
        drift=np.asarray(drift, dtype=np.float64),
        step_mm=float(steps[1] - steps[0]),
        weight=float(steps[1] - steps[0]) / (_FINELY * layer.pitch_mm),
    )
