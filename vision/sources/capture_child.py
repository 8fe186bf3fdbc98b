"""A process that does nothing but read one camera, so that it can be killed when the driver hangs.

Run as a file, with nothing of ours imported. It writes parcels to its standard output and ends when
its standard input closes, which is when the process that started it is gone.
"""

import os
import struct
import sys
import threading
import time
from typing import Any, BinaryIO

# kind, width, height, matrix, range, length of what follows, monotonic seconds
HEADER = struct.Struct("<4sHHHHId")
HELLO, JPEG, PLANES, PICTURE, GONE = b"HELO", b"JPEG", b"YUV4", b"BGR8", b"GONE"


def main(argv: list[str]) -> int:
    """`v4l2 PATH WIDTH HEIGHT FPS` or `stream ADDRESS`; zeros leave the camera as it is."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what libraries print must not land among the parcels
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if argv[0] == "v4l2":
            _read_v4l2(out, argv[1], *(int(word) for word in argv[2:5]))
        else:
            _read_stream(out, argv[1])
    except BrokenPipeError:
        return 0
    except Exception as err:  # whatever it was, the reason travels to the process that shows it
        _send(out, GONE, str(err).encode("utf-8", "replace")[:2000])
    return 0


def _read_v4l2(out: BinaryIO, path: str, width: int, height: int, fps: int) -> None:
    import cv2

    if not os.path.exists(path):
        raise OSError("there is no such camera")
    if not os.access(path, os.R_OK | os.W_OK):
        raise OSError("no permission to use it")
    capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
    if not capture.isOpened():
        raise OSError("it is in use by another program, or not a camera")
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    for prop, value in (
        (cv2.CAP_PROP_FRAME_WIDTH, width),
        (cv2.CAP_PROP_FRAME_HEIGHT, height),
        (cv2.CAP_PROP_FPS, fps),
    ):
        if value:
            capture.set(prop, value)
    # The camera's own JPEG bytes, where it sends such: decoding is not this process's business.
    raw = int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")
    raw = raw and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
    _send(out, HELLO, b"")
    while True:
        whole, image = capture.read()
        now_s = time.monotonic()
        if not whole:
            raise OSError("it was unplugged, or stopped sending")
        # V4L2 stamps frames on this same clock; a driver that does not is told by the gap.
        stamp_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        at_s = stamp_s if 0.0 <= now_s - stamp_s < 1.0 else now_s
        if raw and image.shape[0] == 1:
            _send(out, JPEG, image.tobytes(), at_s=at_s)
        else:
            size = (image.shape[1], image.shape[0])
            _send(out, PICTURE, image.tobytes(), at_s=at_s, size=size)


def _read_stream(out: BinaryIO, address: str) -> None:
    import av

    options = {"rtsp_transport": "tcp", "fflags": "nobuffer", "flags": "low_delay"}
    with av.open(address, options=options, timeout=(4.0, 3.0)) as container:
        if not container.streams.video:
            raise OSError("there is no picture in this stream")
        stream = container.streams.video[0]
        stream.thread_type = "NONE"
        clock = _StreamClock()
        said_hello = False
        whole = False
        for packet in container.demux(stream):
            arrived_s = time.monotonic()
            try:
                frames: list[Any] = packet.decode()
            except av.error.InvalidDataError:
                whole = False
                continue
            for frame in frames:
                # What was lost on the way smears until the next picture that leans on no other.
                whole = not frame.is_corrupt and (whole or frame.key_frame)
                if not whole:
                    continue
                if not said_hello:
                    _send(out, HELLO, b"")
                    said_hello = True
                stamp_s = None if frame.time is None else float(frame.time)
                _send_planes(out, frame, clock.at(stamp_s, arrived_s))
    raise OSError("the camera closed the stream")


def _send_planes(out: BinaryIO, frame: Any, at_s: float) -> None:
    full = frame.color_range == 2 or frame.format.name.startswith("yuvj")
    even = frame.reformat(
        width=frame.width & ~1, height=frame.height & ~1, format="yuvj420p" if full else "yuv420p"
    )
    _send(
        out,
        PLANES,
        even.to_ndarray().tobytes(),
        at_s=at_s,
        size=(even.width, even.height),
        matrix=int(frame.colorspace),
        full=full,
    )


class _StreamClock:
    """Stream time to our monotonic time: the network only delays, so the smallest lead is right."""

    def __init__(self) -> None:
        self._lead_s: float | None = None
        self._last_s = 0.0

    def at(self, stamp_s: float | None, arrived_s: float) -> float:
        if stamp_s is None:
            return arrived_s
        lead_s = arrived_s - stamp_s
        if self._lead_s is not None and abs(lead_s - self._lead_s) < 2.0:
            lead_s = min(lead_s, self._lead_s + 2e-4 * max(0.0, stamp_s - self._last_s))
        self._lead_s = lead_s
        self._last_s = stamp_s
        return stamp_s + lead_s


def _send(
    out: BinaryIO,
    kind: bytes,
    body: bytes,
    *,
    at_s: float = 0.0,
    size: tuple[int, int] = (0, 0),
    matrix: int = 0,
    full: bool = False,
) -> None:
    head = HEADER.pack(kind, size[0], size[1], matrix, int(full), len(body), at_s)
    view = memoryview(head + body)
    while view:
        view = view[out.write(view) :]


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
