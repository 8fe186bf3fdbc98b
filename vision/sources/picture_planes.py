"""A decoded video frame (PyAV) to gray or BGR, on one luma scale whatever the video's range."""

from typing import Any

import cv2
import numpy as np

from vision.frame import Picture

_FULL_RANGE = 2
_PLANAR = ("yuv420p", "yuv422p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p", "nv12")
_STRETCH = np.clip(np.round((np.arange(256) - 16.0) * 255.0 / 219.0), 0, 255).astype(np.uint8)


def gray_of(frame: Any) -> Picture:
    """The luma of an `av.VideoFrame` as (H, W) from 0 (black) to 255 (white)."""
    if frame.format.name not in _PLANAR:
        return np.asarray(frame.to_ndarray(format="gray"), dtype=np.uint8)
    plane = frame.planes[0]
    rows = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
    luma = rows[:, : plane.width]
    if frame.format.name.startswith("yuvj") or frame.color_range == _FULL_RANGE:
        return np.ascontiguousarray(luma)
    return np.asarray(cv2.LUT(luma, _STRETCH), dtype=np.uint8)


def bgr_of(frame: Any) -> Picture:
    """An `av.VideoFrame` as (H, W, 3) BGR, by the colour matrix that the video states.

    On one thread: threads made anew for each frame cost more than they save, and wait for a core.
    """
    return np.asarray(frame.to_ndarray(format="bgr24", threads=1), dtype=np.uint8)
