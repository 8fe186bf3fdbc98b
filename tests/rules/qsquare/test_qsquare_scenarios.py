"""Every worked scenario of docs/games/qsquare.md, section 9, played through facts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from msgspec import structs
from testkit.qsquare_table import GAME, HOME, Table, four, rack, two

from rules.board import Board
from rules.facts import (
    Contacted,
    Cushioned,
    HandEntered,
    HandLeft,
    LeftBoard,
    Pocketed,
    Rebounded,
    Settled,
    Struck,
    Travelled,
    Unclear,
)
from rules.games.qsquare.board import default_board
from rules.games.qsquare.state import Phase
from rules.geometry import Point, Seat
from rules.rulings import RulingKind

Spot = tuple[float, float]
S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W
RED_DEAD: Spot = (-98.0, 0.0)


def codes(text: str) -> set[str]:
    return {f"QS-{code}" for code in text.split()}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One shot in a two-player game, S to shoot at blue, from counts that were played for."""

    given: tuple[int, int] = (3, 0)  # blue and red pucks down
    options: Mapping[str, str] = field(default_factory=dict)
    place: Mapping[str, Spot] = field(default_factory=dict)
    hit: str | None = "blue-1"
    shot: Mapping[str, object] = field(default_factory=dict)
    codes: str = ""
    faults: str = ""  # those of the codes that are faults or penalties: exactly these
    blue: str = ""
    red: str = ""
    debt: Sequence[str] = ()
    spots: Sequence[tuple[str, float, float]] | None = None
    next: Seat | None = None
    phase: Phase | None = None
    winner: str | None = None
    before: Callable[[Table], None] | None = None


PZ1 = ("blue", 0.0, 495.5)
PZ2 = ("blue", 25.0, 495.5)
CZ1 = ("blue", 0.0, 25.0)
QUEEN = ("queen", 0.0, 0.0)
DEAD_TWO = {"blue-1": (200.0, -440.0), "blue-2": (50.0, 50.0)}
SIX_DOWN = {"given": (6, 0), "place": DEAD_TWO}
DOWN_8 = {"given": (8, 0), "blue": "0/8/0"}


def owe_penalty_zone(table: Table) -> None:
    """S misses with nothing down, and N passes: debt S [PZ]."""
    table.put("blue-1", -350.0, 200.0)
    table.put("red-1", -350.0, 260.0)
    table.settle()
    table.shot(None)
    table.shot("red-1")


