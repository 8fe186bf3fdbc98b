"""Many tablets at one running table: how soon each knows of a ruling, and what a tap costs.

    python benchmarks/tablets.py [--tablets 64 --stalled 20] [--tablets 200] [--seconds 10]
    python benchmarks/tablets.py --reconnects 1000
    python benchmarks/tablets.py --stall 20
    python benchmarks/tablets.py --tls …: any of them over HTTPS

The table runs in a process of its own (`running_table.py`): a camera of 1280x720 at 30 frames a
second, decoded, judged, followed and recorded; facts are judged, written to the disk and folded as
any are. This process plays the tablets. Ruling to tablet is counted from the moment in which
the match is given the fact; a tap is sent on a connection that stays open, as browsers do, and
counts where it was entered (201). It overrules the newest ruling, or takes that back.

`--reconnects`: streams are dropped in the midst of an event and taken up again, by 25 tablets at
once, while rulings come; each puts together what it got and compares it with the log's.
`--stall`: ten viewers of the live picture stop reading for so long; printed is how old the next
picture is that they ask for.
"""

import argparse
import http.client
import json
import os
import random
import re
import selectors
import socket
import ssl
import statistics
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from running_table import Running, running_table, sent_s  # noqa: E402

RULINGS_A_SECOND = 5.0
TAP_EVERY_S = 0.25
VIEWERS = 10
AT_ONCE = 25
LAST_TRIES = 5


def percentile(values: list[float], share: int) -> float:
    """NaN where there are none."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def opened(table: Running, have: str = "") -> socket.socket:
    """An event stream of one's own."""
    one = table.connected()
    last = f"Last-Event-ID: {have}\r\n" if have else ""
    one.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n{last}\r\n".encode())
    return one


def received(one: socket.socket) -> bytes:
    """What has come, all of it: what TLS has decrypted already no selector tells of."""
    data = one.recv(1 << 18)
    while isinstance(one, ssl.SSLSocket) and data and one.pending():
        data += one.recv(one.pending())
    return data


# -- many at once ------------------------------------------------------------------------------


def crowd(table: Running, tablets: int, stalled: int, seconds: float) -> dict[str, float]:
    """Open the tablets' streams, let rulings come, and return the figures."""
    selector = selectors.DefaultSelector()
    sockets = [opened(table) for _ in range(tablets)]
    got: dict[int, list[tuple[float, bytes]]] = {}
    for one in sockets[stalled:]:  # a stalled tablet never reads
        selector.register(one, selectors.EVENT_READ, bytearray())
        got[one.fileno()] = []
    time.sleep(1.0)
    before = processor_ticks()
    taps: list[float] = []
    pages: list[float] = []
    done = threading.Event()
    asker = threading.Thread(target=ask, args=(table, done, taps, pages))
    asker.start()
    table.tell(f"rule {int(seconds * RULINGS_A_SECOND)} {RULINGS_A_SECOND}")
    end_s = time.monotonic() + seconds + 1.0
    while time.monotonic() < end_s:
        for key, _ in selector.select(timeout=0.2):
            one = key.fileobj
            assert isinstance(one, socket.socket)
            data = received(one)
            now_s = time.monotonic()
            if not data:
                selector.unregister(one)
                continue
            key.data.extend(data)
            *events, rest = bytes(key.data).split(b"\n\n")
            key.data[:] = rest
            got[one.fileno()] += [(now_s, each) for each in events if b"event: view" in each]
    done.set()
    asker.join()
    said = table.answer()
    for one in sockets:
        one.close()
    delays, missing = told_after(got, {int(n): at for n, at in said["logged"].items()})
    return {
        "told": len(delays),
        "missing": missing,
        "ruling_p50": percentile(delays, 50),
        "ruling_p99": percentile(delays, 99),
        "taken": taken_share(before, processor_ticks()),
        "taps": len(taps),
        "tap_p50": percentile(taps, 50),
        "tap_p99": percentile(taps, 99),
        "page_p50": percentile(pages, 50),
        "page_p99": percentile(pages, 99),
        **{name: said[name] for name in ("camera_fps", "dropped", "memory_mb")},
    }


def processor_ticks() -> list[int]:
    """How the processors have spent their time so far: user, nice, system, idle, …"""
    words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()
    return [int(word) for word in words[1:9]]


def taken_share(before: list[int], after: list[int]) -> float:
    """The share of the processors' time that a virtual machine's host gave to others: "steal"."""
    spent = [b - a for a, b in zip(before, after, strict=True)]
    return spent[7] / max(1, sum(spent))


