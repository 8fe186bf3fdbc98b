"""The review room by itself: an ended match on the pages, and nothing to be decided there."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from testkit.played import NAME, play

from rules.decisions import Withdraw
from rules.facts import Declared
from sightline.match_log.archive import filed
from sightline.match_log.log import Store
from sightline.review.library import LogLibrary
from sightline.review.room_desk import RoomDesk
from web import create_app
from web.desk import Desk, Sight


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with play(tmp_path / "matches.db", video=False) as store:
        yield store


@pytest.fixture
def desk(store: Store) -> Desk:
    return RoomDesk(filed(store, None), store.evidence(NAME))


def test_it_shows_how_the_match_ended_and_that_nobody_watches(desk: Desk) -> None:
    view = desk.view()
    assert view.outcome is not None
    assert view.sight is Sight.BLIND
    assert "no camera is watched" in view.sight_words
    assert len(view.rulings) > 40
    assert view.scoreboard.announcements == view.scoreboard.tasks == view.undoable == ()
    assert desk.wait(view.version - 1, 0.0) == view
    assert desk.wait(view.version, 0.0) is None
    assert desk.live() is None


def test_its_pages_open_and_lead_to_the_room(desk: Desk, store: Store) -> None:
    client = create_app(desk, library=LogLibrary(store)).test_client()
    for path in ("/", "/scoreboard", "/review/", "/clauses"):
        assert client.get(path).status_code == 200
    name = next(name for ruled in desk.view().rulings for name in ruled.evidence)
    assert client.get(f"/evidence/{name}").mimetype == "image/jpeg"


def test_what_is_tapped_there_is_refused_with_where_to_do_it(desk: Desk) -> None:
    with pytest.raises(ValueError, match="in the review room"):
        desk.decide(Withdraw(seq=1), seen=1, key="key-0001")
    with pytest.raises(ValueError, match="in the review room"):
        desk.declare(Declared(at_ms=0, what="pause"), seen=1, key="key-0002")
