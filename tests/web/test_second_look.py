"""A second look at a recording from the review room: begun, followed, told; one at a time."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from testkit.door import WRITES
from testkit.played import NAME, play
from testkit.sample_match import sample_desk

from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.review.second_look import SecondLooks
from sightline.serving.serve import serving
from web import create_app

MATCH = f"match={quote(NAME)}"
DIFFERS = (
    'print(\'{"done": 3, "of": 9}\', flush=True); '
    'print(\'{"frames": 9, "facts": [{"sign": "-", "at_ms": 5.0, "words": "red-1 left the board", '
    '"told": {"say": "{piece} left the board", "with": {"piece": "red-1"}}}], '
    '"rulings": []}\')'
)
FAILS = "import sys; sys.exit('Error: nothing is recorded of this part')"
KNOWN = "import sys; sys.exit(\"Error: match 'm': nothing is recorded of this part of the match\")"
WAITS = "import time; time.sleep(60)"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with play(tmp_path_factory.mktemp("looked") / "matches.db", video=False) as store:
        yield store


@pytest.fixture
def library(store: Store) -> Iterator[LogLibrary]:
    library = LogLibrary(store)
    yield library
    library.close()


@pytest.fixture
def client(library: LogLibrary) -> FlaskClient:
    return create_app(sample_desk(), library=library).test_client()


def runs(library: LogLibrary, store: Store, script: str) -> None:
    library._looks = SecondLooks(store.path, (sys.executable, "-c", script))


def begin(client: FlaskClient, **fields: object):
    body = {"seq": 21, "table": 0, **fields}
    return client.post(f"/review/again?{MATCH}", json=body, headers=WRITES)


def ended(client: FlaskClient) -> dict:
    for _ in range(2000):
        said = client.get(f"/review/again.json?{MATCH}").json
        if not said["busy"]:
            return said["look"]
        Event().wait(0.02)
    raise AssertionError("the second look did not end")


def test_what_comes_out_otherwise_is_told_when_the_look_is_done(
    client: FlaskClient, library: LogLibrary, store: Store
) -> None:
    runs(library, store, DIFFERS)
    assert client.get(f"/review/again.json?{MATCH}").json == {
        "tables": ["qsquare-oak"],
        "busy": False,
        "look": None,
    }
    assert begin(client).status_code == 202
    look = ended(client)
    assert (look["state"], look["seq"], look["table"]) == ("done", 21, "qsquare-oak")
    assert (look["done"], look["of"], look["frames"]) == (3, 9, 9)
    assert look["facts"] == [{"sign": "-", "at_ms": 5.0, "words": "red-1 left the board"}]
    assert look["rulings"] == []
    german = client.get(f"/review/again.json?{MATCH}&lang=de").json["look"]
    assert [line["words"] for line in german["facts"]] == ["red-1 verließ das Brett"]


def test_a_look_that_ends_with_what_nobody_understands_has_failed(
    client: FlaskClient, library: LogLibrary, store: Store
) -> None:
    runs(library, store, """print('{"frames": 9, "facts": [{"sign": "-"}], "rulings": []}')""")
    begin(client)
    assert ended(client)["state"] == "failed"


def test_why_it_failed_is_told(client: FlaskClient, library: LogLibrary, store: Store) -> None:
    runs(library, store, FAILS)
    begin(client)
    look = ended(client)
    assert (look["state"], look["words"]) == ("failed", "nothing is recorded of this part")
    runs(library, store, KNOWN)
    begin(client)
    ended(client)
    said = client.get(f"/review/again.json?{MATCH}&lang=de").json["look"]["words"]
    assert said == "Spiel 'm': von diesem Teil des Spiels ist nichts aufgezeichnet"


def test_one_look_is_taken_at_a_time(
    client: FlaskClient, library: LogLibrary, store: Store
) -> None:
    runs(library, store, WAITS)
    assert begin(client).status_code == 202
    refused = begin(client, seq=22)
    assert (refused.status_code, "already" in refused.json["words"]) == (409, True)
    library.close()
    assert ended(client)["state"] == "failed"


@pytest.mark.parametrize(
    "fields", [{"table": 1}, {"table": "/etc"}, {"seq": -1}, {"folder": "/etc"}], ids=str
)
def test_only_known_tables_are_looked_with(client: FlaskClient, fields: dict) -> None:
    assert begin(client, **fields).status_code == 400


def test_of_a_match_that_is_not_there_nothing_is_looked_at(client: FlaskClient) -> None:
    answer = client.post("/review/again?match=x", json={"seq": 1, "table": 0}, headers=WRITES)
    assert answer.status_code == 404


@pytest.mark.browser
def test_the_referee_looks_again_and_reads_what_is_otherwise(page: Page, tmp_path: Path) -> None:
    with play(tmp_path / "matches.db") as store:
        library = LogLibrary(store)
        runs(library, store, DIFFERS)
        with serving(sample_desk(), port=0, max_streams=2, library=library) as address:
            page.goto(f"{address.url}review/match?{MATCH}")
            page.get_by_role("button", name="Next ruling").tap()
            page.locator(".moment.is-newest").get_by_role("button", name="Look again").tap()
            expect(page.locator("#again-table")).to_have_text("qsquare-oak")
            page.locator("#again-start").tap()
            result = page.locator("#again-result")
            expect(result).to_contain_text("9 frames, with qsquare-oak")
            expect(result).to_contain_text("red-1 left the board")
            expect(result).to_contain_text("What was ruled: no difference")
            assert Axe().run(page, context="dialog[open]").response["violations"] == []
        library.close()
