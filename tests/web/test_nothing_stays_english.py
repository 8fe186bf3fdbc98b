"""Every page in a language of wide letters: what reads in narrow ones went past the catalogues."""

import re
import zipfile
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from testkit.door import WRITES
from testkit.fake_desk import FakeDesk
from testkit.film import Film
from testkit.numbered_frames import numbered
from testkit.played import NAME, penalty_seq, play
from testkit.played_match import played, view_of
from testkit.pseudo_language import WIDE, left_over, narrow, spoken, wide
from testkit.sample_match import sample_desk, sample_view

from sightline.match_log.archive import filed
from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.review.recording import Recorder
from sightline.review.room_desk import RoomDesk
from sightline.review.study import MatchStudy
from sightline.running.wellbeing import FrameMeter, MatchWellbeing
from sightline.serving.serve import Address, serving
from sightline.simulated.carrom.players import FingerAgreement
from sightline.simulated.lattice.gridiron import FieldAgreement
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.matches import Agreement, Evening
from sightline.words.sight_words import log_trouble
from web import create_app
from web.desk import Sight
from web.languages import COOKIE

pytestmark = pytest.mark.browser
REASON = "both agree"  # what the referee typed, as it was typed
GAMES: dict[str, Callable[[], Evening]] = {
    "qsquare": lambda: played(Agreement(pucks=4), most_s=200),
    "carrom": lambda: played(FingerAgreement(options=(("game", "single_board"),)), most_s=200),
    "king_square": lambda: played(PegAgreement(target=2), most_s=200),
    "squarin_off": lambda: played(StickAgreement(), seed=2, most_s=200),
    "quarterback": lambda: played(FieldAgreement(), most_s=300),
}


@pytest.fixture(scope="module", autouse=True)
def wide_letters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with spoken(tmp_path_factory.mktemp("locale")):
        yield


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with play(tmp_path_factory.mktemp("wide") / "matches.db") as store:
        yield store


def in_wide_letters(page: Page, address: Address) -> None:
    page.context.add_cookies([{"name": COOKIE, "value": WIDE, "url": address.url}])


def close_sheet(page: Page) -> None:
    page.locator("dialog[open] .sheet-close button").first.click()


