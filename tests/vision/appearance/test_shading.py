"""The border's shadow on the top of a piece beside it."""

import cv2
import numpy as np
import pytest
from testkit.reference_tables import TABLES, reference_table

from calibration.relight import relight
from calibration.sharpening import Sharpness
from vision.appearance.light import DIFFUSE, Light, Standing
from vision.appearance.patch import Patch, cut
from vision.appearance.scene import Scene, scene_of
from vision.appearance.shading import shaded_top
from vision.appearance.view import view_of

TABLE = "qsquare-melamine"
FOLDER = TABLES / TABLE
LOW_IN_THE_NORTH = Light(
    lean=np.array([[0.0, 2.0]]), spread=np.array([0.1]), share=np.array([0.8]), nearness=0.0
)

SHARP = Sharpness(amount=0.0, blur_px=0.65)


@pytest.fixture(scope="module")
def scene() -> Scene:
    table = reference_table(TABLE)
    picture = np.asarray(cv2.imread(str(FOLDER / "stills" / "002.jpg")), dtype=np.uint8)
    view = view_of(table)
    relit = relight(picture, table.empty, view.box, view.surface)
    return scene_of(view, relit, np.zeros(view.surface.shape, dtype=np.bool_), sharpness=SHARP)


def shaded(scene: Scene, from_border_mm: float, light: Light) -> tuple[Patch, Standing]:
    """The patch of a puck whose middle lies so far from the border in the north."""
    body = next(look.body for look in scene.view.pieces if look.spec.kind == "puck")
    y_mm = scene.view.cushions.half_y_mm - from_border_mm
    piece = Standing(body=body, x_mm=0.0, y_mm=y_mm)
    patch = cut(scene, piece, ())
    assert patch is not None
    return shaded_top(scene.view, patch, piece, light), piece


def test_the_border_shades_the_near_part_of_a_top(scene: Scene) -> None:
    patch, piece = shaded(scene, 17.0, LOW_IN_THE_NORTH)
    north_mm = patch.foot[:, 1] + piece.body.thickness_mm * patch.drift[:, 1]
    reach_mm = 2.0 * (scene.view.cushions.height_mm - piece.body.thickness_mm)
    in_shade = north_mm > 17.0 - reach_mm + 3.0
    in_light = north_mm < 17.0 - reach_mm - 3.0
    assert in_shade.any()
    assert in_light.any()
    assert patch.top_lit[in_shade].max() < 0.35
    assert patch.top_lit[in_light].min() > 0.95


@pytest.mark.parametrize(
    ("from_border_mm", "light"),
    [(200.0, LOW_IN_THE_NORTH), (17.0, DIFFUSE)],
    ids=["far from the border", "no lamp is known"],
)
def test_other_tops_keep_their_light(scene: Scene, from_border_mm: float, light: Light) -> None:
    patch, _ = shaded(scene, from_border_mm, light)
    assert (patch.top_lit == 1).all()
