"""A hand that fetches the striker from among men, on drawn frames: nothing was struck."""

import pytest
from testkit.flicks import Man, Set, carrom_tables, fetch, watched

from rules.facts import HandEntered, HandLeft, Moved, Settled
from rules.geometry import Seat

pytestmark = pytest.mark.film


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
CORNER: list[Man] = [
    *(("white", 177.6, 222.9), ("white", 192.1, 253.2), ("white", 177.2, 281.9)),
    *(("black", 192.2, 313.5), ("black", 227.9, 253.9), ("white", 228.0, 312.8)),
    *(("white", 242.6, 225.0), ("white", 262.1, 312.0), ("white", 279.5, 224.8)),
    *(("white", 280.4, 339.2), ("black", 311.6, 223.8), ("black", 316.9, 281.9)),
    *(("black", 330.1, 312.2), ("black", 313.4, 342.9), ("white", -265.0, -189.7)),
    *(("white", 325.9, -109.3), ("black", -128.2, 220.4), ("white", 167.9, -281.6)),
    ("white", 89.6, 124.0),
]
"""Among these skin that is as bright as the board looked like the striker eight times on."""


@pytest.mark.parametrize(
    ("at", "men", "laid_x_mm", "film"),
    [
        ((7.1, 9.0), BESIDE, -22.7, None),
        ((-5.2, -164.7), BEHIND, 180.3, None),
        ((28.3, -83.5), CROWD, -97.5, None),
        ((208.8, 200.2), CORNER, -85.9, 1029),
    ],
    ids=["men beside it in the hand's shadow", "men behind it", "a crowd", "a crowd in a corner"],
)
def test_a_striker_that_a_hand_fetches_from_among_men_is_moved_and_nothing_else_is_told(
    tables: Set, at: tuple[float, float], men: list[Man], laid_x_mm: float, film: int | None
) -> None:
    act = fetch(tables[1].board, men, at, (laid_x_mm, 252.6), Seat.N)
    facts, _ = watched(tables, act, film=film)
    told = [f for f in facts if not isinstance(f, HandEntered | HandLeft | Settled)]
    assert [(type(f), getattr(f, "piece", None)) for f in told] == [(Moved, "striker")]
