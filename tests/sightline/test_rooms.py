"""The rooms of a running match: fed by match and camera, handed to the pages."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from testkit.clock import ManualClock
from testkit.film import Film
from testkit.numbered_frames import numbered
from testkit.played import TABLE

from calibration.table import load_table
from rules.facts import Declared, HandEntered
from rules.game import Setup
from rules.registry import find_game
from sightline.match_log.log import MatchHeader, Store
from sightline.review import recording
from sightline.review.footage import Footage
from sightline.review.recording import STOP_BELOW_BYTES
from sightline.rooms import Rooms
from sightline.running.match import Match, Seen
from vision.frame import Frame
from vision.sources import Ended, Event
from web.library import Library
from web.saying import translated
from web.wellbeing import Wellbeing


def film_of(count: int) -> Film:
    """Return so many numbered frames, then the end."""
    return Film([*(numbered(number) for number in range(count)), Ended(at_ms=0, frames=count)])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.db") as store:
        yield store


@pytest.mark.parametrize("video", [True, False])
def test_a_match_is_studied_recorded_and_can_be_reviewed_while_it_runs(
    store: Store, video: bool
) -> None:
    table = load_table(TABLE)
    game = find_game("qsquare")
    setup = Setup(game="qsquare", board=table.measured_board())
    log = store.create(
        MatchHeader(name="m", setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE))
    )
    rooms = Rooms(store, log, game, table, video=video)
    with ExitStack() as stack:
        match = stack.enter_context(
            Match(log, game, clock=ManualClock(), listeners=rooms.listeners)
        )
        source = film_of(40)
        rooms.overhear(source)
        with ExitStack() as opened:
            found = rooms.open(opened, match, lambda: 1000.0)
            assert len([frame for frame in source if isinstance(frame, Frame)]) == 40
            match.take(
                (
                    Seen(fact=Declared(at_ms=1, what="lot", side="S")),
                    Seen(fact=HandEntered(at_ms=2)),
                )
            )
            match.sync()
        wellbeing: Wellbeing = found["wellbeing"]
        library: Library = found["library"]
        assert [f.about for f in wellbeing.findings()] == [
            "Camera",
            *(["Recording"] if video else []),
            "Match log",
            "Disk",
        ]
        assert found["study"].moment(1).facts[0].words == "S said: lot"
        shelf = library.shelf("m")
        assert (shelf.running, shelf.changed) == (True, ())
        assert shelf.rulings
        assert len(shelf.stills_ms) == (40 if video else 0)
        if video:
            assert shelf.stills_ms[0] == pytest.approx(1000.0)
    assert bool(Footage(log.evidence.folder / "video").stills) == video


def test_a_full_disk_stops_the_video_first_and_the_page_says_so_until_there_is_room(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log goes on all the while; recording begins again by itself."""
    free = [STOP_BELOW_BYTES - 1]
    monkeypatch.setattr(recording.shutil, "disk_usage", lambda path: SimpleNamespace(free=free[0]))
    monkeypatch.setattr(recording, "_LOOK_EVERY_S", 0.0)
    table, game = load_table(TABLE), find_game("qsquare")
    setup = Setup(game="qsquare", board=table.measured_board())
    log = store.create(
        MatchHeader(name="m", setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE))
    )
    rooms = Rooms(store, log, game, table, video=True)
    with ExitStack() as stack:
        match = stack.enter_context(
            Match(log, game, clock=ManualClock(), listeners=rooms.listeners)
        )
        rooms.open(stack, match, lambda: 0.0)
        source = film_of(4000)
        rooms.overhear(source)
        film = iter(source)
        next(film), next(film)
        [told] = warned(match, film, lambda warnings: warnings != ())
        assert told.startswith("Recording has stopped: only 1.1 GB are free. Rulings go on")
        assert translated([told], "de") != [told]
        match.take((Seen(fact=Declared(at_ms=1, what="lot", side="S")),))
        match.sync()
        assert len(store.read("m")[1]) == 1
        assert Footage(log.evidence.folder / "video").stills == ()
        free[0] = 10**12
        assert warned(match, film, lambda warnings: warnings == ()) == ()
    assert Footage(log.evidence.folder / "video").stills


def warned(
    match: Match, film: Iterator[Event], wanted: Callable[[tuple[str, ...]], bool]
) -> tuple[str, ...]:
    """Let the film go on until the page tells what is wanted; what it tells."""
    for _ in range(1900):
        next(film)
        match.sync()
        if wanted(match.view().warnings):
            break
    return match.view().warnings


def test_what_was_disputed_before_a_restart_is_kept_before_anything_is_deleted(
    store: Store,
) -> None:
    asked: list[str] = []
    table, game = load_table(TABLE), find_game("qsquare")
    setup = Setup(game="qsquare", board=table.measured_board())
    log = store.create(
        MatchHeader(name="m", setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE))
    )
    rooms = Rooms(store, log, game, table, video=True)
    rooms._library.keep_disputed = asked.append  # type: ignore[method-assign]
    assert rooms._protect()
    assert rooms._protect()
    assert asked == ["m"]
    log.close()


def test_where_what_is_disputed_cannot_be_kept_the_recorder_is_told(store: Store) -> None:
    def full(match: str) -> None:
        raise OSError("No space left on device")

    table, game = load_table(TABLE), find_game("qsquare")
    setup = Setup(game="qsquare", board=table.measured_board())
    log = store.create(
        MatchHeader(name="m", setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE))
    )
    rooms = Rooms(store, log, game, table, video=True)
    rooms._library.keep_disputed = full  # type: ignore[method-assign]
    assert not rooms._protect()
    assert not rooms._protect(), "it is tried again"
    log.close()
