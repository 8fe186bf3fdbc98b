"""A short match of King Square before the simulated camera: ruled from its pictures as in truth."""

from pathlib import Path

import cv2
import pytest

from calibration.table import load_table
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.slips import PegSlips
from sightline.simulated.matches import first_unlike, said_in_order
from sightline.simulated.seen import play_before_camera
from sightline.simulated.table import set_up_table, write_table
from vision.lattice.stream import LatticeWitness

SIZE = (640, 480)


@pytest.mark.slow
def test_king_square_is_ruled_from_pictures_as_in_truth(tmp_path: Path) -> None:
    cv2.setNumThreads(1)
    simulated = set_up_table(SIZE, board=club_board("king_square", SIZE))
    table = load_table(write_table(simulated, tmp_path / "table"))
    slips = PegSlips(wrong_player=0.08, moved=0.06, two_pegs=0.06, touched=0.06)
    match = play_before_camera(
        simulated,
        table,
        LatticeWitness(table),
        PegAgreement(target=1),
        seed=75,
        fps=25.0,
        slips=slips,
        most_s=40.0,
    )
    assert match.seen.outcome() is not None
    assert first_unlike(match.seen.steps, match.evening.truth.steps) is None
    calls = {said[2].partition(" ")[0] for said in said_in_order(match.seen.steps)}
    assert {"OK", "TURN", "FOUL", "KING", "MATCH"} <= calls
