"""Every worked scenario of docs/games/carrom.md, section 9: what is given, ruled and comes of it.

The given counts, the clauses and the result are read from the rulebook's table; what is played is
told here, by the scenario's number.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from testkit.carrom_table import GAME, Table, board, canonical_rack

from rules.facts import Pocketed
from rules.game import Player, Setup
from rules.games.carrom.state import Phase, Queen
from rules.geometry import Point, Seat

PAGE = (Path(__file__).parents[3] / "docs/games/carrom.md").read_text(encoding="utf-8")
S, E, N, W = Seat.S, Seat.E, Seat.N, Seat.W


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of the table."""

    given: str
    facts: str
    rulings: str
    result: str
    next: str


def rows() -> dict[str, Row]:
    section = PAGE[PAGE.index("## 9. Worked scenarios") :]
    found = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 6 and re.match(r"\d+[a-z]?$", cells[0]):
            found[cells[0]] = Row(
                given=cells[1], facts=cells[2], rulings=cells[3], result=cells[4], next=cells[5]
            )
    return found


ROWS = rows()


def clauses_in(text: str) -> set[str]:
    """Return the clauses that a row names, without those in brackets."""
    plain = re.sub(r"\([^)]*\)| before \S+", "", text)
    found = set(re.findall(r"CR-((?:F|X\.)?\d+(?:\.\d+)?)", plain))
    for part in re.split(r"[,;]", plain):
        short = re.match(r"\s*(?:then )?(F\d+\.\d+|X\.\d+|\d+\.\d)\b(?!\d)", part)
        if short and "=" not in part:
            found.add(short[1])
    return {f"CR-{code}" for code in found}


Play = Callable[[Table], object]


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is played: facts from the position that the table gives, S's team having white."""

    play: Play
    seat: Seat = S
    options: Mapping[str, str] = field(default_factory=dict)
    fresh: bool = False  # the first strike of a board
    also: frozenset[str] = frozenset()  # fouls beside those that the row names
    points: tuple[int, int] = (0, 0)
    number: int = 1


def given(scenario: str, case: Case) -> Table:
    """Have the table as the row gives it."""
    text = ROWS[scenario].given + " " + (ROWS[scenario].facts if "W 6/3" in scenario else "")
    referred = re.match(r"(?:as|after) (\d+a?)", text)
    while referred:
        text = ROWS[referred[1]].given
        referred = re.match(r"(?:as|after) (\d+a?)", text)
    white, black = re.search(r"\bW (\d)/", text), re.search(r"\bK (\d)/", text)
    queen = re.search(r"Q (pend|cov) ([AB])", text)
    due = re.search(r"due A (\d)", text)
    netted = ("A not netted" not in text, True)
    if "none netted" in text or "break" in text:
        netted = (False, False)
    table = Table(options=case.options)
    return table.position(
        int(white[1]) if white else 9 if "break" in text else 6,
        int(black[1]) if black else 9 if "break" in text else 7,
        seat=case.seat,
        queen=Queen(team="AB".index(queen[2]), covered=queen[1] == "cov") if queen else Queen(),
        due=(int(due[1]) if due else 0, 0),
        netted=netted,
        fresh=case.fresh,
        points=case.points,
        number=case.number,
    )


def drops(*tokens: str, **more: object) -> Play:
    return lambda table: table.strike(tokens, **more)


def then(*plays: Play) -> Play:
    def all_of(table: Table) -> None:
        for play in plays:
            play(table)
            if table.state.phase is Phase.PLACING and play is not plays[-1]:
                table.serve()

    return all_of


def only_new(play: Play) -> Play:
    """Play, but look only at what is told from here on."""

    def hushed(table: Table) -> None:
        table.hush()
        play(table)

    return hushed


def sleeve(table: Table) -> None:
    """In the strike, S's sleeve shifts a black piece."""
    table.strike(["W"], more=table.sleeve("K", S))


def late(table: Table) -> None:
    """A white piece leans on the striker at a pocket's mouth and falls when that is lifted off."""
    table.strike(ends=(330.0, 330.0))
    name = table.named("W")
    del table.pieces[name]
    table.tell(Pocketed(at_ms=table.tick(), piece=name, pocket="NE"))


def out_of_circle(table: Table) -> None:
    table.strike(["S"])
    table.hush()
    table.place("W", 74.0, 0.0, E)
    table.settle()


