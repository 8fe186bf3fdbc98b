"""One picture of a lattice board: what stands in every hole, on every edge, in every cell."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.relight import surface_box
from calibration.silhouette import ray_map
from calibration.table import Table
from rules.geometry import Point
from vision.frame import Observation, Picture, SeenPiece
from vision.lattice.arms import Bare, arms, bare_of, hidden
from vision.lattice.contents import Cells, Found, cells_of, read_cells
from vision.lattice.fixed import Fixed, fixed_of, read_fixed
from vision.lattice.places import layers_of
from vision.lattice.regions import bare_board
from vision.lattice.shade import Ground, ground_of
from vision.lattice.shore import Shore, shore_of
from vision.lattice.shrunk import shrunk

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_SURE = 4.0
"""A place is told when it is so much likelier than the next, as a natural logarithm."""
_STRANGE = 4.0
"""What looks farther off than this (rms, in standard deviations) is nothing that is known."""
_COVERED = 0.04


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """All that of a table stays the same from picture to picture."""

    ground: Ground
    shore: Shore
    bare: Bare
    fixed: tuple[Fixed, ...]
    cells: tuple[Cells, ...]


def lattice_of(table: Table) -> Lattice:
    """The lattice of `table`, from its memo where it has been asked for before."""
    kept = table.memo.get("lattice")
    if isinstance(kept, Lattice):
        return kept
    rays = ray_map(table.camera)
    box, surface = surface_box(table.board, rays)
    layers = layers_of(table.board)
    bare = bare_board(table, rays, layers)[box.rows_columns]
    ground = ground_of(table.empty, box, surface, bare)
    grooves = any(layer.id == "edges" for layer in layers)
    made = Lattice(
        ground=ground,
        shore=shore_of(table),
        bare=bare_of(table, ground),
        fixed=tuple(fixed_of(table, rays, la, ground) for la in layers if la.id != "cells"),
        cells=tuple(
            cells_of(table, rays, la, ground, grooves) for la in layers if la.id == "cells"
        ),
    )
    table.memo["lattice"] = made
    return made


def read_lattice(picture: Picture, table: Table) -> Observation:
    """What a picture (H, W, 3), BGR uint8, shows of a lattice board, and what it does not.

    `Observation.lattice` has what was made out; `unknown` names the places ("holes:3,4") that an
    arm hides, that nothing known explains, or that are too close to call.
    """
    lattice = lattice_of(table)
    small = shrunk(picture)
    gain = lattice.ground.gain(small)
    found_arms = arms(small, lattice.shore)
    mask = hidden(small, table, lattice.bare, gain, found_arms) if found_arms else None
    pieces: list[SeenPiece] = []
    filled: dict[str, Mapping[str, object]] = {}
    unknown: set[str] = set()
    for fixed in lattice.fixed:
        filled[fixed.layer.id] = _fixed(picture, fixed, gain, mask, pieces, unknown)
    for cells in lattice.cells:
        filled[cells.layer.id] = _cells(picture, cells, gain, mask, pieces, unknown)
    return Observation(
        pieces=tuple(pieces),
        lattice=filled,
        hand=bool(found_arms),
        unknown=frozenset(unknown),
    )


def _fixed(
    picture: Picture,
    fixed: Fixed,
    gain: Floats,
    mask: Bools | None,
    pieces: list[SeenPiece],
    unknown: set[str],
) -> dict[str, object]:
    layer = fixed.layer
    covered = np.zeros(len(layer.keys), dtype=np.bool_)
    if mask is not None:
        parts = fixed.regions.pixels[:, : fixed.regions.ring.start]
        covered = mask.reshape(-1)[parts].mean(axis=1) > _COVERED
    judged = read_fixed(picture, fixed, gain, covered)
    unclear = covered | (judged.ahead < _SURE) | (judged.off > _STRANGE)
    unknown.update(layer.name(int(n)) for n in np.flatnonzero(unclear))
    places: dict[str, object] = {}
    filled = np.flatnonzero(~unclear & (judged.best > 0))
    sure = 1 - np.exp(-judged.ahead[filled])
    rows = zip(filled.tolist(), judged.best[filled].tolist(), sure.tolist(), strict=True)
    for n, best, confidence in rows:
        spec = fixed.specs[best - 1]
        places[layer.keys[n]] = spec.kind if layer.id == "edges" else spec.colour
        pieces.append(
            SeenPiece(
                kind=spec.kind,
                colour=spec.colour,
                at=fixed.feet[n],
                error_mm=0.3,
                confidence=confidence,
            )
        )
    return places


def _cells(
    picture: Picture,
    cells: Cells,
    gain: Floats,
    mask: Bools | None,
    pieces: list[SeenPiece],
    unknown: set[str],
) -> dict[str, object]:
    layer = cells.layer
    covered: frozenset[int] = frozenset()
    if mask is not None:
        inner = cells.grid.pixels[:, cells.lines.inner]
        part = mask.reshape(-1)[inner].mean(axis=1)
        covered = frozenset(int(n) for n in np.flatnonzero(part > _COVERED))
    read = read_cells(picture, cells, gain, covered)
    unknown.update(layer.name(n) for n in covered | read.doubtful)
    places: dict[str, object] = {}
    for number, stack in read.found.items():
        named = [{"kind": f.spec.kind, "colour": f.spec.colour} for f in stack]
        places[layer.keys[number]] = named if len(named) > 1 else named[0]
        pieces.extend(_piece(f) for f in stack)
    return places


def _piece(found: Found) -> SeenPiece:
    return SeenPiece(
        kind=found.spec.kind,
        colour=found.spec.colour,
        at=Point(found.x_mm, found.y_mm),
        error_mm=0.8,
        confidence=found.confidence,
    )
