"""The board as SVG: everything to scale and in its place."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from testkit.sample_match import sample_board

from rules.board import Board, Lattice, Line, PieceSpec, Shape, Zone
from rules.geometry import Point
from web.board_drawing import draw_board
from web.piece_looks import looks_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(board: Board) -> ElementTree.Element:
    return ElementTree.fromstring(str(draw_board(board)))


def bare(**changes: object) -> Board:
    board = Board(
        game="test",
        name="Bare",
        width_mm=200.0,
        height_mm=100.0,
        border_width_mm=20.0,
        border_height_mm=10.0,
    )
    return replace(board, **changes)  # type: ignore[arg-type]


def spec(kind: str, colour: str, shape: Shape = Shape.DISC, **more: float) -> PieceSpec:
    return PieceSpec(
        kind=kind, colour=colour, shape=shape, diameter_mm=20.0, thickness_mm=5.0, **more
    )


def test_one_unit_is_one_millimetre_and_the_border_is_in_the_picture() -> None:
    assert drawn(bare()).get("viewBox") == "-120 -70 240 140"


def test_y_runs_up_the_page() -> None:
    zone = Zone(id="north", kind="home", polygon=(Point(0, 10), Point(5, 10), Point(5, 40)))
    [polygon] = drawn(bare(zones=(zone,))).iter(f"{SVG}polygon")
    assert polygon.get("points") == "0,-10 5,-10 5,-40"
    assert polygon.get("class") == "zone zone-home"


def test_every_line_zone_pocket_and_piece_of_a_real_board_is_drawn() -> None:
    board = sample_board()
    root = drawn(board)
    ids = {element.get("data-id") for element in root.iter()}
    wanted = (
        [line.id for line in board.lines]
        + [zone.id for zone in board.zones]
        + [pocket.id for pocket in board.pockets]
    )
    assert set(wanted) <= ids
    looks = [element for element in root.iter(f"{SVG}g") if element.get("class") == "look"]
    named = {(look.get("data-kind"), look.get("data-colour")) for look in looks}
    assert {(piece.kind, piece.colour) for piece in board.pieces} <= named


def test_a_line_has_its_true_width_and_colour() -> None:
    line = Line(id="red", colour="red", width_mm=2.5, points=(Point(-50, 0), Point(50, 0)))
    [polyline] = drawn(bare(lines=(line,))).iter(f"{SVG}polyline")
    assert polyline.get("stroke-width") == "2.5"
    assert polyline.get("stroke") == "#b3202a"


def test_a_circle_line_is_a_circle() -> None:
    line = Line(id="ring", colour="black", width_mm=3, centre=Point(4, 5), radius_mm=30.0)
    root = drawn(bare(lines=(line,)))
    [circle] = [one for one in root.iter(f"{SVG}circle") if one.get("data-id") == "ring"]
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("4", "-5", "30")


def test_a_ring_shows_the_board_through_its_hole() -> None:
    root = drawn(bare(pieces=(spec("puck", "red", Shape.RING, hole_mm=8.0),)))
    [path] = [one for one in root.iter(f"{SVG}path") if one.get("fill-rule") == "evenodd"]
    assert "M4 0A4 4 " in path.get("d", "")


@pytest.mark.parametrize(
    ("shape", "tag"),
    [(Shape.DISC, "circle"), (Shape.PEG, "circle"), (Shape.SQUARE, "rect"), (Shape.STICK, "rect")],
)
def test_each_shape_is_drawn_as_itself(shape: Shape, tag: str) -> None:
    root = drawn(bare(pieces=(spec("thing", "red", shape),)))
    [look] = [one for one in root.iter(f"{SVG}g") if one.get("id") == "look-0"]
    assert look[0].tag == f"{SVG}{tag}"


@pytest.mark.parametrize(
    ("pieces", "letters", "patterns"),
    [
        (
            [("cue-puck", "natural"), ("puck", "red"), ("puck", "black"), ("queen", "white")],
            "CRBQ",
            ["own", "plain", "spokes", "own"],
        ),
        ([("puck", "black"), ("puck", "blue")], "BL", ["plain", "spokes"]),
        ([("triple", "red"), ("double", "red"), ("triple", "black"), ("double", "black")], "TDTD",
         ["plain", "plain", "spokes", "spokes"]),
        ([("chip", c) for c in ("red", "blue", "green", "rose", "black")], "RBGOL",
         ["plain", "spokes", "ring", "dots", "plain"]),
    ],
    ids=["Q-Square", "same initials", "sides with several kinds", "many colours"],
)  # fmt: skip
def test_every_side_has_a_letter_and_a_pattern_of_its_own(
    pieces: list[tuple[str, str]], letters: str, patterns: list[str]
) -> None:
    looks = looks_of(bare(pieces=tuple(spec(kind, colour) for kind, colour in pieces)))
    assert "".join(look.letter for look in looks) == letters
    assert [look.pattern for look in looks] == patterns


def test_where_letters_tell_kinds_the_second_side_is_told_by_its_rims() -> None:
    pieces = [("triple", "red"), ("triple", "black"), ("double", "red"), ("double", "black")]
    board = bare(pieces=tuple(spec(kind, colour) for kind, colour in pieces))
    assert [look.rimmed for look in looks_of(board)] == [False, True, False, True]
    circles = [
        sum(part.tag == f"{SVG}circle" and part.get("fill") == "none" for part in look)
        for look in drawn(board).iter(f"{SVG}g")
        if look.get("class") == "look" and look.get("data-colour")
    ]
    assert circles == [0, 1, 0, 1]


def test_a_lattice_shows_its_places_but_cells_are_drawn_by_the_lines() -> None:
    def lattice(name: str) -> Lattice:
        return Lattice(id=name, cols=3, rows=2, pitch_x_mm=10, pitch_y_mm=10, origin=Point(-10, -5))

    root = drawn(bare(lattices=(lattice("holes"), lattice("cells"))))
    places = [one.get("data-place") for one in root.iter() if one.get("class") == "place"]
    assert places == ["holes:0,0", "holes:1,0", "holes:2,0", "holes:0,1", "holes:1,1", "holes:2,1"]


def test_coordinates_name_columns_and_rows() -> None:
    cells = Lattice(
        id="cells", cols=3, rows=2, pitch_x_mm=30, pitch_y_mm=30, origin=Point(-30, -15)
    )
    root = drawn(bare(lattices=(cells,)))
    texts = [one for one in root.iter(f"{SVG}text") if one.get("class") == "coordinate"]
    assert "".join(one.text or "" for one in texts) == "abc12"
    assert [one.get("data-row") for one in texts[3:]] == ["cells:0,0", "cells:0,1"]
    heights = [float(one.get("y", "nan")) for one in texts]
    assert heights[0] > heights[3] > heights[4], "y runs down the page, rows run up the board"


def test_a_lattice_takes_its_geometry_along() -> None:
    dots = Lattice(id="dots", cols=3, rows=2, pitch_x_mm=10, pitch_y_mm=12, origin=Point(-10, -5))
    [group] = [g for g in drawn(bare(lattices=(dots,))).iter() if g.get("class") == "lattice"]
    wanted = ("dots", "10 12", "-10 -5")
    assert (group.get("data-lattice"), group.get("data-pitch"), group.get("data-origin")) == wanted
    assert group[0].get("class") == "grooves"


def test_names_from_a_board_file_cannot_become_markup() -> None:
    nasty = '"><script>alert(1)</script>'
    board = bare(
        name=nasty,
        pieces=(spec(nasty, nasty),),
        zones=(Zone(id=nasty, kind=nasty, polygon=(Point(0, 0), Point(1, 0), Point(1, 1))),),
        lines=(Line(id=nasty, colour=nasty, width_mm=1, points=(Point(0, 0), Point(1, 1))),),
    )
    root = drawn(board)
    assert not list(root.iter(f"{SVG}script"))
    assert "<script" not in str(draw_board(board))


def test_there_are_no_inline_styles_which_the_content_policy_would_block() -> None:
    assert "style=" not in str(draw_board(sample_board()))
