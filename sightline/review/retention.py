"""Makes room for recordings, by age and by free space. Rulings, logs and pictures stay.

A folder of recordings may hold a file `keep` with the names of segments that are not to go: those
around rulings that were disputed.
"""

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from time import time

_LOG = logging.getLogger(__name__)

KEEP = "keep"


def make_room(
    recordings: Path,
    *,
    keep_days: float,
    least_free_bytes: int,
    free_bytes: Callable[[], int],
    spare: Path | None = None,
    now_s: Callable[[], float] = time,
) -> tuple[Path, ...]:
    """Delete segments that are too old, then the oldest until there is room; return what went.

    `spare` is the segment being written, or a folder none of whose segments is to go. Kept segments
    stay whatever happens.
    """
    gone: list[Path] = []
    oldest_s = now_s() - keep_days * 86_400.0
    for path, written_s in _by_age(recordings):
        if spare in (path, path.parent) or path.stem in kept(path.parent):
            continue
        if written_s >= oldest_s and free_bytes() >= least_free_bytes:
            break
        try:
            path.unlink()
            path.with_suffix(".index").unlink(missing_ok=True)
        except OSError as err:
            _LOG.warning("%s cannot be deleted: %s", path, err)
            continue
        gone.append(path)
    return tuple(gone)


def kept(folder: Path) -> frozenset[str]:
    """Return the names of a folder's segments that are not to go."""
    try:
        return frozenset((folder / KEEP).read_text(encoding="ascii").split())
    except (OSError, ValueError):
        return frozenset()


def keep(folder: Path, names: Iterable[str]) -> None:
    """Add names to those that are not to go. Raises OSError."""
    wanted = kept(folder) | set(names)
    if wanted != kept(folder):
        unfinished = folder / f"{KEEP}.part"
        unfinished.write_text("\n".join(sorted(wanted)) + "\n", encoding="ascii")
        unfinished.replace(folder / KEEP)


def _by_age(recordings: Path) -> list[tuple[Path, float]]:
    found = []
    for path in recordings.rglob("video/*.mp4"):
        try:
            found.append((path, path.stat().st_mtime))
        except OSError:
            continue
    return sorted(found, key=lambda each: each[1])
