"""Opens what a watch needs (table, log, camera, page, threads), runs it, closes it all again."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import click
import cv2

from calibration.table import Table, load_table
from rules.codec import Json, body_to_json, outcome_to_json
from rules.game import Game, Setup
from rules.orders import fact_of
from rules.transcript import ruling_line
from sightline.clock import Clock, FrameClock, SystemClock
from sightline.complaint import Complaint
from sightline.games import game_called, read_setup, with_options
from sightline.heap import set_apart
from sightline.judging import step_to_json
from sightline.match_log.log import MatchLog, Store
from sightline.match_log.taking_up import Place, begin, unfinished
from sightline.review.reading import clock_of
from sightline.rooms import Rooms
from sightline.running.album import Album
from sightline.running.boxes import NO_BOXES, BoxWishes, boxes_of, serving_boxes
from sightline.running.close_look import CloseLook
from sightline.running.match import Change, Listener, Match
from sightline.running.watching import Watch, Watched
from sightline.serving.hosting import PageWishes, host_pages
from sightline.stopping import stopped_by_signals, wait_for_stop
from vision.answers_clip import witness_of
from vision.frame_judge import FrameJudge
from vision.sources import Source, open_source


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the command line asks of a new match."""

    game: str | None = None
    setup_file: Path | None = None
    options: tuple[str, ...] = ()
    players: tuple[str, ...] = ()


def watch(
    folder: Path,
    source: str,
    wishes: Wishes,
    place: Place,
    *,
    page: PageWishes | None,
    as_json: bool,
    fast: bool,
    boxes: BoxWishes = NO_BOXES,
) -> Watched:
    """Referee until the source ends or somebody stops it; errors are said by the command line.

    `page` says where to serve the page, None for no page.
    """
    cv2.setNumThreads(1)  # one camera takes one core; the page and the log have the other
    table = load_table(folder)
    game = game_called(wishes.game or table.board.game)
    if game.name != table.board.game:
        raise Complaint(f"{folder}: this is a table for {table.board.game}, not for {game.name}")
    with ExitStack() as stack:
        store = stack.enter_context(Store(place.db))
        found = unfinished(store, game, folder, place)
        if found is not None:
            stack.enter_context(found)
        patient = found is not None and bool(found.entries)
        frames = stack.enter_context(open_source(source, gray=True, patient=patient))
        cueing = stack.enter_context(boxes_of(boxes, patient=patient))
        setup = agreed(table, game, wishes)
        log = found or stack.enter_context(begin(store, game, setup, folder, place))
        clock: Clock = SystemClock() if frames.live else FrameClock()
        album = Album()
        stack.callback(album.close)
        video = page is not None and page.video
        rooms = Rooms(store, log, game, table, video=video)
        listeners = (printer(as_json), *rooms.listeners, cueing.heard)
        match = stack.enter_context(_match(log, game, clock, album, listeners=listeners))
        stack.enter_context(serving_boxes(cueing, match))
        rooms.overhear(frames)
        pace = at_once if fast or frames.live else pacer()
        watching = watch_of(frames, table, match, album, clock=clock, pace=pace)
        stack.enter_context(stopped_by_signals(watching.stop))
        if page is not None:
            opened = rooms.open(stack, match, lambda: watching.shift_ms)
            host_pages(stack, match, page, place.db.parent, **opened)
        click.echo(f"refereeing {log.header.name!r} from {frames.name}", err=True)
        set_apart()
        watched = watching.run()
        view = match.view()
        click.echo(
            f"{watched.frames} pictures, {len(view.rulings)} rulings in {view.seq} entries; "
            f"{view.scoreboard.headline}",
            err=True,
        )
        if page is not None and watched.ended is not None:
            click.echo("the source has ended; the page stays until Ctrl-C", err=True)
            wait_for_stop()
        outcome = match.view().outcome
        if as_json:
            said = None if outcome is None else outcome_to_json(outcome)
            click.echo(json.dumps({"match": log.header.name, "outcome": said}, ensure_ascii=False))
        elif outcome is not None:
            click.echo(outcome.words)
        if watched.ended is not None and watched.ended.why is not None:
            named = frames.name in watched.ended.why
            raise Complaint(watched.ended.why if named else f"{frames.name}: {watched.ended.why}")
    return watched


