"""What each piece looks like on this table: its form, and its colour in the empty board's light."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera, Floats
from calibration.relight import Relit, relight, surface_box, to_light
from calibration.silhouette import Body, ray_map
from calibration.table import Table
from rules.board import PieceSpec, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A kind and colour of piece: its form and the light (B, G, R, 0..1) that its top sends back.

    `light` is what the piece would show in the light of the empty picture at the place where the
    board's gain is one; `spread` its relative uncertainty. `taught` says whether it was measured.
    """

    spec: PieceSpec
    body: Body
    light: tuple[float, float, float]
    spread: float
    taught: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Looks:
    """All discs and rings of a table."""

    pieces: tuple[Look, ...]
    white: Floats  # (3,) what a white thing would show in the empty picture's light, B, G, R


def looks_of(table: Table) -> Looks:
    """The looks of `table`'s discs and rings, learned from its teach picture once."""
    kept = table.memo.get("looks")
    if isinstance(kept, Looks):
        return kept
    looks = learn_looks(table)
    table.memo["looks"] = looks
    return looks


def learn_looks(table: Table) -> Looks:
    """Measure every taught piece's colour against the relit empty board."""
    discs = [s for s in table.board.pieces if s.shape in (Shape.DISC, Shape.RING)]
    relit = None
    if table.teach is not None:
        box, surface = surface_box(table.board, ray_map(table.camera))
        relit = relight(table.teach.picture, table.empty, box, surface)
    found = []
    for spec in discs:
        places = []
        if table.teach is not None and relit is not None:
            places = [
                (p.at.x_mm, p.at.y_mm)
                for p in table.teach.pieces
                if (p.kind, p.colour) == (spec.kind, spec.colour)
            ]
        body = body_of(spec)
        if places and relit is not None:
            light = top_light(table.camera, relit, body, np.array(places))
            middle = np.quantile(light, 0.3, axis=0)
            found.append(Look(spec=spec, body=body, light=_three(middle), spread=0.1, taught=True))
        else:
            rgb = to_light(np.array(spec.rgb[::-1], dtype=np.float64))
            found.append(Look(spec=spec, body=body, light=_three(rgb), spread=0.4, taught=False))
    return Looks(pieces=tuple(found), white=_white(table))


def body_of(spec: PieceSpec) -> Body:
    """The form that a board file gives a disc or ring."""
    return Body(
        radius_mm=spec.diameter_mm / 2,
        thickness_mm=spec.thickness_mm,
        hole_mm=spec.hole_mm / 2 if spec.shape is Shape.RING else 0.0,
    )


def top_points(body: Body, rings: int = 5, bearings: int = 24) -> Floats:
    """(rings * bearings, 2) offsets in mm over the flat of a piece's top, clear of its rims."""
    inner = body.hole_mm + (1.6 if body.hole_mm else 0.0)
    outer = body.radius_mm - 2.0
    radii = np.sqrt(np.linspace(inner**2 + 0.1, max(outer, inner + 0.5) ** 2, rings))
    angles = 2 * np.pi * (np.arange(bearings) + 0.5) / bearings
    grid = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)[None]
    return np.asarray(grid.reshape(-1, 2), dtype=np.float64)


def sample(relit_plane: NDArray[np.floating], points_px: Floats, u0: int, v0: int) -> Floats:
    """(N, 3) values of an (h, w, 3) plane at picture points, bilinear.

    The plane's first pixel is (u0, v0) of the picture.
    """
    plane = np.ascontiguousarray(relit_plane, dtype=np.float32)
    # cv2.remap is limited to 32767 rows, so the points go in as a sheet.
    width = 256
    count = len(points_px)
    rows = -(-count // width)
    u, v = (np.full(rows * width, -10, dtype=np.float32) for _ in range(2))
    u[:count], v[:count] = points_px[:, 0] - u0, points_px[:, 1] - v0
    got = cv2.remap(
        plane,
        u.reshape(rows, width),
        v.reshape(rows, width),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(got.reshape(rows * width, -1)[:count], dtype=np.float64)


def top_light(camera: Camera, relit: Relit, body: Body, places: Floats) -> Floats:
    """(N, 3) light of the tops of pieces at (N, 2) places, in the empty picture's light."""
    offsets = top_points(body)
    n, k = len(places), len(offsets)
    at = np.concatenate(
        [
            (places[:, None, :] + offsets[None]).reshape(-1, 2),
            np.full((n * k, 1), body.thickness_mm),
        ],
        axis=1,
    )
    px = camera.project(at)
    seen = to_light(sample(relit.picture, px, relit.box.u0, relit.box.v0)).reshape(n, k, 3)
    gain = sample(relit.gain, px, relit.box.u0, relit.box.v0).reshape(n, k, 3).mean(axis=1)
    return np.asarray(np.median(seen, axis=1) / gain**2.2, dtype=np.float64)


def _three(values: Sequence[float] | Floats) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in values)
    return b, g, r


def _white(table: Table) -> Floats:
    """The colour of the light, from whatever is brightest on the empty board (lamps reflect there),
    at the level of the board's own middle brightness."""
    light = to_light(table.empty[::8, ::8].reshape(-1, 3).astype(np.float32))
    total = light.sum(axis=1)
    bright = light[total >= np.quantile(total, 0.995)].mean(axis=0)
    return np.asarray(bright / bright.mean() * np.quantile(total / 3, 0.8) * 1.5, dtype=np.float64)
