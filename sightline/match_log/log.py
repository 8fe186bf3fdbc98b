"""The match log: facts and decisions of matches in one SQLite file, append-only.

`append` returns only when its entries are on disk (WAL, synchronous FULL). One process at a time
writes a match; any number read it. The tables are plain SQL through SQLAlchemy Core.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from rules.codec import (
    VERSION,
    NewerVersion,
    body_from_json,
    body_to_json,
    check_version,
    setup_from_json,
    setup_to_json,
)
from rules.decisions import Decision
from rules.facts import Fact
from rules.game import Entry, Setup
from rules.said import say
from sightline.match_log.evidence import EvidenceFolder
from sightline.match_log.log_file import (
    ENTRY,
    MATCH,
    SCHEMA,
    SCHEMA_TABLE,
    LogDamaged,
    LogError,
    LogNewer,
    LogUnwritable,
    NoSuchMatch,
    check_file,
    connect,
    lock_of,
    make_file,
    newer,
    unwritable,
    why_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchHeader:
    """What a log says of a match besides its entries. `started` is ISO 8601, UTC."""

    name: str
    setup: Setup
    started: str
    edition: str = ""
    table: str = ""
    version: int = VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry before the log gives it its seq. `tap` names a tap, so that it is entered once."""

    at_ms: float
    body: Fact | Decision
    evidence: tuple[str, ...] = ()
    tap: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    """One line of the list of matches."""

    name: str
    game: str
    started: str
    table: str
    entries: int
    last_at_ms: float


class Store:
    """One file of matches. Opening makes the file where there is none, unless told otherwise."""

    def __init__(self, path: Path | str, *, must_exist: bool = False) -> None:
        self.path = Path(path)
        found = self.path.exists() and self.path.stat().st_size > 0
        if found:
            check_file(self.path)
        elif must_exist:
            raise LogError(f"{self.path}: there is no match log here; give its place with --db")
        else:
            make_file(self.path)
        self._engine = connect(self.path)
        with self._reading() as connection:
            version = connection.execute(select(SCHEMA_TABLE.c.version)).scalar()
        if not isinstance(version, int) or version > SCHEMA:
            self.close()
            raise LogNewer(newer(self.path, version))

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def matches(self) -> tuple[MatchSummary, ...]:
        """Return all matches, the newest first."""
        counted = (
            select(
                MATCH.c.name,
                MATCH.c.game,
                MATCH.c.started,
                MATCH.c.table_name,
                func.count(ENTRY.c.seq),
                func.coalesce(func.max(ENTRY.c.at_ms), 0.0),
            )
            .outerjoin(ENTRY, ENTRY.c.match_id == MATCH.c.id)
            .group_by(MATCH.c.id)
            .order_by(MATCH.c.id.desc())
        )
        with self._reading() as connection:
            return tuple(
                MatchSummary(
                    name=name, game=game, started=started, table=table, entries=n, last_at_ms=last
                )
                for name, game, started, table, n, last in connection.execute(counted)
            )

    def length(self, name: str) -> int:
        """Return how many entries a match has; 0 where there is no such match."""
        with self._reading() as connection:
            counted = select(func.count()).select_from(ENTRY.join(MATCH))
            return int(connection.execute(counted.where(MATCH.c.name == name)).scalar_one())

    def read(self, name: str, *, after: int = 0) -> tuple[MatchHeader, tuple[Entry, ...]]:
        """Return a match as it is on disk now, with its entries `after` that number.

        Raises NoSuchMatch, LogDamaged, LogNewer.
        """
        with self._reading() as connection:
            id, header = self._header(connection, name)
            return header, self._entries(connection, id, after)

    def create(self, header: MatchHeader) -> "MatchLog":
        """Begin a match and return its log for writing; NoSuchMatch where the name is taken."""
        row = {
            "name": header.name,
            "game": header.setup.game,
            "started": header.started,
            "edition": header.edition,
            "table_name": header.table,
            "version": header.version,
            "setup": _json(setup_to_json(header.setup)),
        }
        with self._writing() as connection:
            try:
                connection.execute(insert(MATCH).values(row))
            except IntegrityError as err:
                raise NoSuchMatch(
                    f"{self.path}: there is a match {header.name!r} already; take another name"
                ) from err
        return self.open(header.name)

    def open(self, name: str) -> "MatchLog":
        """Return a match's log for writing. Raises LogBusy where another process writes it."""
        with self._reading() as connection:
            id, header = self._header(connection, name)
        folder = self.path.with_name(self.path.name + ".files") / str(id)
        lock = lock_of(
            folder,
            say(
                "{path}: match {name} is being refereed by another Sightline; stop that one first",
                path=self.path,
                name=repr(name),
            ),
        )
        try:
            with self._reading() as connection:
                entries = self._entries(connection, id)
                taps = connection.execute(
                    select(ENTRY.c.tap, ENTRY.c.seq).where(
                        ENTRY.c.match_id == id, ENTRY.c.tap.is_not(None)
                    )
                ).all()
        except BaseException:
            os.close(lock)
            raise
        return MatchLog(self, id, header, entries, dict(map(tuple, taps)), folder, lock)

    def evidence(self, name: str) -> EvidenceFolder:
        """Return where the pictures of a match are, for reading."""
        with self._reading() as connection:
            id, _ = self._header(connection, name)
        return EvidenceFolder(self.path.with_name(self.path.name + ".files") / str(id))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as err:
            raise LogDamaged(
                say(
                    "{path}: cannot be read as a match log ({why})", path=self.path, why=why_of(err)
                )
            ) from err

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as err:
            raise LogUnwritable(unwritable(self.path, why_of(err))) from err

    def _header(self, connection: Connection, name: str) -> tuple[int, MatchHeader]:
        row = connection.execute(select(MATCH).where(MATCH.c.name == name)).first()
        if row is None:
            raise NoSuchMatch(
                say(
                    "{path}: there is no match {name}; `sightline matches` lists them",
                    path=self.path,
                    name=repr(name),
                )
            )
        place = f"{self.path}: match {name!r}"
        try:
            version = check_version(row.version)
            setup = setup_from_json(json.loads(row.setup))
        except NewerVersion as err:
            raise LogNewer(f"{place}: {err}") from err
        except ValueError as err:
            raise LogDamaged(f"{place}: its setup cannot be read ({err})") from err
        return row.id, MatchHeader(
            name=row.name,
            setup=setup,
            started=row.started,
            edition=row.edition,
            table=row.table_name,
            version=version,
        )

    def _entries(self, connection: Connection, id: int, after: int = 0) -> tuple[Entry, ...]:
        rows = connection.execute(
            select(ENTRY.c.seq, ENTRY.c.at_ms, ENTRY.c.body, ENTRY.c.evidence)
            .where(ENTRY.c.match_id == id, ENTRY.c.seq > after)
            .order_by(ENTRY.c.seq)
        )
        entries = []
        for expected, (seq, at_ms, body, evidence) in enumerate(rows, start=after + 1):
            if seq != expected:
                raise LogDamaged(f"{self.path}: entry {expected} is missing from the log")
            try:
                entries.append(
                    Entry(
                        seq=seq,
                        at_ms=at_ms,
                        body=body_from_json(json.loads(body)),
                        evidence=tuple(json.loads(evidence)),
                    )
                )
            except ValueError as err:
                raise LogDamaged(f"{self.path}: entry {seq} cannot be read ({err})") from err
        return tuple(entries)


