"""What sides may agree on before a match: every `qs.` option of the rulebook, checked."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import fields

from rules.options import agreed

FREE = ("pucks_per_player", "shot_clock")

_CHOICES: dict[str, tuple[str, ...]] = {
    "queen": ("on", "off"),
    "best_of": ("1", "3", "5"),
    "opening": ("lag", "lot"),
    "lag_method": ("cue_puck", "direct"),
    "next_break": ("alternate", "loser", "winner"),
    "rack_orientation": ("any", "own_near", "own_far"),
    "pocket_zone_shape": ("square", "arc"),
    "central_shape": ("square", "circle"),
    "zone_edge": ("centreline", "inner", "outer"),
    "dead_test": ("half", "hole_clear", "centre"),
    "dead_scope": ("first_contact", "any_cue_contact"),
    "home_dead_direct": ("foul", "penalty"),
    "partner_home_dead": ("off", "on"),
    "side_border": ("foul_only", "direct"),
    "e_return": ("spot", "near_centre"),
    "ricochet_own": ("all_dead", "always"),
    "ricochet_border": ("any", "opposite"),
    "call_shots": ("off", "on"),
    "split_hit": ("shooter", "fault"),
    "weak_stroke": ("replay", "turn_lost"),
    "miscue_absorbs": ("off", "on"),
    "hand_placement": ("off", "aiming_allowed"),
    "idle_hand": ("warn", "lose_next_turn"),
    "aim_disturb": ("foul", "restore_only"),
    "cue_pucks": ("shared", "per_side"),
    "foul_drops": ("return_all", "own_stay_down", "all_stay_down"),
    "scratch_returns": ("k_plus_1", "always_2"),
    "off_puck": ("stays_off", "returns_too", "is_the_penalty"),
    "multi_penalty": ("per_letter", "worst_only"),
    "debt_blocks_win": ("off", "on"),
    "early_queen": ("penalty", "loss_of_game"),
    "queen_same_shot": ("by_order", "never"),
    "queen_touch": ("first_only", "any"),
    "queen_dead": ("off", "on"),
    "queen_miss": ("turn_only", "penalty"),
    "double_finish": ("shooter", "drop_order", "opponent"),
    "turn_order": ("clockwise", "anticlockwise"),
    "penalty_home": ("next", "opponents_choose"),
}


class Options(Struct, frozen=True, kw_only=True):
    """The agreed options; a name without `qs.`, its first value the default.

    `pucks_per_player` holds one number, or the two sides' own numbers as "8,5" (the side that is
    named first in the match's players first). `shot_clock` is "off" or seconds.
    """

    pucks_per_player: tuple[int, int] = (8, 8)
    shot_clock_s: float | None = None
    queen: str = "on"
    best_of: str = "1"
    opening: str = "lag"
    lag_method: str = "cue_puck"
    next_break: str = "alternate"
    rack_orientation: str = "any"
    pocket_zone_shape: str = "square"
    central_shape: str = "square"
    zone_edge: str = "centreline"
    dead_test: str = "half"
    dead_scope: str = "first_contact"
    home_dead_direct: str = "foul"
    partner_home_dead: str = "off"
    side_border: str = "foul_only"
    e_return: str = "spot"
    ricochet_own: str = "all_dead"
    ricochet_border: str = "any"
    call_shots: str = "off"
    split_hit: str = "shooter"
    weak_stroke: str = "replay"
    miscue_absorbs: str = "off"
    hand_placement: str = "off"
    idle_hand: str = "warn"
    aim_disturb: str = "foul"
    cue_pucks: str = "shared"
    foul_drops: str = "return_all"
    scratch_returns: str = "k_plus_1"
    off_puck: str = "stays_off"
    multi_penalty: str = "per_letter"
    debt_blocks_win: str = "off"
    early_queen: str = "penalty"
    queen_same_shot: str = "by_order"
    queen_touch: str = "first_only"
    queen_dead: str = "off"
    queen_miss: str = "turn_only"
    double_finish: str = "shooter"
    turn_order: str = "clockwise"
    penalty_home: str = "next"


def read_options(named: Mapping[str, str]) -> Options:
    """Return the options that `named` sets, with or without the prefix `qs.`.

    ValueError for a name or a value that the rulebook does not know; it says which it does.
    """
    chosen = agreed(named, "qs.", "Q-Square", _CHOICES, FREE)
    return Options(
        pucks_per_player=_pucks(chosen.pop("pucks_per_player", "8")),
        shot_clock_s=_clock(chosen.pop("shot_clock", "off")),
        **chosen,
    )


def _pucks(value: str) -> tuple[int, int]:
    parts = [part.strip() for part in value.split(",")]
    if not 1 <= len(parts) <= 2 or not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise ValueError(
            "expected qs.pucks_per_player = a number of pucks, or one for each side as in 8,5 "
            f"(QS-1.4), got {value!r}"
        )
    return int(parts[0]), int(parts[-1])


def _clock(value: str) -> float | None:
    if value == "off":
        return None
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < 86_400.0:
        raise ValueError(f"expected qs.shot_clock = off | seconds, got {value!r}")
    return seconds


def choices() -> Mapping[str, tuple[str, ...]]:
    """Return each option's allowed values, its default first."""
    free = {"pucks_per_player": ("8", "a number", "two numbers, as in 8,5")}
    return {**free, **_CHOICES, "shot_clock": ("off", "seconds")}


def departures(options: Options) -> tuple[str, ...]:
    """Return the options that are not at their defaults, as "name = value"."""
    plain = Options()
    return tuple(
        f"{field.name} = {getattr(options, field.name)}"
        for field in fields(Options)
        if getattr(options, field.name) != getattr(plain, field.name)
    )
