"""What the outlines in a cell are: which piece of which colour, and one upon another."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.relight import LINEAR
from calibration.silhouette import RayMap
from calibration.table import Table
from rules.geometry import Point
from vision.frame import Picture, SeenPiece
from vision.lattice.cells import (
    Empty,
    Ints,
    changed,
    differences,
    empty_of,
)
from vision.lattice.drifts import Drift
from vision.lattice.finding import (
    ALIKE_SHARE,
    Finds,
    Tried,
    beneath_or_above,
    find_outlines,
    tried_in,
)
from vision.lattice.gleams import neighbours_of
from vision.lattice.grid import CellGrid, cell_grid, fine_grid
from vision.lattice.lit import lamps_in, light_on, tint_of
from vision.lattice.medians import median
from vision.lattice.naming import (
    Looks,
    Named,
    Sight,
    looks_of,
    name,
    showing,
    sight_of,
    unlike_board,
    unlike_board_by,
)
from vision.lattice.outlines import Outlines, outlines_of
from vision.lattice.places import Layer
from vision.lattice.sampled import ended
from vision.lattice.shade import Ground
from vision.lattice.shrunk import quarter_of
from vision.lattice.tops import Top

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.uint8]

_SURE = 0.12
_FITTING = 0.6
"""A colour is sure that fits better than the next by so much, and fits at all within so much."""
_MAINLY = 0.5
"""What explains less of a cell than this share of what the best outline does is not what stands
there, at most a part of it."""
_BAR = (0.6, 1.6, 0.75, 2.3)
_LEAST_SHARE = 0.08
"""What an outline explains at least: so much, more where light has changed all cells, and from so
much to so much; and of all that has changed in its cell."""
_CLEARLY, _TOLD = 1.25, 1.6
_PLENTY, _PLAIN_SHARE = 6.0, 0.22
"""Below the second above the bar an outline is doubtful, below the first it is noise. One that
explains plenty is there whatever else has changed, any other must explain its share."""
_WASHED = 0.25
"""A square of which so much has turned white beyond the camera's range may hold anything."""
_RIMMED = 0.2
"""Where a top shines, most that has changed is light: an outline whose rim has a piece's colour
within so much is there."""
_STANDS_OUT, _ALIKE = 12.0, 0.3
"""What explains less must have a piece's colour within so much, or it is doubtful: the blotches of
a coarsely coded picture have outlines too."""
_LIGHT = 4.0
"""What has a piece's form but no piece's colour is light where it explains so many times the bar
at most: a lamp's gloss beside white lines, say. That some other form fits it less well and has the
board's own colour says nothing then."""
_NESTED, _NESTED_SHARE = 5.5, 0.2
_UPON, _UPON_SHARE = 12.0, 0.28
_UNLIKE, _LEAST_UNLIKE = 0.5, 0.07
_PLAINLY = 0.38
"""What lies beneath or upon another explains so much more, in squares and of what is left; and
what shows of the lower one is no board in shadow: of its light so much is of another colour, of
what would be were it as taught, and at least."""
_PAIRED = 0.32
"""So well must the colours of two pieces fit, one upon the other."""
_ERROR_MM = 0.8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """A layer of cells, ready to be read: `bare` (P, F*F, 3) are the empty board's codes in the
    `fine` grid, `in_range` (P, N) is 255 for the samples in which these do not end, else 0."""

    layer: Layer
    grid: CellGrid
    fine: CellGrid
    lines: Outlines
    empty: Empty
    bare: Codes
    in_range: Codes
    terms: Floats
    looks: Looks


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What the cells hold, by number, lowest first; `doubtful` cells could not be made out.

    `solids` (7, F) are the same pieces, or the lower ones of two, as bodies that can hide what is
    beside them: x, y, foot's and top's height, half the width, all mm; cosine and sine of the angle
    by which a square is turned, 0 and 0 of what is round.
    For `drift` see `vision.lattice.cells.Changed`.
    """

    found: dict[int, tuple[SeenPiece, ...]]
    doubtful: frozenset[int]
    solids: Floats
    drift: Drift


def cells_of(table: Table, rays: RayMap, layer: Layer, ground: Ground, grooves: bool) -> Cells:
    """Make a layer of `table`'s cells ready; `grooves` says that sticks can lie between them."""
    grid = cell_grid(table, rays, layer, grooves)
    fine = fine_grid(table, rays, layer)
    lines = outlines_of(grid, layer)
    middle = table.camera.project(np.column_stack([layer.at, np.zeros(len(layer.at))]))
    terms = ground.terms(middle)
    return Cells(
        layer=layer,
        grid=grid,
        fine=fine,
        lines=lines,
        empty=empty_of(table.empty, grid, lines, neighbours_of(layer.at)),
        in_range=~ended(grid.samples.codes(table.empty)),
        bare=fine.samples.codes(table.empty),
        terms=terms,
        looks=looks_of(layer, fine, lines, _taught(table, layer, fine, terms, ground)),
    )


