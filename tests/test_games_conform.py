"""What every game owes the referee, whatever its rulebook says."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from testkit import strategies
from testkit.exploring import examples

from rules.codec import (
    outcome_to_json,
    ruling_from_json,
    ruling_to_json,
    scoreboard_to_json,
)
from rules.decisions import Amend, Overrule
from rules.engine import Fold, as_logged, replay
from rules.facts import (
    Contacted,
    Cushioned,
    Declared,
    Fact,
    HandEntered,
    HandLeft,
    Moved,
    Piece,
    Placed,
    Pocketed,
    Settled,
    SightLost,
    SightRegained,
    Struck,
    Travelled,
)
from rules.game import Entry, Game, Setup
from rules.geometry import Point, Seat
from rules.registry import GAMES, find_game
from sightline.games import built_in_board

GIVEN = settings(
    max_examples=examples(10),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@cache
def setup_of(name: str) -> Setup:
    return Setup(game=name, board=built_in_board(name))


@cache
def game_of(name: str) -> Game[Any]:
    return find_game(name)


def likely_facts(setup: Setup) -> st.SearchStrategy[Fact]:
    """Return facts as a camera above this board says them, in no sensible order."""
    specs = st.sampled_from(setup.board.pieces)
    names = st.sampled_from(["cue-puck", "queen", "striker"]) | st.builds(
        lambda spec, n: f"{spec.colour}-{n}", specs, st.integers(1, 3)
    )
    points = st.builds(Point, strategies.SMALL, strategies.SMALL)
    times = st.floats(0, 1e6)
    pieces = st.builds(
        lambda name, spec, at, error: Piece(
            name=name, kind=spec.kind, colour=spec.colour, at=at, error_mm=error
        ),
        names,
        specs,
        points,
        st.floats(0, 0.5),
    )
    pockets = st.sampled_from([p.id for p in setup.board.pockets] or ["none"])
    seats = st.none() | st.sampled_from(list(Seat))
    said = sorted({"lot", "break", "concede", "miscue", "call", "rack", "continue", "nonsense"})
    return st.one_of(
        st.builds(Struck, at_ms=times, piece=names, at=points, dragged=st.booleans()),
        st.builds(Contacted, at_ms=times, a=names, b=names, at=points),
        st.builds(Cushioned, at_ms=times, piece=names, border=st.sampled_from(list(Seat))),
        st.builds(
            Travelled, at_ms=times, piece=names, path=st.lists(points, max_size=3).map(tuple)
        ),
        st.builds(Pocketed, at_ms=times, piece=names, pocket=pockets),
        st.builds(HandEntered, at_ms=times, side=seats),
        st.builds(HandLeft, at_ms=times, side=seats, depth_mm=st.floats(0, 300)),
        st.builds(
            Settled,
            at_ms=times,
            pieces=st.lists(pieces, max_size=6, unique_by=lambda p: p.name).map(tuple),
        ),
        st.builds(Moved, at_ms=times, piece=names, before=points, after=points, by=seats),
        st.builds(Placed, at_ms=times, piece=pieces, by=seats),
        st.builds(
            Declared,
            at_ms=times,
            what=st.sampled_from(said),
            side=st.none() | st.sampled_from(["S", "N", "EW"]),
            value=st.sampled_from(["", "S", "N", "yes"]),
        ),
        st.builds(SightLost, at_ms=times, why=st.just("dark")),
        st.builds(SightRegained, at_ms=times),
    )


RARELY = st.integers(0, 9).map(lambda n: n == 0)


@cache
def any_fact(name: str) -> st.SearchStrategy[Fact]:
    return likely_facts(setup_of(name)) | strategies.facts()


def announced(game: Game[Any], state: Any) -> list[Fact]:
    return [
        Declared(at_ms=0, what=a.what, side=a.side, value=a.value)
        for a in game.scoreboard(state).announcements
    ]


def played(name: str, data: st.DataObject, most: int = 10) -> Fold[Any]:
    """Return a match of facts that may come, and of what may be announced when it is offered."""
    game = game_of(name)
    fold = Fold(game, setup_of(name))
    for seq in range(1, data.draw(st.integers(0, most)) + 1):
        offered = announced(game, fold.state)
        among = st.sampled_from(offered) if offered and data.draw(RARELY) else any_fact(name)
        fold.append(Entry(seq=seq, at_ms=seq * 10.0, body=data.draw(among)))
    return fold


@pytest.mark.parametrize("name", GAMES)
@GIVEN
@given(data=st.data())
def test_no_fact_in_any_state_is_a_fault(name: str, data: st.DataObject) -> None:
    fold = played(name, data)
    assert [step.fault for step in fold.steps if step.fault] == []


@pytest.mark.parametrize("name", GAMES)
@GIVEN
@given(data=st.data())
def test_the_same_facts_are_ruled_the_same_again(name: str, data: st.DataObject) -> None:
    fold = played(name, data)
    assert replay(find_game(name), setup_of(name), fold.entries).steps == tuple(fold.steps)


@pytest.mark.parametrize("name", GAMES)
@GIVEN
@given(data=st.data())
def test_every_ruling_cites_a_clause_of_the_rulebook_and_goes_through_json(
    name: str, data: st.DataObject
) -> None:
    game = game_of(name)
    known = {clause.code for clause in game.clauses()}
    fold = played(name, data)
    for step in fold.steps:
        for ruling in step.rulings:
            assert ruling.code in known
            assert ruling.words
            logged = as_logged(ruling)
            assert ruling_from_json(json.loads(json.dumps(ruling_to_json(ruling)))) == logged
    json.dumps(scoreboard_to_json(game.scoreboard(fold.state)), allow_nan=False)
    outcome = game.outcome(fold.state)
    if outcome is not None:
        json.dumps(outcome_to_json(outcome))


@pytest.mark.parametrize("name", GAMES)
@GIVEN
@given(data=st.data())
def test_the_score_names_the_same_sides_throughout(name: str, data: st.DataObject) -> None:
    game = game_of(name)
    fold = played(name, data)
    sides = set(game.score(fold.start))
    assert sides
    assert all(set(game.score(step.state)) == sides for step in fold.steps)


@pytest.mark.parametrize("name", GAMES)
@GIVEN
@given(data=st.data())
def test_any_ruling_can_be_overruled_and_any_fact_struck_out(
    name: str, data: st.DataObject
) -> None:
    fold = played(name, data, most=8)
    seq = len(fold.entries) + 1
    given_rulings = [
        (id, ruling)
        for step in fold.steps
        for id, ruling in zip(step.ids, step.judged, strict=True)
    ]
    if given_rulings:
        id, was = data.draw(st.sampled_from(given_rulings))
        fold.append(Entry(seq=seq, at_ms=0, body=Overrule(ruling=id, was=as_logged(was))))
        seq += 1
    if fold.steps:
        target = data.draw(st.sampled_from([step.seq for step in fold.steps]))
        fold.append(Entry(seq=seq, at_ms=0, body=Amend(seq=target, fact=None)))
    assert [step.fault for step in fold.steps if step.fault] == []


@pytest.mark.parametrize("name", GAMES)
def test_clauses_are_named_once_and_say_something(name: str) -> None:
    clauses = game_of(name).clauses()
    codes = [clause.code for clause in clauses]
    assert len(codes) == len(set(codes))
    assert all(clause.words and clause.section for clause in clauses)


@pytest.mark.parametrize("name", GAMES)
def test_an_option_that_the_rulebook_does_not_know_is_refused(name: str) -> None:
    setup = replace(setup_of(name), options={"no.such.option": "1"})
    with pytest.raises(ValueError, match="option"):
        game_of(name).start(setup)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spelling", [str.upper, str.title, lambda n: n.replace("_", "-")])
def test_a_game_is_found_however_its_name_is_spelt(name: str, spelling: Any) -> None:
    assert find_game(spelling(name)).name == name


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="qsquare"):
        find_game("chess")
