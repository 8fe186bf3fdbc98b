"""Matches of the log as the command line asks for them: the one named, or the newest."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rules.engine import Fold
from rules.game import Entry, Game, Record
from sightline.complaint import Complaint
from sightline.games import game_called
from sightline.match_log.log import MatchHeader, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A match from the log with its rulings worked out anew."""

    header: MatchHeader
    entries: tuple[Entry, ...]
    game: Game[Any]
    record: Record[Any]
    fold: Fold[Any]
    """What goes on from `record` when the log grows; not to be extended itself."""


@contextmanager
def opened(db: Path) -> Iterator[Store]:
    """Open the log for reading; it must be there."""
    with Store(db, must_exist=True) as store:
        yield store


def newest(store: Store) -> str:
    """Return the name of the newest match; Complaint where there is none."""
    matches = store.matches()
    if not matches:
        raise Complaint(f"{store.path}: there is no match in the log yet")
    return matches[0].name


def filed(store: Store, name: str | None) -> Filed:
    """Return the match of that name, or the newest. Complaint where its game refuses its setup."""
    header, entries = store.read(name or newest(store))
    game = game_called(header.setup.game)
    try:
        fold = Fold(game, header.setup, entries)
    except ValueError as err:
        raise Complaint(f"match {header.name!r}: the setup is refused: {err}") from err
    return Filed(header=header, entries=entries, game=game, record=fold.record(), fold=fold)


def filed_on(store: Store, found: Filed) -> Filed:
    """Return a match as its log has grown meanwhile; only what has come since is judged."""
    _, more = store.read(found.header.name, after=len(found.entries))
    fold = found.fold.fork()
    fold.extend(more)
    return replace(found, entries=(*found.entries, *more), record=fold.record(), fold=fold)
