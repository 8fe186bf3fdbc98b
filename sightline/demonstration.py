"""Sets up the simulated table, plays a match on it, and referees it from its pictures."""

import tempfile
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import click

from calibration.table import Table, load_table
from rules.game import Setup
from rules.registry import find_game
from sightline.clock import FrameClock
from sightline.complaint import Complaint
from sightline.config import data_folder
from sightline.games import game_called
from sightline.heap import set_apart
from sightline.match_log.log import MatchHeader, Store
from sightline.match_log.taking_up import EDITION
from sightline.rooms import Rooms
from sightline.run import at_once, printer, watch_of
from sightline.running.album import Album
from sightline.running.match import Match
from sightline.serving.hosting import PageWishes, host_pages
from sightline.simulated.boards import club_board
from sightline.simulated.matches import Evening
from sightline.simulated.referee import PageReferee
from sightline.simulated.repertoire import agreement_on
from sightline.simulated.source import SimulatedSource
from sightline.simulated.table import SimulatedTable, set_up_table, write_table
from sightline.stopping import stopped_by_signals


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """What the demo is to be like. `page` says where to serve the page, None for no page."""

    game: str = "qsquare"
    seed: int = 1
    size: tuple[int, int] = (960, 720)
    fps: float = 30.0
    speed: float = 1.0
    players: int = 2
    options: tuple[tuple[str, str], ...] = ()
    page: PageWishes | None = None
    browser: bool = True
    keep: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """How it went: frames and shots, and the outcome in words where the match came to one."""

    frames: int
    shots: int
    outcome: str | None


def show(wishes: Show) -> Shown:
    """Play and referee one match. With a page, the page stays until Ctrl-C."""
    game = game_called(wishes.game)
    try:
        agreement = agreement_on(game.name, wishes.players, wishes.options)
        board = club_board(game.name, wishes.size)
        game.start(agreement.setup(board))
    except ValueError as err:
        raise Complaint(str(err)) from err
    with ExitStack() as stack:
        folder = wishes.keep or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="sightline-demo-"))
        )
        click.echo("setting up the simulated table …", err=True)
        simulated = set_up_table(wishes.size, board=board, seed=wishes.seed)
        write_table(simulated, folder / "table")
        click.echo("calibrating on its pictures …", err=True)
        table = load_table(folder / "table")
        evening = Evening(table.board, agreement, _page_referee, seed=wishes.seed)
        return _referee(stack, wishes, folder, simulated, table, evening)


def _page_referee(setup: Setup) -> PageReferee:
    return PageReferee(find_game(setup.game), setup)


def _referee(
    stack: ExitStack,
    wishes: Show,
    folder: Path,
    simulated: SimulatedTable,
    table: Table,
    evening: Evening,
) -> Shown:
    referee = evening.referee
    assert isinstance(referee, PageReferee)
    store = stack.enter_context(Store(folder / "matches.db"))
    now = datetime.now(UTC)
    log = store.create(
        MatchHeader(
            name=f"demo-{now:%Y%m%d-%H%M%S}",
            setup=evening.setup,
            started=now.isoformat(timespec="seconds"),
            edition=EDITION,
            table=str(folder / "table"),
        )
    )
    clock = FrameClock()
    page = wishes.page
    video = page is not None and page.video
    rooms = Rooms(store, log, find_game(evening.setup.game), table, video=video)
    album = Album()
    stack.callback(album.close)
    match = stack.enter_context(
        Match(
            log,
            find_game(evening.setup.game),
            clock=clock,
            live=album.live,
            listeners=(referee.heard, printer(False), *rooms.listeners),
        )
    )
    referee.bind(match)
    source = SimulatedSource(
        simulated,
        evening.stage,
        evening.director,
        fps=wishes.fps,
        before=evening.know,
    )
    rooms.overhear(source)
    watch = watch_of(
        source,
        table,
        match,
        album,
        clock=clock,
        pace=at_once if page is None else _pacer(wishes.speed),
    )
    stopped = Event()

    def stop() -> None:
        stopped.set()
        watch.stop()

    stack.enter_context(stopped_by_signals(stop))
    if page is not None:
        opened = rooms.open(stack, match, lambda: watch.shift_ms)
        _open_page(stack, match, opened, page, browser=wishes.browser)
    set_apart()
    watched = watch.run()
    outcome = match.view().outcome
    words = None if outcome is None else outcome.words
    click.echo(words or "the match was stopped before its end")
    click.echo(f"{evening.director.tally()}, {watched.frames} pictures", err=True)
    if page is not None and not stopped.is_set():
        click.echo("the match is over; the page stays until Ctrl-C", err=True)
        stopped.wait()
    return Shown(frames=watched.frames, shots=evening.director.shots, outcome=words)


def _open_page(
    stack: ExitStack, match: Match, opened: dict[str, Any], page: PageWishes, *, browser: bool
) -> None:
    address = host_pages(stack, match, page, data_folder(), **opened)
    click.echo("Ctrl-C ends the demo", err=True)
    if browser:
        webbrowser.open(address.joining or address.url)


def _pacer(speed: float) -> Callable[[float], None]:
    """What waits until a frame is due. Where pictures come too slowly, the match takes longer."""
    wait = Event()
    due: list[float] = []

    def pace(at_ms: float) -> None:
        now_ms = monotonic() * 1000.0
        if not due:
            due.append(now_ms - at_ms / speed)
        ahead_ms = due[0] + at_ms / speed - now_ms
        if ahead_ms < -100.0:
            due[0] -= ahead_ms
        elif ahead_ms > 0:
            wait.wait(ahead_ms / 1000.0)

    return pace
