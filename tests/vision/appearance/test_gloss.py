"""What gloss adds to a piece: its wall mirrors the board, its rims the lamps."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from calibration.camera import Floats
from calibration.silhouette import Floats32
from vision.appearance.gloss import Gloss, gloss_of
from vision.appearance.light import DIFFUSE, Light, Standing, lit
from vision.appearance.parts import Regions, regions
from vision.appearance.patch import Patch, cut
from vision.appearance.shading import Shading

LEAN = 0.8
SPOT = Light(
    lean=np.array([[LEAN, 0.0]]), spread=np.array([0.1]), share=np.array([0.9]), nearness=0.0
)
"""A lamp on the right, of which shadows run to the left."""

Seen = tuple[Patch, Regions, Gloss, Floats32]


RED = (0.03, 0.03, 0.4)
RED_LIGHT = np.array([0.0, 0.0, 1.0])
NO_LEAN = np.zeros((0, 2), dtype=np.float32)


def seen(
    x_mm: float,
    y_mm: float,
    light: Light = SPOT,
    beside: tuple[Standing, ...] = (),
    hue: Floats | None = None,
) -> Seen:
    """The patch about a puck, what of it each pixel shows, its gloss, and what light is kept."""
    scene = drawn_scene([Drawn(body=PUCK, x_mm=x_mm, y_mm=y_mm, light=0.1)])
    piece = Standing(body=PUCK, x_mm=x_mm, y_mm=y_mm, paint=RED)
    patch = cut(scene, piece, beside, margin_px=6.0, hue=hue)
    assert patch is not None
    shading = Shading(scene.view, patch, piece, beside, light)
    shown = regions(patch, PUCK, x_mm, y_mm, 0.65)
    return patch, shown, gloss_of(patch, piece, shading), shading.kept(piece)


def mean(values: Floats32, where: Floats32) -> float:
    return float((values * where).sum() / where.sum())


def test_a_wall_seen_at_a_grazing_angle_mirrors_more_of_the_board_than_one_seen_from_aside() -> (
    None
):
    patch, shown, gloss, _ = seen(60.0, 0.0, DIFFUSE)
    _, aside_shown, aside, _ = seen(480.0, 0.0, DIFFUSE)
    steep, flat = mean(gloss.wall, shown.wall), mean(aside.wall, aside_shown.wall)
    assert flat < steep < float(np.median(patch.board))
    assert 0.04 < flat / float(np.median(patch.board)) < 0.5


def test_a_wall_that_looks_into_its_own_shadow_mirrors_hardly_any_light() -> None:
    """The camera stands in the middle: it sees the walls that look towards it."""
    _, shown, lit, _ = seen(-400.0, 0.0)
    _, dark_shown, dark, _ = seen(400.0, 0.0)
    assert mean(dark.wall, dark_shown.wall) < 0.5 * mean(lit.wall, shown.wall)


def test_a_wall_mirrors_less_where_a_neighbour_hides_the_board() -> None:
    neighbour = Standing(body=PUCK, x_mm=-370.0, y_mm=0.0)
    _, shown, alone, _ = seen(-401.0, 0.0)
    _, near_shown, near, _ = seen(-401.0, 0.0, beside=(neighbour,))
    assert mean(near.wall, near_shown.wall) < mean(alone.wall, shown.wall)


@pytest.mark.parametrize(("x_mm", "y_mm"), [(0.0, 0.0), (-300.0, 250.0), (420.0, -380.0)])
def test_the_rim_glints_towards_the_lamp_and_the_hole_on_its_far_side(
    x_mm: float, y_mm: float
) -> None:
    _, shown, gloss, _ = seen(x_mm, y_mm)
    right = np.asarray(shown.cos > 0.5, dtype=np.float32)
    left = np.asarray(shown.cos < -0.5, dtype=np.float32)
    assert mean(gloss.bevel, shown.bevel * right) > 5 * mean(gloss.bevel, shown.bevel * left)
    assert mean(gloss.lip, shown.lip * left) > 5 * mean(gloss.lip, shown.lip * right)


def test_a_wall_throws_light_on_the_board_most_of_it_on_the_lamps_side() -> None:
    patch, shown, gloss, _ = seen(0.0, 0.0)
    foot = patch.foot * shown.outside[:, None]
    right = np.asarray(foot[:, 0] > PUCK.radius_mm + 0.5, dtype=np.float32)
    left = np.asarray(foot[:, 0] < -PUCK.radius_mm - 0.5, dtype=np.float32)
    assert mean(gloss.board, right) > 3 * mean(gloss.board, left) > 0


def test_what_a_red_wall_throws_on_the_board_is_red() -> None:
    _, shown, gloss, _ = seen(0.0, 0.0)
    _, _, red, _ = seen(0.0, 0.0, hue=RED_LIGHT)
    beside = np.asarray(shown.outside > 0.99, dtype=np.float32)
    assert mean(red.board, beside) > 2 * mean(gloss.board, beside)


def test_the_wall_fills_half_of_what_board_at_its_foot_sees_and_less_farther_off() -> None:
    patch, _, gloss, _ = seen(0.0, 0.0, DIFFUSE, hue=RED_LIGHT)
    beside = np.hypot(*patch.foot.T) - PUCK.radius_mm
    share = gloss.board / patch.throws
    on_wall = float(lit(np.ones(1, np.float32), np.zeros(1, np.float32), 0.0, DIFFUSE, NO_LEAN)[0])
    near, far = np.abs(beside) < 0.3, beside > 4.0
    assert 0.4 * on_wall < np.median(share[near]) < 0.5 * on_wall
    assert share[far].max() < 0.25 * on_wall


def test_a_rim_mirrors_more_of_the_board_where_it_turns_away_from_the_camera() -> None:
    patch, shown, gloss, _ = seen(480.0, 0.0, DIFFUSE)
    towards = np.asarray(shown.cos < -0.7, dtype=np.float32)
    away = np.asarray(shown.cos > 0.7, dtype=np.float32)
    assert mean(gloss.rim, away) > mean(gloss.rim, towards) > 0
    assert gloss.rim.max() < 0.3 * float(np.median(patch.board))


def test_a_rim_over_its_own_shadow_mirrors_less_of_the_board() -> None:
    low = replace(SPOT, lean=np.array([[3.0, 0.0]]))
    _, shown, gloss, _ = seen(0.0, 0.0, low)
    right = np.asarray(shown.cos > 0.7, dtype=np.float32)
    left = np.asarray(shown.cos < -0.7, dtype=np.float32)
    assert mean(gloss.rim, left) < 0.6 * mean(gloss.rim, right)


def test_without_lamps_nothing_glints() -> None:
    _, _, gloss, _ = seen(100.0, 100.0, DIFFUSE)
    assert not gloss.bevel.any()
    assert not gloss.lip.any()


def test_the_board_at_the_foot_keeps_its_light_on_the_lamps_side() -> None:
    """What is seen there of a pixel lies beside the piece, though its middle may lie beneath."""
    patch, _, _, kept = seen(0.0, 0.0)
    length = np.hypot(*patch.foot.T)
    at_foot = np.abs(length - PUCK.radius_mm) < 0.5
    lit = at_foot & (patch.foot[:, 0] > 0.8 * PUCK.radius_mm)
    shaded = at_foot & (patch.foot[:, 0] < -0.8 * PUCK.radius_mm)
    assert kept[lit].min() > 0.8
    assert kept[shaded].max() < 0.3
