"""What a hand lies over: a band in the colour of skin, drawn across pucks of a photograph."""

import json
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.reference_tables import TABLES, reference_table

from calibration.relight import relight
from calibration.table import Table
from vision.appearance.tints import softened
from vision.appearance.view import View, view_of
from vision.detection.covered_parts import Covers
from vision.detection.detect import Guess
from vision.detection.edges import edges_of
from vision.frame import Picture

TABLE = "qsquare-melamine"
FOLDER = TABLES / TABLE
Shade = tuple[float, float, float]

SKIN: Shade = (70.0, 95.0, 150.0)
BROAD_MM = 18.0


@dataclass(frozen=True)
class Photograph:
    table: Table
    picture: Picture
    view: View
    pieces: list[dict[str, Any]]

    def guess(self, colour: str) -> Guess:
        """A guess at the easternmost puck of a colour, half a millimetre off."""
        piece = max((p for p in self.pieces if p["colour"] == colour), key=lambda p: p["x"])
        number = next(
            n
            for n, look in enumerate(self.view.pieces)
            if (look.spec.kind, look.spec.colour) == (piece["kind"], colour)
        )
        x_mm, y_mm = piece["x"] + 0.4, piece["y"] - 0.3
        shown = {"rim": 0.7, "bore": 1.0, "round": 0.6, "colour": 0.5, "change": 0.5}
        return Guess(look=number, x_mm=x_mm, y_mm=y_mm, **shown)

    def band(self, guess: Guess, from_mm: float, to_mm: float = 80.0) -> NDArray[np.bool_]:
        """(H, W) a strip across the puck's side, so far from its middle, to both sides of it."""
        z_mm = self.view.pieces[guess.look].body.thickness_mm
        corners = [
            (guess.x_mm + x, guess.y_mm + y, z_mm)
            for x, y in (
                (from_mm, -to_mm),
                (from_mm + BROAD_MM, -to_mm),
                (from_mm + BROAD_MM, to_mm),
                (from_mm, to_mm),
            )
        ]
        at = np.round(self.table.camera.project(np.array(corners))).astype(np.int32)
        drawn = np.zeros(self.picture.shape[:2], dtype=np.uint8)
        cv2.fillConvexPoly(drawn, at.reshape(-1, 1, 2), 1)
        return drawn > 0

    def covers(
        self,
        over: NDArray[np.bool_],
        shade: Shade = SKIN,
        hand: NDArray[np.bool_] | None = None,
    ) -> Covers:
        """What is found with `shade` drawn `over` (H, W), where `hand` (H, W) is seen, or that."""
        soft = cv2.GaussianBlur(over.astype(np.float32), (0, 0), 0.7)[:, :, None]
        grain = np.random.default_rng(1).normal(0, 3, self.picture.shape)
        shown = self.picture * (1 - soft) + (np.array(shade) + grain) * soft
        codes = np.clip(shown, 0, 255).astype(np.uint8)
        view = self.view
        relit = relight(codes, self.table.empty, view.box, view.surface)
        seen = (over if hand is None else hand)[view.box.rows_columns]
        return Covers(view, relit, softened(relit.picture), edges_of(relit, view.surface), seen)


@pytest.fixture(scope="module")
def photograph() -> Photograph:
    table = reference_table(TABLE)
    file = FOLDER / "stills" / "002.jpg"
    picture = np.asarray(cv2.imread(str(file)), dtype=np.uint8)
    pieces = json.loads(file.with_suffix(".json").read_text())["pieces"]
    return Photograph(table, picture, view_of(table), pieces)


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_what_lies_over_a_puck_is_told_from_it(photograph: Photograph, colour: str) -> None:
    guess = photograph.guess(colour)
    over = photograph.band(guess, from_mm=4.0)
    cover = photograph.covers(over).of(guess)
    assert cover is not None
    assert 0.15 < cover.part.mean() < 0.45
    east, west = cover.rim[0], cover.rim[len(cover.rim) // 2]
    assert east
    assert not west


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_a_puck_is_judged_by_the_rim_that_shows(photograph: Photograph, colour: str) -> None:
    guess = photograph.guess(colour)
    covers = photograph.covers(photograph.band(guess, from_mm=4.0))
    (judged,) = covers.judged([guess])
    assert judged.rim > 0.95
    assert judged.round > 0.8


def test_only_what_is_covered_is_hidden(photograph: Photograph) -> None:
    guess = photograph.guess("blue")
    over = photograph.band(guess, from_mm=4.0)
    hidden = photograph.covers(over).hidden([guess])
    drawn = over[photograph.view.box.rows_columns]
    assert hidden.any()
    assert (hidden & ~cv2.dilate(drawn.astype(np.uint8), np.ones((9, 9))).astype(bool)).sum() == 0


def test_a_bare_puck_is_covered_by_nothing(photograph: Photograph) -> None:
    guess = photograph.guess("blue")
    beside = photograph.band(guess, from_mm=30.0)
    assert photograph.covers(beside).of(guess) is None


def test_what_ends_at_the_rim_is_a_gleam_on_the_puck(photograph: Photograph) -> None:
    guess = photograph.guess("blue")
    radius_mm = photograph.view.pieces[guess.look].body.radius_mm
    inner = photograph.band(guess, from_mm=radius_mm - 5.0, to_mm=4.0)
    gleam = inner & photograph.band(guess, from_mm=radius_mm - 5.0 - BROAD_MM + 4.5)
    assert photograph.covers(gleam, (230.0, 200.0, 190.0)).of(guess) is None


def test_where_no_hand_is_near_nothing_is_looked_for(photograph: Photograph) -> None:
    guess = photograph.guess("blue")
    over = photograph.band(guess, from_mm=4.0)
    far = photograph.band(guess, from_mm=-400.0)
    assert photograph.covers(over, hand=far).of(guess) is None


def test_a_hand_that_is_not_told_from_wood_may_lie_over_any_puck(photograph: Photograph) -> None:
    guess = photograph.guess("blue")
    over = photograph.band(guess, from_mm=4.0)
    assert photograph.covers(over, hand=np.zeros_like(over)).of(guess) is not None
