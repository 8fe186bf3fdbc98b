"""What `sightline doctor` looks at: each check says in words what it found, and the remedy."""

import importlib
import os
import platform
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from calibration.damage import TableDamaged
from calibration.table import Table, load_table
from hardware.ports import find_ports
from vision.frame import Frame
from vision.frame_health import judge_frame, normal_of
from vision.sources import Ended, Lost, SourceError, open_source

_LEAST_FREE_MB = 500
_GOOD_ERROR_MM = 0.15
_POOR_ERROR_MM = 0.4
_LOOK_MS = 2000.0
_MOST_FRAMES = 60
_BY_ID = Path("/dev/v4l/by-id")


class Health(StrEnum):
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at. `remedy` says what to do where it is not good."""

    health: Health
    about: str
    words: str
    remedy: str = ""


def look_over(
    *, table: Path | None = None, source: str | None = None, data: Path
) -> Iterator[Finding]:
    """All findings: this machine, its devices, and the table and source where they are given."""
    yield _python()
    yield from _libraries()
    yield from _video()
    yield _storage()
    yield _room(data)
    yield from cameras()
    yield _ports()
    loaded: Table | None = None
    if table is not None:
        loaded, findings = table_folder(table)
        yield from findings
    if source is not None:
        yield from frames(source, loaded)


def table_folder(folder: Path) -> tuple[Table | None, tuple[Finding, ...]]:
    """The table if it can be loaded, and what is to be said of it."""
    about = f"table {folder}"
    try:
        table = load_table(folder)
    except TableDamaged as err:
        return None, (_bad(str(err.file), err.what, err.remedy),)
    except ValueError as err:  # a board.toml that is not one names its own remedy
        return None, (_bad(about, str(err), "mend the file"),)
    board, size = table.board, _size_of(table)
    across, up = board.width_mm / 2, board.height_mm / 2
    tops_mm = max((piece.thickness_mm for piece in board.pieces), default=0.0)
    worst_mm = max(
        table.pose_error.at(x_mm, y_mm, tops_mm) for x_mm in (-across, across) for y_mm in (-up, up)
    )
    words = (
        f"{board.name or board.game}, {size[0]} x {size[1]}; "
        f"places are off by up to {worst_mm:.2f} mm from the camera's pose"
    )
    remedy = "hang the camera higher or nearer the middle, light evenly, take empty.jpg again"
    if worst_mm > _POOR_ERROR_MM:
        pose = _bad(about, words, remedy)
    elif worst_mm > _GOOD_ERROR_MM:
        pose = _warning(about, words, remedy)
    else:
        pose = _good(about, words)
    findings = [pose]
    reason = judge_frame(table.empty)
    if reason is not None:
        findings.append(_bad(about, f"empty.jpg: {reason}", "take empty.jpg again"))
    if table.teach is None:
        findings.append(
            _warning(
                about,
                "no teach.jpg: nobody has shown what the pieces look like here",
                "run `sightline calibrate pieces`",
            )
        )
    return table, tuple(findings)


def frames(spec: str, table: Table | None) -> Iterator[Finding]:
    """Look through a source for two seconds of its frames."""
    about = f"source {spec}"
    try:
        source = open_source(spec, size=None if table is None else _size_of(table))
    except SourceError as err:
        yield _bad(err.name, err.what, err.remedy)
        return
    about = f"source {source.name}"
    normal = None if table is None else normal_of(table.empty)
    reasons: list[str] = []
    times_ms: list[float] = []
    with source:
        silent = 0
        while silent < 3 and len(times_ms) < _MOST_FRAMES:
            event = source.read(timeout_s=1.0)
            match event:
                case Frame():
                    times_ms.append(event.at_ms)
                    reason = judge_frame(event.image, reference=normal)
                    if reason is not None:
                        reasons.append(reason)
                    if event.at_ms - times_ms[0] >= _LOOK_MS:
                        break
                case Lost():
                    reasons.append(event.why)
                    silent += 1
                case Ended():
                    if event.why is not None:
                        yield _warning(about, event.why, "record it again, or use what is there")
                    break
                case None:
                    silent += 1
    yield from _of_frames(about, times_ms, reasons)


def _of_frames(about: str, times_ms: list[float], reasons: list[str]) -> Iterator[Finding]:
    if reasons:
        often = max(set(reasons), key=reasons.count)
        share = f"{len(reasons)} of {len(times_ms)} frames" if times_ms else "no frame came"
        yield _bad(about, f"{share}: {often}", "look at the picture: light, lens, focus, cable")
    if len(times_ms) < 2:
        if not times_ms and not reasons:
            yield _bad(about, "no frame came", "check the camera's cable and address")
        return
    fps = 1000.0 * (len(times_ms) - 1) / (times_ms[-1] - times_ms[0])
    if fps < 24.0:
        yield _warning(
            about,
            f"{fps:.1f} frames a second; shots are followed from 25 on",
            "turn off automatic exposure or add light, use USB 3 or a smaller picture",
        )
    else:
        yield _good(about, f"{fps:.1f} frames a second")


def cameras(devices: Iterable[Path] | None = None, by_id: Path = _BY_ID) -> Iterator[Finding]:
    """The camera devices of this machine, by their stable names where they have one."""
    found = sorted(Path("/dev").glob("video*")) if devices is None else list(devices)
    if not found:
        yield _good("cameras", "none on this machine; network cameras need none")
        return
    links = sorted(by_id.iterdir()) if by_id.is_dir() else []
    stable = {str(link.resolve()): str(link) for link in links if "index0" in link.name}
    for device in found:
        name = stable.get(str(device), str(device))
        if os.access(device, os.R_OK | os.W_OK):
            yield _good("camera", f"{name} ({device.name})")
        else:
            yield _bad(
                "camera",
                f"{name}: no permission to use it",
                f"run `sudo usermod -aG video {_user()}`, then log out and in",
            )


def _python() -> Finding:
    words = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return _good("Python", words)


def _libraries() -> Iterator[Finding]:
    both = [name for name in ("opencv-python", "opencv-python-headless") if _installed(name)]
    if len(both) == 2:
        yield _bad(
            "OpenCV",
            "opencv-python and opencv-python-headless overwrite each other",
            "uninstall both, then install opencv-python-headless",
        )
    for about, module, attribute in (
        ("OpenCV", "cv2", "__version__"),
        ("numpy", "numpy", "__version__"),
        ("SciPy", "scipy", "__version__"),
        ("PyAV", "av", "__version__"),
        ("simplejpeg", "simplejpeg", "__version__"),
    ):
        try:
            version = str(getattr(importlib.import_module(module), attribute))
        except ImportError as err:
            yield _bad(about, f"cannot be loaded ({err})", "install Sightline again: ./start")
            continue
        if about == "OpenCV" and version.split(".")[0] not in ("4", "5"):
            yield _warning(about, f"{version} is untested", "install OpenCV 4 or 5")
        else:
            yield _good(about, version)


def _video() -> Iterator[Finding]:
    try:
        import av
    except ImportError:
        return  # said among the libraries
    for codec, use in (("h264", "reading videos"), ("mjpeg", "reading cameras")):
        if codec in av.codecs_available:
            yield _good("video", f"{codec} for {use}")
        else:
            yield _warning("video", f"no {codec} for {use}", "install PyAV's own wheel")


def _storage() -> Finding:
    if sqlite3.sqlite_version_info < (3, 22):
        return _bad("SQLite", sqlite3.sqlite_version, "install a newer Python")
    return _good("SQLite", sqlite3.sqlite_version)


def _room(data: Path) -> Finding:
    folder = next(each for each in (data, *data.parents) if each.exists())
    if not os.access(folder, os.W_OK):
        return _bad("matches", f"{folder} cannot be written to", "choose another with --db")
    free_mb = shutil.disk_usage(folder).free >> 20
    words = f"{free_mb} MB free for matches in {data}"
    if free_mb < _LEAST_FREE_MB:
        return _bad("matches", words, "make room: a long match with its pictures takes some 100 MB")
    return _good("matches", words)


def _ports() -> Finding:
    ports = find_ports()
    barred = [port.path for port in ports if not port.usable]
    if barred:
        return _bad(
            "boxes",
            f"no permission to use {', '.join(barred)}",
            f"run `sudo usermod -aG dialout {_user()}`, then log out and in",
        )
    if not ports:
        return _good("boxes", "none connected; none is needed")
    return _good("boxes", ", ".join(port.path for port in ports))


def _installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _size_of(table: Table) -> tuple[int, int]:
    return table.empty.shape[1], table.empty.shape[0]


def _user() -> str:
    return os.environ.get("USER", "$USER")


def _finding(health: Health) -> Callable[..., Finding]:
    def made(about: str, words: str, remedy: str = "") -> Finding:
        return Finding(health=health, about=about, words=words, remedy=remedy)

    return made


_good, _warning, _bad = (_finding(each) for each in Health)
