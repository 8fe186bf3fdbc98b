"""Two strokes, the second by somebody who does not wait for the rest: what is told of them.

    python benchmarks/at_once.py {carrom,qsquare} [--times 60] [--first 0] [--from-s -0.2 0.9]
        [--show]

`carrom`: some time after all pieces have come to rest, or a little before, a hand fetches the
striker to the base line, from wherever it lies, and flicks it in the same visit. `qsquare`: so a
cue leads the cue-puck home, swings behind it and strikes it, and never goes in between. `--from-s`
bounds the time from rest to when the hand or the cue comes, seconds; it takes half a second or so
to get there. The frames are drawn at 30 a second and watched; still pictures are told by the truth.
Counted are both strokes told from where the struck piece lay and when it was struck, within the
error told; the rest told between them, how far from the truth pieces were told to lie then, and the
falls. `--show` names those that went wrong.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from math import hypot
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests" / "support")]

import cv2  # noqa: E402
from strokes import cued_stroke, drawn, falls, open_stroke  # noqa: E402
from testkit.at_once import SWINGS_S, Twice, flicked_again, led_and_struck  # noqa: E402
from testkit.flicks import (  # noqa: E402
    Set,
    carrom_tables,
    cue_stroke,
    flick,
    qsquare_tables,
    watched,
)

from calibration.table import Table  # noqa: E402
from rules.facts import Fact, Moved, Settled, Struck  # noqa: E402
from sightline.simulated.acts.act import Pieces  # noqa: E402
from sightline.simulated.carrom.flick import PUSHED_S  # noqa: E402
from sightline.simulated.pieces import Lying  # noqa: E402
from sightline.simulated.ways import way_around  # noqa: E402

BASE_MM = -252.6
_AT_MM, _AT_MS = 1.0, 20.0  # so far off, a stroke is told from where and when it was struck
_SIGMAS, _OFF_MM = 3.0, 1.2
_TRIES = 80


def flicked_at_once(table: Table, seed: int, from_s: tuple[float, float]) -> Twice | None:
    """Two strokes of Carrom; None where the first leaves nothing to flick, or nothing to aim at."""
    draw, stroke = np.random.default_rng(seed + 7000), open_stroke(seed)
    one = flick(*drawn(table, stroke), struck_s=stroke.struck_s)
    men = [p for p in one.after if p.name != "striker"]
    if not men or len(men) == len(one.after):
        return None
    for _ in range(_TRIES):
        at = float(draw.uniform(-200, 200)), BASE_MM
        if _is_free(at, men, 40.0):
            break
    else:
        return None
    aim = men[0].x_mm + float(draw.normal(0, 8)), men[0].y_mm + float(draw.normal(0, 8))
    return flicked_again(
        table,
        one,
        at,
        aim if aim[1] > BASE_MM + 50 else (aim[0], 200.0),
        float(draw.uniform(700, 4500)),
        from_s=one.run.rest_s + float(draw.uniform(*from_s)),
        struck_s=PUSHED_S + float(draw.uniform(0.3, 1.0)),
    )


def struck_at_once(table: Table, seed: int, from_s: tuple[float, float]) -> Twice | None:
    """Two strokes of Q-Square; None where the first leaves nothing to strike or to aim at."""
    draw, stroke = np.random.default_rng(seed + 9000), cued_stroke(seed)
    one = cue_stroke(*drawn(table, stroke), struck_s=stroke.struck_s)
    pucks = [p for p in one.after if p.name != "cue-puck"]
    cue = next((p for p in one.after if p.name == "cue-puck"), None)
    if not pucks or cue is None:
        return None
    way = None
    for _ in range(_TRIES):
        to = float(draw.uniform(-150, 150)), float(draw.uniform(-470, -410))
        if way is None and _is_free(to, pucks, 45.0):
            start = cue.x_mm, cue.y_mm
            way = way_around(table.board, start, to, cue.radius_mm, pucks, random.Random(seed), 4.0)
    if way is None:
        return None
    puck = pucks[int(draw.integers(len(pucks)))]
    aim = puck.x_mm + float(draw.normal(0, 8)), puck.y_mm + float(draw.normal(0, 8))
    return led_and_struck(
        table,
        one,
        way,
        aim if aim[1] > -380 else (aim[0], 300.0),
        float(draw.uniform(700, 3500)),
        from_s=one.run.rest_s + float(draw.uniform(*from_s)),
        feathers_s=float(draw.uniform(SWINGS_S, 3.0)),
    )


def _is_free(at: tuple[float, float], pieces: Sequence[Lying], apart_mm: float) -> bool:
    return all(hypot(at[0] - p.x_mm, at[1] - p.y_mm) > apart_mm for p in pieces)


def counted(tables: Set, act: Twice, seed: int) -> tuple[Counter[str], float]:
    """What was told of it, as names with a count of each; how far off a piece was told to rest."""
    facts, _ = watched(tables, act, film=seed)
    true = [_strokes(part)[0] for part in act.strokes()]
    told = [k for k, fact in enumerate(facts) if fact in _strokes(facts)]
    right = len(told) == len(true) and all(
        _is_told(facts[k], stroke) for k, stroke in zip(told, true, strict=True)
    )
    rests: list[Settled] = []
    if told:  # before what may be struck is brought along, or struck
        touches = [
            k
            for k, fact in enumerate(facts)
            if k > told[0] and isinstance(fact, Struck | Moved) and fact.piece == true[0].piece
        ]
        rests = [
            f for f in facts[told[0] : touches[0] if touches else -1] if isinstance(f, Settled)
        ]
    off_mm = _off_mm(rests[0], act.one.after) if rests else 0.0
    fell, seen = falls([*act.strokes()[0], *act.strokes()[1]]), falls(facts)
    return Counter(
        {
            "pairs of strokes": 1,
            "both strokes right": int(right),
            "rest told between": int(bool(rests)),
            "pieces known then": int(bool(rests) and len(rests[0].pieces) == len(act.one.after)),
            "falls": fell.total(),
            "falls told": (fell & seen).total(),
            "false falls": (seen - fell).total(),
        }
    ), off_mm


def _strokes(facts: Sequence[Fact]) -> list[Struck]:
    return [f for f in facts if isinstance(f, Struck) and not f.dragged]


def _is_told(fact: Fact, stroke: Struck) -> bool:
    assert isinstance(fact, Struck)
    near = fact.at.distance_mm(stroke.at) < _AT_MM
    return near and abs(fact.at_ms - stroke.at_ms) < max(_AT_MS, _SIGMAS * fact.error_ms)


def _off_mm(rest: Settled, lie: Pieces) -> float:
    """How far from where its like lies a piece was told to rest, at the most."""
    return max(
        min(
            (
                hypot(p.x_mm - piece.at.x_mm, p.y_mm - piece.at.y_mm)
                for p in lie
                if p.spec.colour == piece.colour
            ),
            default=0.0,
        )
        for piece in rest.pieces
    )


GAMES = {"carrom": (carrom_tables, flicked_at_once), "qsquare": (qsquare_tables, struck_at_once)}


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("game", choices=GAMES)
    ask.add_argument("--times", type=int, default=60)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--from-s", type=float, nargs=2, default=(-0.2, 0.9))
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    tables_in, play = GAMES[args.game]
    total: Counter[str] = Counter()
    off_mm: list[float] = []
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        tables = tables_in(Path(folder) / "table")
        for seed in range(args.first, args.first + args.times):
            act = play(tables[1], seed, tuple(args.from_s))
            if act is None:
                continue
            found, off = counted(tables, act, seed)
            total += found
            off_mm.append(off)
            well = found["both strokes right"] and found["pieces known then"] and off < _OFF_MM
            if args.show and not (well and found["falls"] == found["falls told"]):
                print(f"{seed}: {dict(found)}, {off:.2f} mm off", flush=True)
    for name, count in sorted(total.items()):
        print(f"{name:28} {count}")
    print(f"{'farthest off at rest, mm':28} {max(off_mm, default=0.0):.2f}")
    print(f"{(time.process_time() - began) / max(total['pairs of strokes'], 1):.1f} s a pair")


if __name__ == "__main__":
    main()
