"""Whether a measured margin, or the order of two measured times, is sure enough to be called."""

from enum import Enum
from math import hypot

SIGMAS = 1.96
NOISE_MM = 1e-6


class Verdict(Enum):
    YES = "yes"
    NO = "no"
    CLOSE = "too close to call"


_YES, _NO, _CLOSE = Verdict  # looked up on the class, a member costs Python 3.11 ten times as much


def verdict(margin: float, error: float) -> Verdict:
    """Say whether a margin is on the yes side, given one standard deviation of its error.

    Without error the boundary itself is a yes.
    """
    reach = SIGMAS * error
    if margin >= reach - NOISE_MM:
        return _YES
    return _NO if margin <= -reach else _CLOSE


def order(a_ms: float, a_error: float, b_ms: float, b_error: float) -> Verdict:
    """Say whether a came before b; events closer than the error of their times are CLOSE."""
    gap, reach = b_ms - a_ms, SIGMAS * hypot(a_error, b_error)
    if abs(gap) < reach or gap == 0.0:
        return _CLOSE
    return _YES if gap > 0 else _NO
