"""How blurred a piece is seen, told by what is left over of it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.focus import blur_px
from vision.light import DIFFUSE, Standing
from vision.rendering import BLUR_PX
from vision.scene import Scene

PIECE = Standing(body=PUCK, x_mm=150.0, y_mm=-200.0)


def puck(light: float, out_of_focus_px: float = 0.0) -> Scene:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=150.0, y_mm=-200.0, light=light)])
    if not out_of_focus_px:
        return scene
    seen = cv2.GaussianBlur(scene.seen, (0, 0), out_of_focus_px)
    return replace(scene, seen=np.asarray(seen, dtype=np.float32))


@pytest.mark.parametrize("light", [0.02, 0.1, 0.8], ids=["black", "dark", "white"])
def test_a_piece_in_focus_is_sharp(light: float) -> None:
    assert blur_px(puck(light), PIECE, [], DIFFUSE) == BLUR_PX


@pytest.mark.parametrize(("out_px", "least", "most"), [(1.0, 1.0, 1.4), (2.0, 1.4, 2.8)])
def test_a_piece_out_of_focus_is_as_blurred_as_it_looks(
    out_px: float, least: float, most: float
) -> None:
    assert least <= blur_px(puck(0.1, out_px), PIECE, [], DIFFUSE) <= most


def test_a_piece_that_is_a_little_elsewhere_is_not_taken_for_blurred() -> None:
    aside = PIECE.at(PIECE.x_mm + 0.2, PIECE.y_mm - 0.1)
    assert blur_px(puck(0.1), aside, [], DIFFUSE) == BLUR_PX


def test_of_a_piece_that_a_hand_covers_no_blur_is_told() -> None:
    scene = puck(0.1, 2.0)
    covered = replace(scene, hidden=np.ones_like(scene.hidden))
    assert blur_px(covered, PIECE, [], DIFFUSE) == BLUR_PX
