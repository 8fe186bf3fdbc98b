"""The board as it was really painted: lines, and the zones they bound, moved to where they lie.

Only what lies clearly off its drawing is moved; a board painted as drawn comes back unchanged.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from calibration.camera import Floats
from calibration.paint import PaintedLine, course_of
from calibration.strokes import Stroke, strokes_of
from rules.board import Board, Line, Zone
from rules.geometry import Point

CLEARLY = 3.0
"""Standard deviations from which paint counts as lying off its drawing."""

WORTH_MM = 0.1
"""Paint closer to its drawing than this is left where it was drawn."""

_SAME_MM = 0.5


def board_as_painted(board: Board, painted: Mapping[str, PaintedLine]) -> Board:
    """`board` with lines and zones where `painted` found them."""
    strokes = strokes_of(board)
    lines = []
    moved: dict[int, Stroke] = {}
    for number, line in enumerate(board.lines):
        mine = [n for n, stroke in enumerate(strokes) if stroke.line == number]
        found = painted[line.id]
        if _worth_moving(found):
            courses = course_of([strokes[n] for n in mine], found)
            for n, (s, off, error) in zip(mine, courses, strict=True):
                moved[n] = _moved(strokes[n], s, off, error)
        now = [moved.get(n, strokes[n]) for n in mine]
        lines.append(replace(_redrawn(line, now), width_mm=found.width_mm))
    if not moved:
        same = all(a.width_mm == b.width_mm for a, b in zip(lines, board.lines, strict=True))
        return board if same else replace(board, lines=tuple(lines))
    zones = tuple(_rezoned(zone, board, strokes, moved) for zone in board.zones)
    return replace(board, lines=tuple(lines), zones=zones)


def _worth_moving(found: PaintedLine) -> bool:
    if not found.measured.any():
        return False
    off = np.abs(found.off_mm[found.measured])
    return bool(np.any((off > WORTH_MM) & (off > CLEARLY * found.error_mm[found.measured])))


def _moved(stroke: Stroke, s: Floats, off: Floats, error: Floats) -> Stroke:
    """The straight side or circle that fits the measured course best."""
    weight = 1 / error
    if stroke.along is not None and stroke.start is not None:
        length = stroke.end_mm - stroke.begin_mm
        design = np.column_stack([1 - s / length, s / length])
        answer = np.linalg.lstsq(design * weight[:, None], off * weight, rcond=None)[0]
        left = np.array([-stroke.along[1], stroke.along[0]])
        start = stroke.start + answer[0] * left
        end = stroke.start + length * stroke.along + answer[1] * left
        reach = float(np.hypot(*(end - start)))
        return replace(stroke, start=start, along=(end - start) / reach, end_mm=reach)
    assert stroke.centre is not None
    turn = s / stroke.radius_mm
    design = np.column_stack([np.cos(turn), np.sin(turn), np.ones_like(turn)])
    weak = np.diag([0.3, 0.3, 1.0])
    rows = np.concatenate([design * weight[:, None], weak])
    answer = np.linalg.lstsq(rows, np.concatenate([off * weight, np.zeros(3)]), rcond=None)[0]
    radius = stroke.radius_mm + float(answer[2])
    share = radius / stroke.radius_mm
    return replace(
        stroke,
        centre=stroke.centre + answer[:2],
        radius_mm=radius,
        begin_mm=stroke.begin_mm * share,
        end_mm=stroke.end_mm * share,
    )


def _redrawn(line: Line, strokes: list[Stroke]) -> Line:
    if line.radius_mm is not None:
        if not strokes:
            return line
        centre = strokes[0].centre
        assert centre is not None
        at = Point(float(centre[0]), float(centre[1]))
        return replace(line, centre=at, radius_mm=strokes[0].radius_mm)
    if len(strokes) != len(line.points) - 1:
        return line
    sides = [(_begin(s), s.along) for s in strokes]
    closed = len(line.points) > 3 and line.points[0] == line.points[-1]
    corners = [_meet(sides[n - 1], sides[n]) for n in range(1, len(sides))]
    first = _meet(sides[-1], sides[0]) if closed else _begin(strokes[0])
    last = first if closed else strokes[-1].at(np.array([strokes[-1].end_mm]))[0]
    return replace(line, points=tuple(_point(p) for p in [first, *corners, last]))


def _rezoned(
    zone: Zone, board: Board, strokes: tuple[Stroke, ...], moved: Mapping[int, Stroke]
) -> Zone:
    bounding = [
        n for n in moved if board.lines[strokes[n].line].id in zone.bounded_by
    ]  # only what is painted elsewhere
    if not bounding:
        return zone
    if zone.centre is not None and zone.radius_mm is not None:
        for n in bounding:
            was, now = strokes[n], moved[n]
            if was.centre is None or now.centre is None:
                continue
            gap = np.hypot(was.centre[0] - zone.centre.x_mm, was.centre[1] - zone.centre.y_mm)
            if gap < _SAME_MM and abs(was.radius_mm - zone.radius_mm) < _SAME_MM:
                return replace(zone, centre=_point(now.centre), radius_mm=now.radius_mm)
        return zone
    corners = np.array([(p.x_mm, p.y_mm) for p in zone.polygon])
    sides: list[tuple[Floats, Floats | None]] = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (a, (b - a) / max(float(np.hypot(*(b - a))), 1e-9))
        for n in bounding:
            if _lies_on(strokes[n], a, b):
                side = (_begin(moved[n]), moved[n].along)
        sides.append(side)
    met = [_meet(sides[n - 1], sides[n]) for n in range(len(sides))]
    return replace(zone, polygon=tuple(_point(p) for p in met))


def _lies_on(stroke: Stroke, a: Floats, b: Floats) -> bool:
    """Is the side from `a` to `b` drawn along this straight stroke?"""
    if stroke.along is None or stroke.start is None:
        return False
    left = np.array([-stroke.along[1], stroke.along[0]])
    if max(abs((a - stroke.start) @ left), abs((b - stroke.start) @ left)) > _SAME_MM:
        return False
    near, far = float((a - stroke.start) @ stroke.along), float((b - stroke.start) @ stroke.along)
    return min(max(near, far), stroke.end_mm) - max(min(near, far), 0.0) > 1.0


def _begin(stroke: Stroke) -> Floats:
    assert stroke.start is not None
    return stroke.start


def _meet(first: tuple[Floats, Floats | None], second: tuple[Floats, Floats | None]) -> Floats:
    """Where two sides cross; the second's beginning where they run the same way."""
    (p, u), (q, v) = first, second
    assert u is not None
    assert v is not None
    matrix = np.column_stack([u, -v])
    if abs(np.linalg.det(matrix)) < 0.02:
        return q
    return np.asarray(p + u * np.linalg.solve(matrix, q - p)[0])


def _point(at: Floats) -> Point:
    return Point(round(float(at[0]), 4), round(float(at[1]), 4))
