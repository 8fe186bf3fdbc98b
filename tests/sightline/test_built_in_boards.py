"""The board files that ship with Sightline say what the rules have built in."""

from pathlib import Path

import sightline
from calibration.board_file import read_board
from rules.games.qsquare.board import default_board

BOARDS = Path(sightline.__file__).parent / "boards"


def test_the_q_square_board_file_agrees_with_the_rules() -> None:
    assert read_board(BOARDS / "qsquare.toml") == default_board()
