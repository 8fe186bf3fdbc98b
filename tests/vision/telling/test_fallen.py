"""What fell into a pocket by itself, or ran there unseen."""

import pytest

from rules.facts import Piece, Pocketed
from rules.geometry import Point
from sightline.simulated.boards import club_board
from vision.telling.fallen import rolled_in

BOARD = club_board()
RED = Piece(name="red-1", kind="puck", colour="red", at=Point(10.0, 20.0), error_mm=0.1)


@pytest.mark.parametrize(
    ("ran_to", "pockets"),
    [((-14.0, 14.0), ["SE"]), ((-60.0, 60.0), []), (None, [])],
    ids=["over the mouth", "short of it", "not followed"],
)
def test_what_is_gone_and_was_seen_last_over_a_mouth_has_rolled_in(
    ran_to: tuple[float, float] | None, pockets: list[str]
) -> None:
    mouth = next(pocket.centre for pocket in BOARD.pockets if pocket.id == "SE")
    ran = {"red-1": (mouth.x_mm + ran_to[0], mouth.y_mm + ran_to[1])} if ran_to else {}
    told = rolled_in([RED], ran, BOARD, at_ms=900.0)
    assert told == tuple(
        Pocketed(at_ms=900.0, piece="red-1", pocket=pocket, error_ms=100.0) for pocket in pockets
    )
