"""What a page sees of a lattice board: what stands on which place, and when the table is still."""

import pytest

from rules.board import Board
from rules.facts import Batch, Cleared, Emptied, Fact, Filled, HandLeft, Settled
from rules.geometry import Point
from sightline.games import built_in_board
from sightline.running.views import pieces_of, sight_after
from web.desk import Sight

PEGS = built_in_board("king_square")
STICKS = built_in_board("squarin_off")
FIELD = built_in_board("quarterback")


def put(place: str, kind: str = "peg", colour: str = "red") -> Filled:
    return Filled(at_ms=1, place=place, kind=kind, colour=colour)


def gone(place: str, kind: str = "peg", colour: str = "red") -> Emptied:
    return Emptied(at_ms=2, place=place, kind=kind, colour=colour)


CASES: dict[str, tuple[Board, list[Fact], list[str]]] = {
    "a peg": (PEGS, [put("holes:3,4")], ["holes:3,4"]),
    "a peg taken out": (
        PEGS,
        [put("holes:3,4"), put("holes:1,1"), gone("holes:3,4")],
        ["holes:1,1"],
    ),
    "several under one hand": (
        PEGS,
        [put("holes:0,0"), Batch(at_ms=3, facts=(gone("holes:0,0"), put("holes:9,9")))],
        ["holes:9,9"],
    ),
    "a cleared field": (PEGS, [put("holes:0,0"), Cleared(at_ms=3)], []),
    "no such place": (PEGS, [put("holes:10,0")], []),
    "one piece upon another": (
        FIELD,
        [put("cells:3,4", "triple"), put("cells:3,4", "double", "blue")],
        ["cells:3,4", "cells:3,4/double"],
    ),
    "the upper one gone": (
        FIELD,
        [
            put("cells:3,4", "triple"),
            put("cells:3,4", "double", "blue"),
            gone("cells:3,4", "double", "blue"),
        ],
        ["cells:3,4"],
    ),
    "a settled picture without places": (
        PEGS,
        [put("holes:3,4"), Settled(at_ms=4, pieces=())],
        ["holes:3,4"],
    ),
}


@pytest.mark.parametrize(("board", "facts", "names"), CASES.values(), ids=CASES.keys())
def test_what_stands_on_a_lattice_is_called_by_its_place(
    board: Board, facts: list[Fact], names: list[str]
) -> None:
    assert [piece.name for piece in pieces_of(facts, board)] == names


def test_a_stick_lies_midway_between_two_dots_and_is_turned_along_its_groove() -> None:
    flat, upright = pieces_of(
        [put("edges:h:0,0", "stick", "natural"), put("edges:v:0,0", "stick", "natural")], STICKS
    )
    assert (flat.at, flat.turn_deg) == (Point(-180.0, -200.0), 0.0)
    assert (upright.at, upright.turn_deg) == (Point(-200.0, -180.0), 90.0)


def test_on_a_lattice_the_table_is_still_when_the_hand_has_left() -> None:
    left = HandLeft(at_ms=3)
    found = sight_after(left, PEGS)
    assert found is not None
    assert found[0] is Sight.STILL
    assert (sight_after(left, built_in_board("qsquare")) or ("",))[0] is Sight.SETTLING


@pytest.mark.parametrize(
    "place", ["holes:3", "holes:-1,2", "holes:3,4,5", "cells:0,0", "edges:h:0,0", "", "holes:a,b"]
)
def test_a_place_that_the_board_has_not_is_nowhere(place: str) -> None:
    assert PEGS.at(place) is None
