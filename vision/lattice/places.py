"""The places of a board's lattices, and which kinds of piece each can hold."""

from dataclasses import dataclass

import numpy as np

from calibration.camera import Floats
from rules.board import Board, Lattice, PieceSpec, Shape

_FITS = {
    "holes": (Shape.PEG,),
    "edges": (Shape.STICK,),
    "cells": (Shape.DISC, Shape.RING, Shape.SQUARE),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """All places of one layer ("holes", "edges" or "cells").

    `at` (P, 2) are their middles in mm, `keys` how they are called within the layer ("3,4",
    "h:0,2"), `turn` (P,) whether something long lies along x (0) or along y (1) there, `pitch_mm`
    the smaller distance between neighbours, `specs` what may stand there.
    """

    id: str
    keys: tuple[str, ...]
    at: Floats
    turn: np.ndarray[tuple[int], np.dtype[np.intp]]
    pitch_mm: float
    specs: tuple[PieceSpec, ...]

    def name(self, number: int) -> str:
        """The full name of place `number`: "holes:3,4"."""
        return f"{self.id}:{self.keys[number]}"


def layers_of(board: Board) -> tuple[Layer, ...]:
    """The layers of `board`: a lattice of dots gives edges, others are called as they are."""
    found = []
    for lattice in board.lattices:
        layer = _edges(lattice, board) if lattice.id == "dots" else _points(lattice, board)
        if layer is not None:
            found.append(layer)
    return tuple(found)


def _specs(board: Board, id: str) -> tuple[PieceSpec, ...]:
    return tuple(s for s in board.pieces if s.shape in _FITS.get(id, ()))


def _points(lattice: Lattice, board: Board) -> Layer | None:
    specs = _specs(board, lattice.id)
    if not specs:
        return None
    pairs = [(c, r) for r in range(lattice.rows) for c in range(lattice.cols)]
    return Layer(
        id=lattice.id,
        keys=tuple(f"{c},{r}" for c, r in pairs),
        at=_at(lattice, np.array(pairs, dtype=np.float64)),
        turn=np.zeros(len(pairs), dtype=np.intp),
        pitch_mm=min(lattice.pitch_x_mm, lattice.pitch_y_mm),
        specs=specs,
    )


def _edges(lattice: Lattice, board: Board) -> Layer | None:
    specs = _specs(board, "edges")
    if not specs:
        return None
    flat = [(c, r) for r in range(lattice.rows) for c in range(lattice.cols - 1)]
    upright = [(c, r) for r in range(lattice.rows - 1) for c in range(lattice.cols)]
    middles = [(c + 0.5, float(r)) for c, r in flat] + [(float(c), r + 0.5) for c, r in upright]
    return Layer(
        id="edges",
        keys=tuple([f"h:{c},{r}" for c, r in flat] + [f"v:{c},{r}" for c, r in upright]),
        at=_at(lattice, np.array(middles)),
        turn=np.array([0] * len(flat) + [1] * len(upright), dtype=np.intp),
        pitch_mm=min(lattice.pitch_x_mm, lattice.pitch_y_mm),
        specs=specs,
    )


def _at(lattice: Lattice, pairs: Floats) -> Floats:
    pitch = (lattice.pitch_x_mm, lattice.pitch_y_mm)
    return pairs * pitch + (lattice.origin.x_mm, lattice.origin.y_mm)
