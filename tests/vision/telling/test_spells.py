"""Where what was followed came to rest."""

from typing import Any, cast

import numpy as np
import pytest

from vision.telling.spells import _came_to_rest
from vision.trajectories.gone import Ending
from vision.trajectories.paths import fit, resting
from vision.trajectories.timeline import Timeline

SLOWING_MM_S2 = 900.0


@pytest.mark.parametrize(
    ("seen_mm", "ends_mm"),
    [(153.0, 153.0), (148.0, 148.0), (90.0, 100.0), (260.0, 100.0), (None, 100.0)],
    ids=[
        "where its path leads",
        "a little short of that",
        "moved back",
        "moved on",
        "seen no more",
    ],
)
def test_what_runs_on_unseen_came_to_rest_where_it_is_seen_if_its_path_leads_there(
    seen_mm: float | None, ends_mm: float
) -> None:
    """It was last seen at 100 mm, at 310 mm/s, so that it comes to rest at about 153 mm."""
    t = np.arange(6) / 30
    speed = 310.0 + SLOWING_MM_S2 * (t[-1] - t)
    x = 100.0 - (speed**2 - 310.0**2) / (2 * SLOWING_MM_S2)
    path = fit(t, x, np.zeros(6), np.full(6, 0.1), slowing=SLOWING_MM_S2, slowing_error=60.0)
    lay = resting(float(x[0]), 0.0, 0.1, -1e9, 0.0)
    line = Timeline(cast(Any, None), (lay, path), Ending("rest", 0.4, 0.01))
    seen = None if seen_mm is None else (seen_mm, 0.0)
    assert _came_to_rest(line, seen)[0] == pytest.approx(ends_mm, abs=0.5)
