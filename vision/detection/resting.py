"""Where a piece can lie on the surface: neither over the mouth of a pocket nor in the border.

What is seen over a mouth has fallen, and lies at the pocket's bottom in plain sight; what is seen
in the border or beyond is a cue, a sleeve, or a piece that has left the board.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from rules.board import Board
from vision.appearance.view import View

GUESSED_MM = 4.0
"""So well is a place known that edges tell."""

_ON_BRINK_MM, _AT_BORDER_MM = 1.0, 4.0
"""And one that is measured: on a pocket's brink, and by the border, on which a piece may lean."""


def can_rest(
    board: Board, places: Floats, radius_mm: float, brink_mm: float, border_mm: float
) -> NDArray[np.bool_]:
    """(N,) whether a disc at each of (N, 2) places, mm, can lie on the surface.

    It tips into a pocket where its middle lies farther in than the line between the two points at
    which its rim crosses the pocket's. Places are known to `brink_mm` there, by the border to
    `border_mm`.
    """
    half = np.array([board.width_mm / 2, board.height_mm / 2])
    rests = (np.abs(places) < half - radius_mm + border_mm).all(axis=1)
    for pocket in board.pockets:
        stays_mm = max(pocket.radius_mm**2 - radius_mm**2, 0.0) ** 0.5
        x, y = places[:, 0] - pocket.centre.x_mm, places[:, 1] - pocket.centre.y_mm
        rests &= np.hypot(x, y) >= stays_mm - brink_mm
    return np.asarray(rests, dtype=np.bool_)


def overhangs(board: Board, x_mm: float, y_mm: float, radius_mm: float) -> bool:
    """Whether a disc at (x, y) is partly over the mouth of a pocket."""
    return any(
        np.hypot(x_mm - pocket.centre.x_mm, y_mm - pocket.centre.y_mm)
        < pocket.radius_mm + radius_mm
        for pocket in board.pockets
    )


def rests_at(view: View, look: int, x_mm: float, y_mm: float) -> bool:
    """Whether number `look` of the view's looks, measured at (x, y), can lie there."""
    place = np.array([[x_mm, y_mm]])
    radius_mm = view.pieces[look].body.radius_mm
    found = can_rest(view.table.board, place, radius_mm, _ON_BRINK_MM, _AT_BORDER_MM)
    return bool(found[0])
