"""Whole simulated matches: are the rulings from pictures those from the truth?

    python benchmarks/matches.py [--matches 10] [--pucks 3] [--size 960x720] [--show]

Each match is played on the simulated table and refereed twice: from the pictures of its camera
(calibration, witness, rules) and from the truth. Rulings are compared stroke by stroke: clause,
side and kind of every firm ruling that counts or decides something. `--show` prints each fact as
it is seen, and around the first difference what truly happened.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import cv2  # noqa: E402

from calibration.table import load_table  # noqa: E402
from rules.facts import Fact, Settled  # noqa: E402
from rules.rulings import Standing  # noqa: E402
from sightline.simulated.matches import FOUR, TWO, Agreement, by_shot, counted, first_difference  # noqa: E402
from sightline.simulated.referee import FoldedReferee  # noqa: E402
from sightline.simulated.seen import SeenMatch, play_before_camera  # noqa: E402
from sightline.simulated.slips import FLAWLESS  # noqa: E402
from sightline.simulated.table import set_up_table, write_table  # noqa: E402
from vision.witness import Witness  # noqa: E402


def main() -> None:
    ask = argparse.ArgumentParser()
    ask.add_argument("--matches", type=int, default=10)
    ask.add_argument("--first-seed", type=int, default=0)
    ask.add_argument("--pucks", type=int, default=3)
    ask.add_argument("--size", default="960x720")
    ask.add_argument("--fps", type=float, default=30.0)
    ask.add_argument("--most-s", type=float, default=1800.0, help="of match time, each")
    ask.add_argument("--flawless", action="store_true", help="players make no slips")
    ask.add_argument("--show", action="store_true")
    args = ask.parse_args()
    cv2.setNumThreads(1)
    width, height = (int(n) for n in args.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        simulated = set_up_table((width, height))
        table = load_table(write_table(simulated, Path(folder) / "table"))
        equal = shots = same = 0
        clauses: Counter[str] = Counter()
        for seed in range(args.first_seed, args.first_seed + args.matches):
            began = time.process_time()
            match = play_before_camera(
                simulated,
                table,
                Witness(table),
                Agreement(seats=FOUR if seed % 4 == 3 else TWO, pucks=args.pucks),
                seed=seed,
                fps=args.fps,
                slips=FLAWLESS if args.flawless else None,
                most_s=args.most_s,
                told=_print if args.show else _keep_quiet,
            )
            spent = time.process_time() - began
            difference = first_difference(match.seen.steps, match.evening.truth.steps)
            alike = _alike(match)
            equal += difference is None
            shots += len(by_shot(match.evening.truth.steps)) - 1
            same += alike
            clauses.update(counted(match.evening.truth.steps))
            outcome = match.seen.outcome()
            print(
                f"seed {seed:3d}: {match.evening.director.shots:3d} shots, {match.frames} pictures "
                f"of {1000 * spent / match.frames:.1f} ms; "
                f"{'no end' if outcome is None else outcome.words} "
                f"{'rulings equal' if difference is None else f'differs: {difference}'}",
                flush=True,
            )
            if difference is not None and args.show:
                _explain(match, difference[0])
    print(f"matches with equal rulings: {equal} of {args.matches}")
    print(f"strokes ruled alike before the first difference: {same} of {shots}")
    print(f"clauses cited: {len(clauses)}: {dict(clauses.most_common())}")


def _alike(match: SeenMatch) -> int:
    difference = first_difference(match.seen.steps, match.evening.truth.steps)
    whole = len(by_shot(match.evening.truth.steps)) - 1
    return whole if difference is None else max(0, difference[0] - 1)


def _keep_quiet(fact: Fact, seen: FoldedReferee) -> None:
    """Nothing to tell."""


def _print(fact: Fact, seen: FoldedReferee) -> None:
    rulings = seen.steps[-1].rulings if seen.steps else ()
    said = "; ".join(r.code + ("?" if r.standing is Standing.OPEN else "") for r in rulings)
    print(f"  {_told(fact)} | {said}")


def _told(fact: Fact) -> str:
    if isinstance(fact, Settled):
        return f"{fact.at_ms:9.1f} Settled    {len(fact.pieces)} pieces"
    names = ("piece", "a", "b", "border", "pocket", "side", "dragged", "what", "value", "depth_mm")
    more = {n: getattr(fact, n) for n in names if getattr(fact, n, None) not in (None, "", False)}
    piece = more.get("piece")
    if piece is not None and not isinstance(piece, str):
        more["piece"] = piece.name
    return f"{fact.at_ms:9.1f} {type(fact).__name__:10s} {more}"


def _explain(match: SeenMatch, stroke: int) -> None:
    """What truly happened around the first stroke that was ruled otherwise."""
    strokes = 0
    print("  the truth there:")
    for step in match.evening.truth.steps:
        if type(step.fact).__name__ == "Struck" and not getattr(step.fact, "dragged", False):
            strokes += 1
        if stroke - 1 <= strokes <= stroke:
            said = "; ".join(r.code for r in step.rulings)
            print(f"    {_told(step.fact)} | {said}")


if __name__ == "__main__":
    main()
