"""Guesses beside a hand, judged by what of their rims it leaves open."""

from dataclasses import replace
from functools import cache
from math import hypot

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.reference_tables import reference_table

from calibration.relight import relight
from vision.appearance.view import View, view_of
from vision.detection.detect import Guess, climbed
from vision.detection.edges import Edges, edges_of
from vision.detection.unhidden import by_what_shows

Mask = NDArray[np.bool_]
RADIUS_MM, HIGH_MM = 15.5, 8.0
STRIPED_MM = 5.0


@cache
def bare() -> View:
    return view_of(reference_table("carrom-club"))


def polygon(*corners: tuple[float, float, float]) -> Mask:
    """(h, w) of the view's box, between corners in mm."""
    view = bare()
    at = view.table.camera.project(np.array(corners)) - (view.box.u0, view.box.v0)
    drawn = np.zeros(view.surface.shape, dtype=np.uint8)
    cv2.fillPoly(drawn, [np.round(at).astype(np.int32).reshape(-1, 1, 2)], 1)
    return drawn > 0


def disc() -> Mask:
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    return polygon(*((RADIUS_MM * np.cos(a), RADIUS_MM * np.sin(a), HIGH_MM) for a in angles))


def below(y_mm: float) -> Mask:
    return polygon(
        (-60, -60, HIGH_MM), (60, -60, HIGH_MM), (60, y_mm, HIGH_MM), (-60, y_mm, HIGH_MM)
    )


def edges(hand: Mask) -> Edges:
    """Of a black disc in the middle of the board, under a hand with edges all over it."""
    view = bare()
    shown = view.table.empty.astype(np.float32)
    box = shown[view.box.rows_columns]
    box[disc()] = 30.0
    rows = np.indices(hand.shape)[0]
    striped = (rows // max(1, round(STRIPED_MM * view.scale))) % 2 == 0
    box[hand & striped] = 90.0
    box[hand & ~striped] = 160.0
    soft = cv2.GaussianBlur(shown, (0, 0), 0.7)
    picture = np.clip(soft, 0, 255).astype(np.uint8)
    return edges_of(relight(picture, view.table.empty, view.box, view.surface), view.surface)


def guess(x_mm: float = 0.0, y_mm: float = 0.0) -> Guess:
    return Guess(look=0, x_mm=x_mm, y_mm=y_mm, rim=0.8, bore=0.8, colour=0.4, change=0.7, round=0.6)


def judged(hidden_below_mm: float, one: Guess) -> Guess:
    hand = below(hidden_below_mm)
    (seen,) = by_what_shows(bare(), edges(hand), [one], hand)
    return seen


@pytest.mark.parametrize("hidden_below_mm", [-8.0, 0.0, 6.0])
def test_a_rim_that_a_hand_half_hides_is_seen_whole_in_what_shows(hidden_below_mm: float) -> None:
    seen = judged(hidden_below_mm, guess())
    assert seen.rim > 0.95
    assert seen.bore == seen.rim
    assert seen.round > 0.85


@pytest.mark.parametrize(("x_mm", "y_mm"), [(0.0, -9.0), (-6.0, -7.0), (8.0, -6.0)])
def test_a_place_beside_it_that_only_a_hands_edges_spoke_for_is_worse(
    x_mm: float, y_mm: float
) -> None:
    assert hypot(x_mm, y_mm) > 4.0
    there = judged(0.0, guess(x_mm, y_mm))
    assert there.score < judged(0.0, guess()).score - 0.1
    assert there.rim < 0.9


@pytest.mark.parametrize(
    ("hidden_below_mm", "like"),
    [
        (-40.0, {}),
        (14.5, {}),
        (0.0, {"colour": 1.5}),
        (0.0, {"round": 0.88}),
    ],
    ids=[
        "nothing is hidden",
        "hardly any of its rim shows",
        "its colour is not its own",
        "edges run round it as it is",
    ],
)
def test_a_guess_is_left_as_it_is_where(hidden_below_mm: float, like: dict[str, float]) -> None:
    one = replace(guess(), **like)
    assert judged(hidden_below_mm, one) == one


@pytest.mark.parametrize(("x_mm", "y_mm"), [(0.0, -6.0), (4.0, -4.0), (-5.0, 3.0)])
def test_a_guess_climbs_to_where_edges_run_round_it_that_no_hand_hides(
    x_mm: float, y_mm: float
) -> None:
    hand = below(0.0)
    there = climbed(bare(), edges(hand), guess(x_mm, y_mm), hand)
    assert hypot(there.x_mm, there.y_mm) < 3.0
    assert there.round > 0.85
