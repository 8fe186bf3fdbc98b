"""Putting right what was seen on a lattice, in a real browser: pegs and sticks go elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from testkit.fake_desk import FakeDesk
from testkit.played_match import desk_of, played

from rules.decisions import Amend
from rules.facts import Batch, Emptied, Filled
from sightline.review.study import MatchStudy
from sightline.serving.serve import serving
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.matches import Evening

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pegs() -> Evening:
    return played(PegAgreement(), seed=2, most_s=40)


@pytest.fixture(scope="module")
def sticks() -> Evening:
    return played(StickAgreement(), seed=2, most_s=40)


@contextmanager
def editing(page: Page, evening: Evening, desk: FakeDesk, seq: int) -> Iterator[Locator]:
    entries = evening.referee.fold.entries
    study = MatchStudy(evening.referee.game, evening.setup, entries)
    with serving(desk, port=0, max_streams=2, beat_s=0.2, study=study) as address:
        page.goto(f"{address.url}#correct={seq}")
        sheet = page.locator("#sheet-correct")
        expect(sheet.get_by_role("button", name="The board")).to_have_attribute(
            "aria-pressed", "true"
        )
        yield sheet


def last_of(evening: Evening, wanted: Callable[[Filled], bool]) -> tuple[int, Filled]:
    """The last entry by which such a thing came onto the board."""
    return next(
        (entry.seq, entry.body)
        for entry in reversed(evening.referee.fold.entries)
        if isinstance(entry.body, Filled) and wanted(entry.body)
    )


def kept(sheet: Locator, desk: FakeDesk) -> Amend:
    expect(sheet.locator("#correct-effects")).not_to_be_empty()
    button = sheet.locator("#correct-keep")
    expect(button).to_be_enabled()
    expect(button).to_be_in_viewport()
    button.tap()
    tray = sheet.page.locator("#tray")
    expect(tray).to_contain_text("Correct the board")
    expect(tray.get_by_role("button", name="Undo")).to_be_visible()  # it is kept
    [(decision, _, _)] = desk.decided
    assert isinstance(decision, Amend)
    return decision


def test_a_peg_was_put_into_the_hole_beside(page: Page, pegs: Evening) -> None:
    seq, peg = last_of(pegs, lambda fact: True)
    desk = desk_of(pegs)
    with editing(page, pegs, desk, seq) as sheet:
        picked = sheet.locator(".edit-piece.is-picked")
        expect(picked).to_have_attribute("data-name", peg.place)
        assert Axe().run(page, context="dialog[open]").response["violations"] == []
        beside = sheet.locator(".runners .button").first
        name = beside.inner_text()
        beside.tap()
        expect(sheet.locator(".picked-name")).to_contain_text(name)
        amend = kept(sheet, desk)
    assert amend.seq == seq
    assert isinstance(amend.fact, Filled)
    assert amend.fact.place != peg.place
    assert (amend.fact.kind, amend.fact.colour) == (peg.kind, peg.colour)


def test_a_peg_that_never_came_is_struck_out(page: Page, pegs: Evening) -> None:
    seq, _ = last_of(pegs, lambda fact: True)
    desk = desk_of(pegs)
    with editing(page, pegs, desk, seq) as sheet:
        sheet.get_by_role("button", name="Nothing lay there").tap()
        amend = kept(sheet, desk)
    assert (amend.seq, amend.fact) == (seq, None)


def test_another_peg_went_meanwhile(page: Page, pegs: Evening) -> None:
    """What stood there before is chosen by keyboard from the list of pieces."""
    seq, peg = last_of(pegs, lambda fact: True)
    desk = desk_of(pegs)
    older = next(piece.name for piece in desk.view().pieces if piece.name != peg.place)
    with editing(page, pegs, desk, seq) as sheet:
        sheet.get_by_label("Piece", exact=True).select_option(older)
        sheet.get_by_role("button", name="Nothing lay there").tap()
        amend = kept(sheet, desk)
    assert isinstance(amend.fact, Batch)
    came, went = amend.fact.facts
    assert (came, amend.fact.ordered) == (peg, True)
    assert isinstance(went, Emptied)
    assert went.place == older


def test_a_stick_is_dragged_to_the_next_groove(page: Page, sticks: Evening) -> None:
    seq, stick = last_of(sticks, lambda fact: fact.kind == "stick")
    desk = desk_of(sticks)
    with editing(page, sticks, desk, seq) as sheet:
        box = sheet.locator(".edit-piece.is-picked use").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        pitch = max(box["width"], box["height"]) * 40 / 36
        step = pitch if x < page.viewport_size["width"] / 4 else -pitch
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + step, y + 3, steps=4)
        page.mouse.up()
        amend = kept(sheet, desk)
    assert isinstance(amend.fact, Filled)
    (way, col, row), (was, before, level) = map(parts, (amend.fact.place, stick.place))
    assert (way, abs(col - before), row) == (was, 1, level)


def test_what_was_missed_is_put_onto_an_empty_place(page: Page, sticks: Evening) -> None:
    seq, stick = last_of(sticks, lambda fact: fact.kind == "stick")
    desk = desk_of(sticks)
    with editing(page, sticks, desk, seq) as sheet:
        sheet.get_by_label("Add a piece", exact=True).select_option("cells:4,4")
        sheet.get_by_role("button", name="red blocker").tap()
        amend = kept(sheet, desk)
    assert isinstance(amend.fact, Batch)
    assert amend.fact.facts[0] == stick
    blocker = amend.fact.facts[1]
    assert isinstance(blocker, Filled)
    assert (blocker.place, blocker.kind, blocker.colour) == ("cells:4,4", "blocker", "red")


def test_facts_are_told_by_the_names_of_their_places(page: Page, sticks: Evening) -> None:
    seq, _ = last_of(sticks, lambda fact: fact.kind == "stick")
    with editing(page, sticks, desk_of(sticks), seq) as sheet:
        sheet.get_by_role("button", name="What happened").tap()
        asked = sheet.locator(".fact.is-asked")
        expect(asked).to_be_in_viewport()
        expect(asked).to_contain_text("natural stick came onto")
        expect(sheet.locator(".fact-list")).not_to_contain_text("edges:")


def parts(place: str) -> tuple[str, int, int]:
    head, _, pair = place.rpartition(":")
    col, row = pair.split(",")
    return head, int(col), int(row)
