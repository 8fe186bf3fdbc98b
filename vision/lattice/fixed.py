"""Pegs in holes and sticks in grooves: what can stand in one position only.

Each place is cut into parts (`vision.lattice.regions`). How bright and coloured each part is, is
compared with the empty board in this light, and with each kind of piece as it was taught.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import RayMap
from calibration.table import Table
from rules.board import PieceSpec, Shape
from rules.geometry import Point
from vision.frame import SeenPiece
from vision.lattice.behind import Behind, Hides, as_beside, behind_of, shown_around, shown_of_parts
from vision.lattice.gleams import added_light, neighbours_of
from vision.lattice.judge import Judged, Prior, judge
from vision.lattice.medians import median
from vision.lattice.places import Layer
from vision.lattice.regions import PLENTY, Regions, regions_of
from vision.lattice.sampled import Codes, Samples, logs_of, samples_of, turned
from vision.lattice.shade import LOG, TURN, Ground
from vision.lattice.shrunk import quarter_of
from vision.lattice.veil import light_of, look_of, veils_of

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Give:
    """What is expected to vary, one sd in log codes: of all parts together, and of each part."""

    level: float
    parts: tuple[float, ...]
    tint: float
    part_tint: tuple[float, ...]

    def covariance(self, dark: Floats, pixels: Sequence[int] = ()) -> Floats:
        """(3K, 3K) covariance of brightness, red-blue and green of the K parts.

        `dark` (K,) is how dark the parts are: there a camera's colours are vague. `pixels` is how
        many show each part: what few pixels say is vague, too.
        """
        k = len(self.parts)
        few = np.array([max(_NOISE**2 * (1 / n - 1 / PLENTY), 0.0) for n in pixels] or [0.0] * k)
        tint = np.array(self.part_tint) ** 2 + (_VAGUE * dark) ** 2 + few
        whole = np.zeros((k, 3, k, 3))
        whole[:, 0, :, 0] = self.level**2
        whole[:, 1, :, 1] = self.tint**2
        whole[:, 2, :, 2] = self.tint**2 / 2
        each = np.arange(k)
        whole[each, 0, each, 0] += np.array(self.parts) ** 2 + few
        whole[each, 1, each, 1] += tint
        whole[each, 2, each, 2] += tint / 2
        return whole.reshape(3 * k, 3 * k)


_HOLE = Give(level=0.15, parts=(0.2,) * 3, tint=0.04, part_tint=(0.06,) * 3)
_PEG = Give(level=0.4, parts=(0.25,) * 3, tint=0.12, part_tint=(0.08,) * 3)
_GROOVE = Give(
    level=0.2,
    parts=(0.25, 0.05, 0.04, 0.05, 0.25),
    tint=0.07,
    part_tint=(0.1, 0.05, 0.04, 0.05, 0.1),
)
_STICK = Give(
    level=0.3,
    parts=(0.3, 0.2, 0.25, 0.2, 0.3),
    tint=0.1,
    part_tint=(0.12, 0.06, 0.06, 0.06, 0.12),
)
"""A hole and a groove's flanks vary with the light's direction; a groove's bottom is flat."""
_VAGUE, _NOISE = 0.3, 0.25
_ERROR_MM = 0.3
_UNTAUGHT = 3.0
_PERHAPS, _SURELY, _PLAINLY = 8.0, 12.0, 14.0
"""A groove under a reflection may be empty, and is, where that is so much likelier, as a natural
logarithm: a stick in the light of a lamp looks somewhat like an empty groove that mirrors it. For
that reason one that seems empty by less than the first, where a lamp was mirrored on the empty
picture and is no more, is unknown unless it is empty by the last with that light over both."""
_DEEPEST = 2.5
"""How much darker a hole may be than on the empty picture, in units of how dark it is there."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fixed:
    """A layer of holes or grooves, ready to be read.

    `samples` draw the pixels of `regions`, all first ones before all second ones; `means` (K, N)
    take the mean of each part of them. `empty` (K, 3, P) is each part's look on the empty board,
    `around` (N, P, 3) that of the board around it, `around_lit` (N, 3, P) its light, `neighbours`
    (P, P) which places lie near each other, `dark` (K, P) how much darker than it a part is;
    `terms` (P, 10) the gain's terms there. `taught` (C, K, 3, P) is how each kind of piece would
    look at each place, `priors` how much an empty place and each kind may vary; `certain` are, kind
    by kind, the pieces that stand at each place where there is no doubt; `behind` tells what pieces
    beside them hide.
    """

    layer: Layer
    regions: Regions
    samples: Samples
    means: Floats32
    empty: Floats
    around: Floats32
    around_lit: Floats32
    neighbours: NDArray[np.bool_]
    dark: Floats
    terms: Floats
    specs: tuple[PieceSpec, ...]
    taught: Floats
    priors: tuple[Prior, ...]
    grooves: bool
    certain: tuple[tuple[SeenPiece, ...], ...]
    behind: Behind


def fixed_of(table: Table, rays: RayMap, layer: Layer, ground: Ground) -> Fixed:
    """Make a layer of `table` ready, with what its teach picture shows."""
    regions = regions_of(table, rays, layer)
    grooves = layer.specs[0].shape is Shape.STICK
    width = table.empty.shape[1]
    samples = samples_of(regions.pixels.T, width)
    means = _means(regions)
    logs = logs_of(samples.codes(table.empty))
    empty, around = _parts(logs, means), turned(logs[regions.ring])
    dark = np.zeros((len(empty), len(layer.at)))
    if not grooves:
        level = np.median(around[:, :, 0], axis=0)
        dark = np.maximum(level - empty[:, 0], 0.0) / np.sqrt(3)
    middle = table.camera.project(np.column_stack([layer.at, np.zeros(len(layer.at))]))
    terms = ground.terms(middle)
    veils = veils_of(empty, layer.turn) if grooves else np.zeros(len(layer.at))
    looks, known = _taught(table, layer, samples, means, terms, ground, veils)
    give = _STICK if grooves else _PEG
    pixels = [part.stop - part.start for part in regions.parts]
    bare = (_GROOVE if grooves else _HOLE).covariance(dark.mean(axis=1), pixels)
    piece = give.covariance(np.zeros(len(give.parts)), pixels)
    priors = [bare] + [piece if k else piece * _UNTAUGHT**2 for k in known]
    return Fixed(
        layer=layer,
        regions=regions,
        samples=samples,
        means=means,
        empty=empty,
        around=around,
        around_lit=light_of(around.transpose(0, 2, 1)),
        neighbours=neighbours_of(layer.at),
        dark=dark,
        terms=terms,
        specs=layer.specs,
        taught=_veiled(np.moveaxis(looks[:, layer.turn], 1, -1), veils),
        priors=tuple(Prior.of(prior) for prior in priors),
        grooves=grooves,
        certain=tuple(
            tuple(
                SeenPiece(kind=s.kind, colour=s.colour, at=Point(x, y), error_mm=_ERROR_MM)
                for x, y in layer.at.tolist()
            )
            for s in layer.specs
        ),
        behind=behind_of(rays, layer, regions),
    )


def read_fixed(
    codes: Codes,
    fixed: Fixed,
    gain: Floats,
    covered: NDArray[np.bool_],
    hidden: Hides | None = None,
) -> tuple[Judged, Floats]:
    """Judge every place by its samples' `codes` (N, P, 3): class 0 is empty, class n is
    `fixed.specs[n - 1]`; and how the mean look of each deviates from each class, (C, 3, P).

    From places that are `covered` (P,) nothing is learned, nor from those that are partly `hidden`.
    """
    logs = logs_of(codes)
    if hidden is not None:
        covered = covered.copy()
        covered[hidden.places] = True
    look = _parts(logs, fixed.means)
    light = TURN.astype(np.float64) @ (fixed.terms @ gain).T
    ring = turned(logs[fixed.regions.ring]) - fixed.around
    near = _middle(ring)
    if hidden is not None:
        shown = turned(shown_of_parts(logs, fixed.means, hidden))
        look[:, :, hidden.places] = shown.swapaxes(1, 2)
        near[:, hidden.places] = shown_around(ring, fixed.regions, hidden)
    away = _away(look, near, light, fixed, hidden)
    judged = _judged(away, fixed.priors, fixed.layer.turn, covered)
    if not fixed.grooves:
        return judged, away.mean(axis=1)
    if (((judged.best > 0) | (judged.ahead < _PERHAPS)) & ~covered).any():
        judged = _unless_mirrored(judged, away, look, ring, light, fixed, covered, hidden)
    return judged, away[:, 1:-1].mean(axis=1)


def _away(look: Floats, near: Floats, light: Floats, fixed: Fixed, hidden: Hides | None) -> Floats:
    """(C, K, 3, P) how looks (K, 3, P) deviate from each class, where the board around changed by
    `near` (3, P), in a `light` (3, P)."""
    pieces = (look - light) - fixed.taught
    shown = pieces if hidden is None else as_beside(pieces, hidden)
    change = look - fixed.empty
    bare = _off_groove(change, near) if fixed.grooves else _off_hole(change, near, fixed.dark)
    bare = bare if hidden is None else as_beside(bare, hidden)
    return np.concatenate([bare, shown])


def _off_hole(change: Floats, near: Floats, dark: Floats) -> Floats:
    """(1, K, 3, P) how holes that have changed so (K, 3, P) deviate from empty ones, being as much
    darker than the board around them as is told (K, P), which has changed by `near` (3, P)."""
    bare = change - near
    depth = np.square(dark).sum(axis=0)
    deeper = -(bare[:, 0] * dark).sum(axis=0) / np.maximum(depth, 1e-3)
    bare[:, 0] += np.clip(deeper, 0, _DEEPEST) * dark
    return bare[None]


def _off_groove(change: Floats, near: Floats) -> Floats:
    """(1, K, 3, P) how grooves that have changed so (K, 3, P) deviate from empty ones, where the
    board around them has changed by `near` (3, P)."""
    bare = change - _shared(change, near)
    return bare[None]


def _judged(
    away: Floats, priors: Sequence[Prior], turn: Ints, covered: NDArray[np.bool_]
) -> Judged:
    """Places judged that deviate so (C, K, 3, P) from each class; see `judge`."""
    return judge(away.reshape(len(away), -1, away.shape[3]), priors, turn, covered)


def _unless_mirrored(
    judged: Judged,
    away: Floats,
    look: Floats,
    ring: Floats32,
    light: Floats,
    fixed: Fixed,
    covered: NDArray[np.bool_],
    hidden: Hides | None,
) -> Judged:
    """`judged`, but grooves that seem filled are empty, or unknown, where they are likely to be so
    with the same light mirrored over them as over the empty picture; and those that seem empty, but
    not plainly, are unknown where such light has gone, unless with it they are plainly empty. Those
    that are `covered` (P,) are not asked.

    `ring` (N, P, 3) is how the board around each has changed, `away` as of `_away`. A reflection
    that has come is put over the empty groove, too, one that has gone over what is seen: so neither
    becomes more vague than it is. What lies in a groove is compared as it is seen, as it may shine
    less than the board.
    """
    lit = light.astype(np.float32)
    now = light_of((ring + fixed.around).transpose(0, 2, 1) - lit)
    added = added_light(now, fixed.around_lit, fixed.neighbours)
    asked = np.flatnonzero((added != 0.0) & ~covered)
    if not len(asked):
        return judged
    come, gone = np.maximum(added[asked], 0.0), np.maximum(-added[asked], 0.0)
    then = look_of(fixed.around_lit[:, :, asked] + come)
    around = look_of(now[:, :, asked] + gone) + lit[:, asked] - then
    near = _middle(around.transpose(0, 2, 1))
    empty = look_of(light_of(fixed.empty[:, :, asked]) + come)
    mine = light[:, asked]
    seen = look_of(light_of(look[:, :, asked] - mine) + gone) + mine
    off = _off_groove(seen - empty, near)
    if hidden is not None:
        off = as_beside(off, hidden.only(asked))
    off = np.concatenate([off, away[1:, :, :, asked]])
    other = _judged(off, fixed.priors, fixed.layer.turn[asked], covered[asked])
    empty_too = np.where(other.best == 0, other.ahead, 0.0)
    filled = judged.best[asked] > 0
    vague = ~filled & (added[asked] < 0.0) & (judged.ahead[asked] < _PERHAPS)
    sure = filled & (empty_too > _SURELY)
    unclear = (filled & (empty_too > _PERHAPS)) | (vague & (empty_too < _PLAINLY))
    best, ahead, far = judged.best.copy(), judged.ahead.copy(), judged.off.copy()
    ahead[asked[unclear]] = 0.0
    told = asked[sure]
    best[told], ahead[told], far[told] = 0, other.ahead[sure], other.off[sure]
    return Judged(best=best, ahead=ahead, off=far)


def _shared(change: Floats, near: Floats) -> Floats:
    """(3, P) that part of what changed around a groove which also changed in it.

    A shadow falls on both; a lamp's reflection on shining squares leaves the groove between alone.
    """
    inner = change[1:-1].mean(axis=0)
    part = (inner * near).sum(axis=0) / np.maximum(np.square(near).sum(axis=0), 1e-6)
    return np.asarray(np.clip(part, 0, 1) * near)


def _means(regions: Regions) -> Floats32:
    """(K, N) what takes the mean of each part of a place's pixels."""
    means = np.zeros((len(regions.parts), regions.pixels.shape[1]), dtype=np.float32)
    for k, part in enumerate(regions.parts):
        means[k, part] = 1 / (part.stop - part.start)
    return means