CASES: dict[str, Case] = {
    "9": Case(
        given=(0, 0),
        shot={"at": (-390.0, -450.0), "drops": ["blue-8"]},
        codes="1.5 2.1 2.2 5.6 6.1",
        blue="7/1/0",
        red="8/0/0",
        next=S,
        phase=Phase.AIMING,
    ),
    "10": Case(given=(1, 0), codes="2.3", blue="7/1/0", next=N, phase=Phase.AIMING),
    "11": Case(
        given=(0, 0),
        shot={"drops": ["blue-8", "red-8"]},
        codes="2.5 X.4",
        blue="7/1/0",
        red="7/1/0",
        next=N,
    ),
    "12": Case(
        given=(0, 0), shot={"drops": ["red-8"]}, codes="2.3 X.4", blue="8/0/0", red="7/1/0", next=N
    ),
    "13": Case(
        given=(0, 0),
        hit=None,
        codes="4.8 8a.3 8.2 8g 2.4",
        faults="4.8 8a.3",
        blue="8/0/0",
        debt=["PZ"],
        next=N,
        spots=[],
    ),
    "15": Case(
        shot={"cue": "falls"},
        codes="8a.1 8a.5 8g",
        faults="8a.1",
        blue="6/2/0",
        spots=[PZ1],
        next=N,
        phase=Phase.SERVICE,
    ),
    "16": Case(
        shot={"drops": ["blue-2"], "cue": "falls"},
        codes="8a.1 6.1 8a.6 X.3",
        faults="8a.1",
        blue="6/2/0",
        spots=[PZ1, PZ2],
        next=N,
    ),
    "17": Case(
        given=(0, 0),
        shot={"drops": ["blue-2"], "cue": "falls"},
        codes="8a.1 8a.6 8.2",
        faults="8a.1",
        blue="8/0/0",
        spots=[PZ1],
        debt=["PZ"],
        next=N,
    ),
    "18": Case(
        given=(2, 0),
        hit=None,
        shot={"cue": "off"},
        codes="8a.3 8a.2 8a.5 X.7",
        faults="4.8 8a.3 8a.2",
        blue="7/1/0",
        spots=[PZ1],
        next=N,
    ),
    "19": Case(
        given=(2, 1),
        hit="red-1",
        shot={"drops": ["red-1"]},
        codes="8a.4 6.1 X.3",
        faults="8a.4",
        blue="7/1/0",
        red="7/1/0",
        spots=[("red", 0.0, 25.0), PZ1],
        next=N,
    ),
    "20": Case(
        **SIX_DOWN,
        hit="red-1",
        shot={"borders": "N"},
        codes="8n.2 2.3",
        blue="2/6/0",
        spots=[],
        next=N,
    ),
    "21": Case(
        **SIX_DOWN,
        hit="red-1",
        shot={"borders": "N", "drops": ["blue-1"]},
        codes="8n.2 2.2",
        blue="1/7/0",
        next=S,
    ),
    "22": Case(
        **SIX_DOWN, hit="red-1", codes="8a.4", faults="8a.4", blue="3/5/0", spots=[PZ1], next=N
    ),
    "23": Case(**SIX_DOWN, hit=None, codes="8n.1 2.3", blue="2/6/0", spots=[], next=N),
    "24": Case(
        **SIX_DOWN,
        hit=None,
        shot={"cue": "falls"},
        codes="8n.1 8n.3 8a.1",
        faults="8a.1",
        blue="3/5/0",
        next=N,
    ),
    "25": Case(
        given=(2, 0),
        shot={"drops": ["blue-2"], "off": ["blue-3"]},
        codes="6.3 8b 6.1 X.3 X.5",
        faults="8b",
        blue="6/1/1",
        spots=[CZ1, ("blue", 21.7, 12.5)],
        next=N,
    ),
    "26": Case(
        given=(3, 4),
        shot={"off": ["red-2"]},
        codes="8b 6.3 X.5",
        faults="8b",
        blue="6/2/0",
        red="3/4/1",
        spots=[CZ1],
        next=N,
    ),
    "27": Case(
        given=(0, 0),
        options={"pucks_per_player": "1"},
        shot={"off": ["blue-1"]},
        codes="8b 8.2 X.5",
        faults="8b",
        blue="1/0/0",
        red="1/0/0",
        debt=[],
        spots=[CZ1],
        next=N,
    ),
    "28": Case(
        hit="queen",
        codes="7.2 8c",
        faults="8c",
        blue="6/2/0",
        spots=[QUEEN, PZ1],
        next=N,
    ),
    "29": Case(
        shot={"drops": ["queen"]},
        codes="8d.1",
        faults="8d.1",
        blue="6/2/0",
        spots=[QUEEN, CZ1],
        next=N,
    ),
    "30": Case(
        options={"early_queen": "loss_of_game"},
        shot={"drops": ["queen"]},
        codes="8d.2",
        faults="8d.2",
        winner="N",
        phase=Phase.SET_OVER,
    ),
    "31": Case(
        hit="queen",
        shot={"drops": ["queen"]},
        codes="8c 8d.1 X.7 X.8",
        faults="8c 8d.1",
        blue="7/1/0",
        spots=[QUEEN, PZ1, CZ1],
        next=N,
    ),
    "32": Case(
        place={"blue-1": RED_DEAD},
        shot={"drops": ["blue-1"]},
        codes="9.1 9.4 9.7 8e 6.1",
        faults="8e",
        blue="6/2/0",
        spots=[("blue", -98.0, 0.0), PZ1],
        next=N,
    ),
    "33": Case(
        place={"blue-1": RED_DEAD},
        shot={"borders": "N", "drops": ["blue-1"]},
        codes="9.6 2.2",
        blue="4/4/0",
        next=S,
    ),
    "34": Case(
        place={"blue-1": RED_DEAD},
        shot={"borders": "W", "drops": ["blue-1"]},
        codes="9.8 8f 6.1 X.3",
        faults="9.8 8f",
        blue="5/3/0",
        spots=[CZ1],
        next=N,
    ),
    "34a": Case(
        place={"blue-1": RED_DEAD},
        options={"side_border": "direct"},
        shot={"borders": "W", "drops": ["blue-1"]},
        codes="8e 9.7",
        faults="8e",
        blue="6/2/0",
        spots=[("blue", -98.0, 0.0), PZ1],
        next=N,
    ),
    "34b": Case(
        place={"blue-1": RED_DEAD},
        shot={"borders": "WN", "drops": ["blue-1"]},
        codes="9.6 2.2",
        blue="4/4/0",
        next=S,
    ),
    "34c": Case(
        place={"blue-1": RED_DEAD},
        shot={"drops": ["blue-1"], "moves": {"red-1": RED_DEAD}},
        codes="8e X.9",
        faults="8e",
        blue="6/2/0",
        spots=[("blue", -98.0, 25.0), PZ1],
        next=N,
    ),
    "35": Case(
        place={"blue-2": RED_DEAD},
        shot={"drops": ["blue-2"]},
        codes="9.6 2.2",
        blue="4/4/0",
        next=S,
    ),
    "36": Case(
        place={"blue-1": (-103.0, 0.0)},
        shot={"drops": ["blue-1"]},
        codes="9.4 2.2",
        blue="4/4/0",
        next=S,
    ),
    "37": Case(place={"blue-1": (99.0, 99.0)}, codes="9.4 2.3", blue="5/3/0", next=N),
    "38": Case(
        place={"blue-1": (200.0, -430.0)},
        shot={"drops": ["blue-1"]},
        codes="9.2 9.5 8f 6.1 X.3",
        faults="9.5 8f",
        blue="5/3/0",
        spots=[CZ1],
        next=N,
    ),
    "39": Case(
        place={"blue-1": (200.0, -430.0)},
        shot={"borders": "N", "drops": ["blue-1"]},
        codes="9.5 2.2",
        blue="4/4/0",
        next=S,
    ),
    "40": Case(
        place={"blue-1": (-440.0, -425.0)},
        shot={"borders": "W"},
        codes="9.3 9.5 8f",
        faults="9.5 8f",
        blue="5/3/0",
        spots=[],
        next=N,
    ),
    "41": Case(
        place={"blue-1": (-408.0, -450.0)},
        codes="9.4 9.5 8f",
        faults="9.5 8f",
        blue="5/3/0",
        spots=[],
        next=N,
    ),
    "42": Case(
        shot={"at": (0.0, -417.0), "drops": ["blue-2"]},
        codes="4.4 4.7 8f 6.1 X.3",
        faults="4.4 8f",
        blue="5/3/0",
        spots=[CZ1],
        next=N,
    ),
    "43": Case(
        shot={"at": (-120.0, -417.6), "drops": ["blue-2"]},
        codes="4.3 4.4 2.2",
        blue="4/4/0",
        next=S,
    ),
    "51": Case(
        shot={"at": (30.0, -200.0)},
        codes="4.2 4.1 4.7 8f",
        faults="4.1 8f",
        blue="5/3/0",
        spots=[],
        next=N,
    ),
    "53": Case(
        shot={
            "moves": {"blue-2": (430.0, 400.0)},
            "more": [Rebounded(at_ms=1.0, piece="blue-2", pocket="NE")],
        },
        codes="6.2 2.3",
        blue="5/3/0",
        next=N,
    ),
    "54": Case(
        given=(8, 3),
        hit="queen",
        shot={"drops": ["queen"]},
        codes="7.2 7.3 2.6",
        winner="S",
        phase=Phase.SET_OVER,
    ),
    "55": Case(
        given=(8, 0),
        hit="queen",
        shot={"drops": ["queen"], "cue": "falls"},
        codes="8a.1 7.2",
        faults="8a.1",
        blue="1/7/0",
        spots=[QUEEN, PZ1],
        next=N,
    ),
    "56": Case(given=(8, 0), hit=None, codes="X.16 2.3", blue="0/8/0", spots=[], next=N),
    "56a": Case(
        given=(8, 0),
        options={"queen_miss": "penalty"},
        hit=None,
        codes="X.16 8a.3",
        faults="8a.3",
        blue="1/7/0",
        next=N,
    ),
    "56b": Case(
        given=(8, 0),
        hit="red-1",
        codes="X.16 8a.4 7.2",
        faults="8a.4",
        blue="1/7/0",
        next=N,
    ),
    "56c": Case(
        given=(8, 3),
        hit="queen",
        shot={"drops": ["red-1", "queen"]},
        codes="2.6 X.4",
        winner="S",
        phase=Phase.SET_OVER,
    ),
    "57": Case(
        given=(7, 0),
        shot={"drops": ["blue-1", "queen"]},
        codes="2.6",
        winner="S",
        phase=Phase.SET_OVER,
    ),
    "58": Case(
        given=(7, 0),
        shot={"drops": ["queen", "blue-1"]},
        codes="8d.1 6.1 X.8",
        faults="8d.1",
        blue="2/6/0",
        spots=[QUEEN, CZ1, ("blue", 21.7, 12.5)],
        next=N,
    ),
    "59a": Case(
        given=(7, 0),
        shot={"drops": ["blue-1", "queen"], "cue": "falls"},
        codes="8a.1 6.1 8a.6 X.8",
        faults="8a.1",
        blue="2/6/0",
        spots=[QUEEN, PZ1, PZ2],
        next=N,
    ),
    "59b": Case(
        place={"blue-1": RED_DEAD},
        shot={"off": ["blue-1"]},
        codes="8e 8b X.7 X.8",
        faults="8e 8b",
        blue="7/1/0",
        spots=[("blue", -98.0, 0.0), CZ1, PZ1],
        next=N,
    ),
    "59c": Case(
        place={"blue-1": RED_DEAD},
        options={"dead_test": "hole_clear"},
        shot={"drops": ["blue-1"]},
        codes="9.4 2.2",
        blue="4/4/0",
        next=S,
    ),
    "59d": Case(
        given=(6, 0),
        shot={"gone": ["-blue-2", "blue-1", "queen"]},
        codes="8b 6.1 X.8",
        faults="8b",
        blue="2/5/1",
        spots=[QUEEN, CZ1, ("blue", 21.7, 12.5)],
        next=N,
    ),
    "60": Case(
        given=(7, 3),
        options={"queen": "off"},
        shot={"drops": ["blue-1"]},
        codes="2.7 2.8",
        winner="S",
        phase=Phase.SET_OVER,
    ),
    "61": Case(
        given=(4, 7),
        options={"queen": "off"},
        shot={"drops": ["red-1"]},
        codes="X.4",
        winner="N",
        phase=Phase.SET_OVER,
    ),
    "62": Case(
        given=(7, 7),
        options={"queen": "off"},
        shot={"drops": ["blue-1", "red-1"]},
        codes="X.12 2.8",
        winner="S",
        phase=Phase.SET_OVER,
    ),
    "68": Case(
        place={"blue-2": (0.0, -412.5)},
        codes="X.18 2.3",
        blue="5/3/0",
        next=N,
    ),
    "70": Case(
        shot={
            "moves": {"blue-2": (200.0, 490.0)},
            "more": [LeftBoard(at_ms=1.0, piece="blue-2")],
        },
        codes="X.15 2.3",
        blue="5/3/0",
        next=N,
    ),
    "71": Case(
        shot={"moves": {"queen": (60.0, 20.0)}},
        codes="X.17 2.3",
        blue="5/3/0",
        spots=[],
        next=N,
    ),
    "72": Case(
        shot={"off": ["queen"]},
        codes="X.6",
        faults="X.6",
        blue="6/2/0",
        spots=[QUEEN, CZ1],
        next=N,
    ),
    "80": Case(
        hit=None,
        shot={"cue": "falls", "path": [(-470.0, -470.0)]},
        codes="8a.3 8a.1 8a.5",
        faults="4.8 8a.3 8a.1",
        blue="6/2/0",
        spots=[PZ1],
        next=N,
    ),
    "81": Case(
        hit=None,
        shot={"path": [(-440.0, -440.0)]},
        codes="4.8 8a.3",
        faults="4.8 8a.3",
        blue="6/2/0",
        spots=[PZ1],
        next=N,
    ),
    "86": Case(
        given=(2, 2),
        hit="red-1",
        shot={"off": ["red-1"]},
        codes="8a.4 8b X.7",
        faults="8a.4 8b",
        blue="8/0/0",
        red="5/2/1",
        spots=[PZ1, CZ1],
        next=N,
    ),
    "87": Case(
        shot={"drops": ["blue-2", "blue-3"], "cue": "falls"},
        codes="8a.6",
        faults="8a.1",
        blue="6/2/0",
        spots=[PZ1, PZ2, ("blue", -25.0, 495.5)],
        next=N,
    ),
    "87 always_2": Case(
        options={"scratch_returns": "always_2"},
        shot={"drops": ["blue-2", "blue-3"], "cue": "falls"},
        codes="8a.6",
        faults="8a.1",
        blue="5/3/0",
        spots=[PZ1, PZ2],
        next=N,
    ),
    "88": Case(
        given=(0, 0),
        options={"pucks_per_player": "2"},
        shot={"off": ["blue-1", "blue-2"], "cue": "falls"},
        codes="8a.1 8b 8.2 X.5",
        faults="8a.1 8b",
        blue="1/0/1",
        debt=["PZ", "CZ"],
        spots=[CZ1],
        next=N,
    ),
    "91": Case(
        hit="queen",
        place={"queen": (60.0, 20.0), "blue-1": (0.0, 0.0)},
        codes="8c X.9",
        faults="8c",
        blue="6/2/0",
        spots=[("queen", 0.0, 25.0), PZ1],
        next=N,
    ),
    "92": Case(
        options={"multi_penalty": "worst_only"},
        hit="queen",
        shot={"drops": ["queen"]},
        codes="8c 8d.1 X.7",
        faults="8c 8d.1",
        blue="6/2/0",
        spots=[QUEEN, PZ1],
        next=N,
    ),
    "93": Case(
        options={"off_puck": "is_the_penalty"},
        shot={"off": ["blue-2"]},
        codes="8b X.5",
        faults="8b",
        blue="5/3/0",
        spots=[CZ1],
        next=N,
    ),
    "94": Case(
        given=(5, 0),
        place={**DEAD_TWO, "blue-3": (-50.0, -50.0)},
        hit="queen",
        codes="8c",
        faults="8c",
        blue="4/4/0",
        spots=[QUEEN, PZ1],
        next=N,
    ),
    "95": Case(
        given=(5, 0),
        place={**DEAD_TWO, "blue-3": (-50.0, -50.0)},
        codes="9.5 8f",
        faults="9.5 8f",
        blue="3/5/0",
        spots=[],
        next=N,
    ),
}


