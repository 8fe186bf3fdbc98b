"""What shines beyond the camera's range on a lattice board is told by its rim, or not at all."""

from collections.abc import Callable, Iterable
from functools import partial

import cv2
import numpy as np
import pytest
from testkit.lattice_tables import LatticeTable, exposed, lattice_table, noisy, truth_of

from rules.board import PieceSpec, Shape
from sightline.simulated.pieces import Lying
from sightline.words.place_names import places_of
from vision.frame import Picture
from vision.lattice.read import read_lattice
from vision.lattice.tops import Top

pytestmark = pytest.mark.film

_ROUND = np.linspace(0, 2 * np.pi, 48, endpoint=False)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("squarin_off", tmp_path_factory.mktemp("shining") / "table")


def chips(table: LatticeTable, colours: tuple[str, ...], seed: int) -> tuple[Lying, ...]:
    draw = np.random.default_rng(seed)
    places = [p for p in places_of(table.table.board, "cells") if draw.random() < 0.5]
    return tuple(table.lying(p, "chip", str(draw.choice(colours))) for p in places)


def glaring(table: LatticeTable, laid: Iterable[Lying], picture: Picture) -> Picture:
    """A lamp's light added wherever the board and the tops of pieces mirror it; walls do not."""
    camera = table.table.camera
    middle = camera.project(np.array([[70.0, 50.0, 0.0]]))[0]
    v, u = np.mgrid[: picture.shape[0], : picture.shape[1]]
    spread = 0.13 * picture.shape[0]
    lamp = np.exp(-((u - middle[0]) ** 2 + (v - middle[1]) ** 2) / (2 * spread**2))
    mirrors = np.full(picture.shape[:2], 0.7, dtype=np.float32)
    for piece in laid:
        radius, z = piece.spec.diameter_mm / 2, piece.spec.thickness_mm
        for reach, up, share in (
            (radius + 0.3, 0.0, 0.0),
            (radius, z, 0.0),
            (radius - 0.5, z, 1.0),
        ):
            x, y = piece.x_mm + reach * np.cos(_ROUND), piece.y_mm + reach * np.sin(_ROUND)
            outline = camera.project(np.column_stack([x, y, np.full_like(x, up)]))
            cv2.fillPoly(mirrors, [outline.round().astype(np.int32)], share)
    mirrored = np.asarray(cv2.GaussianBlur(mirrors, (0, 0), 0.6)) * lamp
    light = (picture / 255.0) ** 2.2 + mirrored[..., None]
    return np.asarray(np.clip(255 * light ** (1 / 2.2), 0, 255).round(), dtype=np.uint8)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "spoilt",
    [partial(exposed, gain=1.0), partial(exposed, gain=0.8), partial(noisy, sigma=4.0)],
    ids=["as taken", "darker", "noisy"],
)
def test_a_coloured_chip_under_a_lamp_s_reflection_is_told_by_its_rim_or_left_unknown(
    table: LatticeTable, spoilt: Callable[[Picture], Picture], seed: int
) -> None:
    laid = chips(table, ("blue", "yellow"), seed)
    truth = truth_of(laid)
    seen = read_lattice(spoilt(glaring(table, laid, table.picture(laid))), table.table)
    told = {f"cells:{key}": held for key, held in seen.lattice["cells"].items()}
    wrong = {p for p in {*truth, *told} - seen.unknown if truth.get(p) != told.get(p)}
    assert wrong == set()
    assert len(set(truth) & set(told)) >= 0.85 * len(truth)


@pytest.mark.parametrize("seed", range(3))
def test_a_black_chip_that_gloss_turns_grey_is_not_told_as_a_white_one(
    table: LatticeTable, seed: int
) -> None:
    laid = chips(table, ("black",), seed)
    seen = read_lattice(glaring(table, laid, table.picture(laid)), table.table)
    told = [held for held in seen.lattice["cells"].values() if isinstance(held, dict)]
    assert {str(held["colour"]) for held in told} == {"black"}
    assert len(told) >= 0.5 * len(laid)


def test_what_lies_on_a_square_washed_out_by_a_lamp_is_unknown(table: LatticeTable) -> None:
    at = table.table.board.at("cells:4,4")
    assert at is not None
    corners = np.array([[-15.0, -15, 0], [15, -15, 0], [15, 15, 0], [-15, 15, 0]])
    outline = table.table.camera.project(corners + np.array([at.x_mm, at.y_mm, 0])).round()
    picture = cv2.fillPoly(table.picture(()).copy(), [outline.astype(np.int32)], (255, 255, 255))
    seen = read_lattice(np.asarray(picture, dtype=np.uint8), table.table)
    assert seen.lattice["cells"] == {}
    assert "cells:4,4" in seen.unknown


@pytest.mark.parametrize("colour", ["white", "yellow", "black", "blue"])
def test_by_a_warm_lamp_a_white_chip_is_no_pale_yellow_one(
    by_lamp: LatticeTable, colour: str
) -> None:
    places = ("cells:1,5", "cells:3,6", "cells:4,2", "cells:6,2", "cells:7,7")
    laid = tuple(by_lamp.lying(place, "chip", colour) for place in places)
    seen = read_lattice(by_lamp.picture(laid), by_lamp.table)
    assert {f"cells:{key}": held for key, held in seen.lattice["cells"].items()} == truth_of(laid)
    assert seen.unknown.isdisjoint(places)


@pytest.fixture(scope="module")
def by_lamp(tmp_path_factory: pytest.TempPathFactory) -> LatticeTable:
    return lattice_table("squarin_off", tmp_path_factory.mktemp("lamp") / "table", light="lamp")


def test_a_warm_white_is_no_colour() -> None:
    blue, green, red = light = (0.64, 0.72, 0.75)
    tint = np.array([blue, green, red]) - np.mean(light)
    spec = PieceSpec(
        kind="chip",
        colour="white",
        shape=Shape.DISC,
        diameter_mm=24.0,
        thickness_mm=2.0,
        rgb=(235, 230, 220),
    )
    top = Top(
        spec=spec,
        light=light,
        tint=tint,
        strength=float(np.linalg.norm(tint)),
        bright=float(np.mean(light)),
    )
    assert top.grey
