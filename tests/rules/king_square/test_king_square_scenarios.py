"""Every worked scenario of docs/games/king_square.md, by its number."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from testkit.lattice_play import KING_SQUARE

from rules.games.king_square.field import field_of, read_rows
from rules.games.king_square.state import State, read_position, with_turn, write_position
from rules.games.king_square.transcript import read_fact, write_record, write_rulings

PAGE = (Path(__file__).parents[3] / "docs/games/king_square.md").read_text(encoding="utf-8")
SCENARIOS = yaml.safe_load(PAGE.split("```yaml")[1].split("```")[0])["scenarios"]
GAME = KING_SQUARE.game


def given(scenario: dict[str, Any]) -> State:
    said = scenario["given"]
    options = {key: str(value) for key, value in said.get("options", {}).items()}
    options["size"] = said.get("size", "10x10")
    options["seats"] = str(said.get("seats", 2))
    options["target"] = str(said.get("target", 5))
    if "rows" in said:
        cols, rows, pegs = read_rows(said["rows"])
        options["size"] = f"{cols}x{rows}"
    else:
        cols, rows = map(int, options["size"].split("x"))
        field = field_of(cols, rows)
        pegs = tuple(
            sum(1 << field.hole(name) for name in said.get(side, "").split()) for side in "AB"
        )
    if "supply" in said:
        options["supply"] = said["supply"]
    blank = KING_SQUARE.start(**options)
    score = tuple(map(int, said.get("score", "0-0").split("-")))
    return with_turn(replace(blank, pegs=pegs, score=score), said.get("turn", 1))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_the_scenario_is_ruled_as_the_rulebook_says(scenario: dict[str, Any]) -> None:
    state = given(scenario)
    for line in scenario["play"]:
        text, _, expected = line.partition(" => ")
        fact = read_fact(text, state.terms)
        rulings = GAME.judge(state, fact)
        assert write_rulings(rulings) == expected, text
        assert all(ruling.words for ruling in rulings)
        state = GAME.advance(state, fact, rulings)
    assert "-".join(map(str, GAME.score(state).values())) == scenario["score"]
    assert (state.due or "none") == scenario["next"]
    assert write_position(state) == scenario["position"]
    if "record" in scenario:
        assert write_record(state.record) == scenario["record"]
    if "pending" in scenario:
        assert state.foul is not None
        assert f"unpeg {state.foul.extra}" == scenario["pending"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_a_position_string_comes_back_as_it_was(scenario: dict[str, Any]) -> None:
    blank = given(scenario)
    assert write_position(read_position(scenario["position"], blank)) == scenario["position"]


def test_every_clause_of_the_rulebook_is_listed_and_every_listed_one_stands_in_it() -> None:
    listed = [clause.code for clause in GAME.clauses()]
    assert len(listed) == len(set(listed))
    tabled = {line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| KS-")}
    assert set(listed) == tabled


def test_the_coverage_table_names_only_clauses_that_exist_and_leaves_none_out() -> None:
    listed = {clause.code for clause in GAME.clauses()}
    coverage = PAGE.split("## 7. Coverage")[1].split("## 8.")[0]
    named = set()
    for line in coverage.splitlines():
        for part in line.replace(",", " ").replace("|", " ").split():
            if part.startswith("KS-"):
                named.add(part.strip("()."))
    assert named <= listed
    assumed = {"KS-1.7", "KS-2.6", "KS-3.7"} | {
        code for code in listed if code.startswith(("KS-5", "KS-6"))
    }
    assert listed - named <= assumed
