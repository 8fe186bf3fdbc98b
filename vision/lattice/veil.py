"""White light that the empty board mirrors here and there: a lamp, a window, lying over it as haze.

It is added to what lies there as it is to the board: what is dark is made brighter by it than what
is bright, and both paler. So the looks that were taught elsewhere do not hold beneath it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.relight import code_as_precise, light_as_precise
from vision.lattice.shade import DARK, TURN

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]

_AMISS, _AMISS_SHARE = 0.006, 0.05
"""One sd of a part's light: at the least, and of what it is."""
_LIT = 0.25
"""One sd of how strongly a place is lit, of what is usual."""
_BACK = np.linalg.inv(TURN.astype(np.float64)).astype(np.float32)


def veils_of(looks: Floats, group: NDArray[np.intp]) -> Floats:
    """(P,) the light, 1 being white, that is mirrored over each place of an empty board.

    `looks` (K, 3, P) are the looks of the parts of each, those of one `group` (P,) alike but for
    the light: as is usual among them, times how strongly it is lit, and the veil.
    """
    light = light_of(looks).astype(np.float64)
    veil = np.zeros(looks.shape[2])
    for one in np.unique(group):
        mine = group == one
        usual = np.median(light[:, :, mine], axis=2).ravel()[:, None]
        seen = light[:, :, mine].reshape(len(usual), -1)
        weight = 1 / np.square(_AMISS + _AMISS_SHARE * usual)
        # least squares for how strongly it is lit, held near 1, and for the veil
        aa = (weight * usual**2).sum() + 1 / _LIT**2
        ab, bb = (weight * usual).sum(), weight.sum()
        at, bt = (weight * usual * seen).sum(axis=0) + 1 / _LIT**2, (weight * seen).sum(axis=0)
        veil[mine] = np.maximum((aa * bt - ab * at) / (aa * bb - ab**2), 0.0)
    return veil


def light_of(looks: NDArray[np.floating[Any]]) -> Floats32:
    """(..., 3, P) light in blue, green, red of looks (..., 3, P)."""
    codes = np.exp(np.matmul(_BACK, looks.astype(np.float32))) - np.float32(DARK)
    return light_as_precise(np.clip(codes, 0.0, 255.0))


def look_of(light: NDArray[np.floating[Any]]) -> Floats32:
    """(..., 3, P) looks of light (..., 3, P) in blue, green, red."""
    codes = code_as_precise(np.clip(light, 0.0, 1.0).astype(np.float32))
    return np.asarray(np.matmul(TURN, np.log(codes + np.float32(DARK))))
