import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from testkit.lattice_tables import lattice_table
from testkit.painted_board import camera_over, jpeg_bytes, photograph, small_lens, square_board
from testkit.reference_tables import TABLES

from calibration.board_text import board_text
from calibration.camera_file import write_lens
from calibration.damage import TableDamaged
from calibration.derived import NAME as DERIVED
from calibration.table import load_table, save_table


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table folder in order, with a teach-in."""
    folder = tmp_path_factory.mktemp("tables") / "whole"
    folder.mkdir()
    rng = np.random.default_rng(31)
    board = square_board()
    camera = camera_over(small_lens(), rng)
    (folder / "board.toml").write_text(board_text(board) + PIECE, encoding="utf-8")
    write_lens(camera.lens, folder / "camera.json")
    picture = jpeg_bytes(photograph(board, camera, rng))
    (folder / "empty.jpg").write_bytes(picture)
    (folder / "teach.jpg").write_bytes(picture)
    told = {"pieces": [{"kind": "puck", "colour": "red", "x": 1.5, "y": -20.0}]}
    (folder / "teach.json").write_text(json.dumps(told), encoding="utf-8")
    load_table(folder)
    return folder


PIECE = """
[[piece]]
kind = "puck"
colour = "red"
shape = "ring"
diameter = 25.0
thickness = 8.0
hole = 8.0
"""


def copy_of(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "table"
    shutil.copytree(whole, folder)
    return folder


def test_what_was_derived_is_kept_and_read_again(whole: Path, tmp_path: Path) -> None:
    folder = copy_of(whole, tmp_path)
    told = json.loads((folder / DERIVED).read_text(encoding="utf-8"))
    assert told["version"] == 1
    first, again = load_table(whole), load_table(folder)
    assert again.camera == first.camera
    assert again.teach is not None
    assert again.teach.pieces[0].at.y_mm == -20.0
    assert again.pose_error.at(0, 0, 8) == pytest.approx(first.pose_error.at(0, 0, 8))
    for id, line in first.painted.items():
        assert np.allclose(again.painted[id].centre_mm, line.centre_mm, atol=1e-3)


@pytest.mark.parametrize("content", ["{", "[]", '{"version": 99}', "null"])
def test_a_damaged_cache_is_made_anew(whole: Path, tmp_path: Path, content: str) -> None:
    folder = copy_of(whole, tmp_path)
    (folder / DERIVED).write_text(content, encoding="utf-8")
    assert load_table(folder).stretches > 50


def _shorten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-3000])


def _half_grey(file: Path) -> None:
    import cv2

    picture = cv2.imread(str(file))
    assert picture is not None
    picture[200:] = 128
    file.write_bytes(jpeg_bytes(np.asarray(picture, dtype=np.uint8)))


def _other_size(file: Path) -> None:
    file.write_bytes(jpeg_bytes(np.full((100, 120, 3), 90, dtype=np.uint8)))


@pytest.mark.parametrize(
    ("name", "damage", "said"),
    [
        ("board.toml", Path.unlink, "there is no board file"),
        ("camera.json", Path.unlink, "there is no lens calibration"),
        ("empty.jpg", Path.unlink, "is missing"),
        ("teach.json", Path.unlink, "there is a teach.jpg"),
        ("teach.jpg", Path.unlink, "is missing"),
        ("camera.json", lambda f: f.write_text("{"), "is not JSON"),
        ("camera.json", lambda f: f.write_text("[1]"), "expected an object"),
        (
            "camera.json",
            lambda f: f.write_text(f.read_text().replace("600", '"600"')),
            "width: expected a whole number",
        ),
        (
            "camera.json",
            lambda f: f.write_text(f.read_text().replace("660.0", "6.6")),
            "is no focal length",
        ),
        (
            "camera.json",
            lambda f: f.write_text(f.read_text().replace(", 0.0]", "]")),
            "dist: expected [k1, k2, p1, p2, k3]",
        ),
        ("empty.jpg", lambda f: f.write_bytes(b""), "is empty"),
        ("empty.jpg", lambda f: f.write_bytes(b"not a picture"), "no picture that can be read"),
        ("empty.jpg", _shorten, "is torn"),
        ("empty.jpg", _half_grey, "is torn"),
        ("empty.jpg", _other_size, "is 120 x 100 pixels"),
        ("teach.json", lambda f: f.write_text("3"), "expected an object"),
        ("teach.json", lambda f: f.write_text('{"pieces": 3}'), "pieces: expected a list"),
        (
            "teach.json",
            lambda f: f.write_text(f.read_text().replace("puck", "pawn")),
            "board.toml has no red pawn",
        ),
        (
            "teach.json",
            lambda f: f.write_text(f.read_text().replace("1.5", '"1.5"')),
            "pieces[0].x: expected mm",
        ),
    ],
)
def test_every_kind_of_damage_names_its_file_and_a_remedy(
    whole: Path, tmp_path: Path, name: str, damage: object, said: str
) -> None:
    folder = copy_of(whole, tmp_path)
    assert callable(damage)
    damage(folder / name)
    with pytest.raises(TableDamaged) as caught:
        load_table(folder)
    assert caught.value.file == folder / name
    assert said in caught.value.what
    assert caught.value.remedy


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableDamaged, match="there is no such folder"):
        load_table(tmp_path / "nowhere")


def test_an_empty_picture_without_the_board_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = copy_of(whole, tmp_path)
    rng = np.random.default_rng(1)
    noise = rng.integers(60, 90, (480, 600, 3)).astype(np.uint8)
    (folder / "empty.jpg").write_bytes(jpeg_bytes(noise))
    with pytest.raises(TableDamaged, match="saw 0 of 4 corner markers"):
        load_table(folder)


@pytest.mark.parametrize(
    ("corners", "said"),
    [
        (None, "board.toml has no markers"),
        ('{"SW": [1, 2]}', "SE: expected"),
        ('{"SW": [1, 2], "SE": [1], "NE": [1, 2], "NW": [1, 2]}', "SE: expected"),
        ("[]", "expected an object"),
    ],
)
def test_clicked_corners_must_be_four(
    whole: Path, tmp_path: Path, corners: str | None, said: str
) -> None:
    folder = copy_of(whole, tmp_path)
    plain = board_text(square_board(markers=False)) + PIECE
    (folder / "board.toml").write_text(plain, encoding="utf-8")
    if corners is not None:
        (folder / "corners.json").write_text(corners, encoding="utf-8")
    with pytest.raises(TableDamaged) as caught:
        load_table(folder)
    assert caught.value.file.name == "corners.json"
    assert said in caught.value.what


def test_a_saved_table_loads(tmp_path: Path) -> None:
    rng = np.random.default_rng(32)
    board = square_board(markers=False)
    camera = camera_over(small_lens(), rng)
    half = board.width_mm / 2
    places = {"SW": (-half, -half), "SE": (half, -half), "NE": (half, half), "NW": (-half, half)}
    seen = camera.project(np.array([(x, y, 0.0) for x, y in places.values()])) + 0.8
    corners = {name: (float(u), float(v)) for name, (u, v) in zip(places, seen, strict=True)}
    picture = jpeg_bytes(photograph(board, camera, rng))
    table = save_table(tmp_path / "new", board, camera.lens, picture, corners)
    assert table.board == board
    assert np.allclose(table.camera.centre_mm, camera.centre_mm, atol=0.5)
    assert table.measured_board() == board


@pytest.mark.parametrize("name", ["qsquare-oak", "qsquare-melamine"])
def test_the_reference_tables_are_calibrated_to_hundredths(name: str) -> None:
    table = load_table(TABLES / name)
    assert table.residual_px < 0.05
    assert table.pose_error.at(500, 500, 7) < 0.05
    assert table.stretches > 300
    assert max(np.abs(line.off_mm).max() for line in table.painted.values()) < 0.05


def test_a_board_loads_in_a_light_in_which_a_line_s_width_is_told_under_one_tone_curve_only(
    tmp_path: Path,
) -> None:
    assert lattice_table("quarterback", tmp_path / "table", light="window").table.painted
