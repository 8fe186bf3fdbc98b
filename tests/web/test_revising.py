"""Putting a match right after its end: what would change is shown first, then kept in its log."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from testkit.door import WRITES
from testkit.played import NAME, penalty_seq, play
from testkit.sample_match import sample_desk

from rules.decisions import Amend, Confirm, Withdraw
from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.serving.serve import serving
from web import create_app

MATCH = f"match={quote(NAME)}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with play(tmp_path / "matches.db", video=False) as store:
        yield store


@pytest.fixture
def client(store: Store) -> FlaskClient:
    return create_app(sample_desk(), library=LogLibrary(store)).test_client()


def shelf(client: FlaskClient) -> dict:
    return client.get(f"/review/match.json?{MATCH}").json


def ask(client: FlaskClient, where: str, *, seen: int, key: str = "key-0001", **what: object):
    body = {"key": key, "seen": seen, **what}
    return client.post(f"/review/{where}?{MATCH}", json=body, headers=WRITES)


def test_a_correction_is_shown_before_it_is_kept_and_changes_everything_after_it(
    client: FlaskClient, store: Store
) -> None:
    before = shelf(client)
    first = next(r for r in before["rulings"] if r["kind"] == "pocket")
    around = client.get(f"/review/moment.json?{MATCH}&seq={first['seq']}").json
    fell = next(f for f in around["facts"] if f["body"]["fact"] == "pocketed")
    struck = {"strike": {"seq": fell["seq"], "reason": "it was lifted out"}}

    foreseen = ask(client, "previews", seen=before["seq"], **struck).json["changed"]
    assert first["words"] in foreseen["gone"]
    assert shelf(client) == before

    kept = ask(client, "decisions", seen=before["seq"], **struck)
    assert kept.status_code == 201
    assert kept.json["changed"] == foreseen
    assert store.read(NAME)[1][-1].body == Amend(
        seq=fell["seq"], fact=None, reason="it was lifted out"
    )
    after = shelf(client)
    assert first["id"] not in [r["id"] for r in after["rulings"]]
    assert [undo["seq"] for undo in after["undoable"]] == [before["seq"], kept.json["seq"]]
    assert len(after["changed"]) > len(before["changed"])

    undone = ask(
        client, "decisions", seen=after["seq"], key="key-0002", withdraw={"seq": after["seq"]}
    )
    assert undone.status_code == 201
    assert store.read(NAME)[1][-1].body == Withdraw(seq=after["seq"])
    assert shelf(client)["rulings"] == before["rulings"]


def test_a_ruling_of_an_ended_match_is_confirmed(client: FlaskClient, store: Store) -> None:
    before = shelf(client)
    ruled = next(r for r in before["rulings"] if r["kind"] == "pocket")
    sure = {"confirm": {"ruling": ruled["id"], "mark": ruled["mark"]}}
    answer = ask(client, "decisions", seen=before["seq"], **sure)
    assert answer.status_code == 201
    again = ask(client, "decisions", seen=before["seq"], **sure)
    assert (again.status_code, again.json["seq"]) == (201, answer.json["seq"])
    assert isinstance(store.read(NAME)[1][-1].body, Confirm)
    assert len(store.read(NAME)[1]) == answer.json["seq"]


def test_a_tap_on_an_older_state_of_the_match_is_refused(client: FlaskClient) -> None:
    before = shelf(client)
    ruled = before["rulings"][0]
    answer = ask(
        client,
        "decisions",
        seen=before["seq"] - 1,
        confirm={"ruling": ruled["id"], "mark": ruled["mark"]},
    )
    assert answer.status_code == 409
    assert "since the page was drawn" in answer.json["words"]


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [
        ({"confirm": {"ruling": "1/X/0", "mark": "ab"}}, 409, "no longer stands"),
        ({"withdraw": {"seq": 1}}, 409, "taken back already"),
        ({"strike": {"seq": 9999}}, 400, "no entry 9999"),
        ({"strike": {"seq": -1}}, 400, "at least 0"),
        ({}, 400, "exactly one of"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_with_words(
    client: FlaskClient, store: Store, what: dict, status: int, words: str
) -> None:
    seen = shelf(client)["seq"]
    for where in ("previews", "decisions"):
        answer = ask(client, where, seen=seen, **what)
        assert (answer.status_code, words in answer.json["words"]) == (status, True)
    assert len(store.read(NAME)[1]) == seen


def test_a_match_that_is_being_played_is_decided_on_at_its_own_page(store: Store) -> None:
    client = create_app(sample_desk(), library=LogLibrary(store, NAME)).test_client()
    answer = ask(client, "decisions", seen=shelf(client)["seq"], strike={"seq": 1})
    assert answer.status_code == 400
    assert "its own page" in answer.json["words"]


def test_a_match_that_another_sightline_referees_is_left_alone(
    client: FlaskClient, store: Store
) -> None:
    with store.open(NAME):
        answer = ask(client, "decisions", seen=shelf(client)["seq"], strike={"seq": 1})
    assert answer.status_code == 400
    assert "another Sightline" in answer.json["words"]


@pytest.mark.parametrize(
    "path", ["moment.json?match=nobody&seq=1", f"moment.json?{MATCH}&seq=9999"]
)
def test_of_what_is_not_there_nothing_is_seen(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/review/{path}")
    assert answer.status_code == 404
    assert json.loads(answer.text)["words"]


@pytest.mark.browser
def test_a_referee_puts_an_ended_match_right_in_the_review_room(page: Page, store: Store) -> None:
    seq = penalty_seq(store.read(NAME)[1])
    library = LogLibrary(store)
    with serving(sample_desk(), port=0, max_streams=2, library=library) as address:
        page.goto(f"{address.url}review/match?{MATCH}#e{seq}")
        undo = page.locator("#undo-list .undo-row")
        expect(undo).to_have_count(1)
        expect(undo.locator("[data-undoes]")).to_contain_text("Undone:")

        page.get_by_role("button", name="Next ruling").tap()
        chosen = page.locator(".moment.is-newest")
        chosen.get_by_role("button", name="Overrule").first.tap()
        expect(page.locator("#overrule-effects")).not_to_be_empty()
        assert Axe().run(page, context="dialog[open]").response["violations"] == []
        page.locator("#sheet-overrule").get_by_role("button", name="Overrule", exact=True).tap()
        expect(undo).to_have_count(2)

        chosen.get_by_role("button", name="Correct").tap()
        page.get_by_role("button", name="What happened").tap()
        page.get_by_role("button", name="Never happened").first.tap()
        expect(page.locator("#correct-effects")).not_to_be_empty()
        page.locator("#correct-keep").tap()
        expect(undo).to_have_count(3)
        assert Axe().run(page).response["violations"] == []
    assert isinstance(store.read(NAME)[1][-1].body, Amend)