@pytest.mark.parametrize("number", CASES)
def test_a_shot_is_ruled_as_in_scenario(number: str) -> None:
    case = CASES[number]
    table = Table(options=case.options).open()
    table.reach(*case.given) if any(case.given) else table.hush()
    if not any(case.given):
        for name, at in {"blue-1": (-350.0, 200.0), "red-1": (-350.0, 260.0)}.items():
            table.put(name, *at)
    for name, (x, y) in case.place.items():
        table.put(name, x, y)
    if case.place or not any(case.given):
        table.settle()
    if case.before:
        case.before(table)
        table.hush()
    table.shot(case.hit, **dict(case.shot))  # type: ignore[arg-type]
    check(table, case)


def check(table: Table, case: Case) -> None:
    said = [(r.code, r.words) for r in table.told]
    expected = codes(case.codes) - {"QS-X.9"}
    assert expected <= table.codes(), said
    assert table.faults() == codes(case.faults), said
    if case.blue:
        assert table.count("blue") == case.blue, said
    if case.red:
        assert table.count("red") == case.red, said
    assert table.debt() == list(case.debt), said
    if case.spots is not None:
        assert table.spots() == list(case.spots), said
    if case.next is not None:
        assert table.state.shooter is case.next, said
    if case.phase is not None:
        assert table.state.phase is case.phase, said
    if case.winner is not None:
        outcome = GAME.outcome(table.state)
        assert outcome is not None, said
        assert outcome.winner == case.winner
    if table.state.phase is Phase.SERVICE:
        table.serve()
        assert table.state.phase is Phase.AIMING, [r.words for r in table.told]


