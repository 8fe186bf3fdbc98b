"""Reads the pictures of a table folder, and refuses torn ones: many decode without an error."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.damage import TableDamaged

Picture = NDArray[np.uint8]
_REMEDY = "take the picture again from the fixed camera"
_BLANK_ROWS = 8


def read_picture(file: Path, width: int, height: int) -> Picture:
    """(height, width, 3) BGR uint8 of the picture in `file`.

    `TableDamaged` where it is missing, torn, empty or not of this size.
    """
    try:
        coded = file.read_bytes()
    except FileNotFoundError:
        raise TableDamaged(file, "is missing", _REMEDY) from None
    except OSError as err:
        raise TableDamaged(file, f"cannot be read ({err.strerror})", _REMEDY) from err
    if not coded:
        raise TableDamaged(file, "is empty", _REMEDY)
    if coded[:2] == b"\xff\xd8" and b"\xff\xd9" not in coded[-64:]:
        raise TableDamaged(file, "is torn: the end of the JPEG is missing", _REMEDY)
    decoded = cv2.imdecode(np.frombuffer(coded, dtype=np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        raise TableDamaged(file, "is no picture that can be read", _REMEDY)
    picture = np.asarray(decoded, dtype=np.uint8)
    if picture.shape[:2] != (height, width):
        seen = f"{picture.shape[1]} x {picture.shape[0]}"
        what = f"is {seen} pixels, but camera.json is of a {width} x {height} camera"
        raise TableDamaged(file, what, _REMEDY)
    blank = blank_rows(picture)
    if blank >= _BLANK_ROWS:
        what = f"is torn: its last {blank} rows hold nothing"
        raise TableDamaged(file, what, _REMEDY)
    return picture


def blank_rows(picture: Picture) -> int:
    """How many rows at the foot are one even grey, as a decoder fills what is missing of a JPEG."""
    rows = picture.reshape(picture.shape[0], -1)
    blank = 0
    for row in rows[::-1]:
        if row.min() < 126 or row.max() > 130:
            break
        blank += 1
    return blank
