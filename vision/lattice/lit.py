"""How bright and of what colour the light on each cell is, as what lies free of the board tells.

All that stands on a board may be of one colour: then it must not be taken for the light's.
"""

import numpy as np
from numpy.typing import NDArray

from vision.lattice.cells import CHROMA, Floats32, Outlines
from vision.lattice.finding import Finds
from vision.lattice.medians import median
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


def light_on(terms: Floats, gain: Floats, tint: Floats | None = None) -> Floats:
    """(P, 3) the light on each cell against the empty picture's: one colour for all the board.

    That is `tint` (2,), red against blue and green in log codes, else the gain's. Where a lamp
    reflects, the board turns white, which is no colour of the light.
    """
    codes = terms @ gain
    level = codes.mean(axis=1, keepdims=True)
    if tint is None:
        colour = median(np.ascontiguousarray((codes - level).T))
    else:
        colour = TURN[1:].T.astype(np.float64) @ tint
    return np.asarray(np.exp(_CODED * (level + colour)))


def lamps_in(light: Floats) -> Bools:
    """(P,) where a lamp is reflected, by the light (P, 3) on each cell."""
    level = light.mean(axis=1)
    return np.asarray(level > _LAMP * float(median(level)))


def tint_of(differences: Floats32, lines: Outlines, finds: Finds, left_out: Bools) -> Floats | None:
    """(2,) by how much the free board's colour differs from the empty picture's.

    None where too little of it shows. `differences` (P, 3, N) are the cells', colour with its
    weight, `finds`, cell by cell, what lies in them. Cells that are `left_out` (P,), as under a
    hand or a lamp's reflection, are not asked.
    """
    free = np.ones((len(differences), differences.shape[2]), dtype=np.float32)
    if len(finds):
        reach = np.square(lines.reach[finds.form] + _CLEAR_MM).astype(np.float32)
        at = finds.at.astype(np.float32)
        x = np.square(lines.points[None, : lines.side, 0] - at[:, :1])
        y = np.square(lines.points[None, :: lines.side, 1] - at[:, 1:])
        clear = x[:, None] + y[:, :, None] > reach[:, None, None]
        cells, first = np.unique(finds.cell, return_index=True)
        free[cells] = np.logical_and.reduceat(clear.reshape(len(at), -1), first, axis=0)
    many = free.sum(axis=1)
    telling = (many >= _LEAST) & ~left_out
    if telling.sum() < _CELLS:
        return None
    tints = np.matmul(differences[:, 1:], free[:, :, None])[telling, :, 0]
    each = np.ascontiguousarray((tints / (CHROMA * many[telling, None])).T)
    return median(each.astype(np.float64))