PUSH, JERK = {"calls": ["push"]}, {"calls": ["jerk"]}
CASES: dict[str, Case] = {
    "6": Case(play=drops("W"), fresh=True),
    "7": Case(play=drops(), fresh=True),
    "8": Case(play=then(drops(), only_new(drops("K")), drops()), fresh=True),
    "9": Case(play=drops(hit=None, path=[(0.0, 0.0)]), fresh=True),
    "10": Case(play=drops("K", hit="Q")),
    "11": Case(play=then(drops("Q"), drops("W"))),
    "12": Case(play=then(drops("Q"), drops("K"))),
    "13": Case(play=drops("Q", "W")),
    "14": Case(play=drops("Q")),
    "15": Case(play=drops("W", "Q")),
    "16": Case(play=drops("Q", "W")),
    "17": Case(play=lambda t: t.strike([["Q", "W"]])),
    "18": Case(play=drops("S")),
    "19": Case(play=drops("S")),
    "20": Case(play=drops("W"), seat=N),
    "21": Case(play=then(drops("W"), drops("Q"), drops("W")), seat=N, also=frozenset({"CR-22.1"})),
    "22": Case(play=drops("S", "W")),
    "23": Case(play=drops("S", "K")),
    "24": Case(play=drops("Q", "S")),
    "25": Case(play=drops("Q", "S")),
    "26": Case(play=drops("Q", "S")),
    "27": Case(play=drops("S", "W")),
    "28": Case(play=drops("S", "W", "W")),
    "29": Case(play=drops("S", "K")),
    "29a": Case(play=drops("S", "K"), options={"cr.queen_plus_opponent": "pending_too"}),
    "30": Case(play=drops("Q", "S", "K")),
    "31": Case(play=drops("Q", "K")),
    "32": Case(play=drops("Q", "K"), options={"cr.queen_plus_opponent": "always"}),
    "33": Case(play=drops("S")),
    "34": Case(play=drops("Q", "K")),
    "35": Case(play=drops("Q", "W", "K")),
    "36": Case(play=drops("Q", "K", "S")),
    "37": Case(play=drops("Q", "W")),
    "38": Case(play=drops("W")),
    "39": Case(play=drops("W")),
    "40": Case(play=drops("K")),
    "41": Case(play=drops("K")),
    "42": Case(play=drops("K")),
    "43": Case(play=sleeve),
    "44": Case(play=lambda t: t.moved("W", N), seat=E),
    "45": Case(play=lambda t: t.say("jolt", "S"), seat=E),
    "46": Case(play=drops("W", off=["K"])),
    "47": Case(play=drops("Q", off=["W"])),
    "48": Case(play=drops(back=["K"])),
    "48a": Case(play=drops("W", back=["K"])),
    "48b": Case(play=drops("W", back=["K"]), options={"cr.jump_back": "to_centre"}),
    "49": Case(play=drops("W", off=["S"])),
    "50": Case(play=drops("W", **PUSH)),
    "51": Case(play=drops("W", **PUSH)),
    "52": Case(play=drops(**JERK)),
    "53": Case(play=drops("W", at=(0.0, -262.0))),
    "54": Case(play=drops("W", at=(0.0, -258.7), error_mm=0.3 / 1.96)),
    "55": Case(play=drops(at=(214.0, -252.6))),
    "56": Case(play=drops("W", calls=["broken"])),
    "57": Case(play=then(lambda t: t.say("posture", "S", "leaned"), drops())),
    "58": Case(
        play=then(
            lambda t: t.say("posture", "S", "chair"), lambda t: t.say("posture", "N", "support")
        )
    ),
    "59": Case(
        play=drops(hit=None, path=[(0.0, -255.0)], ends=(0.0, -255.0)),
    ),
    "60": Case(play=drops("W", by=N), seat=E),
    "66": Case(play=lambda t: t.in_queen_phase().strike(["Q", "S"])),
    "67": Case(seat=E, play=lambda t: t.in_queen_phase().strike(["Q"], calls=["push"])),
    "68": Case(play=late),
    "69": Case(play=out_of_circle),
    "69a": Case(play=drops("Q", **PUSH)),
    "69b": Case(play=drops("S", **PUSH)),
    "69c": Case(play=drops("K")),
    "69d": Case(play=drops("W", off=["K"])),
    "70": Case(play=drops("W", "W")),
    "71": Case(play=drops("W"), seat=E),
    "72": Case(play=drops("W", "Q"), seat=N),
    "73": Case(play=lambda t: t.moved("K", N)),
    "74": Case(play=drops("W", off=["K"])),
    "75": Case(play=drops("S", "W")),
    "76": Case(play=drops("Q", "W", "S")),
    "77": Case(play=drops("W", **PUSH)),
    "78": Case(play=drops("W", "Q", "S")),
    "79": Case(play=drops("Q", "K"), options={"cr.queen_plus_opponent": "always"}),
    "80": Case(play=drops("Q", "W", "K")),
    "81": Case(play=drops(unseen=["W"])),
    "82": Case(play=then(drops("W"), only_new(lambda t: t.say("push")))),
    "83": Case(
        play=then(lambda t: t.moved("W", N), lambda t: t.moved("K", E)),
    ),
    "84": Case(play=drops("K", "K")),
    "85": Case(play=drops("Q"), options={"cr.queen_opens": "turn"}),
    "86": Case(play=lambda t: t.say("concede", "SN", "board")),
    "87": Case(play=drops("W", "K")),
    "88": Case(seat=E, play=lambda t: t.in_queen_phase().strike(["Q", "W"])),
    "89": Case(play=drops("W", at=(0.0, -100.0), error_mm=40.0)),
}


