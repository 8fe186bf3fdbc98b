"""Lattice games before the simulated camera: ruled from its pictures as they are in truth."""

from pathlib import Path

import cv2
import pytest

from calibration.table import load_table
from sightline.simulated.boards import club_board
from sightline.simulated.lattice.gridiron import FieldAgreement
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.slips import FieldSlips, PegSlips, StickSlips
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.matches import first_unlike, said_in_order
from sightline.simulated.playing import Agreement
from sightline.simulated.seen import SeenMatch, play_before_camera
from sightline.simulated.table import set_up_table, write_table
from vision.answers_clip import witness_of
from vision.frame import Frame, Sighting

LATE_MS = 2500.0


def seen(
    folder: Path, agreement: Agreement, size: tuple[int, int], fps: float, **play: object
) -> SeenMatch:
    cv2.setNumThreads(1)
    simulated = set_up_table(size, board=club_board(agreement.game, size))
    table = load_table(write_table(simulated, folder / "table"))
    return play_before_camera(simulated, table, witness_of(table), agreement, fps=fps, **play)


class Onlooker:
    """Keeps each picture's bytes; sees nothing in them."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []

    def feed(self, frame: Frame) -> tuple[Sighting, ...]:
        self.pictures.append(frame.in_colour().tobytes())
        return ()


def test_a_seed_gives_the_same_pictures_whatever_was_photographed_before(tmp_path: Path) -> None:
    simulated = set_up_table((320, 240), board=club_board("king_square", (320, 240)))
    table = load_table(write_table(simulated, tmp_path / "table"))

    def pictures(seed: int) -> list[bytes]:
        onlooker = Onlooker()
        play_before_camera(
            simulated, table, onlooker, PegAgreement(target=1), seed=seed, fps=5.0, most_s=2.0
        )
        return onlooker.pictures

    first, other, again = pictures(4), pictures(5), pictures(4)
    assert len(first) == len(other) > 5
    assert again == first
    assert other[0] != first[0]


@pytest.mark.slow
def test_a_match_of_king_square_is_ruled_from_pictures_as_in_truth(tmp_path: Path) -> None:
    slips = PegSlips(wrong_player=0.08, moved=0.06, two_pegs=0.06, touched=0.06)
    match = seen(
        tmp_path, PegAgreement(target=1), (640, 480), 25.0, seed=75, slips=slips, most_s=40.0
    )
    assert match.seen.outcome() is not None
    assert first_unlike(match.seen.steps, match.evening.truth.steps) is None
    calls = {said[2].partition(" ")[0] for said in said_in_order(match.seen.steps)}
    assert {"OK", "TURN", "FOUL", "KING", "MATCH"} <= calls


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agreement", "most_s", "slips", "calls"),
    [
        (StickAgreement(), 12.0, StickSlips(moved=0.15, touched=0.1), {"OK", "TURN"}),
        (FieldAgreement(), 17.0, FieldSlips(too_far=0.1), {"OK", "TURN"}),
    ],
    ids=["Squarin' Off", "Quarterback"],
)
def test_the_first_moves_are_ruled_from_pictures_as_in_truth(
    tmp_path: Path, agreement: Agreement, most_s: float, slips: object, calls: set[str]
) -> None:
    match = seen(tmp_path, agreement, (960, 720), 12.5, seed=3, slips=slips, most_s=most_s)
    true, told = match.evening.truth.steps, match.seen.steps
    assert first_unlike(told, true, 1000 * most_s - LATE_MS) is None
    said = [call.partition(" ")[0] for _, _, call in said_in_order(told)]
    assert calls <= set(said)
    assert len(said) >= 6