# -- set-up, opening, racking ----------------------------------------------------------------


def test_scenario_1_a_measured_board_with_all_pieces_is_accepted() -> None:
    table = Table()
    table.say("measured", value="1016.4 0.8")
    assert {"QS-1.1", "QS-1.2", "QS-1.3"} <= table.codes()
    assert not any(r.kind is RulingKind.REFUSED for r in table.told)
    assert table.state.phase is Phase.OPENING


@pytest.mark.parametrize(("side", "phase"), [("1022.0", Phase.SETUP), ("1010.9", Phase.SETUP)])
def test_a_surface_outside_half_a_percent_is_refused(side: str, phase: Phase) -> None:
    table = Table()
    (ruling,) = table.say("measured", value=side)
    assert (ruling.code, ruling.kind) == ("QS-1.2", RulingKind.REFUSED)
    assert table.state.phase is phase


def test_scenario_2_unequal_numbers_are_accepted_and_a_row_too_long_is_refused() -> None:
    table = Table(options={"qs.pucks_per_player": "8,5"})
    table.say("agreed")
    assert "QS-1.4" in table.codes()
    assert table.state.phase is Phase.OPENING
    table.open()
    assert (table.count("red"), table.count("blue")) == ("8/0/0", "5/0/0")
    with pytest.raises(ValueError, match=r"300 mm.*280 mm.*at most 11"):
        Table(options={"pucks_per_player": "12"})


def racking(players: Sequence[object] | None = None) -> Table:
    table = Table(players=tuple(players) if players else two())  # type: ignore[arg-type]
    table.say("lot", "S")
    table.say("break", "S")
    table.hush()
    return table