class MatchLog:
    """The log of one match, open for its one writer."""

    def __init__(
        self,
        store: Store,
        id: int,
        header: MatchHeader,
        entries: tuple[Entry, ...],
        taps: dict[str, int],
        folder: Path,
        lock: int,
    ) -> None:
        self.header = header
        self.entries = entries
        """What was in the log when it was opened."""
        self.evidence = EvidenceFolder(folder)
        self._store = store
        self._id = id
        self._last = entries[-1].seq if entries else 0
        self._taps = taps
        self._lock: int | None = lock

    def tapped(self, tap: str) -> int | None:
        """Return the seq of the entry that this tap made, if it made one."""
        return self._taps.get(tap)

    def append(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        """Append all drafts or none, in one transaction; return their entries once on disk.

        Raises LogUnwritable where the disk refuses. The same drafts may then be tried again: what
        did reach the disk after all is not written twice.
        """
        entries = tuple(
            Entry(seq=seq, at_ms=draft.at_ms, body=draft.body, evidence=draft.evidence)
            for seq, draft in enumerate(drafts, start=self._last + 1)
        )
        rows = [
            {
                "match_id": self._id,
                "seq": entry.seq,
                "at_ms": float(entry.at_ms),
                "body": _json(body_to_json(entry.body)),
                "evidence": _json(list(entry.evidence)),
                "tap": draft.tap,
            }
            for entry, draft in zip(entries, drafts, strict=True)
        ]
        if rows:
            try:
                with self._store._writing() as connection:
                    connection.execute(insert(ENTRY), rows)
            except IntegrityError as err:
                if not self._has(rows):
                    raise LogDamaged(
                        f"{self._store.path}: another process wrote into this match"
                    ) from err
        self._last += len(rows)
        self._taps.update({d.tap: e.seq for d, e in zip(drafts, entries, strict=True) if d.tap})
        return entries

    def close(self) -> None:
        """Let another process write this match."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _has(self, rows: Sequence[Mapping[str, object]]) -> bool:
        """Whether exactly these rows, and none after them, are on disk."""
        with self._store._reading() as connection:
            found = connection.execute(
                select(ENTRY)
                .where(ENTRY.c.match_id == self._id, ENTRY.c.seq > self._last)
                .order_by(ENTRY.c.seq)
            )
            return [dict(row._mapping) for row in found] == list(rows)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
