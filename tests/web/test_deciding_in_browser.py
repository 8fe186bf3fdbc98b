"""Deciding in a real browser: what a tap would change, and correcting what was seen."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from testkit.devices import PHONE, TABLET, Devices
from testkit.fake_desk import FakeDesk
from testkit.fake_study import FakeStudy
from testkit.page_watch import PageWatch
from testkit.sample_match import question_ruling, sample_desk, sample_pieces

from rules.decisions import Amend, Confirm, Insert, Overrule
from rules.facts import Contacted, Pocketed, Settled
from rules.geometry import Point
from rules.rulings import Ruling
from sightline.running.views import decision_words
from sightline.serving.serve import Address, serving
from web.desk import Undoable
from web.saying import translated

pytestmark = pytest.mark.browser


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def study() -> FakeStudy:
    return FakeStudy()


@pytest.fixture
def address(desk: FakeDesk, study: FakeStudy) -> Iterator[Address]:
    with serving(desk, port=0, max_streams=4, beat_s=0.2, study=study) as address:
        yield address


@pytest.fixture
def match(page: Page, address: Address) -> Page:
    page.goto(address.url)
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
    return page


@pytest.fixture
def editor(match: Page) -> Page:
    match.get_by_role("button", name="Correct what was seen at 05:01").tap()
    expect(match.locator(".edit-piece")).to_have_count(15)
    return match


def keep(page: Page) -> None:
    button = page.locator("#correct-keep")
    expect(button).to_be_enabled()
    button.click()
    expect(page.locator("#tray").get_by_role("button", name="Undo")).to_be_visible()  # it is kept


def test_an_overrule_says_what_it_would_change_before_and_what_it_changed_after(
    match: Page, desk: FakeDesk, study: FakeStudy
) -> None:
    match.get_by_role("button", name="Overrule QS-8a.4").click()
    effects = match.locator("#overrule-effects")
    expect(effects).to_contain_text("owes 1 → –")
    expect(effects).to_contain_text("Jānis to shoot")
    expect(effects).to_contain_text("No longer ruledThe cue-puck hit black first.")
    assert not desk.decided
    match.locator("#sheet-overrule").get_by_role("button", name="Overrule", exact=True).click()
    expect(match.locator("#tray")).to_contain_text("Jānis: owes 1 → – · Jānis to shoot")
    assert [type(a) for a in study.asked if isinstance(a, Overrule)] == [Overrule, Overrule]


def test_a_ruling_is_confirmed_with_one_tap_that_changes_nothing_and_can_be_undone(
    match: Page, desk: FakeDesk
) -> None:
    confirm = match.get_by_role("button", name="Confirm QS-8a.4")
    expect(confirm).to_have_attribute("title", "This changes neither score nor turn.")
    confirm.tap()
    expect(match.locator("#tray")).to_contain_text("This changes neither score nor turn.")
    row = match.locator(".ruling", has=match.get_by_role("button", name="Overrule QS-8a.4"))
    expect(row.locator(".tag")).to_have_text("Confirmed")
    expect(confirm).to_have_count(0)
    assert isinstance(desk.decided[0][0], Confirm)
    match.locator("#tray").get_by_role("button", name="Undo").tap()
    expect(confirm).to_have_count(1)


def test_the_sheet_before_an_overrule_confirms_too(match: Page, desk: FakeDesk) -> None:
    match.get_by_role("button", name="Overrule QS-8a.4").click()
    match.get_by_label("Reason (if you like)").first.fill("seen on the video")
    match.get_by_role("button", name="It is right: confirm it").click()
    expect(match.locator("#tray")).to_contain_text("Confirm QS-8a.4")
    expect(match.locator(".tag", has_text="Confirmed")).to_have_count(1)
    assert desk.decided[0][0].reason == "seen on the video"


def test_a_reason_that_the_page_offers_is_kept_without_a_language(
    page: Page, address: Address, desk: FakeDesk
) -> None:
    page.goto(f"{address.url}?lang=de")
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
    page.locator("[data-key$='!']").first.click()
    page.get_by_role("button", name="Beide Spieler sind einig").click()
    expect(page.locator("#overrule-reason")).to_have_value("Beide Spieler sind einig")
    page.locator("#overrule-form button[value=overrule]").click()
    expect(page.locator("#tray")).to_contain_text("zurücknehmen", ignore_case=True)
    [(decision, _, _)] = desk.decided
    assert decision.reason == "Both players agree"
    assert translated([decision_words(decision)], "fr")[0].endswith(
        "(Les deux joueurs sont d’accord)"
    )


def test_undoing_and_announcing_say_beforehand_what_they_change(
    match: Page, desk: FakeDesk, study: FakeStudy
) -> None:
    study.undone = "Anna to shoot"
    desk.push(lambda view: replace(view, undoable=(Undoable(seq=3, words="Waived QS-2.3"),)))
    expect(match.locator("[data-undoes]")).to_have_text("Undone: Anna to shoot")
    expect(match.locator(".say-effects").first).to_have_text("Anna to shoot")
    assert not desk.decided


def test_each_answer_says_what_it_would_change_beside_a_magnified_picture(
    match: Page, desk: FakeDesk
) -> None:
    desk.rule(question_ruling(), evidence=("s60-hole.jpg",))
    answers = match.locator(".answer")
    yes, no = answers.nth(0), answers.nth(1)
    expect(yes).to_contain_text("Jānis: owes 1 → 2")
    expect(no).to_contain_text("Jānis to shoot")
    look = match.locator(".ask .magnifier")
    expect(look.locator("image")).to_have_count(1)
    expect(look.locator(".outline.is-named")).to_have_count(1)
    assert Axe().run(match).response["violations"] == []


def test_a_picture_is_shown_with_what_was_measured_drawn_on_it(match: Page) -> None:
    match.locator(".moment").first.locator(".thumb").first.tap()
    expect(match.locator("#picture-overlay .outline")).to_have_count(2)
    match.get_by_role("button", name="Outlines").tap()
    expect(match.locator("#picture-overlay")).to_be_hidden()


def test_a_piece_is_put_right_by_the_likeliest_mistake_in_two_taps(
    editor: Page, desk: FakeDesk
) -> None:
    expect(editor.locator(".chip").first).to_have_text("red-7 (doubtful)")
    expect(editor.locator(".edit-piece.is-picked")).to_have_attribute("data-name", "red-7")
    expect(editor.locator("#correct-keep")).to_be_disabled()
    editor.get_by_role("button", name="It was black-8").tap()
    expect(editor.locator("#correct-effects")).to_contain_text("to pocket 6 → 5")
    assert Axe().run(editor, context="dialog[open]").response["violations"] == []
    keep(editor)
    expect(editor.locator("#tray")).to_contain_text("Correct the board")
    amend = desk.decided[0][0]
    assert isinstance(amend, Amend)
    assert amend.seq == 47
    assert isinstance(amend.fact, Settled)
    names = {piece.name for piece in amend.fact.pieces}
    assert names == {p.name for p in sample_pieces()} - {"red-7"} | {"black-8"}


def test_a_piece_is_dragged_to_where_it_lay(editor: Page, desk: FakeDesk) -> None:
    piece = editor.locator('.edit-piece[data-name="red-1"]')
    box, board = piece.bounding_box(), editor.locator("#correct-board svg").bounding_box()
    scale = board["width"] / (1016 + 2 * 62)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    editor.mouse.move(x, y)
    editor.mouse.down()
    editor.mouse.move(x + 100 * scale, y - 50 * scale, steps=4)
    editor.mouse.up()
    keep(editor)
    expect(editor.locator("#tray")).to_contain_text("Correct the board")
    amend = desk.decided[0][0]
    assert isinstance(amend, Amend)
    assert isinstance(amend.fact, Settled)
    (moved,) = (p for p in amend.fact.pieces if p.name == "red-1")
    assert (moved.at.x_mm, moved.at.y_mm) == pytest.approx((-214 + 100, 131 + 50), abs=3)


def test_a_piece_is_moved_by_the_arrow_keys(editor: Page, desk: FakeDesk) -> None:
    editor.locator(".chip", has_text="red-1").first.focus()
    editor.keyboard.press("Enter")
    editor.keyboard.press("ArrowRight")
    editor.keyboard.press("Shift+ArrowUp")
    keep(editor)
    expect(editor.locator("#tray")).to_contain_text("Correct the board")
    amend = desk.decided[0][0]
    assert isinstance(amend, Amend)
    assert isinstance(amend.fact, Settled)
    (moved,) = (p for p in amend.fact.pieces if p.name == "red-1")
    assert moved.at == Point(-213.5, 136.0)


def test_a_missing_piece_is_added(editor: Page) -> None:
    editor.get_by_label("Add a piece").select_option("black-8")
    expect(editor.locator(".edit-piece.is-changed")).to_have_attribute("data-name", "black-8")
    expect(editor.locator("#correct-keep")).to_be_enabled()


def test_a_fact_is_struck_out_put_right_or_added(editor: Page, desk: FakeDesk) -> None:
    editor.get_by_role("button", name="What happened").tap()
    editor.get_by_role("button", name="It was otherwise").first.tap()
    editor.get_by_label("Second piece").select_option("red-3")
    keep(editor)
    expect(editor.locator("#tray")).to_contain_text("Put right")
    amend = desk.decided[0][0]
    assert isinstance(amend, Amend)
    assert (amend.seq, amend.fact) == (
        44,
        Contacted(at_ms=300_000, a="cue-puck", b="red-3", at=Point(0, 0)),
    )


def test_what_the_camera_missed_is_added_in_its_place(editor: Page, study: FakeStudy) -> None:
    editor.get_by_role("button", name="What happened").tap()
    editor.get_by_role("button", name="Missed after this").first.tap()
    editor.get_by_label("What was missed").select_option("pocketed")
    editor.get_by_label("Piece", exact=True).select_option("red-2")
    editor.get_by_label("Pocket", exact=True).select_option("SE")
    expect(editor.locator("#correct-keep")).to_be_enabled()
    missed = Pocketed(at_ms=300_001, piece="red-2", pocket="SE")
    # The page also asks, whenever it likes, what its buttons would declare.
    assert [a for a in study.asked if isinstance(a, Insert)][-1] == Insert(after=44, fact=missed)


def test_a_correction_that_makes_no_sense_is_explained_and_not_kept(editor: Page) -> None:
    for _ in range(13):
        editor.locator(".edit-piece").first.evaluate(
            "one => one.dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
        )
        editor.evaluate("dispatchEvent(new PointerEvent('pointerup'))")
        editor.get_by_role("button", name="Nothing lay there").tap()
    expect(editor.locator("#correct-problem")).to_have_text("there must be more pieces than that")
    expect(editor.locator("#correct-keep")).to_be_disabled()


def test_what_another_device_decided_is_told(match: Page, desk: FakeDesk) -> None:
    done = Undoable(seq=77, words="Waived QS-2.3 — Marta’s tablet (referee)")
    desk.push(lambda view: replace(view, undoable=(*view.undoable, done)))
    told = match.locator('.tap[data-state="told"]')
    expect(told).to_contain_text("Marta’s tablet (referee)")
    expect(told).to_contain_text("Decided on another device")


def test_the_menu_chooses_light_and_tells_whether_the_screen_stays_on(match: Page) -> None:
    match.locator("#menu").tap()
    assert Axe().run(match, context="dialog[open]").response["violations"] == []
    match.get_by_role("button", name="Light or dark").tap()
    expect(match.locator("html")).to_have_attribute("data-theme", "light")
    expect(match.locator("#awake")).to_contain_text("screen")
    match.get_by_role("button", name="Light or dark").tap()


@pytest.fixture
def visit(devices: Devices, address: Address) -> Iterator[Callable[[str], Page]]:
    pages = []

    def go(role: str) -> Page:
        page = devices.open(PHONE if role == "viewer" else TABLET)
        watch = PageWatch(page)
        pages.append((page, watch))
        page.goto(address.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        page.evaluate(f"document.body.dataset.role = '{role}'")
        return page

    yield go
    for page, watch in pages:
        page.close()
        watch.check()


def test_a_viewer_is_offered_nothing_to_decide(visit: Callable[[str], Page]) -> None:
    page = visit("viewer")
    for words in ("Overrule QS-8a.4", "Correct what was seen at 05:01", "Miscue Anna"):
        expect(page.get_by_role("button", name=words)).to_have_count(0)


def test_a_scorer_may_announce_and_not_decide(visit: Callable[[str], Page]) -> None:
    page = visit("scorer")
    expect(page.get_by_role("button", name="Miscue Anna")).to_be_visible()
    expect(page.get_by_role("button", name="Overrule QS-8a.4")).to_have_count(0)


def test_each_ruling_is_spoken_once_where_that_is_wanted(
    page: Page, address: Address, desk: FakeDesk
) -> None:
    page.add_init_script(
        "window.said = []; speechSynthesis.speak = (words) => window.said.push(words.text);"
    )
    page.goto(address.url)
    expect(page.locator("#link")).to_have_attribute("data-state", "live")
    desk.rule(Ruling(code="QS-2.3", words="Nobody has asked to hear this."))
    expect(page.locator("#spoken")).to_have_text("Nobody has asked to hear this.")
    page.locator("#menu").tap()
    page.get_by_role("button", name="Speak the rulings").tap()
    desk.rule(Ruling(code="QS-2.2", words="Anna pocketed a black puck."))
    desk.push(lambda view: replace(view, now_ms=view.now_ms + 1000))
    expect(page.locator("#spoken")).to_have_text("Anna pocketed a black puck.")
    assert page.evaluate("window.said") == [
        "Rulings are spoken from now on.",
        "Anna pocketed a black puck.",
    ]
