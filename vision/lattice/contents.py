"""What the outlines in a cell are: which piece of which colour, and one upon another.

Gloss adds white to whatever lies beneath it, so a colour is told by what differs between the
channels, in light: that gloss leaves alone. Where a top shines so much that the camera's codes end,
its rim still tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

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
    Floats32,
    Outline,
    Outlines,
    beneath_or_above,
    calm,
    cell_grid,
    changes,
    empty_of,
    find_outlines,
    outlines_of,
)
from vision.lattice.places import Layer
from vision.lattice.shade import Ground

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]

_CODED = 2.2
"""Light goes about with this power of the camera's codes."""
_ENDS, _FADES = 252.0, 25.0
"""Codes end at 255: from so much below they begin to tell less."""
_ENOUGH = 0.15
_GREY = 0.06
_SURE = 0.12
_FITTING = 0.6
"""A colour is sure that fits better than the next by so much, and fits at all within so much."""
_TOP_TINT, _RIM_TINT = (0.35, 2.5), (0.15, 1.5)
"""A top's tint is from so much to so much of the taught; a rim's, of its own brightness."""
_LAMP, _WHITE = 1.3, 0.5
"""Where light is so many times the usual a lamp is reflected; white sends back this of it all."""
_HINT = (0.03, 0.12)
"""A shining top's own tint counts from here, and fully from there."""
_BAR = (0.6, 1.6, 0.75, 2.3)
_LEAST_SHARE = 0.08
"""What an outline explains at least: so much, more where light has changed all cells, and from so
much to so much; and of all that has changed in its cell."""
_CLEARLY = 1.25
_PLENTY, _PLAIN_SHARE = 6.0, 0.22
"""Below this above the bar an outline is doubtful. One that explains plenty is there whatever else
has changed, any other must explain its share."""
_NESTED, _NESTED_SHARE = 5.5, 0.2
_UPON, _UPON_SHARE = 12.0, 0.28
_UNLIKE = 0.115
_PLAINLY = 0.38
"""What lies beneath or upon another explains so much more, in squares and of what is left; and
what shows of the lower one is no board in shadow: so much of its light is of another colour."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Top:
    """The light (B, G, R) a piece's top sends back in the empty picture's light, as taught: its
    `tint`, how strong that is, and how `bright` it is."""

    spec: PieceSpec
    light: tuple[float, float, float]
    tint: Floats
    strength: float
    bright: float


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
    tops: tuple[Top, ...]


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
        bare=table.empty.reshape(-1, 3)[grid.pixels],
        terms=terms,
        tops=_tops(table, layer, grid, terms, ground),
    )


def read_cells(
    picture: Picture, cells: Cells, gain: Floats, hidden: frozenset[int] = frozenset()
) -> Contents:
    """Read all cells but those `hidden`."""
    rest = changes(picture, cells.grid, cells.lines, cells.empty)
    if hidden:
        rest[list(hidden)] = 0.0
    light = _light(cells.terms, gain)
    usual = float(np.median(light.mean(axis=1)))
    flat = picture.reshape(-1, 3)
    found: dict[int, tuple[Found, ...]] = {}
    doubtful = set()
    bar = float(np.clip(_BAR[0] + _BAR[1] * calm(rest, cells.lines, hidden), *_BAR[2:]))
    for cell, outlines in find_outlines(rest, cells.lines, bar).items():
        if not outlines or outlines[0].explained < bar or outlines[0].share < _LEAST_SHARE:
            continue
        sample = _Sample(
            codes=flat[cells.grid.pixels[cell]],
            empty=cells.bare[cell],
            light=light[cell],
            lamp=bool(light[cell].mean() > _LAMP * usual),
        )
        stack = _stack(cells, cell, sample, rest[cell], outlines)
        if stack is None or not _evident(outlines[0], bar):
            doubtful.add(cell)
        else:
            found[cell] = stack
    return Contents(found=found, doubtful=frozenset(doubtful))


def _evident(outline: Outline, bar: float) -> bool:
    return outline.explained > _CLEARLY * bar and (
        outline.explained > _PLENTY or outline.share > _PLAIN_SHARE
    )


def _light(terms: Floats, gain: Floats) -> Floats:
    """(P, 3) the light on each cell against the empty picture's: one colour for all the board.

    Where a lamp reflects, the board turns white, which is no colour of the light.
    """
    codes = terms @ gain
    level = codes.mean(axis=1, keepdims=True)
    return np.asarray(np.exp(_CODED * (level + np.median(codes - level, axis=0))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sample:
    """The codes (S*S, 3) of one cell's samples, those of the empty board, and the light there
    against the empty picture; whether a `lamp` is reflected there."""

    codes: Codes
    empty: Codes
    light: Floats
    lamp: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Named:
    top: Top
    misfit: float
    ahead: float
    part: NDArray[np.bool_]


def _stack(
    cells: Cells,
    cell: int,
    sample: _Sample,
    rest: Floats32,
    outlines: Sequence[Outline],
) -> tuple[Found, ...] | None:
    """What the outlines in a cell are, lowest first; None where their colour stays unclear."""
    for outline in outlines:
        named = _name(cells, sample, outline)
        if named.misfit > _FITTING:
            continue  # no piece of this form has such a colour
        if named.ahead < _SURE:
            return None
        other = _nested(cells, sample, rest, outline, named)
        if other is None:
            return (_place(cells, cell, outline, named.top.spec, 0.0, named),)
        lower, upper = sorted((other, (outline, named)), key=lambda pair: -_radius(cells, pair[0]))
        base = _place(cells, cell, lower[0], lower[1].top.spec, 0.0, lower[1])
        z = lower[1].top.spec.thickness_mm
        return base, _place(cells, cell, upper[0], upper[1].top.spec, z, upper[1])
    return None


def _nested(
    cells: Cells, sample: _Sample, rest: Floats32, first: Outline, named: _Named
) -> tuple[Outline, _Named] | None:
    """What lies upon or beneath the first outline, if it shows by form and by colour."""
    pair = beneath_or_above(rest, first, cells.lines, _NESTED)
    if pair is None:
        return None
    other, together = pair
    left = float((rest**2).sum()) - first.explained
    gained = together - first.explained
    if gained < _NESTED or gained < _NESTED_SHARE * left:
        return None
    larger = _radius(cells, other) > _radius(cells, first)
    if not larger and (gained < _UPON or gained < _UPON_SHARE * left):
        return None
    second = _name(cells, sample, other, without=first if larger else None)
    if second.misfit > _FITTING or second.ahead < _SURE:
        return None
    base = second if larger else _name(cells, sample, first, without=other)
    upper = named if larger else second
    plain = gained > _PLAINLY * left or _unlike_board(sample, base.part) > _UNLIKE
    if base.top.spec.colour == upper.top.spec.colour or not plain:
        return None
    return other, second


def _radius(cells: Cells, outline: Outline) -> float:
    return cells.lines.forms[outline.form][1] / 2


def _place(
    cells: Cells, cell: int, outline: Outline, spec: PieceSpec, z_mm: float, named: _Named
) -> Found:
    """Where a piece stands whose top has this outline in the plane of the grid."""
    x, y = cells.layer.at[cell] + (outline.x_mm, outline.y_mm)
    up = z_mm + spec.thickness_mm - cells.grid.z_mm
    dx, dy = cells.grid.drift[cell] * up
    return Found(
        spec=spec,
        x_mm=float(x + dx),
        y_mm=float(y + dy),
        z_mm=z_mm,
        turn_deg=float(np.degrees(outline.turn_rad)),
        confidence=float(np.clip(1 - named.misfit, 0, 1)),
    )


def _name(
    cells: Cells, sample: _Sample, outline: Outline, without: Outline | None = None
) -> _Named:
    """Which piece of its form an outline is, by its colour; `without` what lies upon it."""
    points = cells.grid.offset
    radius = _radius(cells, outline)
    off = np.hypot(points[:, 0] - outline.x_mm, points[:, 1] - outline.y_mm)
    top = off < 0.74 * radius
    rim = (off < radius + 0.5) & (off > radius - 1.5)
    if without is not None:
        clear = np.hypot(points[:, 0] - without.x_mm, points[:, 1] - without.y_mm)
        free = clear > _radius(cells, without) + 1.0
        top, rim = top & free, rim & free
    mean, reading = _light_of(sample, top, rim)
    tint = mean - mean.mean()
    form = cells.lines.forms[outline.form]
    fitting = [t for t in cells.tops if (t.spec.shape, t.spec.diameter_mm) == form]
    scale = max(t.strength for t in cells.tops)
    misfits = [_misfit(tint, float(mean.mean()), t, scale, reading) for t in fitting]
    if reading is not _Reading.WHOLE and sample.lamp:
        hint = _hint(sample, top)
        misfits = [m + _against(hint, t) for m, t in zip(misfits, fitting, strict=True)]
    elif reading is not _Reading.WHOLE:  # what shines without a lamp is white itself
        misfits = [m + 0.5 * (min(t.light) < _WHITE) for m, t in zip(misfits, fitting, strict=True)]
    order = np.argsort(misfits)
    best = int(order[0])
    ahead = 1.0
    if len(order) > 1:
        second = int(order[1])
        ahead = misfits[second] - misfits[best]
        if reading is _Reading.WHOLE:
            # two weak colours are told apart by less light than two strong ones
            pair = max(fitting[n].strength for n in (best, second))
            ahead *= scale / float(np.clip(pair, _GREY, scale))
    return _Named(top=fitting[best], misfit=misfits[best], ahead=ahead, part=top | rim)


def _unlike_board(sample: _Sample, part: NDArray[np.bool_]) -> float:
    """The share of a part's light that the board there does not have, however bright it is."""
    if not part.any():
        return 0.0
    seen_light = LINEAR[sample.codes[part]].astype(np.float64).mean(axis=0)
    board = LINEAR[sample.empty[part]].astype(np.float64).mean(axis=0) * sample.light
    amount = float(seen_light @ board) / max(float(board @ board), 1e-12)
    left = np.linalg.norm(seen_light - amount * board)
    return float(left / max(float(np.linalg.norm(seen_light)), 1e-6))


