"""A match as one zip that proves itself: log, rulings, pictures, clips, hashes, a page to read.

The zip is written so that its content alone decides every byte of it (stored, sorted, dated 1980).
So whoever holds it can build it anew from its parts and compare: a single flipped bit anywhere, in
a picture, in the manifest or in the zip's own tables, is found. Hashes do not help against who
changes a part and its hash: so what follows from the log is worked out anew and compared, the
rulings, the page and its style, and each picture must be the one that the log names by its hash.
"""

import hashlib
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.codec import Json, ruling_to_json
from rules.engine import replay
from rules.game import Entry, Game, Record
from sightline.games import game_called
from sightline.match_log.evidence import EvidenceFolder, evidence_name
from sightline.match_log.exchange import FileDamaged, export_lines, import_lines
from sightline.match_log.log import MatchHeader
from sightline.review.protest_page import STYLE, page_of
from web.saying import ENGLISH, catalogue

VERSION = 2
MANIFEST = "manifest.json"
LOG = "match.jsonl"
RULINGS = "rulings.jsonl"
PAGE = "index.html"
_STYLE = "style.css"
_MOST_BYTES = 8 << 30
_MOST_TEXT = 256 << 20
_NAME = re.compile(r"(?:(?:pictures|clips)/)?[A-Za-z0-9][A-Za-z0-9._-]{0,120}\Z")
_LANGUAGE = re.compile(r"[a-z]{2}\Z")
_DATE = (1980, 1, 1, 0, 0, 0)
_CHUNK = 1 << 20


class NotWhole(ValueError):
    """The file is no protest file, or not as it was written; the words say where it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A protest file that is whole. `strays` are entries whose rulings do not follow today.

    `page_told` says whether its page is the one that this Sightline makes of its log.
    """

    match: str
    game: str
    digest: str
    entries: int
    rulings: int
    pictures: int
    clips: int
    missing: tuple[str, ...] = ()
    strays: tuple[int, ...] = ()
    page_told: bool = True


def write_protest(
    path: Path,
    header: MatchHeader,
    entries: Iterable[Entry],
    evidence: EvidenceFolder,
    clips: Mapping[str, Path] | None = None,
    language: str = ENGLISH,
) -> str:
    """Write the protest file of a match and return its SHA-256. Raises OSError, ValueError.

    `clips` are videos by the name they get in it. Pictures that are no longer kept are named in the
    manifest as missing. The page is written in `language`; the log and the rulings have none.
    """
    log = tuple(entries)
    game = game_called(header.setup.game)
    record = replay(game, header.setup, log)
    pictures, missing = _pictures(log, evidence)
    videos = {f"clips/{name}": file for name, file in (clips or {}).items()}
    parts: dict[str, bytes | Path] = {
        LOG: "".join(export_lines(header, log)).encode(),
        RULINGS: rulings_text(record).encode(),
        PAGE: page_of(
            header, game, log, record, sorted(pictures), sorted(videos), language
        ).encode(),
        _STYLE: STYLE.encode(),
        **{f"pictures/{name}": jpeg for name, jpeg in pictures.items()},
        **videos,
    }
    parts[MANIFEST] = _manifest(
        header.name,
        header.setup.game,
        language,
        missing,
        {name: _sha256(p) for name, p in parts.items()},
    )
    unfinished = path.with_name(path.name + ".part")
    try:
        _build(unfinished, parts)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return _sha256(path)


