"""A drawn table under one camera: a view of it, and scenes with pieces whose places are known."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from testkit.drawn_pieces import Drawn, photograph

from calibration.camera import Camera, Lens
from calibration.looks import Looks
from calibration.relight import Box, Relit
from calibration.silhouette import Body, ray_map
from calibration.table import Table
from rules.board import Board
from vision.appearance.scene import Scene
from vision.appearance.view import View

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


@cache
def drawn_view() -> View:
    """The drawn table as the camera sees it."""
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
        albedo=np.full(3, 0.6),
        paints=(),
    )


def drawn_scene(drawn: Sequence[Drawn], noise: float = 1.0) -> Scene:
    """The surroundings of the first of `drawn`, photographed and ready for measuring."""
    first = drawn[0]
    u, v = CAMERA.project(np.array([[first.x_mm, first.y_mm, 3.5]]))[0].round().astype(int)
    box = Box(u0=int(u) - 45, v0=int(v) - 45, u1=int(u) + 45, v1=int(v) + 45)
    edges = (box.u0, box.v0, box.u1, box.v1)
    seen = photograph(CAMERA, edges, drawn, noise=noise).astype(np.float32)
    bare = photograph(CAMERA, edges, [], noise=0.0).astype(np.float32)
    colour = np.repeat(seen[:, :, None], 3, axis=2)
    plain = np.repeat(bare[:, :, None], 3, axis=2)
    return Scene(
        view=drawn_view(),
        relit=Relit(box=box, picture=colour, board=plain, gain=np.ones_like(colour)),
        seen=seen,
        board=bare,
        hidden=np.zeros(seen.shape, dtype=np.bool_),
    )