class _Reading(Enum):
    WHOLE = "the top"
    RIM = "the top's rim, for it shines"
    ENDED = "nothing: even the rim shines"


def _light_of(
    sample: _Sample, top: NDArray[np.bool_], rim: NDArray[np.bool_]
) -> tuple[Floats, _Reading]:
    """Mean light (3,) of the top against the empty picture's light, and where it was read.

    Of a rim the darkest samples count, which shine least.
    """
    codes = sample.codes[top]
    if len(codes):
        weight = np.clip((_ENDS - codes.max(axis=1)) / _FADES, 0, 1)
        if weight.mean() > _ENOUGH:
            mean = weight @ LINEAR[codes].astype(np.float64) / weight.sum()
            return np.asarray(mean / sample.light, dtype=np.float64), _Reading.WHOLE
    codes = sample.codes[rim]
    brightest = codes.max(axis=1)
    dark = (
        brightest <= min(float(np.quantile(brightest, 0.2)), _ENDS - _FADES) if len(codes) else []
    )
    if np.any(dark):
        mean = LINEAR[codes[dark]].astype(np.float64).mean(axis=0)
        return np.asarray(mean / sample.light, dtype=np.float64), _Reading.RIM
    return 1 / sample.light, _Reading.ENDED


def _hint(sample: _Sample, top: NDArray[np.bool_]) -> Floats:
    """(3,) the tint of a top that shines: which channels have not ended yet, and by how much."""
    codes = sample.codes[top]
    codes = codes[codes.min(axis=1) < _ENDS]
    if not len(codes):
        return np.zeros(3)
    colour = sample.light / sample.light.mean()
    light = LINEAR[codes].astype(np.float64).mean(axis=0) / colour
    return np.asarray((light - light.mean()) * len(codes) / top.sum(), dtype=np.float64)


