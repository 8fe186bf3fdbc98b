"""How far a close look moves what a wider one says of a piece's place."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.light import DIFFUSE, Standing
from vision.appearance.patch import near_rays
from vision.appearance.scene import Scene
from vision.localisation.closely import MARGIN_PX, SHARE, closely
from vision.localisation.stand import Fit

X_MM, Y_MM = 200.0, -140.0


def moved(scene: Scene, aside_mm: tuple[float, float]) -> np.ndarray:
    """(2,) how far a fit that is `aside_mm` of the truth is moved, along x and y."""
    x_mm, y_mm = X_MM + aside_mm[0], Y_MM + aside_mm[1]
    found = Fit(
        x_mm=x_mm, y_mm=y_mm, covariance=np.eye(2), noise=1.0, explained=0.9, left=1.0, visible=1.0
    )
    near = closely(scene, found, Standing(body=PUCK, x_mm=x_mm, y_mm=y_mm), [], DIFFUSE)
    assert (near.explained, near.visible, near.noise) == (0.9, 1.0, 1.0)
    return np.array([near.x_mm - x_mm, near.y_mm - y_mm])


def puck() -> Scene:
    return drawn_scene([Drawn(body=PUCK, x_mm=X_MM, y_mm=Y_MM, light=0.1)])


@pytest.mark.parametrize("aside_mm", [(0.3, 0.0), (0.0, -0.3), (-0.2, 0.2)])
def test_a_piece_goes_most_of_the_way_to_where_it_is_seen_closely(
    aside_mm: tuple[float, float],
) -> None:
    scene = puck()
    gone = moved(scene, (0.0, 0.0)) - moved(scene, aside_mm)
    share = float(gone @ aside_mm) / float(np.dot(aside_mm, aside_mm))
    assert 0.4 < share < SHARE + 0.15


def test_what_darkens_the_board_a_little_farther_off_has_no_say() -> None:
    scene = puck()
    piece = Standing(body=PUCK, x_mm=X_MM, y_mm=Y_MM)
    near = near_rays(scene.view, scene.relit.box, piece, 6.0)
    assert near is not None
    beyond = (near.reach_px > MARGIN_PX + 0.5) & (near.foot[:, 0] > 0)
    high, wide = (side.stop - side.start for side in near.part)
    seen = scene.seen.copy()
    seen[near.part] *= np.where(beyond, 0.7, 1.0).reshape(high, wide).astype(np.float32)
    np.testing.assert_allclose(
        moved(replace(scene, seen=seen), (0.1, 0.1)), moved(scene, (0.1, 0.1)), atol=0.01
    )


def test_a_place_that_is_seen_quite_elsewhere_is_not_believed() -> None:
    assert moved(puck(), (1.5, 0.0)).tolist() == [0.0, 0.0]


def test_a_piece_that_a_hand_covers_stays_where_it_was_thought_to_be() -> None:
    scene = puck()
    covered = replace(scene, hidden=np.ones_like(scene.hidden))
    assert moved(covered, (0.3, 0.0)).tolist() == [0.0, 0.0]
