"""The places of a board's lattices as its players call them: "d4", "fu1", "e5n"."""

from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

from rules.board import Board
from rules.game import Game, Setup

ROW = "row"
"""The kind of the marks by which a game names its rows otherwise than 1, 2, 3."""


def places_of(board: Board, layer: str) -> list[str]:
    """Return every place of a layer ("holes", "edges", "cells"), by columns, then by rows."""
    found: list[str] = []
    for lattice in board.lattices:
        if lattice.id == ("dots" if layer == "edges" else layer):
            pairs = [f"{c},{r}" for c in range(lattice.cols) for r in range(lattice.rows)]
            ways = ("h:", "v:") if layer == "edges" else ("",)
            named = [f"{layer}:{way}{pair}" for way in ways for pair in pairs]
            found += [place for place in named if board.at(place) is not None]
    return found


def place_names(game: Game[Any], setup: Setup) -> Mapping[str, str]:
    """Return the name of every place; none where the board has no lattice.

    A column is a letter and a row a number, or what the game's marks call it. An edge is called
    by the cell below it or to the left of it, and the side of that cell that it is.
    """
    board = setup.board
    if not board.lattices:
        return {}
    marks = game.scoreboard(game.start(setup)).marks
    rows = {mark.places[0]: mark.label for mark in marks if mark.kind == ROW}
    names = {
        place: _cell(*_pair(place), rows.get(f"{layer}:0,{_pair(place)[1]}"))
        for layer in ("holes", "cells")
        for place in places_of(board, layer)
    }
    return {**names, **{place: _edge(place) for place in places_of(board, "edges")}}


def _pair(place: str) -> tuple[int, int]:
    col, _, row = place.rpartition(":")[2].partition(",")
    return int(col), int(row)


def _cell(col: int, row: int, row_name: str | None = None) -> str:
    return f"{ascii_lowercase[col]}{row + 1 if row_name is None else row_name}"


def _edge(place: str) -> str:
    col, row = _pair(place)
    if place.startswith("edges:h:"):
        return f"{_cell(col, row)}s" if row == 0 else f"{_cell(col, row - 1)}n"
    return f"{_cell(col, row)}w" if col == 0 else f"{_cell(col - 1, row)}e"
