"""A real HTTP camera on a loopback port that misbehaves as it is told."""

import contextlib
import http.server
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field


@dataclass
class MjpegCamera:
    """Serves `parts` once to each client, paced by nothing, then does what `then` says.

    `then` is "hang" (stays silent, connection open), "close", or "repeat". With `asked`, each
    picture is sent only once it has been asked for there.
    """

    parts: Sequence[bytes]
    then: str = "hang"
    status: int = 200
    content_type: str = "multipart/x-mixed-replace; boundary=frame"
    lengths: bool = True
    stamps: Sequence[float] = ()
    port: int = 0
    clients: int = 0
    requests: list[dict[str, str]] = field(default_factory=list)
    release: threading.Event = field(default_factory=threading.Event)
    asked: threading.Semaphore | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/stream"

    def part(self, number: int) -> bytes:
        body = self.parts[number % len(self.parts)]
        head = "--frame\r\nContent-Type: image/jpeg\r\n"
        if self.lengths:
            head += f"Content-Length: {len(body)}\r\n"
        if self.stamps:
            head += f"X-Timestamp: {self.stamps[number % len(self.stamps)]:.6f}\r\n"
        return head.encode() + b"\r\n" + body + b"\r\n"


@contextlib.contextmanager
def serving(camera: MjpegCamera, *, port: int = 0) -> Iterator[MjpegCamera]:
    """The camera switched on, until the block ends."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            camera.clients += 1
            camera.requests.append(dict(self.headers))
            self.send_response(camera.status)
            self.send_header("Content-Type", camera.content_type)
            self.end_headers()
            if camera.status != 200:
                return
            with contextlib.suppress(OSError):
                number = 0
                while number < len(camera.parts) or camera.then == "repeat":
                    if camera.asked is not None:
                        camera.asked.acquire()
                    self.wfile.write(camera.part(number))
                    number += 1
                    if camera.then == "repeat" and camera.release.wait(0.02):
                        return
                if not camera.lengths:
                    self.wfile.write(b"--frame\r\n")
                if camera.then == "hang":
                    camera.release.wait(30.0)

        def log_message(self, *words: object) -> None:
            """Quiet."""

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        allow_reuse_address = True

    with Server(("127.0.0.1", port), Handler) as server:
        camera.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield camera
        finally:
            camera.release.set()
            if camera.asked is not None:
                camera.asked.release()
            server.shutdown()
            thread.join()