def test_scenario_3_a_good_rack_is_accepted() -> None:
    table = racking()
    table.tell(HandEntered(at_ms=table.tick(), side=S, depth_mm=400.0))
    pieces = rack({"S": ("red", 8), "N": ("blue", 8)})
    pieces["queen"] = replace(pieces["queen"], at=Point(1.2, -0.8))
    pieces["red-8"] = replace(pieces["red-8"], at=Point(88.5, -120.0))
    table.pieces = pieces
    table.tell(HandLeft(at_ms=table.tick(), side=S, depth_mm=400.0))
    table.settle()
    assert codes("3.1 3.2 3.3 3.4 3.5 7.1") <= table.codes()
    assert table.faults() == set()
    assert table.state.phase is Phase.AIMING


def test_scenario_4_a_puck_outside_the_band_is_named_and_the_rack_refused() -> None:
    table = racking()
    table.pieces = rack({"S": ("red", 8), "N": ("blue", 8)})
    table.put("red-4", -12.5, -132.0)
    table.settle()
    refused = [r for r in table.told if r.kind is RulingKind.REFUSED]
    assert {r.code for r in refused} == codes("3.1 3.3")
    band = next(r for r in refused if r.code == "QS-3.1")
    assert "red-4" in band.words
    assert "4.5 mm" in band.words
    assert table.state.phase is Phase.RACKING


def test_scenario_5_a_four_player_rack_is_accepted() -> None:
    table = racking(four())
    table.pieces = rack({"S": ("blue", 8), "N": ("blue", 8), "E": ("red", 8), "W": ("red", 8)})
    table.settle()
    assert codes("10.1 10.2 10.3 10.4 10.5") <= table.codes()
    assert table.state.phase is Phase.AIMING


def test_scenario_6_swapped_colours_are_refused() -> None:
    table = racking(four())
    table.pieces = rack({"S": ("red", 8), "N": ("red", 8), "E": ("blue", 8), "W": ("blue", 8)})
    table.settle()
    assert "QS-10.5" in {r.code for r in table.told if r.kind is RulingKind.REFUSED}
    assert table.state.phase is Phase.RACKING


def lag(rests: tuple[Spot, Spot], error_mm: float = 0.0) -> Table:
    table = Table()
    table.put("red-1", -100.0, -208.0)
    table.put("blue-1", 100.0, -206.0)
    table.put("cue-puck", 0.0, -450.0)
    table.settle()
    for name, (x, y) in zip(("red-1", "blue-1"), rests, strict=True):
        table.tell(
            Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S]),
            Contacted(at_ms=table.tick(), a="cue-puck", b=name, at=table.pieces[name].at),
            Cushioned(at_ms=table.tick(), piece=name, border=N),
        )
        table.put(name, x, y, error_mm)
        table.settle()
    return table


def test_scenario_7_the_puck_nearer_the_far_border_wins_the_lag() -> None:
    table = lag(((-100.0, 508.0 - 212.0), (100.0, 508.0 - 340.0)))
    assert codes("5.1 5.2 5.3 5.4") <= table.codes()
    assert table.state.phase is Phase.BREAK_CHOICE
    assert table.state.chooser == 0
    table.say("break", "N")
    assert "QS-5.5" in table.codes()
    table.rack()
    assert table.state.shooter is N


def test_scenario_8_a_lag_too_close_to_call_is_asked_and_may_be_repeated() -> None:
    table = lag(((-100.0, 508.0 - 212.0), (100.0, 508.0 - 214.0)), error_mm=3.0 / 1.96)
    assert table.state.phase is Phase.PENDING_HUMAN
    assert table.codes() >= {"QS-X.19"}
    table.answer("repeat")
    assert "QS-5.4" in table.codes()
    assert table.state.phase is Phase.OPENING


# -- sequences of shots ----------------------------------------------------------------------


def test_scenario_14_a_debt_is_paid_when_the_turn_is_lost() -> None:
    table = Table().open()
    owe_penalty_zone(table)
    assert table.debt() == ["PZ"]
    for name in ("blue-8", "blue-7"):
        table.hush()
        table.shot("blue-1", drops=[name])
        assert codes("2.2") <= table.codes()
        assert "QS-8.3" not in table.codes()
        assert table.debt() == ["PZ"]
    table.hush()
    table.shot("blue-1")
    assert codes("2.3 8.3 8.1") <= table.codes()
    assert (table.count("blue"), table.debt()) == ("7/1/0", [])
    assert table.spots() == [PZ1]
    assert table.state.shooter is N


def test_scenario_44_a_placement_too_close_to_call_is_asked_where_it_matters() -> None:
    for answer, blue, shooter in (("yes", "4/4/0", S), ("no", "5/3/0", N)):
        table = Table().open().reach(3, 0)
        table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.4 / 1.96, drops=["blue-2"])
        assert table.state.phase is Phase.PENDING_HUMAN
        (ruling,) = [r for r in table.told if r.question]
        assert ruling.code == "QS-X.19"
        assert ruling.margin_mm == pytest.approx(-0.1 + 0.2)
        assert ruling.question is not None
        assert ruling.question.line == "home-S"
        assert all(a.consequence for a in ruling.question.answers)
        table.answer(answer)
        assert (table.count("blue"), table.state.shooter) == (blue, shooter)


def test_scenario_45_no_question_is_asked_where_the_answers_come_to_the_same() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", at=(-120.0, -417.6), error_mm=0.4 / 1.96, cue="falls")
    assert not any(r.question for r in table.told)
    assert {"QS-8a.1", "QS-X.19"} <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("6/2/0", N)
    assert table.spots() == [PZ1]


