"""Which match a watch goes on with, and how a new one begins."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rules.facts import Declared
from rules.game import Game, Setup
from rules.registry import find_game
from sightline.complaint import Complaint
from sightline.games import built_in_board
from sightline.match_log.log import Draft, MatchLog, Store
from sightline.match_log.log_file import LogBusy
from sightline.match_log.taking_up import Place, begin, unfinished

GAME = find_game("qsquare")
SETUP = Setup(game="qsquare", board=built_in_board("qsquare"))


def open_log(store: Store, game: Game[Any], setup: Setup, table: Path, place: Place) -> MatchLog:
    """As a watch does: go on with a match, or begin one."""
    return unfinished(store, game, table, place) or begin(store, game, setup, table, place)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "oak"
    folder.mkdir()
    return folder


def test_an_interrupted_match_of_this_table_is_gone_on_with(
    db: Path, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store(db) as store:
        with open_log(store, GAME, SETUP, table, Place(db=db)) as log:
            log.append([Draft(at_ms=1, body=Declared(at_ms=1, what="agreed"))])
            first = log.header.name
        with open_log(store, GAME, SETUP, table, Place(db=db)) as log:
            assert log.header.name == first
            assert len(log.entries) == 1
    assert f"going on with {first!r} (1 entries)" in capsys.readouterr().err


def test_another_table_or_the_wish_for_a_new_match_begins_one(
    db: Path, table: Path, tmp_path: Path
) -> None:
    with Store(db) as store:
        names = []
        for folder, new in [(table, False), (tmp_path, False), (table, True)]:
            with open_log(store, GAME, SETUP, folder, Place(db=db, new=new)) as log:
                names.append(log.header.name)
        assert len(set(names)) == 3
        assert store.read(names[0])[0].table == str(table)


def test_a_match_that_is_running_elsewhere_is_left_alone(db: Path, table: Path) -> None:
    with Store(db) as store, open_log(store, GAME, SETUP, table, Place(db=db)) as running:
        with open_log(store, GAME, SETUP, table, Place(db=db)) as log:
            assert log.header.name != running.header.name
        with pytest.raises(LogBusy):
            open_log(store, GAME, SETUP, table, Place(db=db, name=running.header.name))


def test_a_match_is_begun_or_gone_on_with_by_its_name(db: Path, table: Path) -> None:
    with Store(db) as store:
        place = Place(db=db, name="final")
        open_log(store, GAME, SETUP, table, place).close()
        with open_log(store, GAME, replace(SETUP, options={"best_of": "3"}), table, place) as log:
            assert log.header.setup == SETUP
        with pytest.raises(Complaint, match="already"):
            open_log(store, GAME, SETUP, table, replace(place, new=True))
        with pytest.raises(Complaint, match="is one of qsquare, not of king_square"):
            open_log(store, find_game("king_square"), SETUP, table, place)


def test_a_setup_that_the_game_refuses_begins_no_match(db: Path, table: Path) -> None:
    with Store(db) as store:
        refused = replace(SETUP, options={"best_of": "2"})
        with pytest.raises(Complaint, match="best_of"):
            open_log(store, GAME, refused, table, Place(db=db))
        assert store.matches() == ()
