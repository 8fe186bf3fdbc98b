"""Colours as shade leaves them: the logarithms of the ratios of a picture's channels.

In shade all channels lose about the same share of light, so that ratios stay, and a difference of
two logarithms of ratios is one of colour alone (log-chromaticities: Finlayson & Hordley 2001).
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.silhouette import Floats32

Tints = NDArray[np.floating[Any]]
_DARK = 6.0  # codes added before ratios are taken: noise must not count where all is black
_SOFT_PX = 1.0


def log_codes(codes: Tints) -> Tints:
    """Natural logarithms of codes, of the same shape."""
    return np.asarray(np.log(codes + _DARK))


def tint_of_logs(logs: Tints) -> Tints:
    """(..., 2) what shade leaves alone of (..., 3) logarithms of codes, B, G, R."""
    return np.asarray(logs[..., [0, 2]] - logs[..., [1]])


def tint(codes: Tints) -> Tints:
    """(..., 2) what shade leaves alone of (..., 3) codes, B, G, R."""
    return tint_of_logs(log_codes(codes))


def softened(picture: Tints) -> Floats32:
    """The `picture` (h, w, 3) with so much less noise that single pixels' tints mean something."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _SOFT_PX), dtype=np.float32)
