"""How a piece beside fingers is measured: by those bearings alone in which its rim shows.

A finger lies over the rim on one side, and its mask leaves a sliver of it out; on the other side
its shadow falls beside the piece, and is masked as if it were the finger.
"""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from numpy.typing import NDArray
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from calibration.relight import to_code, to_light
from vision.appearance.light import DIFFUSE, Standing
from vision.appearance.patch import cut, near_rays
from vision.appearance.scene import Scene
from vision.localisation.between_fingers import cleared
from vision.localisation.stand import Fit, fit

X_MM, Y_MM = 200.0, -140.0
RED, GRAY = (0.4, 0.6, 1.4), (1.0, 1.0, 1.0)
FINGER, SKIN = 90.0, (0.7, 1.0, 1.3)
SHADE = 0.5
FINGER_DEGREES, SHADOW_DEGREES = (30.0, 150.0), (180.0, 350.0)


def between(degrees: NDArray[np.float64], limits: tuple[float, float]) -> NDArray[np.bool_]:
    return np.asarray((degrees % 360 > limits[0]) & (degrees % 360 < limits[1]))


def beside_fingers(colour: tuple[float, float, float] = RED, hand: bool = True) -> Scene:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=X_MM, y_mm=Y_MM, light=0.1)])
    near = near_rays(scene.view, scene.relit.box, Standing(body=PUCK, x_mm=X_MM, y_mm=Y_MM), 30.0)
    assert near is not None
    shape = tuple(side.stop - side.start for side in near.part)
    reach_px = near.reach_px.reshape(shape)
    x, y = (near.foot + np.float32(PUCK.thickness_mm / 2) * near.drift).T
    degrees = np.degrees(np.arctan2(y, x)).reshape(shape)
    seen, hidden = scene.seen.copy(), scene.hidden.copy()
    tint = np.ones((*seen.shape, 3))
    tint[near.part] = np.where((reach_px < 0)[:, :, None], colour, GRAY)
    if hand:
        finger = between(degrees, FINGER_DEGREES) & (reach_px > -1.0)
        shadow = between(degrees, SHADOW_DEGREES)
        board = to_light(scene.board[near.part]) * np.clip(reach_px / 2 + 0.5, 0.0, 1.0)
        shaded = to_code(to_light(seen[near.part]) - (1 - SHADE) * board)
        seen[near.part] = np.where(shadow, shaded, seen[near.part])
        seen[near.part] = np.where(finger, FINGER, seen[near.part])
        tint[near.part] = np.where(finger[:, :, None], SKIN, tint[near.part])
        hidden[near.part] = (finger & (reach_px > 1.0)) | (shadow & (reach_px > -4.0))
    picture = (seen[:, :, None] * tint).astype(np.float32)
    return replace(
        scene, seen=seen, hidden=hidden, relit=replace(scene.relit, picture=picture), hand=hand
    )


def at_first(scene: Scene) -> Fit:
    """Where the piece is taken to stand by all that is not masked."""
    piece = Standing(body=PUCK, x_mm=X_MM + 0.1, y_mm=Y_MM)
    patch = cut(scene, piece, [])
    assert patch is not None
    return fit(scene.view, patch, piece, [], DIFFUSE, rounds=6)


def off_mm(found: Fit) -> float:
    return hypot(found.x_mm - X_MM, found.y_mm - Y_MM)


def test_the_rim_is_found_where_it_shows_in_shade_and_left_alone_where_a_finger_lies_on_it() -> (
    None
):
    scene = beside_fingers()
    found = at_first(scene)
    _, place = cleared(scene, found, Standing(body=PUCK, x_mm=X_MM, y_mm=Y_MM), [], DIFFUSE)
    assert off_mm(found) > 0.12
    assert off_mm(place) < 0.06
    assert place.visible == found.visible


@pytest.mark.parametrize(
    "scene",
    [beside_fingers(hand=False), beside_fingers(colour=GRAY)],
    ids=["no hand touches it", "it has the board's colour"],
)
def test_a_piece_stays_where_it_was_thought_to_be_where(scene: Scene) -> None:
    found = at_first(scene)
    now, place = cleared(scene, found, Standing(body=PUCK, x_mm=X_MM, y_mm=Y_MM), [], DIFFUSE)
    assert now is scene
    assert place is found


def test_a_place_that_comes_out_quite_elsewhere_is_not_believed() -> None:
    scene = beside_fingers()
    found = replace(at_first(scene), x_mm=X_MM - 1.5)
    now, place = cleared(scene, found, Standing(body=PUCK, x_mm=X_MM, y_mm=Y_MM), [], DIFFUSE)
    assert now is scene
    assert place is found
