"""The pages of the further games in a real browser: what players look for on each of them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect
from testkit.fake_desk import FakeDesk
from testkit.played_match import desk_of, played, played_with

from rules.rulings import Ruling, Timer
from sightline.serving.serve import serving
from sightline.simulated.carrom.players import FingerAgreement
from sightline.simulated.lattice.gridiron import FieldAgreement
from sightline.simulated.lattice.pegs import PegAgreement
from sightline.simulated.lattice.sticks import StickAgreement
from sightline.simulated.matches import Evening
from web.desk import View

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pegs() -> Evening:
    return played_with(PegAgreement(target=2), "KING", "FOUL peg-moved")


@pytest.fixture(scope="module")
def sticks() -> Evening:
    return played(StickAgreement(), seed=2, most_s=320)


@pytest.fixture(scope="module")
def field() -> Evening:
    return played_with(FieldAgreement(), "CATCH", "PUSH-DUE", first=3)


@contextmanager
def shown(page: Page, desk: FakeDesk) -> Iterator[Page]:
    with serving(desk, port=0, max_streams=2, beat_s=0.2) as address:
        page.goto(address.url)
        expect(page.locator("#link")).to_have_attribute("data-state", "live")
        yield page


def says(call: str) -> Callable[[Ruling], bool]:
    def is_it(ruling: Ruling) -> bool:
        return ruling.call.startswith(call)

    return is_it


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_king_square_shows_pegs_in_their_holes_and_the_completed_square(
    page: Page, pegs: Evening
) -> None:
    desk = desk_of(pegs, says("KING"))
    with shown(page, desk):
        pieces = desk.view().pieces
        assert len(pieces) > 6
        expect(page.locator(".piece")).to_have_count(len(pieces))
        for piece in pieces[:3]:
            hole = middle(page, f'.place[data-place="{piece.name}"]')
            assert middle(page, f'.piece[data-name="{piece.name}"] use') == pytest.approx(
                hole, abs=1.5
            )
        square = page.locator(".mark-square .mark-line")
        expect(square).to_have_count(1)
        corners = (square.get_attribute("points") or "").split(" ")
        assert len(corners) == 4
        winner = next(
            side for side in desk.view().scoreboard.sides if ("King-Squares", "1") in side.items
        )
        expect(page.locator(f'.score[data-side="{winner.side}"]')).to_contain_text("King-Squares1")
        expect(page.locator("#todo")).to_contain_text(f"Take out the {len(pieces)} pegs")


def test_king_square_shows_where_a_peg_must_come_back(page: Page, pegs: Evening) -> None:
    desk = desk_of(pegs, says("FOUL peg-moved"))
    with shown(page, desk):
        [task] = desk.view().scoreboard.tasks
        expect(page.locator(".target")).to_have_count(1)
        hole = middle(page, f'.place[data-place="{task.place}"]')
        assert middle(page, ".target .target-ring") == pytest.approx(hole, abs=1.5)


def test_squarin_off_shows_sticks_owners_and_points(page: Page, sticks: Evening) -> None:
    desk = desk_of(sticks)
    view = desk.view()
    with shown(page, desk):
        upright = next(p for p in view.pieces if p.name.startswith("edges:v"))
        flat = next(p for p in view.pieces if p.name.startswith("edges:h"))
        for piece, is_tall in ((upright, True), (flat, False)):
            box = page.locator(f'.piece[data-name="{piece.name}"] use').bounding_box()
            assert box is not None
            assert (box["height"] > 3 * box["width"]) == is_tall
            assert (box["width"] > 3 * box["height"]) != is_tall
        owned = [mark for mark in view.scoreboard.marks if mark.kind == "owned"]
        assert len(owned) > 20
        expect(page.locator(".mark-owned")).to_have_count(len(owned))
        cell = page.locator(f'.mark-owned[data-place="{owned[0].places[0]}"]')
        expect(cell.locator(".mark-label")).to_have_text(owned[0].label)
        strokes = {
            page.locator(f'.mark-owned[data-side="{side.side}"] .mark-area').first.get_attribute(
                "stroke-dasharray"
            )
            for side in view.scoreboard.sides
        }
        assert len(strokes) == 2, "owners are told apart without colours, too"
        for side in view.scoreboard.sides:
            points = dict(side.items)["points"]
            expect(page.locator(f'.score[data-side="{side.side}"]')).to_contain_text(points)


def test_squarin_off_shows_which_stick_was_the_last(page: Page, sticks: Evening) -> None:
    desk = desk_of(sticks)
    [last] = [mark for mark in desk.view().scoreboard.marks if mark.kind == "last"]
    with shown(page, desk):
        mark = page.locator(".mark-last")
        expect(mark).to_have_count(1)
        expect(mark.locator("title")).to_have_text(last.words)
        stick = middle(page, f'.piece[data-name="{last.places[0]}"] use')
        assert middle(page, ".mark-last .mark-ring") == pytest.approx(stick, abs=1.5)
        outline = mark.locator(".mark-ring").bounding_box()
        assert outline is not None
        upright = last.places[0].startswith("edges:v")
        assert (outline["height"] > 2 * outline["width"]) == upright


def test_squarin_off_marks_who_is_on_turn_at_the_board(page: Page, sticks: Evening) -> None:
    desk = desk_of(sticks)
    seat = desk.view().scoreboard.seat
    with shown(page, desk):
        expect(page.locator(".seat.is-turn")).to_have_attribute("data-seat", str(seat))


def test_quarterback_names_its_rows_and_shows_the_ball(page: Page, field: Evening) -> None:
    desk = desk_of(field, says("CATCH"))
    with shown(page, desk):
        rows = page.locator(".coordinate[data-row]")
        wanted = ["u3", "u2", "u1", *map(str, range(13))]
        expect(rows).to_have_text(wanted)
        ball = next(mark for mark in desk.view().scoreboard.marks if mark.kind == "ball")
        token = page.locator(".token-ball")
        expect(token).to_have_attribute("data-place", ball.places[0])
        expect(token.locator("title")).to_have_text(ball.words)
        carrier = middle(page, f'.piece[data-name="{ball.places[0]}"] use')
        x, y = middle(page, ".token-ball .token-body")
        assert x > carrier[0]
        assert y < carrier[1], "at the carrier's upper right"
        expect(page.locator('.say-list >> text="End the turn"')).to_have_count(1)


def test_quarterback_shows_a_push_that_is_due(page: Page, field: Evening) -> None:
    desk = desk_of(field, says("PUSH-DUE"))
    with shown(page, desk):
        expect(page.locator("#headline")).to_have_text("Please carry out the push.")
        expect(page.locator(".target")).to_have_count(len(desk.view().scoreboard.tasks))


def test_carrom_shows_each_players_border_the_score_and_the_time_left(page: Page) -> None:
    evening = played(FingerAgreement(options=(("game", "single_board"),)), seed=3, most_s=60)
    desk = desk_of(evening)
    view = desk.view()
    timer = view.scoreboard.timer
    assert timer is not None
    with shown(page, desk):
        expect(page.locator("#timer")).to_have_text(re.compile(r"^3[34]:\d\d left$"))
        desk.push(lambda view: with_timer(view, replace(timer, running=False, left_ms=59_000)))
        expect(page.locator("#timer")).to_have_text("00:59 left, stopped")
        expect(page.locator("#timer")).to_have_class(re.compile("is-short"))
        for player in view.players:
            border = page.locator(f'.seat[data-seat="{player.seat}"]')
            expect(border).to_contain_text(player.name)
        for side in view.scoreboard.sides:
            card = page.locator(f'.score[data-side="{side.side}"]')
            expect(card).to_contain_text(side.name)
            expect(card).to_contain_text(f"points{dict(side.items)['points']}")
        expect(page.locator(".piece")).to_have_count(len(view.pieces))
        expect(page.locator("#table-count")).to_contain_text("carrommen")
        desk.push(lambda view: with_timer(view, None))
        expect(page.locator("#timer")).to_be_hidden()


def with_timer(view: View, timer: Timer | None) -> View:
    return replace(view, scoreboard=replace(view.scoreboard, timer=timer))
