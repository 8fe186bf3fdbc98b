"""Which places of a lattice board an arm hides."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.lattice.arms import Arm
from vision.lattice.medians import median
from vision.lattice.sampled import logs_of, turned
from vision.lattice.shade import TURN, Ground, Surfaces
from vision.lattice.shore import Floats32
from vision.lattice.shrunk import FOUR_TIMES, Part, Quarter, quarter_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_CELL = FOUR_TIMES
_SPARSE = 2
"""How much of the colour is usual is told by every so manieth row and column."""
_TINT = 0.025
_TINT_TIMES = 4.0
_EVENED = (3, 3), (5, 5)
"""Another colour tells, as it is and evened out over so many pixels, which leaves less noise: skin
may look much like wood."""
_BRIGHTER, _STEADY, _STEADY_TIMES = 0.25, 0.1, 8.0
_DARKER = 0.7
"""What is so much brighter or darker tells, in log codes; brighter by less in a steady light, which
has changed half the board by less than that divided by so much."""
_OTHERWISE, _SHADED, _WIDELY, _MOSTLY = 3.0, 0.2, (5, 5), 0.5
"""What is brighter by so many times what is usual, evened out over so many pixels, may be a hand:
fingers over wood of their colour. So may what is darker by this: their shadow, which runs along
them. In a light that is not steady, or under another tone curve, whatever differs by so many times
what is usual may be: unknown is not empty. More than this share of the surface no hand hides."""
_CLOSED_MM = 14.0
_MARGIN_MM = 12.0
"""What looks unlike the board joins into one thing over gaps so wide, and hides so much around."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bare:
    """The empty board in a quarter of the picture's size, ready to be compared: `looks` (3, h, w)
    its log codes, turned, in the `part` of the picture that shows the surface and a little more,
    which itself is `inner` (rows, columns) of it; `light` what gives the gain there. `scale_px` is
    how many of its pixels a millimetre spans.
    """

    part: Part
    looks: Floats32
    light: Surfaces
    inner: tuple[slice, slice]
    scale_px: float

    def change(self, now: Quarter, gain: Floats) -> Floats32:
        """(3, h, w) how brightness, red against blue, and green differ in a quarter, but for the
        light."""
        change = self.light.of((gain @ TURN.T).astype(np.float32))
        change += self.looks
        return np.subtract(
            turned(logs_of(now.of(self.part))).transpose(2, 0, 1), change, out=change
        )

    def usual(self, values: Floats32) -> float:
        """The median size of (h, w) values on the surface."""
        some = values[self.inner][::_SPARSE, ::_SPARSE].reshape(-1)
        return float(median(np.abs(some)))


