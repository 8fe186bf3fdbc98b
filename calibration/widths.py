"""How wide the lines are painted, to about a tenth of a pixel.

Width is harder than place: a camera's tone curve makes dark lines thinner and bright ones wider.
Most lines are as wide as drawn, so the curve (an exponent) is chosen under which they are; a line
that still differs clearly is painted differently.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.ridges import width_offsets
from calibration.strokes import Stretches
from rules.board import Board

EXPONENTS = (1.0, 2.2)
"""Tone curves tried: the picture's own values, and values raised to these powers."""

FLOOR_PX = 0.1
"""How well a width can be known in spite of the curve."""


def measure_widths(
    picture: NDArray[np.uint8],
    camera: Camera,
    board: Board,
    cut: Stretches,
    good: NDArray[np.bool_],
) -> dict[int, tuple[float, float]]:
    """Width in mm and its standard deviation, by line number, for lines seen well enough.

    A width that does not clearly differ from the drawn one is given as drawn.
    """
    lined = np.flatnonzero(good & (cut.line >= 0))
    if len(lined) < 10:
        return {}
    every = cut.pick(lined[:: max(1, len(lined) // 120)])
    tried = []
    for exponent in EXPONENTS:
        tried.append(_by_line(picture, exponent, camera, every))
    numbers = sorted(set.intersection(*map(set, tried)))
    if not numbers:
        return {}
    middle = [float(np.median([found[n][0] for n in numbers])) for found in tried]
    share = _zero(middle)
    widths = {}
    for number in numbers:
        off_px = float(np.interp(share, np.arange(len(tried)), [t[number][0] for t in tried]))
        noise_px, scale = tried[0][number][1:]
        error_px = float(np.hypot(noise_px, FLOOR_PX))
        drawn = board.lines[number].width_mm
        if abs(off_px) > 4 * error_px:
            widths[number] = (max(0.2, drawn + off_px / scale), error_px / scale)
    return widths


def _zero(middle: list[float]) -> float:
    """Where between the exponents the median width is as drawn; the nearest end if nowhere."""
    for n in range(len(middle) - 1):
        a, b = middle[n], middle[n + 1]
        if a == 0 or a * b < 0:
            return n + a / (a - b)
    return float(np.argmin(np.abs(middle)))


def _by_line(
    picture: NDArray[np.uint8], exponent: float, camera: Camera, cut: Stretches
) -> dict[int, tuple[float, float, float]]:
    """Width minus drawn width in px, its noise, and px per mm, by line number."""
    off, error, scale, good = width_offsets(picture, camera, cut, exponent=exponent)
    found = {}
    for number in np.unique(cut.line):
        mine = good & (cut.line == number)
        if mine.sum() >= 4:
            weight = 1 / error[mine] ** 2
            mean = float(np.average(off[mine], weights=weight))
            spread = float(1.4826 * np.median(np.abs(off[mine] - np.median(off[mine]))))
            noise = max(float(np.sqrt(1 / weight.sum())), spread / np.sqrt(mine.sum()))
            found[int(number)] = (mean, noise, float(np.mean(scale[mine])))
    return found
