"""What the pieces of a settled board look like in its picture: which look each comes nearest to.

For a referee who puts a board right: the detector names one look for each piece; here every piece
is compared, in the very picture that the board was read from, with the others of each look. Colours
are compared in CIELAB, where equal distances look about equally far (CIE 1976), on the flat of the
top, away from rim and hole.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from rules.board import PieceSpec
from rules.facts import Piece

Look = tuple[str, str]
"""Kind and colour."""

_TURNS = 24
_CLEARLY = 0.6
"""A piece is nearer to another look than to its own only where it is so by this factor."""


def alike_in_picture(
    jpeg: bytes, table: Table, pieces: Sequence[Piece]
) -> Mapping[str, tuple[Look, ...]]:
    """Return for each piece, by name, the looks in the order of how near its colour comes to them.

    Its own look comes first unless another is clearly nearer. Only looks that lie on the board can
    be compared; pieces that the picture does not show are left out. Empty for no picture.
    """
    coded = np.frombuffer(jpeg, np.uint8)
    picture = cv2.imdecode(coded, cv2.IMREAD_COLOR) if len(coded) else None
    if picture is None:
        return {}
    light = picture.astype(np.float32) / 255.0
    lab = np.asarray(cv2.cvtColor(light, cv2.COLOR_BGR2LAB), dtype=np.float32)
    specs = {(spec.kind, spec.colour): spec for spec in table.board.pieces}
    colours: dict[str, NDArray[np.float32]] = {}
    for piece in pieces:
        spec = specs.get((piece.kind, piece.colour))
        flat = spec is not None and spec.shape in ("disc", "ring")
        found = _colour(lab, table, piece, spec) if spec is not None and flat else None
        if found is not None:
            colours[piece.name] = found
    looks: dict[Look, list[str]] = {}
    for piece in pieces:
        if piece.name in colours:
            looks.setdefault((piece.kind, piece.colour), []).append(piece.name)
    return {
        piece.name: _in_order(piece, colours, looks) for piece in pieces if piece.name in colours
    }


def _in_order(
    piece: Piece, colours: Mapping[str, NDArray[np.float32]], looks: Mapping[Look, list[str]]
) -> tuple[Look, ...]:
    own = (piece.kind, piece.colour)
    apart: dict[Look, float] = {}
    for look, names in looks.items():
        others = [colours[name] for name in names if name != piece.name]
        if others:
            middle = np.median(np.array(others), axis=0)
            apart[look] = float(np.linalg.norm(colours[piece.name] - middle))
    if own in apart:
        apart[own] *= _CLEARLY
    else:
        apart[own] = 0.0  # the only one of its look: there is nothing to compare it with
    return tuple(sorted(apart, key=lambda look: apart[look]))


def _colour(
    lab: NDArray[np.float32], table: Table, piece: Piece, spec: PieceSpec
) -> NDArray[np.float32] | None:
    """Return the median colour of the flat of a piece's top; None where the picture ends."""
    outer_mm, inner_mm = spec.diameter_mm / 2, spec.hole_mm / 2
    turns = np.linspace(0.0, 2 * np.pi, _TURNS, endpoint=False)
    at = [
        (
            piece.at.x_mm + radius_mm * np.cos(turns),
            piece.at.y_mm + radius_mm * np.sin(turns),
            np.full(_TURNS, spec.thickness_mm),
        )
        for radius_mm in inner_mm + (outer_mm - inner_mm) * np.array([0.35, 0.5, 0.65])
    ]
    points = np.concatenate([np.stack(ring, axis=1) for ring in at])
    lens = table.camera.lens
    height, width = lab.shape[:2]
    seen = table.camera.project(points) * np.array([width / lens.width, height / lens.height])
    columns, rows = np.round(seen).astype(int).T
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    if not inside.all():
        return None
    return np.asarray(np.median(lab[rows, columns], axis=0), dtype=np.float32)
