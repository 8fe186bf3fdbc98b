"""Where nothing can lie on the surface: over the mouth of a pocket, where it would tip in.

What is seen there has fallen, and lies at the pocket's bottom in plain sight.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from rules.board import Board
from vision.view import View

GUESSED_MM, _MEASURED_MM = 4.0, 1.0
"""So well is a place known that edges tell, and one on the brink of a pocket that is measured."""


def tips_in(board: Board, places: Floats, radius_mm: float, slack_mm: float) -> NDArray[np.bool_]:
    """(N,) whether a disc at each of (N, 2) places, mm, would tip into a pocket.

    It would where its middle lies farther in than the line between the two points at which its rim
    crosses the pocket's; by more than `slack_mm`, as places are known so well.
    """
    inside = np.zeros(len(places), dtype=np.bool_)
    for pocket in board.pockets:
        stays_mm = max(pocket.radius_mm**2 - radius_mm**2, 0.0) ** 0.5
        x, y = places[:, 0] - pocket.centre.x_mm, places[:, 1] - pocket.centre.y_mm
        inside |= np.hypot(x, y) < stays_mm - slack_mm
    return inside


def has_fallen(view: View, look: int, x_mm: float, y_mm: float) -> bool:
    """Whether number `look` of the view's looks, measured at (x, y), is seen in a pocket."""
    radius_mm = view.pieces[look].body.radius_mm
    place = np.array([[x_mm, y_mm]])
    return bool(tips_in(view.table.board, place, radius_mm, _MEASURED_MM)[0])
