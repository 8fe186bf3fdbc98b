"""Cameras whose drivers may hang for ever (V4L2, RTSP): read in a process that can be killed."""

import contextlib
import fcntl
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import av
import numpy as np

from vision.sources import capture_child
from vision.sources.capture_child import GONE, HEADER, HELLO, JPEG, PLANES
from vision.sources.live import Connection, Parcel
from vision.sources.mjpeg_http import without_password
from vision.sources.source import SourceError

_OPEN_S = 6.0
_PIPE_BYTES = 1 << 20
_SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ, Linux
_CHUNK_BYTES = 1 << 20


def connect_v4l2(path: str, *, size: tuple[int, int] | None, fps: float | None) -> Connection:
    """Open a camera device ("/dev/video0", "/dev/v4l/by-id/…"); SourceError where that fails."""
    width, height = size or (0, 0)
    words = ["v4l2", path, str(width), str(height), str(round(fps or 0))]
    remedy = (
        "`sightline doctor` lists the cameras; check the cable, that no other program uses the "
        "camera, and that you are in the group `video`"
    )
    return _CameraProcess(path, words, remedy)


def connect_stream(address: str) -> Connection:
    """Open a network stream that FFmpeg understands (RTSP, …); SourceError where that fails."""
    remedy = "check the address, user name and password, and that the camera is switched on"
    return _CameraProcess(without_password(address), ["stream", address], remedy)


class _CameraProcess:
    """The parent's end. Its every wait has a limit; `close` kills."""

    def __init__(self, name: str, words: list[str], remedy: str) -> None:
        self._name = name
        self._remedy = remedy
        self._held = bytearray()
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(Path(capture_child.__file__)), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._wait_for_hello()
        except BaseException:
            self.close()
            raise

    def receive(self, timeout_s: float) -> Parcel | None:
        part = self._part(timeout_s)
        if part is None:
            return None
        kind, width, height, matrix, full, at_s, body = part
        if kind == GONE:
            raise SourceError(self._name, body.decode("utf-8", "replace"), self._remedy)
        if kind == JPEG:
            return Parcel(at_s=at_s, jpeg=body)
        if kind == PLANES:
            return Parcel(at_s=at_s, planes=_frame(body, width, height, matrix, bool(full)))
        picture = np.frombuffer(body, np.uint8).reshape(height, width, -1)
        return Parcel(at_s=at_s, picture=picture)

    def close(self) -> None:
        self._child.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=2.0)

    def _wait_for_hello(self) -> None:
        if self._child.stdout is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(self._child.stdout.fileno(), _SET_PIPE_SIZE, _PIPE_BYTES)
        part = self._part(_OPEN_S)
        if part is None:
            raise SourceError(
                self._name, f"it did not send a picture within {_OPEN_S:.0f} s", self._remedy
            )
        if part[0] != HELLO:
            raise SourceError(self._name, part[-1].decode("utf-8", "replace"), self._remedy)

    def _part(self, timeout_s: float) -> tuple[bytes, int, int, int, int, float, bytes] | None:
        until_s = time.monotonic() + timeout_s
        while True:
            if len(self._held) >= HEADER.size:
                kind, width, height, matrix, full, length, at_s = HEADER.unpack_from(self._held)
                end = HEADER.size + length
                if len(self._held) >= end:
                    body = bytes(memoryview(self._held)[HEADER.size : end])
                    del self._held[:end]
                    return kind, width, height, matrix, full, at_s, body
            left_s = until_s - time.monotonic()
            pipe = self._child.stdout
            if left_s <= 0 or pipe is None:
                return None
            if not select.select([pipe], [], [], left_s)[0]:
                return None
            more = os.read(pipe.fileno(), _CHUNK_BYTES)
            if not more:
                raise SourceError(self._name, "reading it ended unexpectedly", self._remedy)
            self._held += more


def _frame(body: bytes, width: int, height: int, matrix: int, full: bool) -> Any:
    planes = np.frombuffer(body, np.uint8).reshape(height * 3 // 2, width)
    frame = av.VideoFrame.from_ndarray(planes, format="yuvj420p" if full else "yuv420p")
    frame.colorspace = matrix
    frame.color_range = 2 if full else 1
    return frame
