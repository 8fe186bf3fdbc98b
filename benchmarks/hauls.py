"""The cue-puck of Q-Square brought a short way by the cue, watched at 30 frames a second.

    python benchmarks/hauls.py [--hauls 100] [--first 0] [--show]

Anywhere, in any direction, by 6 to 60 mm, slower than a stroke, beginning at any instant of a
frame. The frames are drawn and watched; still pictures are told by the truth, for they are not what
is measured here. Counted is what is told: brought by the cue (a drag, or moved by hand), a stroke,
which is wrong and may become a foul, or nothing. `--show` names the hauls not told as brought.
"""

import argparse
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from testkit.flicks import FPS, Set, brought, qsquare_tables, watched  # noqa: E402

from rules.facts import Moved, Struck  # noqa: E402

_ROOM_MM = 508.0 - 25.0


@dataclass(frozen=True, slots=True)
class Way:
    """From one place to another, mm, and how fast at the most."""

    at: tuple[float, float]
    to: tuple[float, float]
    speed_mm_s: float
    begins_s: float


def way_of(seed: int) -> Way:
    """A short way on the free surface."""
    random = np.random.default_rng(seed)
    while True:
        x, y = random.uniform(-_ROOM_MM, _ROOM_MM, 2)
        turn, far = random.uniform(0, 2 * np.pi), random.uniform(6, 60)
        to = x + far * np.cos(turn), y + far * np.sin(turn)
        if max(np.abs(to)) < _ROOM_MM and max(abs(x), abs(y)) < _ROOM_MM:
            break
    speed, begins = random.uniform(120, 270), 0.9 + random.uniform(0, 1 / FPS)
    return Way((float(x), float(y)), (float(to[0]), float(to[1])), float(speed), float(begins))


def told(tables: Set, way: Way, seed: int) -> str:
    """How a haul was told."""
    haul = brought(tables[1], way.at, way.to, speed_mm_s=way.speed_mm_s)
    facts, _ = watched(tables, replace(haul, come_s=way.begins_s), film=seed)
    strikes = [fact for fact in facts if isinstance(fact, Struck)]
    if any(not fact.dragged for fact in strikes):
        return "as a stroke"
    if strikes or any(isinstance(fact, Moved) for fact in facts):
        return "as brought"
    return "not at all"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--hauls", type=int, default=100)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        tables = qsquare_tables(Path(folder) / "table")
        for seed in range(args.first, args.first + args.hauls):
            found = told(tables, way_of(seed), seed)
            total[found] += 1
            if args.show and found != "as brought":
                print(f"{seed}: {found}", flush=True)
    for name, count in sorted(total.items()):
        print(f"told {name:14} {count}")


if __name__ == "__main__":
    main()
