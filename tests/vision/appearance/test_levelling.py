"""The empty board beside each piece as bright as it is seen there."""

from dataclasses import replace

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from calibration.relight import to_code, to_light
from vision.appearance.levelling import levelled
from vision.appearance.light import DIFFUSE, Light, Standing
from vision.appearance.scene import Scene

AT = Standing(body=PUCK, x_mm=-200.0, y_mm=150.0)
DRAWN = Drawn(body=PUCK, x_mm=AT.x_mm, y_mm=AT.y_mm, light=0.05)


@pytest.fixture(scope="module")
def even() -> Scene:
    return drawn_scene([DRAWN])


def fading(scene: Scene, bearing_deg: float, per_px: float = 0.004) -> Scene:
    """`scene` with a lamp's reflection in its empty board, which fades across the piece."""
    rows, columns = np.mgrid[-45:45, -45:45]
    turn = np.radians(bearing_deg)
    fades = 1 + per_px * (columns * np.cos(turn) + rows * np.sin(turn))
    board = to_code(to_light(scene.board) * fades)
    return replace(scene, board=board.astype(np.float32))


def farthest(one: Scene, other: Scene) -> float:
    """Codes between the two boards a pixel or two beside the piece, at most."""
    rows, columns = np.mgrid[-45:45, -45:45]
    about = np.abs(np.hypot(rows, columns) - 16) < 2
    return float(np.abs(one.board - other.board)[about].max())


@pytest.mark.parametrize("bearing_deg", [0, 90, 225])
def test_a_lamp_that_only_the_empty_board_mirrors_is_taken_off_about_a_piece(
    even: Scene,
    bearing_deg: int,
) -> None:
    seen = fading(even, bearing_deg)
    assert farthest(levelled(seen, [AT], [], DIFFUSE), even) < 0.35 * farthest(seen, even)


def test_a_board_that_is_as_bright_as_held_stays_as_it_is(even: Scene) -> None:
    assert farthest(levelled(even, [AT], [], DIFFUSE), even) < 1.0


def test_the_shadow_of_a_piece_is_no_fading_of_the_board(even: Scene) -> None:
    """Where shadow is said to fall nothing is read of the board."""
    lamp = Light(
        lean=np.array([[1.2, 0.0]]), spread=np.array([0.05]), share=np.array([0.9]), nearness=0.0
    )
    rows, columns = np.mgrid[-45:45, -45:45]
    shadow = (np.hypot(rows, columns + 7) < 16) & (np.hypot(rows, columns) > 13)
    dark = replace(even, seen=np.where(shadow, 0.5 * even.seen, even.seen).astype(np.float32))
    assert farthest(levelled(dark, [AT], [], lamp), even) < 2.0


def test_where_next_to_nothing_is_seen_of_the_board_it_is_left_alone(even: Scene) -> None:
    covered = replace(fading(even, 0), hidden=np.ones_like(even.hidden))
    assert farthest(levelled(covered, [AT], [], DIFFUSE), covered) == 0.0


def test_without_pieces_the_board_is_left_alone(even: Scene) -> None:
    assert levelled(even, [], [AT], DIFFUSE) is even