def check(table: Table, row: Row, case: Case) -> None:
    """Compare what came of it with the row."""
    result, state = row.result, table.state
    tally = state.tally
    won = re.search(r"\b([AB]) wins(?! the game)([^;(]*)", result)
    if won:
        team = "AB".index(won[1])
        gained = [tally.points[n] - case.points[n] for n in (0, 1)]
        assert gained[team] == int(re.findall(r"\d+", won[2])[-1])
        assert gained[1 - team] == 0
    else:
        for letter in "WK":
            for on, down in re.findall(rf"\b{letter} (\d)/(\d)", result)[-1:]:
                assert f"{letter} {on}/{down}" in table.counts
        queen = re.findall(r"Q (?:still )?(board|pend [AB]|cov [AB])", result)
        if queen:
            assert table.queen == queen[-1]
    for team, number in re.findall(r"due ([AB]) (\d)", result):
        assert tally.due["AB".index(team)] == int(number)
    if re.search(r"due 0|no due", result):
        assert tally.due == (0, 0)
    if "not netted" in result:
        assert not tally.netted[0]
    elif "A netted" in result:
        assert tally.netted[0]
    if row.next in set(Seat):
        assert state.seat == row.next
        assert state.phase in (Phase.STRIKE_DUE, Phase.PLACING)
    elif row.next == "RACKING":
        assert state.phase is Phase.RACKING
    elif row.next == "as before":
        assert state.seat is case.seat
    elif row.next == "GAME_OVER":
        assert state.phase is Phase.MATCH_OVER
    else:
        assert row.next == "–"
        assert state.phase is Phase.PENDING_HUMAN


@pytest.mark.parametrize("scenario", CASES)
def test_the_scenario_is_ruled_as_the_rulebook_says(scenario: str) -> None:
    case, row = CASES[scenario], ROWS[scenario]
    table = given(scenario, case)
    case.play(table)
    named = clauses_in(row.rulings)
    if row.next == "–":
        assert table.codes() == {"CR-X.23"}
    else:
        assert named <= table.codes()
        assert table.fouls() <= named | {"CR-F1.2", "CR-X.15"} | case.also
    check(table, row, case)


def test_scenario_1_two_teams_of_two_sit_opposite_each_other() -> None:
    table = Table()
    table.say("agreed")
    assert table.codes() == {"CR-1.1", "CR-2.1"}
    assert table.state.phase is Phase.TOSS


@pytest.mark.parametrize(
    ("players", "clause"),
    [
        ([S, N, E, W, E], "CR-1.1"),
        ([S, N], "CR-1.1"),
        ([S, N, E, E], "CR-1.1"),
    ],
    ids=["three in one team", "two players", "two on one seat"],
)
def test_scenario_2_a_team_of_three_is_refused(players: list[Seat], clause: str) -> None:
    seated = tuple(Player(seat=seat) for seat in players)
    with pytest.raises(ValueError, match=clause):
        GAME.start(Setup(game="carrom", board=board(), players=seated))


def test_scenario_2_partners_beside_each_other_are_refused() -> None:
    teams = {S: "red", E: "red", N: "blue", W: "blue"}
    seated = tuple(Player(seat=seat, colour=team) for seat, team in teams.items())
    with pytest.raises(ValueError, match=r"CR-2\.1"):
        GAME.start(Setup(game="carrom", board=board(), players=seated))


def test_scenario_3_the_toss_is_won_and_the_first_strike_given_away() -> None:
    table = Table()
    table.say("toss", "EW")
    table.say("break", "S")
    assert clauses_in(ROWS["3"].rulings) <= table.codes()
    assert table.state.phase is Phase.RACKING
    assert table.state.colour(0) == "white"
    assert table.state.seat is S


