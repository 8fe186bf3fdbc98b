"""Pieces and lines as they were measured, where they show in the camera's picture."""

from collections.abc import Iterable

import numpy as np

from calibration.table import Table
from rules.board import PieceSpec
from rules.facts import Settled
from rules.geometry import Point
from rules.rulings import Ruling
from web.study import Outline, Overlay, Spot

_CORNERS = 28
_FOCUS_MM = 60.0


def overlay_of(table: Table, ruling: Ruling, board: Settled, words: str) -> Overlay:
    """Return what `board` looked like through the table's camera, with what the ruling is about.

    Tops and holes are drawn at the height of the tops, lines on the surface.
    """
    specs = {(spec.kind, spec.colour): spec for spec in table.board.pieces}
    named = set(ruling.pieces)
    question = ruling.question
    if question is not None and question.piece is not None:
        named.add(question.piece)
    outlines: list[Outline] = []
    wanted_line = None if question is None else question.line
    for id, painted in table.painted.items():
        if id == wanted_line or wanted_line is None:
            points = [(x, y, 0.0) for x, y in painted.centre_mm]
            outlines.append(
                Outline(kind="line", name=id, points=_seen(table, points), named=id == wanted_line)
            )
    focus_mm: tuple[float, float, float] | None = None
    for piece in board.pieces:
        spec = specs.get((piece.kind, piece.colour))
        if spec is None:
            continue
        is_named = piece.name in named
        for kind, radius_mm in _rings(spec):
            circle = _circle(piece.at, radius_mm, spec.thickness_mm)
            outlines.append(
                Outline(kind=kind, name=piece.name, points=_seen(table, circle), named=is_named)
            )
        if is_named and focus_mm is None:
            focus_mm = (piece.at.x_mm, piece.at.y_mm, spec.thickness_mm)
    if question is not None and question.at is not None:
        focus_mm = (question.at.x_mm, question.at.y_mm, 0.0)
    if focus_mm is None:
        return Overlay(outlines=tuple(outlines), words=words)
    x, y, z = focus_mm
    middle, left, right = _seen(
        table, [focus_mm, (x - _FOCUS_MM / 2, y, z), (x + _FOCUS_MM / 2, y, z)]
    )
    return Overlay(outlines=tuple(outlines), focus=middle, reach=abs(right.x - left.x), words=words)


def _rings(spec: PieceSpec) -> Iterable[tuple[str, float]]:
    yield "piece", spec.diameter_mm / 2
    if spec.hole_mm > 0:
        yield "hole", spec.hole_mm / 2


def _circle(at: Point, radius_mm: float, z_mm: float) -> list[tuple[float, float, float]]:
    turns = np.linspace(0.0, 2 * np.pi, _CORNERS, endpoint=False)
    return [
        (at.x_mm + radius_mm * float(np.cos(t)), at.y_mm + radius_mm * float(np.sin(t)), z_mm)
        for t in turns
    ]


def _seen(table: Table, points_mm: list[tuple[float, float, float]]) -> tuple[Spot, ...]:
    """Return board points as fractions of the picture's width and height."""
    lens = table.camera.lens
    found = table.camera.project(np.array(points_mm)).reshape(-1, 2)
    return tuple(Spot(float(u) / lens.width, float(v) / lens.height) for u, v in found)
