"""Every option of carrom, at its default and at each other value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest
from testkit.carrom_table import GAME, Table, board, canonical_rack

from rules.game import Player, Setup
from rules.games.carrom.options import choices, read_options
from rules.games.carrom.state import Phase, Queen
from rules.geometry import Seat

S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
PENDING, COVERED = Queen(team=0), Queen(team=0, covered=True)
See = Callable[[Table], object]


def counts(table: Table) -> str:
    """White and black on the board, S's due, the queen, and who strikes."""
    tally = table.state.tally
    return f"{tally.on[0]} {tally.on[1]} due {tally.due[0]} Q {table.queen} {table.state.seat}"


def points(table: Table) -> str:
    tally = table.state.tally
    return f"{tally.points[0]}:{tally.points[1]}"


@dataclass(frozen=True, kw_only=True)
class Case:
    """One play and what is seen after it under each value of an option."""

    option: str
    play: Callable[[Table], object]
    seen: Mapping[str, object]
    see: See = counts
    at: Mapping[str, object] = field(default_factory=dict)


def strike(*drops: str, **more: object) -> Callable[[Table], object]:
    return lambda table: table.strike(drops, **more)  # type: ignore[arg-type]


def twice(table: Table) -> None:
    table.strike(hit=None, path=[(0.0, 0.0)])


def place_by(seat: Seat) -> Callable[[Table], object]:
    def play(table: Table) -> None:
        table.strike(["S"])
        table.place("W", 60.0, 0.0, seat)
        table.settle()

    return play


def phase(table: Table) -> Phase:
    return table.state.phase


def expire(table: Table) -> None:
    table.say("clock", value="35:00.1")


def half_hour_between(table: Table) -> None:
    """The board ends at once; the next break comes half an hour later; then some time passes."""
    table.say("clock", value="10:00")
    table.strike(["W"])
    table.tick(30 * 60_000.0)
    table.pieces = canonical_rack(90.0)
    table.settle()
    table.strike(["W"])