def told_after(
    got: dict[int, list[tuple[float, bytes]]], handed: dict[int, float]
) -> tuple[list[float], int]:
    """How many ms after it was handed in each tablet knew of each entry; how many never did."""
    delays: list[float] = []
    missing = 0
    for arrived in got.values():
        views = [(at_s, _view(event)["seq"]) for at_s, event in arrived]
        first_s = views[0][0] if views else float("inf")
        for seq, since_s in handed.items():
            if since_s < first_s:  # of an earlier round
                continue
            known_s = next((at_s for at_s, upto in views if upto >= seq), None)
            if known_s is None:
                missing += 1
            else:
                delays.append(1000 * (known_s - since_s))
    return delays, missing


def _view(event: bytes) -> dict[str, Any]:
    return dict(json.loads(event.split(b"data: ", 1)[1]))


def ask(table: Running, done: threading.Event, taps: list[float], pages: list[float]) -> None:
    """Tap and load the page in turn."""
    link = table.link(timeout_s=60)

    def timed(method: str, path: str, body: bytes | None = None) -> tuple[int, bytes, float]:
        began_s = time.monotonic()
        link.request(method, path, body, {"X-Sightline": "1"})
        answer = link.getresponse()
        read = answer.read()
        return answer.status, read, 1000 * (time.monotonic() - began_s)

    while not done.wait(TAP_EVERY_S):
        view = json.loads(timed("GET", "/state")[1])
        tap = {"key": os.urandom(8).hex(), "seen": view["version"], "boot": view["boot"]}
        if view["rulings"]["tail"]:
            newest = view["rulings"]["tail"][-1]
            if newest["overruled_by"] is None:
                tap["overrule"] = {"ruling": newest["id"], "mark": newest["mark"]}
            else:
                tap["withdraw"] = {"seq": newest["overruled_by"]}
            status, _, took_ms = timed("POST", "/decisions", json.dumps(tap).encode())
            if status == 201:
                taps.append(took_ms)
        pages.append(timed("GET", "/")[2])
    link.close()


# -- dropped and taken up again ----------------------------------------------------------------


class Rejoining:
    """A tablet that is cut off again and again, and puts together what it got."""

    def __init__(self, table: Running, chance: random.Random) -> None:
        self._table = table
        self._chance = chance
        self._have = ""
        self._boot_version = 0
        self.rulings: list[str | None] = []
        self.missed = self.twice = self.joined = self.events = 0

    def join(self, most: int, wait_s: float) -> None:
        """Open the stream, read up to `most` views, and drop it in the midst of what comes."""
        one = opened(self._table, self._have)
        one.settimeout(wait_s)
        self.joined += 1
        read = b""
        seen = 0
        try:
            while seen < most:
                data = one.recv(self._chance.choice((97, 1500, 1 << 16)))
                if not data:
                    break
                read += data
                *events, read = read.split(b"\n\n")
                for event in events:
                    if b"event: view" in event:
                        self._take(event)
                        seen += 1
        except (TimeoutError, ConnectionResetError, ssl.SSLError):
            pass
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()

    def _take(self, event: bytes) -> None:
        view = _view(event)
        version, since = view["version"], view["since"]
        self.events += 1
        self.twice += version <= self._boot_version
        self.missed += since is not None and since != self._boot_version
        self._boot_version = version
        found = re.search(rb"^id: (.+)$", event, re.MULTILINE)
        assert found is not None
        self._have = found[1].decode()
        kept, tail = view["rulings"]["keep"], view["rulings"]["tail"]
        self.missed += kept > len(self.rulings) and since is not None
        known = self.rulings[:kept] + [None] * (kept - len(self.rulings))
        self.rulings = known + [str(each["id"]) for each in tail]
        named = [each for each in self.rulings if each is not None]
        self.twice += len(named) - len(set(named))
        self.missed += len(self.rulings) != view["rulings"]["of"]

    def knows(self, rulings: list[str]) -> bool:
        """Whether it put together these; those before its first snapshot's it need not know."""
        same = [had is None or had == is_ for had, is_ in zip(self.rulings, rulings, strict=False)]
        return len(self.rulings) == len(rulings) and all(same)


