"""What a table's own pictures teach beyond colours: halos, rings on tops, where light is."""

from dataclasses import dataclass

import numpy as np

from calibration.looks import Look
from calibration.relight import relight, to_light
from calibration.rings import Rings, learn_rings
from calibration.sharpening import Sharpness, measure_sharpness
from calibration.silhouette import Floats32
from vision.appearance.light import DIFFUSE, Cushions, Light, Standing, estimate_light
from vision.appearance.scene import scene_of
from vision.appearance.surroundings import surroundings
from vision.appearance.view import View

_FAR_AWAY = Cushions(half_x_mm=1e6, half_y_mm=1e6, height_mm=0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Taught:
    """`sharpness`: the camera's; `rings`: one for each of the view's looks; `light`: where the
    light of the empty and the teach picture came from."""

    sharpness: Sharpness
    rings: tuple[Rings | None, ...]
    light: Light


def taught_of(view: View) -> Taught:
    """What the pictures of the view's table teach, from its memo if it has been asked before."""
    kept = view.table.memo.get("taught")
    if not isinstance(kept, Taught):
        kept = _learn(view)
        view.table.memo["taught"] = kept
    return kept


def _learn(view: View) -> Taught:
    table = view.table
    sharpness = measure_sharpness(table.empty, table.board, table.camera)
    teach = table.teach
    if teach is None:
        return Taught(sharpness=sharpness, rings=(None,) * len(view.pieces), light=DIFFUSE)
    relit = relight(teach.picture, table.empty, view.box, view.surface)
    nothing = np.zeros(view.surface.shape, dtype=np.bool_)
    scene = scene_of(view, relit, nothing, sharpness=sharpness)
    light = to_light(scene.seen).astype(np.float32)
    bodies = {(look.spec.kind, look.spec.colour): look.body for look in view.pieces}
    standing = [
        Standing(body=bodies[p.kind, p.colour], x_mm=p.at.x_mm, y_mm=p.at.y_mm)
        for p in teach.pieces
        if (p.kind, p.colour) in bodies
    ]
    # The empty board shows the border's shadow too, so here the border must not cast one.
    return Taught(
        sharpness=sharpness,
        rings=tuple(_rings(view, look, light) for look in view.pieces),
        light=estimate_light(surroundings(scene, standing, range(len(standing))), _FAR_AWAY),
    )


def _rings(view: View, look: Look, light: Floats32) -> Rings | None:
    teach = view.table.teach
    assert teach is not None
    places = [
        np.array([p.at.x_mm, p.at.y_mm])
        for p in teach.pieces
        if (p.kind, p.colour) == (look.spec.kind, look.spec.colour)
    ]
    return learn_rings(view.table.camera, light, view.box.u0, view.box.v0, look.body, places)
