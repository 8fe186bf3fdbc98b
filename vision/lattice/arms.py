"""An arm over a lattice board, and which places it hides.

Whatever reaches over the surface comes from outside. So the table's edge is walked along in three
rings (beside the table, on the border, just inside the surface): an arm differs from the empty
picture in all three at the same place, by more than that side differs anywhere else. Skin may look
like wood, so the bar is set by each side itself: under steady light a few percent tell.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.geometry import Point, Seat
from vision.crossings import STEP_MM, edge_of
from vision.frame import Picture
from vision.lattice.shade import LOG, TURN, Ground
from vision.lattice.shrunk import FOUR_TIMES, Shrunk, shrunk

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_HALF = 2
_LEAST, _MOST = 0.08, 0.35
_TIMES = 4.0
"""A sample stands out by so many times what is usual on its side, in log codes at least by this
and at most by that: on a full board pieces along the edge are usual, and an arm is one all the
same."""
_BORDER_MM, _INSIDE_MM, _BESIDE_MM = 28.0, 16.0, 20.0
_NEAR, _AROUND = 6, 12
_OTHER_TINT, _LIGHTER, _NO_SHADOW, _OTHER_SHARE = 0.05, 0.25, 0.9, 0.25
"""What is no shadow: another colour, or darker than any, on so much of it; else it is lighter."""
_SIDES = (Seat.S, Seat.E, Seat.N, Seat.W)
_EDGE, _EDGE_SHARE = 3, 0.29
"""An arm's edge: within so many stations it changes by this share of all it changes."""
_ROUNDS = 4
_SHADES, _PER_SHADE = 8, 64
"""So many shades are told apart by about so many samples each, to see what the camera did to them.
"""

_CELL = FOUR_TIMES
_TINT = 0.04
_TINT_TIMES = 4.0
_BRIGHTER = 0.25
_DARKER = 0.7
_CLOSED_MM = 14.0
_MARGIN_MM = 12.0
"""What looks unlike the board joins into one thing over gaps so wide, and hides so much around."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Where an arm comes in: over which border, `at` on the surface's edge, how broad."""

    side: Seat
    at: Point
    width_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shore:
    """The rings along the table's edge: for each, samples (N, K) in a half-size picture, whether
    they lie in it, and their log codes (N, K, 3) on the empty picture; `side` (N,) of stations.

    `shades` (3, _SHADES, M) are, of each channel, samples of the ring from its darkest to its
    brightest on the empty picture; `levels` (3, _SHADES) their median log codes there.
    """

    samples: dict[str, NDArray[np.intp]]
    inside: dict[str, Bools]
    empty: dict[str, Floats]
    shades: dict[str, NDArray[np.intp]]
    levels: dict[str, Floats]
    side: NDArray[np.intp]
    at: Floats

    def change(self, half: Picture, ring: str) -> Floats:
        """(N, K, 3) how a ring's log codes differ from the empty picture's, but for what the camera
        does to every shade alike: exposure, white balance, its tone curve, codes that end."""
        codes = np.take(half.reshape(-1, 3), self.samples[ring], axis=0)
        change = np.take(LOG, codes) - self.empty[ring]
        flat = change.reshape(-1, 3)
        for channel, (shades, levels) in enumerate(
            zip(self.shades[ring], self.levels[ring], strict=True)
        ):
            usual = np.median(flat[:, channel][shades], axis=1)
            flat[:, channel] -= np.interp(self.empty[ring][..., channel].ravel(), levels, usual)
        return change


