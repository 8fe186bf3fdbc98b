"""A line to a server that can be cut and mended: a TCP forwarder on a port of its own."""

import contextlib
import socket
import threading
from typing import Self


class CuttableLine:
    """Forwards connections to `port` on the loopback; while it is cut, none come through."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(timeout=5)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}/"

    def cut(self) -> None:
        """Drop every connection, and each new one at once."""
        with self._lock:
            self._is_cut = True
            for one in self._open:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        with self._lock:
            self._is_cut = False

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                if self._is_cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
                self._open |= {near, far}
            ends = [threading.Event(), threading.Event()]
            for number, (source, sink) in enumerate(((near, far), (far, near))):
                thread = threading.Thread(
                    target=self._forward, args=(source, sink, ends, number), daemon=True
                )
                self._threads.append(thread)
                thread.start()

    def _forward(
        self, source: socket.socket, sink: socket.socket, ends: list[threading.Event], number: int
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
        ends[number].set()
        if all(end.is_set() for end in ends):
            with self._lock:
                self._open -= {source, sink}
            source.close()
            sink.close()
