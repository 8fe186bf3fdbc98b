"""What a piece would change in the picture, drawn as a camera that hangs in any way sees it."""

from types import SimpleNamespace

import numpy as np
import pytest

from vision.tracking.fitting import Fix
from vision.tracking.plane import Spot
from vision.tracking.seeking import as_seen, explained, looks_like


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


@pytest.mark.parametrize(
    ("lost", "share", "showed", "taken"),
    [
        (0, 0.55, False, True),
        (4, 0.55, False, True),
        (5, 0.55, False, False),
        (8, 0.55, True, True),
        (8, 0.8, False, True),
        (0, 0.45, False, False),
    ],
    ids=[
        "seen a frame ago",
        "lost for a moment",
        "lost for long",
        "half of it showed there before",
        "lost for long, and plain to see",
        "hardly like it",
    ],
)
def test_what_was_lost_for_long_is_taken_for_the_piece_only_if_it_looks_like_it(
    lost: int, share: float, showed: bool, taken: bool
) -> None:
    body = SimpleNamespace(lost=lost, least=0.5, best=1.0, showed_near=lambda found: showed)
    found = Fix(x_mm=420.3, y_mm=387.6, error_mm=0.1, share=share, gain=1.0, misfit=0.0)
    assert looks_like(body, found) == taken  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("alone", "lost", "share", "taken"),
    [(True, 1, 0.9, True), (True, 1, 0.85, False), (False, 1, 0.9, False), (True, 0, 0.9, False)],
    ids=["alone", "hardly like it", "another of its look is sought", "it still sinks"],
)
def test_what_sank_is_back_where_nothing_else_looks_so(
    alone: bool, lost: int, share: float, taken: bool
) -> None:
    body = SimpleNamespace(lost=lost, least=0.95, best=1.0, sinks=True)
    found = Fix(x_mm=298.1, y_mm=-255.5, error_mm=0.1, share=share, gain=1.0, misfit=0.0)
    assert looks_like(body, found, alone=alone) == taken  # type: ignore[arg-type]


@pytest.mark.parametrize("times", [1.3, 3.0, 8.0])
def test_a_darker_thing_is_no_likelier_to_be_a_pale_piece_alone_than_what_looks_like_it(
    times: float,
) -> None:
    sign = np.full((6, 6), -8.0, dtype=np.float32)
    sign[[0, 0, -1, -1], [0, -1, 0, -1]] = 0.0
    gap = np.zeros((20, 40), dtype=np.float32)
    gap[4:10, 5:11] = 0.9 * sign  # the piece, a little smeared
    gap[8:14, 25:31] = times * sign

    gain = explained(gap, sign, 0.4)

    alone = gain.alone()
    assert np.unravel_index(alone.argmax(), alone.shape) == (4, 5)
    assert gain.most.max() > alone.max()
