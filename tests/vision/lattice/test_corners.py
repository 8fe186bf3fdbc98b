"""Whose hand it is that is seen over two borders at once."""

import pytest

from rules.board import Board
from rules.geometry import Point, Seat
from vision.lattice.arms import Arm
from vision.lattice.corners import told_apart

BOARD = Board(
    game="squarin_off",
    name="drawn",
    width_mm=440.0,
    height_mm=440.0,
    border_width_mm=30.0,
    border_height_mm=0.0,
)


def arm(side: Seat, middle_mm: float, width_mm: float) -> Arm:
    """An arm over the border of `side`, its middle so far right, or up, of the border's middle."""
    over = 220.0 if side in (Seat.N, Seat.E) else -220.0
    at = Point(middle_mm, over) if side in (Seat.N, Seat.S) else Point(over, middle_mm)
    return Arm(side=side, at=at, width_mm=width_mm)


SHORT_S, SHORT_E = arm(Seat.S, 190, 64), arm(Seat.E, -178, 84)
LONG_E, LONG_S = arm(Seat.E, -138, 164), arm(Seat.S, 130, 180)
MIDDLE_E, FAR_N = arm(Seat.E, 0, 90), arm(Seat.N, -150, 80)


@pytest.mark.parametrize(
    ("arms", "clear", "unclear"),
    [
        pytest.param([SHORT_S], [SHORT_S], [], id="one alone"),
        pytest.param([SHORT_S, LONG_E], [SHORT_S], [], id="along the right border"),
        pytest.param([LONG_S, SHORT_E], [SHORT_E], [], id="along the near border"),
        pytest.param([SHORT_S, SHORT_E], [], [SHORT_S, SHORT_E], id="as much of both"),
        pytest.param([SHORT_S, MIDDLE_E], [SHORT_S, MIDDLE_E], [], id="two hands"),
        pytest.param([SHORT_S, LONG_E, FAR_N], [SHORT_S, FAR_N], [], id="and another hand"),
        pytest.param(
            [SHORT_S, SHORT_E, FAR_N], [FAR_N], [SHORT_S, SHORT_E], id="another hand alone is sure"
        ),
    ],
)
def test_an_arm_along_a_border_came_in_around_the_corner(
    arms: list[Arm], clear: list[Arm], unclear: list[Arm]
) -> None:
    sure, unsure = told_apart(arms, BOARD)
    assert (list(sure), list(unsure)) == (clear, unclear)


def test_no_arm_is_nobodys() -> None:
    assert told_apart([], BOARD) == ((), ())
