"""What a hand fetches, or puts back, from among men: whether any of it is told as a stroke.

    python benchmarks/fetched.py {striker,man,board} [--times 120] [--first 0] [--show]

Each time the striker lies where a stroke may have left it, with men close by and about; a hand
takes it up and lays it by a base line. Or a man is put right among those about the centre, by a few
millimetres or from far away; or the board is cleared, as it is at its end. The frames are drawn at
30 a second and watched; still pictures are told by the truth, for they are not what is measured
here. Counted are the times at which a stroke or a touch was told or asked about, something else was
told to have been moved, and all that the hand took was told as moved, or as taken. `--show` names
those that went wrong.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from math import cos, hypot, pi, sin
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from testkit.flicks import Man, Set, carrom_tables, clear, fetch, watched  # noqa: E402

from rules.board import Board  # noqa: E402
from rules.facts import (  # noqa: E402
    Contacted,
    Moved,
    Placed,
    Pocketed,
    Removed,
    Struck,
    Travelled,
    Unclear,
)
from rules.geometry import Seat  # noqa: E402
from sightline.simulated.acts.carrying import Carry  # noqa: E402

COUNTED = (
    *("times", "moved", "something else moved"),
    *("told as a stroke", "told of other motion"),
)
BASE_MM, TOUCH_MM, APART_MM = 252.6, 36.6, 32.0
SAME_MM, STEP_MM = 3.0, 6.0


def fetching(board: Board, seed: int) -> Carry:
    """A hand that fetches the striker from among men to the base line of its side."""
    random = np.random.default_rng(seed)
    x, y = (float(v) for v in random.uniform(-310, 310, 2))
    crowd = random.random() < 0.5
    men = _crowd(random, x, y) if crowd else _few(random, x, y)
    men += [(float(a), float(b)) for a, b in random.uniform(-340, 340, (6, 2))]
    side = Seat.S if random.random() < 0.5 else Seat.N
    to = float(random.uniform(-200, 200)), -BASE_MM if side is Seat.S else BASE_MM
    lies: list[Man] = []
    for a, b in men:
        colour = ("black", "white")[int(random.integers(2))]
        apart = all(hypot(a - u, b - v) > APART_MM for _, u, v in lies)
        free = hypot(a - x, b - y) >= TOUCH_MM and hypot(a - to[0], b - to[1]) > 38
        if apart and free and max(abs(a), abs(b)) < 350:
            lies.append((colour, a, b))
    return fetch(board, lies, (x, y), to, side)


def putting_back(board: Board, seed: int) -> Carry:
    """A hand that puts a man right among those about the centre, or lays him there from far off."""
    random = np.random.default_rng(seed)
    side = Seat.S if random.random() < 0.5 else Seat.N
    lies: list[Man] = []
    for a, b in [*random.normal(0, 60, (16, 2)), *random.uniform(-335, 335, (8, 2))]:
        if all(hypot(a - u, b - v) > APART_MM for _, u, v in lies):
            lies.append((("black", "white")[int(random.integers(2))], float(a), float(b)))
    (colour, *at), *others = lies if random.random() < 0.5 else lies[::-1]
    near = random.random() < 0.5
    to = (at[0] + STEP_MM, at[1])
    for a, b in (
        np.array(at) + random.normal(0, 8, (50, 2)) if near else random.normal(0, 60, (50, 2))
    ):
        free = all(hypot(a - u, b - v) > APART_MM for _, u, v in others)
        if free and hypot(a - at[0], b - at[1]) > SAME_MM:
            to = float(a), float(b)
    base = BASE_MM if side is Seat.S else -BASE_MM
    striker = float(random.uniform(-200, 200)), base
    men = [m for m in others if hypot(m[1] - striker[0], m[2] - striker[1]) > 38]
    return fetch(board, [(colour, at[0], at[1]), *men], striker, to, side, which=1)


def clearing(board: Board, seed: int) -> Carry:
    """A hand that takes the striker and the last men off the board at once."""
    random = np.random.default_rng(seed)
    side = Seat.S if random.random() < 0.5 else Seat.N
    striker = float(random.uniform(-340, 340)), float(random.uniform(-340, 340))
    lies: list[Man] = []
    for a, b in random.uniform(-345, 345, (int(random.integers(1, 9)), 2)):
        apart = all(hypot(a - u, b - v) > APART_MM for _, u, v in lies)
        if apart and hypot(a - striker[0], b - striker[1]) >= TOUCH_MM:
            lies.append((("black", "white")[int(random.integers(2))], float(a), float(b)))
    return clear(board, lies, striker, side)


def _few(random: np.random.Generator, x: float, y: float) -> list[tuple[float, float]]:
    """Some men about a place, the nearest of whom may touch what lies there."""
    men = []
    for _ in range(int(random.integers(2, 9))):
        far, turn = float(random.uniform(TOUCH_MM, 110)), float(random.uniform(0, 2 * pi))
        men.append((x + far * cos(turn), y + far * sin(turn)))
    return men


def _crowd(random: np.random.Generator, x: float, y: float) -> list[tuple[float, float]]:
    """What a break may leave of a rack, beside a place: many of the men nearly touch."""
    turn = float(random.uniform(0, 2 * pi))
    far = TOUCH_MM + float(random.uniform(40, 75))
    rows = [(34.0 * (u + 0.5 * (v % 2)), 29.5 * v) for u in range(-2, 3) for v in range(-2, 3)]
    shifts = random.normal(0, 1.5, (len(rows), 2))
    return [
        (x + far * cos(turn) + a + float(dx), y + far * sin(turn) + b + float(dy))
        for (a, b), (dx, dy) in zip(rows, shifts, strict=True)
        if random.random() < 0.75
    ]


def counted(tables: Set, act: Carry, seed: int) -> Counter[str]:
    """What was told while the hand took something, as names with a count of each."""
    facts, start = watched(tables, act, film=seed)
    # where the hand takes it: of what it takes away, `pieces` are as they lie; of what it lays
    # elsewhere, as they come to lie
    took = [act.moves_from] if act.moves_from else [(p.x_mm, p.y_mm) for p in act.pieces]
    names = {
        p.name for p in start for x, y in took if hypot(p.at.x_mm - x, p.at.y_mm - y) < SAME_MM
    }
    moved = [f for f in facts if isinstance(f, Moved | Placed | Removed)]
    own = [f for f in moved if isinstance(f, Moved if act.brings else Removed) and f.piece in names]
    return Counter(
        {
            "times": 1,
            "moved": int(len(own) == len(took)),
            "something else moved": int(len(moved) > len(own)),
            "told as a stroke": int(any(isinstance(f, Struck) for f in facts)),
            "told of other motion": int(
                any(isinstance(f, Contacted | Pocketed | Travelled | Unclear) for f in facts)
            ),
        }
    )


WHAT = {"striker": fetching, "man": putting_back, "board": clearing}


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("what", choices=WHAT)
    ask.add_argument("--times", type=int, default=120)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        tables = carrom_tables(Path(folder) / "table")
        for seed in range(args.first, args.first + args.times):
            found = counted(tables, WHAT[args.what](tables[1].board, seed), seed)
            total += found
            if args.show and (found.total() != 2 or not found["moved"]):
                print(f"{seed}: {dict(found)}", flush=True)
    for name in COUNTED:
        print(f"{name:28} {total[name]}")
    print(f"{(time.process_time() - began) / args.times:.1f} s a time")


if __name__ == "__main__":
    main()
