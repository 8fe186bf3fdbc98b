"""What the outlines in a cell are: which piece of which colour, and one upon another."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR
from calibration.silhouette import RayMap
from calibration.table import Table
from rules.board import PieceSpec
from vision.frame import Picture
from vision.lattice.cells import (
    CellGrid,
    Empty,
    Ints,
    Outlines,
    calm,
    cell_grid,
    changes,
    differences,
    empty_of,
    outlines_of,
)
from vision.lattice.finding import Finds, Tried, beneath_or_above, find_outlines, tried_in
from vision.lattice.lit import lamps_in, light_on, tint_of
from vision.lattice.naming import Looks, Named, Sight, looks_of, name, unlike_board
from vision.lattice.places import Layer
from vision.lattice.sampled import ends_of
from vision.lattice.shade import Ground
from vision.lattice.shrunk import shrunk

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]

_SURE = 0.12
_FITTING = 0.6
"""A colour is sure that fits better than the next by so much, and fits at all within so much."""
_BAR = (0.6, 1.6, 0.75, 2.3)
_LEAST_SHARE = 0.08
"""What an outline explains at least: so much, more where light has changed all cells, and from so
much to so much; and of all that has changed in its cell."""
_CLEARLY = 1.25
_PLENTY, _PLAIN_SHARE = 6.0, 0.22
"""Below this above the bar an outline is doubtful. One that explains plenty is there whatever else
has changed, any other must explain its share."""
_NO_NEARER = 0.98
"""A rival of another form explains so much of what the one that is told does."""
_NESTED, _NESTED_SHARE = 5.5, 0.2
_UPON, _UPON_SHARE = 12.0, 0.28
_UNLIKE = 0.115
_PLAINLY = 0.38
"""What lies beneath or upon another explains so much more, in squares and of what is left; and
what shows of the lower one is no board in shadow: so much of its light is of another colour."""
_PAIRED = 0.32
"""So well must the colours of two pieces fit, one upon the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A piece in a cell: its foot's centre on the board, mm, and the height it stands at."""

    spec: PieceSpec
    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """A layer of cells, ready to be read: `bare` (P, S*S, 3) are the empty board's codes."""

    layer: Layer
    grid: CellGrid
    lines: Outlines
    empty: Empty
    bare: Codes
    terms: Floats
    looks: Looks


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What the cells hold, by number, lowest first; `doubtful` cells could not be made out."""

    found: dict[int, tuple[Found, ...]]
    doubtful: frozenset[int]


def cells_of(table: Table, rays: RayMap, layer: Layer, ground: Ground, grooves: bool) -> Cells:
    """Make a layer of `table`'s cells ready; `grooves` says that sticks can lie between them."""
    grid = cell_grid(table, rays, layer)
    lines = outlines_of(grid, layer, grooves)
    middle = table.camera.project(np.column_stack([layer.at, np.zeros(len(layer.at))]))
    terms = ground.terms(middle)
    return Cells(
        layer=layer,
        grid=grid,
        lines=lines,
        empty=empty_of(table.empty, grid, lines),
        bare=grid.samples.codes(table.empty),
        terms=terms,
        looks=looks_of(layer, grid, lines, _taught(table, layer, grid, terms, ground)),
    )


def read_cells(
    picture: Picture, cells: Cells, gain: Floats, hidden: frozenset[int] = frozenset()
) -> Contents:
    """Read all cells but those `hidden`."""
    codes = cells.grid.samples.codes(picture)
    change = differences(codes, cells.lines, cells.empty)
    rest = changes(change, cells.lines, cells.empty)
    if hidden:
        rest[list(hidden)] = 0.0
    bar = float(np.clip(_BAR[0] + _BAR[1] * calm(rest, cells.lines, hidden), *_BAR[2:]))
    tried = tried_in(rest, cells.lines, bar)
    finds = find_outlines(tried, cells.lines)
    first = np.unique(finds.cell, return_index=True)[1]
    told = (finds.explained[first] >= bar) & (finds.share[first] >= _LEAST_SHARE)
    finds = finds.only(np.flatnonzero(np.isin(finds.cell, finds.cell[first[told]])))
    if not len(finds):
        return Contents(found={}, doubtful=frozenset())
    lamp = lamps_in(light_on(cells.terms, gain))
    left_out = lamp.copy()
    left_out[list(hidden)] = True
    sight = Sight(
        codes=codes,
        empty=cells.bare,
        light=light_on(cells.terms, gain, tint_of(change, cells.lines, finds, left_out)),
        lamp=lamp,
        ends=ends_of(codes),
    )
    named = name(cells.looks, sight, finds)
    chosen, doubtful, rivalled = _chosen(finds, named, bar)
    found = _stacks(cells, sight, tried, (finds, named), chosen)
    for cell in rivalled & found.keys():
        if len(found[cell]) == 1:  # one upon the other tells of both, one alone is of either size
            del found[cell]
            doubtful.add(cell)
    return Contents(found=found, doubtful=frozenset(doubtful))


