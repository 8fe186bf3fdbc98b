"""The board's drawn lines cut into straight strokes and arcs, and these into short stretches.

A stretch is short enough that one offset describes how far the paint lies from where it is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from calibration.camera import Camera, Floats
from rules.board import Board, Line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stroke:
    """One straight side or one arc of a drawn line, from `begin_mm` to `end_mm` of arc length.

    `line` is the number of its line on the board. A straight stroke starts at `start` and runs
    along `along` (unit vector); an arc has its `centre` and `radius_mm`, arc length counted from
    the x axis counter-clockwise. The normal points to the left of a straight stroke and outwards on
    an arc.
    """

    line: int
    width_mm: float
    begin_mm: float
    end_mm: float
    start: Floats | None = None
    along: Floats | None = None
    centre: Floats | None = None
    radius_mm: float = 0.0

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


def _sides(number: int, line: Line) -> list[Stroke]:
    corners = np.array([(p.x_mm, p.y_mm) for p in line.points])
    sides = []
    for a, b in zip(corners[:-1], corners[1:], strict=True):
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
    """K stretches: `stroke` (K,) number of the stroke, `begin_mm`, `s_mm`, `end_mm` (K,) where on it,
    `room_mm` (K,) how far to either side nothing else is drawn."""

    strokes: tuple[Stroke, ...]
    stroke: np.ndarray
    begin_mm: Floats
    s_mm: Floats
    end_mm: Floats
    room_mm: Floats

    def __len__(self) -> int:
        return len(self.stroke)

    def places(self, s_mm: Floats, offset_mm: Floats | float = 0.0) -> Floats:
        """(K, 2) places at arc length `s_mm` (K,), each on its own stroke."""
        shift = np.broadcast_to(np.asarray(offset_mm, dtype=np.float64), s_mm.shape)
        out = np.empty((len(s_mm), 2))
        for number, stroke in enumerate(self.strokes):
            mine = self.stroke == number
            if mine.any():
                out[mine] = stroke.at(s_mm[mine], shift[mine])
        return out


def stretches_of(board: Board, camera: Camera, length_px: float = 12.0) -> Stretches:
    """Cut the board's strokes into stretches about `length_px` long as `camera` sees them."""
    strokes = strokes_of(board)
    number: list[int] = []
    begin: list[float] = []
    end: list[float] = []
    for n, stroke in enumerate(strokes):
        ends = stroke.at(np.linspace(stroke.begin_mm, stroke.end_mm, 33))
        seen = camera.project(np.column_stack([ends, np.zeros(33)]))
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
    room = np.full(len(cut), 1e9)
    if not len(cut):
        return room
    ink = [
        s.at(np.linspace(s.begin_mm, s.end_mm, 2 + int((s.end_mm - s.begin_mm) / 0.8)))
        for s in cut.strokes
    ]
    spots: Sequence[Floats] = [cut.places(s) for s in (cut.begin_mm, cut.s_mm, cut.end_mm)]
    for other, cloud in enumerate(ink):
        theirs = cut.stroke != other
        near = np.min([cKDTree(cloud).query(spot[theirs])[0] for spot in spots], axis=0)
        room[theirs] = np.minimum(room[theirs], near - cut.strokes[other].width_mm / 2)
    half = np.array([board.width_mm, board.height_mm]) / 2
    for spot in spots:
        room = np.minimum(room, np.min(half - np.abs(spot), axis=1) - 3.0)
        for pocket in board.pockets:
            gap = np.hypot(spot[:, 0] - pocket.centre.x_mm, spot[:, 1] - pocket.centre.y_mm)
            room = np.minimum(room, gap - pocket.radius_mm - 2.0)
    return np.asarray(room)