def bare_of(table: Table, ground: Ground) -> Bare:
    """The empty board of `table`."""
    scale, box = _scale(table) / _CELL, ground.box
    around = _CELL * (int((_CLOSED_MM + _MARGIN_MM) * scale) + 1)
    height, width = table.empty.shape[:2]
    part = Part.about(
        (box.v0 - around, box.v1 + around), (box.u0 - around, box.u1 + around), (width, height)
    )
    (u0, v0), (wide, high) = part.origin, part.size(_CELL)
    middle = (_CELL - 1) / 2
    x = np.arange(wide) * float(_CELL) + middle + u0
    y = np.arange(high) * float(_CELL) + middle + v0
    looks = turned(logs_of(quarter_of(table.empty, part).codes))
    return Bare(
        part=part,
        looks=np.ascontiguousarray(looks.transpose(2, 0, 1)),
        light=ground.surfaces(np.clip(x, box.u0, box.u1), np.clip(y, box.v0, box.v1)),
        inner=(
            slice((box.v0 - v0) // _CELL, (box.v1 - v0) // _CELL),
            slice((box.u0 - u0) // _CELL, (box.u1 - u0) // _CELL),
        ),
        scale_px=scale,
    )


def _within(first: int, after: int, size: int) -> slice:
    return slice(max(first, 0), min(after, size))


def hidden(
    picture: Quarter, table: Table, bare: Bare, gain: Floats, found: tuple[Arm, ...]
) -> Bools:
    """(h, w), a quarter of the size of the part that is `bare`'s: what the arms hide, or may hide.

    What looks unlike the board (another colour, brighter, far darker) hides it where it hangs
    together with an arm.
    """
    level, red, green = bare.change(picture, gain)
    brighter = _STEADY_TIMES * bare.usual(level)
    even = cv2.blur(level, _WIDELY)
    otherwise = _OTHERWISE * bare.usual(even)
    steady = brighter <= _STEADY * 3**0.5
    brighter = min(max(brighter, _STEADY * 3**0.5), _BRIGHTER * 3**0.5)
    unlike = (level > brighter) | (level < -_DARKER * 3**0.5)
    for seen in ((red, green), *((cv2.blur(red, over), cv2.blur(green, over)) for over in _EVENED)):
        tint = np.asarray(cv2.magnitude(*seen), dtype=np.float32)
        unlike |= tint > max(_TINT, _TINT_TIMES * bare.usual(tint))
    if steady:
        unlike |= (even > otherwise) | (even < -_SHADED * 3**0.5)
    else:
        wider = _joined(unlike | (np.abs(even) > otherwise), table, bare, found)
        if wider[bare.inner].mean() < _MOSTLY:
            return wider
    return _joined(unlike, table, bare, found)


def _joined(unlike: Bools, table: Table, bare: Bare, found: tuple[Arm, ...]) -> Bools:
    """(h, w) what hangs together of what is `unlike` the board (h, w), joined over small gaps and
    filled, with a place where an arm comes in."""
    scale = bare.scale_px
    joined = cv2.morphologyEx(unlike.view(np.uint8), cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale / 2))
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, _disc(4.0 * scale))
    ways = np.zeros(unlike.shape, dtype=np.uint8)
    at = table.camera.project(np.array([[arm.at.x_mm, arm.at.y_mm, 0.0] for arm in found]))
    at = (at - bare.part.origin) / _CELL
    for (u, v), arm in zip(at.tolist(), found, strict=True):
        reach = max(arm.width_mm / 2 + 6.0, 20.0) * scale
        cv2.circle(ways, (int(u), int(v)), int(reach), 1, -1)
    whole = np.maximum(np.asarray(opened, dtype=np.uint8), ways)
    labels = cv2.connectedComponents(whole, connectivity=8)[1]
    kept: NDArray[np.uint8] = np.zeros(unlike.shape, dtype=np.uint8)
    for label in np.unique(labels[ways > 0]).tolist():
        cv2.bitwise_or(kept, cv2.inRange(labels, label, label), dst=kept)
    u, v, wide, high = cv2.boundingRect(kept)
    around = int((_CLOSED_MM + _MARGIN_MM) * scale) + 2
    rows = _within(v - around, v + high + around, kept.shape[0])
    columns = _within(u - around, u + wide + around, kept.shape[1])
    solid = cv2.morphologyEx(kept[rows, columns], cv2.MORPH_CLOSE, _disc(_CLOSED_MM * scale))
    full = cv2.dilate(_filled(np.asarray(solid, dtype=np.uint8)), _disc(_MARGIN_MM * scale))
    mask = np.zeros(unlike.shape, dtype=np.bool_)
    mask[rows, columns] = full > 0
    return mask


def _filled(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    full = np.zeros_like(mask)
    cv2.drawContours(full, outlines, -1, 1, -1)
    return full


def _disc(radius_px: float) -> NDArray[np.uint8]:
    r = max(round(radius_px), 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1, 2 * r + 1)))


def _scale(table: Table) -> float:
    """Pixels per millimetre at the surface's middle."""
    at = table.camera.project(np.array([[-50.0, 0, 0], [50, 0, 0], [0, -50, 0], [0, 50, 0]]))
    return float((np.hypot(*(at[1] - at[0])) + np.hypot(*(at[3] - at[2]))) / 200)
