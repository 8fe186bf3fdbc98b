"""Whether the board about a piece is seen as sharply as in its own picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.scene import Scene
from vision.localisation.board_focus import board_is_sharp

X_MM, Y_MM = 150.0, -200.0


def beside_a_piece(*, grain: float, out_of_focus_px: float = 0.0, hidden: bool = False) -> Scene:
    """A piece on a board whose grain has a spread of so many codes."""
    scene = drawn_scene([Drawn(body=PUCK, x_mm=X_MM, y_mm=Y_MM, light=0.5)])
    draw = np.random.default_rng(7)
    shape = scene.seen.shape
    wood = cv2.GaussianBlur(draw.normal(0.0, 1.0, shape), (0, 0), 0.8)
    wood *= grain / wood.std()
    seen = scene.seen + wood
    if out_of_focus_px:
        seen = cv2.GaussianBlur(seen, (0, 0), out_of_focus_px)
    seen += draw.normal(0.0, 1.0, shape)
    return replace(
        scene,
        view=replace(scene.view, surface=np.ones(shape, dtype=np.bool_)),
        seen=seen.astype(np.float32),
        board=(scene.board + wood).astype(np.float32),
        hidden=np.full(shape, hidden),
    )


def is_sharp(scene: Scene) -> bool:
    return board_is_sharp(scene, [(X_MM, Y_MM, PUCK.radius_mm)], X_MM, Y_MM)


@pytest.mark.parametrize("grain", [8.0, 12.0])
def test_a_board_that_shows_its_grain_is_sharp(grain: float) -> None:
    assert is_sharp(beside_a_piece(grain=grain))


@pytest.mark.parametrize("out_px", [0.6, 1.0, 2.0])
def test_a_board_out_of_focus_is_not(out_px: float) -> None:
    assert not is_sharp(beside_a_piece(grain=12.0, out_of_focus_px=out_px))


def test_a_bare_or_hidden_board_tells_nothing() -> None:
    assert not is_sharp(beside_a_piece(grain=0.3))
    assert not is_sharp(beside_a_piece(grain=12.0, hidden=True))


def test_what_stands_all_about_tells_nothing_of_the_board() -> None:
    scene = beside_a_piece(grain=12.0)
    crowd = [(X_MM + dx, Y_MM + dy, 25.0) for dx in (-40, 0, 40) for dy in (-40, 0, 40)]
    assert not board_is_sharp(scene, crowd, X_MM, Y_MM)