def _against(hint: Floats, top: Top) -> float:
    """How much the tint of a shining top speaks against a piece: 0 to 1."""
    strength = float(np.linalg.norm(hint))
    weight = float(np.clip((strength - _HINT[0]) / (_HINT[1] - _HINT[0]), 0, 1))
    taught, length = top.tint, top.strength
    along = 0.0 if length < _GREY else float(hint @ taught) / max(strength * length, 1e-9)
    return weight * 0.5 * (1 - along)


def _misfit(tint: Floats, level: float, top: Top, scale: float, reading: _Reading) -> float:
    """How badly a tint and a level fit a top: 0 is as taught, about 1 is another colour."""
    taught, strength, bright = top.tint, top.strength, top.bright
    grey = strength < _GREY
    if reading is not _Reading.WHOLE:
        if grey and bright > 0.5:
            return 0.0  # white is what shines first
        tint = tint / max(level, 1e-3)
        amount = 0.0 if grey else float(np.clip(tint @ taught / strength, *_RIM_TINT))
        return float(np.linalg.norm(tint - amount * taught / max(strength, 1e-6)))
    # Gloss brightens what is dark by much, and nothing darkens what is white.
    over = log(max(level, 1e-3) / max(bright, 1e-3))
    strange = max(over - 0.6, 0.0) * 0.2
    if grey:
        strange += max(-over - 0.3, 0.0) if bright > 0.5 else 0.0
        return float(np.linalg.norm(tint)) / max(scale, _GREY) + strange
    amount = min(max(float(tint @ taught) / strength**2, _TOP_TINT[0]), _TOP_TINT[1])
    return float(np.linalg.norm(tint - amount * taught)) / scale + strange


def _tops(
    table: Table, layer: Layer, grid: CellGrid, terms: Floats, ground: Ground
) -> tuple[Top, ...]:
    """The look of each kind's top: taught, else of its colour taught on another kind, else told."""
    seen_light: dict[tuple[str, str], list[Floats]] = {}
    teach = table.teach
    if teach is not None:
        light = _light(terms, ground.gain(teach.picture))
        flat = teach.picture.reshape(-1, 3)
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
            codes = LINEAR[flat[grid.pixels[cell, inside]]].astype(np.float64)
            seen_light.setdefault((spec.kind, spec.colour), []).append(
                codes.mean(axis=0) / light[cell]
            )
    tops = []
    for spec in layer.specs:
        same = seen_light.get((spec.kind, spec.colour)) or [
            v for (_, colour), many in seen_light.items() if colour == spec.colour for v in many
        ]
        told = LINEAR[np.array(spec.rgb[::-1], dtype=np.intp)].astype(np.float64)
        blue, green, red = (float(v) for v in (np.median(same, axis=0) if same else told))
        light_bgr = np.array([blue, green, red])
        tint = light_bgr - light_bgr.mean()
        tops.append(
            Top(
                spec=spec,
                light=(blue, green, red),
                tint=tint,
                strength=float(np.linalg.norm(tint)),
                bright=float(light_bgr.mean()),
            )
        )
    return tuple(tops)