LAST = {"white": 1, "black": 3}
CASES = [
    Case(
        option="base_rule",
        play=strike("W", at=(0.0, -262.0)),
        seen={"both_lines": "7 7 due 0 Q board E", "any_line": "5 7 due 0 Q board S"},
    ),
    Case(
        option="base_circle",
        play=strike("W", at=(214.0, -252.6)),
        seen={"field": "7 7 due 0 Q board E", "ignore": "5 7 due 0 Q board S"},
    ),
    Case(
        option="break_attempts",
        at={"white": 9, "black": 9, "fresh": True, "netted": (False, False)},
        play=twice,
        seen={"1": E, "3": S},
        see=lambda t: t.state.seat,
    ),
    Case(
        option="later_break",
        at={"white": 1, "black": 4},
        play=strike("Q", "W"),
        seen={"right": E, "winner": N, "loser": E},
        see=lambda t: t.state.seat,
    ),
    Case(
        option="later_break",
        at={"white": 1, "black": 4, "seat": N},
        play=strike("Q", "W"),
        seen={"right": E, "winner": S, "loser": W},
        see=lambda t: t.state.seat,
    ),
    Case(
        option="queen_opens",
        play=strike("Q"),
        seen={"board": "6 7 due 0 Q pend A S", "turn": "6 7 due 0 Q board E"},
    ),
    Case(
        option="queen_first",
        at={"netted": (False, False), "white": 9},
        play=strike("Q"),
        seen={
            "return_and_turn": "9 7 due 0 Q board E",
            "plus_due": "9 7 due 1 Q board E",
        },
    ),
    Case(
        option="queen_while_due",
        at={"white": 9, "due": (1, 0)},
        play=strike("Q"),
        seen={"allowed": "9 7 due 1 Q pend A S", "refused": "9 7 due 1 Q board E"},
    ),
    Case(
        option="queen_cap_22",
        at={"white": 1, "black": 2, "points": (22, 0)},
        play=strike("Q", "W"),
        seen={"off": "27:0", "on": "24:0"},
        see=points,
    ),
    Case(
        option="queen_cap_22",
        at={"white": 1, "black": 2, "points": (21, 0)},
        play=strike("Q", "W"),
        seen={"off": "26:0", "on": "26:0"},
        see=points,
    ),
    Case(
        option="locked_pair",
        at={"netted": (False, False), "white": 9},
        play=strike("W", "Q"),
        seen={"by_order": "8 7 due 0 Q cov A S", "must_cover": "8 7 due 0 Q pend A S"},
    ),
    Case(
        option="queen_striker_pieces",
        play=strike("Q", "S"),
        seen={"2": "8 7 due 0 Q board S", "1": "7 7 due 0 Q board S"},
    ),
    Case(
        option="cover_striker_pieces",
        at={"queen": PENDING},
        play=strike("W", "S"),
        seen={"2_incl": "7 7 due 0 Q board S", "2_extra": "8 7 due 0 Q board S"},
    ),
    Case(
        option="queen_plus_opponent",
        play=strike("Q", "K"),
        seen={
            "with_striker": "6 6 due 0 Q pend A S",
            "pending_too": "6 6 due 0 Q pend A S",
            "always": "8 6 due 0 Q board S",
        },
    ),
    Case(
        option="queen_plus_opponent",
        at={"queen": PENDING},
        play=strike("K", "S"),
        seen={
            "with_striker": "7 6 due 0 Q board E",
            "pending_too": "8 6 due 0 Q board S",
            "always": "8 6 due 0 Q board S",
        },
    ),
    Case(
        option="striker_turn",
        play=strike("Q", "S"),
        seen={"specific": "8 7 due 0 Q board S", "always_lost": "8 7 due 0 Q board E"},
    ),
    Case(
        option="striker_with_piece",
        play=strike("W", "S"),
        seen={"piece_only": "6 7 due 0 Q board E", "plus_due": "7 7 due 0 Q board E"},
    ),
    Case(
        option="striker_off",
        play=strike("W", off=["S"]),
        seen={"no_foul": "5 7 due 0 Q board S", "turn_lost": "5 7 due 0 Q board E"},
    ),
    Case(
        option="jump_back",
        play=strike("W", back=["K"]),
        seen={"stays": "5 7 due 0 Q board S", "to_centre": "5 7 due 0 Q board E"},
    ),
    Case(
        option="jump_pockets",
        play=strike("W", off=["K"]),
        seen={"stand": "5 7 due 0 Q board E", "void": "6 7 due 0 Q board E"},
    ),
    Case(
        option="push_penalty",
        play=strike(calls=["push"]),
        seen={
            "piece_else_turn": "7 7 due 0 Q board E",
            "both": "7 7 due 0 Q board E",
            "turn_only": "6 7 due 0 Q board E",
        },
    ),
    Case(
        option="push_penalty",
        at={"white": 9},
        play=strike(calls=["push"]),
        seen={
            "piece_else_turn": "9 7 due 0 Q board E",
            "both": "9 7 due 1 Q board E",
            "turn_only": "9 7 due 0 Q board E",
            "referee": "9 7 due 0 Q board E",
        },
    ),
    Case(
        option="push_pockets",
        play=strike("W", "Q", calls=["push"]),
        seen={"void": "7 7 due 0 Q board E", "stand": "6 7 due 0 Q cov A E"},
    ),
    Case(
        option="jerk",
        at={"white": 9},
        play=strike(calls=["jerk"]),
        seen={"as_push": "9 7 due 0 Q board E", "due_and_turn": "9 7 due 1 Q board E"},
    ),
    Case(
        option="touch_turn",
        play=lambda t: t.moved("K", S),
        seen={"keep": "7 7 due 0 Q board S", "lose": "7 7 due 0 Q board E"},
    ),
    Case(
        option="touch_turn",
        play=lambda t: t.strike(["W"], more=t.sleeve("K", S)),
        seen={"keep": "6 7 due 0 Q board S", "lose": "6 7 due 0 Q board E"},
    ),
    Case(
        option="conduct",
        play=lambda t: t.say("posture", "S", "chair"),
        seen={"due": "7 7 due 0 Q board S", "warn": "6 7 due 0 Q board S"},
    ),
    Case(
        option="out_of_turn",
        at={"seat": E},
        play=strike(by=N),
        seen={"void": "0:0", "lose_board": "0:6"},
        see=points,
    ),
    Case(
        option="placer",
        play=place_by(W),
        seen={"right_opponent": Phase.PLACING, "any_opponent": Phase.STRIKE_DUE},
        see=phase,
    ),
    Case(
        option="placer",
        play=place_by(N),
        seen={"right_opponent": Phase.PLACING, "any_opponent": Phase.PLACING},
        see=phase,
    ),
    Case(
        option="placer",
        play=place_by(E),
        seen={"right_opponent": Phase.STRIKE_DUE, "any_opponent": Phase.STRIKE_DUE},
        see=phase,
    ),
    Case(
        option="last_piece_queen_up",
        at=LAST,
        play=strike("W"),
        seen={"lose_3": "0:3 racking", "replace_piece": "0:0 placing"},
        see=lambda t: f"{points(t)} {t.state.phase}",
    ),
    Case(
        option="last_opponent_queen_bonus",
        at={"white": 4, "black": 1},
        play=strike("K"),
        seen={"0": "0:4", "3": "0:7"},
        see=points,
    ),
    Case(
        option="clock_stops",
        at={"white": 1, "black": 2, "queen": COVERED},
        play=half_hour_between,
        seen={"referee_only": True, "between_boards": False},
        see=lambda t: t.state.tally.queen_phase,
    ),
    Case(
        option="timeout_queen",
        at={"queen": COVERED},
        play=expire,
        seen={"respot": Phase.PLACING, "holder_wins": Phase.MATCH_OVER},
        see=phase,
    ),
    Case(
        option="timeout_pieces",
        play=expire,
        seen={"keep": (Phase.STRIKE_DUE, (6, 7)), "clear": (Phase.PLACING, (0, 0))},
        see=lambda t: (t.state.phase, t.state.tally.on),
    ),
    Case(
        option="game",
        at={"white": 1, "black": 2, "queen": COVERED},
        play=strike("W"),
        seen={
            "points_25_boards_8": Phase.RACKING,
            "single_board": Phase.MATCH_OVER,
            "boards_1": Phase.MATCH_OVER,
            "boards_2": Phase.RACKING,
        },
        see=phase,
    ),
    Case(
        option="game",
        at={"white": 1, "black": 2, "queen": COVERED, "number": 8},
        play=strike("W"),
        seen={"points_25_boards_8": Phase.MATCH_OVER, "boards_9": Phase.RACKING},
        see=phase,
    ),
    Case(
        option="game",
        at={"white": 1, "black": 2, "queen": COVERED, "number": 8, "points": (0, 5)},
        play=strike("W"),
        seen={"points_25_boards_8": Phase.TOSS, "boards_8": Phase.TOSS},
        see=phase,
    ),
    Case(
        option="best_of",
        at={"white": 1, "black": 2, "queen": COVERED, "points": (21, 0)},
        play=strike("W"),
        seen={"1": Phase.MATCH_OVER, "3": Phase.TOSS},
        see=phase,
    ),
    Case(
        option="time_limit_min",
        play=lambda t: t.say("clock", value="20:00"),
        seen={"35": False, "19.5": True, "20": False},
        see=lambda t: t.state.tally.queen_phase,
    ),
]
TRIED = [(case, value) for case in CASES for value in case.seen]


