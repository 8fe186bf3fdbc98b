"""The SQLite file that holds a match log: its tables, how it is made, opened, judged and locked.

A file of another version, or one that is no log, is left as it is.
"""

import fcntl
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
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
    insert,
    text,
)
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from rules.said import say

SCHEMA = 1
"""The version of the tables below; kept in the file's own header (`user_version`) as well."""

META = MetaData()
SCHEMA_TABLE = Table("log_schema", META, Column("version", Integer, nullable=False))
MATCH = Table(
    "match",
    META,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("game", String(50), nullable=False),
    Column("started", String(40), nullable=False),
    Column("edition", String(100), nullable=False),
    Column("table_name", String(1000), nullable=False),
    Column("version", Integer, nullable=False),
    Column("setup", Text, nullable=False),
)
ENTRY = Table(
    "entry",
    META,
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


def why_of(err: SQLAlchemyError) -> str:
    return str(err.orig) if isinstance(err, DBAPIError) and err.orig else str(err)


def unwritable(path: Path, why: object) -> str:
    return say("{path}: cannot be written ({why})", path=path, why=why)


def newer(path: Path, version: object) -> str:
    return (
        f"{path}: a newer Sightline made this log (version {version}; this one knows versions up "
        f"to {SCHEMA}); nothing was touched: install a newer Sightline to use it"
    )


def check_file(path: Path) -> None:
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
        raise LogNewer(newer(path, version))
    if version == 0:
        raise LogDamaged(
            f"{path}: this is a database, but not a match log; give another place with --db"
        )


def make_file(path: Path) -> None:
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
                META.create_all(connection)
                connection.execute(insert(SCHEMA_TABLE).values(version=SCHEMA))
                connection.execute(text(f"PRAGMA user_version={SCHEMA}"))
            connection.execute(text("COMMIT"))
    except SQLAlchemyError as err:
        raise LogUnwritable(f"{path}: cannot be made ({why_of(err)})") from err
    finally:
        engine.dispose()


def connect(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        assert isinstance(connection, sqlite3.Connection)
        connection.execute("PRAGMA busy_timeout=5000")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def lock_of(folder: Path, busy: str) -> int:
    """Return a descriptor that holds the match's lock until it is closed or its process dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as err:
        raise LogUnwritable(unwritable(folder, err.strerror)) from err
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise LogBusy(busy) from None
    return lock
