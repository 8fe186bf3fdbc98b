"""The match log: what was acknowledged is there, what is no log is refused, one process writes."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from testkit import strategies
from testkit.exploring import examples
from testkit.logs import PASS, POCKETED, SETUP, lying

from rules.decisions import Amend
from rules.game import Entry, Setup
from sightline.match_log.log import Draft, MatchHeader, Store
from sightline.match_log.log_file import (
    LogBusy,
    LogDamaged,
    LogError,
    LogNewer,
    LogUnwritable,
    NoSuchMatch,
)

HEADER = MatchHeader(
    name="final", setup=SETUP, started="2026-11-21T15:00:00+00:00", edition="1", table="/table"
)


def drafts(*bodies: object) -> list[Draft]:
    return [Draft(at_ms=10.5 * n, body=body) for n, body in enumerate(bodies)]  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "matches.db"


def test_what_is_appended_is_there_when_the_log_is_opened_again(path: Path) -> None:
    with Store(path) as store, store.create(HEADER) as log:
        first = log.append(drafts(POCKETED, PASS))
        second = log.append(
            [Draft(at_ms=50, body=Amend(seq=1, fact=None), evidence=("a.jpg",), tap="tap-1")]
        )
        assert [entry.seq for entry in (*first, *second)] == [1, 2, 3]
    with Store(path) as store, store.open("final") as log:
        assert log.header == HEADER
        assert log.entries == (*first, *second)
        assert log.tapped("tap-1") == 3
        assert log.tapped("tap-2") is None
        assert log.append(drafts(lying(3)))[0].seq == 4
        assert store.read("final")[1] == (
            *log.entries,
            Entry(seq=4, at_ms=0, body=lying(3)),
        )


@given(
    bodies=st.lists(strategies.facts() | strategies.decisions(), max_size=4),
    setup=strategies.setups(),
)
@settings(
    max_examples=examples(15),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_value_comes_back_from_the_log_as_it_was(
    path: Path, bodies: list[object], setup: Setup
) -> None:
    with Store(path) as store:
        name = str(len(store.matches()))
        with store.create(replace(HEADER, name=name, setup=setup)) as log:
            entries = log.append(drafts(*bodies))
        assert store.read(name) == (replace(HEADER, name=name, setup=setup), entries)


def test_only_one_writes_a_match_and_any_number_read_it(path: Path) -> None:
    with Store(path) as store, store.create(HEADER) as log, Store(path) as other:
        with pytest.raises(LogBusy, match="being refereed by another Sightline"):
            other.open("final")
        log.append(drafts(POCKETED))
        assert len(other.read("final")[1]) == 1
        with other.create(replace(HEADER, name="another")) as another:
            assert another.append(drafts(PASS))[0].seq == 1
        log.close()
        with other.open("final") as reopened:
            assert reopened.entries[0].body == POCKETED


def test_matches_are_listed_the_newest_first(path: Path) -> None:
    with Store(path) as store:
        store.create(HEADER).append(drafts(POCKETED, PASS))
        store.create(replace(HEADER, name="next")).close()
        lengths = {m.name: m.entries for m in store.matches()}
        assert {name: store.length(name) for name in (*lengths, "nobody's")} == {
            **lengths,
            "nobody's": 0,
        }
        assert [(m.name, m.game, m.entries, m.last_at_ms) for m in store.matches()] == [
            ("next", "toy", 0, 0.0),
            ("final", "toy", 2, 10.5),
        ]


def test_a_name_is_taken_once_and_an_unknown_one_is_refused(path: Path) -> None:
    with Store(path) as store:
        store.create(HEADER).close()
        with pytest.raises(NoSuchMatch, match="already"):
            store.create(HEADER)
        with pytest.raises(NoSuchMatch, match="sightline matches"):
            store.read("semifinal")
        with pytest.raises(NoSuchMatch):
            store.open("semifinal")


def test_a_log_that_must_exist_is_not_made(path: Path) -> None:
    with pytest.raises(LogError, match="no match log here; give its place with --db"):
        Store(path, must_exist=True)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0", b"\0" * 4096])
def test_a_file_that_is_no_log_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(LogDamaged, match="not a match log"):
        Store(path)
    assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(LogDamaged, match="a database, but not a match log"):
        Store(path)
    assert path.read_bytes() == before


def test_a_log_from_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version=2")
        newer.execute("UPDATE log_schema SET version=2")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(LogNewer, match="install a newer Sightline"):
        Store(path)
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ("DELETE FROM entry WHERE seq=2", LogDamaged, "entry 2 is missing"),
        ("UPDATE entry SET body='{' WHERE seq=2", LogDamaged, "entry 2 cannot be read"),
        (
            'UPDATE entry SET body=\'{"fact":"placed","at_ms":1}\' WHERE seq=3',
            LogDamaged,
            "entry 3 cannot be read .piece: missing",
        ),
        ("UPDATE match SET setup='{}'", LogDamaged, "its setup cannot be read .game: missing"),
        ("UPDATE match SET version=2", LogNewer, "install a newer Sightline"),
        ("DROP TABLE entry", LogDamaged, "cannot be read as a match log"),
    ],
)
def test_damage_inside_a_log_is_named(
    path: Path, change: str, error: type[Exception], said: str
) -> None:
    with Store(path) as store, store.create(HEADER) as log:
        log.append(drafts(POCKETED, PASS, POCKETED))
    with sqlite3.connect(path) as damaging:
        damaging.execute(change)
    damaging.close()
    with Store(path) as store, pytest.raises(error, match=said):
        store.read("final")


def test_a_disk_that_refuses_loses_nothing_and_the_same_drafts_go_in_later(path: Path) -> None:
    with Store(path) as store, store.create(HEADER) as log:
        log.append(drafts(POCKETED))
        blocking = sqlite3.connect(path, isolation_level=None)
        blocking.execute("PRAGMA max_page_count=1")
        blocking.execute("BEGIN IMMEDIATE")
        with store._engine.connect() as connection:
            connection.connection.execute("PRAGMA busy_timeout=1")  # type: ignore[attr-defined]
        with pytest.raises(LogUnwritable, match="cannot be written"):
            log.append(drafts(PASS, POCKETED))
        blocking.execute("ROLLBACK")
        blocking.close()
        assert [entry.seq for entry in log.append(drafts(PASS, POCKETED))] == [2, 3]
        assert [entry.body for entry in store.read("final")[1]] == [POCKETED, PASS, POCKETED]


def test_what_reached_the_disk_although_it_was_refused_is_not_written_twice(path: Path) -> None:
    with Store(path) as store, store.create(HEADER) as log:
        log.append(drafts(POCKETED))
        log._last = 0
        assert log.append(drafts(POCKETED))[0].seq == 1
        log._last = 0
        with pytest.raises(LogDamaged, match="another process"):
            log.append(drafts(PASS))


def test_evidence_is_kept_by_name_and_shown_only_whole(path: Path) -> None:
    with Store(path) as store, store.create(HEADER) as log:
        name = log.evidence.put(b"a picture")
        assert log.evidence.put(b"a picture") == name
        assert log.evidence.get(name) == b"a picture"
        assert store.evidence("final").get(name) == b"a picture"
        file = next(path.parent.rglob(name))
        file.write_bytes(b"half a pict")
        assert log.evidence.get(name) is None
        for wrong in ("../" + name, "lock", "", name.upper()):
            assert log.evidence.get(wrong) is None
