"""Where each place of a lattice lies in a shrunk picture, to see what moves there."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.detection.crossings import edge_of
from vision.lattice.read import Lattice

Bools = NDArray[np.bool_]

_MOVED_HERE, _MOVED_MOST = 0.3, 0.4
"""An arm moves so much of the border where it lies, and of the table not so much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Patches:
    """`cells` (P, N) of the shrunk, flattened picture show the places called `names`, `border`
    (S, K) the border at each station of the table's edge; `box` is the part of it that shows the
    table."""

    names: tuple[str, ...]
    cells: tuple[NDArray[np.intp], ...]
    border: NDArray[np.intp]
    box: tuple[slice, slice]

    def on_border(self, moved: Bools, first: int, after: int) -> bool:
        """Whether something set in a mask (h, w) moved on the border at stations `first` to `after`
        (excluded): there, not everywhere, as when a light is switched on."""
        here = moved.reshape(-1)[self.border[first:after]]
        return bool(here.mean() > _MOVED_HERE and moved[self.box].mean() < _MOVED_MOST)

    def within(self, moved: Bools) -> frozenset[str]:
        """The places at which something is set in a mask (h, w) of the shrunk picture."""
        flat = moved.reshape(-1)
        start, found = 0, set()
        for cells in self.cells:
            for n in np.flatnonzero(flat[cells].any(axis=1)):
                found.add(self.names[start + int(n)])
            start += len(cells)
        return frozenset(found)


def patches_of(lattice: Lattice, table: Table, shrink: int) -> Patches:
    """The patches of all places in pictures shrunk by the whole number `shrink`."""
    width = table.camera.lens.width
    names: list[str] = []
    cells = []
    for fixed in lattice.fixed:
        names += [fixed.layer.name(n) for n in range(len(fixed.layer.keys))]
        cells.append(_shrunk(fixed.regions.pixels[:, : fixed.regions.ring.start], width, shrink))
    for each in lattice.cells:
        names += [each.layer.name(n) for n in range(len(each.layer.keys))]
        cells.append(_shrunk(each.grid.pixels, width, shrink))
    return Patches(
        names=tuple(names),
        cells=tuple(cells),
        border=_border(table, shrink),
        box=_box(table, shrink),
    )


def _border(table: Table, shrink: int) -> NDArray[np.intp]:
    size = table.camera.lens.width // shrink, table.camera.lens.height // shrink
    at = np.clip((edge_of(table).border / shrink).astype(np.intp), 0, np.array(size) - 1)
    return np.asarray(at[..., 1] * size[0] + at[..., 0])


def _shrunk(pixels: NDArray[np.intp], width: int, shrink: int) -> NDArray[np.intp]:
    rows, columns = np.divmod(pixels, width)
    small = width // shrink
    last = int(rows.max()) // shrink
    at = np.minimum(rows // shrink, last) * small + np.minimum(columns // shrink, small - 1)
    most = max(len(np.unique(row)) for row in at)
    return np.array([np.resize(np.unique(row), most) for row in at])


def _box(table: Table, shrink: int) -> tuple[slice, slice]:
    board = table.board
    x = board.width_mm / 2 + board.border_width_mm
    y = board.height_mm / 2 + board.border_width_mm
    corners = np.array([(i * x, j * y, board.border_height_mm) for i in (-1, 1) for j in (-1, 1)])
    px = table.camera.project(corners) / shrink
    low = np.maximum(np.floor(px.min(axis=0)).astype(int), 0)
    high = np.ceil(px.max(axis=0)).astype(int) + 1
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
