"""The simulated club's board: a built-in board, fit to be seen by a simulated camera."""

from dataclasses import replace

from rules.board import Board, Fiducial
from rules.game import Setup
from rules.geometry import Point
from rules.registry import GAMES, find_game
from sightline.games import built_in_board

MARKER = "DICT_4X4_50"
MARKER_PX = 22.0
CUE_PUCK_RGB = (190, 118, 48)
USUAL_FINISH = {
    "king_square": "cherry",
    "squarin_off": "walnut",
    "quarterback": "turf",
    "carrom": "birch",
}
TINTS = {"1": (224, 204, 160), "2": (152, 72, 64), "3": (78, 96, 112)}


def printed_cells(board: Board) -> dict[str, tuple[int, int, int]]:
    """The colours of the cells that a game has values printed on, by place; maybe none."""
    if not any(lattice.id == "cells" for lattice in board.lattices) or board.game not in GAMES:
        return {}
    game = find_game(board.game)
    marks = game.scoreboard(game.start(Setup(game=board.game, board=board))).marks
    return {m.places[0]: TINTS[m.label] for m in marks if len(m.places) == 1 and m.label in TINTS}


def club_board(game: str = "qsquare", size: tuple[int, int] = (960, 720)) -> Board:
    """The built-in board of a game, for a camera of `size` (width, height) px.

    The cue-puck is of a darker wood than the surface. Where the picture is too small for markers on
    the frame to be read, there are none: the corners are clicked instead.
    """
    board = built_in_board(game)
    board = replace(
        board,
        pieces=tuple(
            replace(spec, rgb=CUE_PUCK_RGB) if spec.kind == "cue-puck" else spec
            for spec in board.pieces
        ),
    )
    whole_mm = board.height_mm + 2 * board.border_width_mm
    marker_mm = min(44.0, 0.75 * board.border_width_mm)
    if marker_mm * 0.94 * min(size) / whole_mm < MARKER_PX:
        return replace(board, fiducials=())
    return with_markers(board, marker_mm)


def with_markers(board: Board, size_mm: float = 44.0, z_mm: float | None = None) -> Board:
    """The board with markers on its frame's corners, ids 0 to 3 counter-clockwise from SW."""
    x = board.width_mm / 2 + board.border_width_mm / 2
    y = board.height_mm / 2 + board.border_width_mm / 2
    z = board.border_height_mm + 0.1 if z_mm is None else z_mm
    corners = ((-x, -y), (x, -y), (x, y), (-x, y))
    return replace(
        board,
        fiducials=tuple(
            Fiducial(dictionary=MARKER, id=k, centre=Point(px, py), z_mm=z, size_mm=size_mm)
            for k, (px, py) in enumerate(corners)
        ),
    )
