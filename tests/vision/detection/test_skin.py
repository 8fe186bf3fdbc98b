"""What has the colours of a hand is the hand: fingers drawn over a photograph, and what is not."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.reference_tables import reference_table

from calibration.relight import relight
from calibration.table import Table
from vision.appearance.tints import softened
from vision.appearance.view import view_of
from vision.detection.detect import Guess
from vision.detection.skin import hand_by_colour
from vision.frame import Picture

SKIN = (70.0, 95.0, 150.0)
SLEEVE = (120.0, 60.0, 40.0)
PIECE = Guess(look=0, x_mm=0.0, y_mm=-110.0, rim=1.0, bore=1.0, colour=0.5, change=0.5, round=0.97)
Mask = NDArray[np.bool_]


@pytest.fixture(scope="module", params=["qsquare-melamine", "qsquare-oak"])
def table(request: pytest.FixtureRequest) -> Table:
    return reference_table(request.param)


def strip(table: Table, from_mm: tuple[float, float], to_mm: tuple[float, float]) -> Mask:
    """(H, W) an upright box on the board."""
    (x, y), (u, v) = from_mm, to_mm
    corners = np.array([(x, y, 0.0), (u, y, 0.0), (u, v, 0.0), (x, v, 0.0)])
    at = np.round(table.camera.project(corners)).astype(np.int32)
    drawn = np.zeros(table.empty.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(drawn, at.reshape(-1, 1, 2), 1)
    return drawn > 0


def drawn(
    table: Table, *things: tuple[Mask, tuple[float, float, float]], shade: float = 1.0
) -> Picture:
    """The empty board with things of some colours on it, each darker along its length."""
    shown = table.empty.astype(np.float64)
    grain = np.random.default_rng(1).normal(0, 2, shown.shape)
    falls = np.linspace(1.0, shade, shown.shape[1])[None, :, None]
    for where, colour in things:
        soft = cv2.GaussianBlur(where.astype(np.float64), (0, 0), 0.7)[:, :, None]
        shown = shown * (1 - soft) + np.array(colour) * falls * soft
    return np.clip(shown + grain, 0, 255).astype(np.uint8)


def found(table: Table, picture: Picture, known: Mask, guesses: tuple[Guess, ...] = ()) -> Mask:
    view = view_of(table)
    relit = relight(picture, table.empty, view.box, view.surface)
    box = view.box.rows_columns
    mask = np.zeros(known.shape, dtype=np.bool_)
    mask[box] = hand_by_colour(
        view, relit, softened(relit.picture), known[box] & view.surface, guesses
    )
    return mask


def top_of(guess: Guess, table: Table) -> Mask:
    """(H, W) a disc about where it is guessed."""
    at = np.array([[guess.x_mm, guess.y_mm, 8.0]])
    u, v = np.round(table.camera.project(at))[0].astype(int)
    top = np.zeros(table.empty.shape[:2], dtype=np.uint8)
    cv2.circle(top, (u, v), 18, 1, -1)
    return top > 0


def inner(mask: Mask) -> Mask:
    """The mask but for its edges, which are blurred."""
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0)


def test_a_finger_is_found_whole_though_only_the_hand_was_seen(table: Table) -> None:
    hand = strip(table, (-60.0, -400.0), (60.0, -120.0))
    finger = strip(table, (-8.0, -120.0), (8.0, -40.0))
    picture = drawn(table, (hand | finger, SKIN), shade=0.6)
    mask = found(table, picture, inner(hand))
    assert mask[inner(finger)].mean() > 0.9
    beside = strip(table, (20.0, -110.0), (60.0, -40.0))
    assert mask[beside].mean() < 0.02


def test_a_sleeve_and_a_hand_are_both_found_by_their_colours(table: Table) -> None:
    sleeve = strip(table, (-60.0, -450.0), (60.0, -250.0))
    hand = strip(table, (-50.0, -250.0), (50.0, -100.0))
    picture = drawn(table, (sleeve, SLEEVE), (hand, SKIN))
    known = strip(table, (-30.0, -440.0), (30.0, -180.0))
    mask = found(table, picture, known)
    assert mask[inner(sleeve)].mean() > 0.9
    assert mask[inner(hand)].mean() > 0.9


def test_what_has_a_hands_colour_but_does_not_hang_together_with_it_is_none(table: Table) -> None:
    hand = strip(table, (-60.0, -400.0), (60.0, -120.0))
    apart = strip(table, (-8.0, -90.0), (8.0, -70.0))
    picture = drawn(table, (hand | apart, SKIN))
    mask = found(table, picture, hand)
    assert not mask[inner(apart)].any()


@pytest.mark.parametrize("colour", ["red", "cue"])
def test_of_a_piece_only_what_is_of_another_colour_is_taken_for_the_hand(colour: str) -> None:
    table = reference_table("qsquare-melamine")
    hand = strip(table, (-60.0, -400.0), (60.0, -120.0))
    piece = top_of(PIECE, table)
    paint = (40.0, 30.0, 170.0) if colour == "red" else SKIN
    picture = drawn(table, (hand, SKIN), (piece, paint))
    mask = found(table, picture, hand, (PIECE,))
    assert mask[inner(piece)].mean() < 0.05
    if colour == "cue":  # nobody said that a piece lies there: it is the hand's colour
        assert found(table, picture, hand)[inner(piece)].mean() > 0.9


def test_a_finger_about_which_edges_do_not_run_round_is_no_piece(table: Table) -> None:
    hand = strip(table, (-60.0, -400.0), (60.0, -120.0))
    finger = strip(table, (-8.0, -120.0), (8.0, -20.0))
    picture = drawn(table, (hand | finger, SKIN))
    taken_for_one = Guess(
        look=0, x_mm=0.0, y_mm=-60.0, rim=0.9, bore=0.9, colour=1.4, change=0.5, round=0.77
    )
    assert found(table, picture, hand, (taken_for_one,))[inner(finger)].mean() > 0.9


def test_where_next_to_nothing_of_a_hand_is_known_nothing_is_told_of_its_colours(
    table: Table,
) -> None:
    hand = strip(table, (-5.0, -140.0), (5.0, -132.0))
    mask = found(table, drawn(table, (hand, SKIN)), hand & False)
    assert not mask.any()


def test_of_a_piece_somewhat_like_a_hand_only_what_a_finger_covers_is_the_hands() -> None:
    table = reference_table("qsquare-melamine")
    hand = strip(table, (-60.0, -400.0), (60.0, -120.0))
    top = top_of(PIECE, table)
    finger = strip(table, (-60.0, -120.0), (60.0, -112.0))
    piece = top & ~finger
    ruddy, red = (50.0, 80.0, 165.0), (55.0, 65.0, 175.0)
    picture = drawn(table, (hand, ruddy), (top, red), (finger, ruddy))
    mask = found(table, picture, hand, (PIECE,))
    assert mask[inner(piece)].mean() < 0.1
    assert mask[inner(finger & ~top)].mean() > 0.9
