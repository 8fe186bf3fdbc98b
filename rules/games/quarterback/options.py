"""What may be agreed before a match (sections 1, 2 and 6 of the rulebook)."""

from collections.abc import Mapping

from rules.board import Board
from rules.game import Setup
from rules.games.quarterback.field import EMPTY, NUMBERED, field_of
from rules.games.quarterback.state import State, put, start_of
from rules.games.quarterback.strings import read_grid
from rules.games.quarterback.terms import Terms
from rules.geometry import Seat
from rules.options import agreed

STANDARD = "11/11/11/11/5t5/11/11/5t5/2t5t2/11/11/1d1dsssd1d1/T2DSSSD2T/2T2Q2T2/5D5/11"
"""The set-up on eleven columns (section 2)."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "qb_row0": ("three", "four"),
    "defender_moves": ("2", "1"),
    "singles_exempt": ("no", "yes"),
    "empty_turn": ("no", "yes"),
    "midmove_receive": ("yes", "no"),
    "release_scope": ("half", "game"),
    "release_by_push": ("no", "yes"),
    "push_offside": ("allowed", "barred"),
    "diagonal_block": ("one", "both"),
    "own_blocks": ("no", "yes"),
    "adjacency": ("king", "orthogonal"),
    "single_push": ("compulsory", "optional"),
    "immovable": ("stop", "refuse"),
    "single_push_max": ("all", "1"),
    "double_pushes_qb": ("yes", "no"),
    "tackles": ("broad", "literal"),
    "triple_tackles_single": ("no", "yes"),
    "zone_end_only": ("no", "yes"),
    "adjacent_catch": ("no", "tackle"),
    "behind_line": ("mixed", "zero", "column"),
    "turn_end": ("act", "declared"),
    "concede": ("yes", "no"),
    "pass_to_opponent": ("foul", "interception"),
    "push_pickup": ("yes", "no"),
    "toss": ("attacks", "choose"),
    "ball_token": ("loose", "always"),
    "null_move": ("yes", "no"),
    "takeback": ("no", "until_next_fact"),
    "penalty": ("none", "lose_turn"),
    "stop_when_decided": ("no", "yes"),
}
NUMBERS: Mapping[str, tuple[int, int]] = {
    "touchdown": (0, 999),
    "stall_limit": (0, 999),
    "forward_passes": (0, 99),
}
WRITTEN = ("column_values", "set_up")
COLOURS = ("red", "blue")


def start_state(setup: Setup) -> State:
    """The start of a match as agreed; ValueError names the option, what it may be and what came."""
    options = agreed(setup.options, "qb.", "Quarterback", CHOICES, WRITTEN, NUMBERS)
    cols, behind = _size(setup.board)

    def said(key: str, value: str) -> bool:
        return options.get(key) == value

    return start_of(
        Terms(
            cols=cols,
            behind=behind,
            set_up=_set_up(options.get("set_up"), cols, behind),
            colours=_colours(setup),
            names=_names(setup),
            seats=_seats(setup),
            values=_values(options.get("column_values"), cols),
            four_from_row0=said("qb_row0", "four"),
            defender_moves=int(options.get("defender_moves", "2")),
            singles_exempt=said("singles_exempt", "yes"),
            empty_turn=said("empty_turn", "yes"),
            midmove_receive=not said("midmove_receive", "no"),
            release_for_game=said("release_scope", "game"),
            release_by_push=said("release_by_push", "yes"),
            push_offside_barred=said("push_offside", "barred"),
            both_corners=said("diagonal_block", "both"),
            own_blocks=said("own_blocks", "yes"),
            orthogonal=said("adjacency", "orthogonal"),
            push_optional=said("single_push", "optional"),
            immovable_refused=said("immovable", "refuse"),
            one_push=said("single_push_max", "1"),
            double_pushes_qb=not said("double_pushes_qb", "no"),
            tackles_literal=said("tackles", "literal"),
            triple_tackles_single=said("triple_tackles_single", "yes"),
            zone_end_only=said("zone_end_only", "yes"),
            tackle_on_catch=said("adjacent_catch", "tackle"),
            behind_line=options.get("behind_line", "mixed"),
            touchdown=_number(options, "touchdown"),
            stall_limit=int(options.get("stall_limit", "10")),
            declared_end=said("turn_end", "declared"),
            concession=not said("concede", "no"),
            pass_intercepted=said("pass_to_opponent", "interception"),
            forward_passes=_number(options, "forward_passes"),
            push_pickup=not said("push_pickup", "no"),
            toss_chooses=said("toss", "choose"),
            disc_always=said("ball_token", "always"),
            null_move=not said("null_move", "no"),
            takeback=said("takeback", "until_next_fact"),
            lose_turn=said("penalty", "lose_turn"),
        )
    )


def _number(options: Mapping[str, str], key: str) -> int | None:
    return int(options[key]) if key in options else None


def _size(board: Board) -> tuple[int, int]:
    """Columns and unnumbered rows of the board's cells."""
    for lattice in board.lattices:
        if lattice.id == "cells":
            behind = lattice.rows - NUMBERED
            field_of(lattice.cols, behind)
            return lattice.cols, behind
    return 11, 3


def _set_up(option: str | None, cols: int, behind: int) -> str:
    """The set-up on `cols` columns: as written, or the standard one about the middle column."""
    field = field_of(cols, behind)
    if option is not None:
        grid = read_grid(option, field)
        if grid.count("Q") != 1 or "q" in grid:
            raise ValueError(f"expected set_up with one quarterback that attacks, got {option!r}")
        return grid
    if cols < 7 or behind < 2:
        raise ValueError(
            f"expected a set_up for {cols} columns and {behind} rows behind row 0, got none"
        )
    standard = field_of(11, 3)
    grid = EMPTY * field.size
    for square, letter in enumerate(read_grid(STANDARD, standard)):
        if letter != EMPTY:
            col = (cols - 1) // 2 + standard.column(square) - 6
            at = field.square(min(max(col, 0), cols - 1), standard.row(square))
            if at is not None:
                grid = put(grid, at, letter)
    return grid


def _values(option: str | None, cols: int) -> tuple[int, ...]:
    if option is None:
        return tuple(range(1, cols + 1))
    parts = option.split(".")
    if len(parts) != cols or not all(p.isascii() and p.isdigit() and len(p) < 4 for p in parts):
        raise ValueError(f"expected {cols} column_values such as 1.2.3, got {option!r}")
    return tuple(map(int, parts))


def _colours(setup: Setup) -> tuple[str, str]:
    """The colours of the two players: as agreed, else as the board has pieces."""
    given = [player.colour for player in setup.players if player.colour]
    known = list(
        dict.fromkeys(piece.colour for piece in setup.board.pieces if piece.kind == "single")
    )
    if len(setup.players) not in (0, 2) or len(given) not in (0, 2):
        raise ValueError(
            f"expected two players, each with a colour or neither, got {len(setup.players)}"
        )
    found = given or known[:2]
    if len(found) != 2:
        return COLOURS
    if found[0] == found[1]:
        raise ValueError(f"expected a colour of its own for each player, got {found[0]!r} twice")
    if known and not set(found) <= set(known):
        raise ValueError(f"expected the board's colours {', '.join(known)}, got {found!r}")
    return found[0], found[1]


def _names(setup: Setup) -> tuple[str, str]:
    names = [player.name for player in setup.players]
    return (names[0], names[1]) if len(names) == 2 else ("", "")


def _seats(setup: Setup) -> tuple[Seat, Seat] | None:
    seats = [player.seat for player in setup.players]
    return (seats[0], seats[1]) if len(seats) == 2 else None
