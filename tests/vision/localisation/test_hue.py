"""How far a piece's own colour moves what gray light says of its place."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.light import DIFFUSE, Standing
from vision.appearance.scene import Scene
from vision.localisation.hue import FARTHEST_MM, drawn_by_hue
from vision.localisation.stand import Fit

X_MM, Y_MM = 20.0, -30.0
RED, GRAY, BLACK = (0.05, 0.08, 0.4), (0.2, 0.2, 0.2), (0.02, 0.02, 0.02)


@cache
def scene_of_puck(light: tuple[float, float, float]) -> Scene:
    """A puck of `light` (blue, green, red) on a gray board."""
    channels = [drawn_scene([Drawn(body=PUCK, x_mm=X_MM, y_mm=Y_MM, light=c)]) for c in light]
    picture = np.stack([scene.seen for scene in channels], axis=2)
    return replace(channels[1], relit=replace(channels[1].relit, picture=picture))


def drawn(scene: Scene, aside_mm: tuple[float, float]) -> tuple[float, float]:
    """How far a fit that is `aside_mm` of the truth is moved, along x and y."""
    x_mm, y_mm = X_MM + aside_mm[0], Y_MM + aside_mm[1]
    found = Fit(
        x_mm=x_mm, y_mm=y_mm, covariance=np.eye(2), noise=1.0, explained=0.9, left=1.0, visible=1.0
    )
    piece = Standing(body=PUCK, x_mm=x_mm, y_mm=y_mm)
    moved = drawn_by_hue(scene, found, piece, [], DIFFUSE)
    assert (moved.explained, moved.visible, moved.noise) == (0.9, 1.0, 1.0)
    return moved.x_mm - x_mm, moved.y_mm - y_mm


@pytest.mark.parametrize("aside_mm", [(0.3, 0.0), (0.0, -0.3), (-0.2, 0.2)])
def test_a_coloured_piece_goes_a_part_of_the_way_to_where_its_colour_is(
    aside_mm: tuple[float, float],
) -> None:
    moved = np.array(drawn(scene_of_puck(RED), aside_mm))
    gone = -float(moved @ aside_mm) / float(np.dot(aside_mm, aside_mm))
    assert 0.1 < gone < 0.9
    assert np.hypot(*(moved + gone * np.array(aside_mm))) < 0.05


@pytest.mark.parametrize("light", [GRAY, BLACK], ids=["gray", "black"])
def test_a_piece_without_a_colour_stays_where_gray_light_puts_it(
    light: tuple[float, float, float],
) -> None:
    assert drawn(scene_of_puck(light), (0.3, 0.0)) == (0.0, 0.0)


def test_colour_moves_a_piece_by_no_more_than_a_share_of_the_farthest() -> None:
    assert np.hypot(*drawn(scene_of_puck(RED), (2.0, 0.0))) < FARTHEST_MM


def test_the_grainier_colour_is_the_less_of_a_say_it_has() -> None:
    scene = scene_of_puck(RED)
    grain = np.random.default_rng(2).normal(0, 6.0, scene.relit.picture.shape)
    picture = np.clip(scene.relit.picture + grain, 0, 255).astype(np.float32)
    grainy = replace(scene, relit=replace(scene.relit, picture=picture))
    assert abs(drawn(grainy, (0.3, 0.0))[0]) < 0.7 * abs(drawn(scene, (0.3, 0.0))[0])


def test_a_piece_that_a_hand_covers_stays_where_it_was_thought_to_be() -> None:
    scene = scene_of_puck(RED)
    covered = replace(scene, hidden=np.ones_like(scene.hidden))
    assert drawn(covered, (0.3, 0.0)) == (0.0, 0.0)
