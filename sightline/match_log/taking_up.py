"""Which match of the log a watch goes on with, and how a new one begins."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from rules.engine import replay
from rules.game import Game, Setup
from sightline.complaint import Complaint
from sightline.match_log.log import MatchHeader, MatchLog, Store
from sightline.match_log.log_file import LogBusy, LogError

EDITION = "1"
"""The edition of the rulebooks in docs/games; a log names the one it was refereed by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the match is, or will be, in the log."""

    db: Path
    name: str | None = None
    new: bool = False


def unfinished(store: Store, game: Game[Any], folder: Path, place: Place) -> MatchLog | None:
    """Return the log of the match to go on with: the one of that name, or this table's newest.

    None where a new one is to begin. Complaint where the name is taken by what cannot be gone on
    with.
    """
    known = {match.name: match for match in store.matches()}
    if place.name is not None:
        if place.name not in known:
            return None
        if place.new:
            raise Complaint(f"there is a match {place.name!r} already; take another name")
        return _gone_on_with(store, place.name, game)
    if place.new:
        return None
    for match in known.values():
        if match.table == str(folder.resolve()) and match.game == game.name:
            if _is_over(store, game, match.name):
                break
            try:
                return _gone_on_with(store, match.name, game)
            except LogBusy:
                continue
    return None


def begin(store: Store, game: Game[Any], setup: Setup, folder: Path, place: Place) -> MatchLog:
    """Return the log of a new match. Complaint where the game refuses what was agreed."""
    try:
        game.start(setup)
    except ValueError as err:
        raise Complaint(f"the setup is refused: {err}") from err
    now = datetime.now(UTC)
    taken = {match.name for match in store.matches()}
    name = place.name or _free_name(f"{now:%Y-%m-%d-%H%M}-{game.name}", taken)
    return store.create(
        MatchHeader(
            name=name,
            setup=setup,
            started=now.isoformat(timespec="seconds"),
            edition=EDITION,
            table=str(folder.resolve()),
        )
    )


def _gone_on_with(store: Store, name: str, game: Game[Any]) -> MatchLog:
    log = store.open(name)
    if log.header.setup.game != game.name:
        log.close()
        raise Complaint(f"match {name!r} is one of {log.header.setup.game}, not of {game.name}")
    click.echo(
        f"going on with {name!r} ({len(log.entries)} entries); --new begins another", err=True
    )
    return log


def _is_over(store: Store, game: Game[Any], name: str) -> bool:
    try:
        header, entries = store.read(name)
    except LogError:
        return True
    return game.outcome(replay(game, header.setup, entries).state) is not None


def _free_name(wanted: str, taken: set[str]) -> str:
    name, nth = wanted, 1
    while name in taken:
        nth += 1
        name = f"{wanted}-{nth}"
    return name