def read_cells(
    picture: Picture, codes: Codes, cells: Cells, gain: Floats, hidden: frozenset[int]
) -> Contents:
    """Read all cells but those `hidden`, by the `codes` (P, N, 3) of their samples in a picture."""
    gains = cells.terms @ gain
    exposure = median(np.ascontiguousarray(light_on(gains).T))
    change = differences(codes, cells.grid, cells.lines, cells.empty, exposure)
    covered = np.zeros(len(change), dtype=np.bool_)
    covered[list(hidden)] = True
    new = changed(change, cells.lines, cells.empty, covered)
    bar = min(max(_BAR[0] + _BAR[1] * new.usual, _BAR[2]), _BAR[3])
    tried = tried_in(new, cells.lines, bar)
    finds = find_outlines(tried, cells.lines)
    first = finds.firsts()
    plain = (finds.explained[first] >= bar) & (finds.share[first] >= _LEAST_SHARE)
    told = finds.cell[first[plain]]
    turned_white = cv2.reduce(ended(codes) & cells.in_range, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    washed = (turned_white[:, 0] > _WASHED * 255) & ~covered
    unclear = frozenset(np.flatnonzero(washed).tolist())
    if not len(told):
        return Contents(found={}, doubtful=unclear, solids=np.zeros((7, 0)), drift=new.drift)
    evident = np.zeros(len(change), dtype=np.bool_)
    evident[told] = True
    finds = finds.only(np.flatnonzero(evident[finds.cell]))
    lamp = lamps_in(gains)
    tint = tint_of(change, new.mean, cells.grid, cells.lines, finds, lamp | covered)
    light = light_on(gains, tint)
    shown = cells.fine.samples.of(told).codes(picture)
    sight = sight_of(shown, cells.bare, light, lamp, told)
    named = _named(cells.looks, sight, finds)
    chosen, doubtful, rivalled = chosen_of(finds, named, bar)
    found = _stacks(cells, sight, tried, (finds, named), chosen)
    for cell in rivalled & found.keys():
        if len(found[cell]) == 1:  # one upon the other tells of both, one alone is of either size
            del found[cell]
            doubtful.add(cell)
    solids = _solids(cells, finds.only(chosen), named.only(chosen))
    unclear = (unclear - found.keys()) | doubtful
    return Contents(found=found, doubtful=unclear, solids=solids, drift=new.drift)


def _named(looks: Looks, sight: Sight, finds: Finds) -> Named:
    """What the finds are that may tell of their cell: its first; where that fits nothing, all; and
    those that explain as much as the first. The others are not named."""
    first = finds.firsts()
    lead = first[np.searchsorted(first, np.arange(len(finds)), side="right") - 1]
    named = Named.none(len(finds)).amended(first, name(looks, sight, finds.only(first)))
    asked = (named.misfit > _FITTING)[lead] | (
        finds.explained >= ALIKE_SHARE * finds.explained[lead]
    )
    return _also(looks, sight, finds, named, asked)


def _also(looks: Looks, sight: Sight, finds: Finds, named: Named, asked: Bools) -> Named:
    """The same, with those named that are `asked` for (F,)."""
    numbers = np.flatnonzero(asked & np.isinf(named.misfit))
    if not len(numbers):
        return named
    return named.amended(numbers, name(looks, sight, finds.only(numbers)))


def chosen_of(finds: Finds, named: Named, bar: float) -> tuple[Ints, set[int], set[int]]:
    """The find that tells of each cell what stands there; the cells where it stays unclear; those
    where another form tells as much.

    It is the first of a cell's finds of whose form some piece has such a colour. One that explains
    less than half of what the best one does tells of a part of what stands there only.
    """
    chosen: list[int] = []
    doubtful: set[int] = set()
    rivalled: set[int] = set()
    starts = finds.firsts().tolist()
    cells, explained = finds.cell.tolist(), finds.explained.tolist()
    share, misfit, ahead = finds.share.tolist(), named.misfit.tolist(), named.ahead.tolist()
    rimmed = named.rimmed.tolist()
    for start, after in pairwise([*starts, len(cells)]):
        mainly = _MAINLY * explained[start]
        fitting = [
            n for n in range(start, after) if misfit[n] <= _FITTING and explained[n] >= mainly
        ]
        first = fitting[0] if fitting else start
        if misfit[start] > _FITTING and explained[first] <= _STANDS_OUT:
            if explained[start] > min(_LIGHT * bar, _PLENTY):
                doubtful.add(cells[start])
            continue
        sure = fitting and ahead[first] >= _SURE
        alike = explained[start] > _STANDS_OUT or misfit[first] <= _ALIKE
        plenty = explained[start] > _PLENTY or share[start] > _PLAIN_SHARE
        clearly = plenty and explained[start] > _CLEARLY * bar
        told = clearly and explained[start] > _TOLD * bar
        if sure and alike and (told or (rimmed[first] and misfit[first] <= _RIMMED)):
            chosen.append(first)
        elif clearly or plenty or rimmed[first] or explained[start] > _CLEARLY * bar:
            doubtful.add(cells[start])
        if any(explained[n] >= ALIKE_SHARE * explained[first] for n in fitting[1:]):
            rivalled.add(cells[start])
    return np.array(chosen, dtype=np.intp), doubtful, rivalled


def _stacks(
    cells: Cells, sight: Sight, tried: Tried, seen: tuple[Finds, Named], chosen: Ints
) -> dict[int, tuple[SeenPiece, ...]]:
    """What stands in the cells of the `chosen` of these finds, one of each cell, lowest first."""
    finds, named = seen[0].only(chosen), seen[1].only(chosen)
    found: dict[int, tuple[SeenPiece, ...]] = {
        int(cell): (place,)
        for cell, place in zip(finds.cell, _places(cells, finds, named), strict=True)
    }
    found |= _pairs(cells, sight, tried, seen, chosen)
    return found


def _pairs(
    cells: Cells, sight: Sight, tried: Tried, seen: tuple[Finds, Named], chosen: Ints
) -> dict[int, tuple[SeenPiece, ...]]:
    """What stands one upon the other in the cells of the `chosen` finds, lower one first, by cell.

    A small light thing upon a large dark one may be explained best by an outline between the two.
    So where a second outline is seen, but no piece is one, the cell's other finds are tried.
    """
    finds, named = seen
    whole = finds.explained / np.maximum(finds.share, 1e-9)
    found: dict[int, tuple[SeenPiece, ...]] = {}
    most: dict[int, float] = {}
    alone = {int(finds.cell[n]): float(finds.explained[n]) for n in chosen}

    def try_with(numbers: Ints) -> None:
        before = np.array([alone[cell] for cell in finds.cell[numbers].tolist()])
        left = whole[numbers] - before
        least = np.maximum(_NESTED, _NESTED_SHARE * left)
        more = least + before - finds.explained[numbers]
        nested = beneath_or_above(tried, finds.only(numbers), cells.lines, more)
        mine = numbers[nested.first]
        gained, left = nested.together - before[nested.first], left[nested.first]
        enough = (gained >= least[nested.first]) & ~nested.alike
        better = []
        for n in np.flatnonzero(enough).tolist():
            cell, together = int(finds.cell[mine[n]]), float(nested.together[n])
            if together > most.get(cell, 0.0):
                most[cell] = together
                better.append(n)
        k = np.array(better, dtype=np.intp)
        first = finds.only(mine[k]), named.only(mine[k])
        found.update(_paired(cells, sight, first, nested.other.only(k), (gained[k], left[k])))

    try_with(chosen)
    amiss = np.zeros(len(cells.layer.keys), dtype=np.bool_)
    amiss[[cell for cell in most if cell not in found]] = True
    named = _also(cells.looks, sight, finds, named, amiss[finds.cell])
    fitting = amiss[finds.cell] & (named.misfit <= _FITTING) & (named.ahead >= _SURE)
    fitting[chosen] = False
    if fitting.any():
        try_with(np.flatnonzero(fitting))
    return found


def _paired(
    cells: Cells,
    sight: Sight,
    first: tuple[Finds, Named],
    other: Finds,
    more: tuple[Floats, Floats],
) -> dict[int, tuple[SeenPiece, ...]]:
    """Of which finds and `other` outlines are two pieces, lower one first, by cell.

    Both explain so much `more` (F,) than the best alone, of so much (F,) it has left. Of one cell
    the last that are two pieces are told.
    """
    gained, left = more
    form, shows = first[0].form, cells.lines.beneath
    beneath = shows[form, other.form] > shows[other.form, form]
    upon = ~beneath & (gained >= _UPON) & (gained >= _UPON_SHARE * left)
    plainly = gained > _PLAINLY * left
    pairs: dict[int, tuple[SeenPiece, ...]] = {}
    for numbers, larger in ((np.flatnonzero(beneath), True), (np.flatnonzero(upon), False)):
        if len(numbers):
            find, named = first[0].only(numbers), first[1].only(numbers)
            both = _two(cells, sight, (find, named), other.only(numbers), larger, plainly[numbers])
            pairs |= {int(numbers[n]): pair for n, pair in both.items()}
    return {int(other.cell[n]): pairs[n] for n in sorted(pairs)}


def _two(
    cells: Cells,
    sight: Sight,
    first: tuple[Finds, Named],
    other: Finds,
    larger: bool,
    plainly: Bools,
) -> dict[int, tuple[SeenPiece, ...]]:
    """Which finds and `other` outlines show two pieces by form and by colour, by number.

    The others are all `larger`, or all smaller; where form does not tell `plainly` (F,), what shows
    of the lower one must be no board in shadow.
    """
    find, named = first
    second = name(cells.looks, sight, other, without=find if larger else None)
    fits = (np.maximum(second.misfit, named.misfit) <= _PAIRED) & (second.ahead >= _SURE)
    if not fits.any():
        return {}
    base = second if larger else name(cells.looks, sight, find, without=other)
    upper = named if larger else second
    shown = showing(cells.looks, other, find) if larger else showing(cells.looks, find, other)
    found: dict[int, tuple[SeenPiece, ...]] = {}
    for n in np.flatnonzero(fits).tolist():
        tops = cells.looks.tops[base.top[n]], cells.looks.tops[upper.top[n]]
        plain = plainly[n] or _shows(tops[0], sight, int(find.cell[n]), shown[n])
        if not plain or tops[0].spec.colour == tops[1].spec.colour:
            continue
        one = np.array([n])
        parts = (find, named if larger else base), (other, second)
        high, low = [(f.only(one), n.only(one)) for f, n in (parts if larger else parts[::-1])]
        stands_at_mm = cells.looks.tops[int(low[1].top[0])].spec.thickness_mm
        found[n] = *_places(cells, *low), *_places(cells, *high, stands_at_mm)
    return found


def _shows(top: Top, sight: Sight, cell: int, part: Bools) -> bool:
    """Whether a `part` (F*F,) of a cell is rather the lower piece's `top` than board in shadow."""
    as_taught = unlike_board_by(np.array(top.light), sight, cell, part)
    return unlike_board(sight, cell, part) > max(_UNLIKE * as_taught, _LEAST_UNLIKE)


def _places(cells: Cells, finds: Finds, named: Named, z_mm: float = 0.0) -> list[SeenPiece]:
    """The pieces, standing at that height, whose tops have these outlines in the grid's plane."""
    specs = [cells.looks.tops[top].spec for top in named.top.tolist()]
    at = _feet(cells, finds, named, z_mm)
    sure = np.minimum(np.maximum(1 - named.misfit, 0), 1)
    return [
        SeenPiece(
            kind=spec.kind, colour=spec.colour, at=Point(x, y), error_mm=_ERROR_MM, confidence=c
        )
        for spec, (x, y), c in zip(specs, at.tolist(), sure.tolist(), strict=True)
    ]


def _feet(cells: Cells, finds: Finds, named: Named, z_mm: float = 0.0) -> Floats:
    """(F, 2) where pieces stand whose tops have these outlines in the grid's plane, mm."""
    up = cells.looks.height_mm[named.top] + (z_mm - cells.grid.z_mm)
    return cells.layer.at[finds.cell] + finds.at + cells.grid.drift[finds.cell] * up[:, None]


def _solids(cells: Cells, finds: Finds, named: Named) -> Floats:
    """The pieces whose tops have these outlines, as `Contents.solids`."""
    x, y = _feet(cells, finds, named).T
    square, turn = cells.lines.square[finds.number], cells.lines.turn[finds.number]
    half = cells.looks.radius[finds.form]
    ways = square * np.cos(turn), square * np.sin(turn)
    return np.stack([x, y, np.zeros_like(x), cells.looks.height_mm[named.top], half, *ways])


def _taught(
    table: Table, layer: Layer, grid: CellGrid, terms: Floats, ground: Ground
) -> dict[tuple[str, str], list[Floats]]:
    """Of each kind and colour the light (B, G, R) its taught tops send back."""
    seen: dict[tuple[str, str], list[Floats]] = {}
    teach = table.teach
    if teach is None:
        return seen
    light = light_on(terms @ ground.gain(quarter_of(teach.picture, ground.part)))
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
