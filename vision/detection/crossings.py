"""Where an arm crosses the border: what reaches over the surface has to come from outside.

Shadows, lamps and lights that change darken and brighten the surface in patches as large as a hand;
none of them also covers the border and the floor beside it at the same place. So three rings are
looked at along the table's edge: just inside the surface, on top of the border, and beside the
table. In each, a station stands out where it differs from the empty picture otherwise than the
stations around it do: the light may change, even by strips, but not by an arm's breadth. An arm or
a sleeve stands out in all three over an arm's breadth; a cue stick is too thin for it, a piece
stands on the surface only, a gleam on the border lies on the border only. A sleeve may be as grey
as the floor: where it plainly stands out from the border, less is asked of the floor.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import median_filter

from calibration.camera import Floats
from calibration.silhouette import Floats32
from calibration.table import Table
from rules.geometry import Point, Seat
from vision.frame import Picture
from vision.strikers import has_cues

STEP_MM = 4.0
_AROUND = int(300.0 / STEP_MM)  # stations of a side that tell how the light has changed there
_STANDS_OUT = 0.25  # natural logarithm of a ratio of codes, in the channel that changed most
_TINTED = 0.06  # of that, with all channels made as bright: no shadow and no gleam does it
_TINTED_CODES = 6.0  # and so many of them, for cameras code colours coarsely
_PLAINLY = 0.5  # so plainly on the border, what hardly stands out beside it goes on there
_OVER = 0.07  # inside the surface, where a hand on bare wood hardly stands out
_LEAST_MM = 28.0  # a few fingers side by side
_LEAST_BY_CUES_MM = 44.0  # broader than a cue stick with its shadow, narrower than a wrist
_STICK_MM = 8.0
_INSIDE_MM, _INSIDE_BY_CUES_MM = 12.0, 40.0  # a fingertip; more than a cue and its shadow
_BESIDE_MM = 20.0
_DARK = 6.0  # codes added before ratios are taken: noise must not count where all is black
_DIM = 32.0  # codes: what is darker has to differ as much as what is so bright
_ASIDE, _ROWS = 6, 3  # stations to either side of a run, and rows that tell how it lies
_ACROSS = tuple(np.linspace(0.15, 0.85, 8).tolist())  # of the border's width
_FORESHORE_MM = (3, 7, 11, 15, 19, 24, 29, 35)
_NEAR = 3  # of these: as far in as fingers may reach whose hand is on the border
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
    inside: Floats32
    border: Floats32
    beside: Floats32
    side: NDArray[np.intp]

    def points(self, ring: str) -> Floats32:
        """(N, K, 2) of the ring that has this name."""
        rings = {"inside": self.inside, "border": self.border, "beside": self.beside}
        return rings[ring]

    @property
    def sides(self) -> list[slice]:
        """The stations of each side."""
        ends = np.searchsorted(self.side, range(len(_SIDES) + 1)).tolist()
        return [slice(first, after) for first, after in pairwise(ends)]


def edge_of(table: Table) -> Edge:
    """The stations of `table`, from its memo where they have been asked for before."""
    kept = table.memo.get("edge")
    if isinstance(kept, Edge):
        return kept
    edge = _edge(table)
    table.memo["edge"] = edge
    return edge


class AtEdge:
    """What a picture shows along the edge of `table`, softened a little: read when asked for, once.

    `picture` hands it out, (H, W, 3) BGR, each time it is read of.
    """

    def __init__(self, picture: Callable[[], Picture], table: Table) -> None:
        self.table = table
        self._picture = picture
        self._rings: dict[str, list[Floats32]] = {}

    def ring(self, name: str) -> list[Floats32]:
        """(N, K, 3) for each side; `name`: "inside", "border" or "beside", as in `Edge`."""
        if name not in self._rings:
            edge, picture = edge_of(self.table), self._picture()
            points = edge.points(name)
            self._rings[name] = [_softened_at(picture, points[side]) for side in edge.sides]
        return self._rings[name]


_StandsOut = Callable[[AtEdge, AtEdge], NDArray[np.bool_]]  # where the first does from the other


def crossings(picture: Picture, table: Table) -> tuple[Crossing, ...]:
    """Every arm that reaches over the border in a picture (H, W, 3), BGR."""
    return crossings_at(AtEdge(lambda: picture, table))


def crossings_at(seen: AtEdge) -> tuple[Crossing, ...]:
    """`crossings` of a picture of which others may be asked, too."""
    return _arms(seen, _bare(seen.table))


def crossings_since(before: AtEdge, seen: AtEdge) -> tuple[Crossing, ...]:
    """Every arm that reaches over the border in one of two pictures and not in the other.

    In the light of one minute an arm stands out better than from the empty picture: the gleam on
    the border is the same, and so is the light's colour. Of an arm that is as bright as the gleam
    that tells, where no cue is: pictures are coded so that its colour spreads beyond its edge.
    """
    return _arms(seen, before, border=_on_border if has_cues(seen.table.board) else _new_on_border)


def reaching_over(picture: Picture, table: Table) -> tuple[Crossing, ...]:
    """All that reaches over the border, thin as a cue stick too."""
    seen = AtEdge(lambda: picture, table)
    return _crossings(seen, _bare(table), _STICK_MM, _STICK_MM, _STICK_MM)


def _on_border(seen: AtEdge, bare: AtEdge) -> NDArray[np.bool_]:
    """(N, K) what stands out on the border."""
    return _out(seen, bare, "border", _STANDS_OUT)


def _new_on_border(seen: AtEdge, before: AtEdge) -> NDArray[np.bool_]:
    """(N, K) what stands out on the border from what it was a moment ago, if by its colour only."""
    sides = zip(seen.ring("border"), before.ring("border"), strict=True)
    tinted = [
        stands_out(_as_bright(now, then), then, _TINTED, codes=_TINTED_CODES) for now, then in sides
    ]
    return _on_border(seen, before) | np.concatenate(tinted)


def _as_bright(now: Floats32, then: Floats32) -> Floats32:
    """(N, K, 3) `now` in as much light as `then`: only the colours differ."""
    light = (then + _DARK).sum(axis=-1, keepdims=True) / (now + _DARK).sum(axis=-1, keepdims=True)
    return np.asarray((now + _DARK) * light - _DARK, dtype=np.float32)


def _arms(seen: AtEdge, bare: AtEdge, *, border: _StandsOut = _on_border) -> tuple[Crossing, ...]:
    """What is as broad as an arm or fingers side by side."""
    if not has_cues(seen.table.board):
        return _crossings(seen, bare, _LEAST_MM, _INSIDE_MM, _BESIDE_MM, border=border)
    return _crossings(
        seen,
        bare,
        _LEAST_BY_CUES_MM,
        _INSIDE_BY_CUES_MM,
        _BESIDE_MM,
        reached=_reached_by_fingers,
        border=border,
    )


def _reached(seen: AtEdge, bare: AtEdge) -> NDArray[np.bool_]:
    """(N,) stations where something reaches in over the surface."""
    return np.asarray(_share(seen, bare, "inside", _OVER) > 0.4)


def _reached_by_fingers(seen: AtEdge, bare: AtEdge) -> NDArray[np.bool_]:
    """(N,) as `_reached`, if by little: a hand that bridges a cue beside it stays on the border."""
    near = _out(seen, bare, "inside", _OVER)[:, :_NEAR].mean(axis=1) > 0.6
    return np.asarray(_reached(seen, bare) | near)


def _crossings(
    seen: AtEdge,
    bare: AtEdge,
    least_mm: float,
    inside_mm: float,
    beside_mm: float,
    *,
    reached: _StandsOut = _reached,
    border: _StandsOut = _on_border,
) -> tuple[Crossing, ...]:
    """What stands out from `bare` in all three rings."""
    edge = edge_of(seen.table)
    out = border(seen, bare)
    share = _share_of(out, edge.border, seen.table)
    runs = [run for run in _runs(share > 0.6) if (run[1] - run[0]) * STEP_MM >= least_mm]
    if has_cues(seen.table.board):
        runs = [run for run in runs if _across_mm(out, run, seen.table) >= least_mm]
    if not runs:
        return ()
    inside = reached(seen, bare)
    beside = _share(seen, bare, "beside", _STANDS_OUT) > 0.5
    plain = _share(seen, bare, "border", _PLAINLY) > 0.6
    faintly = _share(seen, bare, "beside", _OVER) > 0.5  # such as a grey sleeve over a grey floor
    found = []
    for first, after in runs:
        width = float((after - first) * STEP_MM)
        near = slice(max(first - 6, 0), after + 6)
        around = slice(max(first - 20, 0), after + 20)
        plainly = plain[first:after].sum() * STEP_MM >= least_mm
        goes_on = (faintly if plainly else beside)[around]
        if inside[near].sum() * STEP_MM >= inside_mm and goes_on.sum() * STEP_MM >= beside_mm:
            middle = (first + after) // 2
            x, y = edge.at[middle]
            at = Point(float(x), float(y))
            found.append(Crossing(side=_SIDES[edge.side[middle]], at=at, width_mm=width))
    return tuple(found)


def _edge(table: Table) -> Edge:
    board = table.board
    half = (board.width_mm / 2, board.height_mm / 2)
    across = np.array(_ACROSS) * board.border_width_mm
    rings: dict[str, list[Floats32]] = {"inside": [], "border": [], "beside": []}
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


def _bare(table: Table) -> AtEdge:
    """The empty picture; kept in the table's memo."""
    kept = table.memo.get("empty, at its edge")
    if isinstance(kept, AtEdge):
        return kept
    bare = AtEdge(lambda: table.empty, table)
    table.memo["empty, at its edge"] = bare
    return bare


