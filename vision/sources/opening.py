"""From what a person types to a source of frames."""

import re
import time
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from vision.sources.camera_process import connect_stream, connect_v4l2
from vision.sources.live import BACKLOG, Connect, LiveCamera
from vision.sources.mjpeg_http import connect_mjpeg, without_password
from vision.sources.pictures import PICTURE_ENDINGS, Pictures
from vision.sources.source import Clock, Source, SourceError
from vision.sources.video_file import VideoFile

_STREAMS = ("rtsp", "rtsps", "rtmp", "srt", "udp", "tcp", "rtp")


def open_source(
    spec: str | Path,
    *,
    gray: bool = False,
    clock: Clock = time.monotonic,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    backlog: int = BACKLOG,
    patient: bool = False,
) -> Source:
    """Open what `spec` names; SourceError with a remedy where there is nothing to open.

    `spec` is a camera's index ("0") or device path ("/dev/v4l/by-id/…"), an RTSP or HTTP MJPEG
    address, a video file, a picture, or a folder of pictures. `gray` reads frames as (H, W) only,
    for speed; `in_colour` still gives the colours of each. `size` (width, height) and `fps` are
    asked of a device camera; for a folder `fps` sets the time between pictures (25 where None).
    `patient` waits for a live camera that is not there yet. `clock` (seconds, monotonic) stamps
    live frames.
    """
    text = str(spec).strip()
    scheme = urlsplit(text).scheme.lower() if "://" in text else ""
    connect: Connect
    if scheme in ("http", "https"):
        connect = partial(connect_mjpeg, text, clock=clock)
    elif scheme in _STREAMS:
        connect = partial(connect_stream, text)
    elif scheme and scheme != "file":
        raise SourceError(
            without_password(text),
            f"cameras are not reached by {scheme}://",
            "use an rtsp:// or http:// address",
        )
    elif re.fullmatch(r"\d{1,3}", text) or text.startswith("/dev/"):
        device = f"/dev/video{text}" if text.isdigit() else text
        connect = partial(connect_v4l2, device, size=size, fps=fps)
        text = device
    else:
        return _open_path(Path(text.removeprefix("file://")), gray=gray, fps=fps)
    return LiveCamera(
        without_password(text),
        connect,
        gray=gray,
        backlog=backlog,
        clock=clock,
        patient=patient,
    )


def _open_path(path: Path, *, gray: bool, fps: float | None) -> Source:
    if not path.exists():
        raise SourceError(
            str(path),
            "there is no such file or folder",
            "a source is a camera's index, an rtsp:// or http:// address, a video file "
            "or a folder of pictures",
        )
    if path.is_dir() or path.suffix.lower() in PICTURE_ENDINGS:
        return Pictures(path, gray=gray, fps=fps or 25.0)
    return VideoFile(path, gray=gray)
