"""A match as one JSON Lines file: a header, then every entry, exactly as the log holds them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules.codec import (
    Json,
    Malformed,
    NewerVersion,
    check_version,
    entry_from_json,
    entry_to_json,
    setup_from_json,
    setup_to_json,
)
from rules.game import Entry
from sightline.match_log.log import MatchHeader


class FileDamaged(ValueError):
    """A line of an exported match cannot be read; nothing was imported."""

    def __init__(self, name: str, line: int, what: str) -> None:
        super().__init__(f"{name}: line {line}: {what}")
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A match read from a file. `torn` is what stood on a last line that was cut off, else None."""

    header: MatchHeader
    entries: tuple[Entry, ...]
    torn: str | None = None
    torn_line: int = 0


def export_lines(header: MatchHeader, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of the file, each with its line end."""
    yield _line(
        {
            "sightline": "match",
            "version": header.version,
            "name": header.name,
            "started": header.started,
            "edition": header.edition,
            "table": header.table,
            "setup": setup_to_json(header.setup),
        }
    )
    for entry in entries:
        yield _line(entry_to_json(entry))


def import_lines(content: bytes, name: str) -> Imported:
    """Return the match that the file `name` holds, by its content.

    A last line without its line end that cannot be read was cut off while it was written; it is
    set aside in `torn`. Any other damage raises FileDamaged with the line, and a file of a newer
    version raises NewerVersion.
    """
    lines = content.split(b"\n")
    cut = lines.pop()
    if not lines:
        raise FileDamaged(name, 1, "expected the header of an exported match")
    header = _header(lines[0], name)
    entries = tuple(_entry(line, name, number) for number, line in enumerate(lines[1:], start=2))
    torn = None
    if cut:
        try:
            entries = (*entries, _entry(cut, name, len(lines) + 1))
        except FileDamaged:
            torn = cut.decode("utf-8", errors="replace")
    for expected, entry in enumerate(entries, start=1):
        if entry.seq != expected:
            raise FileDamaged(name, expected + 1, f"expected entry {expected}, got {entry.seq}")
    return Imported(header=header, entries=entries, torn=torn, torn_line=len(lines) + 1)


def _header(line: bytes, name: str) -> MatchHeader:
    value = _json(line, name, 1)
    if not isinstance(value, dict) or value.get("sightline") != "match":
        raise FileDamaged(name, 1, "expected the header of an exported match")
    try:
        version = check_version(value.get("version"))
        texts = {key: value.get(key, "") for key in ("name", "started", "edition", "table")}
        for key, held in texts.items():
            if not isinstance(held, str):
                raise Malformed(key, "a text", held)
        setup = setup_from_json(value.get("setup"), "setup")
    except NewerVersion as err:
        err.args = (f"{name}: {err}",)
        raise
    except ValueError as err:
        raise FileDamaged(name, 1, str(err)) from err
    return MatchHeader(version=version, setup=setup, **texts)


def _entry(line: bytes, name: str, number: int) -> Entry:
    value = _json(line, name, number)
    try:
        return entry_from_json(value)
    except Malformed as err:
        raise FileDamaged(name, number, str(err)) from err


def _json(line: bytes, name: str, number: int) -> object:
    try:
        read: object = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as err:
        raise FileDamaged(name, number, f"this is not JSON ({err})") from err
    return read


def _line(value: dict[str, Json]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"
