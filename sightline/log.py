"""The match log: facts and decisions of matches in one SQLite file, append-only.

`append` returns only when its entries are on disk (WAL, synchronous FULL). One process at a time
writes a match; any number read it. The tables are plain SQL through SQLAlchemy Core.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

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
from sightline.evidence import EvidenceFolder

SCHEMA = 1
"""The version of the tables below; kept in the file's own header (`user_version`) as well."""

_META = MetaData()
_SCHEMA = Table("log_schema", _META, Column("version", Integer, nullable=False))
_MATCH = Table(
    "match",
    _META,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("game", String(50), nullable=False),
    Column("started", String(40), nullable=False),
    Column("edition", String(100), nullable=False),
    Column("table_name", String(1000), nullable=False),
    Column("version", Integer, nullable=False),
    Column("setup", Text, nullable=False),
)
_ENTRY = Table(
    "entry",
    _META,
    Column("match_id", Integer, ForeignKey("match.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", Float, nullable=False),
    Column("body", Text, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("tap", String(200), nullable=True),
    UniqueConstraint("match_id", "tap"),
)


class LogError(Exception):
    """Something is wrong with a log; the message names the file and what to do."""


class LogDamaged(LogError):
    """What is written there is not a log that Sightline wrote."""


class LogNewer(LogError):
    """A newer Sightline wrote it; nothing was read or touched."""


class LogBusy(LogError):
    """Another process is refereeing this match."""


class LogUnwritable(LogError):
    """The disk refused; what was to be appended is not in the log."""


class NoSuchMatch(LogError):
    """The log holds no match of that name, or the name is taken already."""


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
            _check_file(self.path)
        elif must_exist:
            raise LogError(f"{self.path}: there is no match log here; give its place with --db")
        else:
            _make_file(self.path)
        self._engine = _connect(self.path)
        with self._reading() as connection:
            version = connection.execute(select(_SCHEMA.c.version)).scalar()
        if not isinstance(version, int) or version > SCHEMA:
            self.close()
            raise LogNewer(_newer(self.path, version))

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
                _MATCH.c.name,
                _MATCH.c.game,
                _MATCH.c.started,
                _MATCH.c.table_name,
                func.count(_ENTRY.c.seq),
                func.coalesce(func.max(_ENTRY.c.at_ms), 0.0),
            )
            .outerjoin(_ENTRY, _ENTRY.c.match_id == _MATCH.c.id)
            .group_by(_MATCH.c.id)
            .order_by(_MATCH.c.id.desc())
        )
        with self._reading() as connection:
            return tuple(
                MatchSummary(
                    name=name, game=game, started=started, table=table, entries=n, last_at_ms=last
                )
                for name, game, started, table, n, last in connection.execute(counted)
            )

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
                connection.execute(insert(_MATCH).values(row))
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
        lock = _lock(
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
                    select(_ENTRY.c.tap, _ENTRY.c.seq).where(
                        _ENTRY.c.match_id == id, _ENTRY.c.tap.is_not(None)
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
                say("{path}: cannot be read as a match log ({why})", path=self.path, why=_why(err))
            ) from err

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as err:
            raise LogUnwritable(_unwritable(self.path, _why(err))) from err

    def _header(self, connection: Connection, name: str) -> tuple[int, MatchHeader]:
        row = connection.execute(select(_MATCH).where(_MATCH.c.name == name)).first()
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
            select(_ENTRY.c.seq, _ENTRY.c.at_ms, _ENTRY.c.body, _ENTRY.c.evidence)
            .where(_ENTRY.c.match_id == id, _ENTRY.c.seq > after)
            .order_by(_ENTRY.c.seq)
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
                    connection.execute(insert(_ENTRY), rows)
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
                select(_ENTRY)
                .where(_ENTRY.c.match_id == self._id, _ENTRY.c.seq > self._last)
                .order_by(_ENTRY.c.seq)
            )
            return [dict(row._mapping) for row in found] == list(rows)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _why(err: SQLAlchemyError) -> str:
    return str(err.orig) if isinstance(err, DBAPIError) and err.orig else str(err)


def _unwritable(path: Path, why: object) -> str:
    return say("{path}: cannot be written ({why})", path=path, why=why)


def _newer(path: Path, version: object) -> str:
    return (
        f"{path}: a newer Sightline made this log (version {version}; this one knows versions up "
        f"to {SCHEMA}); nothing was touched: install a newer Sightline to use it"
    )


def _check_file(path: Path) -> None:
    """Look at the file's first bytes alone, so that a log of another version stays untouched."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as err:
        raise LogError(f"{path}: cannot be opened ({err.strerror}); check who may read it") from err
    if not head.startswith(b"SQLite format 3\0") or len(head) < 100:
        raise LogDamaged(f"{path}: this is not a match log; give another place with --db")
    version = int.from_bytes(head[60:64], "big")
    if version > SCHEMA:
        raise LogNewer(_newer(path, version))
    if version == 0:
        raise LogDamaged(
            f"{path}: this is a database, but not a match log; give another place with --db"
        )


def _make_file(path: Path) -> None:
    """Make the tables before the file goes to WAL, so that its header shows the version at once.

    Two processes may do so at the same moment; the second finds the tables there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise LogError(f"{path}: its folder cannot be made ({err.strerror})") from err
    engine = create_engine(URL.create("sqlite", database=str(path)))
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("PRAGMA synchronous=FULL"))
            connection.execute(text("BEGIN EXCLUSIVE"))
            if not connection.execute(text("PRAGMA user_version")).scalar():
                _META.create_all(connection)
                connection.execute(insert(_SCHEMA).values(version=SCHEMA))
                connection.execute(text(f"PRAGMA user_version={SCHEMA}"))
            connection.execute(text("COMMIT"))
    except SQLAlchemyError as err:
        raise LogUnwritable(f"{path}: cannot be made ({_why(err)})") from err
    finally:
        engine.dispose()


def _connect(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        assert isinstance(connection, sqlite3.Connection)
        connection.execute("PRAGMA busy_timeout=5000")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def _lock(folder: Path, busy: str) -> int:
    """Return a descriptor that holds the match's lock until it is closed or its process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as err:
        raise LogUnwritable(_unwritable(folder, err.strerror)) from err
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise LogBusy(busy) from None
    return lock
