"""Brightness and colour of many pixels at once, drawn from a picture by one map made beforehand."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.lattice.shade import LOG, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Ints = NDArray[np.intp]
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Samples:
    """Which pixels are drawn: `at` (P, N, 2) their columns and rows, int16."""

    at: NDArray[np.int16]

    def of(self, places: Ints) -> "Samples":
        """Those of some places only, in that order."""
        return Samples(at=self.at[places])

    def codes(self, picture: Picture) -> Codes:
        """(P, N, 3) the camera's codes of a picture (H, W, 3), BGR."""
        drawn = cv2.remap(picture, self.at, None, cv2.INTER_NEAREST)  # type: ignore[call-overload]
        return np.asarray(drawn, dtype=np.uint8)


def samples_of(pixels: Ints, width: int) -> Samples:
    """The samples of (P, N) indices into the flattened picture of that width."""
    rows, columns = np.divmod(pixels, width)
    return Samples(at=np.ascontiguousarray(np.stack([columns, rows], axis=-1), dtype=np.int16))


def logs_of(codes: Codes) -> Floats32:
    """(P, N, 3) logarithms of (P, N, 3) codes."""
    return np.asarray(cv2.LUT(codes, _LOG), dtype=np.float32)


def turned(logs: Floats32) -> Floats32:
    """(P, N, 3) brightness, red against blue, and green against both, of (P, N, 3) log codes."""
    return np.asarray(cv2.transform(logs, TURN), dtype=np.float32)


_LOG = LOG.reshape(1, -1)


def ends_of(codes: Codes) -> Floats:
    """(3,) the codes of each channel, of samples (P, N, 3), from which on it tells nothing more.

    Mostly that is 255. Where a picture was made darker after it was taken, or its range cut (as in
    video), the codes end earlier: much is exactly as bright as the brightest, little is less so.
    """
    planes = cv2.split(codes.reshape(len(codes), -1, 3))
    return np.array([_end_of(np.asarray(plane, dtype=np.uint8)) for plane in planes]) - _GRAIN


def _end_of(codes: Codes) -> float:
    """The brightest code of one channel (P, N) if samples pile up there, else the camera's last."""
    most = int(codes.max())
    many = int(np.count_nonzero(codes == most))
    if many <= _FEW:
        return 255.0
    first = max(most - _BEFORE, 0)
    before = cv2.countNonZero(cv2.inRange(codes, first, most - 1)) / max(most - first, 1)
    return float(most) if many > _PILED * before else 255.0


def ended(codes: Codes) -> Codes:
    """(P, N) which samples (P, N, 3) tell no more than that all channels are at least so bright:
    255, or 0."""
    return np.asarray(cv2.inRange(codes, ends_of(codes), np.full(3, 255.0)), dtype=np.uint8)


_FEW, _PILED, _GRAIN = 40, 1.5, 3.0
_BEFORE = 6
