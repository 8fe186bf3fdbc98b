"""Small pictures and videos made on the spot."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


def scene(number: int = 0, *, width: int = 320, height: int = 240, seed: int = 7) -> Picture:
    """A board-like picture: wood grain, dark lines, and a disc whose place tells the number."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0.0, 40.0, (height, width)), (0, 0), 3.0)
    picture = np.empty((height, width, 3), np.float64)
    picture[:] = (90.0, 140.0, 180.0)
    picture += grain[:, :, None]
    whole = np.clip(picture, 0, 255).astype(np.uint8)
    cv2.rectangle(whole, (20, 15), (width - 25, height - 18), (30, 40, 45), 3)
    cv2.line(whole, (20, height // 3), (width - 25, height // 3 + 7), (20, 20, 20), 2)
    cv2.circle(whole, (40 + 7 * number % (width - 80), height // 2), 14, (40, 40, 200), -1)
    noise = np.random.default_rng(1000 + number).normal(0.0, 2.0, whole.shape)
    return np.clip(whole + noise, 0, 255).astype(np.uint8)


def jpeg(picture: Picture, quality: int = 90) -> bytes:
    """The picture as a camera would send it."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return bytes(data.tobytes())


def write_video(
    path: Path,
    pictures: Sequence[Picture],
    *,
    times_ms: Sequence[int] | None = None,
    fps: int = 50,
    options: dict[str, str] | None = None,
    every_key: int = 12,
) -> Path:
    """An H.264 video; `times_ms` gives each picture's own time where they are not evenly spaced."""
    height, width = pictures[0].shape[:2]
    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream("libx264", rate=fps, options={"tune": "zerolatency"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.gop_size = every_key
        stream.codec_context.time_base = Fraction(1, 1000)
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.time_base = Fraction(1, 1000)
            frame.pts = times_ms[number] if times_ms else number * 1000 // fps
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path
