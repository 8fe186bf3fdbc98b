"""The page in a real browser: what it shows, what a tap does, what it says when all is lost."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec import structs
from playwright.sync_api import Page, expect
from testkit.cuttable_line import CuttableLine
from testkit.event_stream import EventStream
from testkit.fake_desk import FakeDesk
from testkit.sample_match import (
    final_view,
    question_ruling,
    sample_desk,
    sample_view,
    service_scoreboard,
)

from rules.decisions import Amend, Overrule, Reply, Withdraw
from rules.facts import Declared
from rules.geometry import Point
from rules.rulings import Ruling, RulingId, RulingKind
from sightline.serving.serve import Address, serving
from sightline.words.sight_words import cannot_see
from web.desk import Ruled, Sight
from web.languages import COOKIE

PUCK_RADIUS_MM = 15.0

pytestmark = pytest.mark.browser


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def address(desk: FakeDesk) -> Iterator[Address]:
    with serving(desk, port=0, max_streams=4, beat_s=0.2) as address:
        yield address


@pytest.fixture
def match(page: Page, address: Address) -> Page:
    page.goto(address.url)
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
    return page


def overrule(page: Page, code: str, reason: str = "") -> None:
    page.get_by_role("button", name=f"Overrule {code}").click()
    page.locator("#overrule-reason").fill(reason)
    page.locator("#sheet-overrule").get_by_role("button", name="Overrule", exact=True).click()


def ask(desk: FakeDesk) -> None:
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))


def go_blind(desk: FakeDesk) -> None:
    desk.push(
        lambda view: replace(
            view,
            sight=Sight.BLIND,
            sight_words="The camera sends no pictures",
            sight_since_ms=view.now_ms - 12_000,
        )
    )


def test_the_page_shows_the_match(match: Page) -> None:
    expect(match).to_have_title("Q-Square · Anna – Jānis · Sightline")
    expect(match.locator("#headline")).to_have_text("Anna to shoot")
    expect(match.locator("#sight-name")).to_have_text("Still")
    expect(match.locator(".score.is-turn .score-name")).to_have_text("Anna")
    expect(match.locator(".score").nth(1)).to_contain_text("owes1")
    expect(match.locator(".piece")).to_have_count(15)
    expect(match.locator(".moment")).to_have_count(3)
    newest = match.locator(".moment").first
    expect(newest).to_contain_text("The cue-puck hit black, Jānis's own colour, first.")
    expect(newest).to_contain_text("margin 8.40 ± 0.78 ms")
    expect(newest.locator("img")).to_have_count(2)
    expect(match.locator("#table-count")).to_have_text(
        "7 red pucks · 6 black pucks · queen · cue-puck"
    )


def test_the_last_puck_on_the_table_is_told_by_its_colour(match: Page, desk: FakeDesk) -> None:
    left = tuple(p for p in sample_view().pieces if p.name in ("red-1", "queen"))
    desk.push(lambda view: replace(view, pieces=left))
    expect(match.locator("#table-count")).to_have_text("1 red puck · queen")


def test_a_piece_lies_where_it_was_seen(match: Page, desk: FakeDesk) -> None:
    def middle(name: str) -> tuple[float, float]:
        look = match.locator(f'.piece[data-name="{name}"] use').bounding_box()
        board = match.locator("#board").bounding_box()
        scale = board["width"] / (1016 + 2 * 62)
        x = (look["x"] + look["width"] / 2 - board["x"]) / scale - 508 - 62
        y = 508 + 62 - (look["y"] + look["height"] / 2 - board["y"]) / scale
        return x, y

    assert middle("red-1") == pytest.approx((-214, 131), abs=1.0)
    moved = replace(sample_view().pieces[0], at=Point(300.0, -200.0))
    desk.push(lambda view: replace(view, pieces=(moved, *view.pieces[1:-1])))
    expect(match.locator(".piece")).to_have_count(14)
    assert middle("red-1") == pytest.approx((300, -200), abs=1.0)


def test_a_new_ruling_appears_and_is_said_once(match: Page, desk: FakeDesk) -> None:
    expect(match.locator("#spoken")).to_be_empty()
    desk.rule(Ruling(code="QS-2.2", words="Anna pocketed a black puck.", kind=RulingKind.POCKET))
    expect(match.locator(".moment").first).to_contain_text("Anna pocketed a black puck.")
    expect(match.locator("#latest")).to_contain_text("Anna pocketed a black puck.")
    expect(match.locator("#spoken")).to_have_text("Anna pocketed a black puck.")
    desk.push(lambda view: replace(view, now_ms=view.now_ms + 1000))
    expect(match.locator("#spoken")).to_have_text("Anna pocketed a black puck.")


def test_a_question_shows_both_outcomes_and_its_answer_reaches_the_log(
    match: Page, desk: FakeDesk
) -> None:
    ask(desk)
    card = match.locator(".ask")
    expect(card).to_contain_text("Was red-7 inside the red line when Jānis struck?")
    expect(card).to_contain_text("0.07 ± 0.12 mm")
    expect(card.locator("img")).to_have_count(1)
    expect(match.locator(".question-ring")).to_have_count(1)
    expect(card.locator(".answer").nth(0)).to_contain_text("Direct hit on a dead puck")
    expect(card.locator(".answer").nth(1)).to_contain_text("A legal shot: Jānis shoots again.")
    card.get_by_role("button", name="Outside").tap()
    expect(card).to_have_count(0)
    assert desk.decided[0][0] == Reply(seq=48, question="dead:red-7", answer="no")
    expect(match.locator(".moment").first).to_contain_text("Answered: Outside")


def test_a_question_can_be_answered_by_keyboard(match: Page, desk: FakeDesk) -> None:
    ask(desk)
    answer = match.locator(".answer").first
    expect(answer).to_be_visible()
    for _ in range(30):
        match.keyboard.press("Tab")
        if answer.evaluate("element => element === document.activeElement"):
            break
    match.keyboard.press("Enter")
    expect(match.locator(".ask")).to_have_count(0)
    assert desk.decided[0][0] == Reply(seq=48, question="dead:red-7", answer="yes")


def test_an_overrule_is_taken_and_undone(match: Page, desk: FakeDesk) -> None:
    overrule(match, "QS-8a.4", "both agree")
    ruling = match.locator('.ruling[data-id="47/QS-8a.4/0"]')
    expect(ruling).to_contain_text("Overruled")
    decision = desk.decided[0][0]
    assert isinstance(decision, Overrule)
    assert (decision.ruling, decision.reason) == (RulingId(47, "QS-8a.4"), "both agree")
    expect(match.locator("#tray")).to_contain_text("Overrule QS-8a.4")
    match.locator("#tray").get_by_role("button", name="Undo").click()
    expect(ruling).not_to_contain_text("Overruled")
    assert desk.decided[1][0] == Withdraw(seq=48)


def test_a_decision_can_be_undone_from_the_list_later(match: Page, desk: FakeDesk) -> None:
    overrule(match, "QS-2.3")
    row = match.locator(".undo-row")
    expect(row).to_contain_text("QS-2.3 overruled")
    row.get_by_role("button", name="Undo “QS-2.3 overruled”").click()
    expect(row).to_have_count(0)
    assert desk.decided[-1][0] == Withdraw(seq=48)


def test_a_decision_that_no_longer_fits_is_put_to_review(match: Page, desk: FakeDesk) -> None:
    overrule(match, "QS-2.3")
    desk.push(lambda view: replace(view, to_review=(48,)))
    expect(match.locator(".undo-row.to-review")).to_contain_text("It no longer fits")


def test_an_announcement_reaches_the_log_and_can_be_undone(match: Page, desk: FakeDesk) -> None:
    match.get_by_role("button", name="Miscue Anna").tap()
    expect(match.locator(".moment").first).to_contain_text("S says: miscue")
    assert desk.declared[0][0] == Declared(at_ms=312_000, what="miscue", side="S")
    match.locator("#tray").get_by_role("button", name="Undo").click()
    expect(match.locator(".moment").first).not_to_contain_text("miscue")
    assert desk.decided[-1][0] == Amend(seq=48, fact=None)


def test_many_announcements_are_folded_away_until_wanted(match: Page, desk: FakeDesk) -> None:
    buttons = match.locator("#say-list button")
    expect(buttons).to_have_count(6)
    match.get_by_role("button", name="More (3)").tap()
    expect(buttons).to_have_count(9)
    match.get_by_role("button", name="Jānis concedes").tap()
    expect(match.locator(".moment").first).to_contain_text("N says: concede")
    match.get_by_role("button", name="Fewer").tap()
    expect(buttons).to_have_count(6)


def test_what_just_happened_is_more_than_a_note(match: Page, desk: FakeDesk) -> None:
    desk.rule(Ruling(code="QS-X.1", words="The cue-puck was dragged: no shot."))
    expect(match.locator(".moment").first).to_contain_text("dragged")
    expect(match.locator(".latest-words")).to_contain_text("The cue-puck hit black")
    expect(match.locator(".latest-more")).to_contain_text("05:01")


def test_a_stale_tap_is_explained_and_the_page_shows_the_newest(
    match: Page, desk: FakeDesk
) -> None:
    match.get_by_role("button", name="Overrule QS-8a.4").click()
    old = next(ruled for ruled in desk.view().rulings if ruled.id.code == "QS-8a.4")
    new = replace(
        old, ruling=structs.replace(old.ruling, words="The cue-puck hit red first: legal.")
    )
    desk.push(
        lambda view: replace(
            view, rulings=tuple(new if ruled is old else ruled for ruled in view.rulings)
        )
    )
    expect(match.locator(".moment").first).to_contain_text("The cue-puck hit red first: legal.")
    match.locator("#sheet-overrule").get_by_role("button", name="Overrule", exact=True).click()
    tray = match.locator("#tray")
    expect(tray).to_contain_text("Not done: the match has moved on.")
    expect(tray).to_contain_text("This ruling has changed since the page was drawn.")
    assert not desk.decided
    tray.get_by_role("button", name="Close").click()
    expect(tray).to_be_empty()


def test_what_is_to_be_done_is_listed_and_drawn(match: Page, desk: FakeDesk) -> None:
    desk.push(lambda view: replace(view, scoreboard=service_scoreboard()))
    expect(match.locator(".task")).to_have_count(3)
    expect(match.locator(".task.is-done")).to_contain_text("Put the cue-puck")
    expect(match.locator(".target")).to_have_count(2)
    arrow = match.locator(".target-way")
    expect(arrow).to_have_count(1)  # from where the puck lies up to where it is to go, not beneath
    begin, end = arrow.evaluate(
        """path => [0, path.getAttribute("d").match(/H([\\d.]+)/)[1]].map((along) => {
            const at = new DOMPoint(along, 0).matrixTransform(path.transform.baseVal[0].matrix
                .multiply(path.transform.baseVal[1].matrix));
            return [at.x, -at.y];
        })"""
    )
    assert begin == pytest.approx([200, 29])
    assert end == pytest.approx([PUCK_RADIUS_MM, 29], abs=1e-3)


def test_the_end_of_a_match_is_the_headline(match: Page, desk: FakeDesk) -> None:
    desk.push(lambda view: replace(final_view()))
    expect(match.locator("#headline")).to_have_text("Anna wins the match, 2 games to 0")
    expect(match.locator(".is-turn.score")).to_have_count(0)


@pytest.mark.parametrize(
    ("sight", "name"),
    [
        (Sight.SETTLING, "Settling"),
        (Sight.HAND, "Hand over the board"),
        (Sight.STILL, "Still"),
        (Sight.BLIND, "Cannot see"),
    ],
)
def test_the_state_of_sight_is_always_shown(
    match: Page, desk: FakeDesk, sight: Sight, name: str
) -> None:
    since_ms = desk.view().now_ms - 75_000
    desk.push(lambda view: replace(view, sight=sight, sight_words="", sight_since_ms=since_ms))
    expect(match.locator("#sight-name")).to_have_text(name)
    expect(match.locator("#sight")).to_have_attribute("data-state", sight.value)
    expect(match.locator("#sight-since")).to_have_text("for 1 min 15 s")


def test_a_blind_sightline_says_so_across_the_page(match: Page, desk: FakeDesk) -> None:
    expect(match.locator("#banner-blind")).to_be_hidden()
    go_blind(desk)
    banner = match.locator("#banner-blind")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("Sightline cannot see the table.")
    expect(banner).to_contain_text("The camera sends no pictures, since 12 s.")
    desk.push(lambda view: replace(view, sight=Sight.STILL))
    expect(banner).to_be_hidden()


def test_the_reason_for_being_blind_is_said_once(match: Page, desk: FakeDesk) -> None:
    words = cannot_see("the picture is out of focus")
    desk.push(lambda view: replace(view, sight=Sight.BLIND, sight_words=words))
    banner = match.locator("#banner-blind")
    expect(banner).to_contain_text(
        "Sightline cannot see the table. The picture is out of focus, since"
    )
    expect(match.locator("#sight-words")).to_have_text("The picture is out of focus")


def test_sight_pieces_and_colours_are_told_in_the_language_of_the_page(
    page: Page, desk: FakeDesk, address: Address
) -> None:
    words = cannot_see("the picture is out of focus")
    desk.push(lambda view: replace(view, sight=Sight.BLIND, sight_words=words))
    page.context.add_cookies([{"name": COOKIE, "value": "de", "url": address.url}])
    page.goto(address.url)
    expect(page.locator("#sight-words")).to_have_text("Das Bild ist unscharf")
    expect(page.locator("#banner-blind")).to_contain_text("Das Bild ist unscharf, seit")
    expect(page.locator("#table-count")).to_contain_text("7 Steine in Rot · 6 Steine in Schwarz")
    expect(page.locator("#scores")).to_contain_text("Schwarz")


def test_what_stays_over_the_table_is_said_with_what_to_do(match: Page, desk: FakeDesk) -> None:
    banner = match.locator("#banner-hand")
    since_ms = desk.view().now_ms - 27_000
    desk.push(lambda view: replace(view, sight=Sight.HAND, sight_since_ms=since_ms))
    expect(match.locator("#sight-name")).to_have_text("Hand over the board")
    expect(banner).to_be_hidden()
    desk.push(lambda view: replace(view, now_ms=since_ms + 30_000))
    expect(banner).to_contain_text("Something stays over the table. Take it away.")
    expect(banner).to_contain_text("set it up again")
    desk.push(lambda view: replace(view, sight=Sight.STILL))
    expect(banner).to_be_hidden()


def test_a_page_that_has_lost_sightline_says_so(page: Page, desk: FakeDesk) -> None:
    with serving(desk, port=0, max_streams=2, beat_s=0.2) as address:
        page.goto(address.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
    banner = page.locator("#banner-lost")
    expect(banner).to_be_visible()
    expect(banner).to_contain_text("This page has lost Sightline.")
    expect(page.locator("#sight-name")).to_have_text("Unknown")


def test_nothing_is_lost_when_the_line_is_cut_and_taps_wait_in_sight(
    page: Page, desk: FakeDesk, address: Address
) -> None:
    with CuttableLine(address.port) as line:
        page.goto(line.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        line.cut()
        for number in range(7):
            desk.rule(Ruling(code="QS-2.3", words=f"Turn {number} passes."))
        expect(page.locator("#banner-lost")).to_be_visible()
        overrule(page, "QS-8a.4")
        expect(page.locator('.tap[data-state="waiting"]')).to_contain_text("sent when it is back")
        assert not desk.decided
        line.mend()
        expect(page.locator("#banner-lost")).to_be_hidden()
        for number in range(7):
            words = page.locator(".ruling-words", has_text=f"Turn {number} passes.")
            expect(words).to_have_count(1)
        expect(page.locator(".moment")).to_have_count(10)
        expect(page.locator('.ruling[data-id="47/QS-8a.4/0"]')).to_contain_text("Overruled")
        assert [type(decision) for decision, _, _ in desk.decided] == [Overrule]


def test_a_waiting_tap_can_be_taken_back(page: Page, desk: FakeDesk, address: Address) -> None:
    with CuttableLine(address.port) as line:
        page.goto(line.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        line.cut()
        expect(page.locator("#banner-lost")).to_be_visible()
        overrule(page, "QS-8a.4")
        page.locator("#tray").get_by_role("button", name="Cancel").click()
        line.mend()
        expect(page.locator("#banner-lost")).to_be_hidden()
        expect(page.locator("#tray")).to_be_empty()
        assert not desk.decided


def test_a_page_beyond_the_cap_asks_by_itself(page: Page, desk: FakeDesk) -> None:
    with (
        serving(desk, port=0, max_streams=1, beat_s=0.2) as address,
        EventStream(address.port) as taken,
    ):
        assert taken.status == 200
        page.goto(address.url)
        expect(page.locator("#link-words")).to_have_text("every 2 s")
        desk.push(lambda view: replace(view, title="Another title"))
        expect(page.locator("#match-title")).to_contain_text("Another title")
        expect(page.locator("#banner-lost")).to_be_hidden()


def test_a_clause_is_read_by_tapping_its_code(match: Page) -> None:
    match.locator('.ruling[data-id="47/QS-8a.4/0"] .code').tap()
    sheet = match.locator("#sheet-clause")
    expect(sheet).to_contain_text("touches one of your own pucks first")
    expect(sheet).to_contain_text("QS-8n.2")
    match.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_a_picture_is_seen_large_with_what_was_ruled(match: Page) -> None:
    match.locator(".moment").first.locator(".thumb").first.tap()
    sheet = match.locator("#sheet-picture")
    expect(sheet).to_contain_text("The cue-puck hit black")
    width = "image => image.complete && image.naturalWidth"
    match.wait_for_function(f"({width})(document.getElementById('picture')) === 1280")
    sheet.get_by_role("button", name="Close the picture").tap()
    expect(sheet).to_be_hidden()


def test_the_cameras_newest_picture_can_be_seen(match: Page, desk: FakeDesk) -> None:
    match.locator("#camera").tap()
    picture = "document.getElementById('camera-picture')"
    match.wait_for_function(f"() => {picture}.complete && {picture}.naturalWidth === 1280")
    desk.live_frame = None
    expect(match.locator("#camera-words")).to_have_text("There is no picture now.")


def test_pieces_show_letters_or_patterns_and_the_page_remembers(match: Page) -> None:
    board = match.locator("#board")
    expect(board).to_have_class("board with-letters")
    match.locator("#letters").tap()
    expect(board).to_have_class("board")
    match.reload()
    expect(match.locator("#link")).to_have_attribute("data-state", "live")
    expect(board).to_have_class("board")


def test_rulings_can_be_filtered(match: Page) -> None:
    match.locator("#filter").get_by_role("button", name="Fouls").tap()
    expect(match.locator(".ruling")).to_have_count(1)
    match.locator("#filter").get_by_role("button", name="Disputed").tap()
    expect(match.locator("#rulings-empty")).to_have_text("None among these rulings.")
    match.locator("#filter").get_by_role("button", name="All").tap()
    expect(match.locator(".ruling")).to_have_count(5)


def test_a_two_hour_match_opens_and_its_beginning_can_be_read(page: Page) -> None:
    rulings = tuple(
        Ruled(
            id=RulingId(number, "QS-2.3"),
            at_ms=number * 3600.0,
            ruling=Ruling(code="QS-2.3", words=f"Ruling number {number}."),
        )
        for number in range(1, 2001)
    )
    with serving(
        sample_desk(sample_view(rulings=rulings)), port=0, max_streams=2, beat_s=0.2
    ) as address:
        page.goto(address.url)
        expect(page.locator(".moment")).to_have_count(200)
        page.locator("#older").tap()
        expect(page.locator(".moment")).to_have_count(400)
        expect(page.locator(".moment").last).to_contain_text("Ruling number 1601.")


def test_names_are_shown_as_text_whatever_they_hold(match: Page, desk: FakeDesk) -> None:
    nasty = "<img src=x onerror=document.title='broken'>"
    sides = tuple(replace(side, name=nasty) for side in sample_view().scoreboard.sides)
    desk.push(lambda view: replace(view, scoreboard=replace(view.scoreboard, sides=sides)))
    desk.rule(Ruling(code=nasty, words=nasty, side="S"))
    expect(match.locator(".score-name").first).to_have_text(nasty)
    expect(match.locator(".moment").first).to_contain_text(nasty)
    expect(match).to_have_title(f"Q-Square · {nasty} – {nasty} · Sightline")


def test_the_page_says_what_does_not_work_until_it_does(match: Page, desk: FakeDesk) -> None:
    banner = match.locator("#banner-warning")
    expect(banner).to_be_hidden()
    words = "Recording has stopped: only 0.9 GB are free."
    desk.push(lambda view: replace(view, warnings=(words,)))
    expect(banner).to_have_text(words)
    assert Axe().run(match).response["violations"] == []
    desk.push(lambda view: replace(view, warnings=()))
    expect(banner).to_be_hidden()
