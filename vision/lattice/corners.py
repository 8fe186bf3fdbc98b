"""Whose hand it is that is seen about a corner of the board, over two borders at once."""

from collections.abc import Sequence

from rules.board import Board
from rules.geometry import Seat
from vision.lattice.arms import Arm

_NEAR_MM = 30.0
_BREADTH_MM = 120.0
_ALONG = 1.75
"""Broader than any arm, and so many times what it covers of the border around the corner."""


def told_apart(arms: Sequence[Arm], board: Board) -> tuple[tuple[Arm, ...], tuple[Arm, ...]]:
    """Arms that say over which border they came, and those about a corner that may be of either.

    A hand that reaches for a place by a border lies along it with its forearm. Where it covers
    more of that border than an arm is broad, it came in around the corner.
    """
    clear, unclear = [], []
    for arm in arms:
        beside = [o for o in arms if _corners(o, board) & _corners(arm, board) and o is not arm]
        if any(_lies_along(arm, other) for other in beside):
            continue
        if all(_lies_along(other, arm) for other in beside):
            clear.append(arm)
        else:
            unclear.append(arm)
    return tuple(clear), tuple(unclear)


def _lies_along(arm: Arm, other: Arm) -> bool:
    """Whether `arm` is the length of what came in over the border of `other`."""
    return arm.width_mm > max(_BREADTH_MM, _ALONG * other.width_mm)


def _corners(arm: Arm, board: Board) -> frozenset[tuple[int, int]]:
    """The corners that an arm covers, (-1 or 1, -1 or 1) for left or right, bottom or top."""
    level = arm.side in (Seat.S, Seat.N)
    over = 1 if arm.side in (Seat.N, Seat.E) else -1
    at, half = (arm.at.x_mm, board.width_mm) if level else (arm.at.y_mm, board.height_mm)
    ends = [s for s in (-1, 1) if s * at + arm.width_mm / 2 > half / 2 - _NEAR_MM]
    return frozenset((s, over) if level else (over, s) for s in ends)