def test_scenario_46_a_hand_over_the_surface_while_aiming_loses_the_turn() -> None:
    table = Table().open().reach(3, 0)
    table.hand(S, 40.0)
    assert codes("4.5 4.7 8f") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)


def test_scenario_47_a_hand_of_the_player_who_waits_is_a_warning() -> None:
    table = Table().open().reach(3, 0)
    hand = [
        HandEntered(at_ms=1.0, side=N, depth_mm=20.0),
        HandLeft(at_ms=2.0, side=N, depth_mm=20.0),
    ]
    table.shot("blue-1", drops=["blue-2"], more=hand)
    assert codes("X.13 2.2") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("4/4/0", S)


def shot_and_said(said: str, hit: str | None, drops: Sequence[str] = ()) -> Table:
    table = Table().open().reach(3, 0)
    table.put("cue-puck", 0.0, -450.0)
    table.tell(Struck(at_ms=table.tick(), piece="cue-puck", at=HOME[S], speed_mm_s=900.0))
    table.say(said)
    if hit:
        table.tell(Contacted(at_ms=table.tick(), a="cue-puck", b=hit, at=table.pieces[hit].at))
    path = (HOME[S], Point(0.0, 300.0))
    table.tell(Travelled(at_ms=table.tick(), piece="cue-puck", path=path))
    for name in drops:
        table.tell(Pocketed(at_ms=table.tick(), piece=name, pocket="NE"))
        table.pieces.pop(name)
    table.put("cue-puck", 0.0, 300.0)
    table.settle()
    return table


def test_scenario_48_a_stroke_with_the_shaft_counts_nothing() -> None:
    table = shot_and_said("not tip", "blue-1", ["blue-2"])
    assert codes("4.6 4.7 6.1") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)
    assert table.spots() == [CZ1]


def test_scenario_49_a_miscue_that_hits_costs_the_turn_alone() -> None:
    table = shot_and_said("miscue", "blue-1")
    assert table.faults() == codes("8f")
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)
    assert table.spots() == []


def test_scenario_50_a_miscue_that_misses_is_penalised_for_the_miss() -> None:
    table = shot_and_said("miscue", None)
    assert codes("8f 8a.3") <= table.faults()
    assert (table.count("blue"), table.state.shooter) == ("6/2/0", N)


def test_scenario_52_a_nudge_behind_the_line_is_no_shot() -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, at=(0.0, -440.0), path=[(15.0, -460.0)], speed_mm_s=60.0)
    assert table.codes() == codes("4.3 X.1")
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", S)
    assert table.state.phase is Phase.AIMING


@pytest.mark.parametrize(("answer", "won"), [("yes", True), ("no", False)])
def test_scenario_59_drops_in_no_known_order_are_asked(answer: str, won: bool) -> None:
    table = Table().open().reach(7, 0)
    table.shot("blue-1", drops=[["blue-1", "queen"]])
    assert table.state.phase is Phase.PENDING_HUMAN
    assert "QS-X.19" in table.codes()
    table.answer(answer)
    if won:
        outcome = GAME.outcome(table.state)
        assert outcome is not None
        assert outcome.winner == "S"
    else:
        assert "QS-8d.1" in table.codes()
        assert table.count("blue") == "2/6/0"


def win_game(table: Table, side: str) -> None:
    """Have the other side concede: the quickest way to a game won."""
    table.say("concede", "N" if side == "S" else "S")


def test_scenario_63_the_deciding_game_ends_the_set() -> None:
    table = Table(options={"best_of": "3"}).open()
    win_game(table, "S")
    table.rack()
    win_game(table, "N")
    table.rack()
    table.reach(8, 0)
    table.shot("queen", drops=["queen"])
    assert codes("2.6 2.9") <= table.codes()
    assert GAME.score(table.state) == {"S": 2, "N": 1}
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "S"


