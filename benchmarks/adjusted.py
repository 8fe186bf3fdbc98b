"""The cue-puck of Q-Square put right with the cue, or struck softly: which of them is told.

    python benchmarks/adjusted.py [--times 120] [--first 0] [--hardly] [--show]

Each time the cue-puck lies alone in or near a Home Zone. The cue brings it along by 3 to 60 mm, as
players do before they strike; or strikes it softly, at 300 to 1,200 mm/s, with `--hardly` so softly
that it runs no farther than that. It came there by a stroke, from which friction is known. The
frames are drawn at 30 a second and watched. Counted is whether that was told as a drag, as a
stroke, as moved (over a few centimetres nobody can say which), or as nothing. `--show` names those
told as the other.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from math import cos, pi, sin, sqrt
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from testkit.at_once import Then  # noqa: E402
from testkit.flicks import (  # noqa: E402
    CUED_SLOWING_MM_S2,
    FPS,
    Set,
    brought,
    cue_stroke,
    qsquare_tables,
    watched,
)

from rules.facts import Fact, Moved, Struck  # noqa: E402
from sightline.simulated.acts.cue import Haul, Stroke  # noqa: E402

_STRUCK_S = 1.4
_CAME_MM_S = 500.0
_RESTS_S = 1.5  # so long it lies still before


def told(tables: Set, seed: int, *, struck: bool, hardly: bool = False) -> str:
    """What is told of one time: a word."""
    random = np.random.default_rng(seed)
    x, y = float(random.uniform(-300, 300)), float(random.uniform(-470, -380))
    turn = float(random.uniform(0, 2 * pi))
    came_mm = _CAME_MM_S**2 / (2 * CUED_SLOWING_MM_S2)
    came = cue_stroke(tables[1], [], _CAME_MM_S, (x, y + came_mm), (x, y), struck_s=_STRUCK_S)
    act: Stroke | Haul
    if struck:
        aim = x + 100 * cos(turn), y + 100 * sin(turn)
        speed = float(random.uniform(300, 1200))
        if hardly:
            speed = sqrt(2 * CUED_SLOWING_MM_S2 * float(random.uniform(3, 60)))
        struck_s = _STRUCK_S + float(random.uniform(0, 1 / FPS))
        act = cue_stroke(tables[1], [], speed, (x, y), aim, struck_s=struck_s)
    else:
        far = float(random.uniform(3, 60))
        to = x + far * cos(turn), max(y + far * sin(turn), -482.0)
        act = brought(tables[1], (x, y), to, speed_mm_s=float(random.uniform(90, 290)))
    second = Then(came, act, came.lasts_s + _RESTS_S)
    facts, _ = watched(tables, second, film=seed)
    return _word([fact for fact in facts if fact.at_ms > 1000 * (second.from_s - _RESTS_S)])


def _word(facts: list[Fact]) -> str:
    strikes = [fact for fact in facts if isinstance(fact, Struck)]
    if strikes:
        return "a stroke" if any(not fact.dragged for fact in strikes) else "a drag"
    return "moved" if any(isinstance(fact, Moved) for fact in facts) else "nothing"


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--times", type=int, default=120)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--hardly", action="store_true", help="strokes of 3 to 60 mm")
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[tuple[str, str]] = Counter()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        tables = qsquare_tables(Path(folder) / "table")
        for seed in range(args.first, args.first + args.times):
            truth = ("a drag", "a stroke")[seed % 2]
            word = told(tables, seed, struck=bool(seed % 2), hardly=args.hardly)
            total[truth, word] += 1
            if args.show and word not in (truth, "moved"):
                print(f"{seed}: {truth}, told as {word}", flush=True)
    for (truth, word), count in sorted(total.items()):
        print(f"{truth}, told as {word:12} {count}")
    print(f"{(time.process_time() - began) / args.times:.1f} s a time")


if __name__ == "__main__":
    main()
