"""A match of the log with its rulings, taken up where it stood when the log has grown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.played import NAME, play

from rules.decisions import Decision, Withdraw
from rules.facts import Declared, Fact
from sightline.match_log.archive import filed, filed_on
from sightline.match_log.log import Draft, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with play(tmp_path / "matches.db", video=False) as store:
        yield store


@pytest.mark.parametrize(
    "more",
    [
        (),
        (Declared(at_ms=20_000, what="pause"), Declared(at_ms=21_000, what="resume")),
        ("withdraw",),
        (Declared(at_ms=20_000, what="pause"), "withdraw"),
    ],
    ids=["nothing", "facts", "a decision on an early entry", "both"],
)
def test_what_has_come_since_is_judged_as_if_all_were_judged_anew(
    store: Store, more: tuple[Fact | str, ...]
) -> None:
    before = filed(store, NAME)
    overruled = before.entries[-1].seq

    def body(each: Fact | str) -> Fact | Decision:
        return Withdraw(seq=overruled) if isinstance(each, str) else each

    with store.open(NAME) as log:
        log.append([Draft(at_ms=20_000.0 + n, body=body(each)) for n, each in enumerate(more)])
    found, anew = filed_on(store, before), filed(store, NAME)
    assert found.entries == anew.entries
    assert found.record.steps == anew.record.steps
    assert found.record.to_review == anew.record.to_review
    assert before.record.steps == before.fold.record().steps, "what was filed stays as it was"


def test_the_log_can_be_read_from_an_entry_on(store: Store) -> None:
    _, entries = store.read(NAME)
    assert store.read(NAME, after=5)[1] == entries[5:]
    assert store.read(NAME, after=len(entries))[1] == ()
