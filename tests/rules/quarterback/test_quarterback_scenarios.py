"""Every worked scenario of docs/games/quarterback.md, by its number."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from testkit.lattice_play import QUARTERBACK

from rules.facts import Declared
from rules.games.quarterback.field import EMPTY
from rules.games.quarterback.options import CHOICES, NUMBERS, WRITTEN
from rules.games.quarterback.state import State, record_of
from rules.games.quarterback.strings import read_pieces, read_position, read_turn, write_position
from rules.games.quarterback.transcript import read_fact, write_rulings

PAGE = (Path(__file__).parents[3] / "docs/games/quarterback.md").read_text(encoding="utf-8")
BLOCKS = [yaml.safe_load(part.split("```")[0]) for part in PAGE.split("```yaml")[1:]]
SCENARIOS: list[dict[str, Any]] = BLOCKS[0]["scenarios"]
MATCHES: list[dict[str, Any]] = BLOCKS[1]["match_scenarios"]
GAME, start = QUARTERBACK.game, QUARTERBACK.start
OPTIONS = {*CHOICES, *NUMBERS, *WRITTEN}


def given(scenario: dict[str, Any]) -> State:
    said = scenario["given"]
    if isinstance(said, str):
        return read_position(said, start())
    blank = start(**{key: str(value) for key, value in said.get("options", {}).items()})
    if said["at"] == "start":
        return replace(blank, playing=True, table=blank.grid)
    grid = read_pieces(said["at"], blank.terms.field)
    ball = said.get("ball", "")
    loose = ball.startswith("(")
    square = blank.terms.field.named(ball.strip("()")) if ball else grid.index("Q")
    assert loose == (grid[square] == EMPTY)
    return replace(
        blank,
        grid=grid,
        table=grid,
        ball=square,
        loose=loose,
        disc=square if loose or blank.terms.disc_always else None,
        turn=said.get("turn", "A"),
        released=said.get("released") is True,
        playing=True,
    )


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_the_scenario_is_ruled_as_the_rulebook_says(scenario: dict[str, Any]) -> None:
    state = given(scenario)
    for line in scenario["play"]:
        text, _, expected = line.partition(" => ")
        fact = read_fact(text, state)
        rulings = GAME.judge(state, fact)
        assert (write_rulings(rulings) or "-") == expected, text
        assert all(ruling.words for ruling in rulings)
        state = GAME.advance(state, fact, rulings)
        GAME.scoreboard(state)
    assert (state.turn or "none") == scenario["next"]
    assert write_position(state) == scenario["position"]
    if "pending" in scenario:
        assert scenario["pending"] == "restored"
    assert ("pending" in scenario) == (state.correction is not None)
    if "record" in scenario:
        assert record_of(state) == scenario["record"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_overruled_rulings_leave_the_facts_to_be_applied_one_by_one(
    scenario: dict[str, Any],
) -> None:
    state = given(scenario)
    for line in scenario["play"]:
        fact = read_fact(line.partition(" => ")[0], state)
        rulings = GAME.judge(state, fact)
        at_once = GAME.advance(state, fact, rulings)
        one_by_one = GAME.advance(state, fact, (*rulings,))
        assert write_position(one_by_one) == write_position(at_once)
        assert one_by_one.correction == at_once.correction
        assert one_by_one.kept == at_once.kept
        state = at_once


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_a_position_string_comes_back_as_it_was(scenario: dict[str, Any]) -> None:
    blank = start()
    assert write_position(read_position(scenario["position"], blank)) == scenario["position"]


RECORDED = [s for s in SCENARIOS if "record" in s]


@pytest.mark.parametrize("scenario", RECORDED, ids=[s["id"] for s in RECORDED])
def test_playing_the_record_reaches_the_same_position(scenario: dict[str, Any]) -> None:
    state = given(scenario)
    for n, turn in enumerate(scenario["record"]):
        if n and state.turn == scenario["record"][n - 1][0]:
            end = Declared(at_ms=0.0, what="end")
            state = GAME.advance(state, end, GAME.judge(state, end))
        for fact in read_turn(turn, state.terms.field):
            rulings = GAME.judge(state, fact)
            assert not any(ruling.call.startswith("FOUL") for ruling in rulings)
            state = GAME.advance(state, fact, rulings)
    assert write_position(state) == scenario["position"]
    assert record_of(state) == scenario["record"]


@pytest.mark.parametrize("scenario", MATCHES, ids=[s["id"] for s in MATCHES])
def test_the_match_book_is_kept_as_the_rulebook_says(scenario: dict[str, Any]) -> None:
    state = start()
    for line in scenario["play"]:
        text, _, expected = line.partition(" => ")
        fact = read_fact(text, state)
        rulings = GAME.judge(state, fact)
        assert write_rulings(rulings) == expected, text
        state = GAME.advance(state, fact, rulings)
    assert GAME.outcome(state) is not None


def test_every_clause_of_the_rulebook_is_listed_and_every_listed_one_stands_in_it() -> None:
    listed = [clause.code for clause in GAME.clauses()]
    assert len(listed) == len(set(listed))
    tabled = {line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| QB-")}
    assert set(listed) == tabled


def test_the_coverage_table_names_only_clauses_that_exist_and_leaves_none_out() -> None:
    listed = {clause.code for clause in GAME.clauses()}
    coverage, _, rest = PAGE.split("## 7. Coverage")[1].partition("Rules without a seed sentence")
    words = coverage.replace(",", " ").replace("|", " ").split()
    named = {word.strip("().") for word in words if word.startswith("QB-")}
    assert named <= listed
    without = rest.split("\n")[0]
    spoken = {part.strip(" .:").split(" ")[0] for part in without.replace(":", ",").split(",")}
    procedure = {code for code in listed if code.startswith("QB-10.")}
    assert "QB-10.1 to QB-10.11" in without
    assert listed - named <= spoken | procedure


def test_every_clause_is_cited_or_named_by_a_scenario() -> None:
    listed = {clause.code for clause in GAME.clauses()}
    cited = {
        word.split("@")[1]
        for scenario in (*SCENARIOS, *MATCHES)
        for line in scenario["play"]
        for word in line.split()
        if word.startswith("@")
    }
    also = {code for scenario in (*SCENARIOS, *MATCHES) for code in scenario.get("also", [])}
    assert listed - cited - also <= {"QB-1.1"}


def test_every_house_rule_of_the_rulebook_can_be_agreed_and_has_a_scenario() -> None:
    tables = PAGE.split("## 6. Ambiguities")[1].split("## 7. Coverage")[0]
    rules = {
        (name, value)
        for cell in re.findall(r"`([^`]+)`", tables)
        for name, colon, values in [cell.partition(": ")]
        if colon and name in OPTIONS
        for value in values.split(" / ")
    }
    assert {name for name, _ in rules} == OPTIONS - {"column_values", "set_up", "stop_when_decided"}
    for name, value in rules:
        start(**{name: "3" if value == "n" else value})
    played = {
        (name, str(value))
        for scenario in SCENARIOS
        if isinstance(scenario["given"], dict)
        for name, value in scenario["given"].get("options", {}).items()
    }
    defaults = {(name, values[0]) for name, values in CHOICES.items()} | {("stall_limit", "10")}
    wanted = {each for each in rules if each[1] != "n"} - defaults
    assert wanted <= played
    assert {name for name, value in rules if value == "n"} <= {name for name, _ in played}