def four_players(shooter: Seat, down: int = 0) -> Table:
    """A four-player game with `shooter` to shoot; team EW has pocketed so many red pucks."""
    table = Table(players=four()).open("E" if down else str(shooter))
    for n, name in enumerate(table.lying("red") + table.lying("blue")):
        table.put(name, -350.0 + 50.0 * (n % 15), 200.0 + 40.0 * (n // 15))
    if down:
        table.shot("red-1", drops=table.lying("red")[-down:])
    while table.state.shooter is not shooter:
        table._pass()
    table.hush()
    return table


def test_scenario_64_the_penalty_zone_is_that_of_the_opponent_who_shoots_next() -> None:
    table = four_players(W, down=4)
    assert table.count("red") == "12/4/0"
    table.shot(None, path=[(300.0, 0.0)])
    assert codes("10.6 8a.3 8a.5 X.10") <= table.codes()
    assert (table.count("red"), table.state.shooter) == ("13/3/0", N)
    assert table.spots() == [("red", 0.0, 495.5)]


def test_scenario_65_a_puck_that_falls_not_as_called_stays_down_and_ends_the_turn() -> None:
    for call, shooter, code in (("blue NE", N, "QS-4.9"), ("blue NW", S, "QS-2.2")):
        table = Table(options={"call_shots": "on"}).open()
        table.say("call", "S", "blue NE")
        table.reach(3, 0)
        table.state = structs.replace(table.state)
        while table.state.shooter is not S:
            table._pass()
        table.say("call", "S", call)
        table.hush()
        before = table.state.tally.counts[1]
        table.shot("blue-1", drops=["blue-2@NW"])
        assert code in table.codes()
        assert table.state.tally.counts[1].down == before.down + 1
        assert table.state.shooter is shooter


def test_scenario_66_running_out_wins_with_a_debt_unpaid() -> None:
    table = Table().open()
    owe_penalty_zone(table)
    for n in range(8, 0, -1):
        table.shot(f"blue-{min(n, 1)}", drops=[f"blue-{n}"])
        assert table.state.shooter is S
    assert table.debt() == ["PZ"]
    table.hush()
    table.shot("queen", drops=["queen"])
    assert "QS-2.6" in table.codes()
    assert "QS-8.3" not in table.codes()
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "S"


def test_scenario_67_two_penalties_with_one_puck_down_leave_one_owed() -> None:
    table = Table().open().reach(1, 0)
    table.shot("queen", off=["blue-2"])
    assert codes("8c 8b 8.3") <= table.codes()
    assert (table.count("blue"), table.debt()) == ("7/0/1", ["PZ"])
    assert table.spots() == [QUEEN, CZ1]
    assert table.state.shooter is N


@pytest.mark.parametrize(
    ("wait_ms", "blue", "shooter", "phase"),
    [(3000.0, "4/4/0", S, Phase.AIMING), (6000.0, "5/3/0", N, Phase.SERVICE)],
    ids=["3 s after", "6 s after"],
)
def test_scenario_69_a_puck_that_falls_late_belongs_to_the_shot(
    wait_ms: float, blue: str, shooter: Seat, phase: Phase
) -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1")
    assert "QS-2.3" in table.codes()
    assert table.state.shooter is N
    table.hush()
    table.tell(Pocketed(at_ms=table.tick(wait_ms), piece="blue-2", pocket="NE"))
    assert "QS-X.14" in table.codes()
    assert (table.count("blue"), table.state.shooter) == (blue, shooter)
    assert table.state.phase is phase
    assert ({"QS-6.1", "QS-2.2"} <= table.codes()) is (blue == "4/4/0")


def test_scenario_73_a_puck_shifted_while_dragging_is_a_foul_and_put_back() -> None:
    table = Table().open().reach(3, 0)
    at = table.pieces["blue-1"].at
    table.tell(Struck(at_ms=table.tick(), piece="cue-puck", at=Point(0.0, 300.0), dragged=True))
    table.moved("blue-1", at.x_mm + 30.0, at.y_mm)
    assert codes("X.21 8f") <= table.codes()
    assert table.state.shooter is N
    assert table.spots() == [("blue", at.x_mm, at.y_mm)]
    table.serve()
    assert table.state.phase is Phase.AIMING


def test_scenario_74_the_break_alternates_and_debts_end_with_the_game() -> None:
    table = Table(options={"best_of": "3"}).open("N")
    table.shot(None, path=[(0.0, -100.0)])
    assert table.debt("N") == ["PZ"]
    table.hush()
    win_game(table, "S")
    assert codes("X.11 X.20") <= table.codes()
    assert table.debt("N") == []
    table.rack()
    assert table.state.shooter is S


def test_scenario_75_dragging_the_cue_puck_home_is_no_shot() -> None:
    table = Table().open().reach(3, 0)
    table.put("cue-puck", 0.0, 450.0)
    table.settle()
    table.hush()
    table.tell(
        Struck(
            at_ms=table.tick(),
            piece="cue-puck",
            at=Point(0.0, 450.0),
            dragged=True,
            speed_mm_s=150.0,
        ),
        Travelled(
            at_ms=table.tick(), piece="cue-puck", path=(Point(0.0, 450.0), Point(0.0, -450.0))
        ),
    )
    table.put("cue-puck", 0.0, -450.0)
    table.settle()
    assert table.codes() == codes("4.2 X.1")
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", S)
    assert table.state.phase is Phase.AIMING


@pytest.mark.parametrize(
    ("at", "accepted"),
    [((50.0, 495.5), True), ((53.0, 492.0), True), ((-50.0, 495.5), True), ((60.0, 495.5), False)],
    ids=["on the spot", "4.6 mm off", "the equal spot", "10 mm off"],
)
def test_scenario_76_the_next_free_place_along_the_border_is_taken(
    at: Spot, accepted: bool
) -> None:
    table = four_players(W, down=4)
    for name, x in zip(table.lying("red"), (0.0, 25.0, -25.0), strict=False):
        table.put(name, x, 495.5)
    table.settle()
    table.hush()
    table.shot(None, path=[(300.0, 0.0)])
    assert table.spots() == [("red", 50.0, 495.5)]
    assert table.state.shooter is N
    table.put("red-99", *at)
    table.settle()
    assert "QS-X.9" in table.codes()
    assert (table.state.phase is Phase.AIMING) is accepted


def test_scenario_77_a_split_hit_is_judged_for_the_shooter() -> None:
    table = Table().open().reach(3, 0)
    both = Contacted(at_ms=0.0, a="cue-puck", b="red-1", at=Point(0.0, 0.0), error_ms=0.5)
    table.shot("blue-1", more=[replace(both, at_ms=table.now_ms + 200.3)])
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("split")
    assert codes("X.2 2.3") <= table.codes()
    assert table.faults() == set()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)


def test_scenario_78_a_debt_is_paid_with_the_puck_of_the_same_shot() -> None:
    table = Table().open()
    owe_penalty_zone(table)
    table.shot("blue-1", drops=[f"blue-{n}" for n in range(2, 9)])
    assert (table.count("blue"), table.debt()) == ("1/7/0", ["PZ"])
    table.hush()
    table.shot("blue-1", drops=["blue-1", "red-8"])
    assert codes("2.5 8.3") <= table.codes()
    assert (table.count("blue"), table.debt()) == ("1/7/0", [])
    assert table.spots() == [PZ1]
    assert table.state.shooter is N
    assert not table.state.tally.unlocked[0]
    table.serve()
    assert "QS-X.9" in table.codes()


def test_scenario_79_a_hand_fault_pays_the_oldest_debt() -> None:
    table = Table().open()
    owe_penalty_zone(table)
    table.shot("blue-1", off=["queen"])
    table.serve()
    table.shot("red-1")
    assert table.debt() == ["PZ", "CZ"]
    table.shot("blue-1", drops=["blue-8"])
    table.hush()
    table.hand(S, 30.0)
    assert codes("4.5 8f 8.3") <= table.codes()
    assert (table.count("blue"), table.debt()) == ("8/0/0", ["CZ"])
    assert table.spots() == [PZ1]
    assert table.state.shooter is N


def hidden_first(table: Table) -> Unclear:
    def contact(name: str) -> Contacted:
        return Contacted(at_ms=table.now_ms + 150.0, a="cue-puck", b=name, at=table.pieces[name].at)

    return Unclear(
        at_ms=table.now_ms + 150.0,
        question="Which puck did the cue-puck hit first?",
        answers=((contact("blue-1"),), (contact("red-1"),)),
        words=("blue-1", "red-1"),
    )


@pytest.mark.parametrize(("answer", "code"), [("1", "QS-2.3"), ("2", "QS-8a.4")])
def test_scenario_82_a_hidden_first_contact_is_asked(answer: str, code: str) -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, more=[hidden_first(table)])
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer(answer)
    assert code in table.codes()
    assert table.state.shooter is N


