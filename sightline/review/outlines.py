"""Pieces and lines as they were measured, where they show in the camera's picture."""

from collections.abc import Iterable

import numpy as np

from calibration.table import Table
from rules.board import PieceSpec
from rules.facts import Batch, Emptied, Fact, Filled, Settled
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
    focus, reach = _focus(table, focus_mm)
    return Overlay(outlines=tuple(outlines), focus=focus, reach=reach, words=words)


def overlay_of_change(table: Table, fact: Fact) -> Overlay | None:
    """Return where a change on a lattice came about, None for a fact that is no such change.

    What came is outlined as it stands there, what went as the place on the surface.
    """
    specs = {(spec.kind, spec.colour): spec for spec in table.board.pieces}
    outlines: list[Outline] = []
    focus_mm: Point | None = None
    for part in fact.facts if isinstance(fact, Batch) else (fact,):
        if not isinstance(part, Filled | Emptied):
            continue
        at, spec = table.board.at(part.place), specs.get((part.kind, part.colour))
        if at is None or spec is None:
            continue
        came = isinstance(part, Filled)
        points = _footprint(spec, at, part.place, spec.thickness_mm if came else 0.0)
        kind = "piece" if came else "line"
        outlines.append(
            Outline(kind=kind, name=part.place, points=_seen(table, points), named=True)
        )
        focus_mm = at if focus_mm is None or came else focus_mm
    if focus_mm is None:
        return None
    focus, reach = _focus(table, (focus_mm.x_mm, focus_mm.y_mm, 0.0))
    return Overlay(outlines=tuple(outlines), focus=focus, reach=reach, words="as it came to rest")


def _footprint(
    spec: PieceSpec, at: Point, place: str, z_mm: float
) -> list[tuple[float, float, float]]:
    """Return the outline of a piece seated on a place: a disc, or a stick along its edge."""
    if spec.length_mm <= 0:
        return _circle(at, spec.diameter_mm / 2, z_mm)
    along, across = spec.length_mm / 2, spec.diameter_mm / 2
    half_x, half_y = (across, along) if place.startswith("edges:v:") else (along, across)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))
    return [(at.x_mm + x * half_x, at.y_mm + y * half_y, z_mm) for x, y in corners]


def _focus(table: Table, at_mm: tuple[float, float, float]) -> tuple[Spot, float]:
    """Return where a place is seen, and how much of the picture's width 60 mm take there."""
    x, y, z = at_mm
    middle, left, right = _seen(
        table, [at_mm, (x - _FOCUS_MM / 2, y, z), (x + _FOCUS_MM / 2, y, z)]
    )
    return middle, abs(right.x - left.x)


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
