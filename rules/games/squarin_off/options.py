"""What may be agreed before a game (sections 2 and 6 of the rulebook)."""

from collections.abc import Mapping

from rules.game import Player, Setup
from rules.games.squarin_off.grid import DEFAULT_LAYOUT, values_of
from rules.games.squarin_off.places import CLOCKWISE, REAL
from rules.games.squarin_off.sayings import ISSUED
from rules.games.squarin_off.state import LETTERS, State, Terms, start_of
from rules.options import agreed

CHOICES: Mapping[str, tuple[str, ...]] = {
    "teams": ("no", "yes"),
    "draw_sets_colour": ("no", "yes"),
    "team_seating": ("opposite", "side_by_side"),
    "mandatory_close": ("no", "yes"),
    "unmarked": ("owned", "open"),
    "end_rule": ("all_squares", "all_sticks"),
    "blocker_gap": ("king", "orthogonal", "wide"),
    "blocker_stick_site": ("adjoining", "anywhere"),
    "blocker_stick": ("end", "continue"),
    "blocker_first": ("no", "yes"),
    "chips_cap": ("count", "stop"),
    "tie": ("joint", "more_squares"),
    "one_frame": ("two_turns", "one_player"),
    "takeback": ("no", "until_next_fact"),
    "box": ("40_each", "40_together"),
}
NUMBERS: Mapping[str, tuple[int, int]] = {
    "chips_each": (1, 100),
    "blockers_fixed": (2, 6),
    "blockers_min": (0, 6),
}
WRITTEN = ("seats", "allotment", "layout", "penalty")


def start_state(setup: Setup) -> State:
    """The start of a game as agreed; ValueError names the option, what it may be and what came."""
    options = agreed(setup.options, "so.", "Squarin' Off", CHOICES, WRITTEN, NUMBERS)
    players = _in_order(setup)
    seats = options.get("seats") or _letters(players)
    count = len(seats)
    if count not in ISSUED or not set(seats) <= set(LETTERS):
        raise ValueError(f"expected two to four seats of K, W, B, Y, got {seats!r}")
    fixed = options.get("blockers_fixed")
    terms = Terms(
        seats=seats,
        teams=options.get("teams") == "yes",
        layout=_layout(options.get("layout", DEFAULT_LAYOUT)),
        allotment=_allotment(options.get("allotment"), count, fixed),
        real=tuple(
            (letter, player.colour)
            for letter, player in zip(seats, players, strict=False)
            if player.colour
        ),
        names=tuple(player.name for player in players),
        chips_each=_number(options, "chips_each"),
        one_extra_set=options.get("box") == "40_together",
        draw_sets_colour=options.get("draw_sets_colour") == "yes",
        side_by_side=options.get("team_seating") == "side_by_side",
        mandatory_close=options.get("mandatory_close") == "yes",
        unmarked_open=options.get("unmarked") == "open",
        all_sticks=options.get("end_rule") == "all_sticks",
        blockers_fixed=None if fixed is None else int(fixed),
        blockers_min=int(options.get("blockers_min", "0")),
        gap=options.get("blocker_gap", "king"),
        stick_anywhere=options.get("blocker_stick_site") == "anywhere",
        blocker_continues=options.get("blocker_stick") == "continue",
        blocker_first=options.get("blocker_first") == "yes",
        chips_stop=options.get("chips_cap") == "stop",
        more_squares=options.get("tie") == "more_squares",
        one_player=options.get("one_frame") == "one_player",
        penalty=_penalty(options.get("penalty", "none")),
        takeback=options.get("takeback") == "until_next_fact",
    )
    _check_seating(terms)
    return start_of(terms)


def _penalty(value: str) -> str:
    points = value.removeprefix("minus:")
    whole = points != value and points.isascii() and points.isdigit()
    if value not in ("none", "lose_turn") and not whole:
        raise ValueError(f"expected so.penalty = none | lose_turn | minus:3, got {value!r}")
    return value


def _check_seating(terms: Terms) -> None:
    count = len(terms.seats)
    if terms.teams and count != 4:
        raise ValueError(f"expected four players for two pairs, got {count}")
    for a in range(1, count + 1):
        for b in range(a + 1, count + 1):
            shared = terms.seats[a - 1] == terms.seats[b - 1]
            if shared and not (terms.teams and terms.partner(a) == b):
                raise ValueError(f"expected only partners to share a colour, got {terms.seats!r}")


def _layout(layout: str) -> str:
    values_of(layout)
    return layout


def _allotment(option: str | None, count: int, fixed: str | None) -> tuple[int, ...]:
    most = ISSUED[count]
    numbers = (option or ".".join([fixed or str(most)] * count)).split(".")
    if len(numbers) != count or not all(
        n.isascii() and n.isdigit() and 2 <= int(n) <= most for n in numbers
    ):
        raise ValueError(f"expected {count} allotments from 2 to {most}, like 6.6, got {option!r}")
    if fixed is not None and any(n != fixed for n in numbers):
        raise ValueError(f"expected every allotment to be {fixed}, got {option!r}")
    return tuple(map(int, numbers))


def _number(options: Mapping[str, str], key: str) -> int | None:
    return int(options[key]) if key in options else None


def _letters(players: list[Player]) -> str:
    if not players:
        return "KW"
    known = {real: letter for letter, real in REAL.items()}
    given = [known.get(player.colour, "") for player in players]
    spare = iter([letter for letter in LETTERS if letter not in given])
    by_colour: dict[str, str] = {}
    letters = ""
    for player, letter in zip(players, given, strict=True):
        if not letter:
            letter = by_colour.get(player.colour, "") if player.colour else ""
        letter = letter or next(spare, "K")
        by_colour.setdefault(player.colour, letter)
        letters += letter
    return letters


def _in_order(setup: Setup) -> list[Player]:
    if len(setup.players) == 2:
        return list(setup.players)
    return sorted(setup.players, key=lambda player: CLOCKWISE.index(player.seat))