def _parts(logs: Floats32, means: Floats32) -> Floats:
    """(K, 3, P) the looks of the parts of places, of the log codes (N, P, 3) of their pixels."""
    parts = (means @ logs.reshape(len(logs), -1)).reshape(len(means), -1, 3)
    return np.asarray(turned(parts).swapaxes(1, 2), dtype=np.float64)


def _middle(values: Floats32) -> Floats:
    """(3, P) medians of (N, P, 3) values."""
    return np.asarray(median(np.ascontiguousarray(values.transpose(2, 1, 0))), dtype=np.float64)


def _taught(
    table: Table,
    layer: Layer,
    samples: Samples,
    means: Floats32,
    terms: Floats,
    ground: Ground,
    veils: Floats,
) -> tuple[Floats, list[bool]]:
    """(C, 2, K, 3) looks in the empty picture's light, and which of them were taught.

    They are as where no light is mirrored over them.
    """
    looks, known = [], []
    teach = table.teach
    seen = None
    if teach is not None:
        light = (
            TURN.astype(np.float64)
            @ (terms @ ground.gain(quarter_of(teach.picture, ground.part))).T
        )
        seen = _veiled(_parts(logs_of(samples.codes(teach.picture)), means) - light, -veils)
    for spec in layer.specs:
        numbers = np.array(
            [
                _nearest(layer, p.at.x_mm, p.at.y_mm)
                for p in (teach.pieces if teach is not None else ())
                if (p.kind, p.colour) == (spec.kind, spec.colour)
            ],
            dtype=np.intp,
        )
        known.append(bool(len(numbers)))
        if seen is None or not len(numbers):
            bgr = np.array(spec.rgb[::-1], dtype=np.intp)
            look = np.broadcast_to(LOG[bgr] @ TURN.T, (2, len(means), 3))
        else:
            ways = []
            for turn in (0, 1):
                mine = numbers[layer.turn[numbers] == turn]
                ways.append(seen[:, :, mine if len(mine) else numbers].mean(axis=2))
            look = np.array(ways)
        looks.append(look)
    return np.array(looks, dtype=np.float64), known


def _veiled(looks: Floats, veils: Floats) -> Floats:
    """(..., 3, P) looks with `veils` (P,) of light over them, or taken off where less than 0."""
    return np.where(veils == 0.0, looks, look_of(light_of(looks) + veils))


def _nearest(layer: Layer, x_mm: float, y_mm: float) -> int:
    return int(np.hypot(layer.at[:, 0] - x_mm, layer.at[:, 1] - y_mm).argmin())
