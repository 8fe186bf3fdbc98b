"""Which fits are pieces: what a fit leaves over, its rim and its colour are weighed together."""

import numpy as np
import pytest

from vision.detection.detect import Guess
from vision.localisation.stand import Fit
from vision.localisation.standing import stands

USUAL = 1.0


def guess(*, rim: float, round: float, colour: float) -> Guess:
    return Guess(look=0, x_mm=0, y_mm=0, rim=rim, bore=rim, round=round, colour=colour, change=0.3)


def fit(*, explained: float, noise: float, x_mm: float = 0.5, visible: float = 1.0) -> Fit:
    return Fit(
        x_mm=x_mm,
        y_mm=0.0,
        covariance=np.eye(2),
        noise=noise,
        explained=explained,
        left=1.0,
        visible=visible,
    )


@pytest.mark.parametrize(
    ("rim", "round", "colour", "explained", "noise", "pieces"),
    [
        (0.93, 0.60, 1.7, 0.65, 6.0, (False, False)),
        (0.90, 0.63, 1.7, 0.72, 1.5, (True, False)),
        (1.00, 0.90, 2.0, 0.93, 1.2, (True, True)),
        (1.00, 0.90, 1.6, 0.86, 3.2, (True, True)),
        (0.90, 0.85, 0.3, 0.30, 6.0, (True, True)),
        (0.70, 0.50, 1.7, 0.60, 6.0, (False, False)),
    ],
    ids=[
        "open fingers over the board: edges that do not run round",
        "the shade between two",
        "a piece of which less is left over",
        "a piece in the shadow of the hand",
        "edges that run round in the right colour",
        "no piece, hand or none",
    ],
)
def test_more_is_asked_of_a_guess_beside_a_hand(
    rim: float,
    round: float,
    colour: float,
    explained: float,
    noise: float,
    pieces: tuple[bool, bool],
) -> None:
    guessed = guess(rim=rim, round=round, colour=colour)
    found = fit(explained=explained, noise=noise)
    told = tuple(stands(guessed, found, USUAL, hand=hand) for hand in (False, True))
    assert told == pieces


def test_what_lies_far_from_its_rim_is_a_piece_only_where_no_hand_is() -> None:
    guessed = guess(rim=0.9, round=0.75, colour=1.0)
    far = fit(explained=0.95, noise=1.0, x_mm=7.2)
    assert stands(guessed, far, USUAL, hand=False)
    assert not stands(guessed, far, USUAL, hand=True)


@pytest.mark.parametrize(
    ("rim", "round", "colour", "told"),
    [(1.0, 0.88, 1.8, True), (1.0, 0.88, 3.0, False), (0.9, 0.88, 1.8, False)],
    ids=["roughly in its colour", "in another's", "a part of the rim missing"],
)
def test_a_whole_round_rim_tells_a_piece_that_the_model_does_not_explain(
    rim: float, round: float, colour: float, told: bool
) -> None:
    """As by a high border, in its shade."""
    guessed = guess(rim=rim, round=round, colour=colour)
    assert stands(guessed, fit(explained=0.31, noise=2.7), USUAL, hand=False) is told


def test_what_leaves_less_over_than_others_may_lie_far_from_its_rim() -> None:
    guessed = guess(rim=0.9, round=0.75, colour=1.0)
    assert stands(guessed, fit(explained=0.75, noise=0.7, x_mm=7.2), USUAL, hand=False)
    assert not stands(guessed, fit(explained=0.75, noise=1.3, x_mm=7.2), USUAL, hand=False)


@pytest.mark.parametrize(
    ("visible", "hand", "piece"), [(0.21, True, False), (0.21, False, True), (0.41, True, True)]
)
def test_what_a_hand_hides_for_the_most_part_is_not_known_to_be_a_piece(
    visible: float, hand: bool, piece: bool
) -> None:
    bare_board_between_fingers = guess(rim=0.97, round=0.95, colour=0.9)
    found = fit(explained=0.89, noise=0.6, visible=visible)
    assert stands(bare_board_between_fingers, found, USUAL, hand=hand) is piece
