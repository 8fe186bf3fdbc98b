"""A hand that fetches the striker from among men, on drawn frames: nothing was struck."""

import pytest
from testkit.flicks import Man, Set, carrom_tables, fetch, watched

from rules.facts import HandEntered, HandLeft, Moved, Settled
from rules.geometry import Seat


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return carrom_tables(tmp_path_factory.mktemp("carrom") / "table")


BESIDE: list[Man] = [
    *(("white", 47.0, 2.6), ("white", 41.9, 39.4), ("white", -7.5, 110.0)),
    *(("black", -43.0, 76.0), ("white", 3.0, 215.0)),
]
BEHIND: list[Man] = [
    *(("black", 29.1, -246.7), ("black", -56.3, -222.1), ("black", -51.4, -181.1)),
    *(("white", 13.5, -202.4), ("white", -107.4, 314.4), ("black", -165.0, 34.3)),
]
CROWD: list[Man] = [
    *(("red", 2.9, 6.8), ("white", -0.6, 38.8), ("white", -26.8, -7.9), ("white", 31.4, -12.4)),
    *(("black", 32.2, 22.4), ("black", -36.8, 25.4), ("black", -0.3, -26.6), ("white", 61.9, 37.0)),
    *(("white", -59.4, -0.4), ("white", -8.8, -75.2), ("white", 75.4, -25.5), ("black", 59.1, 3.2)),
    *(("black", -76.1, -69.1), ("black", -35.0, 62.3), ("black", 46.3, -43.0)),
]
"""What a break left of a rack: among men that nearly touch a hand looks like one of them."""


@pytest.mark.parametrize(
    ("at", "men", "laid_x_mm"),
    [((7.1, 9.0), BESIDE, -22.7), ((-5.2, -164.7), BEHIND, 180.3), ((28.3, -83.5), CROWD, -97.5)],
    ids=["men beside it in the hand's shadow", "men behind it", "a crowd"],
)
def test_a_striker_that_a_hand_fetches_from_among_men_is_moved_and_nothing_else_is_told(
    tables: Set, at: tuple[float, float], men: list[Man], laid_x_mm: float
) -> None:
    act = fetch(tables[1].board, men, at, (laid_x_mm, 252.6), Seat.N)
    facts, _ = watched(tables, act)
    told = [f for f in facts if not isinstance(f, HandEntered | HandLeft | Settled)]
    assert [(type(f), getattr(f, "piece", None)) for f in told] == [(Moved, "striker")]
