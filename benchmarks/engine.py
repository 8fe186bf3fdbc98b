"""How fast facts are judged, and how long a 2,000-fact match takes to replay.

    python benchmarks/engine.py [--facts N] [--seed N]

The facts are those of whole simulated Q-Square matches (the truth, no pictures), one after another.
Times are of the processor, not of the clock on the wall. Compare runs on one machine only; the
baseline row, a plain Python loop that makes as many frozen values as the engine makes steps, is
measured in the same run.
"""

import argparse
from dataclasses import replace
from time import process_time

from rules.engine import Fold, replay
from rules.game import Entry, Setup, Step
from rules.orders import fact_of
from rules.registry import find_game
from sightline.games import built_in_board
from sightline.simulated.matches import Agreement, play_truly


def logs(seed: int, wanted: int) -> tuple[Setup, list[Entry]]:
    """Return at least `wanted` facts of simulated matches, as entries of one log."""
    board = built_in_board("qsquare")
    bodies = []
    setup = None
    while len(bodies) < wanted:
        evening = play_truly(board, Agreement(), seed=seed)
        setup = evening.setup
        bodies += [step.fact for step in evening.truth.steps]
        seed += 1
    assert setup is not None
    return setup, [Entry(seq=n, at_ms=b.at_ms, body=b) for n, b in enumerate(bodies, start=1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = find_game("qsquare")
    setup, entries = logs(given.seed, given.facts)
    count = len(entries)

    blank = Step(seq=1, fact=entries[0].body, rulings=(), ids=(), state=None)  # type: ignore[arg-type]
    began = process_time()
    for entry in entries:
        replace(blank, seq=entry.seq)
    plain_s = process_time() - began

    fold = Fold(game, setup)
    began = process_time()
    for entry in entries:
        fold.append(entry)
    judged_s = process_time() - began
    rulings = sum(len(step.rulings) for step in fold.steps)
    faults = sum(bool(step.fault) for step in fold.steps)

    match = entries[:2000]
    times = []
    for _ in range(5):
        began = process_time()
        replay(game, setup, match)
        times.append(process_time() - began)
    print(f"facts judged one by one    {count:>9}   {rulings} rulings, {faults} faults")
    print(f"facts a second             {count / judged_s:>9.0f}")
    print(f"against plain values       {judged_s / plain_s:>9.1f} times their time")
    print(f"replay of {len(match)} facts      {sorted(times)[2]:>9.3f} s (median of 5)")
    decided = [entry for entry in entries if fact_of(entry) is None]
    assert not decided


if __name__ == "__main__":
    main()
