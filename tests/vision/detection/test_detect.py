"""Which guesses are worth measuring."""

import pytest

from vision.detection.detect import Guess


@pytest.mark.parametrize(
    ("colour", "change", "worth"),
    [(0.9, 0.08, True), (2.4, 0.08, False), (0.9, 0.5, False)],
    ids=["as pale as the board", "in another's colour", "one that would show"],
)
def test_a_faint_rim_will_do_for_a_piece_as_pale_as_the_board(
    colour: float, change: float, worth: bool
) -> None:
    faint = Guess(
        look=0, x_mm=0, y_mm=0, rim=0.5, bore=0.5, round=0.57, colour=colour, change=change
    )
    assert faint.may_be_one is worth
