import copy
import tomllib
from pathlib import Path

import pytest
from testkit.painted_board import square_board
from testkit.reference_tables import TABLES

from calibration.board_file import BoardError, board_from, read_board
from calibration.board_text import board_text
from calibration.damage import TableDamaged
from rules.board import Board, Shape
from rules.geometry import Point, Seat

OAK = TABLES / "qsquare-oak" / "board.toml"


def oak() -> dict[str, object]:
    return tomllib.loads(OAK.read_text(encoding="utf-8"))


def test_a_board_file_reads_as_the_board_it_describes() -> None:
    board = read_board(OAK)
    assert (board.game, board.width_mm, board.border_height_mm) == ("qsquare", 1016.0, 18.0)
    assert board.line("central-red").width_mm == 2.5
    assert board.line("pocket-zone-NE").centre == Point(508.0, 508.0)
    assert board.piece("cue-puck", "natural").shape is Shape.RING
    assert board.zones[0].seat is Seat.S
    assert [mark.id for mark in board.fiducials] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "board",
    [
        read_board(OAK),
        read_board(TABLES / "qsquare-melamine" / "board.toml"),
        square_board(),
        square_board(markers=False),
    ],
    ids=["oak", "melamine", "markers", "plain"],
)
def test_a_board_written_reads_back_the_same(board: Board) -> None:
    assert board_from(tomllib.loads(board_text(board))) == board


def test_what_this_version_does_not_know_is_kept() -> None:
    told = oak() | {"maker": 'O"ak & Söhne\n', "club": {"table": 3, "tags": ["a", "b"]}}
    board = board_from(told)
    assert board.extra == {"maker": 'O"ak & Söhne\n', "club": {"table": 3, "tags": ["a", "b"]}}
    assert board_from(tomllib.loads(board_text(board))) == board


def set_in(told: dict[str, object], path: tuple[str | int, ...], value: object) -> None:
    *way, last = path
    at: object = told
    for step in way:
        at = at[step]  # type: ignore[index]
    if value is ...:
        del at[last]  # type: ignore[attr-defined]
    else:
        at[last] = value  # type: ignore[index]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("game",), ..., "game: missing"),
        (("game",), 7, "game: expected a text"),
        (("units",), "inch", 'units: expected "mm"'),
        (("format",), 2, "newer Sightline"),
        (("surface",), ..., "surface: missing"),
        (("surface", "width"), "1016", "surface.width: expected a number"),
        (("surface", "width"), True, "surface.width: expected a number"),
        (("surface", "width"), -3.0, "surface.width: expected a length above 0"),
        (("surface", "height"), float("nan"), "surface.height: expected a number"),
        (("line",), 3, "line: expected tables"),
        (("line", 0, "points"), [[1.0, 2.0]], "line[0] (home-S).points: expected a list"),
        (("line", 0, "points"), [[1.0, 2.0], [1.0]], "line[0] (home-S).points[1]"),
        (("line", 0, "points"), [[1.0, 2.0], [1.0, "x"]], "line[0] (home-S).points[1][1]"),
        (("line", 0, "radius"), 3.0, "not both"),
        (("line", 1, "id"), "home-S", "there are two lines 'home-S'"),
        (("line", 6, "radius"), ..., "line[6] (pocket-zone-SW).radius: missing"),
        (("zone", 0, "seat"), "South", "zone[0] (home-S).seat"),
        (("zone", 0, "bounded_by"), ["nowhere"], "there is no line 'nowhere'"),
        (("zone", 6, "corner"), "S", "zone[6] (pocket-zone-SW).corner"),
        (("pocket", 0, "radius"), 0, "pocket[0] (SW).radius"),
        (("piece", 0, "shape"), "cube", "piece[0] (cue-puck).shape: expected one of disc"),
        (("piece", 0, "hole"), 60.0, "as wide as the piece"),
        (("piece", 0, "hole"), ..., "a ring has a hole"),
        (("piece", 0, "rgb"), [1, 2, 300], "piece[0] (cue-puck).rgb"),
        (("fiducial", 0, "id"), 1.5, "fiducial[0].id: expected a whole number"),
        (("fiducial", 1, "id"), 0, "there are two fiducials"),
    ],
)
def test_a_wrong_board_is_refused_with_its_key(
    path: tuple[str | int, ...], value: object, said: str
) -> None:
    told = copy.deepcopy(oak())
    set_in(told, path, value)
    with pytest.raises(BoardError) as caught:
        board_from(told)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"game = ", "is not TOML"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'game = "qsquare"\n', "surface: missing"),
    ],
    ids=["not TOML", "not UTF-8", "unfinished"],
)
def test_a_damaged_board_file_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "board.toml"
    file.write_bytes(content)
    with pytest.raises(TableDamaged) as caught:
        read_board(file)
    assert caught.value.file == file
    assert said in caught.value.what
    assert caught.value.remedy


def test_a_missing_board_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableDamaged, match="there is no board file"):
        read_board(tmp_path / "board.toml")
    with pytest.raises(TableDamaged, match="is a folder"):
        read_board(tmp_path)
