"""One picture of a lattice board: what stands in every hole, on every edge, in every cell."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
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
from vision.lattice.shrunk import Part, part_of, shrunk

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.intp]

_SURE = 4.0
"""A place is told when it is so much likelier than the next, as a natural logarithm."""
_STRANGE = 4.0
"""What looks farther off than this (rms, in standard deviations) is nothing that is known."""
_COVERED = 0.04


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """All that of a table stays the same from picture to picture.

    `under` are for each layer (P, N) indices into the flattened quarter of the picture's `part`:
    where a hand would hide its places.
    """

    part: Part
    ground: Ground
    shore: Shore
    bare: Bare
    fixed: tuple[Fixed, ...]
    cells: tuple[Cells, ...]
    under: Mapping[str, Ints]


def lattice_of(table: Table) -> Lattice:
    """The lattice of `table`, from its memo where it has been asked for before."""
    kept = table.memo.get("lattice")
    if isinstance(kept, Lattice):
        return kept
    rays = ray_map(table.camera)
    box, surface = surface_box(table.board, rays)
    layers = layers_of(table.board)
    bare = bare_board(table, rays, layers)[box.rows_columns]
    part = part_of(table)
    ground = ground_of(table.empty, part, box, surface, bare)
    grooves = any(layer.id == "edges" for layer in layers)
    fixed = tuple(fixed_of(table, rays, la, ground) for la in layers if la.id != "cells")
    cells = tuple(cells_of(table, rays, la, ground, grooves) for la in layers if la.id == "cells")
    pixels = {f.layer.id: f.regions.pixels[:, : f.regions.ring.start] for f in fixed}
    pixels |= {c.layer.id: c.grid.pixels for c in cells}
    width = table.empty.shape[1]
    made = Lattice(
        part=part,
        ground=ground,
        shore=shore_of(table, part),
        bare=bare_of(table, ground),
        fixed=fixed,
        cells=cells,
        under={layer: part.quartered(each, width) for layer, each in pixels.items()},
    )
    table.memo["lattice"] = made
    return made


def read_lattice(picture: Picture, table: Table) -> Observation:
    """What a picture (H, W, 3), BGR uint8, shows of a lattice board, and what it does not.

    `Observation.lattice` has what was made out; `unknown` names the places ("holes:3,4") that an
    arm hides, that nothing known explains, or that are too close to call.
    """
    lattice = lattice_of(table)
    small = shrunk(picture, lattice.part)
    gain = lattice.ground.gain(small)
    found_arms = arms(small, lattice.shore)
    mask = hidden(small, table, lattice.bare, gain, found_arms) if found_arms else None
    pieces: list[SeenPiece] = []
    filled: dict[str, Mapping[str, object]] = {}
    unknown: set[str] = set()
    covered = {layer: _covered(mask, under) for layer, under in lattice.under.items()}
    for fixed in lattice.fixed:
        layer = fixed.layer.id
        filled[layer] = _fixed(picture, fixed, gain, covered[layer], pieces, unknown)
    for cells in lattice.cells:
        layer = cells.layer.id
        filled[layer] = _cells(picture, cells, gain, covered[layer], pieces, unknown)
    return Observation(
        pieces=tuple(pieces),
        lattice=filled,
        hand=bool(found_arms),
        unknown=frozenset(unknown),
    )


def _covered(mask: Bools | None, under: Ints) -> Bools:
    """(P,) which places a `mask` hides of the picture's quarter, that being `under` (P, N) them."""
    if mask is None:
        return np.zeros(len(under), dtype=np.bool_)
    shown = np.take(mask.reshape(-1), under).view(np.uint8)
    share = cv2.reduce(shown, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(share[:, 0] > _COVERED)


def _fixed(
    picture: Picture,
    fixed: Fixed,
    gain: Floats,
    covered: Bools,
    pieces: list[SeenPiece],
    unknown: set[str],
) -> dict[str, object]:
    layer = fixed.layer
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
    covered: Bools,
    pieces: list[SeenPiece],
    unknown: set[str],
) -> dict[str, object]:
    layer = cells.layer
    hidden_cells = frozenset(np.flatnonzero(covered).tolist())
    read = read_cells(picture, cells, gain, hidden_cells)
    unknown.update(layer.name(n) for n in hidden_cells | read.doubtful)
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
