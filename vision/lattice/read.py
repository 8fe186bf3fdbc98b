"""One picture of a lattice board: what stands in every hole, on every edge, in every cell."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import surface_box
from calibration.silhouette import ray_map
from calibration.table import Table
from rules.said import written
from vision import reasons
from vision.frame import Observation, Picture, SeenPiece
from vision.lattice.arms import arms
from vision.lattice.behind import hides
from vision.lattice.contents import Cells, cells_of, read_cells
from vision.lattice.fixed import Fixed, fixed_of, read_fixed
from vision.lattice.hidden import Bare, bare_of, hidden
from vision.lattice.judge import Judged
from vision.lattice.moved import Bed, bed_of, cells_astray, hides_most, read_moved
from vision.lattice.places import layers_of
from vision.lattice.regions import bare_board
from vision.lattice.remembered import Kept, Remembered, and_now, with_memory
from vision.lattice.shade import Ground, ground_of
from vision.lattice.shore import Shore, shore_of
from vision.lattice.shrunk import quarter_of

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

    `under` are for each layer (P, N) indices into the flattened quarter of the part that is
    `bare`'s: where a hand would hide its places. `beds`, of each of the layers that are `fixed`,
    tell whether the board has moved, as cells do.
    """

    ground: Ground
    shore: Shore
    bare: Bare
    fixed: tuple[Fixed, ...]
    cells: tuple[Cells, ...]
    beds: tuple[Bed, ...]
    under: Mapping[str, Ints]


def lattice_of(table: Table) -> Lattice:
    """The lattice of `table`, from its memo where it has been asked for before."""
    kept = table.memo.get("lattice")
    if isinstance(kept, Lattice):
        return kept
    rays = ray_map(table.camera)
    box, surface = surface_box(table.board, rays)
    layers = layers_of(table.board)
    ground = ground_of(table.empty, box, surface, bare_board(table, rays, layers)[box.rows_columns])
    bare = bare_of(table, ground)
    grooves = any(layer.id == "edges" for layer in layers)
    fixed = tuple(fixed_of(table, rays, la, ground) for la in layers if la.id != "cells")
    cells = tuple(cells_of(table, rays, la, ground, grooves) for la in layers if la.id == "cells")
    pixels = {f.layer.id: f.regions.pixels[:, : f.regions.ring.start] for f in fixed}
    pixels |= {c.layer.id: c.grid.pixels for c in cells}
    width = table.empty.shape[1]
    made = Lattice(
        ground=ground,
        shore=shore_of(table),
        bare=bare,
        fixed=fixed,
        cells=cells,
        beds=tuple(bed_of(table, each) for each in fixed),
        under={layer: bare.part.quartered(each, width) for layer, each in pixels.items()},
    )
    table.memo["lattice"] = made
    return made


def read_lattice(picture: Picture, table: Table) -> Observation:
    """What a picture (H, W, 3), BGR uint8, shows of a lattice board, and what it does not.

    `Observation.lattice` has what was made out; `unknown` names the places ("holes:3,4") that an
    arm hides, that nothing known explains, or that are too close to call. Where the camera has
    moved since the table was set up, the picture is read as it was taken from there; it is `blind`
    where that cannot be found out.
    """
    return read_after(picture, table, None)[0]


def read_after(
    picture: Picture, table: Table, before: Remembered | None
) -> tuple[Observation, Remembered]:
    """`read_lattice`, with what is remembered from looks just `before`, and that after this one."""
    lattice = lattice_of(table)
    now = Remembered() if before is None else before

    def read(still: Picture) -> tuple[Observation, float | None]:
        nonlocal now
        seen, astray, now = _read(still, table, lattice, before)
        return seen, astray

    found = read_moved(picture, table, read)
    if found is None:
        return Observation(blind=written(reasons.MOVED)), Remembered()
    return found, now