@pytest.mark.parametrize(
    ("case", "value"), TRIED, ids=[f"{case.option}-{value}" for case, value in TRIED]
)
def test_an_option_does_what_the_rulebook_says(case: Case, value: str) -> None:
    table = Table(options={f"cr.{case.option}": value}).position(**case.at)  # type: ignore[arg-type]
    case.play(table)
    assert case.see(table) == case.seen[value]


@pytest.mark.parametrize("case", CASES, ids=[case.option for case in CASES])
def test_what_is_not_set_is_at_its_default(case: Case) -> None:
    default = choices()[case.option][0]
    if default in case.seen:
        table = Table().position(**case.at)  # type: ignore[arg-type]
        case.play(table)
        assert case.see(table) == case.seen[default]


def test_every_option_is_tried_at_every_value() -> None:
    tried: dict[str, set[str]] = {}
    for case, value in TRIED:
        tried.setdefault(case.option, set()).add(value)
    elsewhere = {"players", "push_penalty"}
    assert set(tried) | elsewhere == set(choices())
    free = {"game", "time_limit_min"}
    for name, values in choices().items():
        if name not in elsewhere | free:
            assert tried[name] == set(values)


def test_the_referee_is_asked_for_the_penalty_of_a_push_where_that_was_agreed() -> None:
    for answer, white in (("piece", 7), ("turn", 6)):
        table = Table(options={"push_penalty": "referee"}).position()
        table.strike(calls=["push"])
        assert table.state.phase is Phase.PENDING_HUMAN
        table.answer(answer)
        assert (table.state.tally.on[0], table.state.seat) == (white, E)