def rejoin(table: Running, times: int) -> tuple[list[Rejoining], list[str]]:
    """Let tablets drop and rejoin while rulings come; return them, and the rulings of the log."""
    tablets = [Rejoining(table, random.Random(n)) for n in range(AT_ONCE)]
    over = threading.Event()

    def play(one: Rejoining) -> None:
        while one.joined < times // AT_ONCE:
            one.join(one._chance.randrange(4), one._chance.choice((0.05, 0.3, 1.0)))

    threads = [threading.Thread(target=play, args=(one,)) for one in tablets]
    for thread in threads:
        thread.start()

    def finish() -> None:
        for thread in threads:
            thread.join()
        over.set()

    threading.Thread(target=finish).start()
    rulings: list[str] = []
    while not over.is_set():
        rulings = table.ask(f"rule 25 {4 * RULINGS_A_SECOND}")["rulings"]
    for one in tablets:
        for _ in range(LAST_TRIES):
            if not one.knows(rulings):
                one.join(1, 5.0)
    return tablets, rulings


# -- the live picture --------------------------------------------------------------------------


def stalled_viewers(table: Running, stall_s: float) -> tuple[list[float], list[float]]:
    """How old (ms) pictures were when they had come: the ones asked for before, and after."""
    before: list[float] = []
    after: list[float] = []

    def view() -> None:
        link = table.link(timeout_s=120)
        link.request("GET", "/live.jpg")
        time.sleep(stall_s)
        first = picture_of(link.getresponse())
        before.append(1000 * (time.monotonic() - sent_s(first)))
        link.request("GET", "/live.jpg")
        second = picture_of(link.getresponse())
        after.append(1000 * (time.monotonic() - sent_s(second)))
        link.close()

    viewers = [threading.Thread(target=view) for _ in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
        time.sleep(0.13)
    for viewer in viewers:
        viewer.join()
    return before, after


def picture_of(answer: http.client.HTTPResponse) -> bytes:
    read = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"there is no live picture: {answer.status} {read[:200]!r}")
    return read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tablets", type=int, action="append")
    parser.add_argument("--stalled", type=int, default=20, help="how many of them never read")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--reconnects", type=int, default=0)
    parser.add_argument("--stall", type=float, default=0.0)
    parser.add_argument("--fps", type=float, default=30.0, help="of the camera")
    parser.add_argument("--size", default="1280x720", help="of its pictures")
    parser.add_argument(
        "--folder", type=Path, help="on the disk to write to; a new one if left out"
    )
    parser.add_argument("--tls", action="store_true", help="over HTTPS")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=given.folder) as folder,
        running_table(Path(folder), fps=given.fps, size=given.size, tls=given.tls) as table,
    ):
        if given.reconnects:
            show_rejoined(*rejoin(table, given.reconnects))
        if given.stall:
            show_stalled(given.stall, *stalled_viewers(table, given.stall))
        others = given.reconnects or given.stall
        for count in given.tablets or (() if others else (1, 64, 200)):
            stalled = given.stalled if count > given.stalled else 0
            show(count, stalled, crowd(table, count, stalled, given.seconds))


def show_rejoined(tablets: list[Rejoining], rulings: list[str]) -> None:
    wrong = sum(not one.knows(rulings) for one in tablets)
    print(
        f"{sum(t.joined for t in tablets)} streams, {sum(t.events for t in tablets)} events:"
        f" missed {sum(t.missed for t in tablets)}, twice {sum(t.twice for t in tablets)};"
        f" tablets that do not know the log's {len(rulings)} rulings: {wrong}"
    )


def show_stalled(stall_s: float, before: list[float], after: list[float]) -> None:
    print(
        f"live picture after {stall_s:.0f} s without reading: the one under way was"
        f" {statistics.median(before):.0f} ms old, the next one {statistics.median(after):.0f} ms"
        f" (worst {max(after):.0f})"
    )


def show(tablets: int, stalled: int, got: dict[str, float]) -> None:
    print(
        f"{tablets:4} tablets, {stalled:2} stalled: ruling to tablet {got['ruling_p50']:.0f} /"
        f" {got['ruling_p99']:.0f} ms (median / 99 %, {got['told']:.0f} told,"
        f" {got['missing']:.0f} missing); tap {got['tap_p50']:.0f} / {got['tap_p99']:.0f} ms"
        f" ({got['taps']:.0f}); page {got['page_p50']:.0f} / {got['page_p99']:.0f} ms;"
        f" camera {got['camera_fps']:.1f}/s, {got['dropped']:.0f} frames left out,"
        f" {got['memory_mb']:.0f} MB; load {os.getloadavg()[0]:.1f};"
        f" {got['taken']:.0%} of the processors taken by other machines",
        flush=True,
    )


if __name__ == "__main__":
    main()
