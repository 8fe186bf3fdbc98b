"""What teams may agree on before a match: every `cr.` option of the rulebook, checked."""

from collections.abc import Mapping

from msgspec import Struct

from rules.options import agreed

_CHOICES: dict[str, tuple[str, ...]] = {
    "players": ("4", "2"),
    "best_of": ("1", "3"),
    "base_rule": ("both_lines", "any_line"),
    "base_circle": ("field", "ignore"),
    "break_attempts": ("1", "3"),
    "later_break": ("right", "winner", "loser"),
    "queen_opens": ("board", "turn"),
    "queen_first": ("return_and_turn", "plus_due"),
    "queen_while_due": ("allowed", "refused"),
    "queen_cap_22": ("off", "on"),
    "locked_pair": ("by_order", "must_cover"),
    "queen_striker_pieces": ("2", "1"),
    "cover_striker_pieces": ("2_incl", "2_extra"),
    "queen_plus_opponent": ("with_striker", "pending_too", "always"),
    "striker_turn": ("specific", "always_lost"),
    "striker_with_piece": ("piece_only", "plus_due"),
    "striker_off": ("no_foul", "turn_lost"),
    "jump_back": ("stays", "to_centre"),
    "jump_pockets": ("stand", "void"),
    "push_penalty": ("piece_else_turn", "both", "turn_only", "referee"),
    "push_pockets": ("void", "stand"),
    "jerk": ("as_push", "due_and_turn"),
    "touch_turn": ("keep", "lose"),
    "conduct": ("due", "warn"),
    "out_of_turn": ("void", "lose_board"),
    "placer": ("right_opponent", "any_opponent"),
    "last_piece_queen_up": ("lose_3", "replace_piece"),
    "last_opponent_queen_bonus": ("0", "3"),
    "clock_stops": ("referee_only", "between_boards"),
    "timeout_queen": ("respot", "holder_wins"),
    "timeout_pieces": ("keep", "clear"),
}
_FREE = ("game", "time_limit_min")


class Options(Struct, frozen=True, kw_only=True):
    """The agreed options; a name without `cr.`, its first value the default.

    A game ends at `points_to_win` (None: never by points) or after `boards`.
    """

    points_to_win: int | None = 25
    boards: int = 8
    time_limit_min: float = 35.0
    players: str = "4"
    best_of: str = "1"
    base_rule: str = "both_lines"
    base_circle: str = "field"
    break_attempts: str = "1"
    later_break: str = "right"
    queen_opens: str = "board"
    queen_first: str = "return_and_turn"
    queen_while_due: str = "allowed"
    queen_cap_22: str = "off"
    locked_pair: str = "by_order"
    queen_striker_pieces: str = "2"
    cover_striker_pieces: str = "2_incl"
    queen_plus_opponent: str = "with_striker"
    striker_turn: str = "specific"
    striker_with_piece: str = "piece_only"
    striker_off: str = "no_foul"
    jump_back: str = "stays"
    jump_pockets: str = "stand"
    push_penalty: str = "piece_else_turn"
    push_pockets: str = "void"
    jerk: str = "as_push"
    touch_turn: str = "keep"
    conduct: str = "due"
    out_of_turn: str = "void"
    placer: str = "right_opponent"
    last_piece_queen_up: str = "lose_3"
    last_opponent_queen_bonus: str = "0"
    clock_stops: str = "referee_only"
    timeout_queen: str = "respot"
    timeout_pieces: str = "keep"


def read_options(named: Mapping[str, str]) -> Options:
    """Return the options that `named` sets, with or without the prefix `cr.`.

    ValueError for a name or a value that the rulebook does not know; it says which it does.
    """
    chosen = agreed(named, "cr.", "Carrom", _CHOICES, _FREE)
    points, boards = _game(chosen.pop("game", "points_25_boards_8"))
    minutes = _minutes(chosen.pop("time_limit_min", "35"))
    return Options(points_to_win=points, boards=boards, time_limit_min=minutes, **chosen)


def _game(value: str) -> tuple[int | None, int]:
    """Return the points that win a game, and after how many boards the lead does."""
    if value == "points_25_boards_8":
        return 25, 8
    if value == "single_board":
        return None, 1
    number = value.removeprefix("boards_")
    if number != value and number.isascii() and number.isdigit() and 0 < int(number) < 100:
        return None, int(number)
    raise ValueError(
        "expected cr.game = points_25_boards_8 | single_board | boards_n with a number n (CR-X.1), "
        f"got {value!r}"
    )


def _minutes(value: str) -> float:
    try:
        minutes = float(value)
    except ValueError:
        minutes = 0.0
    if not 0.0 < minutes < 1440.0:
        raise ValueError(f"expected cr.time_limit_min = minutes (CR-F6.1), got {value!r}")
    return minutes


def choices() -> Mapping[str, tuple[str, ...]]:
    """Return each option's allowed values, its default first."""
    free = {
        "game": ("points_25_boards_8", "single_board", "boards_n"),
        "time_limit_min": ("35", "minutes"),
    }
    return {**_CHOICES, **free}