def _chosen(finds: Finds, named: Named, bar: float) -> tuple[Ints, set[int], set[int]]:
    """The find that tells of each cell what stands there; the cells where it stays unclear; those
    where another form tells as much.

    It is the first of a cell's finds of whose form some piece has such a colour.
    """
    chosen: list[int] = []
    doubtful: set[int] = set()
    rivalled: set[int] = set()
    cells, starts = np.unique(finds.cell, return_index=True)
    for cell, start, after in zip(cells, starts, [*starts[1:], len(finds)], strict=True):
        fitting = [n for n in range(start, after) if named.misfit[n] <= _FITTING]
        first = fitting[0] if fitting else int(start)
        explained = finds.explained[first]
        if fitting and named.ahead[first] >= _SURE and _evident(finds, int(start), bar):
            chosen.append(first)
        else:
            doubtful.add(int(cell))
        if any(finds.explained[n] >= _NO_NEARER * explained for n in fitting[1:]):
            rivalled.add(int(cell))
    return np.array(chosen, dtype=np.intp), doubtful, rivalled


def _evident(finds: Finds, n: int, bar: float) -> bool:
    explained = finds.explained[n]
    return bool(
        explained > _CLEARLY * bar and (explained > _PLENTY or finds.share[n] > _PLAIN_SHARE)
    )


def _stacks(
    cells: Cells, sight: Sight, tried: Tried, seen: tuple[Finds, Named], chosen: Ints
) -> dict[int, tuple[Found, ...]]:
    """What stands in the cells of the `chosen` of these finds, one of each cell, lowest first."""
    finds, named = seen[0].only(chosen), seen[1].only(chosen)
    found: dict[int, tuple[Found, ...]] = {
        int(cell): (place,)
        for cell, place in zip(finds.cell, _places(cells, finds, named), strict=True)
    }
    found |= _pairs(cells, sight, tried, seen, chosen)
    return found


def _pairs(
    cells: Cells, sight: Sight, tried: Tried, seen: tuple[Finds, Named], chosen: Ints
) -> dict[int, tuple[Found, ...]]:
    """What stands one upon the other in the cells of the `chosen` finds, lower one first, by cell.

    A small light thing upon a large dark one may be explained best by an outline between the two.
    So where a second outline is seen, but no piece is one, the cell's other finds are tried.
    """
    finds, named = seen
    whole = finds.explained / np.maximum(finds.share, 1e-9)
    found: dict[int, tuple[Found, ...]] = {}
    most: dict[int, float] = {}
    alone = {int(finds.cell[n]): float(finds.explained[n]) for n in chosen}

    def try_with(numbers: Ints) -> None:
        pairs = beneath_or_above(tried, finds.only(numbers), cells.lines, _NESTED)
        for n, (other, together) in pairs.items():
            k = numbers[n : n + 1]
            cell = int(finds.cell[k[0]])
            gained, left = together - alone[cell], float(whole[k[0]]) - alone[cell]
            if gained < max(_NESTED, _NESTED_SHARE * left) or together <= most.get(cell, 0.0):
                continue
            most[cell] = together
            pair = _pair(cells, sight, (finds.only(k), named.only(k)), other, (gained, left))
            if pair is not None:
                found[cell] = pair

    try_with(chosen)
    amiss = np.array([cell for cell in most if cell not in found], dtype=np.intp)
    others = np.setdiff1d(np.flatnonzero(np.isin(finds.cell, amiss)), chosen)
    fitting = (named.misfit[others] <= _FITTING) & (named.ahead[others] >= _SURE)
    if fitting.any():
        try_with(others[fitting])
    return found


