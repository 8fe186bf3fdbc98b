"""What a piece would change in the picture, drawn as a camera that hangs in any way sees it."""

import numpy as np
import pytest

from vision.motion.plane import Spot
from vision.motion.seeking import as_seen


@pytest.mark.parametrize(
    ("x_runs", "y_runs"),
    [((1, 0), (0, -1)), ((-1, 0), (0, 1)), ((0, 1), (1, 0)), ((0, -1), (-1, 0)), ((1, 0), (0, 1))],
    ids=["upright", "by half a turn", "clockwise", "the other way round", "in a mirror"],
)
def test_a_shadow_lies_where_the_camera_sees_it(
    x_runs: tuple[int, int], y_runs: tuple[int, int]
) -> None:
    """`x_runs`, `y_runs`: which way x and y of the board run in the picture, right and down."""
    patch = np.zeros((5, 5), dtype=np.float32)
    patch[2, 4], patch[4, 2] = 1.0, 2.0  # along x, and along y
    aslant = 0.2
    spot = Spot(
        u=100.0,
        v=80.0,
        ux=x_runs[0] - aslant * x_runs[1],
        uy=y_runs[0] - aslant * y_runs[1],
        vx=x_runs[1] + aslant * x_runs[0],
        vy=y_runs[1] + aslant * y_runs[0],
    )
    seen = as_seen(patch, spot)
    assert seen[2 + 2 * x_runs[1], 2 + 2 * x_runs[0]] == 1.0
    assert seen[2 + 2 * y_runs[1], 2 + 2 * y_runs[0]] == 2.0
