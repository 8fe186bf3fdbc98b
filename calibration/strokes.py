"""The board's drawn lines cut into straight strokes and arcs, and these into short stretches.

A stretch is short enough that one offset describes how far the paint lies from where it is drawn.
The outlines of printed markers are strokes too, each an edge between black and white.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from calibration.camera import Camera, Floats
from calibration.landmarks import marker_corners
from rules.board import Board, Line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stroke:
    """One straight side or one arc of a drawn line, from `begin_mm` to `end_mm` of arc length.

    `line` is the number of its line on the board, or -1 - n for an edge of marker n, which lies at
    height `z_mm`; an edge has the dark side on its left. A straight stroke starts at `start` and
    runs along `along` (unit vector); an arc has its `centre` and `radius_mm`, arc length counted
    from the x axis counter-clockwise. The normal points to the left of a straight stroke and
    outwards on an arc.
    """

    line: int
    width_mm: float
    begin_mm: float
    end_mm: float
    start: Floats | None = None
    along: Floats | None = None
    centre: Floats | None = None
    radius_mm: float = 0.0
    z_mm: float = 0.0

    @property
    def is_edge(self) -> bool:
        return self.line < 0

    def at(self, s_mm: Floats, offset_mm: Floats | float = 0.0) -> Floats:
        """(N, 2) places at arc lengths `s_mm` (N,), moved by `offset_mm` along the normal."""
        reach = np.asarray(offset_mm, dtype=np.float64).reshape(-1, 1)
        if self.start is not None and self.along is not None:
            left = np.array([-self.along[1], self.along[0]])
            return np.asarray(self.start + s_mm[:, None] * self.along + reach * left)
        assert self.centre is not None
        turn = s_mm / self.radius_mm
        out = np.column_stack([np.cos(turn), np.sin(turn)])
        return np.asarray(self.centre + out * (self.radius_mm + reach))


def strokes_of(board: Board) -> tuple[Stroke, ...]:
    """Every stroke of every drawn line; circles are cut to the surface."""
    found: list[Stroke] = []
    for number, line in enumerate(board.lines):
        found += _arcs(number, line, board) if line.radius_mm else _sides(number, line)
    return tuple(found)


def marker_edges(board: Board, numbers: Iterable[int]) -> tuple[Stroke, ...]:
    """The four outer edges of the black squares of the markers with these numbers on the board."""
    found = []
    for number in numbers:
        mark = board.fiducials[number]
        corners = marker_corners(mark)[[0, 3, 2, 1, 0], :2]
        cell = mark.size_mm / 6
        for a, b in pairwise(corners):
            along = (b - a) / mark.size_mm
            found.append(
                Stroke(
                    line=-1 - number,
                    width_mm=cell,
                    begin_mm=cell,
                    end_mm=mark.size_mm - cell,
                    start=a,
                    along=along,
                    z_mm=mark.z_mm,
                )
            )
    return tuple(found)


def _sides(number: int, line: Line) -> list[Stroke]:
    corners = np.array([(p.x_mm, p.y_mm) for p in line.points])
    sides = []
    for a, b in pairwise(corners):
        length = float(np.hypot(*(b - a)))
        if length > 1e-6:
            sides.append(
                Stroke(
                    line=number,
                    width_mm=line.width_mm,
                    begin_mm=0.0,
                    end_mm=length,
                    start=a,
                    along=(b - a) / length,
                )
            )
    return sides


def _arcs(number: int, line: Line, board: Board) -> list[Stroke]:
    assert line.centre is not None
    assert line.radius_mm is not None
    centre = np.array([line.centre.x_mm, line.centre.y_mm])
    whole = 2 * np.pi * line.radius_mm
    s = np.linspace(0, whole, 1441)
    ring = Stroke(
        line=number,
        width_mm=line.width_mm,
        begin_mm=0.0,
        end_mm=whole,
        centre=centre,
        radius_mm=line.radius_mm,
    )
    places = ring.at(s)
    half = np.array([board.width_mm, board.height_mm]) / 2
    inside = np.all(np.abs(places) <= half, axis=1)
    if inside.all():
        return [ring]
    arcs = []
    starts = np.flatnonzero(inside[:-1] & ~np.roll(inside[:-1], 1))
    for first in starts:
        last = int(first)
        while inside[(last + 1) % 1440]:
            last += 1
        arcs.append(
            Stroke(
                line=number,
                width_mm=line.width_mm,
                begin_mm=float(s[first]),
                end_mm=float(last * whole / 1440),
                centre=centre,
                radius_mm=line.radius_mm,
            )
        )
    return arcs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stretches:
    """K stretches: `stroke` (K,) number of the stroke, `begin_mm`, `s_mm`, `end_mm` (K,) where on
    it, `room_mm` (K,) how far to either side nothing else is drawn."""

    strokes: tuple[Stroke, ...]
    stroke: NDArray[np.int64]
    begin_mm: Floats
    s_mm: Floats
    end_mm: Floats
    room_mm: Floats

    def __len__(self) -> int:
        return len(self.stroke)

    @property
    def line(self) -> NDArray[np.int64]:
        """(K,) number of the line each stretch is part of; negative on markers."""
        return np.array([s.line for s in self.strokes], dtype=np.int64)[self.stroke]

    @property
    def width_mm(self) -> Floats:
        """(K,) drawn widths."""
        return np.array([s.width_mm for s in self.strokes], dtype=np.float64)[self.stroke]

    def pick(self, which: NDArray[np.int64]) -> "Stretches":
        """These stretches only."""
        return Stretches(
            strokes=self.strokes,
            stroke=self.stroke[which],
            begin_mm=self.begin_mm[which],
            s_mm=self.s_mm[which],
            end_mm=self.end_mm[which],
            room_mm=self.room_mm[which],
        )

    def places(self, s_mm: Floats, offset_mm: Floats | float = 0.0) -> Floats:
        """(K, 3) places at arc length `s_mm` (K,), each on its own stroke."""
        shift = np.broadcast_to(np.asarray(offset_mm, dtype=np.float64), s_mm.shape)
        out = np.empty((len(s_mm), 3))
        for number, stroke in enumerate(self.strokes):
            mine = self.stroke == number
            if mine.any():
                out[mine, :2] = stroke.at(s_mm[mine], shift[mine])
                out[mine, 2] = stroke.z_mm
        return out


def stretches_of(
    board: Board, camera: Camera, markers: Iterable[int] = (), length_px: float = 12.0
) -> Stretches:
    """Cut the board's strokes into stretches about `length_px` long as `camera` sees them.

    `markers` are the numbers of the markers on the board whose edges are wanted too.
    """
    strokes = strokes_of(board) + marker_edges(board, markers)
    number: list[int] = []
    begin: list[float] = []
    end: list[float] = []
    for n, stroke in enumerate(strokes):
        ends = stroke.at(np.linspace(stroke.begin_mm, stroke.end_mm, 33))
        seen = camera.project(np.column_stack([ends, np.full(33, stroke.z_mm)]))
        length = float(np.sum(np.hypot(*np.diff(seen, axis=0).T)))
        if stroke.radius_mm:
            arc = length * stroke.radius_mm / (stroke.end_mm - stroke.begin_mm)
            count = max(2, int(length / min(length_px, 0.5 * arc)))
        else:
            count = max(1, int(length / length_px))
        cuts = np.linspace(stroke.begin_mm, stroke.end_mm, count + 1)
        number += [n] * count
        begin += cuts[:-1].tolist()
        end += cuts[1:].tolist()
    made = Stretches(
        strokes=strokes,
        stroke=np.array(number, dtype=np.int64),
        begin_mm=np.array(begin),
        s_mm=(np.array(begin) + np.array(end)) / 2,
        end_mm=np.array(end),
        room_mm=np.zeros(len(number)),
    )
    made.room_mm[:] = _room(made, board)
    return made


def _room(cut: Stretches, board: Board) -> Floats:
    """How far from each stretch's centre line the nearest other ink, pocket or cushion is."""
    drawn = [n for n, s in enumerate(cut.strokes) if not s.is_edge]
    room = 0.8 * cut.width_mm
    here = np.isin(cut.stroke, drawn)
    if not here.any():
        return room
    room[here] = 1e9
    ends = (cut.begin_mm, cut.s_mm, cut.end_mm)
    spots = np.stack([cut.places(s)[:, :2] for s in ends], axis=1)
    for other in drawn:
        stroke = cut.strokes[other]
        count = 2 + int((stroke.end_mm - stroke.begin_mm) / 0.8)
        ink = cKDTree(stroke.at(np.linspace(stroke.begin_mm, stroke.end_mm, count)))
        theirs = np.flatnonzero(here & (cut.stroke != other))
        near = ink.query(spots[theirs], distance_upper_bound=60.0)[0].min(axis=1)
        room[theirs] = np.minimum(room[theirs], near - stroke.width_mm / 2)
    half = np.array([board.width_mm, board.height_mm]) / 2
    limit = np.min(half - np.abs(spots), axis=(1, 2)) - 3.0
    for pocket in board.pockets:
        centre = (pocket.centre.x_mm, pocket.centre.y_mm)
        gap = np.min(np.hypot(*np.moveaxis(spots - centre, -1, 0)), axis=1)
        limit = np.minimum(limit, gap - pocket.radius_mm - 2.0)
    room[here] = np.minimum(room, limit)[here]
    return np.asarray(room)
