"""MJPEG over HTTP, read by hand: the camera's own bytes and times are kept, and nothing blocks.

OpenCV's reader decodes everything, invents the times and waits 30 s for a silent camera.
"""

import base64
import contextlib
import http.client
import io
import re
import socket
import ssl
import time
from email.message import Message
from urllib.parse import unquote, urlsplit

from vision.sources.live import Connection, Parcel
from vision.sources.source import Clock, SourceError

_CONNECT_S = 1.5
_MOST_HEAD_BYTES = 64 << 10
_MOST_BYTES = 32 << 20
_DRIFT = 2e-4  # how much faster than ours a camera's clock may run
_BOUNDARY = re.compile(r'boundary="?([^";,]+)"?', re.IGNORECASE)
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_STAMP = re.compile(rb"x-timestamp:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)


def without_password(address: str) -> str:
    """The address as it may be shown: `user:password@` becomes `user:***@`."""
    return re.sub(r"(://[^/:@\s]*):[^@/\s]*@", r"\1:***@", address)


def connect_mjpeg(address: str, *, clock: Clock = time.monotonic) -> Connection:
    """Ask for the stream; SourceError when nobody answers, or answers something else."""
    name = without_password(address)
    try:
        wire = _dialled(address)
        try:
            status, headers, held = _answer(wire, address)
        except BaseException:
            wire.close()
            raise
    except (OSError, http.client.HTTPException, ValueError) as err:
        raise SourceError(
            name,
            f"the camera does not answer ({_said(err)})",
            "check its address, that it is switched on, and the network cable",
        ) from err
    if status != 200:
        wire.close()
        raise SourceError(name, *_refusal(status))
    content = headers.get("Content-Type", "")
    boundary = _BOUNDARY.search(content)
    if "multipart/" not in content.lower() or boundary is None:
        wire.close()
        raise SourceError(
            name,
            f"this address gives {content or 'nothing that says what it is'}, not an MJPEG stream",
            "look up the address of the camera's MJPEG stream in its manual",
        )
    return _MjpegStream(name, wire, held, boundary.group(1), clock)


class _MjpegStream:
    """One answered request, cut into pictures."""

    def __init__(
        self, name: str, wire: socket.socket, held: bytes, boundary: str, clock: Clock
    ) -> None:
        self._name = name
        self._wire = wire
        # Some cameras state the boundary with its dashes, some without.
        self._boundary = b"--" + boundary.removeprefix("--").encode("latin-1")
        self._clock = clock
        self._held = bytearray(held)
        self._searched = 0
        self._part_at_s = clock()
        self._lead_s: float | None = None
        self._stamped_s = 0.0

    def receive(self, timeout_s: float) -> Parcel | None:
        until_s = time.monotonic() + timeout_s
        while True:
            parcel = self._cut()
            if parcel is not None:
                return parcel
            left_s = until_s - time.monotonic()
            if left_s <= 0:
                return None
            self._wire.settimeout(max(left_s, 0.01))
            try:
                more = self._wire.recv(1 << 18)
            except TimeoutError:
                return None
            except OSError as err:
                raise SourceError(
                    self._name, f"the camera broke off ({_said(err)})", "trying again"
                ) from err
            if not more:
                raise SourceError(self._name, "the camera closed the stream", "trying again")
            if len(self._held) <= 2:  # nothing but the line end after the last picture
                self._part_at_s = self._clock()
            self._held += more
            if len(self._held) > _MOST_BYTES:
                raise SourceError(
                    self._name,
                    f"no picture ended within {_MOST_BYTES >> 20} MB",
                    "check that the address gives an MJPEG stream",
                )

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._wire.close()

    def _cut(self) -> Parcel | None:
        """The next whole picture held, if there is one."""
        begin = self._held.find(self._boundary)
        if begin < 0:
            return None
        head_end = self._held.find(b"\r\n\r\n", begin)
        if head_end < 0:
            return None
        head = bytes(self._held[begin:head_end])
        body = head_end + 4
        length = _LENGTH.search(head)
        if length is not None:
            end = body + int(length.group(1))
            if len(self._held) < end:
                return None
        else:
            closing = b"\r\n" + self._boundary
            end = self._held.find(closing, max(body, self._searched - len(closing)))
            if end < 0:
                self._searched = len(self._held)
                return None
        self._searched = 0
        jpeg = bytes(self._held[body:end])
        del self._held[:end]
        at_s = self._time_of(head)
        self._part_at_s = self._clock()
        return Parcel(at_s=at_s, jpeg=jpeg)

    def _time_of(self, head: bytes) -> float:
        """When the part was made: by the camera's own stamp where it sends one, free of jitter.

        The network only ever delays, so the smallest lead of arrival over stamp is the truest; it
        may creep up by `_DRIFT`, in case the camera's clock runs slower than ours.
        """
        stamp = _STAMP.search(head)
        if stamp is None:
            return self._part_at_s
        stamp_s = float(stamp.group(1))
        lead_s = self._part_at_s - stamp_s
        if self._lead_s is not None and abs(lead_s - self._lead_s) < 1.0:
            crept_s = self._lead_s + _DRIFT * max(0.0, stamp_s - self._stamped_s)
            lead_s = min(lead_s, crept_s)
        self._lead_s = lead_s
        self._stamped_s = stamp_s
        return stamp_s + lead_s


def _dialled(address: str) -> socket.socket:
    parts = urlsplit(address)
    host = parts.hostname or ""
    secure = parts.scheme == "https"
    wire = socket.create_connection((host, parts.port or (443 if secure else 80)), _CONNECT_S)
    if not secure:
        return wire
    try:
        return ssl.create_default_context().wrap_socket(wire, server_hostname=host)
    except BaseException:
        wire.close()
        raise


def _answer(wire: socket.socket, address: str) -> tuple[int, Message, bytes]:
    """Send the request; the answer's status, its headers, and what of the body came with them.

    HTTP/1.0, because an answer to it may not be chunked.
    """
    parts = urlsplit(address)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [
        f"GET {target} HTTP/1.0",
        f"Host: {parts.netloc.rpartition('@')[2]}",
        "Accept: multipart/x-mixed-replace, image/jpeg",
        "User-Agent: Sightline",
    ]
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        lines.append(f"Authorization: Basic {base64.b64encode(pair.encode()).decode()}")
    wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace"))
    until_s = time.monotonic() + _CONNECT_S
    held = b""
    while b"\r\n\r\n" not in held:
        if time.monotonic() > until_s:
            raise TimeoutError
        more = wire.recv(4096)
        if not more or len(held) > _MOST_HEAD_BYTES:
            raise http.client.BadStatusLine("the answer is not HTTP")
        held += more
    head, _, rest = held.partition(b"\r\n\r\n")
    first, _, fields = head.partition(b"\r\n")
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/") or not words[1].isdigit():
        raise http.client.BadStatusLine("the answer is not HTTP")
    headers = http.client.parse_headers(io.BytesIO(fields + b"\r\n\r\n"))
    return int(words[1]), headers, rest


def _refusal(status: int) -> tuple[str, str]:
    if status in (401, 403):
        return (
            f"the camera refuses ({status})",
            "put its user name and password in the address: http://user:password@…",
        )
    if status == 404:
        return (
            "the camera does not know this path (404)",
            "look up the address of the camera's MJPEG stream in its manual",
        )
    return f"the camera answers with an error ({status})", "restart the camera"


def _said(err: BaseException) -> str:
    if isinstance(err, TimeoutError):
        return "timed out"
    return str(getattr(err, "strerror", None) or err or type(err).__name__).lower()
