"""Views as JSON, and changes between views."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from testkit.exploring import examples
from testkit.sample_match import final_view, question_ruling, sample_view

from rules.facts import Piece
from rules.geometry import Point
from rules.rulings import Ruling, RulingId, Standing
from web.desk import Ruled, View
from web.present import (
    RECENT_RULINGS,
    change,
    dumps,
    is_open,
    mark_of,
    older_rulings,
    open_questions,
    ruled_json,
    snapshot,
)


def many(count: int, first: int = 0) -> tuple[Ruled, ...]:
    return tuple(
        Ruled(
            id=RulingId(number, "QS-2.3"),
            at_ms=number * 1000.0,
            ruling=Ruling(code="QS-2.3", words=f"turn {number}"),
        )
        for number in range(first, first + count)
    )


def fold(held: dict, message: dict) -> dict:
    """Fold a message in as the page does (static/js/model.js)."""
    rulings = message["rulings"]
    if message["since"] is None:
        return {"skipped": rulings["keep"], "rulings": rulings["tail"]}
    kept = held["rulings"][: max(0, rulings["keep"] - held["skipped"])]
    return {
        "skipped": min(held["skipped"], rulings["keep"]),
        "rulings": kept + rulings["tail"],
    }


def test_a_snapshot_says_everything_a_page_shows() -> None:
    said = snapshot(sample_view(), "b00t")
    assert said["boot"] == "b00t"
    assert said["since"] is None
    assert said["sight"] == {
        "state": "still",
        "words": "the table is still",
        "more": "",
        "since_ms": 303_000,
    }
    assert said["scoreboard"]["turn"] == "S"
    assert said["scoreboard"]["sides"][1] == {
        "side": "N",
        "name": "Jānis",
        "colour": "black",
        "colour_words": "black",
        "items": [
            {"label": "to pocket", "value": "7"},
            {"label": "pocketed", "value": "1"},
            {"label": "off", "value": "0"},
            {"label": "owes", "value": "1"},
            {"label": "Queen", "value": "locked"},
            {"label": "games", "value": "0"},
        ],
        "seats": [],
    }
    assert len(said["pieces"]) == 15
    assert said["pieces"][0]["at"] == [-214, 131]
    assert said["rulings"]["of"] == 5
    assert said["rulings"]["tail"][0]["id"] == "12/QS-2.2/0"
    assert json.loads(dumps(said)) == said


def test_a_result_is_said_with_its_winner() -> None:
    said = snapshot(final_view(), "b")
    assert said["outcome"] == {"winner": "S", "words": "Anna wins the match, 2 games to 0"}


def test_a_snapshot_of_a_long_match_leaves_the_old_rulings_to_be_asked_for() -> None:
    view = sample_view(rulings=many(1000))
    said = snapshot(view, "b")
    assert said["rulings"]["keep"] == 1000 - RECENT_RULINGS
    assert len(said["rulings"]["tail"]) == RECENT_RULINGS
    older = older_rulings(view, 800, 50)
    assert older["start"] == 750
    assert [ruled["seq"] for ruled in older["rulings"]] == list(range(750, 800))


@pytest.mark.parametrize(
    ("before", "start", "count"),
    [(-5, 0, 0), (0, 0, 0), (3, 0, 3), (10**9, 800, 200)],
    ids=["below zero", "nothing older", "the first three", "far beyond the end"],
)
def test_older_rulings_stay_within_the_match(before: int, start: int, count: int) -> None:
    older = older_rulings(sample_view(rulings=many(1000)), before)
    assert (older["start"], len(older["rulings"])) == (start, count)


def test_a_change_carries_only_the_rulings_that_are_new() -> None:
    before = sample_view(rulings=many(500))
    after = replace(before, version=6, rulings=(*before.rulings, *many(2, 500)))
    said = change(before, after, "b")
    assert said["since"] == 5
    assert said["rulings"]["keep"] == 500
    assert [ruled["seq"] for ruled in said["rulings"]["tail"]] == [500, 501]


def test_an_overruled_ruling_is_sent_anew_with_all_that_follow_it() -> None:
    before = sample_view(rulings=many(10))
    changed = replace(before.rulings[7], overruled_by=99)
    after = replace(before, version=6, rulings=(*before.rulings[:7], changed, *before.rulings[8:]))
    said = change(before, after, "b")
    assert said["rulings"]["keep"] == 7
    assert [ruled["overruled_by"] for ruled in said["rulings"]["tail"]] == [99, None, None]


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.tuples(st.integers(0, 260), st.integers(0, 6), st.integers(0, 3)), min_size=1, max_size=6
    )
)
def test_folding_changes_gives_what_a_snapshot_gives(steps: list[tuple[int, int, int]]) -> None:
    view: View = sample_view(rulings=many(230))
    held = fold({}, snapshot(view, "b"))
    for cut, added, marked in steps:
        kept = view.rulings[:cut]
        if marked and kept:
            kept = (*kept[:-1], replace(kept[-1], overruled_by=marked))
        after = replace(
            view, version=view.version + 1, rulings=(*kept, *many(added, 1000 + view.version * 10))
        )
        held = fold(held, change(view, after, "b"))
        view = after
    whole = [ruled_json(ruled) for ruled in view.rulings]
    assert held["rulings"] == whole[held["skipped"] :]


def test_open_questions_are_found_however_old() -> None:
    asks = Ruled(id=RulingId(1, "QS-9.4"), at_ms=0.0, ruling=question_ruling())
    view = sample_view(rulings=(asks, *many(900, 2)))
    assert open_questions(view) == (asks,)
    assert [ruled["id"] for ruled in snapshot(view, "b")["questions"]] == ["1/QS-9.4/0"]


@pytest.mark.parametrize(
    ("changes", "still_asks"),
    [
        ({}, True),
        ({"answered": "yes"}, False),
        ({"overruled_by": 7}, False),
        ({"ruling": structs.replace(question_ruling(), standing=Standing.FIRM)}, False),
        ({"ruling": structs.replace(question_ruling(), question=None)}, False),
    ],
    ids=["open", "answered", "overruled", "firm", "asks nothing"],
)
def test_only_an_open_unanswered_question_asks(changes: dict, still_asks: bool) -> None:
    asks = Ruled(id=RulingId(1, "QS-9.4"), at_ms=0.0, ruling=question_ruling())
    assert is_open(replace(asks, **changes)) is still_asks


def test_the_mark_of_a_ruling_changes_with_what_it_says() -> None:
    ruled = many(1)[0]
    same = replace(ruled, at_ms=5.0, evidence=("a.jpg",))
    other_words = replace(ruled, ruling=structs.replace(ruled.ruling, words="something else"))
    overruled = replace(ruled, overruled_by=4)
    assert mark_of(same) == mark_of(ruled)
    assert len({mark_of(ruled), mark_of(other_words), mark_of(overruled)}) == 3


def test_a_number_that_json_cannot_say_is_left_out() -> None:
    nowhere = Piece(
        name="red-1", kind="puck", colour="red", at=Point(float("nan"), 1.0), error_mm=float("inf")
    )
    said = snapshot(sample_view(pieces=(nowhere,)), "b")
    assert said["pieces"][0]["at"] == [None, 1.0]
    assert said["pieces"][0]["error_mm"] is None
    assert "NaN" not in dumps(said)