def _across_mm(out: NDArray[np.bool_], run: tuple[int, int], table: Table) -> float:
    """How broad what stands out from station to station of a `run` is, across its own way.

    A cue stick that lies aslant crosses more of the border than it is broad. `out` is (N, K).
    """
    first, after = max(run[0] - _ASIDE, 0), run[1] + _ASIDE
    part = out[first:after]
    count = part.sum(axis=0)
    width = (run[1] - run[0]) * STEP_MM
    seen = count > 0
    if seen.sum() < _ROWS:
        return width
    along = STEP_MM * np.arange(len(part)) @ part[:, seen] / count[seen]
    depth = np.array(_ACROSS)[seen] * table.board.border_width_mm
    slant = np.polyfit(depth, along, 1, w=count[seen])[0]
    return float(width / np.hypot(1.0, slant))


def _share(seen: AtEdge, bare: AtEdge, ring: str, least: float) -> Floats:
    """(N,) share of each station's points in a ring that stand out from `bare` by `least`."""
    points = edge_of(seen.table).points(ring)
    return _share_of(_out(seen, bare, ring, least), points, seen.table)


def _out(seen: AtEdge, bare: AtEdge, ring: str, least: float) -> NDArray[np.bool_]:
    """(N, K) where the points of a ring stand out."""
    sides = zip(seen.ring(ring), bare.ring(ring), strict=True)
    return np.concatenate([stands_out(now, then, least) for now, then in sides])