def racking(turn_deg: float = 0.0, queen: tuple[float, float] = (0.0, 0.0)) -> Table:
    table = Table()
    table.say("toss", "SN")
    table.say("break", "S")
    table.hush()
    table.pieces = canonical_rack(turn_deg, queen)
    return table


def test_scenario_4_a_turned_rack_is_accepted_with_a_remark() -> None:
    table = racking(17.0, (1.0, 0.5))
    table.settle()
    assert clauses_in(ROWS["4"].rulings) <= table.codes()
    assert any("Y" in ruling.pieces for ruling in table.told)
    assert (table.state.phase, table.state.seat) == (Phase.STRIKE_DUE, S)


def test_scenario_5_a_disc_over_the_outer_circle_is_refused() -> None:
    table = racking(17.0, (1.0, 0.5))
    name = next(n for n, p in table.pieces.items() if 50 < p.at.distance_mm(Point(0, 0)) < 55)
    at = table.pieces[name].at
    table.put(name, at.x_mm * 71 / 53.69, at.y_mm * 71 / 53.69)
    table.settle()
    refused = [r for r in table.told if r.code == "CR-8.2"]
    assert [r.pieces for r in refused] == [(name,)]
    assert "1.5 mm" in refused[0].words
    assert table.state.phase is Phase.RACKING


def test_scenario_61_a_game_is_won_by_25_points() -> None:
    table = Table().position(1, 4, points=(19, 11), number=6)
    table.strike(["Q", "W"])
    assert clauses_in(ROWS["61"].rulings) <= table.codes()
    assert table.state.tally.points == (26, 11)
    assert table.state.phase is Phase.MATCH_OVER
    outcome = GAME.outcome(table.state)
    assert outcome is not None
    assert outcome.winner == "SN"


def test_scenario_62_the_next_board_is_broken_by_the_player_on_the_right() -> None:
    table = Table().position(1, 4)
    table.strike(["Q", "W"])
    assert "CR-X.2" in table.codes()
    table.hush()
    table.pieces = canonical_rack(90.0)
    table.settle()
    assert clauses_in(ROWS["62"].rulings) <= table.codes() | {"CR-X.2"}
    assert (table.state.phase, table.state.seat) == (Phase.STRIKE_DUE, E)
    assert table.state.colour(1) == "white"


def timed(table: Table, reading: str) -> Table:
    table.say("clock", value=reading)
    table.hush()
    return table


def test_scenario_63_a_strike_made_in_time_is_finished_then_the_queen_phase_begins() -> None:
    table = timed(
        Table().position(1, 2, queen=Queen(team=0, covered=True), points=(7, 0)), "34:59.7"
    )
    table.strike(["W"])
    assert clauses_in(ROWS["63"].rulings) | {"CR-19.2"} <= table.codes()
    assert table.state.tally.points == (12, 0)
    assert table.state.tally.queen_phase
    queens = [task for task in GAME.scoreboard(table.state).tasks if task.kind == "queen"]
    assert [task.at for task in queens] == [Point(0.0, 0.0)]
    table.serve()
    assert {p.kind for p in table.pieces.values()} == {"queen"}
    assert (table.state.phase, table.state.seat) == (Phase.STRIKE_DUE, E)


def test_scenario_64_the_queen_decides_once_the_clock_has_run_out() -> None:
    table = timed(Table().position(6, 7, seat=W, points=(24, 0)), "35:00.1")
    table.strike()
    assert table.state.seat is S
    table.strike(["W"])
    assert table.state.seat is E
    assert table.state.phase is Phase.STRIKE_DUE
    table.strike(["Q"])
    assert {"CR-X.22", "CR-F6.3"} <= table.codes()
    assert table.state.phase is Phase.MATCH_OVER
    assert table.state.tally.winner == 1


def test_scenario_65_a_pending_queen_goes_back_when_the_clock_runs_out() -> None:
    table = Table().position(6, 7, queen=Queen(team=0))
    table.say("clock", value="35:00.1")
    assert clauses_in(ROWS["65"].rulings) <= table.codes()
    assert table.state.tally.queen.on_board
    table.serve()
    assert (table.state.phase, table.state.seat) == (Phase.STRIKE_DUE, S)


def test_every_scenario_of_the_rulebook_is_played() -> None:
    told = {"1", "2", "3", "4", "5", "61", "62", "63", "64", "65"}
    assert told | set(CASES) == set(ROWS)
    assert len(ROWS) == 96
