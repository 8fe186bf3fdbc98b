"""What an earlier picture showed and a later one shows still, untouched and in the same light."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from vision.appearance.light import Standing
from vision.appearance.patch import near_rays
from vision.appearance.scene import Scene
from vision.detection.detect import Guess
from vision.localisation.places import Found

_AROUND_PX = 4.0
_QUIET = 4.0
"""Codes by which a spot may differ from what it was, beyond its noise, and count as unchanged."""

_OTHER_LIGHT = 6.0
_MOSTLY = 0.5


_SAME_MM = 3.0
"""So near to each other two guesses at one place are, in pictures that differ by noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staying:
    """`found` are pieces that stand where they stood, `refused` guesses that were none and are
    none still."""

    found: tuple[Found, ...] = ()
    refused: tuple[Guess, ...] = ()

    def without_refused(self, guesses: Sequence[Guess]) -> list[Guess]:
        """`guesses` but those that have been refused before."""
        return [g for g in guesses if not any(_alike(g, old) for old in self.refused)]


def unchanged(
    before: Scene, now: Scene, found: Sequence[Found], refused: Sequence[Guess] = ()
) -> Staying:
    """Those of `before` about which `now` shows the same, nothing where the light is new.

    Both pictures must be of one table by one camera.
    """
    if before.seen.shape != now.seen.shape:
        return Staying()
    sparse = np.flatnonzero(now.view.surface)[::5]
    changes = now.seen.ravel()[sparse] - before.seen.ravel()[sparse]
    usual, drift = float(np.median(np.abs(changes))), abs(float(np.median(changes)))
    if drift > _OTHER_LIGHT or usual > _OTHER_LIGHT:
        return Staying()
    kept = tuple(f for f in found if _same(before, now, f.look, f.fit.x_mm, f.fit.y_mm, usual))
    if not kept or len(kept) < _MOSTLY * len(found):
        return Staying()
    none = tuple(g for g in refused if _same(before, now, g.look, g.x_mm, g.y_mm, usual))
    return Staying(found=kept, refused=none)


def _same(before: Scene, now: Scene, look: int, x_mm: float, y_mm: float, usual: float) -> bool:
    """Whether it looks there as it did; what a hand hides now, or another shadow, does not."""
    here = Standing(body=now.view.pieces[look].body, x_mm=x_mm, y_mm=y_mm)
    near = near_rays(now.view, now.relit.box, here, _AROUND_PX)
    if near is None:
        return False
    mine = near.reach_px < _AROUND_PX
    if bool(now.hidden[near.part].ravel()[mine].any()):
        return False
    spots = np.abs(now.seen[near.part] - before.seen[near.part]).ravel()[mine]
    return bool(np.mean(spots) < 1.5 * usual + 1 and np.quantile(spots, 0.98) < 5 * usual + _QUIET)


def _alike(one: Guess, other: Guess) -> bool:
    return one.look == other.look and hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) < _SAME_MM
