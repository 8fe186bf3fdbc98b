"""Medians and quantiles without numpy's precautions, which cost more than those of few numbers.

A few numbers are sorted: numpy compares several at once. Many are parted about both middle ones.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", np.float32, np.float64)


_MANY = 500


def median(values: NDArray[T]) -> NDArray[T]:
    """(...,) medians of (..., N) numbers, N of them at least one and none NaN."""
    half = values.shape[-1] // 2
    if values.shape[-1] < _MANY:
        ordered = np.sort(values, axis=-1)
    else:
        ordered = np.partition(values, (half - 1, half), axis=-1)
    if values.shape[-1] % 2:
        return np.asarray(ordered[..., half])
    return np.asarray(values.dtype.type(0.5) * (ordered[..., half - 1] + ordered[..., half]))


def quantile(values: NDArray[np.generic], share: float) -> float:
    """The quantile of (N,) numbers at a `share` from 0 to 1, between two of them where need be."""
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    ordered = np.sort(values)
    first, next_one = float(ordered[low]), float(ordered[high])
    return first + (next_one - first) * (place - low)
