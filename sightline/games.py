"""Games and setups as the command line names them."""

import json
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from calibration.board_file import read_board
from rules.board import Board
from rules.codec import Malformed, board_to_json, setup_from_json
from rules.game import Game, Player, Setup
from rules.geometry import Seat
from rules.registry import find_game
from sightline.complaint import Complaint


def game_called(name: str) -> Game[Any]:
    """Return the game of that name; Complaint names those there are."""
    try:
        return find_game(name)
    except ValueError as err:
        raise Complaint(str(err)) from err


def built_in_board(game: str) -> Board:
    """Return the board that comes with Sightline; Complaint where this game has none."""
    file = resources.files("sightline").joinpath("boards", f"{game}.toml")
    with resources.as_file(file) as path:
        if not path.is_file():
            raise Complaint(f"{game} has no built-in board; name one in a --setup file")
        return read_board(path)


def read_setup(file: Path, game: str) -> Setup:
    """Return the setup of a JSON file, for `game` (docs/json.md).

    "game" may be left out, and "board" too (then it is the built-in one) or be the path of a
    board.toml beside the file. Complaint names the file and what is wrong.
    """
    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except OSError as err:
        raise Complaint(f"{file}: cannot be read ({err.strerror})") from err
    except (ValueError, RecursionError) as err:
        raise Complaint(f"{file}: this is not JSON ({err})") from err
    try:
        return setup_in(given, game, file.parent)
    except Malformed as err:
        raise Complaint(f"{file}: {err}") from err


def setup_in(given: object, game: str, folder: Path) -> Setup:
    """Return the setup that a JSON value says, its gaps filled. Raises Malformed."""
    if not isinstance(given, Mapping):
        raise Malformed("setup", "an object", given)
    whole = {"game": game, **given}
    if whole["game"] != game:
        raise Malformed("game", repr(game), whole["game"])
    board = whole.get("board")
    if board is None:
        whole["board"] = board_to_json(built_in_board(game))
    elif isinstance(board, str):
        whole["board"] = board_to_json(read_board(folder / board))
    return setup_from_json(whole)


def with_options(setup: Setup, options: Iterable[str], players: Iterable[str]) -> Setup:
    """Return the setup with `name=value` options and `SEAT=name[:colour]` players added."""
    chosen = dict(setup.options)
    for option in options:
        name, equals, value = option.partition("=")
        if not (equals and name):
            raise Complaint(f"--option: expected name=value, got {option!r}")
        chosen[name] = value
    seated = [_player(player) for player in players]
    return Setup(
        game=setup.game,
        board=setup.board,
        players=tuple(seated) if seated else setup.players,
        options=chosen,
    )


def _player(given: str) -> Player:
    seat, equals, rest = given.partition("=")
    if not equals or seat not in set(Seat):
        raise Complaint(
            f"--player: expected SEAT=name or SEAT=name:colour (S E N W), got {given!r}"
        )
    name, _, colour = rest.partition(":")
    return Player(seat=Seat(seat), name=name, colour=colour)
