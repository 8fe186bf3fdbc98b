"""Places measured on drawn pictures whose truth is known."""

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.appearance.light import DIFFUSE, Standing
from vision.appearance.patch import cut
from vision.localisation.stand import WIDE_HUB, Fit, fit


def measure(drawn: list[Drawn], start: tuple[float, float], noise: float = 1.0) -> Fit:
    """Fit the first of `drawn` from a start beside it, the others' places being known."""
    first, *others = drawn
    scene = drawn_scene(drawn, noise)
    piece = Standing(body=first.body, x_mm=start[0], y_mm=start[1])
    beside = [Standing(body=o.body, x_mm=o.x_mm, y_mm=o.y_mm) for o in others]
    patch = cut(scene, piece, beside)
    assert patch is not None
    wide = fit(scene.view, patch, piece, beside, DIFFUSE, rounds=6, hub=WIDE_HUB)
    return fit(scene.view, patch, piece.at(wide.x_mm, wide.y_mm), beside, DIFFUSE, rounds=6)


@pytest.mark.parametrize(
    ("x_mm", "y_mm"),
    [(0.0, 0.0), (-300.0, -380.0), (410.0, 250.0), (-450.0, 460.0)],
    ids=["under the camera", "aside", "to the right", "in the far corner"],
)
@pytest.mark.parametrize(
    ("light", "within_mm"), [(0.02, 0.14), (0.12, 0.1), (0.8, 0.3)], ids=["black", "dark", "white"]
)
def test_a_piece_is_placed_to_a_tenth_of_a_millimetre_if_its_rims_are_not_lit(
    x_mm: float, y_mm: float, light: float, within_mm: float
) -> None:
    """The drawn rims are sharp and mirror nothing; they are taken to be rounded and to mirror."""
    drawn = [Drawn(body=PUCK, x_mm=x_mm, y_mm=y_mm, light=light)]
    found = measure(drawn, (x_mm + 0.5, y_mm - 0.4))
    assert np.hypot(found.x_mm - x_mm, found.y_mm - y_mm) < within_mm
    assert found.explained > 0.8


def test_a_touching_neighbour_does_not_pull() -> None:
    drawn = [
        Drawn(body=PUCK, x_mm=200.0, y_mm=100.0, light=0.1),
        Drawn(body=PUCK, x_mm=230.0, y_mm=100.0, light=0.03),
    ]
    found = measure(drawn, (200.4, 99.7))
    assert np.hypot(found.x_mm - 200.0, found.y_mm - 100.0) < 0.1


def test_a_bare_board_is_no_piece() -> None:
    bare = Drawn(body=PUCK, x_mm=100.0, y_mm=100.0, light=0.4, wall=1.0, gloss=0.0)
    assert measure([bare], (100.0, 100.0)).explained < 0.5


def test_a_grainier_picture_means_a_larger_error() -> None:
    drawn = [Drawn(body=PUCK, x_mm=50.0, y_mm=-60.0, light=0.1)]
    quiet = measure(drawn, (50.0, -60.0), noise=1.0)
    grainy = measure(drawn, (50.0, -60.0), noise=6.0)
    assert np.trace(grainy.covariance) > 2 * np.trace(quiet.covariance)
