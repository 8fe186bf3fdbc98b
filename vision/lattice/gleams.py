"""Light mirrored over grooves that was not there when the table was set up, or is there no more.

A lamp's reflection is added to what lies beneath it, so that a dark groove changes by far more than
the bright squares beside it, and looks filled. How much light was added, or is missing, the board
around each groove tells: what is bright and what is dark there has changed by as much. A shadow,
or light that falls elsewhere than at the set-up, changes both by the same share instead.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

_WITHIN_MM, _SHARE = 40.0, 0.4
"""A reflection lies over this share of all grooves so near, if over one."""
_AMISS, _AMISS_SHARE = 0.01, 0.08
"""One sd of the light of one of the board's pixels: at the least, and of what it is."""
_ALIKE = 3.0
"""So many pixels side by side tell no more than one."""
_SHADED, LIT = 0.3, (0.5, 1.6)
"""One sd of how strongly a place is lit, of what is usual; and how far it may be from that."""
_SURELY, _VAGUELY, LEAST = 3.0, 4.0, 0.01
"""Light is added by so many sd of how well that is known, and by this, white being 1; where less is
known, it is taken to be what others nearby have, if that is not so many sd off."""
EXPLAINS = 0.8
"""What is left of the change is no more than this share of what is without any light added."""


def neighbours_of(at: Floats) -> Bools:
    """(P, P) which grooves at (P, 2), mm, lie near each other, themselves among them."""
    away = at[:, None] - at[None]
    return np.asarray(np.hypot(away[..., 0], away[..., 1]) < _WITHIN_MM)


def added_light(now: Floats32, then: Floats32, neighbours: Bools) -> Floats32:
    """(P,) the light that is mirrored over each groove beyond what was on the empty picture, white
    being 1; less than 0 where some is missing, 0 where it is not sure that there is any. Where
    squares of one colour tell too little, it is as their neighbours have it.

    `now` and `then` (N, 3, P) are the light of N pixels of the board around each, in the light of
    the empty picture, here and there. Least squares for how strongly each place is lit, held near
    1, and for the light added.
    """
    seen, bare = (light.reshape(-1, light.shape[2]) for light in (now, then))
    weight = 1 / np.square(_AMISS + _AMISS_SHARE * bare) / _ALIKE
    held = 1 / _SHADED**2
    aa, ab, bb = (weight * bare**2).sum(axis=0) + held, (weight * bare).sum(axis=0), weight.sum(0)
    at, bt = (weight * bare * seen).sum(axis=0) + held, (weight * seen).sum(axis=0)
    whole = aa * bb - ab**2
    added, lit = (aa * bt - ab * at) / whole, (at * bb - bt * ab) / whole
    left = (weight * np.square(seen - lit * bare - added)).sum(axis=0)
    only_lit = (at - held) / (aa - held)
    without = (weight * np.square(seen - only_lit * bare)).sum(axis=0)
    sd = np.sqrt(aa / whole)
    sure = np.abs(added) > np.maximum(_SURELY * sd, LEAST)
    sure &= (lit > LIT[0]) & (lit < LIT[1]) & (left < EXPLAINS**2 * without)
    sure = borne_out(sure, added, neighbours)
    if not sure.any():
        return np.zeros(len(added), dtype=np.float32)
    beside = (neighbours & sure[None]).astype(np.float32)
    usual = (beside @ added) / np.maximum(beside.sum(axis=1), np.float32(1.0))
    vague = ~sure & (np.abs(added - usual) < _VAGUELY * sd)
    return np.where(sure, added, np.where(vague, usual, np.float32(0.0)))


def borne_out(sure: Bools, added: NDArray[np.floating[Any]], neighbours: Bools) -> Bools:
    """(P,) those of the places that are `sure` (P,) of light `added` (P,) near which many are sure
    of the same: that some is, or that some is missing."""
    told = np.zeros(len(sure), dtype=np.bool_)
    asked = np.flatnonzero(sure)
    near, way = neighbours[asked], np.sign(added[asked])
    alike = near[:, asked] & (way[:, None] == way)
    told[asked] = alike.sum(axis=1) > _SHARE * near.sum(axis=1)
    return told
