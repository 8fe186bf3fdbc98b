"""Boards on a lattice are read as they were laid."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest
from testkit.lattice_tables import (
    LatticeTable,
    exposed,
    lattice_table,
    misread,
    noisy,
    pressed,
    shaded,
    tinted,
    told_of,
    truth_of,
)

from sightline.simulated.scene import Limb
from sightline.words.place_names import places_of
from vision.frame import Picture
from vision.lattice.read import read_lattice
from vision.lattice.sampled import ends_of
from vision.observe import observe

GAMES = ("king_square", "squarin_off", "quarterback")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LatticeTable]:
    folder: Path = tmp_path_factory.mktemp("lattices")
    return {game: lattice_table(game, folder / game) for game in GAMES}


def half_in_shade(picture: Picture) -> Picture:
    """A picture in which a shade with an edge of a few centimetres lies over one half."""
    lit = 0.5 + 0.5 / (1 + np.exp(-np.linspace(-24, 24, picture.shape[1])))
    codes = 255 * ((picture / 255.0) ** 2.2 * lit[None, :, None]) ** (1 / 2.2)
    return np.asarray(codes.round(), dtype=np.uint8)


def curved(picture: Picture, power: float) -> Picture:
    """A picture by a camera with another tone curve."""
    return np.asarray((255 * (picture / 255.0) ** power).round(), dtype=np.uint8)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("share", "seed"), [(0.0, 0), (0.15, 1), (0.5, 2), (0.9, 3)])
def test_a_board_is_read_as_it_was_laid(
    tables: dict[str, LatticeTable], game: str, share: float, seed: int
) -> None:
    table = tables[game]
    laid = table.laid_at_random(share, seed)
    seen = read_lattice(table.picture(laid), table.table)
    truth = truth_of(laid)
    assert misread(seen, truth) == set()
    assert len(seen.unknown) <= 1
    assert not seen.hand


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "spoilt",
    [
        partial(exposed, gain=0.5),
        partial(exposed, gain=1.3),
        partial(tinted, bgr=(0.7, 0.9, 1.1)),
        partial(noisy, sigma=5.0),
        partial(pressed, quality=75),
        partial(shaded, least=0.5),
    ],
    ids=[
        "darker",
        "brighter",
        "warmer",
        "noisy",
        "pressed",
        "shaded to one side",
    ],
)
def test_another_light_and_a_worse_camera_change_nothing(
    tables: dict[str, LatticeTable], game: str, spoilt: Callable[[Picture], Picture]
) -> None:
    table = tables[game]
    laid = table.laid_at_random(0.4, 4)
    table.simulated.photographer.begin_again()
    seen = read_lattice(spoilt(table.picture(laid)), table.table)
    truth = truth_of(laid)
    assert misread(seen, truth) == set()
    assert len(seen.unknown) <= 2


@pytest.mark.parametrize("game", GAMES)
def test_the_blotches_of_a_coarsely_coded_picture_are_no_pieces(
    tables: dict[str, LatticeTable], game: str
) -> None:
    table = tables[game]
    for seed in range(100, 106):
        laid = table.laid_at_random(0.4, seed)
        for quality in (75, 60):
            seen = read_lattice(pressed(table.picture(laid, anew=False), quality), table.table)
            truth = truth_of(laid)
            assert misread(seen, truth) == set()
            assert len(seen.unknown) <= 24


@pytest.mark.parametrize(
    ("gain", "most", "ends"),
    [(1.0, 200, 252), (2.0, 255, 252), (2.0, 230, 227)],
    ids=["nothing ends", "ends where codes do", "made darker afterwards"],
)
def test_a_camera_s_codes_end_where_many_pile_up(gain: float, most: int, ends: int) -> None:
    bright = np.random.default_rng(3).normal(110, 25, (40, 50, 3))
    codes = np.clip(gain * bright, 0, most).astype(np.uint8)
    assert ends_of(codes).tolist() == [ends] * 3


@pytest.mark.parametrize("game", GAMES)
def test_a_place_under_a_hand_is_unknown_and_no_other_is_misread(
    tables: dict[str, LatticeTable], game: str
) -> None:
    table = tables[game]
    laid = table.laid_at_random(0.5, 5)
    far = table.table.board.height_mm
    limb = Limb(reach_mm=(20.0, -10.0), elbow_mm=(60.0, -far))
    seen = read_lattice(table.picture(laid, (limb,)), table.table)
    truth = truth_of(laid)
    assert seen.hand
    assert any(seen.unknown)
    assert misread(seen, truth) == set()


@pytest.mark.parametrize("game", ["king_square", "quarterback"])
@pytest.mark.parametrize(
    "spoilt",
    [half_in_shade, partial(curved, power=0.75), partial(curved, power=1.3)],
    ids=["half in shade", "a flatter tone curve", "a steeper one"],
)
def test_a_place_under_a_hand_is_unknown_however_light_and_camera_differ(
    tables: dict[str, LatticeTable], game: str, spoilt: Callable[[Picture], Picture]
) -> None:
    table = tables[game]
    laid = table.laid_at_random(0.5, 5)
    limb = Limb(reach_mm=(20.0, -10.0), elbow_mm=(60.0, -table.table.board.height_mm))
    seen = read_lattice(spoilt(table.picture(laid, (limb,))), table.table)
    assert seen.hand
    assert misread(seen, truth_of(laid)) == set()
    assert not read_lattice(spoilt(table.picture(laid)), table.table).hand


@pytest.mark.parametrize("sigma", [0.0, 3.0, 5.0])
def test_a_hand_that_is_nearly_of_the_wood_s_colour_hides_what_lies_beneath_it(
    tables: dict[str, LatticeTable], sigma: float
) -> None:
    table = tables["king_square"]
    laid = table.laid_at_random(0.5, 5)
    limb = Limb(reach_mm=(20.0, -10.0), elbow_mm=(60.0, -table.table.board.height_mm))
    bare, under = table.picture(laid).astype(float), table.picture(laid, (limb,)).astype(float)
    picture = noisy(np.asarray(bare + 0.4 * (under - bare), dtype=np.uint8), sigma)

    seen = read_lattice(picture, table.table)

    truth = truth_of(laid)
    wrong = {
        p for p in {*truth, *told_of(seen)} - seen.unknown if truth.get(p) != told_of(seen).get(p)
    }
    assert seen.hand
    assert wrong == set()


def test_a_ball_on_a_piece_is_seen_with_the_piece_beneath(tmp_path: Path) -> None:
    table = lattice_table("quarterback", tmp_path / "quarterback")
    colours = sorted({s.colour for s in table.table.board.pieces if s.kind == "single"})
    ball = next(s for s in table.table.board.pieces if s.kind == "ball")
    for place, colour in product(("1,2", "4,8", "9,12"), colours):
        base = table.lying(f"cells:{place}", "single", colour)
        upon = table.lying(f"cells:{place}", "ball", ball.colour, lift_mm=base.spec.thickness_mm)
        seen = read_lattice(table.picture((base, upon)), table.table)
        assert seen.lattice["cells"] == {
            place: [
                {"kind": "single", "colour": colour},
                {"kind": "ball", "colour": ball.colour},
            ]
        }


def test_a_disc_alone_is_not_seen_upon_another(tmp_path: Path) -> None:
    table = lattice_table("quarterback", tmp_path / "small", (640, 480))
    middle = table.lying("cells:1,8", "double", "red")
    disc = replace(middle, x_mm=middle.x_mm + 0.562, y_mm=middle.y_mm + 1.339)
    for at in (middle, disc):
        seen = read_lattice(table.picture((at,)), table.table)
        assert told_of(seen) == {"cells:1,8": {"kind": "double", "colour": "red"}}


def test_a_chip_of_the_squares_own_colour_is_found(tables: dict[str, LatticeTable]) -> None:
    table = tables["squarin_off"]
    chip = table.lying("cells:0,0", "chip", "blue")
    seen = read_lattice(table.picture((chip,)), table.table)
    assert told_of(seen) == {"cells:0,0": {"kind": "chip", "colour": "blue"}}
    (piece,) = seen.pieces
    assert np.hypot(piece.at.x_mm - chip.x_mm, piece.at.y_mm - chip.y_mm) < 1.5


def test_observing_a_lattice_table_reads_its_lattice(tables: dict[str, LatticeTable]) -> None:
    table = tables["king_square"]
    peg = table.lying("holes:3,4", "peg", "red")
    assert observe(table.picture((peg,)), table.table).lattice == {"holes": {"3,4": "red"}}


def test_grooves_narrower_than_a_few_pixels_are_read(tmp_path: Path) -> None:
    table = lattice_table("squarin_off", tmp_path / "small", (640, 480))
    for share, seed in ((0.0, 0), (0.3, 1), (0.8, 3)):
        laid = table.laid_at_random(share, seed)
        seen = read_lattice(table.picture(laid), table.table)
        assert told_of(seen) == truth_of(laid)
        assert not seen.unknown


def test_chips_of_one_colour_all_over_the_board_are_not_taken_for_its_light(
    tmp_path: Path,
) -> None:
    table = lattice_table("squarin_off", tmp_path / "small", (640, 480))
    places = [p for p in places_of(table.table.board, "cells") if int(p[-1]) != 4]
    laid = tuple(table.lying(place, "chip", "white") for place in places)
    seen = read_lattice(table.picture(laid), table.table)
    assert told_of(seen) == truth_of(laid)
    assert not seen.unknown


def test_a_thing_of_no_known_colour_leaves_its_cell_unknown(
    tables: dict[str, LatticeTable],
) -> None:
    table = tables["squarin_off"]
    at = table.table.board.at("cells:4,4")
    assert at is not None
    u, v = table.table.camera.project(np.array([[at.x_mm, at.y_mm, 2.0]]))[0]
    picture = cv2.circle(table.picture(()), (round(u), round(v)), 14, (255, 0, 255), -1)
    seen = read_lattice(np.asarray(picture, dtype=np.uint8), table.table)
    assert told_of(seen) == {}
    assert seen.unknown == {"cells:4,4"}


def test_a_picture_of_another_size_is_blind_with_the_reason(
    tables: dict[str, LatticeTable],
) -> None:
    picture = np.zeros((480, 640, 3), dtype=np.uint8)
    seen = observe(picture, tables["king_square"].table)
    assert seen.blind is not None
    assert "640 x 480" in seen.blind
