"""What a piece's colour does to gray light where it and the board meet.

A pixel mixes light, then each colour is coded by itself, and gray is the sum of the codes. So half
a pixel of red and half of white are brighter in gray than half-way between the two. And a wall
throws light of its own colour on the board beside it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from calibration.camera import Floats
from calibration.silhouette import Floats32

GRAY = np.array([0.114, 0.587, 0.299], dtype=np.float32)
"""What blue, green and red codes count for in a gray one (ITU-R BT.601)."""

_POWER = 2.4
_WHITEST = 0.7
"""What the brightest thing of a table throws back of the light that falls on it."""

_LEAST = 1e-4
_PARTS = np.linspace(0, 1, 33)


class Colours(NamedTuple):
    """`top`: gray light 0..100 of a piece's top; `excess`: how much brighter than the sum of its
    parts a pixel is by the piece's part in its light, at `_PARTS`."""

    top: float
    excess: Floats

    def mixed(self, piece: Floats32, board: Floats32) -> Floats32:
        """(N,) how much brighter pixels are than the light of `piece` and `board` in them."""
        whole = piece + board
        part = piece / np.maximum(whole, np.float32(1e-6))
        return np.asarray(whole * np.interp(part, _PARTS, self.excess), dtype=np.float32)


def gray_light(light: Floats) -> Floats:
    """(...,) light that a gray code tells of where (..., 3) shines, in the codes' power law."""
    return np.asarray((np.maximum(light, 0) ** (1 / _POWER) @ GRAY) ** _POWER, dtype=np.float64)


def albedos(lights: Sequence[Floats]) -> list[Floats]:
    """What things throw back of each colour of light (3,), by the light (3,) that they show."""
    whitest = max(float(gray_light(light)) for light in lights)
    return [_WHITEST * light / max(whitest, 1e-6) for light in lights]


def colours_of(top: Floats, board: Floats, hue: Floats | None) -> Colours:
    """Of a piece whose top shows `top` (3,) on a board that shows `board` (3,) of light, 0..1.

    With a `hue` they are looked at in light itself, in which nothing mixes wrongly.
    """
    if hue is not None:
        return Colours(0.0, np.zeros(len(_PARTS)))
    top, board = np.maximum(top, _LEAST), np.maximum(board, _LEAST)
    of_top, of_board = float(gray_light(top)), float(gray_light(board))
    mixed = gray_light(_PARTS[:, None] * top / of_top + (1 - _PARTS[:, None]) * board / of_board)
    return Colours(100 * of_top, mixed - 1)


def gray_share(board: Floats) -> Floats:
    """(3,) how much gray light grows with each colour's share of the light of `board` (3,)."""
    each = GRAY * np.maximum(board, _LEAST) ** (1 / _POWER)
    return np.asarray(each / each.sum(), dtype=np.float64)