def verify_protest(path: Path) -> Verified:
    """Return what a protest file holds, if it is whole. Raises NotWhole, OSError."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _verified(path, archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError) as err:
        raise NotWhole(f"{path}: this is not a whole zip ({err})") from err


def rulings_text(record: Record[Any]) -> str:
    """Return all rulings of a match as JSON lines: the entry they rest on, then the rulings."""
    lines = []
    for step in record.steps:
        if step.rulings:
            said: dict[str, Json] = {
                "seq": step.seq,
                "rulings": [ruling_to_json(ruling) for ruling in step.rulings],
            }
            lines.append(json.dumps(said, ensure_ascii=False, allow_nan=False) + "\n")
    return "".join(lines)


# Writing


def _pictures(
    entries: Iterable[Entry], evidence: EvidenceFolder
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    found: dict[str, bytes] = {}
    missing: list[str] = []
    for name in dict.fromkeys(name for entry in entries for name in entry.evidence):
        jpeg = evidence.get(name)
        if jpeg is None:
            missing.append(name)
        else:
            found[name] = jpeg
    return found, tuple(missing)


def _manifest(
    match: str, game: str, language: str, missing: Iterable[str], hashes: Mapping[str, str]
) -> bytes:
    said = {
        "sightline": "protest",
        "version": VERSION,
        "match": match,
        "game": game,
        "language": language,
        "missing": sorted(missing),
        "sha256": dict(sorted(hashes.items())),
    }
    return (json.dumps(said, ensure_ascii=False, indent=1) + "\n").encode()


def _build(path: Path, parts: Mapping[str, bytes | Path]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name in sorted(parts):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            part = parts[name]
            info.file_size = len(part) if isinstance(part, bytes) else part.stat().st_size
            with archive.open(info, "w") as member:
                for chunk in _chunks(part):
                    member.write(chunk)


def _chunks(part: bytes | Path) -> Iterator[bytes]:
    if isinstance(part, bytes):
        yield part
        return
    with part.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _sha256(part: bytes | Path) -> str:
    digest = hashlib.sha256()
    for chunk in _chunks(part):
        digest.update(chunk)
    return digest.hexdigest()


# Reading


def _verified(path: Path, archive: zipfile.ZipFile) -> Verified:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    for info in infos:
        if not _NAME.match(info.filename):
            raise NotWhole(f"{path}: {info.filename[:80]!r} does not belong into a protest file")
        if info.compress_type != zipfile.ZIP_STORED:
            raise NotWhole(f"{path}: {info.filename} is packed otherwise than Sightline does")
    if len(set(names)) != len(names):
        raise NotWhole(f"{path}: a name occurs twice")
    if sum(info.file_size for info in infos) > _MOST_BYTES:
        raise NotWhole(f"{path}: it claims to hold more than {_MOST_BYTES >> 30} GiB")
    manifest = _read_manifest(path, archive)
    hashes = manifest["sha256"]
    for name in sorted({*names, *hashes} - {MANIFEST}):
        if name not in hashes:
            raise NotWhole(f"{path}: {name} is not in the manifest")
        if name not in names:
            raise NotWhole(f"{path}: {name} is missing")
    with _unpacked(path, archive, names) as parts:
        for name, digest in hashes.items():
            if _sha256(parts[name]) != digest:
                raise NotWhole(f"{path}: {name} is not as it was written")
        log, game, record = _read_match(path, parts[LOG])
        _check_pictures(path, log.entries, parts, manifest["missing"])
        again = _manifest(
            log.header.name,
            game.name,
            manifest["language"],
            manifest["missing"],
            {n: _sha256(parts[n]) for n in hashes},
        )
        if again != parts[MANIFEST].read_bytes():
            raise NotWhole(f"{path}: {MANIFEST} is not as it was written")
        with tempfile.TemporaryDirectory(prefix="sightline-verify-") as folder:
            rebuilt = Path(folder) / "again.zip"
            _build(rebuilt, parts)
            if not _same(rebuilt, path):
                raise NotWhole(f"{path}: the zip itself has been changed")
        strays = _strays(parts[RULINGS].read_bytes().decode("utf-8", "replace"), record)
        page = page_of(
            log.header,
            game,
            log.entries,
            record,
            sorted(Path(name).name for name in names if name.startswith("pictures/")),
            sorted(name for name in names if name.startswith("clips/")),
            manifest["language"],
        )
        page_told = (
            parts[PAGE].read_bytes() == page.encode()
            and parts[_STYLE].read_bytes() == STYLE.encode()
        )
    return Verified(
        match=log.header.name,
        game=game.title,
        digest=_sha256(path),
        entries=len(log.entries),
        rulings=sum(len(step.rulings) for step in record.steps),
        pictures=sum(name.startswith("pictures/") for name in names),
        clips=sum(name.startswith("clips/") for name in names),
        missing=tuple(manifest["missing"]),
        strays=strays,
        page_told=page_told,
    )


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        if archive.getinfo(MANIFEST).file_size > _MOST_TEXT:
            raise NotWhole(f"{path}: {MANIFEST} is too large")
        read = json.loads(archive.read(MANIFEST).decode("utf-8"))
    except KeyError:
        raise NotWhole(f"{path}: there is no {MANIFEST}: this is no protest file") from None
    except (ValueError, RecursionError) as err:
        raise NotWhole(f"{path}: {MANIFEST} cannot be read ({err})") from err
    if not isinstance(read, dict) or read.get("sightline") != "protest":
        raise NotWhole(f"{path}: this is no protest file")
    if read.get("version") != VERSION:
        raise NotWhole(f"{path}: written by another version of Sightline; verify it with that one")
    hashes, missing = read.get("sha256"), read.get("missing")
    texts = isinstance(hashes, dict) and all(isinstance(v, str) for v in hashes.values())
    named = {LOG, RULINGS, PAGE, _STYLE} <= set(hashes or ())
    if not texts or not isinstance(missing, list) or not named or not _is_spoken(read):
        raise NotWhole(f"{path}: {MANIFEST} is not as Sightline writes it")
    return read


def _is_spoken(manifest: Mapping[str, Any]) -> bool:
    """Say whether the page of a file is in a language that there is."""
    language = manifest.get("language")
    return isinstance(language, str) and (
        language == ENGLISH or (_LANGUAGE.match(language) is not None and bool(catalogue(language)))
    )


def _check_pictures(
    path: Path, entries: Iterable[Entry], parts: Mapping[str, Path], missing: Iterable[str]
) -> None:
    """See that the pictures are those that the log names, and no others. Raises NotWhole."""
    named = {name for entry in entries for name in entry.evidence}
    known = {LOG, RULINGS, PAGE, _STYLE, MANIFEST, *(f"pictures/{name}" for name in named)}
    for part in parts:
        if part not in known and not part.startswith("clips/"):
            raise NotWhole(f"{path}: {part} does not belong into a protest file of this log")
    for name in sorted(named):
        picture = parts.get(f"pictures/{name}")
        if (picture is None) != (name in set(missing)):
            raise NotWhole(f"{path}: pictures/{name} is missing, and the manifest says otherwise")
        if picture is not None and evidence_name(picture.read_bytes()) != name:
            raise NotWhole(f"{path}: pictures/{name} is not the picture that the log names")


@contextmanager
def _unpacked(
    path: Path, archive: zipfile.ZipFile, names: Iterable[str]
) -> Iterator[dict[str, Path]]:
    """Yield the parts as files in a folder that is gone afterwards; names are checked before."""
    with tempfile.TemporaryDirectory(prefix="sightline-verify-") as folder:
        parts = {}
        for number, name in enumerate(names):
            target = Path(folder) / f"{number}"
            try:
                with archive.open(name) as member, target.open("wb") as file:
                    while chunk := member.read(_CHUNK):
                        file.write(chunk)
            except zipfile.BadZipFile as err:
                raise NotWhole(f"{path}: {name} is not as it was written ({err})") from err
            parts[name] = target
        yield parts


def _read_match(path: Path, part: Path) -> tuple[Any, Game[Any], Record[Any]]:
    try:
        read = import_lines(part.read_bytes(), LOG)
    except (FileDamaged, ValueError) as err:
        raise NotWhole(f"{path}: {err}") from err
    if read.torn is not None:
        raise NotWhole(f"{path}: {LOG} ends in the middle of a line")
    game = game_called(read.header.setup.game)
    try:
        return read, game, replay(game, read.header.setup, read.entries)
    except ValueError as err:
        raise NotWhole(f"{path}: the setup is refused: {err}") from err


def _strays(said: str, record: Record[Any]) -> tuple[int, ...]:
    """Return the entries whose rulings in the file are not those that the facts give."""
    try:
        then = {line["seq"]: line["rulings"] for line in map(json.loads, said.splitlines())}
    except (ValueError, KeyError, TypeError):
        return (0,)
    now = {
        line["seq"]: line["rulings"] for line in map(json.loads, rulings_text(record).splitlines())
    }
    return tuple(sorted(seq for seq in {*then, *now} if then.get(seq) != now.get(seq)))


def _same(one: Path, other: Path) -> bool:
    if one.stat().st_size != other.stat().st_size:
        return False
    return all(a == b for a, b in zip(_chunks(one), _chunks(other), strict=True))