def test_singles_are_played_by_two_on_opposite_seats() -> None:
    table = Table(options={"cr.players": "2"}, players=(Player(seat=S), Player(seat=N)))
    table.open()
    assert not {"CR-1.1", "CR-2.1"} & table.codes()
    table.strike()
    assert table.state.seat is N
    table.strike()
    assert table.state.seat is S
    assert GAME.score(table.state) == {"S": 0, "N": 0}


def test_in_singles_the_opponent_places_what_comes_back() -> None:
    table = Table(options={"cr.players": "2"}).position()
    table.strike(["S"])
    assert [errand.by for errand in table.state.errands] == [N]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cr.game": "boards_0"}, "boards_n"),
        ({"cr.game": "points_7"}, "boards_n"),
        ({"cr.time_limit_min": "soon"}, "minutes"),
        ({"cr.time_limit_min": "0"}, "minutes"),
        ({"cr.best_of": "2"}, r"1 \| 3"),
        ({"qs.queen": "on"}, "option of Carrom"),
    ],
)
def test_what_cannot_be_agreed_is_refused_with_what_can(
    options: dict[str, str], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        read_options(options)


def test_two_players_must_sit_opposite_each_other() -> None:
    setup = Setup(
        game="carrom",
        board=board(),
        players=(Player(seat=S), Player(seat=E)),
        options={"cr.players": "2"},
    )
    with pytest.raises(ValueError, match="opposite"):
        GAME.start(setup)


def test_three_breaks_that_touch_nothing_are_a_miss_where_three_may_be_tried() -> None:
    table = Table(options={"break_attempts": "3"}).open()
    for seat in (S, S, E):
        table.strike(hit=None, path=[(0.0, 0.0)], ends=(300.0, 0.0))
        assert table.state.seat is seat


def test_a_break_that_touches_is_no_attempt() -> None:
    table = Table(options={"break_attempts": "3"}).open()
    table.strike(hit=None, path=[(0.0, 0.0)], ends=(300.0, 0.0))
    table.strike()
    assert table.state.seat is E


def test_a_due_paid_entitles_to_the_queen_though_she_opens_by_the_turn() -> None:
    table = Table(options={"queen_opens": "turn"}).position(9, 7, seat=N, due=(1, 0))
    table.strike(["W"])
    table.serve()
    table.strike()
    assert table.state.tally.entitled == (True, False)
    table.strike()
    table.strike(["Q"])
    assert table.queen == "pend A"
