"""Makes a table folder step by step: the lens, the board, the pieces (docs/calibration.md).

Each step is tried out on a copy first: a table folder that works is never replaced by one that
does not.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from calibration.camera_file import write_lens
from calibration.damage import TableDamaged
from calibration.derived import NAME as DERIVED
from calibration.lens import LensFit, LensRefused, calibrate_lens
from calibration.sheet import Chessboard, Sheet, View, find_sheet, read_sheet
from calibration.table import Table, load_table
from sightline.complaint import Complaint
from vision.frame import Frame, Picture
from vision.sources import Ended, Lost, SourceError, decode_picture, in_colour, open_source

PICTURES = (".jpg", ".jpeg", ".png")
_SETTLE_FRAMES = 20
_PATIENCE = 5


def pictures_in(named: Sequence[Path]) -> list[Path]:
    """The pictures named, those of folders in the order of their names."""
    found: list[Path] = []
    for path in named:
        if path.is_dir():
            found += sorted(p for p in path.iterdir() if p.suffix.lower() in PICTURES)
        else:
            found.append(path)
    if not found:
        told = ", ".join(map(str, named)) or "no picture"
        raise Complaint(f"{told}: there are no pictures (.jpg, .png); name some, or a folder")
    return found


def sheet_used(table: Path, described: Path | None, chessboard: str | None, square: float) -> Sheet:
    """The printed sheet: a chessboard "8x5" of `square` mm, or a charuco.json."""
    if chessboard is not None:
        try:
            across, down = (int(part) for part in chessboard.lower().split("x"))
        except ValueError:
            told = f"--chessboard {chessboard}: expected inner corners as COLSxROWS, such as 8x5"
            raise Complaint(told) from None
        return Chessboard(corners_x=across, corners_y=down, square_mm=square)
    return read_sheet(described or table / "lens" / "charuco.json")


def fit_lens(
    table: Path, pictures: Sequence[Path], sheet: Sheet
) -> tuple[LensFit | LensRefused, list[str]]:
    """Calibrate the lens; camera.json is written only if it holds. Also says what was unusable."""
    views, unused = [], []
    for file in pictures:
        try:
            picture = decode_picture(file.read_bytes())
        except (OSError, ValueError) as err:
            unused.append(f"{file.name}: {err}")
            continue
        view = find_sheet(picture, sheet, file.name)
        if isinstance(view, View):
            views.append(view)
        else:
            unused.append(f"{file.name}: {view.reason}")
    fit = calibrate_lens(views)
    if isinstance(fit, LensFit):
        table.mkdir(parents=True, exist_ok=True)
        write_lens(fit.lens, table / "camera.json")
    return fit, unused


def set_board(
    table: Path,
    board: Path | None,
    empty: bytes | None,
    corners: Mapping[str, tuple[float, float]] | None,
) -> Table:
    """Put board file, empty picture and clicked corners into the folder, if the board is found."""
    files: dict[str, bytes] = {}
    if board is not None:
        files["board.toml"] = board.read_bytes()
    if empty is not None:
        files["empty.jpg"] = empty
    if corners is not None:
        told = ", ".join(f'"{name}": [{u}, {v}]' for name, (u, v) in corners.items())
        files["corners.json"] = f"{{{told}}}\n".encode()
    return _put(table, files)


def set_pieces(table: Path, teach: bytes | None, places: Path | None) -> Table:
    """Put the teach-in picture and its places into the folder, if they can be used."""
    files: dict[str, bytes] = {}
    if teach is not None:
        files["teach.jpg"] = teach
    if places is not None:
        files["teach.json"] = places.read_bytes()
    loaded = _put(table, files)
    if loaded.teach is None:
        remedy = "name the picture (--picture or --source) and where the pieces lie (--places)"
        raise TableDamaged(table / "teach.jpg", "is missing, and teach.json too", remedy)
    return loaded


def photo(picture: Path | None, source: str | None) -> bytes | None:
    """JPEG bytes of a picture file, or of what a camera shows once it has settled."""
    if picture is not None:
        coded = picture.read_bytes()
        if coded[:2] == b"\xff\xd8":
            return coded
        try:
            return _jpeg(decode_picture(coded))
        except ValueError as err:
            raise Complaint(f"{picture}: {err}; name a whole picture") from err
    if source is None:
        return None
    try:
        taken = _settled(source)
    except SourceError as err:
        raise Complaint(str(err)) from err
    if taken is None:
        raise Complaint(f"{source}: no picture came; try `sightline doctor --source {source}`")
    return taken.jpeg if taken.jpeg is not None else _jpeg(in_colour(taken))


def _settled(source: str) -> Frame | None:
    """A frame from when the camera has set its exposure; the last one of a short recording."""
    last: Frame | None = None
    silent, seen = 0, 0
    with open_source(source) as opened:
        while seen < _SETTLE_FRAMES and silent < _PATIENCE:
            match opened.read(timeout_s=1.0):
                case Frame() as frame:
                    last = frame
                    seen += 1
                case Ended():
                    break
                case Lost() | None:
                    silent += 1
    return last


def _jpeg(picture: Picture) -> bytes:
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 97])
    if not done:
        raise Complaint("the picture could not be written as a JPEG")
    return np.asarray(coded).tobytes()


def _put(table: Path, files: Mapping[str, bytes]) -> Table:
    """Write `files` into the folder, all or none: only if the table loads with them."""
    with _copy_of(table) as trial:
        for name, content in files.items():
            (trial / name).write_bytes(content)
        try:
            load_table(trial)
        except TableDamaged as err:
            raise TableDamaged(table / err.file.name, err.what, err.remedy) from None
        table.mkdir(parents=True, exist_ok=True)
        for name in files:
            shutil.copyfile(trial / name, table / name)
        if (trial / DERIVED).exists():
            shutil.copyfile(trial / DERIVED, table / DERIVED)
    return load_table(table)


@contextmanager
def _copy_of(table: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sightline-") as scratch:
        trial = Path(scratch)
        if table.is_dir():
            for file in table.iterdir():
                if file.is_file() and file.suffix in (".toml", ".json", ".jpg"):
                    shutil.copyfile(file, trial / file.name)
        yield trial
