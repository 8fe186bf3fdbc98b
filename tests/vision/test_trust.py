"""How far pixels are believed, and what comes of it for a place."""

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn
from testkit.drawn_scene import PUCK, drawn_scene

from vision.light import DIFFUSE, Standing
from vision.stand import Fit
from vision.trust.net import Net, trained
from vision.trust.settle import settle

MAPS = trained().kernels[0].shape[1] // 9


def silent() -> Net:
    """A network that believes all pixels alike and takes nothing off."""
    taught = trained()
    kernels = (*taught.kernels[:-1], np.zeros_like(taught.kernels[-1]))
    return Net(kernels=kernels, offsets=(*taught.offsets[:-1], np.zeros_like(taught.offsets[-1])))


def shouting() -> Net:
    """A network that takes off of every residual what another piece would leave."""
    taught = trained()
    rng = np.random.default_rng(4)
    last = rng.normal(0, 40, taught.kernels[-1].shape).astype(np.float32)
    last[0] = 0
    return Net(kernels=(*taught.kernels[:-1], last), offsets=taught.offsets)


def fit_at(x_mm: float, y_mm: float) -> Fit:
    return Fit(x_mm=x_mm, y_mm=y_mm, covariance=np.eye(2), noise=1.0, explained=0.9, visible=1.0)


def settled(net: Net | None, start: tuple[float, float], light: float = 0.1) -> Fit:
    scene = drawn_scene([Drawn(body=PUCK, x_mm=20.0, y_mm=-30.0, light=light)])
    piece = Standing(body=PUCK, x_mm=start[0], y_mm=start[1])
    return settle(scene, fit_at(*start), piece, [], DIFFUSE, net)


def test_what_is_said_of_a_pixel_does_not_depend_on_the_frame_about_it() -> None:
    maps = np.random.default_rng(1).normal(size=(MAPS, 30, 34)).astype(np.float32)
    there = np.hypot(*np.mgrid[-15:15, -17:17]) < 14
    maps *= there
    maps[-1] = there
    wide = np.pad(maps, ((0, 0), (9, 6), (4, 11)))
    for near, far in zip(trained()(maps), trained()(wide), strict=True):
        inside = far[9:39, 4:38]
        assert np.abs(near)[there].max() > 0.01
        assert np.allclose(near[there], inside[there], atol=1e-4)


@pytest.mark.parametrize("start", [(20.1, -30.0), (20.0, -29.9), (19.93, -30.07)])
def test_where_all_pixels_are_believed_a_place_comes_nearer(start: tuple[float, float]) -> None:
    found = settled(silent(), start)
    before = np.hypot(start[0] - 20.0, start[1] + 30.0)
    assert np.hypot(found.x_mm - 20.0, found.y_mm + 30.0) < before


def test_a_step_that_is_too_long_to_be_true_is_not_gone() -> None:
    near = (20.2, -30.0)
    assert settled(silent(), near).x_mm != near[0]
    assert (settled(shouting(), near).x_mm, settled(shouting(), near).y_mm) == near


@pytest.mark.parametrize("light", [0.02, 0.1, 0.3], ids=["black", "dark", "gray"])
def test_what_was_learned_does_not_draw_a_piece_away_from_where_it_stands(light: float) -> None:
    """The drawn pieces are not like those that it learned from: it must do no harm."""
    found = settled(None, (20.0, -30.0), light)
    assert np.hypot(found.x_mm - 20.0, found.y_mm + 30.0) < 0.1


def test_only_the_place_changes() -> None:
    found = settled(None, (20.1, -30.0))
    assert (found.explained, found.visible, found.noise) == (0.9, 1.0, 1.0)
