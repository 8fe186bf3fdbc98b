"""Which pieces of an earlier picture stand where they stood, untouched and in the same light."""

from collections.abc import Sequence

import numpy as np

from calibration.silhouette import Floats32
from vision.light import Standing
from vision.patch import near_rays
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
    body = now.view.pieces[found.look].body
    here = Standing(body=body, x_mm=found.fit.x_mm, y_mm=found.fit.y_mm)
    near = near_rays(now.view, now.relit.box, here, _AROUND_PX)
    if near is None:
        return False
    mine = near.reach_px < _AROUND_PX
    if bool(now.hidden[near.part].ravel()[mine].any()):
        return False
    spots = off[near.part].ravel()[mine]
    return bool(np.mean(spots) < 1.5 * usual + 1 and np.quantile(spots, 0.98) < 5 * usual + _QUIET)