def _read(
    picture: Picture, table: Table, lattice: Lattice, before: Remembered | None
) -> tuple[Observation, float | None, Remembered]:
    """What a picture shows; how far the board seems to lie elsewhere: beyond 1 too far, None where
    a hand hides too much of it to tell; and what is remembered from now on."""
    found_arms = arms(picture, lattice.shore)
    quarter = quarter_of(picture, lattice.bare.part if found_arms else lattice.ground.part)
    # drawn while the picture is at hand in the processor's cache
    drawn = {fixed.layer.id: fixed.samples.codes(picture) for fixed in lattice.fixed}
    drawn |= {cells.layer.id: cells.grid.samples.codes(picture) for cells in lattice.cells}
    gain = lattice.ground.gain(quarter)
    mask = hidden(quarter, table, lattice.bare, gain, found_arms) if found_arms else None
    pieces: list[SeenPiece] = []
    filled: dict[str, Mapping[str, object]] = {}
    unknown: set[str] = set()
    covered = {layer: _covered(mask, under) for layer, under in lattice.under.items()}
    stacks: list[SeenPiece] = []
    solids: list[Floats] = []
    told: list[float | None] = []
    kept: dict[str, Kept] = {}
    for cells in lattice.cells:
        layer = cells.layer.id
        hidden_cells = frozenset(np.flatnonzero(covered[layer]).tolist())
        read = read_cells(picture, drawn[layer], cells, gain, hidden_cells)
        unknown.update(cells.layer.name(n) for n in hidden_cells | read.doubtful)
        filled[layer] = _stacks(cells, read.found, stacks)
        solids.append(read.solids)
        told.append(None if hides_most(covered[layer]) else cells_astray(read.drift))
    for fixed, bed in zip(lattice.fixed, lattice.beds, strict=True):
        layer = fixed.layer.id
        behind = hides(np.hstack(solids), fixed.behind) if solids else None
        judged, away = read_fixed(drawn[layer], fixed, gain, covered[layer], behind)
        if behind is not None:
            covered[layer][behind.unread] = True
        known = before.layers.get(layer) if before is not None else None
        if known is not None and not found_arms:
            judged = with_memory(judged, away, known, _SURE)
        clear = ~(covered[layer] | (judged.ahead < _SURE) | (judged.off > _STRANGE))
        if not found_arms:
            seen = ~covered[layer]
            kept[layer] = and_now(known, judged.best, away[0], seen=seen, clear=clear)
        elif known is not None:
            kept[layer] = known
        filled[layer] = _fixed(judged, fixed, clear, pieces, unknown)
        told.append(bed.astray(drawn[layer], covered[layer]))
    pieces += stacks
    shows = Observation(
        pieces=tuple(pieces),
        lattice=filled,
        hand=bool(found_arms),
        unknown=frozenset(unknown),
    )
    astray = max((astray for astray in told if astray is not None), default=None)
    return shows, astray, Remembered(layers=kept)


def _covered(mask: Bools | None, under: Ints) -> Bools:
    """(P,) which places a `mask` hides of the picture's quarter, that being `under` (P, N) them."""
    if mask is None:
        return np.zeros(len(under), dtype=np.bool_)
    shown = np.take(mask.reshape(-1), under).view(np.uint8)
    share = cv2.reduce(shown, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(share[:, 0] > _COVERED)


def _fixed(
    judged: Judged, fixed: Fixed, clear: Bools, pieces: list[SeenPiece], unknown: set[str]
) -> dict[str, object]:
    layer = fixed.layer
    unknown.update(layer.name(int(n)) for n in np.flatnonzero(~clear))
    places: dict[str, object] = {}
    filled = np.flatnonzero(clear & (judged.best > 0))
    sure = 1 - np.exp(-judged.ahead[filled])
    rows = zip(filled.tolist(), judged.best[filled].tolist(), sure.tolist(), strict=True)
    for n, best, confidence in rows:
        spec = fixed.specs[best - 1]
        places[layer.keys[n]] = spec.kind if layer.id == "edges" else spec.colour
        certain = fixed.certain[best - 1][n]
        pieces.append(certain if confidence == 1.0 else replace(certain, confidence=confidence))
    return places


def _stacks(
    cells: Cells, found: Mapping[int, tuple[SeenPiece, ...]], pieces: list[SeenPiece]
) -> dict[str, object]:
    places: dict[str, object] = {}
    for number, stack in found.items():
        named = [{"kind": piece.kind, "colour": piece.colour} for piece in stack]
        places[cells.layer.keys[number]] = named if len(named) > 1 else named[0]
        pieces += stack
    return places