def _pair(
    cells: Cells,
    sight: Sight,
    first: tuple[Finds, Named],
    other: Finds,
    more: tuple[float, float],
) -> tuple[Found, ...] | None:
    """A find and the `other` outline as two pieces, lower one first; None where they are not.

    Both explain so much `more` than the best alone, of so much it has left.
    """
    other = replace(other, cell=first[0].cell)
    second = _nested(cells, sight, first, other, *more)
    if second is None:
        return None
    parts = sorted(((other, second), first), key=lambda p: -_radius(cells, p[0]))
    (base,) = _places(cells, *parts[0])
    return base, *_places(cells, *parts[1], base.spec.thickness_mm)


def _nested(
    cells: Cells,
    sight: Sight,
    first: tuple[Finds, Named],
    other: Finds,
    gained: float,
    left: float,
) -> Named | None:
    """What lies upon or beneath the first find, if it shows by form and by colour.

    It explains `gained` of what one alone has `left`, in squares.
    """
    find, named = first
    larger = _radius(cells, other) > _radius(cells, find)
    if not larger and (gained < _UPON or gained < _UPON_SHARE * left):
        return None
    second = name(cells.looks, sight, other, without=find if larger else None)
    if max(second.misfit[0], named.misfit[0]) > _PAIRED or second.ahead[0] < _SURE:
        return None
    base = second if larger else name(cells.looks, sight, find, without=other)
    upper = named if larger else second
    plain = gained > _PLAINLY * left or unlike_board(sight, int(find.cell[0]), base) > _UNLIKE
    colours = {cells.looks.tops[int(n.top[0])].spec.colour for n in (base, upper)}
    return second if plain and len(colours) > 1 else None


def _radius(cells: Cells, find: Finds) -> float:
    return cells.lines.forms[int(find.form[0])][1] / 2


def _places(cells: Cells, finds: Finds, named: Named, z_mm: float = 0.0) -> list[Found]:
    """Where the pieces stand whose tops have these outlines in the plane of the grid."""
    specs = [cells.looks.tops[top].spec for top in named.top]
    up = np.array([spec.thickness_mm for spec in specs]) + z_mm - cells.grid.z_mm
    at = cells.layer.at[finds.cell] + finds.at + cells.grid.drift[finds.cell] * up[:, None]
    turn = np.degrees(cells.lines.turn[finds.number])
    sure = np.clip(1 - named.misfit, 0, 1)
    return [
        Found(spec=spec, x_mm=x, y_mm=y, z_mm=z_mm, turn_deg=t, confidence=c)
        for spec, (x, y), t, c in zip(specs, at.tolist(), turn.tolist(), sure.tolist(), strict=True)
    ]


def _taught(
    table: Table, layer: Layer, grid: CellGrid, terms: Floats, ground: Ground
) -> dict[tuple[str, str], list[Floats]]:
    """Of each kind and colour the light (B, G, R) its taught tops send back."""
    seen: dict[tuple[str, str], list[Floats]] = {}
    teach = table.teach
    if teach is None:
        return seen
    light = light_on(terms, ground.gain(shrunk(teach.picture)))
    codes = grid.samples.codes(teach.picture)
    points = grid.offset.astype(np.float64)
    specs = {(s.kind, s.colour): s for s in layer.specs}
    for piece in teach.pieces:
        spec = specs.get((piece.kind, piece.colour))
        if spec is None:
            continue
        at = np.array([piece.at.x_mm, piece.at.y_mm])
        cell = int(np.hypot(*(layer.at - at).T).argmin())
        up = piece.z_mm + spec.thickness_mm - grid.z_mm
        middle = at - layer.at[cell] - grid.drift[cell] * up
        inside = np.hypot(*(points - middle).T) < 0.37 * spec.diameter_mm
        lit = LINEAR[codes[cell, inside]].astype(np.float64)
        seen.setdefault((spec.kind, spec.colour), []).append(lit.mean(axis=0) / light[cell])
    return seen
