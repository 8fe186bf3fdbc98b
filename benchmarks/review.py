"""Measures the review room and the page on a long match: opening, stepping, the right frame.

    python benchmarks/review.py [--facts 2000] [--jumps 1000]

The match is the golden best of three, again and again, over two hours; its recording are frames
that show their own number, so that a frame shown instead of another is noticed.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from testkit.numbered_frames import EVERY_MS, numbered, read_number  # noqa: E402
from testkit.played import TABLE, TESTS  # noqa: E402

from rules.game import Setup  # noqa: E402
from rules.games.qsquare.board import default_board  # noqa: E402
from rules.registry import find_game  # noqa: E402
from rules.transcript import parse_transcript  # noqa: E402
from sightline.clock import SystemClock  # noqa: E402
from sightline.match_log.log import Draft, MatchHeader, Store  # noqa: E402
from sightline.review.library import LogLibrary  # noqa: E402
from sightline.review.recording import Recorder  # noqa: E402
from sightline.review.study import MatchStudy  # noqa: E402
from sightline.running.match import Match  # noqa: E402
from web import create_app  # noqa: E402

FRAMES = 1800


def long_match(store: Store, count: int) -> None:
    setup = Setup(game="qsquare", board=default_board(), options={"qs.best_of": "3"})
    header = MatchHeader(
        name="long", setup=setup, started="2026-11-21T19:00:00+00:00", table=str(TABLE)
    )
    kept = (TESTS / "golden" / "qsquare_best_of_three.txt").read_text(encoding="utf-8")
    facts = list(parse_transcript(kept))
    with store.create(header) as log:
        every_ms = 2 * 3600e3 / count
        log.append(
            [
                Draft(
                    at_ms=n * every_ms,
                    body=replace(facts[n % len(facts)], at_ms=n * every_ms),  # type: ignore[arg-type]
                )
                for n in range(count)
            ]
        )
        recorder = Recorder(log.evidence.folder / "video", shift_ms=lambda: 0.0)
        recorder.start()
        for number in range(FRAMES):
            recorder.heard(numbered(number, (720, 1280)))
            while len(recorder._waiting) > 60:
                time.sleep(0.005)
        recorder.close()


def timed(what: str, act: Callable[[], object], times: int = 5) -> None:
    taken = []
    for _ in range(times):
        since = time.perf_counter()
        act()
        taken.append(1000 * (time.perf_counter() - since))
    print(f"{what}: first {taken[0]:.0f} ms, then {statistics.median(taken[1:]):.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=2000)
    parser.add_argument("--jumps", type=int, default=1000)
    wishes = parser.parse_args()
    cv2.setNumThreads(1)
    with (
        tempfile.TemporaryDirectory(prefix="sightline-review-") as folder,
        Store(Path(folder) / "matches.db") as store,
    ):
        long_match(store, wishes.facts)
        header, entries = store.read("long")
        game = find_game("qsquare")
        study = MatchStudy(game, header.setup, entries)
        library = LogLibrary(store)
        with Match(store.open("long"), game, clock=SystemClock()) as match:
            client = create_app(match, study=study, library=library).test_client()
            timed("the page", lambda: (client.get("/").data, client.get("/state").data))
            timed("what an overrule would change", lambda: preview(client))
        client = create_app(match, study=study, library=library).test_client()
        timed("the review room opens", lambda: client.get("/review/match.json?match=long").data)
        chance = random.Random(1)
        wrong, taken = 0, []
        for _ in range(wishes.jumps):
            number = chance.randrange(FRAMES)
            since = time.perf_counter()
            jpeg = client.get(f"/review/still.jpg?match=long&n={number}").data
            taken.append(1000 * (time.perf_counter() - since))
            shown = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
            wrong += read_number(shown) != number
        p99 = sorted(taken)[int(0.99 * len(taken))]
        print(
            f"{wishes.jumps} random jumps in {FRAMES * EVERY_MS / 1000:.0f} s of 1280x720: {wrong} "
            f"wrong frames; median {statistics.median(taken):.0f} ms, p99 {p99:.0f} ms"
        )
        step = [0.0] * 100
        for n in range(100):
            since = time.perf_counter()
            _ = client.get(f"/review/still.jpg?match=long&n={400 + n}").data
            step[n] = 1000 * (time.perf_counter() - since)
        print(f"one frame on: median {statistics.median(step):.0f} ms")


def preview(client: object) -> None:
    state = client.get("/state").json  # type: ignore[attr-defined]
    ruled = state["rulings"]["tail"][0]
    body = {
        "key": "0123456789abcdef",
        "seen": state["version"],
        "overrule": {"ruling": ruled["id"], "mark": ruled["mark"]},
    }
    answer = client.post(  # type: ignore[attr-defined]
        "/previews/decisions", json=body, headers={"X-Sightline": "1"}
    )
    assert answer.status_code == 200, answer.text


if __name__ == "__main__":
    main()
