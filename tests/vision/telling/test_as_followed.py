"""What rests after a stroke is known as well as it was followed, and no better."""

import pytest

from rules.facts import Piece
from rules.geometry import Point
from vision.telling.as_followed import FOLLOWED_MM, LOST_MM, as_followed


@pytest.mark.parametrize(
    ("name", "error_mm"),
    [
        ("lay still", 0.1),
        ("followed", FOLLOWED_MM),
        ("lost on its way", LOST_MM),
        ("never seen to go", LOST_MM),
        ("of a tangle but followed", FOLLOWED_MM),
        ("left the surface before", 0.1),
    ],
)
def test_a_piece_is_known_as_well_as_it_was_followed(name: str, error_mm: float) -> None:
    lay = Piece(name=name, kind="puck", colour="red", at=Point(10.0, 20.0), error_mm=0.1)
    ran = {"followed", "lost on its way", "of a tangle but followed"}
    gone = {"lost on its way", "left the surface before"}
    unseen = {"never seen to go", "of a tangle but followed"}
    (told,) = as_followed([lay], ran, gone=gone, unseen=unseen)
    assert told.at == lay.at
    assert told.error_mm == error_mm


def test_a_place_known_badly_before_is_known_no_better_after() -> None:
    lay = Piece(name="a", kind="puck", colour="red", at=Point(0.0, 0.0), error_mm=3.0)
    assert as_followed([lay], {"a"}, gone=(), unseen=()) == (lay,)
