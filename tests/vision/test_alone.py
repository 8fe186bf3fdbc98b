"""A piece that lies alone: no other tells what a good fit leaves over."""

from pathlib import Path

import pytest

from calibration.table import load_table
from sightline.simulated.boards import club_board
from sightline.simulated.pieces import Lying
from sightline.simulated.scene import Scene
from sightline.simulated.table import set_up_table, write_table
from vision.observe import observe

SIZE = (960, 720)
AT = (236.5, 480.5)
EARLIER = 11


def test_a_piece_alone_is_placed_where_it_stands_though_a_fit_ends_beside_it(
    tmp_path: Path,
) -> None:
    """In this picture's noise the fit from the first guess ends 1.4 mm from the piece."""
    simulated = set_up_table(SIZE, board=club_board("qsquare", SIZE))
    table = load_table(write_table(simulated, tmp_path / "table"))
    spec = simulated.board.piece("puck", "red")
    scene = Scene(bodies=(Lying(name="a", spec=spec, x_mm=AT[0], y_mm=AT[1]).body(),))
    for _ in range(EARLIER):
        simulated.photographer.picture(scene)
    (seen,) = observe(simulated.photographer.picture(scene), table).pieces
    assert (seen.at.x_mm, seen.at.y_mm) == pytest.approx(AT, abs=0.2)
    assert seen.error_mm < 0.2
