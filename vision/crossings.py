"""Where an arm crosses the border: what reaches over the surface has to come from outside.

Shadows, lamps and lights that change darken and brighten the surface in patches as large as a hand;
none of them also covers the border and the floor beside it at the same place. So three rings are
looked at along the table's edge: just inside the surface, on top of the border, and beside the
table. In each, a station stands out where it differs from the empty picture otherwise than the
stations around it do: the light may change, even by strips, but not by an arm's breadth. An arm or
a sleeve stands out in all three over an arm's breadth; a cue stick is too thin for it, a piece
stands on the surface only, a gleam on the border lies on the border only.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from calibration.camera import Floats
from calibration.table import Table
from rules.geometry import Point, Seat
from vision.frame import Picture

STEP_MM = 4.0
_AROUND_MM = 300.0  # the stretch of a side that tells how the light has changed there
_STANDS_OUT = 0.25  # natural logarithm of a ratio of codes, in the channel that changed most
_OVER = 0.07  # inside the surface, where a hand on bare wood hardly stands out
_LEAST_MM = 28.0  # a few fingers side by side
_LEAST_BY_CUES_MM = 44.0  # broader than a cue stick with its shadow, narrower than a wrist
_CUED = ("cue-puck", "cue-ball")
_STICK_MM = 8.0
_INSIDE_MM = 12.0  # a fingertip
_BESIDE_MM = 20.0
_DARK = 6.0  # codes added before ratios are taken: noise must not count where all is black
_FORESHORE_MM = (3, 7, 11, 15, 19, 24, 29, 35)
_BEYOND_MM = (8, 14, 20, 26, 32, 38, 44, 50)
_BLUR_PX = 8  # so far what is softened spreads, with room to spare
_SIDES = (Seat.S, Seat.E, Seat.N, Seat.W)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """An arm's way over the border on one `side`: `at`, on the surface's edge, is its middle."""

    side: Seat
    at: Point
    width_mm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edge:
    """The stations along the table's edge, side by side: S to E to N to W.

    `at` (N, 2) on the surface's edge, in mm; `inside`, `border`, `beside` (N, K, 2) are picture
    points; `side` (N,) is the number of each station's side.
    """

    at: Floats
    inside: NDArray[np.float32]
    border: NDArray[np.float32]
    beside: NDArray[np.float32]
    side: NDArray[np.intp]


def edge_of(table: Table) -> Edge:
    """The stations of `table`, from its memo where they have been asked for before."""
    kept = table.memo.get("edge")
    if isinstance(kept, Edge):
        return kept
    edge = _edge(table)
    table.memo["edge"] = edge
    return edge


def crossings(picture: Picture, table: Table) -> tuple[Crossing, ...]:
    """Every arm that reaches over the border in a picture (H, W, 3), BGR."""
    return _crossings(picture, table, _arm_mm(table), _INSIDE_MM, _BESIDE_MM)


def crossings_since(before: Picture, picture: Picture, table: Table) -> tuple[Crossing, ...]:
    """Every arm that reaches over the border in one of two pictures (H, W, 3) and not in the other.

    In the light of one minute an arm stands out better than from the empty picture: the gleam on
    the border is the same.
    """
    return _crossings(picture, table, _arm_mm(table), _INSIDE_MM, _BESIDE_MM, before)


def reaching_over(picture: Picture, table: Table) -> tuple[Crossing, ...]:
    """All that reaches over the border, thin as a cue stick too."""
    return _crossings(picture, table, _STICK_MM, _STICK_MM, _STICK_MM)


def _arm_mm(table: Table) -> float:
    cues = any(piece.kind in _CUED for piece in table.board.pieces)
    return _LEAST_BY_CUES_MM if cues else _LEAST_MM


def _crossings(
    picture: Picture,
    table: Table,
    least_mm: float,
    inside_mm: float,
    beside_mm: float,
    before: Picture | None = None,
) -> tuple[Crossing, ...]:
    """What stands out from the empty picture, or from that of `before`, in all three rings."""
    edge = edge_of(table)

    def share(ring: str, points: NDArray[np.float32], least: float) -> Floats:
        bare = _bare(table, ring, points) if before is None else _softened_at(before, points)
        return _share(picture, bare, points, edge.side, least)

    border = share("border", edge.border, _STANDS_OUT)
    runs = [run for run in _runs(border > 0.6) if (run[1] - run[0]) * STEP_MM >= least_mm]
    if not runs:
        return ()
    inside = share("inside", edge.inside, _OVER)
    beside = share("beside", edge.beside, _STANDS_OUT)
    found = []
    for first, after in runs:
        width = float((after - first) * STEP_MM)
        near = slice(max(first - 6, 0), after + 6)
        around = slice(max(first - 20, 0), after + 20)
        if (inside[near] > 0.4).sum() * STEP_MM >= inside_mm and (
            beside[around] > 0.5
        ).sum() * STEP_MM >= beside_mm:
            middle = (first + after) // 2
            x, y = edge.at[middle]
            at = Point(float(x), float(y))
            found.append(Crossing(side=_SIDES[edge.side[middle]], at=at, width_mm=width))
    return tuple(found)


def _edge(table: Table) -> Edge:
    board = table.board
    half = (board.width_mm / 2, board.height_mm / 2)
    across = np.linspace(0.15, 0.85, 8) * board.border_width_mm
    rings: dict[str, list[NDArray[np.float32]]] = {"inside": [], "border": [], "beside": []}
    places, sides = [], []
    for number, (axis, sign) in enumerate(((1, -1.0), (0, 1.0), (1, 1.0), (0, -1.0))):
        count = int(2 * half[1 - axis] / STEP_MM)
        along = (np.arange(count) + 0.5) * STEP_MM - half[1 - axis]
        if number > 1:
            along = along[::-1]
        for name, off, z in (
            ("inside", -np.array(_FORESHORE_MM, dtype=np.float64), 0.0),
            ("border", across, board.border_height_mm),
            ("beside", board.border_width_mm + np.array(_BEYOND_MM), board.border_height_mm),
        ):
            points = np.zeros((count, len(off), 3))
            points[:, :, 1 - axis] = along[:, None]
            points[:, :, axis] = sign * (half[axis] + off)[None]
            points[:, :, 2] = z
            px = table.camera.project(points.reshape(-1, 3)).reshape(count, len(off), 2)
            rings[name].append(px.astype(np.float32))
        at = np.zeros((count, 2))
        at[:, 1 - axis], at[:, axis] = along, sign * half[axis]
        places.append(at)
        sides.append(np.full(count, number, dtype=np.intp))
    return Edge(
        at=np.concatenate(places),
        inside=np.concatenate(rings["inside"]),
        border=np.concatenate(rings["border"]),
        beside=np.concatenate(rings["beside"]),
        side=np.concatenate(sides),
    )


def _bare(table: Table, ring: str, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """The empty picture, softened, at a ring's points; kept in the table's memo."""
    kept = table.memo.get(f"empty, softened {ring}")
    if isinstance(kept, np.ndarray):
        return kept
    bare = _softened_at(table.empty, points)
    table.memo[f"empty, softened {ring}"] = bare
    return bare


def _share(
    picture: Picture,
    bare: NDArray[np.float32],
    points: NDArray[np.float32],
    side: NDArray[np.intp],
    least: float,
) -> Floats:
    """(N,) share of each station's points that stand out from `bare` by `least`.

    1 where too few are seen.
    """
    height, width = picture.shape[:2]
    around = int(_AROUND_MM / STEP_MM)
    out = np.zeros(points.shape[:2], dtype=np.bool_)
    for number in range(4):
        mine = side == number
        ratio = np.log((_softened_at(picture, points[mine]) + _DARK) / (bare[mine] + _DARK))
        ratio -= _run_medians(ratio, around)
        out[mine] = np.abs(ratio).max(axis=-1) > least
    seen = ((points > 2) & (points < (width - 3, height - 3))).all(axis=-1)
    count = seen.sum(axis=1)
    return np.where(count >= 4, (out & seen).sum(axis=1) / np.maximum(count, 1), 1.0)


def _run_medians(ratio: NDArray[np.float32], around: int) -> NDArray[np.float32]:
    """(N, K, 3) medians along the first axis; SciPy is several times as fast at rows one by one."""
    rows = ratio.reshape(len(ratio), -1).T
    medians = [median_filter(row, size=around, mode="reflect") for row in rows]
    return np.stack(medians, axis=1).reshape(ratio.shape)


def _softened_at(picture: Picture, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, K, 3) values of a picture, a little softened, at (N, K, 2) points.

    Only the part of it in which the points lie is softened.
    """
    low = np.floor(points.reshape(-1, 2).min(axis=0)).astype(int) - _BLUR_PX
    high = np.ceil(points.reshape(-1, 2).max(axis=0)).astype(int) + _BLUR_PX + 1
    left, top = np.clip(low, 0, (picture.shape[1] - 1, picture.shape[0] - 1)).tolist()
    right, bottom = np.maximum(high, (left + 1, top + 1)).tolist()
    soft = cv2.GaussianBlur(picture[top:bottom, left:right], (0, 0), 1.5)
    near = points - np.array([left, top], dtype=np.float32)
    got = cv2.remap(
        soft,
        np.ascontiguousarray(near[:, :, 0]),
        np.ascontiguousarray(near[:, :, 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(got, dtype=np.float32)


def _runs(on: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First station and the one after the last of every run; a gap of one station is bridged."""
    bridged = on.copy()
    bridged[1:-1] |= on[:-2] & on[2:]
    steps = np.diff(np.concatenate([[0], bridged.astype(np.int8), [0]]))
    return list(zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True))
