"""Frames that keep still: how long, and what they show together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

Gray = NDArray[np.uint8]
_WAIT_MS = 100.0
_FEW, _MOST = 2, 8


@dataclass(slots=True)
class Beginning:
    """The first frames of a stream: since when the picture has kept still, and how it looked."""

    _first_ms: float | None = None
    _since_ms: float = 0.0
    frames: list[tuple[Gray, Frame]] = field(default_factory=list)

    def keep(self, gray: Gray, frame: Frame) -> bool:
        """Keep one frame more; whether they are enough to begin with."""
        if self._first_ms is None:
            self._first_ms = self._since_ms = frame.at_ms
        if self.frames and not same(self.frames[-1][0], gray):
            self.frames.clear()
            self._since_ms = frame.at_ms
        self.frames.append((gray, frame))
        if frame.at_ms - self._first_ms >= _WAIT_MS:
            return True  # a cue or a hand that moves already is no reason to miss the shot
        return len(self.frames) > _FEW and frame.at_ms - self._since_ms >= _WAIT_MS / 2

    def last(self) -> list[tuple[Gray, Frame]]:
        """The last of the frames: as many as make one picture."""
        return self.frames[-_MOST:]


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