def test_scenario_83_a_hidden_first_contact_is_not_asked_when_it_makes_no_difference() -> None:
    table = Table().open().reach(3, 0)
    table.shot(None, cue="falls", more=[hidden_first(table)])
    assert not any(r.question for r in table.told)
    assert codes("8a.1") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("6/2/0", N)


def test_scenario_84_a_miscue_entered_later_rules_the_shot_anew() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", drops=["blue-2"])
    assert (table.count("blue"), table.state.shooter) == ("4/4/0", S)
    table.hush()
    table.say("miscue")
    assert codes("8f 6.1 X.3") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)
    assert table.spots() == [CZ1]
    table.serve()
    assert table.state.phase is Phase.AIMING


def test_scenario_85_a_shot_out_of_turn_is_void() -> None:
    table = Table().open().reach(3, 0)
    before = table.pieces["blue-1"].at
    table.shot(
        "blue-1",
        at=(0.0, 450.0),
        path=[(0.0, 0.0)],
        moves={"blue-1": (100.0, -300.0)},
        by=N,
    )
    assert table.state.phase is Phase.PENDING_HUMAN
    table.answer("yes")
    assert "QS-X.23" in table.codes()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", S)
    assert table.spots() == [("blue", before.x_mm, before.y_mm)]


def test_scenario_89_the_partners_home_zone_is_not_dead() -> None:
    table = four_players(S)
    table.put("blue-1", 0.0, 440.0)
    table.settle()
    table.shot("blue-1", drops=[f"blue-{n}" for n in (16, 15, 14, 13, 12, 11)])
    table.hush()
    table.shot("blue-1", drops=["blue-1"])
    assert "QS-2.2" in table.codes()
    assert table.faults() == set()
    assert (table.count("blue"), table.state.shooter) == ("9/7/0", S)


def test_scenario_90_a_teams_debt_is_paid_to_the_next_opponents_zone() -> None:
    table = Table(players=four()).open("W")
    table.put("red-1", -350.0, 200.0)
    table.put("blue-1", -350.0, 260.0)
    table.settle()
    table.shot(None, path=[(300.0, 0.0)])
    assert table.debt("EW") == ["PZ"]
    table.shot("blue-1")
    table.hush()
    assert table.state.shooter is E
    table.shot("red-1", drops=["red-16", "blue-16"], path=[(-300.0, 0.0)])
    assert codes("2.5 8.3 10.6") <= table.codes()
    assert (table.count("red"), table.debt("EW")) == ("16/0/0", [])
    assert table.spots() == [("red", 0.0, -495.5)]
    assert table.state.shooter is S


def test_scenario_96_a_side_may_concede() -> None:
    table = Table().open().reach(3, 0)
    table.say("concede", "S")
    assert "QS-X.22" in table.codes()
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "N"


def test_scenario_97_a_puck_leaning_on_a_border_is_laid_flat() -> None:
    table = Table().open().reach(3, 0)
    table.shot("blue-1", moves={"blue-2": (100.0, 500.0)})
    assert "QS-2.3" in table.codes()
    table.hush()
    table.say("leaning", value="blue-2")
    assert codes("X.24 2.3") <= table.codes()
    assert (table.count("blue"), table.state.shooter) == ("5/3/0", N)
    assert table.spots() == [("blue", 100.0, 495.5)]


def test_every_numbered_scenario_of_the_rulebook_is_a_test_here(
    request: pytest.FixtureRequest,
) -> None:
    text = (request.config.rootpath / "docs/games/qsquare.md").read_text(encoding="utf-8")
    section = text[text.index("## 9. Worked scenarios") :]
    numbers = {
        line.split("|")[1].strip()
        for line in section.splitlines()
        if line.startswith("| ") and line.split("|")[1].strip()[:1].isdigit()
    }
    functions = {
        part
        for name in globals()
        if name.startswith("test_scenario_")
        for part in [name.split("_")[2]]
    }
    assert numbers == {key.split()[0] for key in CASES} | functions


def test_the_built_in_board_is_accepted_whole() -> None:
    board: Board = default_board()
    assert {zone.kind for zone in board.zones} >= {"home", "central", "dead-centre", "pocket-zone"}
    assert Settled(at_ms=0.0, pieces=()).pieces == ()
