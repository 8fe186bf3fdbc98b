"""Which pieces of an earlier picture stand where they stood, untouched and in the same light."""

from collections.abc import Sequence

import numpy as np

from calibration.silhouette import Floats32
from vision.light import Standing
from vision.patch import reach_mm
from vision.places import Found
from vision.scene import Scene

_AROUND_PX = 4.0
_QUIET = 4.0
"""Codes by which a spot may differ from what it was, beyond its noise, and count as unchanged."""

_OTHER_LIGHT = 6.0
_MOSTLY = 0.5


def unchanged(before: Scene, now: Scene, found: Sequence[Found]) -> list[Found]:
    """Those of `found` in `before` about which `now` shows the same, none where the light is new.

    Both pictures must be of one table by one camera.
    """
    if before.seen.shape != now.seen.shape:
        return []
    surface = now.view.surface
    off = np.abs(now.seen - before.seen)
    usual = float(np.median(off[surface][::5]))
    drift = abs(float(np.median((now.seen - before.seen)[surface][::5])))
    if drift > _OTHER_LIGHT or usual > _OTHER_LIGHT:
        return []
    kept = [f for f in found if _same(now, off, f, usual)]
    return kept if len(kept) >= _MOSTLY * len(found) else []


def _same(now: Scene, off: Floats32, found: Found, usual: float) -> bool:
    """A piece that a hand hides now, or whose shadow has changed, is looked at again."""
    view = now.view
    body = view.pieces[found.look].body
    here = Standing(body=body, x_mm=found.fit.x_mm, y_mm=found.fit.y_mm)
    top = np.array([[here.x_mm, here.y_mm, body.thickness_mm], [here.x_mm, here.y_mm, 0.0]])
    ends = view.table.camera.project(top)
    around = body.radius_mm * view.scale * 1.25 + _AROUND_PX + 1
    u0, v0 = np.floor(ends.min(axis=0) - around).astype(int)
    u1, v1 = np.ceil(ends.max(axis=0) + around + 1).astype(int)
    u0, v0 = max(u0, view.box.u0), max(v0, view.box.v0)
    u1, v1 = min(u1, view.box.u1), min(v1, view.box.v1)
    rays = view.rays.box(u0, v0, u1, v1)
    origin = (here.x_mm, here.y_mm)
    foot = (rays.foot.reshape(-1, 2) - origin).astype(np.float32)
    drift = rays.drift.reshape(-1, 2).astype(np.float32)
    mine = reach_mm(foot, drift, origin, here) * view.scale < _AROUND_PX
    part = (slice(v0 - view.box.v0, v1 - view.box.v0), slice(u0 - view.box.u0, u1 - view.box.u0))
    if bool(now.hidden[part].ravel()[mine].any()):
        return False
    spots = off[part].ravel()[mine]
    return bool(np.mean(spots) < 1.5 * usual + 1 and np.quantile(spots, 0.98) < 5 * usual + _QUIET)
