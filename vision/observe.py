"""What one settled picture shows: pieces with their places, line tests, a hand over the surface."""

import numpy as np

from calibration.relight import relight
from calibration.table import Table
from rules.geometry import Point
from vision.crossings import crossings
from vision.detect import choose, edges_of, find
from vision.frame import Observation, Picture, SeenPiece
from vision.hand import hands
from vision.lattice.read import read_lattice
from vision.line_tests import line_tests
from vision.places import Found, measure
from vision.scene import scene_of
from vision.teaching import taught_of
from vision.view import View, view_of

FLOOR_MM = 0.09
NOISE_TIMES = 2.0
UNEXPLAINED_MM = 8.0
"""What a place's error is made of besides the pose's: measured on the reference tables."""


def observe(picture: Picture, table: Table) -> Observation:
    """All that `picture` (H, W, 3), BGR, shows of `table`: pieces, line tests, hand.

    `Observation.blind` says why, where the picture cannot be read.
    """
    why = _unreadable(picture, table)
    if why is not None:
        return Observation(blind=why)
    if table.board.lattices:
        return read_lattice(picture, table)
    view = view_of(table)
    taught = taught_of(view)
    relit = relight(picture, table.empty, view.box, view.surface)
    edges = edges_of(relit, view.surface)
    guesses = find(view, relit, edges)
    hand = hands(view, relit, edges, guesses, crossings(picture, table))
    scene = scene_of(view, relit, hand.mask, sharpening=taught.sharpening, empty_light=taught.light)
    found, _ = measure(scene, taught, choose(view, guesses))
    pieces = tuple(_seen(view, f) for f in found)
    return Observation(
        pieces=pieces,
        line_tests=line_tests(table, pieces),
        hand=hand.over_surface,
    )


def _unreadable(picture: Picture, table: Table) -> str | None:
    lens = table.camera.lens
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        return "the picture is not in colour"
    if picture.shape[:2] != (lens.height, lens.width):
        height, width = picture.shape[:2]
        camera = f"{lens.width} x {lens.height}"
        return f"the picture is {width} x {height}, but the table's camera takes {camera}"
    return None


def _error_mm(noise: float, pose: float, explained: float) -> float:
    """One standard deviation per axis, from the fit's variance by noise alone and what it leaves.

    Rims are rounded and shine, and light is never known fully: residuals are not noise alone.
    """
    left = UNEXPLAINED_MM * (1 - explained) ** 2
    return float(np.sqrt(NOISE_TIMES**2 * noise + pose**2 + FLOOR_MM**2 + left**2))


def _seen(view: View, found: Found) -> SeenPiece:
    spec = view.pieces[found.look].spec
    pose = view.table.pose_error.at(found.fit.x_mm, found.fit.y_mm, spec.thickness_mm)
    noise = float(np.trace(found.fit.covariance)) / 2
    return SeenPiece(
        kind=spec.kind,
        colour=spec.colour,
        at=Point(found.fit.x_mm, found.fit.y_mm),
        error_mm=_error_mm(noise, pose, found.fit.explained),
        visible=found.fit.visible,
        confidence=float(np.clip(found.fit.explained, 0, 1)),
    )
