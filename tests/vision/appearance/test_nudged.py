"""A piece drawn where it stands and a hair aside at once."""

import numpy as np
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.gloss import gloss_of
from vision.appearance.light import Light, Standing
from vision.appearance.nudged import STEP_MM, Nudged, nudges, slopes
from vision.appearance.patch import cut
from vision.appearance.rendering import TIED, design
from vision.appearance.scene import BLUR_PX
from vision.appearance.shading import Shading

PIECE = Standing(body=PUCK, x_mm=20.0, y_mm=-30.0)
LAMP = Light(
    lean=np.array([[0.5, 0.2]]), spread=np.array([0.1]), share=np.array([0.7]), nearness=5e-4
)


def test_three_places_drawn_at_once_look_as_each_drawn_alone() -> None:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=PIECE.x_mm, y_mm=PIECE.y_mm, light=0.4)])
    patch = cut(scene, PIECE, [], margin_px=6.0)
    assert patch is not None
    shading = Shading(scene.view, patch, PIECE, [], LAMP)
    gloss = gloss_of(patch, PIECE, shading)
    places = [PIECE, *nudges(PIECE)]
    kept = [shading.kept(at) for at in places]
    model, moved = Nudged(patch, gloss).drawn(PIECE, LAMP, kept, BLUR_PX, may=TIED)
    for at, light, rows in zip(places, kept, [model.rows, *moved], strict=True):
        alone = design(patch, at, LAMP, light, gloss, BLUR_PX, may=TIED)
        assert np.allclose(rows, alone.rows, atol=1e-3 * np.abs(alone.rows).max())
        assert np.array_equal(model.usual, alone.usual)


def test_slopes_say_how_much_the_picture_changes_for_a_millimetre() -> None:
    rows = np.array([[0.0, 1.0], [2.0, 0.0]], dtype=np.float32)
    along_x = rows + np.array([[STEP_MM, 0.0], [0.0, 0.0]], dtype=np.float32)
    along_y = rows + np.array([[0.0, 0.0], [0.0, 2 * STEP_MM]], dtype=np.float32)
    found = slopes(np.array([3.0, 5.0]), rows, np.stack([along_x, along_y]))
    assert np.allclose(found, [[3.0, 0.0], [0.0, 10.0]], atol=1e-4)
