"""A board that lies elsewhere in the picture than when its table was set up."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from testkit.lattice_tables import LatticeTable, exposed, lattice_table, misread, noisy, truth_of

from calibration.bump import Shift
from vision.frame import Observation, Picture
from vision.lattice import moved
from vision.lattice.read import read_lattice

pytestmark = pytest.mark.film

GAMES = ("squarin_off", "quarterback")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LatticeTable]:
    folder: Path = tmp_path_factory.mktemp("moved")
    return {game: lattice_table(game, folder / game) for game in GAMES}


def shifted(picture: Picture, right_px: float, down_px: float, turn_deg: float = 0.0) -> Picture:
    size = picture.shape[1], picture.shape[0]
    move = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), turn_deg, 1.0)
    move[:, 2] += (right_px, down_px)
    there = cv2.warpAffine(
        picture, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(there, dtype=np.uint8)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("right_px", "down_px", "turn_deg"),
    [(0.8, -0.8, 0.0), (1.5, 1.0, 0.0), (-3.0, 2.0, 0.1), (9.0, -5.0, 0.0), (0.0, 0.0, 0.3)],
    ids=["less than a pixel", "two pixels", "with a turn", "ten pixels", "a turn alone"],
)
def test_a_camera_that_has_moved_still_reads_the_board(
    tables: dict[str, LatticeTable], game: str, right_px: float, down_px: float, turn_deg: float
) -> None:
    table = tables[game]
    laid = table.laid_at_random(0.35, 3)
    seen = read_lattice(shifted(table.picture(laid), right_px, down_px, turn_deg), table.table)
    assert seen.blind is None
    assert misread(seen, truth_of(laid)) == set()
    assert len(seen.unknown) <= 2


@pytest.mark.parametrize("game", GAMES)
def test_a_camera_that_has_moved_and_moves_again_still_reads_the_board(
    tables: dict[str, LatticeTable], game: str
) -> None:
    table = tables[game]
    laid = table.laid_at_random(0.35, 4)
    picture, truth = table.picture(laid), truth_of(laid)
    for right_px, down_px in ((2.0, 1.0), (2.0, 1.0), (-4.0, 3.0), (0.0, 0.0)):
        seen = read_lattice(shifted(picture, right_px, down_px), table.table)
        assert misread(seen, truth) == set()


@pytest.mark.parametrize("game", GAMES)
def test_a_board_that_has_moved_nobody_knows_where_is_not_read(
    tables: dict[str, LatticeTable], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*asked: object) -> Iterator[Shift]:
        return iter(())

    monkeypatch.setattr(moved, "guesses_px", nothing)
    table = tables[game]
    table.table.memo.pop("lattice moved by", None)
    seen = read_lattice(shifted(table.picture(table.laid_at_random(0.35, 3)), 5, 3), table.table)
    assert seen.blind is not None
    assert "moved" in seen.blind
    assert not seen.lattice


@pytest.mark.parametrize("game", GAMES)
def test_a_camera_that_stays_is_not_looked_after(
    tables: dict[str, LatticeTable], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(*of: object) -> Iterator[Shift]:
        raise AssertionError("the board was looked for elsewhere")

    monkeypatch.setattr(moved, "guesses_px", asked)
    table = tables[game]
    table.table.memo.pop("lattice moved by", None)
    for share in (0.0, 0.4, 0.9):
        picture = table.picture(table.laid_at_random(share, 5))
        for other in (picture, noisy(picture, 4.0), exposed(picture, 0.6)):
            assert read_lattice(other, table.table).blind is None


def test_where_a_board_that_looks_moved_has_stayed_is_measured_once(
    tables: dict[str, LatticeTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    still = Shift(dx_px=0.0, dy_px=0.0, turn_deg=0.0, scale=0.0, worst_px=0.0, error_px=0.01)
    measured = 0

    def stays(*of: object) -> Iterator[Shift]:
        nonlocal measured
        measured += 1
        return iter((still,))

    monkeypatch.setattr(moved, "guesses_px", stays)
    table = replace(tables["quarterback"].table, memo={})
    seen = Observation(hand=True)
    for astray, times in ((1.5, 1), (1.4, 1), (1.6, 1), (2.5, 2)):
        looked = partial(lambda of, picture: (seen, of), astray)
        assert moved.read_moved(table.empty, table, looked) is seen
        assert measured == times
