"""A piece far out, of which the foot's edge was taken for the top's."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.table import load_table
from sightline.simulated.boards import club_board
from sightline.simulated.table import set_up_table, write_table
from vision.observe import observe

SIZE = (960, 720)
PICTURE = Path(__file__).parents[1] / "data" / "foot-for-top.png"
"""From a simulated match; the first guess of the blue puck beside the cue-puck lies at its foot."""
TRULY = (423.00, 413.38)


def test_a_puck_is_placed_where_its_top_is_though_its_first_guess_lies_at_its_foot(
    tmp_path: Path,
) -> None:
    simulated = set_up_table(SIZE, board=club_board("qsquare", SIZE))
    table = load_table(write_table(simulated, tmp_path / "table"))
    seen = observe(np.asarray(cv2.imread(str(PICTURE)), dtype=np.uint8), table).pieces
    (puck,) = (p for p in seen if p.colour == "blue" and p.at.x_mm > 300.0)
    assert (puck.at.x_mm, puck.at.y_mm) == pytest.approx(TRULY, abs=0.3)
    assert puck.error_mm < 0.3
