"""The cue-puck of Q-Square put right with the cue, or struck softly: which of them is told.

    python benchmarks/adjusted.py [--times 120] [--first 0] [--show]

Each time the cue-puck lies alone in or near a Home Zone. The cue brings it along by 3 to 60 mm, as
players do before they strike; or strikes it softly, at 300 to 1,200 mm/s. The frames are drawn at
30 a second and watched. Counted is whether that was told as a drag, as a stroke, as moved (over a
few centimetres nobody can say which), or as nothing. `--show` names those told as the other.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from math import cos, pi, sin
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from testkit.flicks import Set, brought, cue_stroke, qsquare_tables, watched  # noqa: E402

from rules.facts import Fact, Moved, Struck  # noqa: E402

_STRUCK_S = 1.4


def told(tables: Set, seed: int, *, struck: bool) -> str:
    """What is told of one time: a word."""
    random = np.random.default_rng(seed)
    x, y = float(random.uniform(-300, 300)), float(random.uniform(-470, -380))
    turn = float(random.uniform(0, 2 * pi))
    if struck:
        aim = x + 100 * cos(turn), y + 100 * sin(turn)
        speed = float(random.uniform(300, 1200))
        stroke = cue_stroke(tables[1], [], speed, (x, y), aim, struck_s=_STRUCK_S)
        return _word(watched(tables, stroke, film=seed)[0])
    far = float(random.uniform(3, 60))
    to = x + far * cos(turn), max(y + far * sin(turn), -482.0)
    haul = brought(tables[1], (x, y), to, speed_mm_s=float(random.uniform(90, 290)))
    return _word(watched(tables, haul, film=seed)[0])


def _word(facts: list[Fact]) -> str:
    strikes = [fact for fact in facts if isinstance(fact, Struck)]
    if strikes:
        return "a stroke" if any(not fact.dragged for fact in strikes) else "a drag"
    return "moved" if any(isinstance(fact, Moved) for fact in facts) else "nothing"


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--times", type=int, default=120)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[tuple[str, str]] = Counter()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        tables = qsquare_tables(Path(folder) / "table")
        for seed in range(args.first, args.first + args.times):
            truth = ("a drag", "a stroke")[seed % 2]
            word = told(tables, seed, struck=bool(seed % 2))
            total[truth, word] += 1
            if args.show and word not in (truth, "moved"):
                print(f"{seed}: {truth}, told as {word}", flush=True)
    for (truth, word), count in sorted(total.items()):
        print(f"{truth}, told as {word:12} {count}")
    print(f"{(time.process_time() - began) / args.times:.1f} s a time")


if __name__ == "__main__":
    main()
