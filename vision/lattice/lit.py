"""How bright and of what colour the light on each cell is, as what lies free of the board tells.

All that stands on a board may be of one colour: then it must not be taken for the light's.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from vision.lattice.finding import Finds
from vision.lattice.grid import SIDE, CellGrid
from vision.lattice.medians import median
from vision.lattice.outlines import Floats32, Outlines
from vision.lattice.shade import TURN

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_LAMP = 1.3
"""Where light is so many times the usual a lamp is reflected."""
_CODED = 2.2
"""Light goes about with this power of the camera's codes."""
_CLEAR_MM = 1.0
"""So far around a piece the board is not asked."""
_LEAST, _CELLS = 8, 6
"""So many samples tell a cell's light, so many cells the board's."""


def light_on(codes: Floats, tint: Floats | None = None) -> Floats:
    """(P, 3) the light on each cell against the empty picture's: one colour for all the board.

    `codes` (P, 3) is the gain there, in log codes. The colour is `tint` (2,), red against blue and
    green in log codes, else the gain's. Where a lamp reflects, the board turns white, which is no
    colour of the light.
    """
    level = codes.mean(axis=1, keepdims=True)
    if tint is None:
        colour = median(np.ascontiguousarray((codes - level).T))
    else:
        colour = TURN[1:].T.astype(np.float64) @ tint
    return np.asarray(np.exp(_CODED * (level + colour)))


def lamps_in(codes: Floats) -> Bools:
    """(P,) where a lamp is reflected, by the gain (P, 3) on each cell, in log codes."""
    level = codes.mean(axis=1)
    return np.asarray(level > median(level) + log(_LAMP) / _CODED)


def tint_of(
    differences: Floats32,
    mean: Floats32,
    grid: CellGrid,
    lines: Outlines,
    finds: Finds,
    left_out: Bools,
) -> Floats | None:
    """(2,) by how much the free board's colour differs from the empty picture's.

    None where too little of it shows. `differences` (P, 3, N) are the cells', colour with its
    weight, `mean` (P, 3) their means, `finds`, cell by cell, what lies in them. Cells that are
    `left_out` (P,), as under a hand or a lamp's reflection, are not asked.
    """
    tints, telling = mean[:, 1:].copy(), ~left_out
    if len(finds):
        reach = np.square(lines.reach[finds.form] + _CLEAR_MM).astype(np.float32)
        at = finds.at.astype(np.float32)
        x = np.square(grid.offset[None, :SIDE, 0] - at[:, :1])
        y = np.square(grid.offset[None, ::SIDE, 1] - at[:, 1:])
        clear = x[:, None] + y[:, :, None] > reach[:, None, None]
        first = finds.firsts()
        cells = finds.cell[first]
        clear = clear.reshape(len(at), SIDE * SIDE)
        free = clear[first]
        for row, of in zip(np.searchsorted(cells, finds.cell).tolist(), clear, strict=True):
            free[row] &= of
        many = free.sum(axis=1)
        shown = np.matmul(differences[cells, 1:], free[:, :, None].astype(np.float32))[:, :, 0]
        tints[cells] = shown / np.maximum(many, 1)[:, None]
        telling[cells] &= many >= _LEAST
    if telling.sum() < _CELLS:
        return None
    return median(np.ascontiguousarray(tints[telling].T, dtype=np.float64) / grid.chroma)
