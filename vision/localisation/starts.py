"""From where a fit may begin: a guess may have taken a piece's foot for its top, or come near."""

from math import hypot

import numpy as np

from calibration.camera import Camera
from rules.geometry import Point
from vision.appearance.light import Standing
from vision.localisation.stand import Fit

_ASIDE_MM = 1.2
_OTHER_MM = 0.8
"""Fits that begin nearer to each other end alike."""


def apart_mm(one: Standing | Fit, other: Standing | Fit) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def top_or_foot(camera: Camera, me: Standing, at: Point) -> list[Standing]:
    """`me` at a place, where it would stand if that is its foot's edge, and if its foot shows so.

    These lie as far apart as its top seems shifted against its foot, as seen on the board.
    """
    top = np.array([[me.x_mm, me.y_mm, me.body.thickness_mm]])
    foot = camera.to_plane(camera.project(top), 0.0)[0]
    lean = (float(foot[0] - me.x_mm), float(foot[1] - me.y_mm))
    return [me.at(at.x_mm + k * lean[0], at.y_mm + k * lean[1]) for k in (0.0, -1.0, 1.0)]


def about(me: Standing) -> list[Standing]:
    """A little to each side of `me`."""
    aside = ((_ASIDE_MM, 0.0), (-_ASIDE_MM, 0.0), (0.0, _ASIDE_MM), (0.0, -_ASIDE_MM))
    return [me.at(me.x_mm + x_mm, me.y_mm + y_mm) for x_mm, y_mm in aside]


def others_than(me: Standing, starts: list[Standing]) -> list[Standing]:
    """Those of `starts` from which a fit may end elsewhere than from `me`."""
    return [start for start in starts if apart_mm(start, me) > _OTHER_MM]
