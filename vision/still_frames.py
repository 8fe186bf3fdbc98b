"""Frames that keep still: how long, and what they show together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

Gray = NDArray[np.uint8]


@dataclass(slots=True)
class Still:
    """Since when the picture has kept still, and its last frames."""

    since_ms: float = 0.0
    frames: list[tuple[Gray, Frame]] = field(default_factory=list)


def gray_of(picture: Picture) -> Gray:
    """The picture (H, W, 3) or (H, W) in gray."""
    if picture.ndim == 2:
        return picture
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def mean_of(pictures: Sequence[Picture]) -> Picture:
    """Still pictures as one: what coding and noise do to each is averaged out."""
    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, dtype=np.float32)
    for picture in pictures:
        total += picture
    return np.asarray(total / len(pictures) + 0.5, dtype=np.uint8)


def same(a: Gray, b: Gray) -> bool:
    """Whether nothing larger than noise differs between two frames."""
    size = (a.shape[1] // 4, a.shape[0] // 4)
    small = [cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in (a, b)]
    return float((cv2.absdiff(small[0], small[1]) > 9).mean()) < 0.0006
