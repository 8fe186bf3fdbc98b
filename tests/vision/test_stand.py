"""Places measured on drawn pictures whose truth is known."""

from pathlib import Path

import numpy as np
import pytest
from testkit.drawn_pieces import Drawn, photograph

from calibration.camera import Camera, Lens
from calibration.looks import Looks
from calibration.relight import Box, Relit
from calibration.silhouette import Body, ray_map
from calibration.table import Table
from rules.board import Board
from vision.light import DIFFUSE, Standing
from vision.patch import cut
from vision.stand import WIDE_HUB, Fit, fit
from vision.view import View

CAMERA = Camera(
    lens=Lens(
        width=1920, height=1080, fx=1150.0, fy=1150.0, cx=968.0, cy=533.0,
        dist=(-0.118, 0.021, 0.0006, -0.0004, -0.0012),
    ),
    rotation=(2.95, 0.02, 0.05),
    translation_mm=(10.0, 160.0, 1310.0),
)  # fmt: skip
PUCK = Body(radius_mm=15.0, thickness_mm=7.0, hole_mm=4.5)
BOARD = Board(
    game="qsquare",
    name="drawn",
    width_mm=1016.0,
    height_mm=1016.0,
    border_width_mm=60.0,
    border_height_mm=18.0,
)


class NoPoseError:
    def at(self, x_mm: float, y_mm: float, z_mm: float) -> float:
        return 0.0


@pytest.fixture(scope="module")
def view() -> View:
    table = Table(
        folder=Path(),
        board=BOARD,
        camera=CAMERA,
        pose_error=NoPoseError(),  # type: ignore[arg-type]
        painted={},
        empty=np.zeros((1080, 1920, 3), dtype=np.uint8),
        teach=None,
    )
    return View(
        table=table,
        looks=Looks(pieces=(), white=np.ones(3)),
        rays=ray_map(CAMERA),
        box=Box(u0=0, v0=0, u1=1920, v1=1080),
        surface=np.ones((1080, 1920), dtype=np.bool_),
        scale=0.87,
    )


def measure(view: View, drawn: list[Drawn], start: tuple[float, float], noise: float = 1.0) -> Fit:
    """Fit the first of `drawn` from a start beside it, the others' places being known."""
    first, *others = drawn
    u, v = CAMERA.project(np.array([[first.x_mm, first.y_mm, 3.5]]))[0].round().astype(int)
    box = Box(u0=int(u) - 45, v0=int(v) - 45, u1=int(u) + 45, v1=int(v) + 45)
    edges = (box.u0, box.v0, box.u1, box.v1)
    seen = photograph(CAMERA, edges, drawn, noise=noise).astype(np.float32)
    bare = photograph(CAMERA, edges, [], noise=0.0).astype(np.float32)
    colour = np.repeat(seen[:, :, None], 3, axis=2)
    plain = np.repeat(bare[:, :, None], 3, axis=2)
    relit = Relit(box=box, picture=colour, board=plain, gain=np.ones_like(colour))
    piece = Standing(body=first.body, x_mm=start[0], y_mm=start[1])
    beside = [Standing(body=o.body, x_mm=o.x_mm, y_mm=o.y_mm) for o in others]
    patch = cut(view, seen, bare, relit, piece, beside)
    assert patch is not None
    wide = fit(view, patch, piece, beside, DIFFUSE, rounds=6, hub=WIDE_HUB)
    return fit(view, patch, piece.at(wide.x_mm, wide.y_mm), beside, DIFFUSE, rounds=6)


@pytest.mark.parametrize(
    ("x_mm", "y_mm"),
    [(0.0, 0.0), (-300.0, -380.0), (410.0, 250.0), (-450.0, 460.0)],
    ids=["under the camera", "aside", "to the right", "in the far corner"],
)
@pytest.mark.parametrize(
    ("light", "within_mm"), [(0.02, 0.1), (0.12, 0.1), (0.8, 0.3)], ids=["black", "dark", "white"]
)
def test_a_piece_is_placed_to_a_tenth_of_a_millimetre_if_its_rims_are_not_lit(
    view: View, x_mm: float, y_mm: float, light: float, within_mm: float
) -> None:
    """The drawn rims are sharp; a lit one is taken to be rounded by half a millimetre."""
    drawn = [Drawn(body=PUCK, x_mm=x_mm, y_mm=y_mm, light=light)]
    found = measure(view, drawn, (x_mm + 0.5, y_mm - 0.4))
    assert np.hypot(found.x_mm - x_mm, found.y_mm - y_mm) < within_mm
    assert found.explained > 0.8


def test_a_touching_neighbour_does_not_pull(view: View) -> None:
    drawn = [
        Drawn(body=PUCK, x_mm=200.0, y_mm=100.0, light=0.1),
        Drawn(body=PUCK, x_mm=230.0, y_mm=100.0, light=0.03),
    ]
    found = measure(view, drawn, (200.4, 99.7))
    assert np.hypot(found.x_mm - 200.0, found.y_mm - 100.0) < 0.1


def test_a_bare_board_is_no_piece(view: View) -> None:
    bare = Drawn(body=PUCK, x_mm=100.0, y_mm=100.0, light=0.4, wall=1.0)
    assert measure(view, [bare], (100.0, 100.0)).explained < 0.5


def test_a_grainier_picture_means_a_larger_error(view: View) -> None:
    drawn = [Drawn(body=PUCK, x_mm=50.0, y_mm=-60.0, light=0.1)]
    quiet = measure(view, drawn, (50.0, -60.0), noise=1.0)
    grainy = measure(view, drawn, (50.0, -60.0), noise=6.0)
    assert np.trace(grainy.covariance) > 2 * np.trace(quiet.covariance)