def _share_of(out: NDArray[np.bool_], points: Floats32, table: Table) -> Floats:
    """(N,) share of the points (N, K, 2) of each station that stand out; 1 where few are seen."""
    lens = table.camera.lens
    inside = ((points > 2) & (points < (lens.width - 3, lens.height - 3))).all(axis=-1)
    count = inside.sum(axis=1)
    return np.where(count >= 4, (out & inside).sum(axis=1) / np.maximum(count, 1), 1.0)


def stands_out(
    now: Floats32, then: Floats32, least: float, *, codes: float | None = None
) -> NDArray[np.bool_]:
    """(N, K) where `now` differs from `then`, both (N, K, 3), otherwise than the stations around.

    `least` is the natural logarithm of a ratio of codes, in the channel that differs most. Where a
    channel is all but dark, the coding of colours alone makes large ratios: it must differ by so
    many `codes`, too.
    """
    codes = least * _DIM if codes is None else codes
    ratio = np.log((now + _DARK) / (then + _DARK))
    rows = np.ascontiguousarray(ratio.reshape(len(ratio), -1).T)
    out = np.zeros(rows.shape, dtype=np.bool_)
    # what differs by no more from end to end is nowhere farther from its middle
    uneven = np.flatnonzero(rows.max(axis=1) - rows.min(axis=1) > least)
    if len(uneven):
        usual = _run_medians(rows[uneven])
        out[uneven] = np.abs(rows[uneven] - usual) > least
        lit = np.exp(usual) * (then.reshape(len(then), -1).T[uneven] + _DARK) - _DARK
        out[uneven] &= np.abs(now.reshape(len(now), -1).T[uneven] - lit) > codes
    return np.asarray(out.T.reshape(ratio.shape).any(axis=-1), dtype=np.bool_)


def _run_medians(rows: Floats32) -> Floats32:
    """(M, N) medians along each row, of all rows as one: SciPy takes longer to be called."""
    beyond = min(_AROUND, rows.shape[1] - 1) // 2
    medians = median_filter(rows.ravel(), size=2 * beyond + 1).reshape(rows.shape)
    # near a corner the same stations tell: mirrored there, an arm would count twice
    medians[:, :beyond] = medians[:, beyond : beyond + 1]
    medians[:, -beyond:] = medians[:, -beyond - 1 : -beyond]
    return np.asarray(medians, dtype=np.float32)


def _softened_at(picture: Picture, points: Floats32) -> Floats32:
    """(N, K, 3) values of a picture, a little softened, at (N, K, 2) points.

    Only the part of it in which the points lie is softened.
    """
    low = np.floor(points.reshape(-1, 2).min(axis=0)).astype(int) - _BLUR_PX
    high = np.ceil(points.reshape(-1, 2).max(axis=0)).astype(int) + _BLUR_PX + 1
    left, top = np.clip(low, 0, (picture.shape[1] - 1, picture.shape[0] - 1)).tolist()
    right, bottom = np.maximum(high, (left + 1, top + 1)).tolist()
    part = picture[top:bottom, left:right]
    if bottom - top > right - left:  # many short rows take OpenCV three times as long
        soft = cv2.transpose(cv2.GaussianBlur(cv2.transpose(part), (0, 0), 1.5))
    else:
        soft = cv2.GaussianBlur(part, (0, 0), 1.5)
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
