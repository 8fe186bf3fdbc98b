"""Every worked scenario of docs/games/squarin_off.md, by its number."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from testkit.lattice_play import SQUARIN_OFF

from rules.games.squarin_off.grid import (
    FENCE,
    SIDE_LETTERS,
    SIDES,
    groove_named,
    square_named,
)
from rules.games.squarin_off.places import place_of_groove
from rules.games.squarin_off.state import State, points_of, record_of, with_three
from rules.games.squarin_off.strings import read_position, read_turn, write_position
from rules.games.squarin_off.transcript import read_fact, write_rulings

PAGE = (Path(__file__).parents[3] / "docs/games/squarin_off.md").read_text(encoding="utf-8")
SCENARIOS = yaml.safe_load(PAGE.split("```yaml")[1].split("```")[0])["scenarios"]
GAME = SQUARIN_OFF.game


def rectangle(text: str) -> list[int]:
    first, _, last = text.partition("-")
    a, b = divmod(square_named(first), 10), divmod(square_named(last or first), 10)
    return [
        row * 10 + col
        for row in range(min(a[0], b[0]), max(a[0], b[0]) + 1)
        for col in range(min(a[1], b[1]), max(a[1], b[1]) + 1)
    ]


def given(scenario: dict[str, Any]) -> State:
    said = scenario["given"]
    options = {key: str(value) for key, value in said.get("options", {}).items()}
    options["seats"] = said.get("seats", "KW")
    if said.get("teams"):
        options["teams"] = "yes"
    state = SQUARIN_OFF.start(**options)
    owner: dict[int, tuple[str, bool]] = {}
    for key in ("owned", "owed"):
        for part in said.get(key, "").split():
            squares, _, colour = part.partition("=")
            for square in rectangle(squares):
                owner[square] = (colour, key == "owned")
    sticks = sum_bits(FENCE[square] for square in owner)
    gaps = 0
    for part in said.get("open", "").split():
        squares, _, letters = part.partition(":")
        for square in rectangle(squares):
            owner.pop(square, None)
            sticks |= FENCE[square]
            gaps |= sum_bits(1 << SIDES[square][SIDE_LETTERS.index(x)] for x in letters)
    sticks = (sticks & ~gaps) | sum_bits(
        1 << groove_named(name) for name in said.get("sticks", "").split()
    )
    blocked = sum_bits(1 << square_named(name) for name in said.get("blockers", "").split())
    colours = state.terms.colours
    owned = tuple(sum_bits(1 << q for q, (c, _) in owner.items() if c == k) for k in colours)
    marked = sum_bits(1 << q for q, (_, chip) in owner.items() if chip)
    late = sum_bits(1 << q for q, (_, chip) in owner.items() if not chip)
    left = tuple(map(int, said["left"].split("."))) if "left" in said else state.left
    return with_three(
        replace(
            state,
            sticks=sticks,
            owned=owned,
            marked=marked,
            late=late,
            blocked=blocked,
            left=left,
            turn=said.get("turn", 1),
            begun=bool(sticks or blocked),
        )
    )


def sum_bits(bits: Any) -> int:
    found = 0
    for bit in bits:
        found |= bit
    return found


def scores(state: State) -> str:
    return " ".join(
        f"{colour}{points}"
        for colour, points in zip(state.terms.colours, points_of(state), strict=True)
    )


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
        GAME.scoreboard(state)
    assert scores(state) == scenario["score"]
    assert ("none" if state.over else state.turn) == scenario["next"]
    if "position" in scenario:
        assert write_position(state) == scenario["position"]
    if "record" in scenario:
        assert record_of(state) == scenario["record"]


@pytest.mark.parametrize(
    ("options", "facts", "grooves"),
    [
        ({}, "blocker a1", ["a1n", "a1e", "a1s", "a1w"]),
        ({}, "stick a1n by 1; blocker a1 by 2", ["a1e", "a1s", "a1w"]),
        ({}, "blocker a1; stick a1e", []),
        ({"blocker_stick_site": "anywhere"}, "blocker a1", []),
    ],
)
def test_the_grooves_that_a_stick_is_owed_on_are_marked(
    options: dict[str, str], facts: str, grooves: list[str]
) -> None:
    state = given({"given": {"options": options}})
    for text in facts.split("; "):
        fact = read_fact(text, state.terms)
        state = GAME.advance(state, fact, GAME.judge(state, fact))
    marks = [mark for mark in GAME.scoreboard(state).marks if mark.kind == "owed"]
    assert [mark.places for mark in marks] == [
        (place_of_groove(groove_named(groove)),) for groove in grooves
    ]
    assert {mark.words for mark in marks} <= {GAME.scoreboard(state).headline}


@pytest.mark.parametrize(
    "scenario",
    [s for s in SCENARIOS if "position" in s],
    ids=[s["id"] for s in SCENARIOS if "position" in s],
)
def test_a_position_string_comes_back_as_it_was(scenario: dict[str, Any]) -> None:
    terms = given(scenario).terms
    assert write_position(read_position(scenario["position"], terms)) == scenario["position"]


@pytest.mark.parametrize(
    "scenario",
    [s for s in SCENARIOS if "record" in s],
    ids=[s["id"] for s in SCENARIOS if "record" in s],
)
def test_playing_the_record_reaches_the_same_ownership_and_scores(
    scenario: dict[str, Any],
) -> None:
    state = given(scenario)
    for turn in scenario["record"]:
        for fact in read_turn(turn, state.terms):
            rulings = GAME.judge(state, fact)
            assert not any(r.call.startswith("FOUL") for r in rulings)
            state = GAME.advance(state, fact, rulings)
    assert scores(state) == scenario["score"]
    assert record_of(state) == scenario["record"]


def test_every_clause_of_the_rulebook_is_listed_and_every_listed_one_stands_in_it() -> None:
    listed = [clause.code for clause in GAME.clauses()]
    assert len(listed) == len(set(listed))
    tabled = {line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| SO-")}
    assert set(listed) == tabled


def test_the_coverage_table_names_only_clauses_that_exist_and_leaves_none_out() -> None:
    listed = {clause.code for clause in GAME.clauses()}
    coverage = PAGE.split("## 7. Coverage")[1].split("Rules without a seed sentence")[0]
    named = set()
    for part in coverage.replace(",", " ").replace("|", " ").split():
        if part.startswith("SO-"):
            named.add(part.strip("()."))
    assert named <= listed
    assumed = {"SO-2.4", "SO-4.12"} | {code for code in listed if code.startswith("SO-6.")}
    assert listed - named <= assumed
