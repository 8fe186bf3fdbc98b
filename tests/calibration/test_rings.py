"""Rings turned into a piece's top, learned from a drawn picture."""

import numpy as np

from calibration.camera import Camera, Lens
from calibration.relight import Floats32
from calibration.rings import learn_rings
from calibration.silhouette import Body

CAMERA = Camera(
    lens=Lens(width=640, height=480, fx=900.0, fy=900.0, cx=320.0, cy=240.0, dist=(0.0,) * 5),
    rotation=(3.14159 - 0.1, 0.0, 0.0),
    translation_mm=(0.0, 0.0, 700.0),
)
MAN = Body(radius_mm=15.5, thickness_mm=8.0)
PLACES = [np.array([-60.0, 20.0]), np.array([50.0, -45.0])]


def drawn(depth: float, slope: float = 0.0) -> Floats32:
    """(480, 640) light of two pieces with a dark ring at 9 mm, lit from one side by `slope`."""
    grid = np.stack(np.meshgrid(np.arange(640.0), np.arange(480.0)), axis=-1).reshape(-1, 2)
    top = CAMERA.to_plane(grid, MAN.thickness_mm)
    light = np.full(len(top), 0.6)
    for at in PLACES:
        off = top - at
        reach = np.hypot(*off.T)
        ring = 1 - depth * np.exp(-0.5 * ((reach - 9.0) / 0.8) ** 2)
        light = np.where(reach < MAN.radius_mm, 0.2 * ring * (1 + slope * off[:, 0] / 15), light)
    return light.reshape(480, 640).astype(np.float32)


def test_a_ring_is_found_where_it_was_turned() -> None:
    rings = learn_rings(CAMERA, drawn(0.3), 0, 0, MAN, PLACES)
    assert rings is not None
    assert abs(rings.radii_mm[np.argmin(rings.relative)] - 9.0) < 0.3
    assert rings.relative.min() < -0.15


def test_light_from_one_side_is_no_ring() -> None:
    assert learn_rings(CAMERA, drawn(0.0, slope=0.4), 0, 0, MAN, PLACES) is None


def test_a_smooth_top_has_no_rings() -> None:
    assert learn_rings(CAMERA, drawn(0.0), 0, 0, MAN, PLACES) is None


def test_a_piece_that_was_not_taught_has_no_rings() -> None:
    assert learn_rings(CAMERA, drawn(0.3), 0, 0, MAN, []) is None