@pytest.mark.parametrize("game", GAMES)
def test_the_referees_page_of_each_game(page: Page, game: str) -> None:
    evening = GAMES[game]()
    view = view_of(evening)
    names = [player.name for player in view.players] + [s.name for s in view.scoreboard.sides]
    names += [view.title, view.match]
    desk = FakeDesk(view, evening.setup.board, clauses=evening.referee.game.clauses())
    study = MatchStudy(evening.referee.game, evening.setup, evening.referee.fold.entries)
    found: set[str] = set()
    with serving(desk, port=0, max_streams=2, beat_s=0.2, study=study) as address:
        in_wide_letters(page, address)
        page.goto(address.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        expect(page.locator(".moment").first).to_be_attached()
        found.update(left_over(page, *names))
        page.locator(".code").first.click()
        found.update(left_over(page, *names))
        close_sheet(page)
        if page.locator("[data-key$='!']").count():
            page.locator("[data-key$='!']").first.click()
            expect(page.locator("#overrule-effects")).not_to_be_empty()
            found.update(left_over(page, *names))
            close_sheet(page)
        page.locator("[data-key^='correct ']").first.click()
        expect(page.locator("#correct-tabs button").first).to_be_visible()
        found.update(left_over(page, *names))
        page.locator("#correct-tabs button").last.click()
        for tool in range(3):
            buttons = page.locator(".fact").first.locator(".fact-tools button")
            if tool < buttons.count():
                buttons.nth(tool).click()
                found.update(left_over(page, *names))
        close_sheet(page)
        page.locator("#menu").click()
        found.update(left_over(page, *names))
        for path in ("scoreboard", "overlay", "health", "devices", "join", "nowhere"):
            page.goto(address.url + path)
            page.wait_for_load_state("networkidle") if path == "devices" else None
            found.update(left_over(page, *names))
    assert sorted(found) == []


def room_of(store: Store) -> tuple[RoomDesk, LogLibrary]:
    return RoomDesk(filed(store, NAME), store.evidence(NAME)), LogLibrary(store)


def test_the_review_room_and_its_sheets(page: Page, store: Store) -> None:
    desk, library = room_of(store)
    seq = penalty_seq(store.read(NAME)[1])
    names = (NAME, REASON, desk.view().title, *(s.name for s in desk.view().scoreboard.sides))
    found: set[str] = set()
    with serving(desk, port=0, max_streams=2, library=library) as address:
        in_wide_letters(page, address)
        page.goto(f"{address.url}review/")
        found.update(left_over(page, *names))
        page.goto(f"{address.url}review/match?match={quote(NAME)}#e{seq}")
        expect(page.locator(".moment.is-newest")).to_be_attached()
        expect(page.locator("#undo-list li")).to_have_count(1)
        found.update(left_over(page, *names))
        page.locator("#measure").click()
        for place in (0.3, 0.6):
            box = page.locator("#still").bounding_box()
            assert box is not None
            page.mouse.click(box["x"] + place * box["width"], box["y"] + box["height"] / 2)
        expect(page.locator("#measured")).to_contain_text("mm")
        found.update(left_over(page, *names))
        page.locator(".moment.is-newest [data-key^='again ']").click()
        expect(page.locator("#again-table option")).to_have_count(1)
        found.update(left_over(page, *names))
    library.close()
    assert sorted(found) == []


def test_a_protest_files_page_and_what_was_told_then(store: Store, tmp_path: Path) -> None:
    desk, library = room_of(store)
    client = create_app(desk, library=library).test_client()
    answer = client.get(f"/review/protest.zip?match={quote(NAME)}&lang={WIDE}")
    path = tmp_path / "protest.zip"
    path.write_bytes(answer.data)
    answer.close()
    with zipfile.ZipFile(path) as archive:
        page = archive.read("index.html").decode()
        log = archive.read("match.jsonl").decode()
    told = re.findall(r">([^<]+)<|title=\"([^\"]+)\"|alt=\"([^\"]+)\"", page)
    names = (NAME, REASON, desk.view().title, "sightline verify FILE")
    left = {unescape(text) for each in told for text in each if narrow(unescape(text), *names)}
    assert sorted(left - {desk.view().title}) == []
    assert log.isascii() or not re.search("[\uff21-\uff5a]", log)
    shelf = client.get(f"/review/match.json?match={quote(NAME)}&lang={WIDE}").json
    then = [words for each in shelf["changed"] for words in each["then"]]
    assert [words for words in then if narrow(words)] == []
    library.close()


@pytest.fixture
def client(store: Store) -> Iterator[FlaskClient]:
    desk, library = room_of(store)
    yield create_app(desk, library=library).test_client()
    library.close()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("decisions", {"seen": 1, "withdraw": {"seq": 3}}),
        ("decisions", {"seen": 1, "overrule": {"ruling": "1/QS-1/0", "mark": "x"}}),
        ("decisions", {"seen": 1, "strike": {"seq": 99_999}}),
        ("decisions", {"seen": 1, "strike": {"seq": 3}}),
        ("decisions", {"seen": 1, "boot": "other", "strike": {"seq": 3}}),
        ("declarations", {"seen": 1, "what": "agreed"}),
        (
            "previews/decisions",
            {"seen": 1, "reply": {"ruling": "x", "question": "y", "answer": "z"}},
        ),
        (f"review/decisions?match={quote(NAME)}", {"seen": 1, "withdraw": {"seq": 3}}),
        ("review/decisions?match=nobody", {"seen": 1, "withdraw": {"seq": 3}}),
        (f"review/again?match={quote(NAME)}", {"seq": 3, "table": 7}),
        ("invitations", {"role": "referee", "minutes": 10}),
    ],
)
def test_a_tap_is_refused_in_the_language_of_its_page(
    client: FlaskClient, path: str, body: dict[str, object]
) -> None:
    client.set_cookie(COOKIE, WIDE)
    key = {} if "again" in path or path == "invitations" else {"key": "a-key-of-mine"}
    answer = client.post(f"/{path}", json={**body, **key}, headers=WRITES)
    assert answer.status_code in {400, 404, 409}
    assert narrow(answer.json["words"], "matches.db", "nobody") == []


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nowhere", 404),
        ("review/match?match=nobody", 404),
        ("review/still.jpg?n=x", 400),
        ("moments/3", 404),
        ("evidence/none.jpg", 404),
        ("live.jpg", 404),
        ("authority.crt", 404),
        (f"review/still.jpg?match={quote(NAME)}&n=99999", 404),
    ],
)
def test_what_is_not_there_is_said_in_the_language_of_the_page(
    client: FlaskClient, path: str, status: int
) -> None:
    client.set_cookie(COOKIE, WIDE)
    answer = client.get(f"/{path}", headers={"Accept": "application/json"})
    assert answer.status_code == status
    assert narrow(answer.json["words"], "matches.db", "nobody") == []


def test_what_is_wrong_with_the_health_of_a_match(tmp_path: Path) -> None:
    """Camera, recording, log, disk and pages, each at its worst."""
    now = [0.0]
    camera = FrameMeter(Film(name="camera-1", live=True), clock=lambda: now[0])
    now[0] = 60.0
    recorder = Recorder(tmp_path / "video", shift_ms=lambda: 0.0, free_bytes=lambda path: 1)
    recorder.heard(numbered(0))
    recorder._closing = True
    recorder._run()
    trouble = log_trouble("the disk is full")
    view = sample_view(sight=Sight.BLIND, sight_words=trouble)
    well = MatchWellbeing(lambda: view, tmp_path, [camera, recorder], free_bytes=lambda path: 1)
    client = create_app(sample_desk(view), wellbeing=well, max_streams=0).test_client()
    findings = client.get(f"/health.json?lang={WIDE}").json["findings"]
    assert [each["level"] for each in findings].count("good") == 0
    said = [each[part] for each in findings for part in ("about", "words", "remedy")]
    names = ("camera-1", str(tmp_path), "the disk is full")
    assert [words for words in said if narrow(words, *names)] == []
    page = client.get(f"/health?lang={WIDE}").text
    assert wide("The match log cannot be written") in page
