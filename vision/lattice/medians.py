"""Medians and quantiles without numpy's precautions, which cost more than those of few numbers.

Numbers are sorted, not parted: numpy sorts several at once, which is faster for few and for many.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T", np.float32, np.float64)


def median(values: NDArray[T]) -> NDArray[T]:
    """(...,) medians of (..., N) numbers, N of them at least one and none NaN."""
    half = values.shape[-1] // 2
    ordered = np.sort(values, axis=-1)
    if values.shape[-1] % 2:
        return np.asarray(ordered[..., half])
    return np.asarray(values.dtype.type(0.5) * (ordered[..., half - 1] + ordered[..., half]))


def medians_of_first(values: NDArray[np.float32], count: NDArray[np.intp]) -> NDArray[np.float32]:
    """(Q, ...) medians of (Q, ..., N) numbers, the first `count` (Q,) of each."""
    most = int(count.max())
    if (count == most).all():
        return median(values[..., :most])
    shape = (len(count), *(1,) * (values.ndim - 2), values.shape[-1])
    own = (np.arange(values.shape[-1]) < count[:, None]).reshape(shape)
    ordered = np.sort(np.where(own, values, np.float32(np.inf)), axis=-1)
    each = np.arange(len(count))
    low, high = ordered[each, ..., (count - 1) // 2], ordered[each, ..., count // 2]
    return np.asarray(np.float32(0.5) * (low + high), dtype=np.float32)


def quantile(values: NDArray[np.generic], share: float) -> float:
    """The quantile of (N,) numbers at a `share` from 0 to 1, between two of them where need be."""
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    ordered = np.sort(values)
    first, next_one = float(ordered[low]), float(ordered[high])
    return first + (next_one - first) * (place - low)
