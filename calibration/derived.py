"""What calibration derives from a table folder, kept beside it as `derived.json`.

It is a cache and never needed: it carries a digest of the files it was derived from and is made
anew when any of them has changed, or when another version of Sightline wrote it.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from calibration.camera import Camera, Floats, Lens
from calibration.paint import PaintedLine
from rules.board import Board

VERSION = 1
NAME = "derived.json"
SOURCES = ("board.toml", "camera.json", "corners.json", "empty.jpg")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Derived:
    """The pose with its (6, 6) covariance, and the lines as they lie.

    `residual_px` is how far the painted lines lie from where pose and drawing put them, robust
    rms; `stretches` how many places on the lines that rests on; `off_mm` the mean of each line.
    """

    camera: Camera
    covariance: Floats
    painted: Mapping[str, PaintedLine]
    residual_px: float
    stretches: int
    off_mm: Mapping[str, float]


def digest(folder: Path) -> str:
    """What the files of `folder` hold, as one number: another file, another number."""
    made = hashlib.sha256(f"sightline {VERSION}".encode())
    for name in SOURCES:
        file = folder / name
        content = file.read_bytes() if file.is_file() else b""
        made.update(f"{name} {len(content)}\n".encode())
        made.update(content)
    return made.hexdigest()


def kept(folder: Path, board: Board, lens: Lens, key: str) -> Derived | None:
    """What was derived earlier, if it still holds for these files; None otherwise."""
    try:
        got = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if got["version"] != VERSION or got["digest"] != key:
            return None
        return _from_json(got, board, lens)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def keep(folder: Path, found: Derived, key: str) -> bool:
    """Write `derived.json`, whole or not at all; False where the folder is not to be written to.

    One that a newer version wrote is left alone, and so is a folder marked read-only, even by
    someone whom the mark would not stop.
    """
    try:
        if not folder.stat().st_mode & 0o222:
            return False
    except OSError:
        return False
    try:
        there = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if isinstance(there, dict) and cast(int, there.get("version", 0)) > VERSION:
            return False
    except (OSError, ValueError, TypeError):
        pass
    try:
        handle, scratch = tempfile.mkstemp(dir=folder, prefix=".derived-")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(_to_json(found, key), out)
        os.chmod(scratch, 0o644)
        os.replace(scratch, folder / NAME)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        return False
    return True


def _to_json(found: Derived, key: str) -> dict[str, object]:
    return {
        "version": VERSION,
        "digest": key,
        "rotation": list(found.camera.rotation),
        "translation_mm": list(found.camera.translation_mm),
        "covariance": found.covariance.tolist(),
        "residual_px": found.residual_px,
        "stretches": found.stretches,
        "off_mm": dict(found.off_mm),
        "painted": {
            id: {
                "centre_mm": np.round(line.centre_mm, 4).tolist(),
                "error_mm": np.round(line.error_mm, 4).tolist(),
                "off_mm": np.round(line.off_mm, 4).tolist(),
                "measured": line.measured.tolist(),
                "width_mm": line.width_mm,
                "width_error_mm": line.width_error_mm,
            }
            for id, line in found.painted.items()
        },
    }


def _from_json(got: dict[str, Any], board: Board, lens: Lens) -> Derived:
    rx, ry, rz = (float(v) for v in got["rotation"])
    tx, ty, tz = (float(v) for v in got["translation_mm"])
    painted = {}
    for line in board.lines:
        told = got["painted"][line.id]
        painted[line.id] = PaintedLine(
            line=line,
            centre_mm=np.array(told["centre_mm"], dtype=np.float64).reshape(-1, 2),
            error_mm=np.array(told["error_mm"], dtype=np.float64),
            off_mm=np.array(told["off_mm"], dtype=np.float64),
            measured=np.array(told["measured"], dtype=bool),
            width_mm=float(told["width_mm"]),
            width_error_mm=float(told["width_error_mm"]),
        )
    return Derived(
        camera=Camera(lens=lens, rotation=(rx, ry, rz), translation_mm=(tx, ty, tz)),
        covariance=np.array(got["covariance"], dtype=np.float64).reshape(6, 6),
        painted=painted,
        residual_px=float(got["residual_px"]),
        stretches=int(got["stretches"]),
        off_mm={str(id): float(off) for id, off in got["off_mm"].items()},
    )
