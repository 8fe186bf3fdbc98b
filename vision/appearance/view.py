"""What of a table stays the same from picture to picture, computed once and kept with the table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats
from calibration.looks import Look, Looks, looks_of
from calibration.relight import Box, surface_box, to_light
from calibration.silhouette import RayMap, ray_map
from calibration.table import Table
from vision.appearance.colours import albedos
from vision.appearance.light import Cushions

_SPARSE = 16
"""Of so many of its pixels one tells a board's colour."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """A table as its camera sees it: `rays` of all pixels, the `box` that holds the surface.

    `surface` (h, w): which pixels of the box show the playing surface; `scale` is pixels per
    millimetre at the surface's middle; `albedo` (3,): what share of blue,
    green and red light the board throws back; `paints`: the same of each of its pieces' looks.
    """

    table: Table
    looks: Looks
    rays: RayMap
    box: Box
    surface: NDArray[np.bool_]
    scale: float
    albedo: Floats
    paints: tuple[tuple[float, float, float], ...]

    @property
    def cushions(self) -> Cushions:
        board = self.table.board
        return Cushions(
            half_x_mm=board.width_mm / 2,
            half_y_mm=board.height_mm / 2,
            height_mm=board.border_height_mm,
        )

    @property
    def pieces(self) -> tuple[Look, ...]:
        return self.looks.pieces


def view_of(table: Table) -> View:
    """The view of `table`, from its memo where it has been asked for before."""
    kept = table.memo.get("view")
    if isinstance(kept, View):
        return kept
    rays = ray_map(table.camera)
    box, surface = surface_box(table.board, rays)
    looks = looks_of(table)
    lights = [_board_light(table, box, surface), *(np.array(look.light) for look in looks.pieces)]
    albedo, *paints = albedos(lights)
    view = View(
        table=table,
        looks=looks,
        rays=rays,
        box=box,
        surface=surface,
        scale=_scale(table),
        albedo=albedo,
        paints=tuple((float(b), float(g), float(r)) for b, g, r in paints),
    )
    table.memo["view"] = view
    return view


def _board_light(table: Table, box: Box, surface: NDArray[np.bool_]) -> Floats:
    """(3,) light of the empty board where it is neither painted nor shines, B, G, R, 0..1."""
    return to_light(np.median(table.empty[box.rows_columns][surface][::_SPARSE], axis=0))


def _scale(table: Table) -> float:
    at = table.camera.project(np.array([[-50.0, 0, 0], [50, 0, 0], [0, -50, 0], [0, 50, 0]]))
    return float((np.hypot(*(at[1] - at[0])) + np.hypot(*(at[3] - at[2]))) / 200)