def agreed(table: Table, game: Game[Any], wishes: Wishes) -> Setup:
    """Return the setup of a new match on this table."""
    if wishes.setup_file is None:
        setup = Setup(game=game.name, board=table.measured_board())
    else:
        setup = read_setup(wishes.setup_file, game.name)
        setup = replace(setup, board=table.measured_board())
    return with_options(setup, wishes.options, wishes.players)


def _match(
    log: MatchLog, game: Game[Any], clock: Clock, album: Album, listeners: tuple[Listener, ...]
) -> Match:
    try:
        elapsed = clock.today() - datetime.fromisoformat(log.header.started)
        resumed_at_ms = elapsed.total_seconds() * 1000.0 if log.entries else 0.0
    except (ValueError, TypeError):
        resumed_at_ms = 0.0
    try:
        return Match(
            log,
            game,
            clock=clock,
            live=album.live,
            listeners=listeners,
            resumed_at_ms=resumed_at_ms if isinstance(clock, SystemClock) else 0.0,
        )
    except ValueError as err:
        raise Complaint(f"match {log.header.name!r}: the setup is refused: {err}") from err


def at_once(at_ms: float) -> None:
    """Wait for nothing: frames are taken as they come."""


def watch_of(
    source: Source,
    table: Table,
    match: Match,
    album: Album,
    *,
    clock: Clock,
    pace: Callable[[float], None] = at_once,
) -> Watch:
    """Return what watches `table` through `source` for `match`, from the pieces it knows of.

    Frames are judged, in order, against the empty board; the page is told of every close look, and
    shows the newest frame all the while.
    """
    source.overhear(album.heard)
    look = CloseLook(table, album)
    return Watch(
        source,
        lambda: witness_of(table, look=look, pieces=match.view().pieces),
        match,
        album,
        health=FrameJudge(table.empty, live=source.live),
        clock=clock,
        pace=pace,
        doing=lambda: look.doing,
    )


def pacer() -> Callable[[float], None]:
    """Return what waits until a recording's frame is due, as it was when it was made."""
    began: list[float] = []
    wait = Event()

    def pace(at_ms: float) -> None:
        now_ms = monotonic() * 1000.0
        if not began:
            began.append(now_ms - at_ms)
        wait.wait(max(0.0, (began[0] + at_ms - now_ms) / 1000.0))

    return pace


def printer(as_json: bool) -> Listener:
    """Return what prints each change: JSON lines, or in words the rulings that are new or gone."""

    def as_lines(change: Change) -> None:
        decided = [entry for entry in change.entries if fact_of(entry) is None]
        for entry in decided:
            said: dict[str, Json] = {"seq": entry.seq, "decision": body_to_json(entry.body)}
            click.echo(json.dumps(said, ensure_ascii=False))
        evidence = {entry.seq: list[Json](entry.evidence) for entry in change.entries}
        for step in change.steps:
            said = {
                "seq": step.seq,
                **step_to_json(step),
                "evidence": evidence.get(step.seq, []),
                "headline": change.view.scoreboard.headline,
            }
            click.echo(json.dumps(said, ensure_ascii=False))

    told: dict[int, list[str]] = {}

    def as_words(change: Change) -> None:
        for step in change.steps:
            before, now = told.get(step.seq, []), [ruling_line(r) for r in step.rulings]
            told[step.seq] = now
            gone = [f"no longer: {line}" for line in before if line not in now]
            for line in (*gone, *(line for line in now if line not in before)):
                click.echo(f"{clock_of(step.fact.at_ms):>11}  {line}")

    return as_lines if as_json else as_words
