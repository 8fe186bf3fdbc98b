"""Where a hand may be near."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.scene import Scene

AT_MM = (-200.0, 150.0)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return drawn_scene([Drawn(body=PUCK, x_mm=AT_MM[0], y_mm=AT_MM[1], light=0.05)])


def test_a_hand_is_about_where_it_is_seen_to_hide_the_board(scene: Scene) -> None:
    hidden = np.zeros_like(scene.hidden)
    hidden[:3, :3] = True
    handed = replace(scene, hidden=hidden, hand=True)
    assert handed.hand_about(*AT_MM)
    assert not handed.hand_about(AT_MM[0] + 500, AT_MM[1] - 500)


def test_a_hand_that_is_not_told_from_wood_may_be_anywhere(scene: Scene) -> None:
    handed = replace(scene, hidden=np.zeros_like(scene.hidden), hand=True)
    assert handed.hand_about(*AT_MM)
    assert not scene.hand_about(*AT_MM)
