"""Health for supervisors, for Prometheus and for people."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from testkit.fake_desk import FakeDesk
from testkit.sample_match import question_ruling, sample_desk

from sightline.serving.serve import Address, serving
from web import create_app
from web.desk import Sight
from web.wellbeing import Finding, Level

DISK = Finding(level=Level.GOOD, about="Disk", words="80 GB free")
FULL = Finding(level=Level.BAD, about="Disk", words="0.1 GB free", remedy="Make room.")


class Machine:
    """A wellbeing whose disk can run full."""

    disk = DISK

    def findings(self) -> list[Finding]:
        return [self.disk]

    def numbers(self) -> dict[str, float]:
        return {"disk_free_bytes": 8192.0}


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def desk() -> FakeDesk:
    return sample_desk()


@pytest.fixture
def client(desk: FakeDesk, machine: Machine) -> FlaskClient:
    return create_app(desk, wellbeing=machine, max_streams=2).test_client()


def go_blind(desk: FakeDesk) -> None:
    words = "Sightline cannot see the table: the lens is covered."
    desk.push(lambda view: replace(view, sight=Sight.BLIND, sight_words=words))


def test_it_is_ready_as_long_as_nothing_is_bad(
    client: FlaskClient, desk: FakeDesk, machine: Machine
) -> None:
    assert (client.get("/readyz").status_code, client.get("/readyz").json["ready"]) == (200, True)
    machine.disk = FULL
    assert client.get("/readyz").status_code == 503
    assert client.get("/readyz").json["wrong"] == ["Disk: 0.1 GB free"]
    machine.disk = DISK
    go_blind(desk)
    assert client.get("/readyz").json["wrong"][0].startswith("Sight: Sightline cannot see")
    assert client.get("/healthz").status_code == 200


def test_metrics_are_what_prometheus_reads(client: FlaskClient, desk: FakeDesk) -> None:
    desk.rule(question_ruling())
    answer = client.get("/metrics")
    assert answer.content_type.startswith("text/plain; version=0.0.4")
    lines = set(answer.text.splitlines())
    assert {
        "sightline_open_questions 1.0",
        "sightline_rulings 6.0",
        "sightline_disk_free_bytes 8192.0",
        'sightline_sight{state="still"} 1.0',
        'sightline_sight{state="blind"} 0.0',
        "sightline_event_streams_limit 2.0",
    } <= lines


def test_streams_that_are_all_in_use_are_to_be_looked_at(desk: FakeDesk) -> None:
    client = create_app(desk, max_streams=0).test_client()
    (pages,) = (f for f in client.get("/health.json").json["findings"] if f["about"] == "Pages")
    assert pages["level"] == "warning"
    assert pages["remedy"]


@pytest.mark.parametrize(("since_s", "level"), [(29, "good"), (30, "warning")])
def test_what_stays_over_the_table_is_to_be_looked_at(
    client: FlaskClient, desk: FakeDesk, since_s: int, level: str
) -> None:
    since_ms = desk.view().now_ms
    desk.push(
        lambda view: replace(
            view,
            sight=Sight.HAND,
            sight_words="A hand is over the table.",
            sight_since_ms=since_ms,
            now_ms=since_ms + 1000.0 * since_s,
        )
    )
    (sight,) = (f for f in client.get("/health.json").json["findings"] if f["about"] == "Sight")
    assert sight["level"] == level
    assert ("set it up again" in sight["remedy"]) == (level == "warning")


@pytest.fixture
def address(desk: FakeDesk, machine: Machine) -> Iterator[Address]:
    with serving(desk, port=0, max_streams=2, beat_s=0.2, wellbeing=machine) as address:
        yield address


@pytest.mark.browser
def test_the_page_says_in_words_what_is_wrong_and_what_to_do(
    page: Page, address: Address, desk: FakeDesk, machine: Machine
) -> None:
    page.goto(address.url + "health")
    expect(page.locator("#health-summary")).to_have_text("All is well.")
    machine.disk = FULL
    go_blind(desk)
    expect(page.locator("#health-summary")).to_have_text("To look at: 2")
    expect(page.locator('.finding[data-level="bad"]')).to_have_count(2)
    expect(page.locator(".findings")).to_contain_text("Make room.")
    assert Axe().run(page).response["violations"] == []