def _shades(empty: Floats) -> tuple[NDArray[np.intp], Floats]:
    """A ring's samples by shade, and the shades' levels; of (N, K, 3) log codes when empty."""
    flat = empty.reshape(-1, 3)
    order = np.argsort(flat, axis=0, kind="stable").T
    each = len(flat) // _SHADES
    step = max(each // _PER_SHADE, 1)
    shades = order[:, : each * _SHADES].reshape(3, _SHADES, each)[:, :, ::step]
    levels = np.stack([np.median(flat[shades[c], c], axis=1) for c in range(3)])
    return shades, levels


def shore_of(table: Table) -> Shore:
    """The rings of `table`."""
    edge = edge_of(table)
    small = shrunk(table.empty).half
    height, width = small.shape[:2]
    codes = LOG[small].reshape(-1, 3)
    samples, inside, empty, shades, levels = {}, {}, {}, {}, {}
    for name, points in (("border", edge.border), ("inside", edge.inside), ("beside", edge.beside)):
        at = np.round((points + 0.5) / _HALF - 0.5).astype(np.intp)
        here = ((at >= 1) & (at < (width - 1, height - 1))).all(axis=2)
        at = np.clip(at, 0, (width - 1, height - 1))
        samples[name] = at[..., 1] * width + at[..., 0]
        inside[name] = np.asarray(here, dtype=np.bool_)
        empty[name] = codes[samples[name]].astype(np.float64)
        shades[name], levels[name] = _shades(empty[name])
    return Shore(
        samples=samples,
        inside=inside,
        empty=empty,
        shades=shades,
        levels=levels,
        side=edge.side,
        at=edge.at,
    )


def arms(picture: Shrunk, shore: Shore, *, certain: bool = True) -> tuple[Arm, ...]:
    """Every arm that reaches over the surface in a picture.

    Where not `certain` is asked for, whatever may be an arm; say, while one was there just now.
    """
    change = shore.change(picture.half, "border")
    border = _standing_out(change, shore, "border")
    runs = [r for r in _runs(border > 0.5, shore.side) if (r[1] - r[0]) * STEP_MM >= _BORDER_MM]
    if certain:
        runs = [r for r in runs if _solid(change, shore, slice(*r))]
    if not runs:
        return ()
    inside = _standing_out(shore.change(picture.half, "inside"), shore, "inside")
    beside = _standing_out(shore.change(picture.half, "beside"), shore, "beside")
    found = []
    for first, after in runs:
        near = slice(max(first - _NEAR, 0), after + _NEAR)
        around = slice(max(first - _AROUND, 0), after + _AROUND)
        if (inside[near] > 0.35).sum() * STEP_MM < _INSIDE_MM:
            continue
        if (beside[around] > 0.4).sum() * STEP_MM < _BESIDE_MM:
            continue
        middle = (first + after) // 2
        x, y = shore.at[middle]
        found.append(
            Arm(
                side=_SIDES[shore.side[middle]],
                at=Point(float(x), float(y)),
                width_mm=float((after - first) * STEP_MM),
            )
        )
    return tuple(found)


def _solid(border: Floats, shore: Shore, run: slice) -> bool:
    """Whether what stands out on a stretch of the `border` (N, K, 3) is more than light or shade.

    Light and shade change all channels alike, and not without end; a lamp's reflection fades away
    to both sides, where an arm has an edge.
    """
    side = np.flatnonzero(shore.side == shore.side[run][0])
    change = border[side]
    rest = (change - np.median(change, axis=(0, 1))) @ TURN.T
    within = slice(run.start - int(side[0]), run.stop - int(side[0]))
    steps = np.linalg.norm(rest[_EDGE:] - rest[:-_EDGE], axis=2)
    height = np.linalg.norm(rest[within], axis=2).max(axis=0)
    ends = [slice(max(e - _EDGE - 3, 0), max(e + 3, 1)) for e in (within.start, within.stop)]
    edges = [steps[end].max(axis=0, initial=0.0) / np.maximum(height, 1e-6) for end in ends]
    sharp = [float(np.median(edge)) > _EDGE_SHARE for edge in edges]
    level = rest[within, :, 0] / np.sqrt(3)
    tint = np.hypot(rest[within, :, 1], rest[within, :, 2])
    other = (tint > _OTHER_TINT) | (level < -_NO_SHADOW)
    if other.mean() > _OTHER_SHARE:
        return any(sharp)
    return all(sharp) and bool((level > _LIGHTER).mean() > 0.5)


def _standing_out(change: Floats, shore: Shore, ring: str) -> Floats:
    """(N,) the share of each station's samples that stand out on their side; 1 out of sight."""
    share = np.ones(len(change))
    for number in range(4):
        mine = shore.side == number
        here = shore.inside[ring][mine]
        rest = _unusual(change[mine])
        bar = min(max(_LEAST, _TIMES * float(np.median(rest))), _MOST)
        count = here.sum(axis=1)
        out = ((rest > bar) & here).sum(axis=1)
        share[mine] = np.where(count >= 4, out / np.maximum(count, 1), 1.0)
    return share


def _unusual(change: Floats) -> Floats:
    """(n, K) how far (n, K, 3) changes are from what runs smoothly along the side."""
    flat = change.reshape(len(change), -1)
    x = np.linspace(-1, 1, len(flat))
    basis = np.stack([np.ones_like(x), x, x * x], axis=1)
    fit = np.broadcast_to(np.median(flat, axis=0), flat.shape)
    for _ in range(_ROUNDS):
        off = np.abs(flat - fit).mean(axis=1)
        usual = max(1.5 * float(np.median(off)), 0.02)
        scaled = basis / (1 + (off / usual) ** 4)[:, None]
        fit = basis @ np.linalg.solve(scaled.T @ basis + 1e-3 * np.eye(3), scaled.T @ flat)
    rest = flat - fit
    rest[1:-1] = 0.25 * (rest[:-2] + 2 * rest[1:-1] + rest[2:])  # an arm is broader than noise
    return np.asarray(np.abs(rest).reshape(change.shape).max(axis=2))


def _runs(on: Bools, side: NDArray[np.intp]) -> list[tuple[int, int]]:
    """First and one after the last of every run along one side; a gap of one is bridged."""
    found: list[tuple[int, int]] = []
    for number in range(4):
        mine = np.flatnonzero(side == number)
        bridged = on[mine]
        bridged[1:-1] |= bridged[:-2] & bridged[2:]
        steps = np.diff(np.concatenate([[0], bridged.astype(np.int8), [0]]))
        starts, stops = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        found += [(int(mine[0] + a), int(mine[0] + b)) for a, b in zip(starts, stops, strict=True)]
    return found


def hidden(
    picture: Shrunk, table: Table, ground: Ground, gain: Floats, found: tuple[Arm, ...]
) -> Bools:
    """(H, W), as large as the empty picture: the pixels that the arms hide, or may hide.

    What looks unlike the board (another colour, brighter, far darker) is joined over small gaps and
    filled; of that, whatever hangs together with a place where an arm comes in.
    """
    height, width = table.empty.shape[:2]
    size = (width // _CELL, height // _CELL)
    now, then = picture.quarter, shrunk(table.empty).quarter
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]]
    points = np.column_stack([columns.ravel(), rows.ravel()]) * float(_CELL) + (_CELL - 1) / 2
    box = ground.box
    points = np.clip(points, (box.u0, box.v0), (box.u1, box.v1))
    smooth = (ground.terms(points) @ gain).reshape(size[1], size[0], 3)
    change = (LOG[now] - LOG[then] - smooth) @ TURN.T
    tint = np.hypot(change[:, :, 1], change[:, :, 2])
    inner = np.zeros((size[1], size[0]), dtype=np.bool_)
    inner[box.v0 // _CELL : box.v1 // _CELL, box.u0 // _CELL : box.u1 // _CELL] = True
    bar = max(_TINT, _TINT_TIMES * float(np.median(tint[inner])))
    level = change[:, :, 0] / np.sqrt(3)
    unlike = (tint > bar) | (level > _BRIGHTER) | (level < -_DARKER)
    scale = _scale(table) / _CELL
    joined = cv2.morphologyEx(
        unlike.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale / 2)
    )
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _disc(4.0 * scale))
    ways = np.zeros((size[1], size[0]), dtype=np.uint8)
    for arm in found:
        at = table.camera.project(np.array([[arm.at.x_mm, arm.at.y_mm, 0.0]]))[0] / _CELL
        reach = max(arm.width_mm / 2 + 6.0, 20.0) * scale
        cv2.circle(ways, (int(at[0]), int(at[1])), int(reach), 1, -1)
    whole = np.maximum(np.asarray(opened, dtype=np.uint8), ways)
    _, labels = cv2.connectedComponents(whole, connectivity=8)
    kept = np.isin(labels, np.unique(labels[ways > 0])) & (whole > 0)
    solid = cv2.morphologyEx(kept.astype(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale))
    full = _filled(np.asarray(solid, dtype=np.uint8))
    wide = cv2.dilate(full, _disc(_MARGIN_MM * scale))
    return np.asarray(cv2.resize(wide, (width, height), interpolation=cv2.INTER_NEAREST) > 0)


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    full = np.zeros_like(mask)
    cv2.drawContours(full, outlines, -1, 1, -1)
    return full


def _disc(radius_px: float) -> NDArray[np.uint8]:
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)))


def _scale(table: Table) -> float:
    """Pixels per millimetre at the surface's middle."""
    at = table.camera.project(np.array([[-50.0, 0, 0], [50, 0, 0], [0, -50, 0], [0, 50, 0]]))
    return float((np.hypot(*(at[1] - at[0])) + np.hypot(*(at[3] - at[2]))) / 200)
