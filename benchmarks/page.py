"""Measures the page's server: many open event streams, some of them stalled, a camera beside.

    python benchmarks/page.py [--streams 64 --stalled 20] [--streams 200] [--seconds 10]

The server runs in a process of its own with a sample match and a camera's work (a 1280x720 JPEG
decoded and encoded 30 times a second); this process plays the pages. Each ruling carries the time
at which the desk got it, so "ruling to page" is the whole way from there to a page's socket.
Everything is shown beside the same with one stream in the same run.
"""

import argparse
import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

RULINGS_A_SECOND = 5.0
TAP_EVERY_S = 0.25


def serve(seconds: float) -> None:
    """The child: serves a sample match, makes rulings, works as a camera would."""
    import cv2
    import numpy as np
    from testkit.sample_match import sample_desk

    from rules.rulings import Ruling
    from sightline.serving.serve import serving

    cv2.setNumThreads(1)
    desk = sample_desk()
    stop = threading.Event()
    noise = np.random.default_rng(1).integers(90, 160, (720, 1280, 3)).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", cv2.GaussianBlur(noise, (0, 0), 2.0))[1]
    frames = 0

    def camera() -> None:
        nonlocal frames
        due = time.monotonic()
        while not stop.is_set():
            cv2.imencode(".jpg", cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
            frames += 1
            due += 1 / 30
            time.sleep(max(0.0, due - time.monotonic()))

    with serving(desk, port=0) as address:
        print(address.port, flush=True)
        worker = threading.Thread(target=camera)
        worker.start()
        sys.stdin.readline()  # the pages are open
        started, first = time.monotonic(), frames
        while time.monotonic() - started < seconds:
            desk.rule(Ruling(code="QS-2.3", words=f"at {time.monotonic():.6f}"))
            time.sleep(1 / RULINGS_A_SECOND)
        fps = (frames - first) / (time.monotonic() - started)
        memory_kb = int(Path("/proc/self/statm").read_text().split()[1]) * 4
        print(json.dumps({"camera_fps": fps, "memory_mb": memory_kb / 1024}), flush=True)
        sys.stdin.readline()
        stop.set()
        worker.join()


def run(streams: int, stalled: int, seconds: float) -> dict[str, float]:
    """Open the pages, measure, and return the figures."""
    child = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--seconds", str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    port = int(child.stdout.readline())
    selector = selectors.DefaultSelector()
    request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    sockets = []
    for number in range(streams):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(request)
        sockets.append(one)
        if number >= stalled:  # a stalled page never reads
            selector.register(one, selectors.EVENT_READ, bytearray())
    time.sleep(1.5)
    child.stdin.write("go\n")
    child.stdin.flush()
    done = threading.Event()
    taps: list[float] = []
    pages: list[float] = []
    asker = threading.Thread(target=ask, args=(port, done, taps, pages))
    asker.start()
    delays: list[float] = []
    end = time.monotonic() + seconds + 0.5
    while time.monotonic() < end:
        for key, _ in selector.select(timeout=0.2):
            data = key.fileobj.recv(262144)  # type: ignore[union-attr]
            now = time.monotonic()
            if not data:
                selector.unregister(key.fileobj)
                continue
            key.data.extend(data)
            *events, rest = bytes(key.data).split(b"\n\n")
            key.data[:] = rest
            for event in events:
                at = event.rfind(b'"words":"at ')
                if at >= 0 and b'"since":null' not in event:
                    delays.append((now - float(event[at + 12 : at + 40].split(b'"')[0])) * 1000)
    done.set()
    asker.join()
    said = json.loads(child.stdout.readline())
    child.stdin.write("stop\n")
    child.stdin.flush()
    for one in sockets:
        one.close()
    child.wait(timeout=30)
    wanted = (streams - stalled) * int(seconds * RULINGS_A_SECOND * 0.9)
    return {
        "events": len(delays),
        "wanted": wanted,
        "ruling_p50": statistics.median(delays),
        "ruling_p99": percentile(delays, 99),
        "tap_p50": statistics.median(taps),
        "tap_p99": percentile(taps, 99),
        "page_p50": statistics.median(pages),
        "page_p99": percentile(pages, 99),
        **said,
    }


def ask(port: int, done: threading.Event, taps: list[float], pages: list[float]) -> None:
    """Tap and load the page in turn, each on a connection of its own."""
    url = f"http://127.0.0.1:{port}"
    while not done.wait(TAP_EVERY_S):
        body = {"key": os.urandom(8).hex(), "seen": 1, "what": "pause", "value": ""}
        tap = urllib.request.Request(
            f"{url}/declarations", json.dumps(body).encode(), {"X-Sightline": "1"}
        )
        for request, times in ((tap, taps), (f"{url}/", pages)):
            started = time.monotonic()
            with urllib.request.urlopen(request, timeout=30) as answer:
                answer.read()
            times.append((time.monotonic() - started) * 1000)


def percentile(values: list[float], share: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--streams", type=int, action="append")
    parser.add_argument("--stalled", type=int, default=20, help="how many of them never read")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.seconds)
        return
    base = run(1, 0, options.seconds)
    print("streams stalled  ruling to page p50/p99   tap p50/p99   page p50/p99   times one stream")
    for streams, stalled in [(1, 0), *((n, options.stalled) for n in options.streams or (64, 200))]:
        got = base if streams == 1 else run(streams, stalled, options.seconds)
        median, far = (got[key] / base[key] for key in ("ruling_p50", "ruling_p99"))
        print(
            f"{streams:7d} {stalled:7d}  {got['ruling_p50']:10.1f} {got['ruling_p99']:8.1f} ms"
            f"  {got['tap_p50']:6.1f} {got['tap_p99']:6.1f} ms"
            f"  {got['page_p50']:5.1f} {got['page_p99']:6.1f} ms"
            f"  {median:8.1f} {far:6.1f}"
            f"   camera {got['camera_fps']:.1f}/s, {got['memory_mb']:.0f} MB,"
            f" {got['events']:.0f} events for at least {got['wanted']:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
